//! Sessions of clients over HTTP, and clients without one.
//!
//! Always true here: of one client there are at most so many sessions and so many requests at a
//! time; one session too many ends the one that was used longest ago. One that nobody uses ends by
//! itself, and so do all of who is sent away.

use crate::endpoint::Endpoint;
use crate::message::{Id, Message};
use crate::rpc_error::RpcError;
use crate::session::{Session, taken_back};
use crate::visit::Visit;
use futures::future::{AbortHandle, AbortRegistration};
use hyper::StatusCode;
use protocol::CallerId;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How many sessions one client may have.
const MOST: usize = 64;
/// How many of its requests are read or carried out side by side.
const AT_ONCE: usize = 64;
/// After how long a client without a session, or a session, that nobody uses is forgotten.
const UNUSED: Duration = Duration::from_secs(60 * 60);

/// A place among the requests that are carried out.
pub(super) type Room = OwnedSemaphorePermit;

/// A request of a session that is carried out. It has ended when this is dropped.
pub(super) struct Begun {
    session: Arc<HttpSession>,
    id: Id,
}

/// All of them.
#[derive(Default)]
pub(super) struct Sessions(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by_number: HashMap<String, Used<Arc<HttpSession>>>,
    /// Clients without a session, each at its endpoints.
    visits: HashMap<CallerId, Vec<Used<Visit>>>,
    rooms: HashMap<CallerId, Arc<Semaphore>>,
}

struct Used<T> {
    what: T,
    at: Instant,
}

/// A session over HTTP.
pub(super) struct HttpSession {
    client: CallerId,
    conversation: Session,
    /// Requests that are carried out.
    begun: Mutex<HashMap<Id, AbortHandle>>,
    /// The stream on which its client is told what it has not asked for.
    followed: Mutex<CancellationToken>,
    /// Held by such a stream as long as it is open.
    open: Arc<()>,
}

/// A stream on which the client of a session is told what it has not asked for.
pub(super) struct Following {
    /// Another one has taken its place.
    pub replaced: CancellationToken,
    _open: Arc<()>,
}

impl Sessions {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps a session that has begun; its number, which nobody can guess.
    pub(super) fn keep(&self, client: &CallerId, conversation: Session) -> String {
        let number = uuid::Uuid::new_v4().to_string();
        let session = Arc::new(HttpSession {
            client: client.clone(),
            conversation,
            begun: Mutex::default(),
            followed: Mutex::default(),
            open: Arc::default(),
        });
        let mut kept = self.lock();
        kept.forget_unused();
        let mut of_it: Vec<_> = kept
            .by_number
            .iter()
            .filter(|(_, one)| one.what.client == *client)
            .map(|(number, one)| (one.at, number.clone()))
            .collect();
        if of_it.len() >= MOST {
            of_it.sort_unstable();
            for (_, number) in &of_it[..=of_it.len() - MOST] {
                kept.by_number.remove(number);
            }
        }
        let used = Used::now(session);
        kept.by_number.insert(number.clone(), used);
        number
    }

    /// A session of this client that has not ended.
    pub(super) fn find(&self, client: &CallerId, number: &str) -> Option<Arc<HttpSession>> {
        let mut kept = self.lock();
        let found = kept.by_number.get_mut(number)?;
        if found.what.client != *client {
            return None;
        }
        if found.what.conversation.visit().client().is_sent_away() {
            kept.by_number.remove(number);
            return None;
        }
        found.at = Instant::now();
        Some(Arc::clone(&found.what))
    }

    /// Ends what nobody uses any more.
    pub(super) fn forget_unused(&self) {
        self.lock().forget_unused();
    }

    /// Ends a session.
    pub(super) fn end(&self, number: &str) {
        self.lock().by_number.remove(number);
    }

    /// A client without a session, at an endpoint where it was before.
    pub(super) fn visit(&self, client: &CallerId, endpoint: &Endpoint) -> Option<Visit> {
        let mut kept = self.lock();
        let visits = kept.visits.get_mut(client)?;
        visits.retain(|one| !one.what.client().is_sent_away());
        let found = visits
            .iter_mut()
            .find(|one| one.what.endpoint() == endpoint)?;
        found.at = Instant::now();
        Some(found.what.clone())
    }

