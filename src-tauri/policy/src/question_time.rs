//! How long questions wait.

use protocol::Timestamp;
use std::ops::RangeInclusive;
use std::time::Duration;

/// How long a question waits for its answer, as the person chose. After that the answer is no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct QuestionTime {
    minutes: u32,
}

impl QuestionTime {
    /// What can be chosen, in minutes.
    pub const MINUTES: RangeInclusive<u32> = 1..=24 * 60;

    /// So many minutes; nothing if they cannot be chosen.
    pub fn of_minutes(minutes: u32) -> Option<Self> {
        Self::MINUTES.contains(&minutes).then_some(Self { minutes })
    }

    /// In minutes.
    pub fn minutes(self) -> u32 {
        self.minutes
    }

    /// As a length of time.
    pub fn duration(self) -> Duration {
        Duration::from_secs(60 * u64::from(self.minutes))
    }

    /// When a question that was asked then becomes a no.
    pub fn after(self, asked_at: Timestamp) -> Timestamp {
        asked_at.plus(self.duration())
    }
}

impl Default for QuestionTime {
    fn default() -> Self {
        Self { minutes: 10 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_waits_a_minute_at_least_and_a_day_at_most() {
        for (minutes, can_be_chosen) in [(0, false), (1, true), (1440, true), (1441, false)] {
            let time = QuestionTime::of_minutes(minutes);
            assert_eq!(time.is_some(), can_be_chosen, "{minutes}");
        }
        let asked_at = Timestamp(1_000);
        assert_eq!(QuestionTime::default().after(asked_at), Timestamp(601_000));
    }
}
