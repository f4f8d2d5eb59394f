//! What kind of answer a model is to give, so that a program can use it.
//!
//! Always true here: what is read is of that kind, or it is not read; nothing is guessed.

use crate::{days_of_month, is_one_line};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use ts_rs::TS;

/// Most answers to choose from, and the longest of them in characters.
const MOST: usize = 20;
const LONGEST: usize = 100;

/// A kind of answer.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AnswerType {
    /// Any text.
    #[default]
    Text,
    /// Yes or no.
    Boolean,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// A day.
    Date,
    /// One of these.
    OneOf {
        /// What there is to choose from.
        choices: Vec<String>,
    },
    /// Any JSON.
    Json,
}

/// This is no kind of answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "an answer is text, boolean, integer, number, date, json, or one-of:A,B with 2 to {MOST} answers"
)]
pub struct NoAnswerType;

impl FromStr for AnswerType {
    type Err = NoAnswerType;

    fn from_str(word: &str) -> Result<Self, NoAnswerType> {
        Ok(match word {
            "text" => Self::Text,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "date" => Self::Date,
            "json" => Self::Json,
            _ => {
                let choices = word.strip_prefix("one-of:").ok_or(NoAnswerType)?;
                let choices = choices.split(',').map(|one| one.trim().to_owned());
                Self::one_of(choices.collect())?
            }
        })
    }
}

/// How a model is asked for it. English, as all that models are told.
impl fmt::Display for AnswerType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text => f.write_str("a text"),
            Self::Boolean => f.write_str("`true` or `false`, and nothing else"),
            Self::Integer => f.write_str("a whole number in digits, and nothing else"),
            Self::Number => f.write_str("a number in digits, and nothing else"),
            Self::Date => f.write_str("a date as YYYY-MM-DD, and nothing else"),
            Self::OneOf { choices } => write!(
                f,
                "one of these, as it stands here, and nothing else: {}",
                choices.join(", ")
            ),
            Self::Json => f.write_str("JSON, and nothing else"),
        }
    }
}

impl AnswerType {
    /// One of these answers. Fails where they are not 2 to 20 different lines of at most 100 visible
    /// characters.
    pub fn one_of(choices: Vec<String>) -> Result<Self, NoAnswerType> {
        let is_fit = |one: &String| is_one_line(one, LONGEST);
        let keys: HashSet<String> = choices.iter().map(|one| one.to_lowercase()).collect();
        let fit = (2..=MOST).contains(&choices.len())
            && choices.iter().all(is_fit)
            && keys.len() == choices.len();
        match fit {
            true => Ok(Self::OneOf { choices }),
            false => Err(NoAnswerType),
        }
    }

    /// Whether it is one that there can be: what is read from elsewhere may be any.
    pub fn is_valid(&self) -> bool {
        match self {
            Self::OneOf { choices } => Self::one_of(choices.clone()).is_ok(),
            _ => true,
        }
    }

    /// Whether an answer can hold nothing but what was asked for: no words of whoever wrote what it
    /// was read from.
    pub fn is_closed(&self) -> bool {
        match self {
            Self::Boolean | Self::Integer | Self::Number | Self::Date | Self::OneOf { .. } => true,
            Self::Text | Self::Json => false,
        }
    }

    /// Reads what a model has said. `None` if it is no such answer.
    ///
    /// Only what surrounds an answer without changing it is taken away: a fence, marks, and the full
    /// stop behind a word.
    pub fn read(&self, said: &str) -> Option<Value> {
        let whole = said.trim();
        let bare = bare(whole);
        match self {
            Self::Text => (!whole.is_empty()).then(|| whole.into()),
            Self::Boolean => match bare.to_lowercase().as_str() {
                "true" | "yes" => Some(true.into()),
                "false" | "no" => Some(false.into()),
                _ => None,
            },
            Self::Integer => bare.parse::<i64>().ok().map(Value::from),
            Self::Number => {
                let read: Value = serde_json::from_str(bare).ok()?;
                read.is_number().then_some(read)
            }
            Self::Date => is_date(bare).then(|| bare.into()),
            Self::OneOf { choices } => {
                let is = |one: &String, said: &str| one.to_lowercase() == said.to_lowercase();
                let same = |one: &&String| is(one, whole) || is(one, bare);
                choices.iter().find(same).map(|one| one.as_str().into())
            }
            Self::Json => serde_json::from_str(unfenced(whole)).ok(),
        }
    }
}

