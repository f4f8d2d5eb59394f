//! What it costs to prepare a schema, before it is done.

use super::Part;
use serde_json::{Map, Value};
use std::collections::HashMap;

/// How many schemas the validator may make of one while it compiles it.
const MOST_COMPILED: u64 = 100_000;
/// What compiling a pattern costs beside the length of its text, in parts of a schema.
const A_PATTERN: u64 = 200;

/// Whether the validator would make too many schemas of one.
pub(super) fn takes_too_long(parts: &[Part]) -> bool {
    let mut compiling = Compiling {
        parts,
        whole: HashMap::new(),
        looked_at: HashMap::new(),
    };
    compiling.whole(0) > MOST_COMPILED
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

/// What compiling a schema costs, about, in parts of a schema. It is looked through to a bound.
pub(in super::super) fn of_compiling(schema: &Map<String, Value>) -> u64 {
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
