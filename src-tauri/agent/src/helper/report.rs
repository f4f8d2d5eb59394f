//! What came of a task: how far whoever does it has come, and what its giver is told.
//!
//! Always true here: an answer is of the kind that was asked for, or it is none.

use super::{Task, Worker};
use crate::purse::Spent;
use crate::{Conversation, Item, Outcome, ReplyPart, Said};
use protocol::{AnswerType, Boundary, Confidentiality, ConversationId, Label, Timestamp, TurnEnd};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How often an answer of another kind is asked for again.
const AGAIN: usize = 1;
/// The longest text that the reader answers, in characters.
const LONGEST_READ: usize = 200;
/// What the reader says where what it reads does not tell.
const CANNOT_TELL: &str = "cannot tell";

/// What came of a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct HelperReport {
    /// In which conversation it was done.
    pub conversation: ConversationId,
    /// How it has ended.
    pub end: HelperEnd,
    /// From whom all is that was read for it, how far that may be believed, and who may read it.
    pub label: Label,
    /// What it took.
    pub spent: Spent,
    /// When it ended.
    pub at: Timestamp,
    /// Between which marks a model gets it; drawn after it came.
    pub boundary: Boundary,
}

/// How a task has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum HelperEnd {
    /// With an answer.
    Answered {
        /// The answer.
        value: Value,
        /// Whether it can hold nothing but what was asked for.
        is_closed: bool,
    },
    /// What was to be read does not tell.
    CannotTell,
    /// With an answer of another kind than was asked for.
    OtherKind,
    /// Without an answer.
    Unfinished {
        /// Why.
        why: TurnEnd,
    },
}

/// How far a task has come.
#[derive(Debug, Clone, PartialEq)]
pub enum Progress {
    /// Nothing was said yet.
    NotBegun,
    /// It goes on.
    GoesOn,
    /// The answer was of another kind: which one is needed is to be said once more.
    SayAgain {
        /// What is said.
        said: Vec<Said>,
        /// What it took until now of its purse.
        spent: Spent,
    },
    /// It has ended.
    Ended {
        /// How.
        end: HelperEnd,
    },
}

/// How far a task has come by the conversation in which it is done.
pub fn progress(conversation: &Conversation, task: &Task) -> Progress {
    if conversation.open().is_some() {
        return Progress::GoesOn;
    }
    let Some(end) = conversation.last_end() else {
        return Progress::NotBegun;
    };
    let ended = |end| Progress::Ended { end };
    // Where its limit was reached, the closing answer may be one.
    if !matches!(end, TurnEnd::Done | TurnEnd::PurseSpent) {
        return ended(HelperEnd::Unfinished { why: end });
    }
    let words = last_words(conversation);
    let is_reader = matches!(task.worker, Worker::Reader { .. });
    let bare = words.trim().trim_end_matches('.').trim_matches(['"', '`']);
    if is_reader && bare.eq_ignore_ascii_case(CANNOT_TELL) {
        return ended(HelperEnd::CannotTell);
    }
    let value = task.answer.read(&words);
    let value = value.filter(|value| !is_reader || is_short(value));
    if let Some(value) = value {
        let is_closed = task.answer.is_closed();
        return ended(HelperEnd::Answered { value, is_closed });
    }
    if end != TurnEnd::Done {
        return ended(HelperEnd::Unfinished { why: end });
    }
    if conversation.turns() > AGAIN {
        return ended(HelperEnd::OtherKind);
    }
    let text = format!(
        "That is not the answer in the form that is needed: {}{}.",
        task.answer,
        match (is_reader, &task.answer) {
            (true, AnswerType::Text) => format!(" of at most {LONGEST_READ} characters"),
            _ => String::new(),
        }
    );
    let label = conversation.label();
    Progress::SayAgain {
        said: vec![Said::Task { text, label }],
        spent: conversation.spent(),
    }
}

