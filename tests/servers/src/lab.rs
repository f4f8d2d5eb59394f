//! `lab-… FILE`: servers with which courses teach agents, with the names and texts of their tools.
//! Each writes a line into its file for whatever reaches it, so that a test can count that.

mod currency;
mod images;
mod shipping;

pub(crate) use currency::Currency;
pub(crate) use images::Images;
pub(crate) use shipping::{PausingShipping, Shipping};

use crate::rpc::tool;
use serde_json::{Map, Value, json};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::PathBuf;

/// What is answered where a line cannot be written: a test would count wrongly.
const NOT_NOTED: &str = "the file cannot be written";

/// Where lines are written for what reaches a server.
pub(crate) struct Notes(PathBuf);

impl Notes {
    fn of(argument: Option<String>) -> Self {
        Self(argument.unwrap_or_default().into())
    }

    /// Adds a line, whole.
    fn add(&self, line: &str) -> io::Result<()> {
        let mut file = OpenOptions::new().append(true).create(true).open(&self.0)?;
        file.write_all(format!("{line}\n").as_bytes())
    }
}

/// A definition of which every argument is needed.
fn tool_with(name: &str, description: &str, properties: &Value) -> Value {
    let mut defined = tool(name, description, properties);
    let names = properties.as_object().into_iter().flat_map(Map::keys);
    defined["inputSchema"]["required"] = names.cloned().collect();
    defined
}

/// The definition of a tool that only reads.
fn reads(mut tool: Value) -> Value {
    tool["annotations"] = json!({ "readOnlyHint": true });
    tool
}
