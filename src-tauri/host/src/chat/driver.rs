//! The driver of one conversation: does what `agent::Turn` says is to be done, and tells it what
//! happens.
//!
//! Always true here:
//! - effects are performed in their order; where something cannot be written, nothing that depends on
//!   it is done;
//! - it ends as soon as no turn is under way and nothing is wanted; what is to go on is in the journal;
//! - the end of the application is no end of a turn: nothing is written about it, and the next run
//!   takes it up.

mod effects;
mod open;
mod orders;
mod tasks;
mod telling;

use super::ask::Coming;
use super::chats::{Chats, Done, Order};
use super::{journal, outcome};
use agent::model::Failure;
use agent::{Effect, Event, Outcome, Reply, ReplyPart, Turn};
use api::{ConversationState, HostError, HostEvent};
use calls::Calls;
use protocol::{CallId, ConversationId, WorkspaceId};
use servers::Follower;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use telling::Telling;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// How often what has come of a reply is kept, at most.
const DRAFT: Duration = Duration::from_secs(1);

/// What comes to a driver.
pub(super) enum Input {
    /// Something is wanted.
    Ordered(Order, Done),
    /// Something came of the request of this number.
    Model(u64, FromModel),
    /// A call has ended; nothing is known of one that the next run takes up.
    CallEnded(CallId, Option<Outcome>),
}

/// What comes of a request to a model.
pub(super) enum FromModel {
    /// A piece of its reply, or that it is sent again.
    Coming(Coming),
    /// The end of its reply.
    Replied(Result<Reply, Failure>),
}

/// The driver of one conversation.
struct Driver {
    calls: Calls,
    chats: Chats,
    id: ConversationId,
    workspace: WorkspaceId,
    /// The conversation that the person has begun, of which this one may be a task: what is said
    /// counts for flow as said there.
    root: ConversationId,
    /// In whose name its calls are made, if it is an assistant's.
    name: Option<String>,
    turn: Turn,
    /// How many entries the journal has.
    length: u64,
    under_way: UnderWay,
    telling: Telling,
    /// What made it end before its time.
    failed: Option<HostError>,
}

/// What was begun and has not ended.
struct UnderWay {
    inbox: UnboundedSender<Input>,
    /// The request to the model.
    model: Option<Asking>,
    /// How many requests were made. What comes of one that was let go is not heard any more.
    requests: u64,
    /// Calls that were made now.
    made: HashMap<CallId, CancellationToken>,
    /// Calls of an earlier run that go on.
    adopted: HashSet<CallId>,
    /// Tasks that were given away, by the conversations in which they are done.
    tasks: HashMap<ConversationId, GivenAway>,
}

/// A task that was given away.
struct GivenAway {
    /// By which call.
    call: CallId,
    /// That it is wanted no longer.
    stop: CancellationToken,
    /// It was said once more what kind of answer is needed.
    was_said_again: bool,
}

/// A request to a model; it is let go with this.
struct Asking {
    /// Which one, of all that were made.
    request: u64,
    /// Which one of its turn.
    step: u32,
    task: JoinHandle<()>,
}

impl Drop for Asking {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Drives a conversation until nothing goes on in it.
pub(super) async fn run(
    calls: Calls,
    chats: Chats,
    id: ConversationId,
    inbox: UnboundedSender<Input>,
    mut orders: UnboundedReceiver<Input>,
) {
    // Before anything is looked at: what happens meanwhile is heard afterwards.
    let follower = calls.follow_without_rows();
    let opened = Driver::open(&calls, &chats, &id, inbox).await;
    let failed = match opened {
        Ok(mut driver) => driver.drive(&mut orders, follower).await,
        Err(problem) => Some(problem),
    };
    // Whoever wanted something meanwhile is told.
    while let Some(input) = chats.end(&id, &mut orders) {
        if let Input::Ordered(_, done) = input {
            let why = failed.clone().unwrap_or_else(HostError::shutting_down);
            let _ = done.send(Err(why));
        }
    }
}

impl Driver {
    /// Returns what made it end before its time, if anything did.
    async fn drive(
        &mut self,
        orders: &mut UnboundedReceiver<Input>,
        mut follower: Follower,
    ) -> Option<HostError> {
        let leaving = self.calls.leaving().clone();
        loop {
            if self.failed.is_some() {
                return self.failed.take();
            }
            if self.turn.conversation().open().is_none() {
                self.telling.flush();
                match self.chats.end(&self.id, orders) {
                    None => return None,
                    Some(input) => {
                        self.take(input).await;
                        continue;
                    }
                }
            }
            tokio::select! {
                biased;
                () = leaving.cancelled() => {
                    self.keep_draft().await;
                    return None;
                }
                input = orders.recv() => match input {
                    Some(input) => self.take(input).await,
                    None => return None,
                },
                event = follower.next() => match event {
                    Ok(event) => self.hear(&event.event).await,
                    Err(_) => self.look_at_calls().await,
                },
                () = self.telling.due() => self.tell_grown().await,
            }
        }
    }

