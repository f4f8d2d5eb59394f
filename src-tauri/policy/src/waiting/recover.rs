//! What becomes of a call that an earlier run left in the middle.
//!
//! Always true here: a call that may have been sent is not sent again, and what the log says
//! counts more than what the row says.

use super::{Awaited, Durable, Effect, End, Record, Resolution, Stage, Step};
use crate::{Decision, QuestionTime, Refusal};
use protocol::Timestamp;
use std::time::Duration;

/// How long a question is brought up again after it was asked.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// How far a call had come.
#[derive(Debug, Clone, PartialEq)]
pub enum Left {
    /// Nobody had answered.
    Waiting,
    /// A person had answered, and nothing was sent.
    Answered {
        /// The answer.
        answer: Box<Decision>,
        /// When it came.
        at: Timestamp,
    },
    /// What is needed to go on cannot be read any more.
    Unreadable,
    /// It was sent, or was just about to be: nobody knows.
    Sent(End),
    /// It was sent, and its server waited for input.
    Paused(End),
}

/// A call of an earlier run, and what is known about it now.
#[derive(Debug, Clone, PartialEq)]
pub struct Recovery {
    /// How far it had come.
    pub left: Left,
    /// When it was asked about.
    pub asked_at: Timestamp,
    /// The log knows its end, or that it had begun; of one that was paused, its end.
    pub in_the_log: bool,
    /// Whether this run carries out what was answered before. A program that only looks something
    /// up does not.
    pub carries_out: bool,
    /// How long questions wait.
    pub question_time: QuestionTime,
    /// Now.
    pub now: Timestamp,
}

impl Recovery {
    pub(super) fn next(self) -> (Stage, Vec<Effect>) {
        let over = |end, records: Option<Record>| {
            let mut effects: Vec<Effect> = records.map(Effect::Record).into_iter().collect();
            effects.push(Effect::Persist(Step::Ended(end)));
            (Stage::Ended(end), effects)
        };
        let latest = self.asked_at.plus(LONGEST);
        // Nobody could answer while the application was ended.
        let until = self.question_time.after(self.now).min(latest);
        let waits = (self.now < latest).then_some(Stage::Waiting(Awaited::Call(Durable::Yes)));
        match (self.left, waits) {
            (Left::Waiting | Left::Unreadable, _) if self.in_the_log => over(End::Closed, None),
            (Left::Answered { .. }, _) if self.in_the_log => over(End::Answered, None),
            (Left::Sent(end), _) if self.in_the_log => over(end, None),
            (Left::Paused(end), _) if self.in_the_log => over(end, None),
            (Left::Paused(_), _) if !self.carries_out => (Stage::LeftToNextRun, Vec::new()),
            // It goes on when its server runs and wants the same input once more.
            (Left::Paused(end), Some(_)) => (Stage::Paused(end), Vec::new()),
            (Left::Paused(end), None) => over(end, Some(Record::OutcomeUnknown)),
            // Its beginning was lost with the last moments before a loss of power.
            (Left::Sent(end), _) => over(end, Some(Record::OutcomeUnknown)),
            (Left::Answered { .. }, _) if !self.carries_out => (Stage::LeftToNextRun, Vec::new()),
            (Left::Unreadable, _) => {
                over(End::Closed, Some(Record::Refused(Refusal::QuestionClosed)))
            }
            (Left::Answered { answer, at }, _) if self.now < self.question_time.after(at) => (
                Stage::Answered {
                    answer: answer.clone(),
                    durable: Durable::Yes,
                },
                vec![Effect::Resolve(Resolution::Answered(answer))],
            ),
            (Left::Waiting, Some(waits)) => (waits, vec![Effect::Show(Some(until))]),
            (Left::Answered { .. }, Some(waits)) => (
                waits,
                vec![
                    Effect::Persist(Step::WaitingAgain),
                    Effect::Show(Some(until)),
                ],
            ),
            (Left::Waiting | Left::Answered { .. }, None) => {
                over(End::Lapsed, Some(Record::Refused(Refusal::NobodyAnswered)))
            }
        }
    }
}
