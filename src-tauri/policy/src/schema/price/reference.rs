//! What a reference in a schema points to. One that leads out of the schema, or to several parts of
//! it, is refused.

use serde_json::Value;

/// How many levels a schema has.
pub(super) fn levels(schema: &Value) -> usize {
    1 + match schema {
        Value::Array(items) => items.iter().map(levels).max().unwrap_or_default(),
        Value::Object(map) => map.values().map(levels).max().unwrap_or_default(),
        _ => 0,
    }
}

/// What a reference points to in the schema itself.
pub(super) fn target<'a>(root: &'a Value, reference: &str) -> Result<&'a Value, String> {
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
