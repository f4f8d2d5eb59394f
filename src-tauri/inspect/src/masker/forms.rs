//! The forms that a value of a secret is found in.

use super::Masker;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// What RFC 3986 leaves unreserved.
const UNRESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');
/// What `encodeURIComponent` of JavaScript leaves as it is.
const COMPONENT: &AsciiSet = &UNRESERVED
    .remove(b'!')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')')
    .remove(b'*');

/// Adds every form of a value: as it is, as JSON, URL, hexadecimal and Base64 write it, reversed,
/// and its longer lines.
pub(super) fn add_forms(value: &str, forms: &mut BTreeSet<String>) {
    if value.len() < Masker::SHORTEST {
        return;
    }
    forms.insert(value.to_owned());
    let mut add = |form: &str| {
        if form.len() >= Masker::SHORTEST_FORM {
            forms.insert(form.to_owned());
        }
    };
    json(value)
        .iter()
        .chain(&url(value))
        .for_each(|form| add(form));
    add(&value.chars().rev().collect::<String>());
    let hex = value
        .bytes()
        .fold(String::with_capacity(value.len() * 2), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        });
    add(&hex.to_uppercase());
    add(&hex);
    for skip in 0..3 {
        // The first and last characters depend on the neighbours; what lies between is the same
        // wherever the value stands.
        let mut padded = vec![0; skip];
        padded.extend_from_slice(value.as_bytes());
        let lead = [0, 2, 3][skip];
        for encoded in [
            STANDARD_NO_PAD.encode(&padded),
            URL_SAFE_NO_PAD.encode(&padded),
        ] {
            let tail = usize::from(padded.len() % 3 != 0);
            add(encoded.get(lead..encoded.len() - tail).unwrap_or_default());
        }
    }
    for line in value.lines().filter(|line| line.len() >= 16) {
        add(line.trim());
    }
}

/// As JSON strings are written: with the escapes that must be, with slashes escaped too, and in
/// ASCII only; and once more inside of a string that is itself JSON.
fn json(value: &str) -> [String; 4] {
    let escaped = |value: &str| {
        let json = Value::String(value.to_owned()).to_string();
        json[1..json.len() - 1].to_owned()
    };
    let plain = escaped(value);
    let ascii = plain
        .chars()
        .fold(String::with_capacity(plain.len()), |mut ascii, c| {
            if c.is_ascii() {
                ascii.push(c);
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    let _ = write!(ascii, "\\u{unit:04x}");
                }
            }
            ascii
        });
    [plain.replace('/', "\\/"), escaped(&plain), ascii, plain]
}

/// As URLs are written: everything escaped or only what must be, with large and small hexadecimal
/// digits, and as forms are.
fn url(value: &str) -> Vec<String> {
    let sets = [NON_ALPHANUMERIC, UNRESERVED, COMPONENT];
    let large: Vec<String> = sets
        .iter()
        .map(|set| utf8_percent_encode(value, set).to_string())
        .collect();
    let small = large.iter().map(|text| small_digits(text));
    let forms = large.iter().map(|text| text.replace("%20", "+"));
    small.chain(forms).chain(large.iter().cloned()).collect()
}

fn small_digits(text: &str) -> String {
    let mut small = String::with_capacity(text.len());
    let mut digits = 0;
    for c in text.chars() {
        small.push(if digits > 0 {
            c.to_ascii_lowercase()
        } else {
            c
        });
        digits = if c == '%' {
            2
        } else {
            usize::saturating_sub(digits, 1)
        };
    }
    small
}
