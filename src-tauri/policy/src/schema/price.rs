//! What checking a value by a schema costs, in steps, before any of it is done (CVE-2026-0621 and
//! its like).
//!
//! A few lines of schema can double the work at each step, lead deeper than a stack is, or ask
//! thousands of questions about each of a million values: the validator knows no bound for any of
//! these, so all of them are counted here first.
//!
//! Always true here: the count is never below what the validator does with the keywords of drafts 7
//! and 2020-12, it takes no more steps than it finds, and a reference that cannot be followed here
//! makes the schema unusable.

use super::pattern::{self, Pattern};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// How deep schemas may lead into each other while one value is checked; the validator needs stack
/// for each step.
const DEEPEST: usize = 1_000;
/// How many texts with patterns one schema may have, how long they may be together, and how much
/// they may take when they are compiled, in bytes.
const PATTERNS: usize = 256;
const PATTERN_BYTES: usize = 32 * 1024;
const PATTERN_SIZES: usize = 4 * 1024 * 1024;
/// What translating them may cost, in bytes that are read.
const TRANSLATION: usize = 2 * 1024 * 1024;
/// How many schemas the validator may make of one while it compiles it.
const MOST_COMPILED: u64 = 100_000;
/// What compiling a pattern costs beside the length of its text, in parts of a schema.
const A_PATTERN: u64 = 200;
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

/// What a schema needs to be counted: its parts, with references followed.
#[derive(Debug)]
pub(super) struct Price {
    /// The first one is the schema itself.
    parts: Vec<Part>,
    /// By their texts.
    patterns: HashMap<String, Arc<Pattern>>,
    /// How often all is checked at most.
    runs: u64,
}

/// One schema among those that a schema is made of. Others are named by their places.
#[derive(Debug, Default)]
struct Part {
    /// Steps with any value.
    own: u64,
    here: Vec<usize>,
    references: Vec<usize>,
    named: HashMap<String, usize>,
    matched: Vec<(Arc<Pattern>, usize)>,
    every_field: Vec<usize>,
    names: Option<usize>,
    items: Vec<usize>,
    first_items: Vec<usize>,
    pattern: Option<Arc<Pattern>>,
    reads_texts: bool,
    unique: bool,
    /// What was not looked at by others is found by looking at all of them again.
    again: bool,
}

impl Price {
    /// Reads a schema whose size is bounded; what is wrong with it, if it cannot be counted or would
    /// take too long to be compiled.
    pub(super) fn of(schema: &Value) -> Result<Self, String> {
        let mut seen = Seen::default();
        seen.look(schema, true)?;
        if seen.renamed && !seen.references.is_empty() {
            return Err("it has references and parts with an $id of their own".to_owned());
        }
        let mut height = 0;
        for reference in &seen.references {
            height += levels(target(schema, reference)?);
        }
        if height > DEEPEST {
            return Err("its references lead too deep".to_owned());
        }
        let patterns = compiled(&seen.patterns)?;
        let mut reading = Reading {
            root: schema,
            patterns: &patterns,
            places: HashMap::new(),
            found: Vec::new(),
            runs: 1,
        };
        reading.place(schema);
        let mut parts = Vec::new();
        while let Some(schema) = reading.found.get(parts.len()).copied() {
            parts.push(reading.part(schema)?);
        }
        let runs = reading.runs;
        if Compiling::of(&parts) > MOST_COMPILED {
            return Err("it would take too long to be prepared".to_owned());
        }
        Ok(Self {
            parts,
            patterns,
            runs,
        })
    }

    /// The patterns in it, compiled.
    pub(super) fn patterns(&self) -> &HashMap<String, Arc<Pattern>> {
        &self.patterns
    }

    /// What its patterns take of memory, in bytes.
    pub(super) fn size_of_patterns(&self) -> usize {
        self.patterns.values().map(|pattern| pattern.size()).sum()
    }

    /// The steps of checking a value; none if they are more than `most`.
    pub(super) fn steps(&self, value: &Value, most: u64) -> Option<u64> {
        let mut count = Count {
            parts: &self.parts,
            path: Vec::new(),
            steps: 0,
            most: most / self.runs,
        };
        count.check(0, value, 0)?;
        Some(count.steps.saturating_mul(self.runs))
    }
}

#[derive(Default)]
struct Seen<'a> {
    references: Vec<&'a str>,
    patterns: Vec<&'a str>,
    bytes: usize,
    translation: usize,
    /// A part has an address of its own, so that references in it lead elsewhere.
    renamed: bool,
}

