//! What becomes of a reply: it is taken as it is by whoever asks in the same process, and written
//! once for a carrier, which has it read at its other end.

use crate::{ErrorCode, HostError, Request};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::any::Any;

/// The reply to any request.
pub trait AnyReply: Send {
    /// As it travels, whatever carries it.
    ///
    /// # Errors
    /// `internal` if it cannot be written.
    fn written(&self) -> Result<Box<RawValue>, HostError>;

    /// As it is.
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<T: Serialize + Send + 'static> AnyReply for T {
    fn written(&self) -> Result<Box<RawValue>, HostError> {
        to_raw_value(self)
            .map_err(|problem| internal(format!("a reply could not be written: {problem}")))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// The reply to a request of this type, as it is.
///
/// Fails with `internal` if it is the reply to another one.
pub fn taken<R: Request>(reply: Box<dyn AnyReply>) -> Result<R::Reply, HostError> {
    match reply.into_any().downcast::<R::Reply>() {
        Ok(reply) => Ok(*reply),
        Err(_) => Err(internal(format!("no reply to {} came", R::METHOD))),
    }
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
