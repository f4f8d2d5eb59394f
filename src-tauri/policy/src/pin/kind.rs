//! What a change of a definition means to a person: how it looks, what it takes or does, or what a
//! model is told.
//!
//! Always true here: a change that is not understood is never called cosmetic.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ts_rs::TS;

/// What a change means, least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// How it looks: a picture, a title, white space.
    Cosmetic,
    /// It takes or does less than before.
    Narrows,
    /// It takes or does more than before, or something else.
    Widens,
    /// It tells a model something else.
    SpeaksToModel,
}

/// Keywords of JSON Schema whose texts a model reads.
const TOLD: [&str; 7] = [
    "description",
    "title",
    "$comment",
    "examples",
    "default",
    "const",
    "pattern",
];
/// Hints that promise restraint when they are true; the others promise it when they are false.
const RESTRAINED: [&str; 2] = ["readOnlyHint", "idempotentHint"];

/// What the change at a place means.
pub(super) fn of(at: &str, before: Option<&Value>, now: Option<&Value>) -> ChangeKind {
    let mut path = at.split('/').skip(1);
    let field = path.next().unwrap_or_default();
    let rest: Vec<&str> = path.collect();
    match field {
        "title" if rest.is_empty() => looks(before, now),
        "icons" | "websiteUrl" => ChangeKind::Cosmetic,
        "description" | "instructions" => words(before, now),
        "annotations" => hint(rest.first().copied().unwrap_or_default(), now),
        "inputSchema" | "outputSchema" => schema(&rest, before, now),
        _ => ChangeKind::Widens,
    }
}

/// A title is shown to people; one that is as long as a sentence is read by models like a
/// description.
fn looks(before: Option<&Value>, now: Option<&Value>) -> ChangeKind {
    const TITLE: usize = 60;
    let long = now
        .and_then(Value::as_str)
        .is_none_or(|title| title.chars().count() > TITLE);
    if long && now.is_some() {
        words(before, now)
    } else {
        ChangeKind::Cosmetic
    }
}

/// Words for a model: only white space does not matter.
fn words(before: Option<&Value>, now: Option<&Value>) -> ChangeKind {
    let plain = |value: Option<&Value>| -> Option<String> {
        let text = value?.as_str()?;
        Some(text.split_whitespace().collect::<Vec<_>>().join(" "))
    };
    match (plain(before), plain(now)) {
        (Some(before), Some(now)) if before == now => ChangeKind::Cosmetic,
        _ => ChangeKind::SpeaksToModel,
    }
}

fn hint(name: &str, now: Option<&Value>) -> ChangeKind {
    match (name, now.and_then(Value::as_bool)) {
        ("title", _) => ChangeKind::Cosmetic,
        (name, Some(value)) if RESTRAINED.contains(&name) == value => ChangeKind::Narrows,
        _ => ChangeKind::Widens,
    }
}

/// A change within a schema. What is required, or a limit, can be judged; the rest counts as more.
fn schema(path: &[&str], before: Option<&Value>, now: Option<&Value>) -> ChangeKind {
    let Some(keyword) = path.last() else {
        return ChangeKind::Widens;
    };
    // Below `properties` stands the name of an argument, which is no keyword.
    let is_name = path
        .len()
        .checked_sub(2)
        .is_some_and(|at| matches!(path[at], "properties" | "$defs" | "definitions"));
    if is_name {
        return match (before, now) {
            (Some(_), None) => ChangeKind::Narrows,
            _ => ChangeKind::Widens,
        };
    }
    match *keyword {
        "enum" | "required" => set(before, now),
        told if TOLD.contains(&told) => words(before, now),
        "maximum" | "maxLength" | "maxItems" | "exclusiveMaximum" => limit(before, now, true),
        "minimum" | "minLength" | "minItems" | "exclusiveMinimum" => limit(before, now, false),
        _ => ChangeKind::Widens,
    }
}

/// A list that grew takes more, or demands more; its words are read by models too, if they are
/// words.
fn set(before: Option<&Value>, now: Option<&Value>) -> ChangeKind {
    let list = |value: Option<&Value>| value.and_then(Value::as_array).cloned().unwrap_or_default();
    let (before, now) = (list(before), list(now));
    let added: Vec<&Value> = now.iter().filter(|value| !before.contains(value)).collect();
    let sentence = |value: &&Value| {
        value
            .as_str()
            .is_some_and(|text| text.split_whitespace().count() > 3)
    };
    if added.is_empty() {
        ChangeKind::Narrows
    } else if added.iter().any(sentence) {
        ChangeKind::SpeaksToModel
    } else {
        ChangeKind::Widens
    }
}

/// A limit that is tighter than before narrows; one that is looser or gone widens.
fn limit(before: Option<&Value>, now: Option<&Value>, upper: bool) -> ChangeKind {
    let tighter = match (before.and_then(Value::as_f64), now.and_then(Value::as_f64)) {
        (None, Some(_)) => before.is_none(),
        (Some(before), Some(now)) => {
            if upper {
                now < before
            } else {
                now > before
            }
        }
        _ => false,
    };
    if tighter {
        ChangeKind::Narrows
    } else {
        ChangeKind::Widens
    }
}
