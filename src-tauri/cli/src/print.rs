//! What is written where: results on standard output, everything else on standard error.

use crate::{messages, quote};
use host::HostError;
use serde::Serialize;
use serde_json::Value;
use std::io::{IsTerminal as _, Write as _};

pub(crate) use crate::quote::{beside, lines, quote, quote_as, visible};

/// Where something is shown that is a result when it was asked for, and else comes on the way to one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    /// Standard output.
    Result,
    /// Standard error.
    Note,
}

impl Stream {
    /// Writes a line there.
    pub(crate) fn say(self, text: impl std::fmt::Display) {
        match self {
            Self::Result => result(text),
            Self::Note => note(text),
        }
    }
}

/// Writes a result. A closed pipe on the other side is nobody's mistake.
pub(crate) fn result(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stdout().lock(), "{text}");
}

/// Writes a part of a result, and ends no line.
pub(crate) fn piece(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = write!(out, "{}", lines(text));
    let _ = out.flush();
}

/// Writes a result as JSON.
pub(crate) fn json(value: &impl Serialize) {
    result(quote::escaped(&format!("{:#}", written(value))));
}

/// Writes a result as JSON on one line.
pub(crate) fn json_line(value: &impl Serialize) {
    result(quote::escaped(&written(value).to_string()));
}

/// A value of the contract as JSON. It came as JSON, or could have, so that it can be written.
fn written(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

/// Writes a result that is a file's text: as it is, unless it is read on a terminal.
pub(crate) fn file(text: &str) {
    if std::io::stdout().is_terminal() {
        result(lines(text))
    } else {
        result(text)
    }
}

/// Says something to the person.
pub(crate) fn note(text: impl std::fmt::Display) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Says what went wrong and what to do.
pub(crate) fn error(error: &HostError) {
    note(format_args!(
        "majordomoctl: {}",
        lines(&error.message).replace('\n', "\n  | ")
    ));
    let code = messages::name(&error.code);
    if let Some(next) = messages::maybe("error", &code, Some("next"), &[]) {
        note(format_args!("  {next}"));
    }
}

/// Lines up rows under their headings.
pub(crate) fn table(headings: &[&str], rows: &[Vec<String>]) {
    let cells: Vec<Vec<String>> = std::iter::once(
        headings
            .iter()
            .map(|heading| (*heading).to_owned())
            .collect(),
    )
    .chain(rows.iter().map(|row| {
        row.iter()
            .map(|cell| visible(&cell.replace(['\n', '\r', '\t'], " ")))
            .collect()
    }))
    .collect();
    let widths: Vec<usize> = (0..headings.len())
        .map(|column| {
            cells
                .iter()
                .filter_map(|row| row.get(column))
                .map(|cell| cell.chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    for row in cells {
        let line: Vec<String> = row
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"))
            .collect();
        result(line.join("  ").trim_end());
    }
}
