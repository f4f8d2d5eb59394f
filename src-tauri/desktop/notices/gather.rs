//! When a person is told of questions that wait, and of how many at once. Pure: no clock, no
//! window, no words.
//!
//! Always true here:
//! - who is looking at a window of ours is not told; the question is before their eyes;
//! - questions that come within a short time are told of together;
//! - what nobody waits for any more is not told of, and what was told of it is taken back.

use std::time::Duration;

/// How long more questions are waited for before a person is told.
pub(crate) const GATHER: Duration = Duration::from_secs(1);

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing.
    Nothing,
    /// Come back after [`GATHER`].
    Wait,
    /// Tell that so many questions wait, in place of what was told before.
    Tell(usize),
    /// Take back what was told.
    TakeBack,
}

/// What was told, and what is about to be.
#[derive(Debug, Default)]
pub(crate) struct Gathering {
    waiting: bool,
    told: bool,
}

impl Gathering {
    /// A question has come. `looking` says whether a window of ours has the focus, `on` whether the
    /// person wants to be told.
    pub(crate) fn asked(&mut self, looking: bool, on: bool) -> Step {
        if looking || !on || self.waiting {
            return Step::Nothing;
        }
        self.waiting = true;
        Step::Wait
    }

    /// The time to gather is over, and so many questions wait.
    pub(crate) fn gathered(&mut self, questions: usize, on: bool) -> Step {
        self.waiting = false;
        if questions == 0 || !on {
            return Step::Nothing;
        }
        self.told = true;
        Step::Tell(questions)
    }

    /// A question waits no more; so many still do.
    pub(crate) fn closed(&mut self, questions: usize) -> Step {
        if questions > 0 || !self.told {
            return Step::Nothing;
        }
        self.told = false;
        Step::TakeBack
    }

    /// Questions have come and gone, and nobody knows which; so many wait now.
    pub(crate) fn missed(&mut self, questions: usize, looking: bool, on: bool) -> Step {
        if questions == 0 {
            self.closed(0)
        } else {
            self.asked(looking, on)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_that_come_together_are_told_of_together() {
        let mut gathering = Gathering::default();
        assert_eq!(gathering.asked(false, true), Step::Wait);
        assert_eq!(gathering.asked(false, true), Step::Nothing);
        assert_eq!(gathering.asked(false, true), Step::Nothing);
        assert_eq!(gathering.gathered(3, true), Step::Tell(3));
    }

    #[test]
    fn a_later_question_is_told_of_with_those_that_still_wait() {
        let mut gathering = Gathering::default();
        gathering.asked(false, true);
        gathering.gathered(1, true);
        assert_eq!(gathering.asked(false, true), Step::Wait);
        assert_eq!(gathering.gathered(2, true), Step::Tell(2));
    }

    #[test]
    fn who_is_looking_is_not_told() {
        let mut gathering = Gathering::default();
        assert_eq!(gathering.asked(true, true), Step::Nothing);
        assert_eq!(
            gathering.asked(false, true),
            Step::Wait,
            "they have looked away since"
        );
    }

    #[test]
    fn who_does_not_want_to_be_told_is_not() {
        let mut gathering = Gathering::default();
        assert_eq!(gathering.asked(false, false), Step::Nothing);
        assert_eq!(gathering.asked(false, true), Step::Wait);
        assert_eq!(
            gathering.gathered(1, false),
            Step::Nothing,
            "they have switched it off since"
        );
    }

    #[test]
    fn what_was_answered_meanwhile_is_not_told_of() {
        let mut gathering = Gathering::default();
        gathering.asked(false, true);
        assert_eq!(gathering.closed(0), Step::Nothing);
        assert_eq!(gathering.gathered(0, true), Step::Nothing);
        assert_eq!(gathering.asked(false, true), Step::Wait);
    }

    #[test]
    fn what_was_told_is_taken_back_when_nothing_waits_any_more() {
        let mut gathering = Gathering::default();
        gathering.asked(false, true);
        gathering.gathered(2, true);
        assert_eq!(gathering.closed(1), Step::Nothing);
        assert_eq!(gathering.closed(0), Step::TakeBack);
        assert_eq!(gathering.closed(0), Step::Nothing);
    }

    #[test]
    fn what_was_missed_is_made_good_by_what_waits_now() {
        let mut gathering = Gathering::default();
        assert_eq!(gathering.missed(2, false, true), Step::Wait);
        assert_eq!(gathering.gathered(2, true), Step::Tell(2));
        assert_eq!(gathering.missed(0, false, true), Step::TakeBack);
        assert_eq!(gathering.missed(0, false, true), Step::Nothing);
        assert_eq!(
            gathering.missed(1, true, true),
            Step::Nothing,
            "the question is before their eyes"
        );
    }
}
