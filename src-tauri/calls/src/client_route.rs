//! The way back to the client that made a call or another request: what a server asks because of it
//! can be asked there.
//!
//! Always true here:
//! - a route belongs to one call or request, and is gone when whoever waits for that is;
//! - nothing is asked by it before that has been permitted and sent.

use futures::future::BoxFuture;
use policy::{GetPrompt, ReadResource};
use protocol::{CallId, ServerId, ToolCall};
use serde_json::{Map, Value};
use servers::Surface;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::OnceCell;

/// What a client said that it can be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ClientAbilities {
    /// To have a form filled in.
    pub form: bool,
    /// To have an address opened.
    pub url: bool,
    /// To have a model answer.
    pub sampling: bool,
    /// To list its folders.
    pub roots: bool,
}

/// Something that a client is asked, in the words of MCP.
#[derive(Debug, Clone, PartialEq)]
pub struct ClientAsk {
    /// The method.
    pub method: &'static str,
    /// Its parameters.
    pub params: Map<String, Value>,
    /// What the server calls it among all that it wants, if it calls it anything.
    pub key: Option<String>,
}

/// A client that was asked and did not answer: it is gone, or cannot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the application did not answer")]
pub struct NotAnswered;

/// What a client has had sent to a server.
#[derive(Clone)]
pub(crate) enum Sent {
    Call(Arc<ToolCall>),
    Request(Box<SentRequest>),
}

/// Something that is no call.
#[derive(Clone)]
pub(crate) struct SentRequest {
    pub surface: Surface,
    pub server: ServerId,
    pub offer: SentOffer,
}

/// What of a server is wanted.
#[derive(Clone)]
pub(crate) enum SentOffer {
    Read(ReadResource),
    Prompt(GetPrompt),
}

impl Sent {
    pub(crate) fn server(&self) -> &ServerId {
        match self {
            Self::Call(call) => &call.server,
            Self::Request(request) => &request.server,
        }
    }
}

/// How the client that made a call is asked something.
pub trait ClientRoute: Send + Sync + 'static {
    /// What it can be asked.
    fn abilities(&self) -> ClientAbilities;

    /// Asks, and comes back with the result in the words of MCP. Dropped, the answer is not needed any
    /// more.
    fn ask(&self, ask: ClientAsk) -> BoxFuture<'_, Result<Map<String, Value>, NotAnswered>>;
}

/// All of them, by the numbers of their calls and requests.
#[derive(Default)]
pub struct ClientRoutes(Mutex<BTreeMap<CallId, Routed>>);

struct Routed {
    route: Arc<dyn ClientRoute>,
    /// What was sent, as it was.
    sent: Option<Sent>,
    /// The folders that the client has listed because of it.
    roots: ListedRoots,
}

/// The folders that a client has listed, once it has been asked; nothing if it does not list any.
pub(crate) type ListedRoots = Arc<OnceCell<Option<Vec<String>>>>;

/// A route, and what it is the route of.
pub(crate) struct FoundRoute {
    pub route: Arc<dyn ClientRoute>,
    pub sent: Sent,
    pub roots: ListedRoots,
}

/// Keeps a route until it is dropped.
pub struct RouteGuard {
    routes: Arc<ClientRoutes>,
    call: CallId,
}

impl ClientRoutes {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<CallId, Routed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps the route of a call or request that is about to be made.
    pub fn keep(self: &Arc<Self>, call: CallId, route: Arc<dyn ClientRoute>) -> RouteGuard {
        let routed = Routed {
            route,
            sent: None,
            roots: Arc::default(),
        };
        self.lock().insert(call.clone(), routed);
        let routes = Arc::clone(self);
        RouteGuard { routes, call }
    }

    /// The call or request of this number is about to be sent.
    pub(crate) fn sends(&self, number: &CallId, sent: impl FnOnce() -> Sent) {
        if let Some(routed) = self.lock().get_mut(number) {
            routed.sent = Some(sent());
        }
    }

    /// The route of what was sent under this number, and what that is.
    pub(crate) fn of(&self, call: &CallId) -> Option<FoundRoute> {
        let all = self.lock();
        let routed = all.get(call)?;
        Some(FoundRoute {
            route: Arc::clone(&routed.route),
            sent: routed.sent.clone()?,
            roots: Arc::clone(&routed.roots),
        })
    }

    /// Whether the client of this call has a model; without a call, any whose call runs or waits. That
    /// is all that a server of the older era can be told: it hears it once, when it starts.
    pub(crate) fn have_model(&self, call: Option<&CallId>) -> bool {
        let has = |routed: &Routed| routed.route.abilities().sampling;
        let all = self.lock();
        match call {
            Some(call) => all.get(call).is_some_and(has),
            None => all.values().any(has),
        }
    }
}

impl Drop for RouteGuard {
    fn drop(&mut self) {
        self.routes.lock().remove(&self.call);
    }
}