impl<'a> Seen<'a> {
    fn look(&mut self, schema: &'a Value, is_root: bool) -> Result<(), String> {
        match schema {
            Value::Array(items) => items.iter().try_for_each(|item| self.look(item, false)),
            Value::Object(map) => {
                for (key, value) in map {
                    match (key.as_str(), value) {
                        ("$ref" | "$dynamicRef" | "$recursiveRef", Value::String(reference)) => {
                            self.refer(reference)?;
                        }
                        ("$id" | "id" | "$schema", Value::String(_)) if !is_root => {
                            self.renamed = true;
                        }
                        ("pattern", Value::String(pattern)) => self.pattern(pattern)?,
                        ("patternProperties", Value::Object(patterns)) => {
                            patterns
                                .keys()
                                .try_for_each(|pattern| self.pattern(pattern))?;
                        }
                        _ => {}
                    }
                    self.look(value, false)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn refer(&mut self, reference: &'a str) -> Result<(), String> {
        if !self.references.contains(&reference) {
            self.references.push(reference);
        }
        if self.references.len() > DEEPEST {
            return Err("it has too many references".to_owned());
        }
        Ok(())
    }

    fn pattern(&mut self, pattern: &'a str) -> Result<(), String> {
        self.patterns.push(pattern);
        self.bytes += pattern.len();
        self.translation += pattern::translation(pattern);
        let too_long = self.bytes > PATTERN_BYTES || self.translation > TRANSLATION;
        if too_long || self.patterns.len() > PATTERNS {
            return Err("it has too many patterns".to_owned());
        }
        Ok(())
    }
}

fn compiled(texts: &[&str]) -> Result<HashMap<String, Arc<Pattern>>, String> {
    let mut patterns = HashMap::new();
    let mut size = 0;
    for text in texts {
        if patterns.contains_key(*text) {
            continue;
        }
        let pattern = Pattern::compile(text).ok_or_else(|| {
            let start: String = text.chars().take(100).collect();
            format!("its pattern {start:?} is none, is too large, or looks back in a way that is not understood")
        })?;
        size += pattern.size();
        if size > PATTERN_SIZES {
            return Err("its patterns are too large together".to_owned());
        }
        patterns.insert((*text).to_owned(), Arc::new(pattern));
    }
    Ok(patterns)
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
        Some(("", name)) => {
            let mut found = Vec::new();
            anchored(root, name, &mut found);
            match found[..] {
                [one] => Some(one),
                // Of several it is not known which one is meant.
                _ => None,
            }
        }
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

fn anchored<'a>(schema: &'a Value, name: &str, found: &mut Vec<&'a Value>) {
    match schema {
        Value::Array(items) => items.iter().for_each(|item| anchored(item, name, found)),
        Value::Object(map) => {
            let here = ["$anchor", "$dynamicAnchor"]
                .iter()
                .any(|key| map.get(*key).and_then(Value::as_str) == Some(name));
            if here {
                found.push(schema);
            }
            map.values().for_each(|value| anchored(value, name, found));
        }
        _ => {}
    }
}

/// How much there is in a value: its parts, and every 16 bytes of its texts.
pub(super) fn weight(value: &Value) -> u64 {
    1 + match value {
        Value::String(text) => bytes(text),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| bytes(name) + weight(value))
            .sum(),
        _ => 0,
    }
}

fn bytes(text: &str) -> u64 {
    text.len() as u64 / 16
}

/// Takes a schema apart.
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

/// How many schemas the validator makes of one. Below a schema that asks what others did not look
/// at, it compiles all of them once more, and again at each further one.
struct Compiling<'a> {
    parts: &'a [Part],
    /// By place; nothing yet for one that is just being counted.
    whole: HashMap<usize, Option<u64>>,
    looked_at: HashMap<usize, Option<u64>>,
}

impl Compiling<'_> {
    fn of(parts: &[Part]) -> u64 {
        let mut compiling = Compiling {
            parts,
            whole: HashMap::new(),
            looked_at: HashMap::new(),
        };
        compiling.whole(0)
    }

    fn whole(&mut self, place: usize) -> u64 {
        match self.whole.get(&place) {
            Some(Some(count)) => return *count,
            Some(None) => return 1,
            None => {}
        }
        self.whole.insert(place, None);
        let part = &self.parts[place];
        let inside = part
            .here
            .iter()
            .chain(part.named.values())
            .chain(part.matched.iter().map(|(_, place)| place))
            .chain(&part.every_field)
            .chain(&part.names)
            .chain(&part.items)
            .chain(&part.first_items);
        let mut count = 1_u64;
        for place in inside {
            count = count.saturating_add(self.whole(*place));
        }
        for place in &part.references {
            // Compiled once, wherever it is referred to.
            let known = self.whole.contains_key(place);
            let target = self.whole(*place);
            count = count.saturating_add(if known { 1 } else { target });
        }
        if part.again {
            count = count.saturating_add(self.looked_at(place));
        }
        self.whole.insert(place, Some(count));
        count
    }

    fn looked_at(&mut self, place: usize) -> u64 {
        match self.looked_at.get(&place) {
            Some(Some(count)) => return *count,
            Some(None) => return 1,
            None => {}
        }
        self.looked_at.insert(place, None);
        let part = &self.parts[place];
        let mut count = 1_u64;
        for place in part.here.iter().chain(&part.every_field).chain(&part.items) {
            count = count
                .saturating_add(self.whole(*place))
                .saturating_add(self.looked_at(*place));
        }
        for place in &part.references {
            count = count.saturating_add(self.looked_at(*place));
        }
        self.looked_at.insert(place, Some(count));
        count
    }
}

struct Count<'a> {
    parts: &'a [Part],
    /// The references that were followed to come here, with the values in memory for which.
    path: Vec<(usize, usize)>,
    steps: u64,
    most: u64,
}

