//! Whether a form asks a person for something that must never be typed into a stranger's form: a
//! password, a payment card, a token, a one-time code, a key. By its words, in English and Chinese,
//! and by the shape of what is wanted.
//!
//! Always true here:
//! - what is only counted, named or described with such a word is not asked for;
//! - what cannot take a text of the person's own is no place for a secret, and what is not sure to
//!   be fixed can take one;
//! - a field is looked at however deep it lies, and so is whatever a reference may lead to.

mod lexicon;

use crate::plain::Plain;
use lexicon::{
    CHINESE, CHINESE_ABOUT, CHINESE_BEFORE, ENGLISH, FOLLOWED_BY, LED_BY, NEUTRAL, NEVER, SHAPES,
    WHOLE,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// What kind of secret is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SecretKind {
    /// A password or passphrase.
    Password,
    /// The number or code of a payment card.
    Card,
    /// A token or session of a sign-in.
    Token,
    /// A code that is good for one sign-in or payment.
    OneTimeCode,
    /// A key, or the words that stand for one.
    Key,
}

/// So many choices of one character each spell anything.
const ALPHABET: usize = 10;
/// So many fields of one character each spell anything.
const BOXES: usize = 4;

/// The secret that a form asks for: `message` is what is said above it, `schema` its fields.
pub fn secret_asked(message: &str, schema: &Map<String, Value>) -> Option<SecretKind> {
    let above = [
        Some(message),
        text(schema.get("title")),
        text(schema.get("description")),
    ];
    let above = above.into_iter().flatten().find_map(in_text);
    let mut boxes = 0;
    for (name, field) in fields(schema) {
        if spells(field) {
            return Some(above.unwrap_or(SecretKind::Password));
        }
        if !takes_text(field) {
            continue;
        }
        if let Some(kind) = in_field(name, field) {
            return Some(kind);
        }
        boxes += usize::from(field.get("maxLength").and_then(Value::as_u64) == Some(1));
        if let Some(kind) = above
            && (says_nothing(name, field) || boxes >= BOXES)
        {
            return Some(kind);
        }
    }
    None
}

/// Everything in a schema that may be a field, the outermost first, with the name under which it
/// stands.
fn fields(schema: &Map<String, Value>) -> Vec<(&str, &Value)> {
    let mut found = within("", schema);
    let mut next = 0;
    while let Some(&(name, field)) = found.get(next) {
        if let Value::Object(field) = field {
            found.extend(within(name, field));
        }
        next += 1;
    }
    found
}

/// What stands in one schema and is a schema itself.
fn within<'a>(name: &'a str, schema: &'a Map<String, Value>) -> Vec<(&'a str, &'a Value)> {
    let mut found = Vec::new();
    for (key, value) in schema {
        match (key.as_str(), value) {
            // Values, not schemas.
            ("enum" | "const" | "default" | "examples", _) => {}
            (
                "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions",
                Value::Object(named),
            ) => {
                found.extend(named.iter().map(|(name, field)| (name.as_str(), field)));
            }
            (_, Value::Object(_)) => found.push((name, value)),
            (_, Value::Array(several)) => found.extend(several.iter().map(|one| (name, one))),
            _ => {}
        }
    }
    found.retain(|(_, field)| field.is_object());
    found
}

fn in_field(name: &str, field: &Value) -> Option<SecretKind> {
    if field
        .get("format")
        .and_then(Value::as_str)
        .is_some_and(|format| format.eq_ignore_ascii_case("password"))
        || field.get("writeOnly") == Some(&Value::Bool(true))
    {
        return Some(SecretKind::Password);
    }
    if let Some(pattern) = text(field.get("pattern"))
        && let Some((_, kind)) = SHAPES.iter().find(|(shape, _)| pattern.contains(shape))
    {
        return Some(*kind);
    }
    let said = ["title", "description", "format", "$comment"]
        .into_iter()
        .filter_map(|key| text(field.get(key)));
    let examples = field
        .get("examples")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    std::iter::once(name)
        .chain(said)
        .chain(examples)
        .chain(text(field.get("default")))
        .find_map(in_text)
}

/// Whether a field says nothing of what belongs into it, so that what is said above it does.
fn says_nothing(name: &str, field: &Value) -> bool {
    let neutral = |said: &str| {
        words_of(said).iter().all(|word| {
            NEUTRAL.contains(&word.as_str()) || word.chars().all(|c| c.is_ascii_digit())
        })
    };
    neutral(name) && text(field.get("title")).is_none_or(neutral)
}

/// Whether a person can type what they like into a field.
fn takes_text(field: &Value) -> bool {
    let timed = matches!(
        text(field.get("format")),
        Some("date" | "date-time" | "time")
    );
    match text(field.get("type")) {
        Some("boolean" | "null") => false,
        Some("array") => field.get("items").is_none_or(|items| !fixed(items)),
        _ => !fixed(field) && !timed,
    }
}

