//! How deep the JSON of strangers may be nested in what is written.
//!
//! Always true here: an entry that holds nothing deeper can be read again. `serde_json` writes any
//! depth and reads 127 levels, of which an entry takes some for itself.

use serde_json::{Map, Value};

/// The most levels that one value of a service or a server may have.
pub(crate) const DEEPEST: usize = 100;

/// Whether a value has more levels than may be written.
pub(crate) fn is_too_deep(value: &Value) -> bool {
    exceeds(value, DEEPEST)
}

/// As [`is_too_deep`], of an object.
pub(crate) fn is_map_too_deep(map: &Map<String, Value>) -> bool {
    map.values().any(|value| exceeds(value, DEEPEST - 1))
}

fn exceeds(value: &Value, levels: usize) -> bool {
    match value {
        Value::Array(list) => levels == 0 || list.iter().any(|value| exceeds(value, levels - 1)),
        Value::Object(map) => levels == 0 || map.values().any(|value| exceeds(value, levels - 1)),
        _ => false,
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A value of so many levels.
    pub(crate) fn nested(levels: usize) -> Value {
        (0..levels).fold(Value::Null, |inner, _| Value::Array(vec![inner]))
    }

    #[test]
    fn levels_are_counted_from_the_value_itself() {
        for (levels, expected) in [(0, false), (DEEPEST, false), (DEEPEST + 1, true)] {
            assert_eq!(is_too_deep(&nested(levels)), expected, "{levels}");
            let map = Map::from_iter([("x".to_owned(), nested(levels))]);
            assert_eq!(is_map_too_deep(&map), levels + 1 > DEEPEST, "{levels}");
        }
    }
}
