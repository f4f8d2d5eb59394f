//! Checks values against the JSON Schemas that servers declare (2020-12 and draft-07).
//!
//! Always true here: nothing is fetched (a remote `$ref` makes a schema unusable), a schema's size
//! and depth are bounded before it is compiled, and the work of a check before it is begun.
//! Patterns run in linear time; one that looks around or back is given up after a bounded number of
//! steps.

mod effort;

use effort::Effort;

use jsonschema::{Draft, PatternOptions, Validator};
use serde_json::{Map, Value};
use std::sync::Arc;

const MAX_DEPTH: usize = 64;
const MAX_NODES: usize = 20_000;
/// The largest compiled pattern, in bytes, and the most steps back of one that is not linear.
const MAX_PATTERN: usize = 256 * 1024;
const MAX_BACKTRACKS: usize = 20_000;
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
pub(crate) struct Schema(Result<Arc<(Validator, Effort)>, String>);

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
        let (validator, effort) = &**self
            .0
            .as_ref()
            .map_err(|problem| SchemaProblem::Unusable(problem.clone()))?;
        if !effort.allows(value) {
            return Err(SchemaProblem::Invalid(vec![
                "checking it by this schema would take too long".to_owned(),
            ]));
        }
        let problems: Vec<String> = validator
            .iter_errors(value)
            .take(MAX_PROBLEMS)
            .map(|error| describe(&error))
            .collect();
        if problems.is_empty() {
            Ok(())
        } else {
            Err(SchemaProblem::Invalid(problems))
        }
    }
}

