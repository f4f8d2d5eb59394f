//! What this program was told, for tests that want to know which process got what: one line for
//! each message in the file that `HEARD` names, if it does. A line is the name of the process and
//! the method, or `answer`. The file that `HEARD_WHOLE` names holds every message as it came, one
//! on each line.

use serde_json::Value;
use std::fs::OpenOptions;
use std::io::Write;
use test_servers::process_name;

/// Notes that this process, or one that it started, runs.
pub(crate) fn started(process: &str) {
    note(process, "started");
}

/// Notes one message.
pub(crate) fn message(message: &Value) {
    write("HEARD_WHOLE", &format!("{message}\n"));
    note(
        &process_name::own(),
        message
            .get("method")
            .and_then(Value::as_str)
            .unwrap_or("answer"),
    );
}

fn note(process: &str, word: &str) {
    write("HEARD", &format!("{process} {word}\n"));
}

fn write(place: &str, line: &str) {
    let Some(file) = std::env::var_os(place) else {
        return;
    };
    if let Ok(mut file) = OpenOptions::new().append(true).create(true).open(file) {
        // One write is one line, whoever else writes. What cannot be noted is missed by the test.
        let _ = file.write_all(line.as_bytes());
    }
}