/// Whether a field is one of given values, and nothing else.
fn fixed(field: &Value) -> bool {
    let several = |key: &str| {
        field
            .get(key)
            .and_then(Value::as_array)
            .filter(|values| !values.is_empty())
    };
    let each = |key: &str| {
        several(key).is_some_and(|all| all.iter().all(|one| one.get("const").is_some()))
    };
    field.get("const").is_some() || several("enum").is_some() || each("oneOf") || each("anyOf")
}

/// Whether a choice lets a person spell anything, one character after the other.
fn spells(field: &Value) -> bool {
    let choice = field.get("items").unwrap_or(field);
    let of = |key: &str| {
        choice
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    let values = of("enum")
        .chain(
            of("oneOf")
                .chain(of("anyOf"))
                .filter_map(|one| one.get("const")),
        )
        .filter_map(Value::as_str);
    text(field.get("type")) == Some("array")
        && values.filter(|value| value.chars().count() == 1).count() >= ALPHABET
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

/// The secret that a text asks for.
fn in_text(said: &str) -> Option<SecretKind> {
    let words = words_of(said);
    in_words(&words).or_else(|| in_chinese(said))
}

fn in_words(words: &[String]) -> Option<SecretKind> {
    // A whole text that is one of these stands for the thing itself.
    if let [only] = words
        && let Some((_, kind)) = WHOLE.iter().find(|(word, _)| word == only)
    {
        return Some(*kind);
    }
    (0..words.len()).find_map(|at| {
        let (phrase, kind) = ENGLISH
            .iter()
            .find(|(phrase, _)| starts_with(&words[at..], phrase))?;
        let end = at + phrase.split(' ').count();
        let led = match &words[..at] {
            [.., of, article]
                if of == "of"
                    && matches!(article.as_str(), "a" | "an" | "the" | "your" | "each") =>
            {
                words[..at - 2].last().is_some_and(|word| {
                    matches!(word.as_str(), "name" | "title" | "kind" | "type" | "label")
                })
            }
            [.., what, of] if of == "of" => {
                matches!(
                    what.as_str(),
                    "number" | "count" | "amount" | "kind" | "type" | "name" | "title" | "label"
                )
            }
            [.., before] => LED_BY.contains(&before.as_str()),
            [] => false,
        } || words[..at]
            .iter()
            .rev()
            .take(4)
            .any(|word| NEVER.contains(&word.as_str()));
        let followed = words
            .get(end)
            .is_some_and(|after| FOLLOWED_BY.contains(&after.as_str()))
            || words.len() == end + 1
                && matches!(words[end].as_str(), "type" | "format" | "name" | "id");
        (!led && !followed).then_some(*kind)
    })
}

fn starts_with(words: &[String], phrase: &str) -> bool {
    // Several tokens alone are what a model counts.
    let several = phrase != "token";
    let mut words = words.iter();
    phrase.split(' ').all(|wanted| {
        words
            .next()
            .is_some_and(|word| word == wanted || several && word.strip_suffix('s') == Some(wanted))
    })
}

fn in_chinese(said: &str) -> Option<SecretKind> {
    let said: String = Plain::of(said)
        .text
        .chars()
        .filter(|c| !c.is_whitespace())
        .collect();
    CHINESE.iter().find_map(|(phrase, kind)| {
        said.match_indices(phrase).find_map(|(at, _)| {
            let (before, after) = (&said[..at], &said[at + phrase.len()..]);
            let about = CHINESE_ABOUT.iter().any(|about| after.starts_with(about))
                || CHINESE_BEFORE.iter().any(|about| before.ends_with(about));
            (!about).then_some(*kind)
        })
    })
}

/// The words of a text in small letters, what is written together taken apart and digits for
/// letters read as the letters.
fn words_of(said: &str) -> Vec<String> {
    let mut apart = String::with_capacity(said.len() + 8);
    let mut before = ' ';
    for c in said.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            apart.push(' ');
        }
        apart.push(c);
        before = c;
    }
    let plain = Plain::of(&apart).text;
    let plain = plain.split(|c: char| !(c.is_alphanumeric() || matches!(c, '@' | '$')));
    plain.filter(|word| !word.is_empty()).map(letters).collect()
}

fn letters(word: &str) -> String {
    if !word.chars().any(char::is_alphabetic) {
        return word.to_owned();
    }
    let letter = |c: char| match c {
        '0' => 'o',
        '1' => 'l',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        other => other,
    };
    // What is a word by itself with its digits, such as "2fa", stays so.
    if matches!(word, "2fa" | "cvv2" | "cvc2" | "oauth2") {
        word.to_owned()
    } else {
        word.chars().map(letter).collect()
    }
}

#[cfg(test)]
#[path = "asked_test.rs"]
mod tests;
