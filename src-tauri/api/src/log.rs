//! The audit log as every surface shows it: rows for people, one call in full, what checking the
//! whole of it has shown, and anchors.

use policy::{Permission, Refusal};
use protocol::{
    CallId, Caller, CallerFilter, GrantId, QuestionId, RuleId, ServerId, Timestamp, ToolName,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// A part of the activity, by what its rows are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActivitySegment {
    /// What was wanted of servers.
    Calls,
    /// What somebody decided, or changed.
    Decisions,
    /// What happened without anybody's wish.
    System,
}

impl ActivitySegment {
    const ALL: [Self; 3] = [Self::Calls, Self::Decisions, Self::System];

    /// The part's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Decisions => "decisions",
            Self::System => "system",
        }
    }

    /// The part of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|segment| segment.as_str() == text)
    }
}

/// Which rows of the activity list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ActivityFilter {
    /// Only this part.
    #[serde(default)]
    pub segment: Option<ActivitySegment>,
    /// Only this server.
    #[serde(default)]
    pub server: Option<ServerId>,
    /// Only this tool.
    #[serde(default)]
    pub tool: Option<ToolName>,
    /// Only this outcome.
    #[serde(default)]
    pub outcome: Option<Outcome>,
    /// Only what these callers asked for.
    #[serde(default)]
    pub caller: Option<CallerFilter>,
    /// Only what happened at this time or later.
    #[serde(default)]
    pub from: Option<Timestamp>,
    /// Only what happened before this time.
    #[serde(default)]
    pub to: Option<Timestamp>,
    /// Only rows that hold all these words.
    #[serde(default)]
    pub text: Option<String>,
}

/// How a call, or another recorded event, ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It has not ended.
    Running,
    /// The tool answered.
    Done,
    /// The tool answered that it failed.
    ToolError,
    /// The call failed: the server, the connection or the protocol.
    Failed,
    /// It was not allowed.
    Refused,
    /// The caller cancelled it.
    Cancelled,
    /// The host or the server ended while it ran; what it did is unknown.
    Interrupted,
    /// Not a call: something a person changed.
    Noted,
}

impl Outcome {
    const ALL: [Self; 8] = [
        Self::Running,
        Self::Done,
        Self::ToolError,
        Self::Failed,
        Self::Refused,
        Self::Cancelled,
        Self::Interrupted,
        Self::Noted,
    ];

    /// The outcome's name, as in the log.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Done => "done",
            Self::ToolError => "tool_error",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Cancelled => "cancelled",
            Self::Interrupted => "interrupted",
            Self::Noted => "noted",
        }
    }

    /// The outcome of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
    }
}

/// Why a row ended as it did. On whose word stands beside it, in `approver`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ActivityReason {
    /// Somebody who was asked about it said yes.
    Allowed,
    /// An approval that was given earlier lets it through.
    AllowedEarlier,
    /// A rule lets it through.
    AllowedByRule,
    /// Somebody who was asked about it said no.
    Denied,
    /// Somebody said no earlier, to this and to what comes later.
    DeniedEarlier,
    /// A rule forbids it.
    ForbiddenByRule,
    /// Nobody answered, or the question was closed.
    Unanswered,
    /// It is switched off, blocked, or not approved as it is now.
    NotApproved,
    /// It names a file outside what its server was given.
    OutsideFolders,
    /// The arguments do not fit the tool, or cannot be checked.
    UnfitArguments,
    /// It came too often, or too many questions were asked.
    TooOften,
    /// What it was about changed while somebody was asked.
    Changed,
    /// Nobody can be asked about it.
    NeedsPerson,
    /// The rules cannot be read or the log cannot be written.
    CannotCheck,
    /// The log says that it had ended.
    EndedInLog,
    /// The log does not know that it ever began.
    NotInLog,
    /// It is not what the log says it is.
    UnlikeLog,
}

impl ActivityReason {
    const ALL: [Self; 17] = [
        Self::Allowed,
        Self::AllowedEarlier,
        Self::AllowedByRule,
        Self::Denied,
        Self::DeniedEarlier,
        Self::ForbiddenByRule,
        Self::Unanswered,
        Self::NotApproved,
        Self::OutsideFolders,
        Self::UnfitArguments,
        Self::TooOften,
        Self::Changed,
        Self::NeedsPerson,
        Self::CannotCheck,
        Self::EndedInLog,
        Self::NotInLog,
        Self::UnlikeLog,
    ];

    /// Why a call may run.
    pub fn of_permission(permission: &Permission) -> Self {
        match permission {
            Permission::Grant { .. } => Self::AllowedEarlier,
            Permission::Answer { .. } => Self::Allowed,
            Permission::Rules { .. } => Self::AllowedByRule,
        }
    }

