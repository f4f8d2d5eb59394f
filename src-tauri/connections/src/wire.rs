//! What servers say ⇄ the words everyone shares. Nothing is lost on the way: what has no word of
//! its own is kept as it came.

#[cfg(test)]
mod anything;
mod extra;
mod frame;
mod initialize;
mod list;
mod prompts;
mod resources;
mod said;
mod tool_result;
mod tools;

pub(crate) use frame::{Frame, INTERNAL, RpcError, frames};
pub(crate) use initialize::{
    InitializeResult, LEGACY, MODERN, capabilities, client_info, discovered, initialized,
    request_meta,
};
pub(crate) use list::Page;
pub(crate) use prompts::{completion, prompt, prompt_answer};
pub(crate) use resources::{resource, resource_answer, template};
pub(crate) use said::log_line;
pub(crate) use tool_result::tool_result;
pub(crate) use tools::tool;

use extra::beside;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

/// Reads an object. A list is none, although its parts could be taken for the fields in their
/// order.
fn object<T: DeserializeOwned>(value: Value) -> Result<T, serde_json::Error> {
    serde_json::from_value(Value::Object(fields(value)?))
}

/// The fields of an object.
fn fields(value: Value) -> Result<Map<String, Value>, serde_json::Error> {
    match value {
        Value::Object(fields) => Ok(fields),
        // It fails, and says what it is instead.
        other => serde_json::from_value(other),
    }
}