/// What stands inside a fence, if all of it does.
fn unfenced(text: &str) -> &str {
    let inside = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let inside = inside.and_then(|inside| inside.split_once('\n'));
    inside.map_or(text, |(_, inside)| inside.trim())
}

fn bare(text: &str) -> &str {
    let text = unfenced(text);
    let marks = |c: char| matches!(c, '`' | '"' | '\'' | '*');
    text.trim_matches(marks)
        .trim_end_matches('.')
        .trim_matches(marks)
}

/// Whether a text is a day that there is, as ISO 8601 writes it.
fn is_date(text: &str) -> bool {
    let mut parts = text.split('-');
    let mut number = |digits: usize| {
        let part = parts.next().filter(|part| part.len() == digits)?;
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| part.parse::<i64>().ok())?
    };
    let (Some(year), Some(month), Some(day)) = (number(4), number(2), number(2)) else {
        return false;
    };
    let is_day = days_of_month(year, month).is_some_and(|last| (1..=last).contains(&day));
    is_day && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn read(kind: &str, said: &str) -> Option<Value> {
        kind.parse::<AnswerType>().unwrap().read(said)
    }

    #[test]
    fn an_answer_of_its_kind_is_read_out_of_what_only_surrounds_it() {
        for (kind, said, expected) in [
            ("text", "  A pelican.\n", json!("A pelican.")),
            ("boolean", "True", json!(true)),
            ("boolean", "no.", json!(false)),
            ("integer", "`-42`", json!(-42)),
            ("number", "**40954.20**", json!(40954.20)),
            ("date", "\"2024-02-29\"", json!("2024-02-29")),
            ("one-of:low, high", "High.", json!("high")),
            ("one-of:St.,Ave.", "ave.", json!("Ave.")),
            ("json", "```json\n{\"a\": [1]}\n```", json!({"a": [1]})),
        ] {
            assert_eq!(read(kind, said), Some(expected), "{kind}: {said}");
        }
    }

    #[test]
    fn what_is_not_of_its_kind_is_not_read() {
        for (kind, said) in [
            ("text", "  "),
            ("boolean", "true, I think"),
            ("integer", "4.5"),
            ("integer", "about 4"),
            ("number", "1,250"),
            ("number", "NaN"),
            ("date", "2023-02-29"),
            ("date", "2023-1-1"),
            ("date", "2023-01-01-01"),
            ("one-of:low,high", "medium"),
            ("json", "Here it is: {}"),
        ] {
            assert_eq!(read(kind, said), None, "{kind}: {said}");
        }
    }

    #[test]
    fn what_is_no_kind_of_answer_is_refused() {
        let many = format!("one-of:{}", ["x"; 21].join(","));
        for word in [
            "",
            "Text",
            "one-of:",
            "one-of:a",
            "one-of:a,,b",
            "one-of:a,A",
            many.as_str(),
        ] {
            assert_eq!(word.parse::<AnswerType>(), Err(NoAnswerType), "{word}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_said_what_is_read_is_of_its_kind(said in "\\PC{0,40}") {
            let of = |kind: &str| read(kind, &said);
            prop_assert!(of("boolean").is_none_or(|value| value.is_boolean()));
            prop_assert!(of("integer").is_none_or(|value| value.is_i64() || value.is_u64()));
            prop_assert!(of("number").is_none_or(|value| value.is_number()));
            prop_assert!(of("one-of:a,b").is_none_or(|value| value == "a" || value == "b"));
        }
    }
}
