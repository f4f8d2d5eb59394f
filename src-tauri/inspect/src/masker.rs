//! Covers values of secrets that this host holds, wherever a text carries them.
//!
//! Exact matching has no false positives. A value is found as it is, and as JSON, URL, hexadecimal and Base64 (at any of the
//! three alignments) write it, and reversed; of a value with several lines each longer line counts by itself. What was cut off in
//! the middle of a value, as long lines are, is covered as far as it goes.

use aho_corasick::{AhoCorasick, MatchKind};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use std::collections::BTreeSet;

/// What stands in the place of a secret.
pub const MASK: &str = "•••";

/// Finds held secrets in texts. Build a new one when the set of held secrets changes.
#[derive(Debug, Default)]
pub struct Masker {
    finder: Option<AhoCorasick>,
    starts: Option<Starts>,
}

/// Finds a form that a text ends in the middle of.
#[derive(Debug)]
struct Starts {
    /// The first bytes of each form, in the order of `forms`.
    finder: AhoCorasick,
    forms: Vec<String>,
    /// The length of the longest one, in bytes.
    longest: usize,
}

impl Masker {
    /// A value shorter than this, in bytes, cannot be covered: it would be found everywhere.
    pub const SHORTEST: usize = 4;
    /// The shortest encoded form or line of a secret that is searched for, in bytes.
    const SHORTEST_FORM: usize = 6;

    /// A masker for these values.
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut forms = BTreeSet::new();
        for value in values {
            add_forms(value, &mut forms);
        }
        if forms.is_empty() {
            return Self::default();
        }
        // Longest first, or a form that begins another would leave the rest of it readable.
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms).ok();
        Self { finder, starts: Starts::of(forms) }
    }

    /// The text with secrets covered; `None` when there were none.
    pub fn mask(&self, text: &str) -> Option<String> {
        let finder = self.finder.as_ref()?;
        let masked = finder.is_match(text).then(|| finder.replace_all(text, &vec![MASK; finder.patterns_len()]));
        let cut = self.starts.as_ref().and_then(|starts| starts.mask(masked.as_deref().unwrap_or(text)));
        cut.or(masked)
    }

    /// Covers secrets in a text. Says whether there were any.
    pub fn mask_text(&self, text: &mut String) -> bool {
        match self.mask(text) {
            Some(masked) => {
                *text = masked;
                true
            }
            None => false,
        }
    }

    /// Covers secrets in every text of a JSON value, names of fields included. Says whether there were any.
    pub fn mask_value(&self, value: &mut Value) -> bool {
        if self.finder.is_none() {
            return false;
        }
        match value {
            Value::String(text) => self.mask_text(text),
            Value::Array(items) => items.iter_mut().fold(false, |found, item| self.mask_value(item) | found),
            Value::Object(map) => self.mask_map(map),
            Value::Number(number) => match self.mask(&number.to_string()) {
                Some(masked) => {
                    *value = Value::String(masked);
                    true
                }
                None => false,
            },
            Value::Null | Value::Bool(_) => false,
        }
    }

    /// Covers secrets in the fields of a JSON object. Says whether there were any.
    pub fn mask_map(&self, map: &mut serde_json::Map<String, Value>) -> bool {
        let mut found = false;
        if map.keys().any(|key| self.mask(key).is_some()) {
            found = true;
            *map = std::mem::take(map).into_iter().map(|(key, item)| (self.mask(&key).unwrap_or(key), item)).collect();
        }
        map.values_mut().fold(found, |found, item| self.mask_value(item) | found)
    }
}

impl Starts {
    fn of(forms: BTreeSet<String>) -> Option<Self> {
        // A shorter form cut short is too little to be told from chance.
        let forms: Vec<String> = forms.into_iter().filter(|form| form.len() > Masker::SHORTEST_FORM).collect();
        let starts = forms.iter().map(|form| &form.as_bytes()[..Masker::SHORTEST_FORM]);
        let finder = AhoCorasick::new(starts).ok()?;
        let longest = forms.iter().map(String::len).max()?;
        Some(Self { finder, forms, longest })
    }

    /// The text with the form covered that it breaks off in, an ellipsis behind it left as it is.
    fn mask(&self, text: &str) -> Option<String> {
        let end = text.trim_end_matches(['…', '\u{fffd}']).len();
        let from = text.floor_char_boundary(end.saturating_sub(self.longest));
        let tail = &text[from..end];
        let broken_off =
            |found: &aho_corasick::Match| self.forms[found.pattern()].as_bytes().starts_with(&tail.as_bytes()[found.start()..]);
        let first = self.finder.find_overlapping_iter(tail).filter(broken_off).map(|found| found.start()).min()?;
        Some(format!("{}{MASK}{}", &text[..from + first], &text[end..]))
    }
}

