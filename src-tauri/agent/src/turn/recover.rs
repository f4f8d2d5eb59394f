//! What becomes of a turn that an earlier run of the application left in the middle.
//!
//! Always true here: a call that may have been sent is not made again, and no model is asked again
//! for a reply that was cut.

use super::start::Live;
use super::{Effect, Out, Setting, Turn};
use crate::{Broke, Conversation, Entry, Misfit, NotRun, Outcome, ReplyPart, Stage, Unknown};
use protocol::CallId;

/// What is known of a call that has no outcome, by whoever makes calls.
#[derive(Debug, Clone, PartialEq)]
pub enum CallState {
    /// Nothing: it was not looked at.
    Unseen,
    /// It waits for a person, who is asked again.
    Waiting,
    /// It goes on, as a task or after an answer; its end is going to be heard.
    Running,
    /// It was sent, and nothing was heard of it.
    Sent,
    /// It has ended.
    Ended(Outcome),
}

/// Goes on where an earlier run was ended: by its journal, what had come of a reply, and what is
/// known of the calls that have no outcome. A turn that waits for a person waits again; one of
/// which nothing is under way goes on; a reply that was cut ends it.
///
/// # Errors
/// [`Misfit`], if the journal is damaged. Nothing of it goes on then.
pub fn recover<'a>(
    setting: Setting,
    entries: impl IntoIterator<Item = &'a Entry>,
    partial: Vec<ReplyPart>,
    mut state_of: impl FnMut(&CallId) -> CallState,
) -> Result<(Turn, Vec<Effect>), Misfit> {
    let mut turn = Turn::of(setting, Conversation::read(entries)?);
    let mut out = Out::default();
    match turn
        .conversation()
        .open()
        .map(|open| (open.stage, open.step))
    {
        Some((Stage::Asking, step)) => {
            for part in partial {
                let _fits = turn.grow(step, part);
            }
            let _fits = turn.breaks(step, Broke::ApplicationEnded, &mut out);
        }
        Some((Stage::Calling, _)) => {
            let open: Vec<CallId> = turn
                .conversation()
                .open_calls()
                .map(|call| call.id.clone())
                .collect();
            for call in open {
                turn.take_up(call.clone(), state_of(&call), &mut out);
            }
        }
        Some((Stage::Paused(why), _)) => out.effects.push(Effect::AskPerson(why)),
        Some((Stage::Between, _)) | None => {}
    }
    turn.go_on(&mut out);
    Ok((turn, out.effects()))
}

impl Turn {
    fn take_up(&mut self, call: CallId, state: CallState, out: &mut Out) {
        let is_stopping = self
            .conversation()
            .open()
            .is_some_and(|open| open.is_stopping);
        let live = match state {
            CallState::Waiting => Live::Waiting,
            CallState::Running => Live::Running,
            CallState::Ended(outcome) => return self.settled(call, outcome, out),
            CallState::Sent => {
                let why = Unknown::ApplicationEnded;
                return self.settled(call, Outcome::Unknown { why }, out);
            }
            CallState::Unseen => {
                let why = NotRun::ApplicationEnded;
                return self.settled(call, Outcome::NotRun { why }, out);
            }
        };
        self.live.insert(call.clone(), live);
        if is_stopping {
            let _fits = self.stop_call(call, out);
        }
    }

    fn settled(&mut self, call: CallId, outcome: Outcome, out: &mut Out) {
        // It was open a moment ago.
        let _fits = self.settle(call, outcome, out);
    }
}
