//! How much an answer to a question may hold.

use super::{Bounded, FILLED, REMEMBERED, text, whole};
use crate::{BatchDecision, HostError};
use policy::{Allowed, ArgumentScope, Decision, LimitChoice, Remember};
use protocol::FormResult;

impl Bounded for BatchDecision {
    const MOST: usize = 10_000;

    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self { question, answer } = self;
        question.bound(at)?;
        answer.bound(at)
    }
}

impl Bounded for Decision {
    fn bound(&self, _: &str) -> Result<(), HostError> {
        match self {
            Self::Allow {
                arguments,
                remember,
            } => {
                arguments.bound("arguments")?;
                remember.bound("what is remembered")
            }
            Self::Deny { reason, remember } => {
                reason.bound("reason")?;
                remember.bound("what is remembered")
            }
            Self::Form { answer } => match answer {
                FormResult::Accept { content } => whole(content, "the form", REMEMBERED),
                FormResult::Decline | FormResult::Cancel => Ok(()),
            },
            Self::UseModel { params } => params.bound("the request"),
            Self::SendReply { reply } => reply
                .as_ref()
                .map_or(Ok(()), |reply| text(reply, "reply", FILLED)),
            Self::OpenUrl | Self::ChangeRule | Self::Decline => Ok(()),
        }
    }
}

impl Bounded for Remember {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self {
            lasting: _,
            cover,
            also,
        } = self;
        also.bound("tool")?;
        match cover {
            ArgumentScope::Any | ArgumentScope::Exactly => {}
            ArgumentScope::Within { limits } => limits.bound("limit")?,
        }
        whole(self, at, REMEMBERED)
    }
}

impl Bounded for LimitChoice {
    fn bound(&self, at: &str) -> Result<(), HostError> {
        let Self { argument, allowed } = self;
        argument.bound(at)?;
        match allowed {
            Some(Allowed::OneOf { values }) => values.bound(&format!("value of {at}")),
            Some(Allowed::Hosts { hosts }) => hosts.bound(&format!("host of {at}")),
            Some(Allowed::Under { folder }) => folder.bound(at),
            None | Some(Allowed::Anything | Allowed::Same { .. } | Allowed::AtMost { .. }) => {
                Ok(())
            }
        }
    }
}
