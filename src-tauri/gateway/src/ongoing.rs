//! A call that a client has made, for as long as it goes on: it may outlive the request that began
//! it, and go on with the next that is the same.
//!
//! Always true here:
//! - a call is one value, which belongs to one request or is parked: it is carried out once, and
//!   answered once;
//! - dropped, it is cancelled, and what was asked because of it is asked no more.

use crate::input_required::{self, Retry};
use crate::methods::{Asked, Era};
use crate::notices::Outgoing;
use crate::parked::Parked;
use crate::route::{InputRequest, MOST_WANTED, Reach, Route, Way};
use crate::rpc_error::RpcError;
use api::{CallResult, CallTool, ErrorCode, HostError};
use futures::future::BoxFuture;
use host::{ClientAbilities, RouteGuard};
use protocol::{CallId, Fingerprint};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at};
use tokio_util::task::AbortOnDropHandle;

/// How long a client waits for a person that hears nothing meanwhile. Many give up after a minute.
const PATIENCE: Duration = Duration::from_secs(45);
/// How often is looked whether that has passed.
const LOOK: Duration = Duration::from_secs(1);

type Outcome = Result<CallResult, HostError>;

/// What comes of a request that is a call.
pub(crate) enum Came {
    /// The call has ended.
    Ended(Outcome),
    /// It goes on, and this is said meanwhile.
    GoesOn(Value),
}

/// A call that goes on.
pub(crate) struct OngoingCall {
    id: CallId,
    outcome: BoxFuture<'static, Outcome>,
    route: Arc<Route>,
    /// Nothing where its client can be asked nothing.
    _routed: Option<RouteGuard>,
    /// What is wanted of the client in results.
    wanted: mpsc::Receiver<InputRequest>,
    wants: mpsc::Sender<InputRequest>,
    /// What it was asked in the last one, by our keys.
    open: Vec<(String, InputRequest)>,
    /// How many keys there were.
    keys: u64,
}

/// Carries a call out, or goes on with the one that this request is about.
pub(crate) async fn carry_out(asked: &Asked<'_>, call: CallTool) -> Result<Came, RpcError> {
    let parked = asked.visit.parked();
    let retry = match asked.era {
        Era::Modern => asked.params.read::<Retry>()?,
        Era::Handshake => Retry::default(),
    };
    let found = match &retry.request_state {
        Some(state) => {
            let same = same(asked)?;
            let found = parked.take(state, &same);
            Some(found.ok_or_else(input_required::unknown_state)?)
        }
        None if parked.is_empty() => None,
        None => parked.take_same(&same(asked)?),
    };
    let mut ongoing = match found {
        Some(found) => found,
        None => OngoingCall::begin(asked, call),
    };
    ongoing.attach(asked);
    if let Some(responses) = retry.input_responses {
        ongoing.give(responses);
    }
    ongoing.wait(asked).await
}

/// What makes two calls of one client the same.
fn same(asked: &Asked<'_>) -> Result<Fingerprint, RpcError> {
    let mut params: Map<String, Value> = asked.params.read()?;
    params.retain(|key, _| key == "name" || key == "arguments");
    Ok(Fingerprint::of(&Value::Object(params)))
}

impl OngoingCall {
    fn begin(asked: &Asked<'_>, call: CallTool) -> Self {
        let (host, surface) = (asked.visit.host().clone(), asked.visit.surface().clone());
        let (wants, wanted) = mpsc::channel(MOST_WANTED);
        let (id, route) = (asked.call.clone(), Arc::new(Route::default()));
        let can_be_asked = asked.reach.abilities != ClientAbilities::default();
        Self {
            _routed: can_be_asked.then(|| {
                let way: Arc<Route> = Arc::clone(&route);
                host.route(id.clone(), way)
            }),
            id,
            outcome: Box::pin(async move { host.call(call, &surface).await }),
            route,
            wanted,
            wants,
            open: Vec::new(),
            keys: 0,
        }
    }

