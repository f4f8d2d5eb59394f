//! When a server that is on runs.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// When a server that is on runs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Runs {
    /// From its first use on, until nobody has used it for a while.
    #[default]
    WhenUsed,
    /// As long as Majordomo does.
    Always,
}