fn add_forms(value: &str, forms: &mut BTreeSet<String>) {
    if value.len() < Masker::SHORTEST {
        return;
    }
    forms.insert(value.to_owned());
    let mut add = |form: String| {
        if form.len() >= Masker::SHORTEST_FORM {
            forms.insert(form);
        }
    };
    let json = Value::String(value.to_owned()).to_string();
    add(json[1..json.len() - 1].to_owned());
    add(utf8_percent_encode(value, NON_ALPHANUMERIC).to_string());
    add(value.chars().rev().collect());
    let hex: String = value.bytes().map(|byte| format!("{byte:02x}")).collect();
    add(hex.to_uppercase());
    add(hex);
    for skip in 0..3 {
        // The first and last characters depend on the neighbours; what lies between is the same wherever the value stands.
        let mut padded = vec![0; skip];
        padded.extend_from_slice(value.as_bytes());
        let lead = [0, 2, 3][skip];
        for encoded in [STANDARD_NO_PAD.encode(&padded), URL_SAFE_NO_PAD.encode(&padded)] {
            let tail = usize::from(padded.len() % 3 != 0);
            add(encoded.get(lead..encoded.len() - tail).unwrap_or_default().to_owned());
        }
    }
    for line in value.lines().filter(|line| line.len() >= 16) {
        add(line.trim().to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::json;

    const SECRET: &str = "pl4nted/s3cret+value\"1";

    #[test]
    fn a_held_secret_is_covered_in_every_form() {
        let masker = Masker::new([SECRET]);
        let forms = [
            SECRET.to_owned(),
            json!({ "t": SECRET }).to_string(),
            utf8_percent_encode(SECRET, NON_ALPHANUMERIC).to_string(),
            SECRET.chars().rev().collect(),
            SECRET.bytes().map(|b| format!("{b:02x}")).collect(),
            SECRET.bytes().map(|b| format!("{b:02X}")).collect(),
            STANDARD.encode(SECRET),
            STANDARD.encode(format!("a{SECRET}tail")),
            STANDARD.encode(format!("ab{SECRET}tail")),
            URL_SAFE_NO_PAD.encode(format!("abc{SECRET}")),
        ];
        for form in forms {
            let text = format!("before {form} after");
            let masked = masker.mask(&text).unwrap_or_else(|| panic!("not found: {text}"));
            assert!(!masked.contains(&form) && masked.contains(MASK), "{masked}");
        }
    }

    #[test]
    fn every_line_of_a_long_secret_is_covered() {
        let masker = Masker::new(["-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END KEY-----"]);
        assert!(masker.mask("stderr: MIIEvQIBADANBgkqhkiG9w0").is_some());
    }

    #[test]
    fn json_is_covered_in_keys_and_values_and_otherwise_left_alone() {
        let masker = Masker::new(["s3cret!", "12345678"]);
        let mut value = json!({"s3cret!": ["x s3cret! y", 12345678, 5], "plain": null});
        assert!(masker.mask_value(&mut value));
        assert_eq!(value, json!({"•••": ["x ••• y", "•••", 5], "plain": null}));
        let mut plain = json!({"a": "nothing"});
        assert!(!masker.mask_value(&mut plain));
        assert_eq!(plain, json!({"a": "nothing"}));
    }

    #[test]
    fn a_secret_that_was_cut_off_is_covered_as_far_as_it_goes() {
        let masker = Masker::new([SECRET]);
        for length in 6..SECRET.len() {
            for end in ["", "…", "\u{fffd}"] {
                let cut = format!("long {}{end}", &SECRET[..length]);
                assert_eq!(masker.mask(&cut), Some(format!("long •••{end}")), "{cut}");
            }
        }
        assert_eq!(masker.mask(&format!("{SECRET} and {}", &SECRET[..9])).as_deref(), Some("••• and •••"));
        assert_eq!(masker.mask("pl4nted is a word, and so is pl4nt"), None);
    }

    #[test]
    fn without_secrets_nothing_is_touched() {
        assert_eq!(Masker::default().mask("anything"), None);
        assert_eq!(Masker::new(["abc"]).mask("abc"), None);
    }
}
