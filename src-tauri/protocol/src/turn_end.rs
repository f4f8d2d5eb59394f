//! How a turn of a conversation with a model has ended.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a turn has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TurnEnd {
    /// The model has said all.
    Done,
    /// The person has stopped it.
    Stopped,
    /// A reply did not come to its end.
    Broke,
    /// A reply ran into the limit of its length.
    Cut,
    /// The model, or its service, refused.
    Refused,
    /// The purse is spent, and the person does not let it go on.
    PurseSpent,
    /// It went in circles, and the person does not let it go on.
    Loops,
    /// What has to be sent does not fit into what the model can read.
    ContextFull,
    /// Since the application was started again another model answers in this conversation. What the
    /// one before has begun is its own to go on with.
    ModelChanged,
}
