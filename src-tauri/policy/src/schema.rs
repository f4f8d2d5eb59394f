//! Checks values against the JSON Schemas that servers declare (2020-12 and draft-07).
//!
//! Always true here:
//! - nothing is fetched (a remote `$ref` makes a schema unusable), and a schema's size and depth are
//!   bounded before it is compiled;
//! - the work of a check is counted before it is begun, and a check that would be too much is said to
//!   be so;
//! - whether a value fits is found out without keeping anything; what is wrong with it only if there
//!   is little to keep.

mod pattern;
mod price;

use crate::Refusal;
use jsonschema::{Draft, PatternOptions, Validator};
use pattern::PatternKeyword;
use price::Price;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::sync::Arc;

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 20_000;
/// The most bytes of texts and names in a schema.
const MAX_TEXT: usize = 1024 * 1024;
/// So many steps take less than a millisecond. A check of no more is made at once.
const FEW_STEPS: u64 = 20_000;
/// So many steps take a part of a second. No check of more is begun.
const MOST_STEPS: u64 = 20_000_000;
/// All problems of a value are found at once: of how many steps, and with how many bytes of names
/// on the way to each, in bytes.
const MOST_PROBLEMS: u64 = 16 * 1024 * 1024;
/// What a problem takes beside the names on the way to it, in bytes.
const ONE_PROBLEM: u64 = 512;
const MAX_PROBLEMS: usize = 5;
/// Longest problem text, in characters. It may quote the value.
const MAX_PROBLEM: usize = 300;
/// What a compiled schema takes for each of its parts, in bytes.
const ONE_PART: usize = 512;

/// Why a value was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SchemaProblem {
    /// The schema itself cannot be used.
    Unusable(String),
    /// The value is too large to be checked by this schema.
    TooLarge,
    /// The value does not fit; where and why.
    Invalid(Vec<String>),
}

/// A schema that was compiled once, or the reason why it cannot be used.
#[derive(Debug)]
pub struct Schema(Result<Compiled, String>);

#[derive(Debug)]
struct Compiled {
    validator: Validator,
    price: Price,
    size: usize,
}

impl Schema {
    /// Compiles a schema. It may take a part of a second.
    pub fn compile(schema: &Map<String, Value>) -> Self {
        Self(compile(&Value::Object(schema.clone())))
    }

    /// What compiling a schema costs, about: one for each part of it, and more for each pattern.
    pub fn price_of_compiling(schema: &Map<String, Value>) -> u64 {
        price::of_compiling(schema)
    }

    /// Why the schema cannot be used, if that is so.
    pub fn problem(&self) -> Option<&str> {
        self.0.as_ref().err().map(String::as_str)
    }

    /// What it takes of memory, in bytes, about.
    pub fn size(&self) -> usize {
        self.0.as_ref().map_or(ONE_PART, |compiled| compiled.size)
    }

    /// Whether a check of a value takes so little time that nobody is kept waiting by it.
    pub fn is_quick(&self, value: &Value) -> bool {
        let few = |compiled: &Compiled| compiled.price.steps(value, FEW_STEPS).is_some();
        self.0.as_ref().map_or(true, few)
    }

    /// Checks `value`. A schema that cannot be used accepts nothing, nor does one by which the value
    /// is too large to be checked.
    pub fn check(&self, value: &Value) -> Result<(), SchemaProblem> {
        let compiled = self
            .0
            .as_ref()
            .map_err(|problem| SchemaProblem::Unusable(problem.clone()))?;
        let steps = compiled
            .price
            .steps(value, MOST_STEPS)
            .ok_or(SchemaProblem::TooLarge)?;
        if compiled.validator.is_valid(value) {
            return Ok(());
        }
        Err(SchemaProblem::Invalid(compiled.problems(value, steps)))
    }
}

impl Compiled {
    /// What is wrong with a value that does not fit, the first few. The validator finds all at once.
    fn problems(&self, value: &Value, steps: u64) -> Vec<String> {
        let each = ONE_PROBLEM + price::longest_way(value);
        if steps.saturating_mul(each) > MOST_PROBLEMS {
            return vec!["it does not fit, and is too large to say where".to_owned()];
        }
        self.validator
            .iter_errors(value)
            .take(MAX_PROBLEMS)
            .map(|error| describe(&error))
            .collect()
    }
}

