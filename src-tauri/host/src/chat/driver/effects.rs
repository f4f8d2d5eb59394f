//! What is to be done is done, in its order.

use super::{Asking, Driver, Effect, Event, FromModel, Input};
use crate::chat::ask::{self, Coming};
use crate::chat::{attached, call, journal};
use agent::{CallOrder, Entry, Request};
use calls::conversations::Told;
use protocol::CallId;
use std::collections::VecDeque;
use tokio_util::sync::CancellationToken;

impl Driver {
    /// Performs effects. Where one fails, those behind it are not performed.
    pub(super) async fn perform(&mut self, effects: Vec<Effect>) {
        let mut effects = VecDeque::from(effects);
        let has_changed = !effects.is_empty();
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Write(entries) => {
                    if !self.write(&entries).await {
                        effects = self
                            .turn
                            .handle(Event::WriteFailed)
                            .unwrap_or_default()
                            .into();
                    }
                }
                Effect::AskModel { step, request } => self.ask(step, request),
                Effect::DropModel => {
                    self.under_way.model = None;
                    self.telling.flush();
                }
                Effect::Call(order) => self.call(order),
                Effect::Give(order) => self.give(order),
                Effect::CancelCall(call) => self.cancel(&call),
                // It is asked where the conversation is shown: what goes on in it says so.
                Effect::AskPerson(_) => {}
            }
        }
        if has_changed {
            self.tell_changed().await;
        }
    }

    /// Adds entries to the journal, all of them or none. Whether they are there.
    async fn write(&mut self, entries: &[Entry]) -> bool {
        let written = journal::append(&self.calls, &self.id, self.length, entries).await;
        if let Err(problem) = written {
            tracing::error!(conversation = %self.id, %problem, "a conversation could not be written down; nothing more is done in it");
            self.failed = Some(problem);
            return false;
        }
        self.length += entries.len() as u64;
        for entry in entries {
            self.tell_flow(entry);
        }
        true
    }

    /// What was said is known before the next call is decided about.
    fn tell_flow(&self, entry: &Entry) {
        let said = self.calls.conversations();
        match entry {
            Entry::TurnBegan { said: parts, .. } | Entry::Steered { said: parts } => {
                attached::tell(said, &self.root, parts);
            }
            Entry::Replied { .. } | Entry::ReplyBroke { .. } => {
                said.tell(&self.root, [Told::Model]);
            }
            _ => {}
        }
    }

    fn ask(&mut self, step: u32, request: Box<Request>) {
        let turn = self
            .turn
            .conversation()
            .open()
            .map(|open| open.turn.clone());
        self.telling.begin(turn, step);
        self.under_way.requests += 1;
        let number = self.under_way.requests;
        let (calls, inbox) = (self.calls.clone(), self.under_way.inbox.clone());
        let task = tokio::spawn(async move {
            // The driver may have ended: nobody hears of it any more.
            let mut tell = |coming: Coming| {
                _ = inbox.send(Input::Model(number, FromModel::Coming(coming)));
            };
            let replied = ask::ask(&calls, &request, &mut tell).await;
            _ = inbox.send(Input::Model(number, FromModel::Replied(replied)));
        });
        self.under_way.model = Some(Asking {
            request: number,
            step,
            task,
        });
    }

    fn cancel(&mut self, call: &CallId) {
        if self.cancel_task(call) {
            return;
        }
        match self.under_way.made.get(call) {
            Some(stop) => stop.cancel(),
            // It may have ended in this moment; then its end is heard.
            None => _ = self.calls.running().cancel(call),
        }
    }

    fn call(&mut self, order: CallOrder) {
        let stop = CancellationToken::new();
        let id = order.id.clone();
        self.under_way.made.insert(id.clone(), stop.clone());
        let (calls, inbox) = (self.calls.clone(), self.under_way.inbox.clone());
        let (of, workspace) = (
            (self.root.clone(), self.name.clone()),
            self.workspace.clone(),
        );
        tokio::spawn(async move {
            let outcome = call::make(&calls, of, workspace, order, stop).await;
            _ = inbox.send(Input::CallEnded(id, outcome));
        });
    }
}
