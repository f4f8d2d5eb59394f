//! Which of the calls that a model wants together are made now.
//!
//! Always true here: calls of one reply are made beside each other, but never two of one server of
//! which one may change something; these are made in the model's order.

use super::{Effect, Out, Turn};
use crate::{Call, CallOrder, ToolTable};
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
        for (at, call) in open.iter().enumerate() {
            if self.live.contains_key(&call.id) || running >= MOST_AT_ONCE {
                continue;
            }
            let (before, _) = open.split_at(at);
            let (Some(tool), false) = (
                &call.tool,
                before
                    .iter()
                    .any(|other| comes_first(other, call, &self.setting.tools)),
            ) else {
                continue;
            };
            running += 1;
            self.live.insert(call.id.clone(), Live::Running);
            out.effects.push(Effect::Call(CallOrder {
                id: call.id.clone(),
                tool: tool.clone(),
                arguments: call.wanted.arguments.clone(),
            }));
        }
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
        _ => false,
    }
}
