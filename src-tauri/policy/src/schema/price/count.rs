//! Counts the steps of checking one value by one schema.

use super::{DEEPEST, Part, bytes, weight};
use serde_json::{Map, Value};

/// The steps of checking a value by a schema of these parts; none if they are more than `most`.
pub(super) fn steps(parts: &[Part], value: &Value, most: u64) -> Option<u64> {
    let mut count = Count {
        parts,
        path: Vec::new(),
        steps: 0,
        most,
    };
    count.check(0, value, 0)?;
    Some(count.steps)
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
