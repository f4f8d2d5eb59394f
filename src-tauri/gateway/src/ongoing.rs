//! Something that a client has asked of a server, for as long as it goes on: it may outlive the
//! request that began it, and go on with the next that is the same.
//!
//! Always true here:
//! - it is one value, which belongs to one request or is parked: it is carried out once, and
//!   answered once;
//! - dropped, it is cancelled, and what was asked because of it is asked no more.

use crate::input_required::{self, Retry};
use crate::methods::{Asked, Era, Reply};
use crate::notices::Outgoing;
use crate::route::{InputRequest, MOST_WANTED, Reach, Route, Way};
use crate::rpc_error::RpcError;
use futures::future::{BoxFuture, pending, ready};
use host::{ClientAbilities, RouteGuard};
use protocol::{CallId, Fingerprint};
use serde_json::{Map, Value};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep};
use tokio_util::task::AbortOnDropHandle;

/// How long a client waits for a person that hears nothing meanwhile. Many give up after a minute.
const UNHEARD_TIMEOUT: Duration = Duration::from_secs(45);
/// How often is looked whether that has passed.
const LOOK: Duration = Duration::from_secs(1);
/// For how long is gathered what is wanted of a client together.
const GATHER: Duration = Duration::from_millis(100);
/// The longest key of a server that a client sees, in bytes.
const LONGEST_KEY: usize = 64;

/// Something that goes on.
pub(crate) struct Ongoing {
    /// The number of the request that began it, and of the call, if it is one.
    id: CallId,
    reply: BoxFuture<'static, Reply>,
    route: Arc<Route>,
    /// Nothing where its client can be asked nothing.
    _routed: Option<RouteGuard>,
    /// What is wanted of the client in results; nothing where it can be asked nothing.
    wanted: Option<Rounds>,
    /// What it was asked in the last one and has not given, by its keys.
    open: Vec<(String, InputRequest)>,
    /// How many there were that had no key of their own.
    keys: u64,
}

/// What is wanted of a client in the results of its requests.
struct Rounds {
    wants: mpsc::Sender<InputRequest>,
    wanted: mpsc::Receiver<InputRequest>,
}

/// Does what a request wants, or goes on with what it is about. The answer may be what is said
/// meanwhile. What begins may be parked in the visit, and so does not hold it.
pub(crate) async fn carry_out(
    asked: &Asked<'_>,
    begin: impl FnOnce() -> BoxFuture<'static, Reply>,
) -> Reply {
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
        None => Ongoing::begin(asked, begin),
    };
    ongoing.attach(asked);
    if let Some(responses) = retry.input_responses {
        ongoing.give(responses);
    }
    ongoing.wait(asked).await
}

/// What makes two requests of one client the same.
fn same(asked: &Asked<'_>) -> Result<Fingerprint, RpcError> {
    let mut params: Map<String, Value> = asked.params.read()?;
    params.retain(|key, _| matches!(key.as_str(), "name" | "arguments" | "uri"));
    params.insert("method".to_owned(), asked.method.into());
    Ok(Fingerprint::of(&Value::Object(params)))
}

