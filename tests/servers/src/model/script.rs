//! What the service answers, as data.

use serde::Deserialize;
use serde_json::Value;
use std::time::Duration;

/// The answer to one request.
///
/// As JSON: `{"parts": [{"text": "Good day."}]}`, or `{"status": 429, "message": "too many"}`.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Step {
    /// A reply.
    Answer(Answer),
    /// A status that says no, such as 429 or 529.
    Status {
        /// HTTP status.
        status: u16,
        /// How long it wants to be left alone, in seconds.
        #[serde(default)]
        retry_after: Option<u32>,
        /// What it says.
        message: String,
    },
}

/// In a text, what the milliseconds since 1970 are put in place of at which its event is sent.
pub const SENT_AT: &str = "{sent-at}";

/// A reply.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Answer {
    /// What it holds, in this order.
    pub parts: Vec<Part>,
    /// Why it ends.
    pub stop: Stop,
    /// Tokens read and written; nothing where it does not say.
    pub usage: Option<(u64, u64)>,
    /// How many characters of a text an event holds at most; half of the text where it is not said.
    pub piece: Option<usize>,
    /// How much time lies between its events.
    #[serde(skip)]
    pub pace: Duration,
    /// After how many bytes the connection ends, if it ends before the reply.
    pub cut_at: Option<usize>,
}

/// A part of a reply.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Part {
    /// Words.
    Text(String),
    /// What it thought. Services that sign such want it back as it was.
    Thought(String),
    /// A call.
    Call {
        /// The name of the tool.
        name: String,
        /// Its arguments.
        arguments: Value,
    },
}

/// Why a reply ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// All is said, or calls are wanted.
    #[default]
    End,
    /// It is as long as it may be.
    Length,
    /// The content is not allowed.
    Filtered,
}

impl Answer {
    /// A reply of these parts, which says what it took.
    pub fn of(parts: impl IntoIterator<Item = Part>) -> Self {
        Self {
            parts: parts.into_iter().collect(),
            usage: Some((100, 10)),
            ..Self::default()
        }
    }

    /// A text, cut into what each event holds of it.
    pub(super) fn pieces<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let Some(length) = self.piece else {
            return halves(text).to_vec();
        };
        let characters = text.char_indices().map(|(at, _)| at);
        let begins: Vec<usize> = characters.step_by(length.max(1)).collect();
        let ends = begins.iter().skip(1).copied().chain([text.len()]);
        let cut = begins.iter().zip(ends);
        cut.filter_map(|(from, to)| text.get(*from..to)).collect()
    }

    pub(super) fn wants_calls(&self) -> bool {
        self.parts
            .iter()
            .any(|part| matches!(part, Part::Call { .. }))
    }
}

impl Step {
    /// Says this.
    pub fn says(text: &str) -> Self {
        Self::Answer(Answer::of([Part::Text(text.to_owned())]))
    }

    /// Wants these calls.
    pub fn wants<Name: Into<String>>(calls: impl IntoIterator<Item = (Name, Value)>) -> Self {
        let call = |(name, arguments): (Name, Value)| Part::Call {
            name: name.into(),
            arguments,
        };
        Self::Answer(Answer::of(calls.into_iter().map(call)))
    }
}

/// The words in the middle of which a text is cut into two events.
pub(super) fn halves(text: &str) -> [&str; 2] {
    let middle = (0..=text.len() / 2)
        .rev()
        .find(|at| text.is_char_boundary(*at));
    let (one, other) = text.split_at(middle.unwrap_or_default());
    [one, other]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_script_is_read_as_a_program_in_another_language_writes_it() {
        let call = json!({"call": {"name": "look", "arguments": {"at": "it"}}});
        let script = json!([
            {"parts": [{"thought": "Hm."}, {"text": "Yes."}, call], "stop": "length", "usage": [1, 2]},
            {"status": 429, "retry_after": 7, "message": "slow down"},
        ]);
        let steps: Vec<Step> = serde_json::from_value(script).unwrap();
        let [Step::Answer(answer), Step::Status { retry_after, .. }] = steps.as_slice() else {
            panic!("{steps:?}")
        };
        assert_eq!((answer.parts.len(), answer.stop), (3, Stop::Length));
        assert_eq!((answer.usage, *retry_after), (Some((1, 2)), Some(7)));
        assert!(serde_json::from_value::<Step>(json!({"part": []})).is_err());
    }

    #[test]
    fn a_text_is_cut_into_pieces_of_whole_characters() {
        let cut = |piece, text| {
            let answer = Answer {
                piece,
                ..Answer::default()
            };
            answer.pieces(text).join("|")
        };
        assert_eq!(cut(Some(2), "abcde"), "ab|cd|e");
        assert_eq!(cut(Some(3), "\u{fc}\u{fc}\u{fc}"), "\u{fc}\u{fc}\u{fc}");
        assert_eq!(cut(Some(1), ""), "");
        assert_eq!(cut(None, "abcd"), "ab|cd");
    }
}
