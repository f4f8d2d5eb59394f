//! What a client is told without having asked: that a list has changed, that a call moves on, what a
//! server logs; and what it is asked itself.
//!
//! Always true here:
//! - a client hears of its own calls only, and of servers that it can reach; what a server logs
//!   while somebody else's call runs there is not for it;
//! - that a list has changed is said when it has, once for all that changed together.

use crate::message::{Id, notification, request};
use crate::names;
use crate::rpc_error::RpcError;
use crate::subscriptions::{Place, Watched};
use crate::visit::Visit;
use api::{EventEnvelope, HostEvent};
use host::{Follower, NotHeard};
use policy::ClientSettings;
use protocol::{CallId, Fingerprint, LogLevel, ServerId};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::{BTreeSet, HashMap};
use std::future::pending;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};

/// For how long changes of lists are gathered.
const GATHER: Duration = Duration::from_millis(100);
/// How often a client hears that a person still thinks about its call.
const STILL_WAITING: Duration = Duration::from_secs(10);
/// How much may be on its way to a client beside what happens.
const OUTGOING: usize = 64;
/// By how much the progress grows that is told for no other reason: it must grow.
const STEP: f64 = 1e-6;
/// What is told of a call that waits for a person.
const WAITS: &str = "Waiting for the person to decide in Majordomo";

/// What a client wants to be told beside what its calls do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct Wanted {
    pub tools_list_changed: bool,
    pub prompts_list_changed: bool,
    pub resources_list_changed: bool,
    /// Resources whose changes are told; at most [`Wanted::MOST`].
    pub resource_subscriptions: BTreeSet<String>,
    /// From which gravity on what servers log is told.
    #[serde(skip)]
    pub log: Option<LogLevel>,
}

impl Wanted {
    /// Most resources whose changes one client is told, on one connection or stream.
    pub(crate) const MOST: usize = 256;
    /// The longest address of one, in bytes.
    pub(crate) const LONGEST_URI: usize = 8 * 1024;

    /// Fails if these are too many resources, or one has too long an address.
    pub(crate) fn check(&self) -> Result<(), RpcError> {
        let uris = &self.resource_subscriptions;
        if uris.len() > Self::MOST {
            return Err(RpcError::invalid_params(format!(
                "at most {} resources can be watched at a time",
                Self::MOST
            )));
        }
        if uris.iter().any(|uri| uri.len() > Self::LONGEST_URI) {
            return Err(RpcError::invalid_params(format!(
                "an address has at most {} bytes",
                Self::LONGEST_URI
            )));
        }
        Ok(())
    }
}

/// A message to a client that answers nothing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Notice {
    /// The id under which an answer is wanted, if one is.
    pub id: Option<String>,
    pub method: &'static str,
    pub params: Value,
}

/// What a client is given, and whether it is now.
type Given = (Option<ClientSettings>, bool);
/// What leads to a client beside what happens.
pub(crate) type Outbox = mpsc::Sender<Outgoing>;

/// What is to go to a client beside what happens.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// A message.
    Message(Notice),
    /// It is this call that a request goes on with.
    Follow { call: CallId, request: CallId },
}

/// A call of which progress is told.
struct Told {
    /// The number of the call that the request would have become.
    request: CallId,
    token: Value,
    /// What was told last.
    progress: f64,
    waits: bool,
}

/// What is told on one connection or one stream.
pub(crate) struct Notices {
    visit: Visit,
    follower: Option<Follower>,
    wanted: Wanted,
    watched: Watched,
    calls: HashMap<CallId, Told>,
    /// What the client was given when that was looked at last; nothing while nothing is followed.
    given: Option<Given>,
    outbox: Outbox,
    outgoing: mpsc::Receiver<Outgoing>,
    /// The tools as the client knows them, and when to look whether they are others.
    tools: Option<Fingerprint>,
    look_at: Option<Instant>,
    /// When to say again that a call waits.
    remind_at: Option<Instant>,
    ready: Vec<Notice>,
}

impl Notices {
    pub(crate) fn of(visit: Visit) -> Self {
        let (outbox, outgoing) = mpsc::channel(OUTGOING);
        Self {
            given: None,
            outbox,
            outgoing,
            visit,
            follower: None,
            wanted: Wanted::default(),
            watched: Watched::default(),
            calls: HashMap::new(),
            tools: None,
            look_at: None,
            remind_at: None,
            ready: Vec::new(),
        }
    }

    /// What leads to the client on this connection or stream.
    pub(crate) fn outbox(&self) -> Outbox {
        self.outbox.clone()
    }

