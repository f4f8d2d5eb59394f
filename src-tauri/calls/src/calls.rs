//! A handle to everything that calls are made of. Bodies take it; what it holds knows nothing of
//! them.

use crate::clients::Clients;
use crate::conversations::Conversations;
use crate::floods::Floods;
use crate::model::Model;
use crate::pending_calls::PendingCalls;
use crate::redacted_results::RedactedResults;
use crate::remembered::Remembered;
use crate::repeats::Repeats;
use crate::running::RunningCalls;
use crate::traced::Traced;
use crate::unwritten::Unwritten;
use api::HostEvent;
use policy::Grant;
use protocol::ToolCall;
use servers::Servers;
use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use store::GatewayClientRow;
use telemetry::Telemetry;

/// The calls. Cloning it gives another handle. Everything of [`Servers`] can be had through it.
#[derive(Clone)]
pub struct Calls(Arc<Inner>);

/// A handle that does not keep them alive.
#[derive(Clone)]
pub struct WeakCalls(Weak<Inner>);

struct Inner {
    servers: Servers,
    model: RwLock<Option<Arc<dyn Model>>>,
    traced: Traced,
    grants: Mutex<Remembered>,
    floods: Floods,
    pending_calls: PendingCalls,
    unwritten: Unwritten,
    running: RunningCalls,
    redacted_results: RedactedResults,
    repeats: Repeats,
    conversations: Conversations,
    clients: Arc<Clients>,
}

impl Calls {
    /// With the answers that are remembered, and the applications that may come in. Nothing of an earlier run is taken up yet.
    pub fn new(
        servers: Servers,
        grants: Vec<Grant>,
        clients: Vec<GatewayClientRow>,
        telemetry: Telemetry,
    ) -> Self {
        Self(Arc::new(Inner {
            servers,
            model: RwLock::default(),
            traced: Traced::new(telemetry),
            grants: Mutex::new(Remembered::new(grants)),
            floods: Floods::default(),
            pending_calls: PendingCalls::default(),
            unwritten: Unwritten::default(),
            running: RunningCalls::default(),
            redacted_results: RedactedResults::default(),
            repeats: Repeats::default(),
            conversations: Conversations::default(),
            clients: Arc::new(Clients::new(clients)),
        }))
    }

    /// The model that answers servers, if there is one.
    pub(crate) fn model(&self) -> Option<Arc<dyn Model>> {
        let model = self.0.model.read().unwrap_or_else(PoisonError::into_inner);
        model.clone()
    }

    /// From now on this one answers servers, or none does. A server is told whether there is one when
    /// it starts.
    pub fn set_model(&self, model: Option<Arc<dyn Model>>) {
        *self.0.model.write().unwrap_or_else(PoisonError::into_inner) = model;
    }

    /// Where traces and metrics go.
    pub fn traced(&self) -> &Traced {
        &self.0.traced
    }

    /// The answers that are remembered.
    pub fn grants(&self) -> MutexGuard<'_, Remembered> {
        self.0.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn floods(&self) -> &Floods {
        &self.0.floods
    }

    /// What could not be written down yet.
    pub(crate) fn unwritten(&self) -> &Unwritten {
        &self.0.unwritten
    }

    /// What waits for a person.
    pub fn pending_calls(&self) -> &PendingCalls {
        &self.0.pending_calls
    }

    /// What runs or waits.
    pub fn running(&self) -> &RunningCalls {
        &self.0.running
    }

    /// What is remembered of answers.
    pub fn redacted_results(&self) -> &RedactedResults {
        &self.0.redacted_results
    }

    pub(crate) fn repeats(&self) -> &Repeats {
        &self.0.repeats
    }

    /// What was said in each conversation.
    pub fn conversations(&self) -> &Conversations {
        &self.0.conversations
    }

    /// Other applications.
    pub fn clients(&self) -> &Arc<Clients> {
        &self.0.clients
    }

    /// Tells every surface whether a call waits for a person.
    pub(crate) fn tell_waiting(&self, call: &ToolCall, waiting: bool) {
        if let Some(call) = self.running().set_waiting(&call.id, waiting) {
            self.publish(HostEvent::CallChanged { call });
        }
    }

    /// A handle that does not keep them alive.
    pub fn weak(&self) -> WeakCalls {
        WeakCalls(Arc::downgrade(&self.0))
    }
}

impl Deref for Calls {
    type Target = Servers;

    fn deref(&self) -> &Servers {
        &self.0.servers
    }
}

impl WeakCalls {
    /// The calls, if they are still there.
    pub fn upgrade(&self) -> Option<Calls> {
        self.0.upgrade().map(Calls)
    }
}
