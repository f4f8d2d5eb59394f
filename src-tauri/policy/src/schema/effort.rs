//! How much work a schema makes, before any of it is done (CVE-2026-0621 and its like).
//!
//! A schema without references makes work in proportion to its own size and that of the value. With
//! references a few lines double the work at each step, or lead deeper than a stack is: the
//! validator knows no bound for either, so both are counted here first.
//!
//! Always true here: the count is never below what the validator does with the keywords of drafts 7
//! and 2020-12, each pair of schema and value is counted once, and a reference that cannot be
//! followed here makes the schema unusable.

use serde_json::{Map, Value};
use std::collections::HashMap;

/// How many steps a check may have.
const STEPS: u64 = 2_000_000;
/// How many pairs of schema and value are looked at to count them.
const PAIRS: usize = 200_000;
/// How deep schemas may lead into each other while one value is checked; the validator needs stack
/// for each step.
const DEEPEST: usize = 1_000;
/// How many texts with patterns one schema may have, and how long they may be together, in bytes.
const PATTERNS: usize = 256;
const PATTERN_BYTES: usize = 32 * 1024;

/// What a schema needs to be counted.
#[derive(Debug, Clone)]
pub(super) struct Effort {
    /// Present where there are references to follow.
    schema: Option<Box<Value>>,
}

/// Keywords with one schema, and with several, for the same value.
const HERE: [&str; 4] = ["not", "if", "then", "else"];
const HERE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const HERE_MAPS: [&str; 2] = ["dependentSchemas", "dependencies"];
/// Keywords whose schema is for every field, and for every item.
const FIELDS: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];
const ITEMS: [&str; 4] = ["items", "additionalItems", "unevaluatedItems", "contains"];

impl Effort {
    /// Looks at a schema; what is wrong with it, if it cannot be counted or would take too long to
    /// be compiled.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let mut seen = Seen::default();
        seen.look(schema)?;
        let mut height = 0;
        for target in seen
            .references
            .iter()
            .map(|reference| target(schema, reference))
        {
            height += levels(target?);
        }
        if height > DEEPEST {
            return Err("its references lead too deep".to_owned());
        }
        Ok(Self {
            schema: (!seen.references.is_empty()).then(|| Box::new(schema.clone())),
        })
    }

    /// Whether a value can be checked within the bounds.
    pub(super) fn allows(&self, value: &Value) -> bool {
        let Some(schema) = &self.schema else {
            return true;
        };
        let mut count = Count {
            root: schema,
            known: HashMap::new(),
        };
        count
            .of(schema, value, 0)
            .is_some_and(|steps| steps <= STEPS)
    }
}

#[derive(Default)]
struct Seen<'a> {
    references: Vec<&'a str>,
    patterns: usize,
    bytes: usize,
}

impl<'a> Seen<'a> {
    fn look(&mut self, schema: &'a Value) -> Result<(), String> {
        match schema {
            Value::Array(items) => items.iter().try_for_each(|item| self.look(item)),
            Value::Object(map) => {
                for (key, value) in map {
                    match (key.as_str(), value) {
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference))
                            if !self.references.contains(&reference.as_str()) =>
                        {
                            self.references.push(reference);
                        }
                        ("pattern", Value::String(pattern)) => self.pattern(pattern),
                        ("patternProperties", Value::Object(patterns)) => {
                            patterns.keys().for_each(|pattern| self.pattern(pattern))
                        }
                        _ => {}
                    }
                    self.look(value)?;
                }
                let too_many = self.patterns > PATTERNS
                    || self.bytes > PATTERN_BYTES
                    || self.references.len() > DEEPEST;
                if too_many {
                    Err("it has too many patterns or references".to_owned())
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        }
    }

    fn pattern(&mut self, pattern: &str) {
        self.patterns += 1;
        self.bytes += pattern.len();
    }
}

fn levels(schema: &Value) -> usize {
    1 + match schema {
        Value::Array(items) => items.iter().map(levels).max().unwrap_or_default(),
        Value::Object(map) => map.values().map(levels).max().unwrap_or_default(),
        _ => 0,
    }
}

/// What a reference points to in the schema itself.
fn target<'a>(root: &'a Value, reference: &str) -> Result<&'a Value, String> {
    let found = match reference.split_once('#') {
        Some(("", "")) => Some(root),
        Some(("", pointer)) if pointer.starts_with('/') => root.pointer(&decoded(pointer)),
        Some(("", name)) => anchored(root, name),
        _ => None,
    };
    found.ok_or_else(|| format!("it refers to {reference:?}, which is not in it"))
}