    /// Why something was refused; absent for what was withdrawn.
    pub fn of_refusal(refusal: &Refusal) -> Option<Self> {
        Some(match refusal {
            Refusal::SwitchedOff
            | Refusal::NotReviewed
            | Refusal::Quarantined
            | Refusal::Blocked
            | Refusal::NotSelected
            | Refusal::WorkspaceNotInUse => Self::NotApproved,
            Refusal::OutsideFolders { .. } => Self::OutsideFolders,
            Refusal::ArgumentsInvalid { .. }
            | Refusal::ArgumentsTooLarge
            | Refusal::SchemaUnusable { .. } => Self::UnfitArguments,
            Refusal::Forbidden { .. } => Self::ForbiddenByRule,
            Refusal::RulesBroken { .. }
            | Refusal::TooManyTemplates
            | Refusal::DiskFull
            | Refusal::DatabaseLocked
            | Refusal::NoTrace => Self::CannotCheck,
            Refusal::DeniedEarlier { .. } => Self::DeniedEarlier,
            Refusal::DeniedByPerson { .. } | Refusal::DeniedByToken { .. } => Self::Denied,
            Refusal::NobodyAnswered | Refusal::NobodyThere | Refusal::QuestionClosed => {
                Self::Unanswered
            }
            Refusal::TooManyQuestions | Refusal::TooOften => Self::TooOften,
            Refusal::ChangedWhileAsking | Refusal::OtherWorkspace => Self::Changed,
            Refusal::NeedsPerson => Self::NeedsPerson,
            Refusal::Cancelled => return None,
        })
    }

    /// How a question ended, by the word for it in the log. A word that is not known is no yes.
    pub fn of_answer(answer: &str) -> Self {
        match answer {
            "allow_once" | "allow_remembered" | "use_model" | "send_reply" | "change_rule"
            | "open_url" | "form_accept" => Self::Allowed,
            "settled_by_permission" => Self::AllowedEarlier,
            "deny" | "deny_remembered" | "decline" | "form_decline" | "form_cancel" => Self::Denied,
            _ => Self::Unanswered,
        }
    }

    /// The reason's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Allowed => "allowed",
            Self::AllowedEarlier => "allowed_earlier",
            Self::AllowedByRule => "allowed_by_rule",
            Self::Denied => "denied",
            Self::DeniedEarlier => "denied_earlier",
            Self::ForbiddenByRule => "forbidden_by_rule",
            Self::Unanswered => "unanswered",
            Self::NotApproved => "not_approved",
            Self::OutsideFolders => "outside_folders",
            Self::UnfitArguments => "unfit_arguments",
            Self::TooOften => "too_often",
            Self::Changed => "changed",
            Self::NeedsPerson => "needs_person",
            Self::CannotCheck => "cannot_check",
            Self::EndedInLog => "ended_in_log",
            Self::NotInLog => "not_in_log",
            Self::UnlikeLog => "unlike_log",
        }
    }

    /// The reason of that name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.as_str() == text)
    }
}

/// Rows of the activity list.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ActivityPage {
    /// Newest first.
    pub rows: Vec<ActivityRow>,
    /// Give this as `before` for the next page; absent at the end.
    #[ts(type = "number | null")]
    pub next: Option<u64>,
}

/// One row of the activity list: a call, or something a person changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ActivityRow {
    /// The number of its first record in the log.
    #[ts(type = "number")]
    pub seq: u64,
    /// When it began.
    pub at: Timestamp,
    /// What happened: `call`, or the kind of change, such as `server_added`, `grant_made`,
    /// `question_answered`.
    pub what: String,
    /// In which part of the activity it stands.
    pub segment: ActivitySegment,
    /// What it is about besides the server and the tool: a folder, the name of an offer, a
    /// workspace, a model, an assistant, an application, an account, the address of a resource, the
    /// text of a rule; at most 200 characters. May be a stranger's words.
    pub subject: Option<String>,
    /// What was chosen, as a word: `on`, `off`; of offers `approve`, `keep_off`, `block`, absent
    /// where they differ; of a grant `allow`, `deny`.
    pub choice: Option<String>,
    /// Of how many things it speaks, where that can be more than one.
    #[ts(type = "number | null")]
    pub count: Option<u64>,
    /// The question that it belongs to.
    pub question: Option<QuestionId>,
    /// The grant that it is about, or that let it through or kept it away.
    pub grant: Option<GrantId>,
    /// The rule that it is about, or the first of those that let it through or kept it away.
    pub rule: Option<RuleId>,
    /// Who asked.
    pub caller: Option<Caller>,
    /// Which server.
    pub server: Option<ServerId>,
    /// Which tool.
    pub tool: Option<ToolName>,
    /// How it ended.
    pub outcome: Outcome,
    /// Why it ended so; absent where nothing was decided.
    pub reason: Option<ActivityReason>,
    /// On whose word: `question_window`, `terminal`, …, or a caller as `kind:id`. Of a call that was
    /// asked about, who answered; absent where nobody decided.
    pub approver: Option<String>,
    /// Milliseconds from beginning to end, the person's thinking included.
    #[ts(type = "number | null")]
    pub duration_ms: Option<u64>,
    /// Milliseconds of these in which a person was asked something; absent where it is unknown.
    #[ts(type = "number | null")]
    pub waited_ms: Option<u64>,
    /// Milliseconds that it ran, without the person's thinking; absent where it did not run, or it
    /// is unknown.
    #[ts(type = "number | null")]
    pub ran_ms: Option<u64>,
}