impl Ongoing {
    fn begin(asked: &Asked<'_>, begin: impl FnOnce() -> BoxFuture<'static, Reply>) -> Self {
        let (id, route) = (asked.call.clone(), Arc::new(Route::default()));
        let can_be_asked = asked.reach.abilities != ClientAbilities::default();
        Self {
            wanted: can_be_asked.then(Rounds::new),
            _routed: can_be_asked.then(|| {
                let way: Arc<Route> = Arc::clone(&route);
                asked.visit.host().route(id.clone(), way)
            }),
            id,
            reply: begin(),
            route,
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
        let way = match (asked.era, &self.wanted, out) {
            (Era::Modern, Some(rounds), _) => Way::Rounds(rounds.wants.clone()),
            (Era::Handshake, _, Some(out)) => Way::Requests(Arc::clone(asks), out.clone()),
            (Era::Modern, None, _) | (Era::Handshake, _, None) => Way::Nothing,
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

    /// Hands on what the client gives of what it was asked for. What it does not give it is asked for
    /// again.
    fn give(&mut self, mut responses: Map<String, Value>) {
        for (key, wanted) in std::mem::take(&mut self.open) {
            match responses.remove(&key) {
                // It may not be needed any more.
                Some(Value::Object(reply)) => drop(wanted.reply.send(reply)),
                _ => self.open.push((key, wanted)),
            }
        }
    }

    async fn wait(mut self, asked: &Asked<'_>) -> Reply {
        let host = asked.visit.host();
        let patient_until = host.now().plus(UNHEARD_TIMEOUT);
        let mut may_park = !asked.reach.hears_progress;
        // Most calls wait for nobody, and need no timer.
        let mut asks = host.asked();
        let mut look = host.is_asking(&self.id).then(looks);
        loop {
            self.open.retain(|(_, wanted)| !wanted.reply.is_closed());
            if !self.open.is_empty() {
                let requests = input_required::requests(&self.open);
                match self.park(asked)? {
                    Ok(state) => return Ok(input_required::result(requests, &state)),
                    Err(back) => {
                        self = *back;
                        // Somebody else is asked instead.
                        self.open.clear();
                    }
                }
            }
            tokio::select! {
                biased;
                reply = &mut self.reply => return reply,
                Some(wanted) = next_wanted(&mut self.wanted) => self.want(wanted).await,
                Ok(()) = asks.changed(), if may_park && look.is_none() => {
                    look = host.is_asking(&self.id).then(looks);
                }
                () = tick(&mut look), if may_park => {
                    if host.now() < patient_until || !host.is_asking(&self.id) {
                        continue;
                    }
                    match self.park(asked)? {
                        Ok(_) => return Ok(input_required::still_asking()),
                        Err(back) => {
                            self = *back;
                            may_park = false;
                        }
                    }
                }
            }
        }
    }

    /// Takes what is wanted of the client, and what is wanted together with it.
    async fn want(&mut self, first: InputRequest) {
        let together = sleep(GATHER);
        tokio::pin!(together);
        let mut next = Some(first);
        while let Some(wanted) = next {
            let key = self.key_of(&wanted);
            self.open.push((key, wanted));
            next = tokio::select! {
                biased;
                wanted = next_wanted(&mut self.wanted) => wanted,
                ended = &mut self.reply => {
                    self.reply = Box::pin(ready(ended));
                    None
                }
                () = &mut together => None,
            };
        }
    }

    /// The key of something that is wanted: the server's, if it is plain and nothing else has it.
    fn key_of(&mut self, wanted: &InputRequest) -> String {
        let is_plain = |key: &&String| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
            (1..=LONGEST_KEY).contains(&key.len()) && key.bytes().all(plain)
        };
        let is_free = |key: &&String| self.open.iter().all(|(open, _)| open != *key);
        let own = wanted.ask.key.as_ref().filter(is_plain).filter(is_free);
        if let Some(own) = own {
            return own.clone();
        }
        self.keys += 1;
        format!("majordomo.{}", self.keys)
    }

    /// Lets go of it until the client makes the same request again: what the client brings back then,
    /// or itself where there is no room for it.
    fn park(self, asked: &Asked<'_>) -> Result<Result<String, Box<Self>>, RpcError> {
        let (visit, same) = (asked.visit, same(asked)?);
        Ok(visit.parked().park(self, same, visit.client().ended()))
    }

    /// The same, which goes on although nobody waits for it.
    pub(crate) fn by_itself(self) -> Self {
        let reply = AbortOnDropHandle::new(tokio::spawn(self.reply));
        let reply = Box::pin(async move {
            let ended = reply.await;
            ended.unwrap_or_else(|problem| {
                let message = format!("it ended unexpectedly: {problem}");
                Err(RpcError::new(RpcError::INTERNAL, message))
            })
        });
        Self { reply, ..self }
    }
}

impl Rounds {
    fn new() -> Self {
        let (wants, wanted) = mpsc::channel(MOST_WANTED);
        Self { wants, wanted }
    }
}

/// The next thing that is wanted; there is none where nothing can be.
async fn next_wanted(rounds: &mut Option<Rounds>) -> Option<InputRequest> {
    match rounds {
        Some(rounds) => rounds.wanted.recv().await,
        None => pending().await,
    }
}

/// When is looked whether a person has taken too long.
fn looks() -> Interval {
    let mut looks = interval_at(Instant::now() + LOOK, LOOK);
    looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    looks
}

async fn tick(looks: &mut Option<Interval>) {
    match looks {
        Some(looks) => _ = looks.tick().await,
        None => pending().await,
    }
}

#[cfg(test)]
impl Ongoing {
    /// One of which this comes.
    pub(crate) fn of(reply: BoxFuture<'static, Reply>) -> Self {
        Self {
            id: CallId::random(),
            reply,
            route: Arc::default(),
            _routed: None,
            wanted: None,
            open: Vec::new(),
            keys: 0,
        }
    }

    /// What comes of it.
    pub(crate) async fn ended(self) -> Reply {
        self.reply.await
    }
}
