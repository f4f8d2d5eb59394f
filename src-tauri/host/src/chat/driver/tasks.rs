//! Tasks that a driver gives away, and hears of.
//!
//! Always true here: what is wanted no longer is stopped, however far its beginning has come.

use super::{Driver, Event, GivenAway, Input, Order};
use crate::chat::chats::Chats;
use crate::chat::tasks::{self, State};
use agent::{NotRun, Outcome, TaskOrder, Unknown};
use api::HostError;
use calls::Calls;
use protocol::{CallId, ConversationId};
use tokio_util::sync::CancellationToken;

impl Driver {
    /// Has a task done.
    pub(super) fn give(&mut self, order: TaskOrder) {
        let (call, stop) = (order.id.clone(), CancellationToken::new());
        self.note_task(&call, stop.clone());
        let (calls, chats, inbox) = (
            self.calls.clone(),
            self.chats.clone(),
            self.under_way.inbox.clone(),
        );
        let parent = self.id.clone();
        tokio::spawn(async move {
            if let Err(problem) = begin(&calls, &chats, &parent, order, stop).await {
                let outcome = calls.still_open().is_ok().then(|| unavailable(&problem));
                // The driver may have ended: the next run finds out.
                _ = inbox.send(Input::CallEnded(call, outcome));
            }
        });
    }

    /// Stops a task, if this call has given one away.
    pub(super) fn cancel_task(&mut self, call: &CallId) -> bool {
        let mut tasks = self.under_way.tasks.iter();
        let Some((id, given)) = tasks.find(|(_, given)| given.call == *call) else {
            return false;
        };
        given.stop.cancel();
        order_later(&self.calls, &self.chats, id, Order::Stop(None));
        true
    }

    /// Goes on with the tasks of an earlier run.
    pub(super) async fn adopt_tasks(&mut self, open: Vec<CallId>) {
        for call in &open {
            self.note_task(call, CancellationToken::new());
        }
        open.into_iter().for_each(|call| self.take_up_task(call));
        self.look_at_tasks().await;
    }

    fn take_up_task(&self, call: CallId) {
        let id = tasks::conversation_of(&call);
        let (calls, chats, inbox) = (
            self.calls.clone(),
            self.chats.clone(),
            self.under_way.inbox.clone(),
        );
        tokio::spawn(async move {
            let taken_up = chats.order(&calls, &id, Order::TakeUp).await;
            if let (Err(problem), Ok(())) = (taken_up, calls.still_open()) {
                tracing::error!(conversation = %id, %problem, "a task of an earlier run was not taken up");
                let why = Unknown::ApplicationEnded;
                _ = inbox.send(Input::CallEnded(call, Some(Outcome::Unknown { why })));
            }
        });
    }

    fn note_task(&mut self, call: &CallId, stop: CancellationToken) {
        let given = GivenAway {
            call: call.clone(),
            stop,
            was_said_again: false,
        };
        let id = tasks::conversation_of(call);
        self.under_way.tasks.insert(id, given);
    }

    pub(super) async fn look_at_tasks(&mut self) {
        let given = self.under_way.tasks.values();
        let calls: Vec<CallId> = given.map(|given| given.call.clone()).collect();
        for call in calls {
            self.look_at_task(&call).await;
        }
    }

    /// Takes in what became of a task, once it has ended.
    pub(super) async fn look_at_task(&mut self, call: &CallId) {
        let id = tasks::conversation_of(call);
        match tasks::state(&self.calls, call).await {
            // It is being begun, or goes on.
            State::Unseen | State::GoesOn => {}
            State::Say(said, purse) => {
                let Some(given) = self.under_way.tasks.get_mut(&id) else {
                    return;
                };
                if given.stop.is_cancelled() {
                    self.under_way.tasks.remove(&id);
                    let call = call.clone();
                    let outcome = stopped();
                    self.happens(Event::CallEnded { call, outcome }).await;
                } else if !given.was_said_again {
                    given.was_said_again = true;
                    order_later(&self.calls, &self.chats, &id, Order::Task { said, purse });
                }
            }
            State::Ended(outcome) => {
                self.under_way.tasks.remove(&id);
                let call = call.clone();
                self.happens(Event::CallEnded { call, outcome }).await;
            }
        }
    }

    /// Leaves all tasks: what they are done for is about to be deleted.
    pub(super) fn leave_tasks(&mut self) {
        for (id, given) in self.under_way.tasks.drain() {
            given.stop.cancel();
            order_later(&self.calls, &self.chats, &id, Order::Leave);
        }
    }
}

/// Begins a task, unless it is wanted no longer.
async fn begin(
    calls: &Calls,
    chats: &Chats,
    parent: &ConversationId,
    order: TaskOrder,
    stop: CancellationToken,
) -> Result<(), HostError> {
    let id = tasks::begin(calls, parent, &order).await?;
    let (said, purse) = (order.said(), order.purse);
    chats.order(calls, &id, Order::Task { said, purse }).await?;
    if stop.is_cancelled() {
        // What was ordered before it began was heard by nobody.
        chats.order(calls, &id, Order::Stop(None)).await?;
    }
    Ok(())
}

/// Has something done in a conversation, and waits for nothing.
fn order_later(calls: &Calls, chats: &Chats, id: &ConversationId, order: Order) {
    let (calls, chats, id) = (calls.clone(), chats.clone(), id.clone());
    tokio::spawn(async move {
        if let Err(problem) = chats.order(&calls, &id, order).await {
            // It may have ended in this moment, or is gone.
            tracing::debug!(conversation = %id, %problem, "a task was not reached");
        }
    });
}

fn unavailable(problem: &HostError) -> Outcome {
    let problem = problem.message.clone();
    Outcome::NotRun {
        why: NotRun::Unavailable { problem },
    }
}

/// It was stopped between two of its turns.
fn stopped() -> Outcome {
    Outcome::NotRun {
        why: NotRun::Stopped,
    }
}
