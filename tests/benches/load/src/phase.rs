//! The phases of a run.

use crate::call::Call;
use serde::{Deserialize, Serialize};

/// What is done for a while.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// One call after the other.
    #[serde(rename = "c1")]
    One,
    /// Eight calls at a time.
    #[serde(rename = "c8")]
    Eight,
    /// 64 calls at a time.
    #[serde(rename = "c64")]
    SixtyFour,
    /// Texts of one MiB, one after the other.
    #[serde(rename = "1mib")]
    OneMib,
    /// Texts of 16 MiB, one after the other.
    #[serde(rename = "16mib")]
    SixteenMib,
    /// Thousands of calls, one after the other: what the last ones cost beside the first ones.
    #[serde(rename = "growth")]
    Growth,
}

/// Phases that are measured in one life of what is measured, in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sitting {
    /// How long one call takes; on one processor core, if that is wanted.
    Latency,
    /// How many calls there are at a time.
    Throughput,
    /// From the first call of a life on.
    Growth,
}

impl Sitting {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Latency, Self::Throughput, Self::Growth];
}

const MIB: usize = 1024 * 1024;
/// What a message is more than its text, at most: messages may have 16 MiB in all.
const AROUND: usize = 64 * 1024;

impl Phase {
    /// All of them. The longest texts come last of their sitting: what a process takes at most is
    /// counted from its beginning.
    pub const ALL: [Self; 6] = [
        Self::One,
        Self::Eight,
        Self::SixtyFour,
        Self::OneMib,
        Self::SixteenMib,
        Self::Growth,
    ];

    /// By which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::One => "c1",
            Self::Eight => "c8",
            Self::SixtyFour => "c64",
            Self::OneMib => "1mib",
            Self::SixteenMib => "16mib",
            Self::Growth => "growth",
        }
    }

    /// The phase of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|phase| phase.name() == name)
    }

    /// With which others it is measured.
    pub fn sitting(self) -> Sitting {
        match self {
            Self::One | Self::OneMib | Self::SixteenMib => Sitting::Latency,
            Self::Eight | Self::SixtyFour => Sitting::Throughput,
            Self::Growth => Sitting::Growth,
        }
    }

    /// How many calls there are at a time.
    pub fn in_flight(self) -> usize {
        match self {
            Self::Eight => 8,
            Self::SixtyFour => 64,
            Self::One | Self::OneMib | Self::SixteenMib | Self::Growth => 1,
        }
    }

    /// So many calls are made at least, however long they take.
    pub fn fewest(self) -> u64 {
        match self {
            Self::SixteenMib => 1,
            Self::OneMib => 5,
            Self::One | Self::Eight | Self::SixtyFour | Self::Growth => 64,
        }
    }

    /// One of its calls.
    pub fn call(self, number: u64) -> Call {
        let bytes = match self {
            Self::OneMib => Some(MIB),
            Self::SixteenMib => Some(16 * MIB - AROUND),
            Self::One | Self::Eight | Self::SixtyFour | Self::Growth => None,
        };
        Call { number, bytes }
    }
}
