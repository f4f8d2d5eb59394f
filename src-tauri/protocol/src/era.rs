//! The two eras of the protocol.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// How a server begins to speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Era {
    /// Without a handshake: 2026-07-28.
    Modern,
    /// With a handshake: 2024-11-05 to 2025-11-25.
    Legacy,
}

/// Which era a server is to be spoken to in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum EraChoice {
    /// Found out, and remembered.
    #[default]
    Auto,
    /// Always without a handshake.
    Modern,
    /// Always with a handshake.
    Legacy,
}

impl Era {
    /// A short stable text for tables.
    pub fn key(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Legacy => "legacy",
        }
    }
}
