//! Where a request comes from: who wants it, in which conversation, and on whose word.

use crate::{Approver, Core};
use protocol::{CallId, Caller, ConversationId};
use store::{Entry, Event};

/// Where a request comes from. Surfaces fill this in; a request cannot say it about itself.
#[derive(Debug, Clone)]
pub struct Surface {
    /// In whose name calls are made.
    pub caller: Caller,
    /// In which of its conversations. The host's own surfaces choose it; a caller does not.
    pub conversation: ConversationId,
    /// Whether a person is here, and which questions they may answer.
    pub approver: Option<Approver>,
    /// The number of the request, where who makes it can be asked something because of it.
    pub request: Option<CallId>,
}

impl Surface {
    /// One of a caller whose requests are all one conversation, as those of the window and of the
    /// terminal are.
    pub fn of(caller: Caller, approver: Option<Approver>) -> Self {
        Self {
            conversation: caller.conversation(),
            caller,
            approver,
            request: None,
        }
    }

    /// The same for a request of this number.
    #[must_use]
    pub fn numbered(&self, request: CallId) -> Self {
        Self {
            request: Some(request),
            ..self.clone()
        }
    }

    /// Whether a person is here.
    pub fn is_person(&self, core: &Core) -> bool {
        self.approver
            .is_some_and(|approver| approver.may_let_more_happen(core.approver()))
    }

    /// Whether what is wanted here is filled in by hand.
    pub fn is_by_hand(&self) -> bool {
        self.approver.is_some_and(Approver::fills_in_by_hand)
    }

    /// On whose word something is decided here, for the log: nobody's, if no person is here.
    pub fn decides(&self) -> Option<String> {
        self.approver.map(|approver| approver.key().to_owned())
    }

    /// What the log says of something that is decided here: in whose name, and on whose word if on
    /// anybody's.
    pub fn decided(&self, core: &Core, event: Event) -> Entry {
        Entry {
            caller: Some(self.caller.clone()),
            conversation: Some(self.conversation.clone()),
            approver: self.decides(),
            ..Entry::new(core.now(), event)
        }
    }
}
