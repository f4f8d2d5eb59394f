//! TOML, as Codex writes it.

use super::{Configuration, of_document, unreadable};
use api::HostError;
use serde_json::{Map, Value};

pub(super) fn read(text: &str) -> Result<Configuration, HostError> {
    of_document(&table(text)?)
}

/// What a text means.
pub(crate) fn table(text: &str) -> Result<Map<String, Value>, HostError> {
    // The parser's own account of a problem quotes the line, which may hold a secret: only where
    // and what is told.
    toml::from_str(text).map_err(|problem: toml::de::Error| {
        let place = problem
            .span()
            .map_or_else(String::new, |span| place(text, span.start));
        unreadable(format!(
            "the configuration is not TOML: {}{place}",
            problem.message()
        ))
    })
}

fn place(text: &str, offset: usize) -> String {
    let before = text.get(..offset).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    let column = before
        .rsplit('\n')
        .next()
        .unwrap_or_default()
        .chars()
        .count()
        + 1;
    format!(" on line {line} column {column}")
}