    /// These are the resources that are watched for the client, as long as it wants to be told.
    pub(crate) fn watch(&mut self, watched: Watched) {
        self.watched = watched;
    }

    /// What is wanted from now on.
    pub(crate) fn want(&mut self, wanted: Wanted) {
        if wanted.tools_list_changed && !self.wanted.tools_list_changed {
            self.tools = Some(self.visit.tools_fingerprint());
        }
        self.wanted = wanted;
        self.follow();
    }

    /// Tells what a call does from now on, under the token that its client chose.
    pub(crate) fn follow_call(&mut self, call: CallId, token: Value) {
        let told = Told {
            request: call.clone(),
            token,
            progress: 0.0,
            waits: false,
        };
        self.calls.insert(call, told);
        self.follow();
    }

    /// The call has ended: nothing more is told of it.
    pub(crate) fn forget_call(&mut self, call: &CallId) {
        self.calls.retain(|_, told| told.request != *call);
        self.follow();
    }

    /// Follows what happens as long as anything of it is wanted.
    fn follow(&mut self) {
        if self.calls.is_empty() && self.wanted == Wanted::default() {
            self.follower = None;
        } else if self.follower.is_none() {
            self.given = Some(given(&self.visit));
            self.follower = Some(self.visit.host().follow_without_rows());
        }
    }

    /// The next thing that is told. It never ends; who follows nothing waits for ever. Nothing is
    /// lost where this is not waited for to the end.
    pub(crate) async fn next(&mut self) -> Notice {
        loop {
            if !self.ready.is_empty() {
                return self.ready.remove(0);
            }
            let heard = tokio::select! {
                heard = heard(self.follower.as_mut()) => heard,
                Some(outgoing) = self.outgoing.recv() => {
                    self.go_out(outgoing);
                    continue;
                }
                () = until(self.look_at) => {
                    self.look();
                    continue;
                }
                () = until(self.remind_at) => {
                    self.remind();
                    continue;
                }
            };
            if !self.take(heard) {
                pending().await
            }
        }
    }

    /// All that is to be told already.
    pub(crate) fn drain(&mut self) -> Vec<Notice> {
        while let Some(heard) = self.follower.as_mut().and_then(Follower::heard) {
            if !self.take(heard) {
                break;
            }
        }
        std::mem::take(&mut self.ready)
    }

    fn go_out(&mut self, outgoing: Outgoing) {
        match outgoing {
            Outgoing::Message(message) => self.ready.push(message),
            Outgoing::Follow { call, request } => {
                if let Some(told) = self.calls.remove(&request) {
                    self.calls.insert(call, told);
                    self.look_who_waits();
                }
            }
        }
    }

    /// Takes what was heard; whether anything more will be.
    fn take(&mut self, heard: Result<Arc<EventEnvelope>, NotHeard>) -> bool {
        match heard {
            Ok(event) => self.hear(&event.event),
            // What changed is not known: everything may have.
            Err(NotHeard::Missed(_)) => {
                self.look_soon();
                self.rest_changed();
                self.resources_changed();
                self.look_who_waits();
            }
            Err(NotHeard::Over) => return false,
        }
        true
    }

    fn hear(&mut self, event: &HostEvent) {
        match event {
            HostEvent::ToolsChanged { server } | HostEvent::ServerRemoved { server }
                if self.is_here(server) =>
            {
                self.look_soon();
            }
            HostEvent::ServerChanged { server } if self.is_here(&server.id) => self.look_soon(),
            HostEvent::PolicyChanged => self.look_soon(),
            HostEvent::WorkspacesChanged { .. } => {
                self.look_soon();
                self.look_at_given();
            }
            HostEvent::ClientsChanged => self.look_at_given(),
            HostEvent::OffersChanged { server } if self.can_reach(server) => self.rest_changed(),
            HostEvent::ResourceUpdated { server, uri } if self.can_reach(server) => {
                if let Some(uri) = self.watched.shown(&Place::of(server, uri.clone())) {
                    self.tell("notifications/resources/updated", json!({ "uri": uri }));
                }
            }
            HostEvent::ServerLogged {
                server,
                caller: Some(caller),
                lines,
            } if self.can_reach(server) && *caller == self.visit.surface().caller => {
                let Some(from) = self.wanted.log else { return };
                for logged in lines.iter().filter(|logged| logged.line.level >= from) {
                    let line = &logged.line;
                    let logger = match &line.logger {
                        Some(logger) => names::shown(self.visit.endpoint(), server, logger),
                        None => server.to_string(),
                    };
                    let params = json!({"level": line.level, "logger": logger, "data": line.data});
                    self.tell("notifications/message", params);
                }
            }
            HostEvent::CallChanged { call } => {
                if let Some(told) = self.calls.get_mut(&call.call)
                    && told.waits != call.waiting
                {
                    told.waits = call.waiting;
                    if call.waiting {
                        self.remind();
                    }
                }
            }
            HostEvent::CallProgress {
                call,
                progress,
                total,
                message,
            } => {
                let Some(told) = self.calls.get_mut(call) else {
                    return;
                };
                // What was told while a person thought may have been more.
                told.progress = progress.max(told.progress + STEP);
                let mut params = json!({"progressToken": told.token, "progress": told.progress});
                if told.progress == *progress {
                    params["progress"] = whole(*progress);
                }
                if let Some(total) = total {
                    params["total"] = whole(*total);
                }
                if let Some(message) = message {
                    params["message"] = message.as_str().into();
                }
                self.tell("notifications/progress", params);
            }
            _ => {}
        }
    }