/// One call, or change, in full.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ActivityDetail {
    /// The row.
    pub row: ActivityRow,
    /// Which call it is, or belongs to.
    pub call: Option<CallId>,
    /// Whether the whole text of its answer is kept, because only a part was passed on. Filled in
    /// by whoever asks for the detail.
    pub whole_kept: bool,
    /// What was sent; values of held secrets are covered.
    #[ts(type = "Record<string, unknown> | null")]
    pub arguments: Option<Map<String, Value>>,
    /// On whose word it ran.
    pub permission: Option<Permission>,
    /// Who gave that word, and where: `question_window`, `terminal`, … For a call that a grant let
    /// through, who made the grant.
    pub approver: Option<String>,
    /// Why it did not run.
    pub refusal: Option<Refusal>,
    /// What failed.
    pub error: Option<String>,
    /// Its records in the log as they stand there, first to last.
    pub records: Vec<String>,
}

impl ActivityDetail {
    /// A row of which nothing more is known yet.
    pub fn of(row: ActivityRow) -> Self {
        let (call, arguments, permission, approver) = (None, None, None, None);
        Self {
            row,
            call,
            whole_kept: false,
            arguments,
            permission,
            approver,
            refusal: None,
            error: None,
            records: Vec::new(),
        }
    }
}

/// What reading the whole log has shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum LogReport {
    /// Nothing is missing or changed.
    Intact {
        /// The number of the last record.
        #[ts(type = "number")]
        records: u64,
        /// Where the last head was found.
        anchor: AnchorPlace,
        /// Records written after the last head was noted; they are chained, but not yet covered by
        /// it.
        #[ts(type = "number")]
        after_anchor: u64,
        /// The first record that is in the log; those before it were moved out.
        #[ts(type = "number")]
        first: u64,
        /// The first record that was read: 1 if those that were moved out are in the archive, all
        /// of them. Else `first`.
        #[ts(type = "number")]
        read_from: u64,
        /// How it is signed; none if it is not.
        signed: Option<Signed>,
    },
    /// Something is missing or changed.
    Broken {
        /// The first bad record.
        #[ts(type = "number")]
        record: u64,
        /// The file it is in.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
}

/// How a log is signed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Signed {
    /// The record from which on it is signed, without a break in the row of keys.
    #[ts(type = "number")]
    pub from: u64,
    /// The last record that is sealed: its key is erased, and nobody can write it anew. 0 if none
    /// is.
    #[ts(type = "number")]
    pub sealed: u64,
    /// Where the private key of what follows is kept.
    pub kept: KeyPlace,
    /// The first public key of the row: by it the log is known.
    pub root: String,
}

/// Where the head of the log is noted outside of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AnchorPlace {
    /// In the keyring.
    Keyring,
    /// In the database, because there is no keyring: weaker, since it lies beside the log.
    Database,
    /// Nowhere: the log is empty, or what was noted of it is gone.
    Nowhere,
}

/// A format of the exported log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ExportFormat {
    /// One JSON record a line.
    Jsonl,
    /// Comma-separated values with a heading line.
    Csv,
}

/// What is to be kept elsewhere, so that a log that was exchanged as a whole is noticed.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct AnchorExport {
    /// One line of text.
    pub text: String,
    /// The same as a QR code: an SVG image.
    pub qr: String,
    /// A name for a file.
    pub file_name: String,
    /// The last record that it covers.
    #[ts(type = "number")]
    pub seq: u64,
    /// When it was made.
    pub at: Timestamp,
}

/// How the log stands to an anchor that was kept elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum AnchorCheck {
    /// The log is the one of the anchor, and has only grown.
    Continues {
        /// The record up to which the anchor covers it.
        #[ts(type = "number")]
        seq: u64,
        /// When the anchor was made.
        at: Timestamp,
        /// Records since.
        #[ts(type = "number")]
        since: u64,
    },
    /// The log is older than the anchor: records that were there are missing.
    RolledBack {
        /// The record that the anchor names.
        #[ts(type = "number")]
        anchor: u64,
        /// The last record that is there.
        #[ts(type = "number")]
        records: u64,
    },
    /// The record that the anchor names is another one.
    Differs {
        /// The record that the anchor names.
        #[ts(type = "number")]
        seq: u64,
    },
    /// The record that the anchor names was moved out of the log, and its file is not in the
    /// archive any more.
    MovedOut {
        /// The record that the anchor names.
        #[ts(type = "number")]
        seq: u64,
        /// The first record that is still in the log.
        #[ts(type = "number")]
        first: u64,
    },
    /// The anchor is of another log.
    OtherLog,
}

/// What leaving out old records has done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Compacted {
    /// Records that were moved out.
    #[ts(type = "number")]
    pub records: u64,
    /// The folder in which their files are kept now; none if there was nothing to move.
    pub file: Option<String>,
    /// The first record that is still in the log.
    #[ts(type = "number")]
    pub first: u64,
}

/// Where the private key of the open section is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeyPlace {
    /// In the keyring, so that the next run goes on with it.
    Keyring,
    /// In memory: there is no keyring, and each run begins with a key that nothing vouches for.
    Memory,
}
