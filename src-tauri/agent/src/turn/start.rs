//! Which of the calls that a model wants together are made now.
//!
//! Always true here: calls of one reply are made beside each other, but never two of one server of
//! which one may change something, and never two tasks; these are made in the model's order.

use super::{Effect, Out, Turn};
use crate::{Call, CallOrder, NotRun, Outcome, TaskOrder, ToolTable};
use protocol::CallId;

/// How many calls run at once.
const MOST_AT_ONCE: usize = 8;

/// How far an open call has come that was made. One that was not waits for those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Live {
    /// It goes on.
    Running,
    /// It waits for a person.
    Waiting,
    /// It was cancelled.
    Cancelled,
}

impl Turn {
    /// Makes the calls that can be made now.
    pub(super) fn start(&mut self, out: &mut Out) {
        let open: Vec<&Call> = self.conversation.open_calls().collect();
        let mut running = self
            .live
            .values()
            .filter(|live| **live == Live::Running)
            .count();
        let mut without_purse = Vec::new();
        for (at, call) in open.iter().enumerate() {
            if self.live.contains_key(&call.id) || running >= MOST_AT_ONCE {
                continue;
            }
            let (before, _) = open.split_at(at);
            let waits = |other: &&Call| comes_first(other, call, &self.setting.tools);
            if !call.is_made() || before.iter().any(waits) {
                continue;
            }
            let Some(effect) = self.effect_of(call) else {
                without_purse.push(call.id.clone());
                continue;
            };
            running += 1;
            self.live.insert(call.id.clone(), Live::Running);
            out.effects.push(effect);
        }
        if without_purse.is_empty() {
            return;
        }
        for call in without_purse {
            let why = NotRun::PurseSpent;
            // It is open, so that it can be settled.
            let _fits = self.settle(call, Outcome::NotRun { why }, out);
        }
        // Others may have waited for it, or nothing is under way any more.
        self.go_on(out);
    }

    /// How a call is made; `None` if there is not enough left for its task.
    fn effect_of(&self, call: &Call) -> Option<Effect> {
        let id = call.id.clone();
        if let Some(tool) = call.tool.clone() {
            let arguments = call.wanted.arguments.clone();
            return Some(Effect::Call(CallOrder {
                id,
                tool,
                arguments,
            }));
        }
        let (task, open) = (call.task.clone()?, self.conversation.open()?);
        Some(Effect::Give(TaskOrder {
            materials: self.conversation.materials(&task),
            label: self.conversation.label(),
            purse: open.left().for_task()?,
            id,
            task,
        }))
    }

    /// Moves an open call from one state to another; `None` if it is in none of these.
    pub(super) fn change(&mut self, call: &CallId, from: Live, to: Live) -> Option<()> {
        let live = self.live.get_mut(call).filter(|live| **live == from)?;
        *live = to;
        Some(())
    }
}

/// Whether an open call has to end before a later one of the same reply is made.
fn comes_first(earlier: &Call, later: &Call, tools: &ToolTable) -> bool {
    match (&earlier.tool, &later.tool) {
        (Some(earlier), Some(later)) => {
            earlier.server == later.server && !(tools.reads(earlier) && tools.reads(later))
        }
        // What is left of the purse is known when the one before has ended.
        _ => earlier.task.is_some() && later.task.is_some(),
    }
}