    /// Keeps a client that has come without a session; the one that is kept, if it came there twice
    /// at the same time.
    pub(super) fn keep_visit(&self, client: &CallerId, visit: Visit) -> Visit {
        let mut kept = self.lock();
        kept.forget_unused();
        let visits = kept.visits.entry(client.clone()).or_default();
        let same = |one: &&Used<Visit>| {
            one.what.endpoint() == visit.endpoint() && !one.what.client().is_sent_away()
        };
        if let Some(kept) = visits.iter().find(same) {
            return kept.what.clone();
        }
        // One for each server at most: others are at no endpoint that there is.
        if visits.len() < MOST {
            visits.push(Used::now(visit.clone()));
        }
        visit
    }

    /// A place for one more request of a client. Fails where there is none.
    pub(super) fn room(&self, client: &CallerId) -> Result<Room, StatusCode> {
        let mut kept = self.lock();
        let room = kept
            .rooms
            .entry(client.clone())
            .or_insert_with(|| Arc::new(Semaphore::new(AT_ONCE)));
        let room = Arc::clone(room).try_acquire_owned();
        room.map_err(|_| StatusCode::TOO_MANY_REQUESTS)
    }
}

impl Kept {
    fn forget_unused(&mut self) {
        self.by_number.retain(|_, one| {
            if one.what.is_followed() {
                one.at = Instant::now();
            }
            one.is_used(one.what.conversation.visit())
        });
        for visits in self.visits.values_mut() {
            visits.retain(|one| one.is_used(&one.what));
        }
        self.visits.retain(|_, visits| !visits.is_empty());
    }
}

impl<T> Used<T> {
    fn now(what: T) -> Self {
        Self {
            what,
            at: Instant::now(),
        }
    }

    fn is_used(&self, visit: &Visit) -> bool {
        self.at.elapsed() < UNUSED && !visit.client().is_sent_away()
    }
}

impl HttpSession {
    pub(super) fn conversation(&self) -> &Session {
        &self.conversation
    }

    fn begun(&self) -> MutexGuard<'_, HashMap<Id, AbortHandle>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a request is carried out, so that it can be taken back until that has ended. Fails
    /// if another one that has not ended has its id.
    pub(super) fn begin(self: &Arc<Self>, id: &Id) -> Result<(AbortRegistration, Begun), RpcError> {
        let (handle, registration) = AbortHandle::new_pair();
        match self.begun().entry(id.clone()) {
            Entry::Occupied(_) => return Err(RpcError::id_in_use()),
            Entry::Vacant(free) => _ = free.insert(handle),
        }
        let begun = Begun {
            session: Arc::clone(self),
            id: id.clone(),
        };
        Ok((registration, begun))
    }

    /// Takes a message that wants no answer.
    pub(super) fn heard(&self, message: Message) {
        match message {
            Message::Notification { method, params } => {
                if let Some(id) = taken_back(&method, &params) {
                    self.abort(&id);
                }
            }
            Message::Reply { id, result } => {
                let asks = self.conversation.asks();
                asks.answered(id.as_ref(), result.as_deref());
            }
            Message::Request(_) => {}
        }
    }

    /// Takes a request back.
    fn abort(&self, id: &Id) {
        if let Some(handle) = self.begun().get(id) {
            handle.abort();
        }
    }

    /// Begins to tell its client what it has not asked for; the stream before ends.
    pub(super) fn follow(&self) -> Following {
        let mut followed = self.followed.lock().unwrap_or_else(PoisonError::into_inner);
        followed.cancel();
        *followed = CancellationToken::new();
        Following {
            replaced: followed.clone(),
            _open: Arc::clone(&self.open),
        }
    }

    fn is_followed(&self) -> bool {
        Arc::strong_count(&self.open) > 1
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        self.session.begun().remove(&self.id);
    }
}
