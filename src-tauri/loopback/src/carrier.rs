//! What programs of this user come by: a Unix socket, which no other user can open, or on Windows a
//! named pipe, to which no other user can write.

#[cfg(unix)]
mod socket;
#[cfg(unix)]
pub(crate) use socket::{connect, listen};

#[cfg(windows)]
mod pipe;
#[cfg(windows)]
pub(crate) use pipe::{connect, listen};