fn is_short(value: &Value) -> bool {
    value
        .as_str()
        .is_none_or(|text| text.chars().count() <= LONGEST_READ)
}

/// The words of the last reply.
fn last_words(conversation: &Conversation) -> String {
    let reply = conversation
        .items()
        .iter()
        .rev()
        .find_map(|item| match item {
            Item::Reply { reply, .. } => Some(reply),
            _ => None,
        });
    let parts = reply.into_iter().flat_map(|reply| &reply.parts);
    let words = parts.filter_map(|part| match part {
        ReplyPart::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    words.collect()
}

impl HelperReport {
    /// The answer, where there is one.
    pub fn answer(&self) -> Option<String> {
        match &self.end {
            HelperEnd::Answered { value, .. } => Some(said(value)),
            _ => None,
        }
    }

    /// The words of an answer that may be a stranger's.
    pub(crate) fn words_of_others(&self) -> Option<String> {
        let is_open = matches!(
            self.end,
            HelperEnd::Answered {
                is_closed: false,
                ..
            }
        );
        self.answer().filter(|_| is_open)
    }

    /// What the giver of the task is told in words of ours, where it is told nothing else.
    pub(crate) fn words(&self) -> Option<String> {
        let why = match &self.end {
            HelperEnd::Answered {
                is_closed: false, ..
            } => return None,
            HelperEnd::Answered { value, .. } => return Some(format!("Answer: {}", said(value))),
            HelperEnd::CannotTell => {
                return Some("What was read does not tell.".to_owned());
            }
            HelperEnd::OtherKind => "its answer was not in the form that is needed",
            HelperEnd::Unfinished { why } => reason(*why),
        };
        let calls = match self.spent.calls {
            0 => "It had called no tool.".to_owned(),
            1 => "It had called 1 tool.".to_owned(),
            calls => format!("It had called {calls} tools."),
        };
        Some(format!("There is no answer: {why}. {calls}"))
    }

    /// All that its giver is told, whoever's words it is made of.
    pub fn told(&self) -> String {
        self.words_of_others()
            .or_else(|| self.words())
            .unwrap_or_default()
    }

    /// Whether nobody else's words are in what its giver is told.
    pub fn is_closed(&self) -> bool {
        self.words_of_others().is_none()
    }

    /// Whether there is no answer.
    pub(crate) fn is_error(&self) -> bool {
        matches!(
            self.end,
            HelperEnd::OtherKind | HelperEnd::Unfinished { .. }
        )
    }
}

fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

fn reason(why: TurnEnd) -> &'static str {
    match why {
        TurnEnd::Done => "it said nothing",
        TurnEnd::Stopped => "the person stopped it",
        TurnEnd::Broke => "its reply did not come to its end",
        TurnEnd::Cut => "its reply ran into the limit of its length",
        TurnEnd::Refused => "it, or its service, refused",
        TurnEnd::PurseSpent => "this turn has reached its limit",
        TurnEnd::Loops => "it went in circles",
        TurnEnd::ContextFull => "what it has to read is more than it can read at once",
        TurnEnd::ModelChanged => "its model is another one by now",
    }
}

impl Conversation {
    /// The label of all that was said and read in it.
    pub fn label(&self) -> Label {
        let nothing = Label::of_nothing().at_least_as_confidential(Confidentiality::Private);
        let joined = |all: Label, one: &Label| all.join(one);
        self.items().iter().fold(nothing, |all, item| match item {
            Item::Said(said) => said
                .iter()
                .fold(all, |all, said| joined(all, &said.label())),
            Item::LetGoOn => all,
            Item::Imported(imported) => joined(all, &imported.label),
            Item::Reply { calls, .. } => {
                let outcomes = calls.iter().filter_map(|call| call.outcome.as_ref());
                outcomes.fold(all, |all, outcome| match outcome {
                    Outcome::Answered { answer } => joined(all, &answer.label),
                    Outcome::Helped { report } => joined(all, &report.label),
                    _ => all,
                })
            }
        })
    }
}
