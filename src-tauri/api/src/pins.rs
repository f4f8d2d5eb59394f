//! What a server offers, compared with what a person has approved.

use inspect::{Inspection, Likeness};
use policy::pin::{ApprovalStatus, Change, PinDecision};
use protocol::{FeatureKey, Fingerprint, ServerId, Timestamp, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// Everything that a server offers or offered, as a person reviews it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FeaturesReview {
    /// Which server.
    pub server: ServerId,
    /// What it says about itself, its tools, its prompts, its templates, in this order; what is
    /// gone comes last.
    pub offers: Vec<FeatureView>,
    /// How many wait for a decision.
    pub waiting: u32,
}

/// One thing that is offered, with all that a person should know before deciding.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FeatureView {
    /// By what it is known.
    pub key: FeatureKey,
    /// How it stands to what was decided.
    pub standing: ApprovalStatus,
    /// The fingerprint of the definition as it is now, to be sent with a decision; absent for one
    /// that is gone.
    pub fingerprint: Option<Fingerprint>,
    /// Everything that the server says about it now, in the names of MCP. A claim.
    #[ts(type = "Record<string, unknown> | null")]
    pub definition: Option<Map<String, Value>>,
    /// What was decided about last.
    #[ts(type = "Record<string, unknown> | null")]
    pub before: Option<Map<String, Value>>,
    /// When that was.
    pub decided_at: Option<Timestamp>,
    /// What is different, the gravest first.
    pub changes: Vec<Change>,
    /// What an inspection of the definition found, the worst first. Places are JSON pointers into
    /// it.
    pub inspection: Inspection,
    /// Tools of other servers that it can be taken for.
    pub resembles: Vec<Resemblance>,
    /// The evidence against it is certain: it is approved alone, never together with others.
    pub held_back: bool,
}

/// A tool of another server that this one can be taken for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Resemblance {
    /// Its server.
    pub server: ServerId,
    /// Its name.
    pub tool: ToolName,
    /// What it does, as its server says.
    pub description: Option<String>,
    /// In what they are alike.
    pub how: Alike,
}

/// In what two tools are alike.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Alike {
    /// Their names.
    Name {
        /// How.
        likeness: Likeness,
    },
    /// What they say that they are for; the other one is approved.
    Purpose {
        /// How much, from 0 to 100.
        percent: u8,
    },
}

/// A person's decision about one thing that is offered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct FeatureDecision {
    /// Which one.
    pub key: FeatureKey,
    /// The fingerprint that was shown; absent for one that is gone.
    pub fingerprint: Option<Fingerprint>,
    /// The decision. To approve what is gone is to forget it.
    pub decision: PinDecision,
}
