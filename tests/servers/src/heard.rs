//! What this program was told, for tests that want to know which process got what: one line for each message in the file that
//! `HEARD` names, if it does. A line is the number of the process and the method, or `answer`.

use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;

/// Notes that this process, or one that it started, runs.
pub(crate) fn started(process: u32) {
    note(process, "started");
}

/// Notes one message.
pub(crate) fn message(message: &Value) {
    note(std::process::id(), message.get("method").and_then(Value::as_str).unwrap_or("answer"));
}

fn note(process: u32, word: &str) {
    let Some(file) = std::env::var_os("HEARD") else { return };
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(file) {
        // One write is one line, whoever else writes. What cannot be noted is missed by the test.
        let _ = file.write_all(format!("{process} {word}\n").as_bytes());
    }
}
