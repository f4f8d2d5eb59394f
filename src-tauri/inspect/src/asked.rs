//! Whether a form asks a person for something that must never be typed into a stranger's form: a
//! password, a payment card, a token, a one-time code, a key. By its words, in the languages of the
//! lexicon, and by the shape of what is wanted.
//!
//! Always true here:
//! - what is only counted, named or described with such a word is not asked for;
//! - where a form demands a secret, nothing in it takes a text; where it speaks of one, each field that
//!   takes a text is known to be something else;
//! - what cannot take a text of the person's own is no place for a secret, and what is not sure to
//!   be fixed can take one;
//! - a field is looked at however deep it lies, and so is whatever a reference may lead to.

mod field;
mod lexicon;
mod phrase;
mod wish;
mod words;

use field::{is_box, is_something_else, spells, takes_text};
use lexicon::SHAPES;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;
use wish::{Wish, wish};

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

/// So many fields of one character each spell anything.
const BOXES: usize = 3;

/// The secret that a form asks for: `message` is what is said above it, `schema` its fields.
pub fn secret_asked(message: &str, schema: &Map<String, Value>) -> Option<SecretKind> {
    let above = above(message, schema);
    let mut boxes = 0;
    for (name, field) in fields(schema) {
        if spells(field) {
            return Some(above.map_or(SecretKind::Password, |wish| wish.kind));
        }
        boxes += usize::from(is_box(field));
        if let Some(wish) = above
            && boxes >= BOXES
        {
            return Some(wish.kind);
        }
        if !takes_text(field) {
            continue;
        }
        if let Some(kind) = in_field(name, field) {
            return Some(kind);
        }
        if let Some(wish) = above
            && (wish.is_demand || !is_something_else(name, field))
        {
            return Some(wish.kind);
        }
    }
    None
}

/// What is said above the fields; a demand before anything else.
fn above(message: &str, schema: &Map<String, Value>) -> Option<Wish> {
    let said = [
        Some(message),
        text(schema.get("title")),
        text(schema.get("description")),
    ];
    let wishes = said.into_iter().flatten().filter_map(wish);
    // The first of several that are alike.
    wishes.reduce(|first, other| {
        if !first.is_demand && other.is_demand {
            other
        } else {
            first
        }
    })
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
    // Whatever else stands there may be shown, too.
    let said = field.as_object().into_iter().flatten();
    let said = said
        .filter(|(key, _)| !matches!(key.as_str(), "type" | "pattern" | "properties" | "items"))
        .flat_map(|(_, said)| match said {
            Value::String(said) => vec![said.as_str()],
            Value::Array(several) => several.iter().filter_map(Value::as_str).collect(),
            _ => Vec::new(),
        });
    std::iter::once(name)
        .chain(said)
        .find_map(|said| Some(wish(said)?.kind))
}

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

#[cfg(test)]
#[path = "asked_test.rs"]
mod tests;
