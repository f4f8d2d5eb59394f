//! The keys of one entry, each of them taken once. What nobody has taken is passed over, and named.

use super::entry::scalar;
use serde_json::{Map, Value};

pub(super) struct Fields<'a> {
    map: &'a Map<String, Value>,
    taken: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub fn new(map: &'a Map<String, Value>) -> Self {
        Self {
            map,
            taken: Vec::new(),
        }
    }

    /// The value of a key; `null` is as if it were not there.
    pub fn take(&mut self, key: &'static str) -> Option<&'a Value> {
        self.taken.push(key);
        self.map.get(key).filter(|value| !value.is_null())
    }

    /// The value of the first of these keys that is there. The others count as taken: they say the
    /// same.
    pub fn first(&mut self, keys: &[&'static str]) -> Option<(&'static str, &'a Value)> {
        let mut found = None;
        for key in keys {
            let value = self.take(key);
            found = found.or(value.map(|value| (*key, value)));
        }
        found
    }

    /// A text.
    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, String> {
        self.take(key).map(|value| text(key, value)).transpose()
    }

    /// A list of texts; empty if it is not there.
    pub fn list(&mut self, key: &'static str) -> Result<Vec<String>, String> {
        self.take(key)
            .map_or(Ok(Vec::new()), |value| list(key, value))
    }

    /// The keys that nobody has taken, in the order of the text.
    pub fn passed_over(self) -> Vec<String> {
        self.map
            .keys()
            .filter(|key| !self.taken.contains(&key.as_str()))
            .cloned()
            .collect()
    }
}

pub(super) fn text(key: &str, value: &Value) -> Result<String, String> {
    value
        .as_str()
        .map(str::to_owned)
        .ok_or_else(|| format!("{key} is not a text"))
}

pub(super) fn list(key: &str, value: &Value) -> Result<Vec<String>, String> {
    let items = value
        .as_array()
        .ok_or_else(|| format!("{key} is not a list"))?;
    items.iter().map(|item| scalar(key, item)).collect()
}
