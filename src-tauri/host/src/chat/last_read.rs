//! The conversation that was shown last, as far as it was read: whoever looks at it again reads only
//! what was written since.
//!
//! Always true here:
//! - a journal only grows, so that what was read of it stays true;
//! - one conversation is kept, and none that takes much room.

use super::{Chats, journal};
use agent::{Conversation, DamagedJournal};
use api::HostError;
use calls::Calls;
use protocol::ConversationId;
use std::sync::Arc;

/// The largest journal of which the conversation is kept, in bytes.
const MOST_KEPT: usize = 8 * 1024 * 1024;

/// A conversation, as far as it was read.
#[derive(Debug, Clone)]
pub(super) struct Kept {
    pub(super) id: ConversationId,
    /// So many entries were read.
    entries: usize,
    /// So many bytes they have.
    bytes: usize,
    conversation: Arc<Conversation>,
}

/// A conversation as its journal tells it now. Fails with `database_damaged` where that tells
/// nothing.
pub(super) async fn latest(
    calls: &Calls,
    chats: &Chats,
    id: &ConversationId,
) -> Result<Arc<Conversation>, HostError> {
    let is_it = |kept: &Kept| kept.id == *id;
    let known = chats.last_read().clone().filter(is_it);
    let mut kept = known.unwrap_or_else(|| Kept {
        id: id.clone(),
        entries: 0,
        bytes: 0,
        conversation: Arc::default(),
    });
    let before = kept.entries;
    loop {
        let more = journal::from(calls, id, kept.entries, journal::AT_ONCE).await?;
        if more.is_empty() {
            break;
        }
        // Nobody else then holds it, if nobody reads it just now, and it need not be copied.
        chats.last_read().take_if(|kept| is_it(kept));
        let conversation = Arc::make_mut(&mut kept.conversation);
        for (entry, bytes) in more {
            let at = kept.entries;
            let applied = conversation.apply(&entry);
            applied.ok_or_else(|| journal::damaged(&DamagedJournal { at }))?;
            kept.entries += 1;
            kept.bytes += bytes;
        }
    }
    let conversation = kept.conversation.clone();
    if kept.entries > before && kept.bytes <= MOST_KEPT {
        *chats.last_read() = Some(kept);
    }
    Ok(conversation)
}
