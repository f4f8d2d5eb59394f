//! The rooms as they are put together.

use crate::chat::Chats;
use calls::Calls;
use std::ops::Deref;

/// A handle to all of them. What a body uses of the rooms below can be had through it.
#[derive(Clone)]
pub(crate) struct Rooms {
    calls: Calls,
    chats: Chats,
}

impl Rooms {
    pub(crate) fn of(calls: Calls) -> Self {
        Self {
            calls,
            chats: Chats::default(),
        }
    }

    /// The conversations with models in which something goes on.
    pub(crate) fn chats(&self) -> &Chats {
        &self.chats
    }
}

impl Deref for Rooms {
    type Target = Calls;

    fn deref(&self) -> &Calls {
        &self.calls
    }
}
