//! Rules: what the policy says in general, before anybody is asked.
//!
//! Always true here:
//! - a rule that forbids wins over every rule that allows and over every grant, whoever wrote it;
//! - what cannot be read or evaluated forbids, and says where it stands.

mod draft;
mod language;
mod policy_request;
mod read;
mod rules;
mod slices;
mod text;

pub use draft::BadDraft;
pub use language::language;
pub use policy_request::{Context, PolicyRequest, Target};
pub use rules::{AdministratorRules, LayerRules, Rules};

use crate::Refusal;
use protocol::{CallerFilter, RuleId, ServerId, Timestamp, ToolName};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A rule as people read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Rule {
    /// Its number; for an administrator's rule the name that is written at it.
    pub id: RuleId,
    /// Who made it.
    pub layer: Layer,
    /// What it does.
    pub effect: RuleEffect,
    /// When it is asked; an administrator's rule may be asked at several points.
    pub hooks: Vec<EnforcementPoint>,
    /// Its text in the Cedar language.
    pub text: String,
    /// What whoever made it says about it; told to the caller with a refusal.
    pub reason: Option<String>,
    /// What was clicked together, for a rule that a person made.
    pub draft: Option<RuleDraft>,
    /// When it was made, for a rule that a person made.
    pub made_at: Option<Timestamp>,
}

/// Who made a rule. In the order in which they are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Layer {
    /// Majordomo itself.
    BuiltIn,
    /// Whoever administrates this computer, in a file that the person cannot change.
    Administrator,
    /// The person.
    Person,
}

/// What a rule does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RuleEffect {
    /// It never happens.
    Forbid,
    /// A person is asked every time, whatever was allowed.
    Ask,
    /// It happens without a question, where nothing speaks against it.
    Allow,
}

/// When the rules are asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EnforcementPoint {
    /// Before a tool, a resource or a prompt is shown to a caller.
    Discover,
    /// Before a tool is called, and before anything else that a caller wants is sent to a server.
    Call,
    /// Before a result is handed to a caller.
    Return,
    /// Before anything leaves for another computer.
    Egress,
}

/// A rule as it is clicked together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct RuleDraft {
    /// What it does.
    pub effect: RuleEffect,
    /// When it is asked. [`RuleEffect::Ask`] and [`RuleEffect::Allow`] are for calls only.
    pub hook: EnforcementPoint,
    /// Only for these callers.
    pub caller: Option<CallerFilter>,
    /// Only for this server.
    pub server: Option<ServerId>,
    /// Only for this tool; needs a server.
    pub tool: Option<ToolName>,
    /// Only if all of these hold.
    pub when: Vec<Condition>,
    /// Why; told to the caller with a refusal.
    pub reason: Option<String>,
}

/// What must hold for a rule to apply. Of several hosts or paths that some program may read in a
/// call one is enough, except for [`RuleEffect::Allow`], which needs it to hold for all of them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Condition {
    /// The person marked the tool as one that does something that matters.
    Consequential,
    /// The person marked what the tool returns as secret.
    Secret,
    /// A value of the call came from a stranger.
    FromStrangers,
    /// The server is reached over the network.
    Remote,
    /// The server is a program on this computer that nothing confines.
    Unconfined,
    /// An address in the arguments, that of a resource, or the place that something leaves for,
    /// is on one of these hosts or a part of them.
    ToHosts {
        /// The hosts.
        hosts: Vec<String>,
    },
    /// A path in the arguments, or of a resource, lies in this folder.
    InFolder {
        /// Its absolute path.
        folder: String,
    },
    /// An inspection found this kind of thing in what is handed over, at the return hook only.
    Found {
        /// Instructions, credentials or personal numbers.
        what: FoundWhat,
    },
}

/// What an inspection can find in a result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FoundWhat {
    /// Instructions to a model.
    Instructions,
    /// What looks like a credential.
    Credentials,
    /// Personal numbers.
    PersonalNumbers,
}

/// What the rules say about one thing.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolicyDecision {
    /// Why whoever asks is not given it, whatever rules say.
    pub withheld: Option<Refusal>,
    /// Rules that forbid it.
    pub forbid: Vec<RuleId>,
    /// Who made the first of them.
    pub forbidden_by: Option<Layer>,
    /// What its maker says about it.
    pub reason: Option<String>,
    /// Rules that want a person to be asked every time.
    pub ask: Vec<RuleId>,
    /// Rules that let it happen without a question.
    pub allow: Vec<RuleId>,
    /// Why nothing can be said: rules that cannot be read or evaluated.
    pub broken: Option<RuleProblem>,
}

/// Where rules cannot be read or evaluated, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{place}{}: {problem}", line.map(|line| format!(", line {line}")).unwrap_or_default())]
pub struct RuleProblem {
    /// The file, or the number of the rule.
    pub place: String,
    /// The line in it, from 1.
    pub line: Option<u32>,
    /// The column in that line, from 1.
    pub column: Option<u32>,
    /// What is wrong, in the words of the language's reader.
    pub problem: String,
}
