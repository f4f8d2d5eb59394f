//! What both ends of a carrier do with a reply.

use crate::{ErrorCode, HostError, Request};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};

/// A reply as it travels: written once, whatever carries it.
///
/// Fails with `internal` if it cannot be written.
pub fn written(reply: &impl Serialize) -> Result<Box<RawValue>, HostError> {
    to_raw_value(reply)
        .map_err(|problem| internal(format!("a reply could not be written: {problem}")))
}

/// The reply to a request of this type, out of what came back.
///
/// Fails with `internal` if it is of another version's shape.
pub fn read<R: Request>(reply: &str) -> Result<R::Reply, HostError> {
    serde_json::from_str(reply).map_err(|problem| {
        internal(format!(
            "the reply to {} is of another version: {problem}",
            R::METHOD
        ))
    })
}

fn internal(message: String) -> HostError {
    HostError::of(ErrorCode::Internal, message)
}