    async fn take(&mut self, input: Input) {
        match input {
            Input::Ordered(order, done) => {
                let ordered = self.ordered(order).await;
                let ordered = ordered.and_then(|()| self.failed.clone().map_or(Ok(()), Err));
                // Whoever wanted it may have gone.
                let _ = done.send(ordered);
            }
            Input::Model(request, from) => {
                let asking = self.under_way.model.as_ref();
                if let Some(asking) = asking.filter(|asking| asking.request == request) {
                    self.take_from_model(asking.step, from).await;
                }
            }
            Input::CallEnded(call, Some(outcome)) => {
                self.under_way.made.remove(&call);
                self.under_way.tasks.retain(|_, given| given.call != call);
                self.happens(Event::CallEnded { call, outcome }).await;
            }
            Input::CallEnded(_, None) => {}
        }
    }

    async fn take_from_model(&mut self, step: u32, from: FromModel) {
        match from {
            FromModel::Coming(Coming::Grew { text, is_reasoning }) => {
                let part = match is_reasoning {
                    true => ReplyPart::Reasoning {
                        text: text.clone(),
                        native: None,
                    },
                    false => ReplyPart::text(&text),
                };
                if self.turn.handle(Event::Grew { step, part }).is_some() {
                    self.telling.grew(text, is_reasoning);
                }
            }
            FromModel::Coming(Coming::Retrying(seconds)) => {
                self.telling.retries(seconds, &self.chats).await;
            }
            FromModel::Replied(replied) => {
                self.under_way.model = None;
                self.telling.flush();
                let event = match replied {
                    Ok(reply) => Event::Replied { step, reply },
                    Err(failure) => Event::Broke { step, failure },
                };
                self.happens(event).await;
            }
        }
    }

    /// Something happened around a call of this conversation.
    async fn hear(&mut self, event: &HostEvent) {
        match event {
            HostEvent::CallChanged { call } if self.is_open(&call.call) => {
                let id = call.call.clone();
                let event = match call.waiting {
                    true => Event::CallWaits(id),
                    false => Event::CallRuns(id),
                };
                self.happens(event).await;
            }
            HostEvent::ConversationChanged { conversation }
                if conversation.state == ConversationState::Idle =>
            {
                let given = self.under_way.tasks.get(&conversation.id);
                if let Some(call) = given.map(|given| given.call.clone()) {
                    self.look_at_task(&call).await;
                }
            }
            HostEvent::CallEnded { call, .. } if self.under_way.adopted.contains(call) => {
                self.adopt(&call.clone()).await;
            }
            _ => {}
        }
    }

    fn is_open(&self, call: &CallId) -> bool {
        let conversation = self.turn.conversation();
        conversation.open_calls().any(|open| open.id == *call)
    }

    /// Some events were missed.
    async fn look_at_calls(&mut self) {
        for call in self.under_way.adopted.clone() {
            self.adopt(&call).await;
        }
        self.look_at_tasks().await;
    }

    /// Takes in what became of a call of an earlier run, once it has ended.
    async fn adopt(&mut self, call: &CallId) {
        if let agent::CallState::Ended(outcome) = outcome::state(&self.calls, call).await {
            self.under_way.adopted.remove(call);
            let call = call.clone();
            self.happens(Event::CallEnded { call, outcome }).await;
        }
    }

    /// Takes an event, and does what comes of it. Whether it fits.
    async fn happens(&mut self, event: Event) -> bool {
        match self.turn.handle(event) {
            Some(effects) => {
                self.perform(effects).await;
                true
            }
            None => false,
        }
    }

    async fn keep_draft(&self) {
        if let Some(partial) = self.turn.partial() {
            journal::keep_draft(&self.calls, &self.id, partial).await;
        }
    }
}
