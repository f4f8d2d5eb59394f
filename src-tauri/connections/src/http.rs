//! Servers at an address, over Streamable HTTP.

mod failure;
mod headers;
mod streamable;

pub(crate) use failure::failure;
pub(crate) use streamable::streamable;
