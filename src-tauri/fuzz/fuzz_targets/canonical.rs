//! Canonical JSON: it reads as the same value, is its own canonical form, and equal values have
//! equal fingerprints.
#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::{Fingerprint, canonical_json};
use serde_json::Value;

fuzz_target!(|text: &str| {
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        return;
    };
    let canonical = canonical_json(&value);
    let read: Value = serde_json::from_str(&canonical).expect("canonical JSON is JSON");
    assert_eq!(canonical_json(&read), canonical);
    assert_eq!(Fingerprint::of(&read), Fingerprint::of(&value));
});
