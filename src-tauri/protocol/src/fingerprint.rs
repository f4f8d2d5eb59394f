//! One hash for one meaning.
//!
//! The canonical form is JSON with object keys in the order of their UTF-16 code units and no white space, as in RFC 8785
//! except that numbers are kept as they were written: `1` and `1.0` are different definitions.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use ts_rs::TS;

/// `sha256:` and 64 hexadecimal digits over the canonical form of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct Fingerprint(String);

impl Fingerprint {
    /// The fingerprint of a JSON value.
    pub fn of(value: &Value) -> Self {
        let digest = Sha256::digest(canonical_json(value).as_bytes());
        let mut text = String::with_capacity(7 + 64);
        text.push_str("sha256:");
        for byte in digest {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
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
    let mut text = String::new();
    write_canonical(value, &mut text);
    text
}

fn write_canonical(value: &Value, text: &mut String) {
    match value {
        Value::Array(items) => {
            text.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                write_canonical(item, text);
            }
            text.push(']');
        }
        Value::Object(map) => {
            let mut keys: Vec<&String> = map.keys().collect();
            keys.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
            text.push('{');
            for (index, key) in keys.into_iter().enumerate() {
                if index > 0 {
                    text.push(',');
                }
                text.push_str(&Value::String(key.clone()).to_string());
                text.push(':');
                write_canonical(&map[key], text);
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_order_of_keys_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"b":[1,{"y":null,"x":"é"}],"a":true}"#).unwrap();
        let two: Value = serde_json::from_str(r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#).unwrap();
        assert_eq!(Fingerprint::of(&one), Fingerprint::of(&two));
        assert_eq!(canonical_json(&one), r#"{"a":true,"b":[1,{"x":"é","y":null}]}"#);
    }

    #[test]
    fn any_other_difference_does() {
        let base = Fingerprint::of(&json!({"a": [1, 2]}));
        for other in [json!({"a": [2, 1]}), json!({"a": [1, 2, 3]}), json!({"a": ["1", 2]}), json!({"a": [1.0, 2]}), json!({"A": [1, 2]})] {
            assert_ne!(base, Fingerprint::of(&other), "{other}");
        }
    }
}