fn compile(schema: &Value) -> Result<Compiled, String> {
    let mut room = Room {
        nodes: MAX_NODES,
        text: MAX_TEXT,
    };
    if !room.holds(schema, MAX_DEPTH) {
        return Err(format!(
            "it is nested deeper than {MAX_DEPTH} levels, or has more than {MAX_NODES} parts or {MAX_TEXT} bytes of text"
        ));
    }
    let price = Price::of(schema)?;
    let draft = match schema.get("$schema").and_then(Value::as_str) {
        Some(uri) if uri.contains("draft-07") => Draft::Draft7,
        _ => Draft::Draft202012,
    };
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(pattern::MAX_BACKTRACKS)
        .size_limit(pattern::MAX_SIZE)
        .dfa_size_limit(pattern::MAX_SIZE);
    let known = price.patterns().clone();
    let validator = jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(patterns)
        .with_keyword("pattern", move |_, text, _| {
            let pattern = text.as_str().and_then(|text| known.get(text));
            pattern.map_or_else(
                || Err(jsonschema::ValidationError::custom("it is no pattern")),
                |pattern| Ok(Box::new(PatternKeyword(Arc::clone(pattern))) as _),
            )
        })
        .build(schema)
        .map_err(|error| described(&error))?;
    let size =
        (MAX_NODES - room.nodes) * ONE_PART + (MAX_TEXT - room.text) + price.size_of_patterns();
    Ok(Compiled {
        validator,
        price,
        size,
    })
}

/// How large a schema may still be.
struct Room {
    nodes: usize,
    text: usize,
}

impl Room {
    fn holds(&mut self, value: &Value, depth: usize) -> bool {
        let Some(nodes) = self.nodes.checked_sub(1) else {
            return false;
        };
        self.nodes = nodes;
        depth > 0
            && match value {
                Value::String(text) => self.holds_text(text),
                Value::Array(items) => items.iter().all(|item| self.holds(item, depth - 1)),
                Value::Object(map) => map
                    .iter()
                    .all(|(name, item)| self.holds_text(name) && self.holds(item, depth - 1)),
                _ => true,
            }
    }

    fn holds_text(&mut self, text: &str) -> bool {
        let left = self.text.checked_sub(text.len());
        self.text = left.unwrap_or(0);
        left.is_some()
    }
}

fn describe(error: &jsonschema::ValidationError<'_>) -> String {
    let place = error.instance_path().to_string();
    let text = described(error);
    if place.is_empty() {
        text
    } else {
        described(&format_args!("{place}: {text}"))
    }
}

/// The beginning of what something says. It may quote a value of any length, which is not written
/// out first.
fn described(what: &impl std::fmt::Display) -> String {
    let mut start = Start {
        text: String::new(),
        left: MAX_PROBLEM,
    };
    if write!(start, "{what}").is_err() {
        start.text.push('…');
    }
    start.text
}

struct Start {
    text: String,
    /// In characters.
    left: usize,
}

impl Write for Start {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for character in text.chars() {
            self.left = self.left.checked_sub(1).ok_or(std::fmt::Error)?;
            self.text.push(character);
        }
        Ok(())
    }
}

impl std::fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unusable(problem) => write!(f, "the schema cannot be used: {problem}"),
            Self::TooLarge => f.write_str("it is too large to be checked by the schema"),
            Self::Invalid(problems) => f.write_str(&problems.join("; ")),
        }
    }
}

impl From<SchemaProblem> for Refusal {
    fn from(problem: SchemaProblem) -> Self {
        match problem {
            SchemaProblem::Unusable(problem) => Self::SchemaUnusable { problem },
            SchemaProblem::TooLarge => Self::ArgumentsTooLarge,
            SchemaProblem::Invalid(problems) => Self::ArgumentsInvalid { problems },
        }
    }
}

#[cfg(test)]
#[path = "schema_test.rs"]
mod tests;
