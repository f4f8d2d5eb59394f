//! On whose word something is done that lets more happen.
//!
//! Always true here:
//! - a person's word is given on a terminal that they sit at; what is piped in is nobody's;
//! - `--yes` is the word of whoever runs the command, which may be a program;
//! - which request lets more happen is for the host to say, and it takes nobody's word for none.

use crate::commands::answer_questions;
use crate::input;
use crate::link::Link;
use api::{ErrorCode, HostError, Request};
use policy::{Question, Subject};
use protocol::Caller;

/// On whose word something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Word {
    /// Of the person who sits at this terminal.
    Person,
    /// Of whoever runs the command, with `--yes`.
    Program,
    /// Nobody's.
    Nobody,
}

impl Word {
    /// The word that goes with a command.
    pub(crate) fn given(yes: bool) -> Self {
        if yes {
            Self::Program
        } else if input::interactive() {
            Self::Person
        } else {
            Self::Nobody
        }
    }

    /// Sends a request on this word.
    pub(crate) async fn ask<R: Request>(
        self,
        link: &Link,
        request: R,
    ) -> Result<R::Reply, HostError> {
        let asked = async {
            match self {
                Self::Person => link.ask_as_person(request).await,
                Self::Program => link.ask_unattended(request).await,
                Self::Nobody => link.ask(request).await.map_err(|mut error| {
                    if error.code == ErrorCode::OnlyForThePerson {
                        error.message.push_str(WITH_YES);
                    }
                    error
                }),
            }
        };
        if !link.window_answers() {
            return asked.await;
        }
        // The window asks the person about it, and that takes as long as they take.
        let is_it = |question: &Question| match &question.subject {
            Subject::Change { change } => {
                change.request == R::METHOD && change.caller == Caller::terminal()
            }
            _ => false,
        };
        tokio::select! {
            reply = asked => reply,
            problem = answer_questions(link, is_it) => Err(problem),
        }
    }

    /// Has the person say yes to what was just shown. Beside a window they say it there. After a no
    /// `stays` says what is as it was.
    pub(crate) fn confirm(self, link: &Link, question: &str, stays: &str) -> Result<(), HostError> {
        match self {
            Self::Program => Ok(()),
            _ if link.window_answers() => Ok(()),
            Self::Person if input::is_yes(&format!("{question} y/N")) => Ok(()),
            Self::Person => Err(HostError::of(
                ErrorCode::ChangeDenied,
                format!("you did not say yes; {stays}"),
            )),
            Self::Nobody => Err(HostError::of(
                ErrorCode::OnlyForThePerson,
                format!("nobody sits at this terminal to say yes{WITH_YES}"),
            )),
        }
    }
}

/// How a program says it.
const WITH_YES: &str = "; a program says it with --yes";
