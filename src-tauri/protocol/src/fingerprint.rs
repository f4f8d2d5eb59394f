//! One hash for one meaning.
//!
//! The canonical form is JSON with object keys in the order of their UTF-16 code units and no white
//! space, as in RFC 8785 except that numbers are kept as they were written: `1` and `1.0` are
//! different definitions.

mod schema;

pub use schema::settled;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use ts_rs::TS;

/// `sha256:` and 64 hexadecimal digits over the canonical form of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Fingerprint(#[ts(as = "String")] Arc<str>);

impl Fingerprint {
    /// The fingerprint of a JSON value.
    pub fn of(value: &Value) -> Self {
        Self::of_canonical(|text| write_canonical(value, text))
    }

    /// The fingerprint of a JSON object.
    pub fn of_object(object: &Map<String, Value>) -> Self {
        Self::of_canonical(|text| write_object(object, text))
    }

    fn of_canonical(write: impl FnOnce(&mut Vec<u8>)) -> Self {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut canonical = Vec::with_capacity(256);
        write(&mut canonical);
        let mut text = String::with_capacity(7 + 64);
        text.push_str("sha256:");
        for byte in Sha256::digest(&canonical) {
            text.push(char::from(DIGITS[usize::from(byte >> 4)]));
            text.push(char::from(DIGITS[usize::from(byte & 15)]));
        }
        Self(text.into())
    }

    /// The fingerprint of what a server says about one thing that it offers. Where the order of a
    /// list has no meaning in JSON Schema (`required`, `enum`, `type`), it makes no difference.
    pub fn of_definition(definition: &Map<String, Value>) -> Self {
        Self::of_object(&settled(definition))
    }

    /// The fingerprint as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// The canonical text of a JSON value; equal for values that differ only in the order of keys.
pub fn canonical_json(value: &Value) -> String {
    let mut text = Vec::new();
    write_canonical(value, &mut text);
    String::from_utf8(text).unwrap_or_default()
}

fn write_canonical(value: &Value, text: &mut Vec<u8>) {
    match value {
        Value::Array(items) => {
            text.push(b'[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(b',');
                }
                write_canonical(item, text);
            }
            text.push(b']');
        }
        Value::Object(object) => write_object(object, text),
        scalar => write_as_json(scalar, text),
    }
}

fn write_object(object: &Map<String, Value>, text: &mut Vec<u8>) {
    let mut fields: Vec<(&String, &Value)> = object.iter().collect();
    fields.sort_by(|(a, _), (b, _)| a.encode_utf16().cmp(b.encode_utf16()));
    text.push(b'{');
    for (index, (key, value)) in fields.into_iter().enumerate() {
        if index > 0 {
            text.push(b',');
        }
        write_as_json(key, text);
        text.push(b':');
        write_canonical(value, text);
    }
    text.push(b'}');
}

/// A scalar or a key. Neither it nor memory to write to can fail.
fn write_as_json(scalar: &impl Serialize, text: &mut Vec<u8>) {
    let _ = serde_json::to_writer(text, scalar);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"y":null,"x":"é"}],"a":true}"#).unwrap();
        let two: Value = serde_json::from_str(r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#).unwrap();
        assert_eq!(Fingerprint::of(&one), Fingerprint::of(&two));
        assert_eq!(
            canonical_json(&one),
            r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#
        );
    }

    #[test]
    fn a_number_of_many_digits_is_the_same_after_it_was_stored() {
        let value: Value = serde_json::from_str("444444444444444444444444444444444444446").unwrap();
        let stored: Value = serde_json::from_str(&canonical_json(&value)).unwrap();
        assert_eq!(Fingerprint::of(&stored), Fingerprint::of(&value));
    }

    #[test]
    fn any_other_difference_does() {
        let base = Fingerprint::of(&json!({"a": [1, 2]}));
        for other in [
            json!({"a": [2, 1]}),
            json!({"a": [1, 2, 3]}),
            json!({"a": ["1", 2]}),
            json!({"a": [1.0, 2]}),
            json!({"A": [1, 2]}),
        ] {
            assert_ne!(base, Fingerprint::of(&other), "{other}");
        }
    }

    #[test]
    fn what_only_looks_the_same_is_another_text() {
        for (one, two) in [
            ("\u{e9}", "e\u{301}"),
            ("a", "\u{430}"),
            ("a b", "a\u{a0}b"),
            ("ab", "a\u{200b}b"),
            ("A", "\u{ff21}"),
        ] {
            assert_ne!(
                Fingerprint::of(&json!({ one: 1 })),
                Fingerprint::of(&json!({ two: 1 })),
                "{one} {two}"
            );
            assert_ne!(
                Fingerprint::of(&json!(one)),
                Fingerprint::of(&json!(two)),
                "{one} {two}"
            );
        }
    }

    #[test]
    fn a_key_that_comes_twice_counts_as_everything_here_reads_it() {
        let twice: Value = serde_json::from_str(r#"{"a": "first", "a": "last"}"#).unwrap();
        assert_eq!(
            Fingerprint::of(&twice),
            Fingerprint::of(&json!({"a": "last"}))
        );
    }

    fn values() -> impl Strategy<Value = Value> {
        let number = prop_oneof![
            any::<i64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from)
        ];
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            number,
            ".{0,6}".prop_map(Value::from)
        ];
        leaf.prop_recursive(4, 32, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map(".{0,4}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }

    /// The same value with the keys of every object the other way round.
    fn turned(value: &Value) -> Value {
        match value {
            Value::Array(items) => items.iter().map(turned).collect(),
            Value::Object(map) => Value::Object(
                map.iter()
                    .rev()
                    .map(|(key, value)| (key.clone(), turned(value)))
                    .collect(),
            ),
            leaf => leaf.clone(),
        }
    }

    proptest! {
        #[test]
        fn the_canonical_text_says_everything_and_says_it_in_one_way(value in values()) {
            let text = canonical_json(&value);
            let read: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!(&read, &value);
            prop_assert_eq!(canonical_json(&read), text.clone());
            prop_assert_eq!(canonical_json(&turned(&value)), text);
        }

        #[test]
        fn two_values_have_one_fingerprint_only_if_they_are_equal(one in values(), two in values()) {
            prop_assert_eq!(Fingerprint::of(&one) == Fingerprint::of(&two), one == two);
        }

        #[test]
        fn settling_a_definition_twice_changes_nothing_more(value in values()) {
            let definition = Map::from_iter([("inputSchema".to_owned(), value)]);
            let once = settled(&definition);
            prop_assert_eq!(settled(&once), once);
        }
    }
}
