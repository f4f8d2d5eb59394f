//! Takes a schema apart into what is counted.

use super::super::pattern::Pattern;
use super::reference::target;
use super::{Part, weight};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// The validator checks everything so often again, when it gives up the name of a field.
const ASSUMED_RUNS: u64 = 64;

/// Keywords with one schema, and with several, for the same value.
const HERE: [&str; 4] = ["not", "if", "then", "else"];
const HERE_LISTS: [&str; 3] = ["allOf", "anyOf", "oneOf"];
const HERE_MAPS: [&str; 2] = ["dependentSchemas", "dependencies"];
const REFERENCES: [&str; 3] = ["$ref", "$dynamicRef", "$recursiveRef"];
/// Keywords whose schema is for every field, and for every item.
const FIELDS: [&str; 2] = ["additionalProperties", "unevaluatedProperties"];
const ITEMS: [&str; 4] = ["items", "additionalItems", "unevaluatedItems", "contains"];
/// Keywords that read what texts say.
const READERS: [&str; 4] = [
    "format",
    "contentEncoding",
    "contentMediaType",
    "contentSchema",
];

/// The parts of a schema, the first of which is the schema itself, and how often all of it is
/// checked at most. Fails with what is wrong with a reference.
pub(super) fn parts(
    schema: &Value,
    patterns: &HashMap<String, Arc<Pattern>>,
) -> Result<(Vec<Part>, u64), String> {
    let mut reading = Reading {
        root: schema,
        patterns,
        places: HashMap::new(),
        found: Vec::new(),
        runs: 1,
    };
    reading.place(schema);
    let mut parts = Vec::new();
    while let Some(schema) = reading.found.get(parts.len()).copied() {
        parts.push(reading.part(schema)?);
    }
    Ok((parts, reading.runs))
}

struct Reading<'a> {
    root: &'a Value,
    patterns: &'a HashMap<String, Arc<Pattern>>,
    /// By where each schema stands in memory.
    places: HashMap<usize, usize>,
    found: Vec<&'a Value>,
    runs: u64,
}

impl<'a> Reading<'a> {
    fn place(&mut self, schema: &'a Value) -> usize {
        let next = self.found.len();
        let place = *self
            .places
            .entry(std::ptr::from_ref(schema) as usize)
            .or_insert(next);
        if place == next {
            self.found.push(schema);
        }
        place
    }

    fn places<'b>(&mut self, schemas: impl IntoIterator<Item = &'a Value> + 'b) -> Vec<usize>
    where
        'a: 'b,
    {
        schemas
            .into_iter()
            .map(|schema| self.place(schema))
            .collect()
    }

    fn part(&mut self, schema: &'a Value) -> Result<Part, String> {
        let Value::Object(map) = schema else {
            return Ok(Part {
                own: 1,
                ..Part::default()
            });
        };
        let single = HERE.iter().filter_map(|key| map.get(*key));
        let lists = HERE_LISTS.iter().filter_map(|key| list(map, key)).flatten();
        let maps = HERE_MAPS
            .iter()
            .filter_map(|key| map.get(*key)?.as_object())
            .flat_map(Map::values);
        let here = self.places(single.chain(lists).chain(maps));
        let mut references = Vec::new();
        for key in REFERENCES {
            if let Some(reference) = map.get(key).and_then(Value::as_str) {
                let target = target(self.root, reference)?;
                references.push(self.place(target));
            }
        }
        let first = ["items", "prefixItems"]
            .iter()
            .filter_map(|key| list(map, key))
            .max_by_key(|items| items.len());
        let every = ITEMS
            .iter()
            .filter_map(|key| map.get(*key))
            .filter(|schema| !schema.is_array());
        Ok(Part {
            own: own(map),
            here,
            references,
            named: self.named(map),
            matched: self.matched(map),
            every_field: self.places(FIELDS.iter().filter_map(|key| map.get(*key))),
            names: map.get("propertyNames").map(|schema| self.place(schema)),
            items: self.places(every),
            first_items: self.places(first.into_iter().flatten()),
            pattern: map
                .get("pattern")
                .and_then(Value::as_str)
                .and_then(|text| self.patterns.get(text).cloned()),
            reads_texts: READERS.iter().any(|key| map.contains_key(*key)),
            unique: map.get("uniqueItems") == Some(&Value::Bool(true)),
            again: map.contains_key("unevaluatedProperties")
                || map.contains_key("unevaluatedItems"),
        })
    }

    fn named(&mut self, map: &'a Map<String, Value>) -> HashMap<String, usize> {
        let fields = map.get("properties").and_then(Value::as_object);
        fields
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.clone(), self.place(schema)))
            .collect()
    }

    fn matched(&mut self, map: &'a Map<String, Value>) -> Vec<(Arc<Pattern>, usize)> {
        let fields = map.get("patternProperties").and_then(Value::as_object);
        let mut matched = Vec::new();
        for (text, schema) in fields.into_iter().flatten() {
            if let Some(pattern) = self.patterns.get(text) {
                if pattern.may_be_given_up() {
                    self.runs = ASSUMED_RUNS;
                }
                matched.push((pattern.clone(), self.place(schema)));
            }
        }
        matched
    }
}

fn list<'a>(map: &'a Map<String, Value>, key: &str) -> Option<&'a Vec<Value>> {
    map.get(key)?.as_array()
}

/// What is asked of any value by a schema itself: one step for each keyword, and what is compared.
fn own(map: &Map<String, Value>) -> u64 {
    let compared = ["enum", "const", "required", "dependentRequired"]
        .iter()
        .filter_map(|key| map.get(*key))
        .map(weight);
    let fields = map.get("properties").and_then(Value::as_object);
    map.len() as u64 + compared.sum::<u64>() + fields.map_or(0, Map::len) as u64
}
