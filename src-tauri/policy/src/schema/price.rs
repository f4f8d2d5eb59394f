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

mod compiling;
mod count;
mod reading;
mod reference;

pub(super) use compiling::of_compiling;

use super::pattern::{self, Pattern};
use reference::{levels, target};
use serde_json::Value;
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
        let (parts, runs) = reading::parts(schema, &patterns)?;
        if compiling::takes_too_long(&parts) {
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
        let steps = count::steps(&self.parts, value, most / self.runs)?;
        Some(steps.saturating_mul(self.runs))
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
