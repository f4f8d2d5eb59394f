//! What an answer would be remembered for, and how remembered answers could be narrower.

use policy::{Allowed, ArgumentOptions, Covered, Grant, RememberProblem};
use protocol::{CallId, GrantId, QuestionId, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// What an answer would do, before it is given.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DecisionPreview {
    /// Why the changed arguments cannot be sent, if so.
    pub problems: Vec<String>,
    /// Why it cannot be remembered as was wanted, if so.
    pub not_remembered: Option<RememberProblem>,
    /// What a remembered answer may say about each argument, for the arguments as they are changed.
    pub options: Vec<ArgumentOptions>,
    /// The grant that would be remembered.
    pub grant: Option<Grant>,
    /// Other waiting questions that it would settle.
    pub settles: Vec<QuestionId>,
    /// Calls of the last 30 days that it would have covered, newest first, the first few.
    pub past: Vec<PastCall>,
    /// How many of the tool's calls of the last 30 days it would have covered.
    pub past_covered: u32,
    /// How many calls of the tool there were in the last 30 days.
    pub past_all: u32,
}

/// A call that was made earlier.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PastCall {
    /// Which call.
    pub call: CallId,
    /// When.
    pub at: Timestamp,
    /// What was sent; values of held secrets are covered.
    #[ts(type = "Record<string, unknown>")]
    pub arguments: Map<String, Value>,
}

/// A grant that is wider than what it was used for.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Tightening {
    /// The grant.
    pub grant: Grant,
    /// What it could cover instead.
    pub arguments: Covered,
    /// How many of the calls that it let through in the last 30 days would still be covered. Never
    /// less than all of them that are known.
    pub covered: u32,
    /// How many calls it let through in the last 30 days.
    pub used: u32,
    /// How the arguments differed, argument by argument: the values that were seen, the first few.
    pub seen: Vec<SeenValues>,
}

/// The values that one argument had.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SeenValues {
    /// The argument's name.
    pub argument: String,
    /// The values, as JSON texts, most frequent first, the first few.
    pub values: Vec<String>,
    /// How many different ones there were.
    pub different: u32,
    /// The limit that is proposed for it.
    pub allowed: Allowed,
}

/// An answer to one of several questions that are answered together.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct BatchDecision {
    /// Which question.
    pub question: QuestionId,
    /// The answer.
    pub answer: policy::Decision,
}

/// What became of each of several answers.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct BatchOutcome {
    /// Questions that were answered.
    pub answered: Vec<QuestionId>,
    /// Questions that did not wait any more, or whose answer did not fit.
    pub failed: Vec<QuestionId>,
    /// Grants that were made.
    pub grants: Vec<GrantId>,
}
