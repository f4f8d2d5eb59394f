//! What is known of a call that a model wanted, and the words in which the model is told.
//!
//! Always true here: denied, refused, not run, failed and unknown are told apart, and nothing says
//! of a call that may have been carried out that it was not.

use crate::depth::{is_map_too_deep, is_too_deep};
use crate::{HelperReport, ToolRef};
use protocol::{Boundary, Content, Label, Timestamp, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// What stands in a result for what cannot be kept of it.
const TOO_DEEP: &str = "(A part is left out: it is nested too deeply to be kept.)";
const CHANGED_TOO_DEEP: &str = "(The person has changed the arguments. What was sent is left out: it is nested too deeply to be kept.)";

/// How a call has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Outcome {
    /// It was carried out, and answered; the answer may say that it failed.
    Answered {
        /// What came back.
        answer: Box<LabelledResult>,
    },
    /// A person has said no.
    Denied {
        /// Why, in their words.
        reason: Option<String>,
    },
    /// It may not be made here, and nobody was asked.
    Refused {
        /// Why, in one sentence of ours.
        why: String,
    },
    /// It was not carried out for another reason.
    NotRun {
        /// Why.
        why: NotRun,
    },
    /// Nobody knows whether it was carried out.
    Unknown {
        /// Why.
        why: Unknown,
    },
    /// It gave a task away, which has ended.
    Helped {
        /// What came of it.
        report: Box<HelperReport>,
    },
    /// It was of a tool of this application, which is part of the conversation: no server has heard of
    /// it.
    Own {
        /// What it came to.
        answer: OwnAnswer,
    },
}

/// What a tool of this application came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OwnAnswer {
    /// What the model is told.
    pub text: String,
    /// Tools that it has found, the best first: the model is shown them from now on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<ToolRef>,
}

/// What came back from a call that was carried out, with its label.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LabelledResult {
    /// The result, cleaned, bounded and covered.
    pub result: ToolResult,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
    /// When it came.
    pub at: Timestamp,
    /// Between which marks a model gets it; drawn after it came, so that nothing in it can know them.
    pub boundary: Boundary,
    /// The arguments that were sent, where a person has changed them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub changed: Option<Map<String, Value>>,
}

/// Why a call was not carried out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum NotRun {
    /// The person has stopped it, or all of the turn.
    Stopped,
    /// The reply that wanted it was cut, or refused half-way.
    ReplyCut,
    /// Its arguments are not valid.
    Arguments {
        /// What is wrong with them, in words of ours.
        problem: String,
    },
    /// Its server, or something on the way to it, cannot be used now.
    Unavailable {
        /// Why, in one sentence.
        problem: String,
    },
    /// There is no tool of this name.
    NoSuchTool {
        /// Names that are like it.
        near: Vec<String>,
    },
    /// The turn has used up what it may take.
    PurseSpent,
    /// The same calls kept having the same results.
    Repeated,
    /// The application ended before it was looked at.
    ApplicationEnded,
}

/// Why nobody knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unknown {
    /// The application ended while it ran.
    ApplicationEnded,
    /// The server stopped while it ran.
    ServerStopped,
    /// There was no answer in time.
    NoAnswer,
    /// It was stopped while it ran, and nothing was heard of it since.
    Stopped,
}

impl Outcome {
    /// What the model is told in words of ours, where it is told nothing else.
    pub fn words(&self) -> Option<String> {
        Some(match self {
            Self::Answered { .. } => return None,
            Self::Own { answer } => answer.text.clone(),
            Self::Helped { report } => return report.words(),
            Self::Denied { reason } => {
                let reason = reason
                    .as_deref()
                    .map(str::trim)
                    .filter(|reason| !reason.is_empty());
                let said = reason
                    .map(|reason| format!(" Reason: {reason}"))
                    .unwrap_or_default();
                format!("The person did not allow this call. It was not carried out.{said}")
            }
            Self::Refused { why } => {
                let why = why.trim_end_matches('.');
                format!("Not allowed here: {why}. It was not carried out.")
            }
            Self::NotRun { why } => format!("Not carried out: {}.", why.words()),
            Self::Unknown { why } => format!(
                "Nobody knows whether this was carried out: {}. Do not repeat it without asking the person.",
                why.words()
            ),
        })
    }

    /// The same as it can be written and read again: what is nested too deeply is left out, and where
    /// the model would miss it, it is told so.
    pub(crate) fn keepable(mut self) -> Self {
        if let Self::Answered { answer } = &mut self {
            let ToolResult {
                content,
                structured,
                extra,
                ..
            } = &mut answer.result;
            for part in content.iter_mut() {
                if matches!(part, Content::Unknown { value } if is_too_deep(value)) {
                    *part = Content::text(TOO_DEEP);
                }
            }
            let parts = content.iter_mut().flat_map(Content::extras_mut);
            let extras = parts.map(|(_, extra)| extra).chain([extra]);
            for extra in extras.filter(|extra| is_map_too_deep(extra)) {
                extra.clear();
            }
            if structured.take_if(|value| is_too_deep(value)).is_some() {
                content.push(Content::text(TOO_DEEP));
            }
            let changed = answer.changed.take_if(|sent| is_map_too_deep(sent));
            if changed.is_some() {
                content.push(Content::text(CHANGED_TOO_DEEP));
            }
        }
        self
    }

    /// Whether the model is to take it for an error.
    pub fn is_error(&self) -> bool {
        match self {
            Self::Answered { answer } => answer.result.is_error,
            Self::Own { .. } => false,
            Self::Helped { report } => report.is_error(),
            _ => true,
        }
    }
}

