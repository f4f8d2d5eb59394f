//! What is written where: results on standard output, everything else on standard error.

use crate::quote;
use host::HostError;
use serde_json::Value;
use std::io::{IsTerminal as _, Write as _};

pub(crate) use crate::quote::{lines, quote, quote_as, visible};

/// Writes a result. A closed pipe on the other side is nobody's mistake.
pub(crate) fn result(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Writes a result as JSON.
pub(crate) fn json(value: &Value) {
    result(quote::escaped(&format!("{value:#}")));
}

/// Writes a result as JSON on one line.
pub(crate) fn json_line(value: &Value) {
    result(quote::escaped(&value.to_string()));
}

/// Writes a result that is a file's text: as it is, unless it is read on a terminal.
pub(crate) fn file(text: &str) {
    if std::io::stdout().is_terminal() { result(lines(text)) } else { result(text) }
}

/// Says something to the person.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says what went wrong and what to do.
pub(crate) fn error(error: &HostError) {
    note(format_args!("majordomoctl: {}", lines(&error.message).replace('\n', "\n  | ")));
    if !error.hint.is_empty() {
        note(format_args!("  {}", visible(&error.hint)));
    }
}

/// Lines up rows under their headings.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) {
    let cells: Vec<Vec<String>> = std::iter::once(headings.iter().map(|heading| (*heading).to_owned()).collect())
        .chain(rows.iter().map(|row| row.iter().map(|cell| visible(&cell.replace(['\n', '\r', '\t'], " "))).collect()))
        .collect();
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| cells.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0))
        .collect();
    for row in cells {
        let line: Vec<String> = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        result(line.join("  ").trim_end());
    }
}

/// The text at a path of a JSON value, or a dash.
pub(crate) fn text(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => "-".to_owned(),
        Some(other) => other.to_string(),
    }
}
