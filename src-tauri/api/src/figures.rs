//! The activity in figures: how many calls, of whom, and how long they took.

use crate::Outcome;
use protocol::{Caller, ServerId, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The calls that fit a filter, in figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ActivityFigures {
    /// How many calls fit.
    #[ts(type = "number")]
    pub calls: u64,
    /// How long a span is.
    pub unit: SpanUnit,
    /// All spans from the first call to the last, or as the filter says, in order; at most 92.
    pub spans: Vec<SpanFigures>,
    /// By server, most calls first; at most 20.
    pub servers: Vec<ServerFigures>,
    /// By who asked, most calls first; at most 20.
    pub callers: Vec<CallerFigures>,
    /// How they ended, most first.
    pub outcomes: Vec<OutcomeCount>,
    /// How long they ran; absent where none did.
    pub ran: Option<TimeFigures>,
    /// How long those waited for a person of which somebody was asked something.
    pub waited: Option<TimeFigures>,
}

/// How long a span of the figures is, by the calendar of this computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum SpanUnit {
    /// An hour.
    Hour,
    /// A day.
    Day,
    /// A week, from Monday on.
    Week,
    /// A month.
    Month,
}

/// The calls of one span.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct SpanFigures {
    /// When it begins.
    pub from: Timestamp,
    /// When the next one begins.
    pub to: Timestamp,
    /// Calls that were answered, those that run still included.
    #[ts(type = "number")]
    pub done: u64,
    /// Calls that failed, were cancelled or interrupted, or of which the tool said that it failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// Calls that were not allowed.
    #[ts(type = "number")]
    pub refused: u64,
}

/// The calls of one server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ServerFigures {
    /// Which one.
    pub server: ServerId,
    /// All of them.
    #[ts(type = "number")]
    pub calls: u64,
    /// Those that failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// Those that were not allowed.
    #[ts(type = "number")]
    pub refused: u64,
    /// How long they ran; absent where none did.
    pub ran: Option<TimeFigures>,
}

/// The calls of one caller.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct CallerFigures {
    /// Who asked.
    pub caller: Caller,
    /// All of them.
    #[ts(type = "number")]
    pub calls: u64,
    /// Those that failed.
    #[ts(type = "number")]
    pub failed: u64,
    /// Those that were not allowed.
    #[ts(type = "number")]
    pub refused: u64,
}

/// How many calls ended in one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OutcomeCount {
    /// How.
    pub outcome: Outcome,
    /// How many.
    #[ts(type = "number")]
    pub calls: u64,
}

/// How long calls took, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct TimeFigures {
    /// Half of them took no longer.
    #[ts(type = "number")]
    pub p50: u64,
    /// 95 of a hundred took no longer.
    #[ts(type = "number")]
    pub p95: u64,
    /// Of how many calls.
    #[ts(type = "number")]
    pub of: u64,
}