impl NotRun {
    fn words(&self) -> String {
        match self {
            Self::Stopped => "the person stopped it".to_owned(),
            Self::ReplyCut => "the reply was cut, so that its calls may be incomplete".to_owned(),
            Self::Arguments { problem } => {
                format!(
                    "the arguments are not valid: {}",
                    problem.trim_end_matches('.')
                )
            }
            Self::Unavailable { problem } => {
                format!("it cannot be used now: {}", problem.trim_end_matches('.'))
            }
            Self::NoSuchTool { near } if near.is_empty() => {
                "there is no tool of this name".to_owned()
            }
            Self::NoSuchTool { near } => {
                format!("there is no tool of this name; near: {}", near.join(", "))
            }
            Self::PurseSpent => "this turn has reached its limit".to_owned(),
            Self::Repeated => "the same calls kept having the same results in this turn".to_owned(),
            Self::ApplicationEnded => "the application ended before it was looked at".to_owned(),
        }
    }
}

impl Unknown {
    fn words(self) -> &'static str {
        match self {
            Self::ApplicationEnded => "the application ended while it ran",
            Self::ServerStopped => "the server stopped while it ran",
            Self::NoAnswer => "there was no answer before the deadline",
            Self::Stopped => "it was stopped while it ran",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Entry;
    use crate::depth::tests::nested;
    use crate::turn::world::answered;
    use expect_test::expect;
    use protocol::CallId;

    /// The deepest value that can come to us inside a message of a server.
    const COMES: usize = 125;

    #[test]
    fn a_result_that_is_nested_as_deeply_as_can_come_is_written_so_that_it_can_be_read_again() {
        let deep = || Map::from_iter([("x".to_owned(), nested(COMES))]);
        let mut outcome = answered("fine");
        let Outcome::Answered { answer } = &mut outcome else {
            unreachable!()
        };
        answer.result.structured = Some(nested(COMES));
        answer.result.extra = deep();
        answer.changed = Some(deep());
        answer.result.content.push(Content::Unknown {
            value: nested(COMES),
        });
        answer.result.content.push(Content::Text {
            text: "also fine".to_owned(),
            extra: deep(),
        });
        let call = CallId::from("call-1");
        let outcome = outcome.keepable();
        let entry = Entry::CallSettled { call, outcome };
        let written = serde_json::to_string(&entry).unwrap();
        assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), entry);
        let left_out = written.matches("nested too deeply").count();
        assert_eq!(left_out, 3, "{written}");
        assert!(written.contains("also fine"), "{written}");
    }

    #[test]
    fn a_result_that_can_be_kept_is_kept_as_it_came() {
        let mut outcome = answered("fine");
        if let Outcome::Answered { answer } = &mut outcome {
            answer.result.structured = Some(nested(crate::depth::DEEPEST));
        }
        assert_eq!(outcome.clone().keepable(), outcome);
    }

    #[test]
    fn a_model_is_told_what_is_known_and_no_more() {
        let not_run = |why| Outcome::NotRun { why };
        let told: Vec<String> = [
            Outcome::Denied { reason: None },
            Outcome::Denied {
                reason: Some("Use the test account.".to_owned()),
            },
            Outcome::Refused {
                why: "the administrator forbids it.".to_owned(),
            },
            not_run(NotRun::Stopped),
            not_run(NotRun::ReplyCut),
            not_run(NotRun::Arguments {
                problem: "`path` is missing".to_owned(),
            }),
            not_run(NotRun::Unavailable {
                problem: "files stopped while starting.".to_owned(),
            }),
            not_run(NotRun::NoSuchTool {
                near: vec!["files__read".to_owned()],
            }),
            not_run(NotRun::NoSuchTool { near: Vec::new() }),
            not_run(NotRun::PurseSpent),
            not_run(NotRun::Repeated),
            not_run(NotRun::ApplicationEnded),
            Outcome::Unknown {
                why: Unknown::ApplicationEnded,
            },
            Outcome::Unknown {
                why: Unknown::ServerStopped,
            },
            Outcome::Unknown {
                why: Unknown::NoAnswer,
            },
            Outcome::Unknown {
                why: Unknown::Stopped,
            },
        ]
        .iter()
        .filter_map(Outcome::words)
        .collect();
        expect![[r#"
            The person did not allow this call. It was not carried out.
            The person did not allow this call. It was not carried out. Reason: Use the test account.
            Not allowed here: the administrator forbids it. It was not carried out.
            Not carried out: the person stopped it.
            Not carried out: the reply was cut, so that its calls may be incomplete.
            Not carried out: the arguments are not valid: `path` is missing.
            Not carried out: it cannot be used now: files stopped while starting.
            Not carried out: there is no tool of this name; near: files__read.
            Not carried out: there is no tool of this name.
            Not carried out: this turn has reached its limit.
            Not carried out: the same calls kept having the same results in this turn.
            Not carried out: the application ended before it was looked at.
            Nobody knows whether this was carried out: the application ended while it ran. Do not repeat it without asking the person.
            Nobody knows whether this was carried out: the server stopped while it ran. Do not repeat it without asking the person.
            Nobody knows whether this was carried out: there was no answer before the deadline. Do not repeat it without asking the person.
            Nobody knows whether this was carried out: it was stopped while it ran. Do not repeat it without asking the person."#]]
        .assert_eq(&told.join("\n"));
        for words in told {
            let says_no = words.to_lowercase().contains("not carried out");
            assert_ne!(says_no, words.starts_with("Nobody knows"), "{words}");
        }
    }
}
