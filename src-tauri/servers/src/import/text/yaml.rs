//! YAML, as Goose writes it. References that multiply what they refer to end in an error, not in a
//! full memory.

use super::{Configuration, MAX_BYTES, MAX_DEPTH, no_servers, of_document, unreadable};
use api::HostError;
use serde_json::Value;
use serde_saphyr::{budget, options};

pub(super) fn read(text: &str) -> Result<Configuration, HostError> {
    match value(text)? {
        Value::Object(root) => of_document(&root),
        _ => Err(no_servers(
            "the configuration is not a map with servers in it",
        )),
    }
}

/// What a text means; null where there is nothing but comments.
pub(crate) fn value(text: &str) -> Result<Value, HostError> {
    let options = options! {
        budget: budget! {
            max_depth: MAX_DEPTH,
            max_documents: 1,
            max_nodes: 100_000,
            max_aliases: 1000,
            max_anchors: 1000,
            max_total_scalar_bytes: MAX_BYTES,
        },
        // `y`, `no` and `0755` are texts, as they are to the applications that write them.
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        // A piece of the text in a message could hold a secret.
        with_snippet: false,
    };
    serde_saphyr::from_str_with_options(text, options)
        .map_err(|problem| unreadable(format!("the configuration is not YAML: {problem}")))
}