fn compile(schema: &Value) -> Result<(Validator, Effort), String> {
    let mut nodes = 0;
    if !bounded(schema, MAX_DEPTH, &mut nodes) {
        return Err(format!(
            "it is nested deeper than {MAX_DEPTH} levels or has more than {MAX_NODES} parts"
        ));
    }
    let effort = Effort::of(schema)?;
    let draft = match schema.get("$schema").and_then(Value::as_str) {
        Some(uri) if uri.contains("draft-07") => Draft::Draft7,
        _ => Draft::Draft202012,
    };
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(MAX_BACKTRACKS)
        .size_limit(MAX_PATTERN)
        .dfa_size_limit(MAX_PATTERN);
    let validator = jsonschema::options()
        .with_draft(draft)
        .with_pattern_options(patterns)
        .build(schema);
    Ok((
        validator.map_err(|error| shorten(&error.to_string()))?,
        effort,
    ))
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
    shorten(&if place.is_empty() {
        text
    } else {
        format!("{place}: {text}")
    })
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(MAX_PROBLEM) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Checks what a person filled in against the schema of a form. The problems come as one sentence.
pub fn check_form(schema: &Map<String, Value>, content: &Map<String, Value>) -> Result<(), String> {
    Schema::new(schema)
        .check(&Value::Object(content.clone()))
        .map_err(|problem| problem.to_string())
}

impl std::fmt::Display for SchemaProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unusable(problem) => write!(f, "the schema cannot be used: {problem}"),
            Self::Invalid(problems) => f.write_str(&problems.join("; ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// On a stack as small as those of the threads that check.
    fn check(schema: Value, value: Value) -> Result<(), SchemaProblem> {
        let check = move || Schema::new(schema.as_object().unwrap()).check(&value);
        std::thread::Builder::new()
            .stack_size(2 * 1024 * 1024)
            .spawn(check)
            .unwrap()
            .join()
            .unwrap()
    }

    /// `a0` refers to `a1`, and so on, in a given way; the last one ends it.
    fn chain(length: usize, link: impl Fn(Value) -> Value, end: Value) -> Value {
        let next = |number: usize| json!({ "$ref": format!("#/$defs/a{number}") });
        let mut defs: Map<String, Value> = (0..length)
            .map(|number| (format!("a{number}"), link(next(number + 1))))
            .collect();
        defs.insert(format!("a{length}"), end);
        json!({ "$ref": "#/$defs/a0", "$defs": defs })
    }

    #[test]
    fn case_40_references_that_double_the_work_at_each_step_are_not_followed() {
        let doubling = |next: Value| json!({ "allOf": [next, next] });
        for length in [40, 200] {
            let problem = check(
                chain(length, doubling, json!({ "type": "object" })),
                json!({}),
            )
            .unwrap_err();
            assert!(matches!(problem, SchemaProblem::Invalid(_)), "{problem}");
        }
        assert_eq!(
            check(chain(10, doubling, json!({ "type": "object" })), json!({})),
            Ok(())
        );
        let tree =
            json!({ "properties": { "a": { "allOf": [{ "$ref": "#" }, { "$ref": "#" }] } } });
        let deep = (0..60).fold(json!({}), |inside, _| json!({ "a": inside }));
        assert!(check(tree, deep).is_err());
    }

    #[test]
    fn case_40_references_that_lead_deeper_than_the_stack_are_not_followed() {
        let long = check(
            chain(4_000, |next| next, json!({ "type": "object" })),
            json!({}),
        );
        assert!(matches!(long, Err(SchemaProblem::Unusable(_))), "{long:?}");
        let round = chain(
            200,
            |next| next,
            json!({ "properties": { "a": { "$ref": "#/$defs/a0" } } }),
        );
        let deep = (0..100).fold(json!({}), |inside, _| json!({ "a": inside }));
        assert!(check(round, deep).is_err());
        assert_eq!(check(json!({ "$ref": "#" }), json!({})), Ok(()));
    }

    #[test]
    fn case_40_hostile_patterns_are_given_up() {
        let of = |pattern: &str, text: String| {
            check(
                json!({ "properties": { "a": { "pattern": pattern } } }),
                json!({ "a": text }),
            )
        };
        assert!(of("^(a+)+$", format!("{}b", "a".repeat(100_000))).is_err());
        assert!(of("(?<x>a*)*\\1b", "a".repeat(50_000)).is_err());
        assert!(of("^(?=(a+)+$)(a|aa)+$", format!("{}b", "a".repeat(50_000))).is_err());
        for bomb in [
            "(a{1000}){1000}",
            "((((a{0,30}){0,30}){0,30}){0,30}){0,30}",
            "(?!x)((((\\w{0,30}){0,30}){0,30}){0,30}){0,30}z",
        ] {
            assert!(
                matches!(of(bomb, "a".into()), Err(SchemaProblem::Unusable(_))),
                "{bomb}"
            );
        }
        let many: Map<String, Value> = (0..1_000)
            .map(|number| (format!("p{number}"), json!({ "pattern": "a{100}" })))
            .collect();
        assert!(matches!(
            check(json!({ "properties": many }), json!({})),
            Err(SchemaProblem::Unusable(_))
        ));
    }

    #[test]
    fn ordinary_references_and_patterns_are_followed() {
        let email = "^(?!\\.)(?!.*\\.\\.)([A-Za-z0-9_'+\\-\\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\\-]*\\.)+[A-Za-z]{2,}$";
        let schema = json!({
            "type": "object",
            "properties": { "to": { "type": "string", "pattern": email }, "tree": { "$ref": "#/$defs/a~1tree%20" }, "any": { "$ref": "#any" } },
            "$defs": {
                "a/tree ": {
                    "type": "object",
                    "properties": { "left": { "$ref": "#/$defs/a~1tree%20" }, "right": { "$ref": "#/$defs/a~1tree%20" }, "n": { "type": "integer" } },
                },
                "any": { "$anchor": "any", "anyOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "#any" } }, { "type": "object", "additionalProperties": { "$ref": "#any" } }] },
            },
        });
        let tree = (0..20).fold(
            json!({ "n": 1 }),
            |inside, _| json!({ "left": inside, "right": { "n": 2 } }),
        );
        let any = (0..20).fold(
            json!("end"),
            |inside, _| json!([inside, { "more": "text" }]),
        );
        assert_eq!(
            check(
                schema.clone(),
                json!({ "to": "ada@example.com", "tree": tree, "any": any })
            ),
            Ok(())
        );
        assert!(check(schema.clone(), json!({ "to": "ada..b@example.com" })).is_err());
        assert!(check(schema, json!({ "tree": { "left": { "n": "one" } } })).is_err());
    }

    #[test]
    fn a_long_list_is_checked_by_a_schema_with_references() {
        let schema = json!({
            "properties": { "rows": { "items": { "$ref": "#/$defs/row" } } },
            "$defs": { "row": { "type": "object", "properties": { "a": { "type": "integer" }, "b": { "type": "string" } }, "required": ["a"] } },
        });
        let rows: Vec<Value> = (0..20_000)
            .map(|number| json!({ "a": number, "b": "text" }))
            .collect();
        assert_eq!(check(schema, json!({ "rows": rows })), Ok(()));
    }
}
