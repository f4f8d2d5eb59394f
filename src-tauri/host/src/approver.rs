//! Proof that an answer comes from where answers may come from.

use crate::api::ApproverKind;

/// Where an answer was given. Surfaces make one only at the place that a person uses: the question window, or a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approver {
    /// The question window of the running application.
    QuestionWindow,
    /// A terminal that a person sits at.
    Terminal,
    /// A program that holds the approver token.
    Token,
}

impl Approver {
    /// While a window runs only its question window answers: a program that can start `majordomoctl` must not be able to
    /// approve itself.
    pub(crate) fn may_answer(self, kind: ApproverKind) -> bool {
        match kind {
            ApproverKind::QuestionWindow => self == Self::QuestionWindow,
            ApproverKind::Terminal => matches!(self, Self::Terminal | Self::Token),
        }
    }

    /// How the log names it.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::QuestionWindow => "question_window",
            Self::Terminal => "terminal",
            Self::Token => "approver_token",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn while_a_window_runs_only_its_question_window_answers() {
        let may = |kind| [Approver::QuestionWindow, Approver::Terminal, Approver::Token].map(|approver| approver.may_answer(kind));
        assert_eq!(may(ApproverKind::QuestionWindow), [true, false, false]);
        assert_eq!(may(ApproverKind::Terminal), [false, true, true]);
    }
}
