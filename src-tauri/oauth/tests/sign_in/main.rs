//! Signing in, against a real authorization server on this computer that follows a script.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test that cannot go on has failed"
)]

mod cases;
mod discovery;
mod doctor;
#[cfg(feature = "enterprise")]
mod enterprise;
#[cfg(feature = "enterprise")]
mod keys;
mod listener;
mod machines;
mod people;
mod records;
mod support;
mod tokens;
