//! The conversations in which something goes on.

use super::driver;
use super::last_read::Kept;
use api::{ConversationState, ErrorCode, GrowingReply, HostError, NewAttachment, ReplyItem};
use calls::Calls;
use protocol::{ConversationId, ModelId};
use servers::error;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
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
    /// How many drivers have begun, of all conversations.
    begun: AtomicU64,
    ended: Notify,
    last_read: Mutex<Option<Kept>>,
}

/// One of them.
struct Live {
    inbox: UnboundedSender<driver::Input>,
    /// What goes on, once the driver has found that out.
    state: Option<ConversationState>,
    growing: Growing,
}

impl Live {
    /// Whether its driver is there: one that broke takes nothing any more.
    fn drives(&self) -> bool {
        !self.inbox.is_closed()
    }
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
    /// The person lets it go on, by these words where a turn is begun.
    GoOn(Option<String>),
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

    /// The conversation that was shown last.
    pub(super) fn last_read(&self) -> MutexGuard<'_, Option<Kept>> {
        let last = self.0.last_read.lock();
        last.unwrap_or_else(PoisonError::into_inner)
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
            // In the place of one that broke another one goes on from the journal.
            live.retain(|_, one| one.drives());
            let entry = live.entry(id.clone()).or_insert_with(|| {
                let (inbox, orders) = unbounded_channel();
                let (calls, chats, id) = (calls.clone(), self.clone(), id.clone());
                self.0.begun.fetch_add(1, Ordering::AcqRel);
                tokio::spawn(driver::run(calls, chats, id, inbox.clone(), orders));
                Live {
                    inbox,
                    state: None,
                    growing: Growing::default(),
                }
            });
            let input = driver::Input::Ordered(order, done);
            entry.inbox.send(input).map_err(|_| broken())?;
        }
        answer.await.unwrap_or_else(|_| {
            calls.still_open()?;
            Err(broken())
        })
    }

    /// What goes on in a conversation, as far as anything does.
    pub(super) fn state(&self, id: &ConversationId) -> Option<ConversationState> {
        let live = self.lock();
        live.get(id).filter(|live| live.drives())?.state.clone()
    }

    /// Whether somebody drives a conversation, even if it is not found out yet what goes on.
    pub(super) fn has_driver(&self, id: &ConversationId) -> bool {
        self.lock().get(id).is_some_and(Live::drives)
    }

    /// How many drivers have begun: where it is the same twice and nobody drove a conversation then,
    /// nobody did in between.
    pub(super) fn begun(&self) -> u64 {
        self.0.begun.load(Ordering::Acquire)
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
        if orders.is_closed() {
            // It has ended before. Who drives the conversation by now is another one.
            return None;
        }
        let wanted = orders.try_recv().ok();
        if wanted.is_none() {
            orders.close();
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

/// That a driver ended although the host goes on.
fn broken() -> HostError {
    error::host(ErrorCode::Internal, "the conversation ended unexpectedly")
}
