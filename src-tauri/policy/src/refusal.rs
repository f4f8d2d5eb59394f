//! Why a call may not run.

use crate::rule::{Layer, RuleProblem};
use protocol::{GrantId, RuleId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Refusal {
    /// The person has switched this tool off.
    #[error("this tool is switched off")]
    SwitchedOff,
    /// Nobody has approved yet what the server says about this.
    #[error("nobody has reviewed this yet; review what its server offers first")]
    NotReviewed,
    /// It is not what was approved, and a person has still to see the difference.
    #[error("this has changed since it was approved; look at what is different first")]
    Quarantined,
    /// A person does not ever want it.
    #[error("this is blocked")]
    Blocked,
    /// The application was not given this.
    #[error("this application was not given this; the person can give it in Majordomo")]
    NotSelected,
    /// The application works in another workspace than the one in use.
    #[error(
        "this application works in another workspace than the one in use; the person can switch to it in Majordomo, then try again"
    )]
    WorkspaceNotInUse,
    /// A file that is named lies in nothing that the server was given.
    #[error(
        "{path} lies outside the folders that this server was given; the person can give it a folder in Majordomo"
    )]
    OutsideFolders {
        /// Where it really lies.
        path: String,
    },
    /// The arguments do not fit the tool's input schema.
    #[error("the arguments do not fit the tool's input schema: {}", problems.join("; "))]
    ArgumentsInvalid {
        /// Where and why, the first few.
        problems: Vec<String>,
    },
    /// Comparing the arguments with the tool's input schema would take too long.
    #[error(
        "the arguments are too large to be checked against the tool's input schema; send less at once"
    )]
    ArgumentsTooLarge,
    /// The tool's input schema itself cannot be used, so nothing can be checked against it.
    #[error("the tool's input schema cannot be used: {problem}")]
    SchemaUnusable {
        /// What is wrong with it.
        problem: String,
    },
    /// The server lists more resource templates than an address can be compared with.
    #[error("the server lists too many resource templates to compare this address with them")]
    TooManyTemplates,
    /// A rule forbids it.
    #[error("a rule {} forbids this{}", match by { Layer::Person => "of the person", Layer::Administrator => "of the administrator", Layer::BuiltIn => "of Majordomo" }, reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())]
    Forbidden {
        /// Which rules.
        rules: Vec<RuleId>,
        /// Who made the first of them.
        by: Layer,
        /// What its maker says about it.
        reason: Option<String>,
    },
    /// The rules cannot be read, so nothing is allowed.
    #[error("the rules cannot be read, and nothing runs without them: {problem}")]
    RulesBroken {
        /// Where and why.
        problem: RuleProblem,
    },
    /// A person said no earlier, to this and to what comes later.
    #[error("a person has said no to this earlier{}", reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())]
    DeniedEarlier {
        /// The remembered answer.
        grant: GrantId,
        /// In their words.
        reason: Option<String>,
    },
    /// Too many questions wait or were asked within a short time.
    #[error("too many questions were asked for this caller and server; wait a minute")]
    TooManyQuestions,
    /// A person said no.
    #[error("a person said no{}", reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())]
    DeniedByPerson {
        /// In their words.
        reason: Option<String>,
    },
    /// A program that holds the approver token said no.
    #[error("a program with the approver token said no{}", reason.as_ref().map(|r| format!(": {r}")).unwrap_or_default())]
    DeniedByToken {
        /// In its words.
        reason: Option<String>,
    },
    /// Nobody answered in time.
    #[error("nobody answered the question in time")]
    NobodyAnswered,
    /// A program called, and nobody was there who could be asked.
    #[error(
        "nobody is there who could allow this: open Majordomo, answer with `majordomoctl questions`, or allow it by a rule, and call again"
    )]
    NobodyThere,
    /// The question's window was closed without an answer.
    #[error("the question was closed without an answer")]
    QuestionClosed,
    /// The caller withdrew the call while the question was waiting.
    #[error("the call was cancelled before anyone answered")]
    Cancelled,
    /// The tool or the way of reaching its server changed while the person was deciding.
    #[error(
        "the tool or its server changed while the question was open; call again to be asked anew"
    )]
    ChangedWhileAsking,
    /// Another workspace was taken into use while the person was asked.
    #[error(
        "another workspace came into use while a person was asked; ask again there if it is still wanted"
    )]
    OtherWorkspace,
    /// A person was asked about the same call again and again, said no, and it came again.
    #[error(
        "the same call was made too often, and a person said no to more; go on without it, or wait a minute"
    )]
    TooOften,
    /// It needs a person's yes, and nobody can be asked about it.
    #[error("this needs a person's yes, and it is nothing that a person can be asked about")]
    NeedsPerson,
    /// The disk is full, so nothing of it could be written down, and it does not run.
    #[error("the disk is full, so nothing was sent; make room, then try again")]
    DiskFull,
    /// Another program holds the database, so nothing of it could be written down, and it does not
    /// run.
    #[error(
        "the database is locked by another program, so nothing was sent; close that program, then try again"
    )]
    DatabaseLocked,
    /// The trace of the call could not be written, so the call does not run.
    #[error("the log cannot be written, and nothing runs without a record")]
    NoTrace,
}