impl Count<'_> {
    /// Nothing, if there are too many.
    fn add(&mut self, steps: u64) -> Option<()> {
        self.steps = self.steps.saturating_add(steps);
        (self.steps <= self.most).then_some(())
    }

    fn check(&mut self, place: usize, value: &Value, depth: usize) -> Option<()> {
        if depth >= DEEPEST {
            return None;
        }
        let parts = self.parts;
        let part = parts.get(place)?;
        self.add(1 + part.own)?;
        let before = self.steps;
        for place in &part.here {
            self.check(*place, value, depth + 1)?;
        }
        for place in &part.references {
            self.follow(*place, value, depth + 1)?;
        }
        match value {
            Value::String(text) => self.text(part, text)?,
            Value::Object(fields) => self.fields(part, fields, depth)?,
            Value::Array(items) => self.items(part, items, depth)?,
            _ => {}
        }
        if part.again {
            self.add((self.steps - before).saturating_mul(2))?;
        }
        Some(())
    }

    fn follow(&mut self, place: usize, value: &Value, depth: usize) -> Option<()> {
        // The validator goes through the same list to find a circle, and ends there.
        self.add(1 + self.path.len() as u64 / 8)?;
        let step = (place, std::ptr::from_ref(value) as usize);
        if self.path.contains(&step) {
            return Some(());
        }
        self.path.push(step);
        let checked = self.check(place, value, depth);
        self.path.pop();
        checked
    }

    fn text(&mut self, part: &Part, text: &str) -> Option<()> {
        self.add(bytes(text))?;
        if part.reads_texts {
            self.add((text.len() as u64).saturating_mul(4))?;
        }
        part.pattern
            .as_ref()
            .map_or(Some(()), |pattern| self.add(pattern.price(text.len())))
    }

    fn fields(&mut self, part: &Part, fields: &Map<String, Value>, depth: usize) -> Option<()> {
        for (name, field) in fields {
            self.add(1 + bytes(name))?;
            if let Some(place) = part.named.get(name) {
                self.check(*place, field, depth + 1)?;
            }
            for (pattern, place) in &part.matched {
                self.add(pattern.price(name.len()))?;
                self.check(*place, field, depth + 1)?;
            }
            for place in &part.every_field {
                self.check(*place, field, depth + 1)?;
            }
            if let Some(place) = part.names {
                self.check(place, &Value::String(name.clone()), depth + 1)?;
            }
        }
        Some(())
    }

    fn items(&mut self, part: &Part, items: &[Value], depth: usize) -> Option<()> {
        for (at, item) in items.iter().enumerate() {
            if let Some(place) = part.first_items.get(at) {
                self.check(*place, item, depth + 1)?;
            }
            for place in &part.items {
                self.check(*place, item, depth + 1)?;
            }
            if part.unique {
                // Few are compared with each other, many by their hashes.
                self.add(weight(item).saturating_mul(8))?;
            }
        }
        Some(())
    }
}

/// What compiling a schema costs, about, in parts of a schema. It is looked through to a bound.
pub(super) fn of_compiling(schema: &Map<String, Value>) -> u64 {
    let mut count = 0;
    for (key, value) in schema {
        count_compiling(key, value, &mut count);
    }
    count
}

fn count_compiling(key: &str, value: &Value, count: &mut u64) {
    if *count > MOST_COMPILED {
        return;
    }
    *count += 1;
    match value {
        Value::String(text) if key == "pattern" => *count += A_PATTERN + text.len() as u64,
        Value::Array(items) => items
            .iter()
            .for_each(|item| count_compiling("", item, count)),
        Value::Object(map) => {
            if key == "patternProperties" {
                *count += A_PATTERN * map.len() as u64;
            }
            for (key, value) in map {
                count_compiling(key, value, count);
            }
        }
        _ => {}
    }
}

/// The longest way into a value, in bytes of names: each problem in it is found with its own.
pub(super) fn longest_way(value: &Value) -> u64 {
    match value {
        Value::Array(items) => items
            .iter()
            .map(|item| 8 + longest_way(item))
            .max()
            .unwrap_or(0),
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| 2 * name.len() as u64 + longest_way(value))
            .max()
            .unwrap_or(0),
        _ => 0,
    }
}
