//! A library that is loaded into a program with `LD_PRELOAD`, and ends it right after one of its
//! writes below a folder, as `kill -9` does. It does nothing but on Linux.
//!
//! - `SUDDEN_END_PROGRAM`: the path of the program; others that it starts are left alone;
//! - `SUDDEN_END_FOLDER`: the folder;
//! - `SUDDEN_END_AFTER`: after which of the writes, counted from 1; 0 for none;
//! - `SUDDEN_END_NOTES`: a file that gets a line for each of them: what was done, and where.
//!
//! Always true here:
//! - what the program asks for is done, and only then it is ended: at its end nothing is half done;
//! - what could not be done is no write;
//! - nothing that the program sees is changed, `errno` included.

#[cfg(target_os = "linux")]
mod interposed;
#[cfg(target_os = "linux")]
mod plan;