/// Escapes of addresses in a pointer; what is none stays.
fn decoded(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((first, behind)) = rest.split_first() {
        let escape = (*first == b'%')
            .then(|| {
                behind
                    .get(..2)
                    .and_then(|two| std::str::from_utf8(two).ok())
            })
            .flatten();
        match escape.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &behind[2..];
            }
            None => {
                bytes.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn anchored<'a>(schema: &'a Value, name: &str) -> Option<&'a Value> {
    match schema {
        Value::Array(items) => items.iter().find_map(|item| anchored(item, name)),
        Value::Object(map) => {
            let here = ["$anchor", "$dynamicAnchor"]
                .iter()
                .any(|key| map.get(*key).and_then(Value::as_str) == Some(name));
            if here {
                Some(schema)
            } else {
                map.values().find_map(|value| anchored(value, name))
            }
        }
        _ => None,
    }
}

struct Count<'a> {
    root: &'a Value,
    /// By the places of schema and value in memory. Nothing yet for one that is just being counted.
    known: HashMap<(usize, usize), Option<u64>>,
}

impl<'a> Count<'a> {
    /// The steps of checking a value; none if they are too many to be counted.
    fn of(&mut self, schema: &'a Value, value: &Value, depth: usize) -> Option<u64> {
        let Value::Object(map) = schema else {
            return Some(1);
        };
        let pair = (
            std::ptr::from_ref(schema) as usize,
            std::ptr::from_ref(value) as usize,
        );
        match self.known.get(&pair) {
            Some(Some(steps)) => return Some(*steps),
            // A circle that takes nothing off the value: the validator ends it by itself.
            Some(None) => return Some(1),
            None => {}
        }
        if depth >= DEEPEST || self.known.len() >= PAIRS {
            return None;
        }
        self.known.insert(pair, None);
        let steps = self
            .here(map, value, depth)?
            .saturating_add(self.inside(map, value, depth)?)
            .saturating_add(1);
        self.known.insert(pair, Some(steps));
        (steps <= STEPS).then_some(steps)
    }

    /// For the same value.
    fn here(&mut self, map: &'a Map<String, Value>, value: &Value, depth: usize) -> Option<u64> {
        let single = HERE.iter().filter_map(|key| map.get(*key));
        let lists = HERE_LISTS
            .iter()
            .filter_map(|key| map.get(*key)?.as_array())
            .flatten();
        let maps = HERE_MAPS
            .iter()
            .filter_map(|key| map.get(*key)?.as_object())
            .flat_map(Map::values);
        let mut steps = 0_u64;
        for schema in single.chain(lists).chain(maps) {
            steps = steps.saturating_add(self.of(schema, value, depth + 1)?);
        }
        for key in ["$ref", "$dynamicRef", "$recursiveRef"] {
            if let Some(reference) = map.get(key).and_then(Value::as_str) {
                let target = target(self.root, reference).ok()?;
                steps = steps.saturating_add(self.of(target, value, depth + 1)?);
            }
        }
        // What was not looked at by others is found by looking at all of them once more.
        let again =
            map.contains_key("unevaluatedProperties") || map.contains_key("unevaluatedItems");
        Some(if again {
            steps.saturating_mul(2)
        } else {
            steps
        })
    }

    /// For what the value holds.
    fn inside(&mut self, map: &'a Map<String, Value>, value: &Value, depth: usize) -> Option<u64> {
        let mut steps = 0_u64;
        let mut add = |count: Option<u64>| {
            steps = steps.saturating_add(count?);
            Some(())
        };
        match value {
            Value::Object(fields) => {
                let named = map.get("properties").and_then(Value::as_object);
                let patterns = map.get("patternProperties").and_then(Value::as_object);
                for (name, field) in fields {
                    let every = FIELDS
                        .iter()
                        .filter_map(|key| map.get(*key))
                        .chain(patterns.into_iter().flat_map(Map::values));
                    for schema in named
                        .and_then(|named| named.get(name))
                        .into_iter()
                        .chain(every)
                    {
                        add(self.of(schema, field, depth + 1))?;
                    }
                    // Names are texts: nothing lies inside of them.
                    if let Some(schema) = map.get("propertyNames") {
                        add(self.of(schema, &Value::Null, depth + 1))?;
                    }
                }
            }
            Value::Array(items) => {
                let lists = ["items", "prefixItems"]
                    .iter()
                    .filter_map(|key| map.get(*key)?.as_array())
                    .flatten();
                let every: Vec<&Value> = ITEMS
                    .iter()
                    .filter_map(|key| map.get(*key))
                    .chain(lists)
                    .collect();
                for item in items {
                    for schema in &every {
                        add(self.of(schema, item, depth + 1))?;
                    }
                }
            }
            _ => {}
        }
        Some(steps)
    }
}
