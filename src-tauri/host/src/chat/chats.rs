//! The conversations in which something goes on.

use super::driver;
use api::{ConversationState, ErrorCode, GrowingReply, HostError, NewAttachment, ReplyItem};
use calls::Calls;
use protocol::{ConversationId, ModelId};
use servers::error;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::{Notify, oneshot};

/// All of them. Cloning it gives another handle.
#[derive(Clone, Default)]
pub(crate) struct Chats(Arc<Inner>);

#[derive(Default)]
struct Inner {
    live: Mutex<HashMap<ConversationId, Live>>,
    ended: Notify,
}

/// One of them.
struct Live {
    inbox: UnboundedSender<driver::Input>,
    /// What goes on, once the driver has found that out.
    state: Option<ConversationState>,
    growing: Growing,
}

/// The reply that is coming in, as far as that was told.
#[derive(Debug, Clone, Default)]
pub(super) struct Growing {
    /// What has come of it.
    pub(super) coming: Vec<ReplyItem>,
    /// Which one it is.
    pub(super) reply: Option<GrowingReply>,
}

/// What is wanted of a conversation.
#[derive(Debug)]
pub(crate) enum Order {
    /// The person says something.
    Say {
        /// Their words.
        text: String,
        /// What they attach.
        attachments: Vec<NewAttachment>,
        /// Who is to answer from now on, if it is somebody else.
        model: Option<ModelId>,
    },
    /// A task is to be done here, in a turn of its own.
    Task {
        /// What is said.
        said: Vec<agent::Said>,
        /// What it may take.
        purse: agent::Purse,
    },
    /// The person lets it go on.
    GoOn,
    /// The person stops all of the turn, or one call.
    Stop(Option<protocol::CallId>),
    /// What an earlier run left is taken up.
    TakeUp,
    /// It is about to be deleted.
    Leave,
}

/// Where the end of an order is told.
pub(super) type Done = oneshot::Sender<Result<(), HostError>>;

impl Chats {
    fn lock(&self) -> MutexGuard<'_, HashMap<ConversationId, Live>> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has something done in a conversation, and waits until that is written down. What comes of it
    /// is told as events.
    pub(crate) async fn order(
        &self,
        calls: &Calls,
        id: &ConversationId,
        order: Order,
    ) -> Result<(), HostError> {
        let (done, answer) = oneshot::channel();
        {
            let mut live = self.lock();
            // Whoever comes later finds a host that is closed.
            calls.still_open()?;
            if matches!(order, Order::Leave) && !live.contains_key(id) {
                return Ok(());
            }
            // A driver that broke takes nothing any more: another one goes on from the journal.
            live.retain(|_, one| !one.inbox.is_closed());
            let entry = live.entry(id.clone()).or_insert_with(|| {
                let (inbox, orders) = unbounded_channel();
                let (calls, chats, id) = (calls.clone(), self.clone(), id.clone());
                tokio::spawn(driver::run(calls, chats, id, inbox.clone(), orders));
                Live {
                    inbox,
                    state: None,
                    growing: Growing::default(),
                }
            });
            let input = driver::Input::Ordered(order, done);
            let gone = |_| error::host(ErrorCode::Internal, "the conversation ended unexpectedly");
            entry.inbox.send(input).map_err(gone)?;
        }
        answer
            .await
            .unwrap_or_else(|_| Err(HostError::shutting_down()))
    }

    /// What goes on in a conversation, as far as anything does.
    pub(super) fn state(&self, id: &ConversationId) -> Option<ConversationState> {
        self.lock().get(id)?.state.clone()
    }

    /// The reply that is coming in.
    pub(super) fn growing(&self, id: &ConversationId) -> Growing {
        let live = self.lock();
        live.get(id)
            .map(|live| live.growing.clone())
            .unwrap_or_default()
    }

    /// Notes what goes on in a conversation.
    pub(super) fn note(&self, id: &ConversationId, state: ConversationState, growing: Growing) {
        if let Some(live) = self.lock().get_mut(id) {
            live.state = Some(state);
            live.growing = growing;
        }
    }

    /// Ends the driver of a conversation in which nothing goes on, unless something is wanted of it
    /// by now: that comes back.
    pub(super) fn end(
        &self,
        id: &ConversationId,
        orders: &mut UnboundedReceiver<driver::Input>,
    ) -> Option<driver::Input> {
        let mut live = self.lock();
        let wanted = orders.try_recv().ok();
        if wanted.is_none() {
            live.remove(id);
            drop(live);
            self.0.ended.notify_waiters();
        }
        wanted
    }

    /// Waits until nothing goes on any more, at most so long.
    pub(crate) async fn ended(&self, at_most: Duration) {
        let wait = async {
            loop {
                let ended = self.0.ended.notified();
                if self.lock().is_empty() {
                    return;
                }
                ended.await;
            }
        };
        // What is not written by then is found out at the next start.
        let _ = tokio::time::timeout(at_most, wait).await;
    }
}
