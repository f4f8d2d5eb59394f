//! Checks values against the JSON Schemas that servers declare (2020-12 and draft-07).
//!
//! Always true here: nothing is fetched (a remote `$ref` makes a schema unusable), and a schema's size and depth are bounded
//! before it is compiled.

use jsonschema::{Draft, Validator};
use serde_json::{Map, Value};
use std::sync::Arc;

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 20_000;
const MAX_PROBLEMS: usize = 5;
/// Longest problem text, in characters. It may quote the value.
const MAX_PROBLEM: usize = 300;

/// Why a value was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaProblem {
    /// The schema itself cannot be used.
    Unusable(String),
    /// The value does not fit; where and why.
    Invalid(Vec<String>),
}

/// A schema that was compiled once, or the reason why it cannot be used.
#[derive(Debug, Clone)]
pub(crate) struct Schema(Result<Arc<Validator>, String>);

impl Schema {
    /// Compiles a schema.
    pub(crate) fn new(schema: &Map<String, Value>) -> Self {
        Self(compile(&Value::Object(schema.clone())).map(Arc::new))
    }

    /// Why the schema cannot be used, if that is so.
    pub(crate) fn problem(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// Checks `value`. A schema that cannot be used accepts nothing.
    pub(crate) fn check(&self, value: &Value) -> Result<(), SchemaProblem> {
        let validator = self.0.as_ref().map_err(|problem| SchemaProblem::Unusable(problem.clone()))?;
        let problems: Vec<String> = validator.iter_errors(value).take(MAX_PROBLEMS).map(|error| describe(&error)).collect();
        if problems.is_empty() { Ok(()) } else { Err(SchemaProblem::Invalid(problems)) }
    }
}

fn compile(schema: &Value) -> Result<Validator, String> {
    let mut nodes = 0;
    if !bounded(schema, MAX_DEPTH, &mut nodes) {
        return Err(format!("it is nested deeper than {MAX_DEPTH} levels or has more than {MAX_NODES} parts"));
    }
    let draft = match schema.get("$schema").and_then(Value::as_str) {
        Some(uri) if uri.contains("draft-07") => Draft::Draft7,
        _ => Draft::Draft202012,
    };
    jsonschema::options().with_draft(draft).build(schema).map_err(|error| shorten(&error.to_string()))
}

fn bounded(value: &Value, depth: usize, nodes: &mut usize) -> bool {
    *nodes += 1;
    if depth == 0 || *nodes > MAX_NODES {
        return false;
    }
    match value {
        Value::Array(items) => items.iter().all(|item| bounded(item, depth - 1, nodes)),
        Value::Object(map) => map.values().all(|item| bounded(item, depth - 1, nodes)),
        _ => true,
    }
}

fn describe(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let text = error.to_string();
    shorten(&if place.is_empty() { text } else { format!("{place}: {text}") })
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_PROBLEM) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Checks what a person filled in against the schema of a form. The problems come as one sentence.
pub fn check_form(schema: &Map<String, Value>, content: &Map<String, Value>) -> Result<(), String> {
    Schema::new(schema).check(&Value::Object(content.clone())).map_err(|problem| problem.to_string())
}

impl std::fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unusable(problem) => write!(f, "the schema cannot be used: {problem}"),
            Self::Invalid(problems) => f.write_str(&problems.join("; ")),
        }
    }
}