    /// Whether a server is of this endpoint, whether or not the client was given anything of it.
    fn is_here(&self, server: &ServerId) -> bool {
        self.visit.endpoint().has(server)
    }

    fn can_reach(&self, server: &ServerId) -> bool {
        self.visit.can_reach(server)
    }

    fn tell(&mut self, method: &'static str, params: Value) {
        self.ready.push(Notice {
            id: None,
            method,
            params,
        });
    }

    fn look_soon(&mut self) {
        if self.wanted.tools_list_changed && self.look_at.is_none() {
            self.look_at = Some(Instant::now() + GATHER);
        }
    }

    /// Looks whether the client is given something else than before.
    fn look_at_given(&mut self) {
        let now = Some(given(&self.visit));
        if self.given != now {
            self.given = now;
            self.look_soon();
            self.rest_changed();
        }
    }

    /// Looks whether the tools are others than those that the client knows.
    fn look(&mut self) {
        self.look_at = None;
        let now = self.visit.tools_fingerprint();
        if self.tools.as_ref() != Some(&now) {
            self.tools = Some(now);
            self.tell("notifications/tools/list_changed", json!({}));
        }
    }

    fn rest_changed(&mut self) {
        if self.wanted.prompts_list_changed {
            self.tell("notifications/prompts/list_changed", json!({}));
        }
        if self.wanted.resources_list_changed {
            self.tell("notifications/resources/list_changed", json!({}));
        }
    }

    /// Says of all resources that are watched that they have changed.
    fn resources_changed(&mut self) {
        for uri in self.watched.all() {
            self.tell("notifications/resources/updated", json!({ "uri": uri }));
        }
    }

    /// Looks which of the calls wait for a person.
    fn look_who_waits(&mut self) {
        if self.calls.is_empty() {
            return;
        }
        let running = self.visit.host().running();
        for (call, told) in &mut self.calls {
            told.waits = running.iter().any(|one| one.call == *call && one.waiting);
        }
        self.remind();
    }

    /// Says of each call that waits for a person that it does, so that its client goes on waiting.
    fn remind(&mut self) {
        let mut any = false;
        for told in self.calls.values_mut().filter(|told| told.waits) {
            any = true;
            told.progress += STEP;
            let params =
                json!({"progressToken": told.token, "progress": told.progress, "message": WAITS});
            self.ready.push(Notice {
                id: None,
                method: "notifications/progress",
                params,
            });
        }
        self.remind_at = any.then(|| Instant::now() + STILL_WAITING);
    }
}

impl Notice {
    /// The message as it travels.
    pub(crate) fn text(&self) -> String {
        match &self.id {
            Some(id) => request(id, self.method, &self.params),
            None => notification(self.method, &self.params),
        }
    }

    /// The same as one of a stream that was asked for by this request.
    pub(crate) fn of_stream(mut self, id: &Id) -> Self {
        self.params["_meta"]["io.modelcontextprotocol/subscriptionId"] = id.value();
        self
    }
}

fn given(visit: &Visit) -> Given {
    (visit.settings(), visit.elsewhere().is_none())
}

/// A number that is whole is written as one.
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e15 {
        return json!(number as i64);
    }
    json!(number)
}

async fn heard(follower: Option<&mut Follower>) -> Result<Arc<EventEnvelope>, NotHeard> {
    match follower {
        Some(follower) => follower.next().await,
        None => pending().await,
    }
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at).await,
        None => pending().await,
    }
}
