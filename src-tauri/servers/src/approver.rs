//! Proof that an answer comes from where answers may come from.

use api::ApproverKind;

/// Where a person is. Surfaces make one only at the place that a person uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approver {
    /// The main window of the running application. It answers no question: those have their own.
    Window,
    /// The question window of the running application.
    QuestionWindow,
    /// A terminal that a person sits at.
    Terminal,
    /// A program that holds the approver token.
    Token,
    /// The page in a browser, opened by the address that the host prints for the person.
    Browser,
    /// A command that says yes by itself (`--yes`), without a terminal that a person sits at.
    Unattended,
}

impl Approver {
    /// While a window runs only its question window answers: a program that can start
    /// `majordomoctl` must not be able to approve itself.
    pub fn may_answer(self, kind: ApproverKind) -> bool {
        match kind {
            ApproverKind::QuestionWindow => self == Self::QuestionWindow,
            ApproverKind::Terminal => matches!(self, Self::Terminal | Self::Token),
        }
    }

    /// Whether it may let more happen. The main window, a page and a command that says yes by
    /// itself stand for the person who set them up, but they answer no question: who asks may be a
    /// program.
    pub(crate) fn may_let_more_happen(self, kind: ApproverKind) -> bool {
        self.may_answer(kind)
            || self == Self::Window
            || kind == ApproverKind::Terminal && matches!(self, Self::Browser | Self::Unattended)
    }

    /// Whether what is wanted here is filled in by hand, and no program is in between.
    pub(crate) fn fills_in_by_hand(self) -> bool {
        self == Self::Window
    }

    /// How the log names it.
    pub fn key(self) -> &'static str {
        match self {
            Self::Window => "window",
            Self::QuestionWindow => "question_window",
            Self::Terminal => "terminal",
            Self::Token => "approver_token",
            Self::Browser => "browser",
            Self::Unattended => "unattended",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_a_script_let_more_happen_but_answer_nothing() {
        for approver in [Approver::Browser, Approver::Unattended] {
            assert!(!approver.may_answer(ApproverKind::Terminal));
            assert!(approver.may_let_more_happen(ApproverKind::Terminal));
            assert!(!approver.may_let_more_happen(ApproverKind::QuestionWindow));
        }
    }

    #[test]
    fn the_main_window_lets_more_happen_and_answers_nothing() {
        for kind in [ApproverKind::QuestionWindow, ApproverKind::Terminal] {
            assert!(!Approver::Window.may_answer(kind));
            assert!(Approver::Window.may_let_more_happen(kind));
        }
    }

    #[test]
    fn while_a_window_runs_only_its_question_window_answers() {
        let may = |kind| {
            [
                Approver::QuestionWindow,
                Approver::Terminal,
                Approver::Token,
            ]
            .map(|approver| approver.may_answer(kind))
        };
        assert_eq!(may(ApproverKind::QuestionWindow), [true, false, false]);
        assert_eq!(may(ApproverKind::Terminal), [false, true, true]);
    }
}
