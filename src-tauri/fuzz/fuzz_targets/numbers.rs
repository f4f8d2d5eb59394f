//! Credentials, personal numbers, places and markup: what is found lies in the text, in order, and
//! is not repeated whole.
#![no_main]

use inspect::{active_content, credentials, looks_secret, personal_numbers, sensitive_targets};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for find in [
        credentials,
        personal_numbers,
        sensitive_targets,
        active_content,
    ] {
        for finding in find(text) {
            assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
        }
    }
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    let _ = looks_secret(name, value);
});
