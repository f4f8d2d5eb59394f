//! Whether a server may ask for a model, and how much.

use policy::Budget;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether a server may ask for a model. Each request is a question to the person all the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct SamplingSettings {
    /// Whether it may ask at all; not, unless a person says so.
    pub on: bool,
    /// Whether the person sees each reply before the server gets it.
    pub review_replies: bool,
    /// At most so much.
    pub limit: Budget,
}

/// Whether a server may ask for a model, and what it has used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SamplingView {
    /// What the person chose.
    pub settings: SamplingSettings,
    /// What is left of it now.
    pub left: Budget,
    /// The model that would answer, if there is one.
    pub model: Option<String>,
}
