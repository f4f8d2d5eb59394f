//! What a field of a form takes: whether a person can type what they like into it, and whether it is
//! known to be something else than a secret.

use super::lexicon::{CHINESE_THINGS, CODED, NEUTRAL, THINGS};
use super::words::{Gap, One, solid, words_of};
use serde_json::Value;

/// So many choices of one character each spell anything.
const ALPHABET: usize = 10;

/// Whether a person can type what they like into a field.
pub(super) fn takes_text(field: &Value) -> bool {
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

/// Whether a field that takes text says what belongs into it, and that this is no secret: what it is
/// called is a thing that forms ask for.
pub(super) fn is_something_else(name: &str, field: &Value) -> bool {
    let called = text(field.get("title")).filter(|title| !title.trim().is_empty());
    is_thing(called.unwrap_or(name))
}

/// Whether a label names such a thing: by its last word, before what it is a part of or good for.
fn is_thing(label: &str) -> bool {
    if CHINESE_THINGS
        .iter()
        .any(|thing| solid(label).ends_with(thing))
    {
        return true;
    }
    let words = words_of(label, One::L);
    // Of how many there are it says what they are.
    let counted = match words.as_slice() {
        [number, of, counted @ ..] if of.text == "of" && number.text == "number" => counted,
        words => words,
    };
    let words: Vec<&str> = counted
        .iter()
        .enumerate()
        .take_while(|(number, word)| *number == 0 || word.gap == Gap::Space)
        .map(|(_, word)| word.text.as_str())
        .take_while(|word| {
            !matches!(
                *word,
                "of" | "for" | "in" | "to" | "on" | "from" | "at" | "by"
            )
        })
        .collect();
    let thing = |word: &str| {
        THINGS.contains(&word)
            || word
                .strip_suffix('s')
                .is_some_and(|one| THINGS.contains(&one))
    };
    match words.as_slice() {
        [.., of, "number" | "no" | "id"] => thing(of),
        [.., of, "code"] => CODED.contains(of),
        [.., last] => thing(last) && !NEUTRAL.contains(last),
        [] => false,
    }
}

/// Whether a field takes one character, so that several of them spell anything.
pub(super) fn is_box(field: &Value) -> bool {
    let one = field.get("maxLength").and_then(Value::as_u64) == Some(1);
    let digit = field
        .get("maximum")
        .and_then(Value::as_f64)
        .is_some_and(|most| most <= 9.0)
        && field
            .get("minimum")
            .and_then(Value::as_f64)
            .is_some_and(|least| least >= 0.0);
    one || digit || characters(field) >= ALPHABET
}

/// Whether a choice lets a person spell anything, one character after the other.
pub(super) fn spells(field: &Value) -> bool {
    text(field.get("type")) == Some("array")
        && characters(field.get("items").unwrap_or(field)) >= ALPHABET
}

/// How many choices of one character each there are.
fn characters(choice: &Value) -> usize {
    let of = |key: &str| {
        choice
            .get(key)
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
    };
    of("enum")
        .chain(
            of("oneOf")
                .chain(of("anyOf"))
                .filter_map(|one| one.get("const")),
        )
        .filter(|value| match value {
            Value::String(text) => text.chars().count() == 1,
            Value::Number(number) => number.as_u64().is_some_and(|number| number < 10),
            _ => false,
        })
        .count()
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

fn text(value: Option<&Value>) -> Option<&str> {
    value.and_then(Value::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_says_by_its_last_word_what_belongs_into_a_field() {
        for label in [
            "User name",
            "username",
            "Email address",
            "Order number",
            "Ticket no",
            "Country code",
            "City of birth",
            "Number of days",
            "projectPath",
            "repository_name",
            "Files",
            "Amount (EUR)",
            "收货地址",
            "用户名",
        ] {
            assert!(is_thing(label), "{label}");
        }
        for label in [
            "",
            "Value",
            "Answer",
            "Code",
            "Email code",
            "Number",
            "Comment",
            "Notes",
            "Text",
            "Phrase",
            "Account number",
            "Response",
            "valeur",
            "Name your value",
            "内容",
        ] {
            assert!(!is_thing(label), "{label}");
        }
    }
}