    /// From now on it is this request that waits for it.
    fn attach(&mut self, asked: &Asked<'_>) {
        let Reach {
            abilities,
            asks,
            out,
            ..
        } = asked.reach;
        let way = match (asked.era, out) {
            (Era::Modern, _) => Way::Rounds(self.wants.clone()),
            (Era::Handshake, Some(out)) => Way::Requests(Arc::clone(asks), out.clone()),
            (Era::Handshake, None) => Way::Nothing,
        };
        self.route.set(*abilities, way);
        if self.id != asked.call
            && let Some(out) = out
        {
            let (call, request) = (self.id.clone(), asked.call.clone());
            // Who takes nothing needs not to know.
            let _ = out.try_send(Outgoing::Follow { call, request });
        }
    }

    /// Hands on what the client gives of what it was asked for. What it does not give it does not
    /// have.
    fn give(&mut self, mut responses: Map<String, Value>) {
        for (key, wanted) in std::mem::take(&mut self.open) {
            if let Some(Value::Object(reply)) = responses.remove(&key) {
                // It may not be needed any more.
                let _ = wanted.reply.send(reply);
            }
        }
    }

    async fn wait(mut self, asked: &Asked<'_>) -> Result<Came, RpcError> {
        let host = asked.visit.host();
        let patient_until = host.now().plus(PATIENCE);
        let mut look = interval_at(Instant::now() + LOOK, LOOK);
        look.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut may_park = true;
        loop {
            self.open.retain(|(_, wanted)| !wanted.reply.is_closed());
            if !self.open.is_empty() {
                let requests = input_required::requests(&self.open);
                match self.park(asked)? {
                    Parking::Parked(state) => {
                        return Ok(Came::GoesOn(input_required::result(requests, &state)));
                    }
                    Parking::Full(back) => {
                        self = *back;
                        // Somebody else is asked instead.
                        self.open.clear();
                    }
                }
            }
            tokio::select! {
                biased;
                outcome = &mut self.outcome => return Ok(Came::Ended(outcome)),
                Some(wanted) = self.wanted.recv() => self.want(wanted),
                _ = look.tick(), if may_park && !asked.reach.hears_progress => {
                    if host.now() < patient_until || !host.is_asking(&self.id) {
                        continue;
                    }
                    match self.park(asked)? {
                        Parking::Parked(_) => {
                            return Ok(Came::GoesOn(input_required::still_asking()));
                        }
                        Parking::Full(back) => {
                            self = *back;
                            may_park = false;
                        }
                    }
                }
            }
        }
    }

    /// Takes what is wanted of the client, and what is wanted at the same time.
    fn want(&mut self, first: InputRequest) {
        let mut next = Some(first);
        while let Some(wanted) = next {
            self.keys += 1;
            self.open.push((format!("ask-{}", self.keys), wanted));
            next = self.wanted.try_recv().ok();
        }
    }

    /// Lets go of it until the client makes the same request again.
    fn park(self, asked: &Asked<'_>) -> Result<Parking, RpcError> {
        let same = same(asked)?;
        let visit = asked.visit;
        let parked: &Arc<Parked> = visit.parked();
        if parked.is_full() {
            return Ok(Parking::Full(Box::new(self)));
        }
        let outcome = AbortOnDropHandle::new(tokio::spawn(self.outcome));
        let outcome = Box::pin(async move {
            let ended = outcome.await;
            ended.unwrap_or_else(|problem| {
                let message = format!("the call ended unexpectedly: {problem}");
                Err(HostError::of(ErrorCode::Internal, message))
            })
        });
        let call = Self { outcome, ..self };
        Ok(Parking::Parked(parked.park(
            call,
            same,
            visit.client().ended(),
        )))
    }
}

enum Parking {
    /// It goes on by itself; what the client brings back.
    Parked(String),
    /// There is no room.
    Full(Box<OngoingCall>),
}
