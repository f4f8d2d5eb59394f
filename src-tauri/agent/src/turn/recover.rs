//! What becomes of a turn that an earlier run of the application left in the middle.
//!
//! Always true here: a call that may have been sent is not made again, and no model is asked again
//! for a reply that was cut.

use super::start::Live;
use super::{Effect, Out, PartialReply, Setting, Turn};
use crate::{Broke, Conversation, DamagedJournal, Entry, NotRun, Outcome, Stage, TurnEnd, Unknown};
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
/// which nothing is under way goes on; a reply that was cut ends it, and so does it that another
/// model is to answer by now. What had come of another reply than the one that was cut is not
/// looked at.
///
/// # Errors
/// [`DamagedJournal`], if the journal is damaged. Nothing of it goes on then.
pub fn recover<'a>(
    setting: Setting,
    entries: impl IntoIterator<Item = &'a Entry>,
    partial: Option<PartialReply>,
    state_of: impl FnMut(&CallId) -> CallState,
) -> Result<(Turn, Vec<Effect>), DamagedJournal> {
    let mut count = 0;
    let counted = entries.into_iter().inspect(|_| count += 1);
    let mut turn = Turn::of(setting, Conversation::read(counted)?);
    let mut out = Out::default();
    turn.take_up(partial, state_of, &mut out)
        .ok_or(DamagedJournal { at: count })?;
    turn.go_on(&mut out);
    Ok((turn, out.effects()))
}

impl Turn {
    /// Takes up what is under way. `None` if what is to be written of it does not fit.
    fn take_up(
        &mut self,
        partial: Option<PartialReply>,
        mut state_of: impl FnMut(&CallId) -> CallState,
        out: &mut Out,
    ) -> Option<()> {
        let Some(open) = self.conversation().open() else {
            return Some(());
        };
        let (step, is_stopping) = (open.step, open.is_stopping);
        let is_another_model = open.model != self.setting.model;
        match open.stage {
            Stage::Between => {}
            Stage::Asking => {
                let of_this = |partial: &PartialReply| {
                    (&partial.turn, partial.step) == (&open.turn, open.step)
                };
                let parts = partial.filter(of_this).map(|partial| partial.parts);
                for part in parts.unwrap_or_default() {
                    // What does not belong into what is kept of a reply that broke stays away.
                    let _fits = self.grow(step, part);
                }
                self.breaks(step, Broke::ApplicationEnded, out)?;
            }
            Stage::Calling => {
                let open: Vec<CallId> = self
                    .conversation()
                    .open_calls()
                    .map(|call| call.id.clone())
                    .collect();
                for call in open {
                    let state = state_of(&call);
                    self.take_up_call(call, state, is_stopping, out)?;
                }
            }
            Stage::Paused(_) if is_another_model => {
                let why = TurnEnd::ModelChanged;
                self.write(Entry::TurnEnded { why }, out)?;
            }
            Stage::Paused(why) => out.effects.push(Effect::AskPerson(why)),
        }
        Some(())
    }

    fn take_up_call(
        &mut self,
        call: CallId,
        state: CallState,
        is_stopping: bool,
        out: &mut Out,
    ) -> Option<()> {
        let live = match state {
            CallState::Waiting => Live::Waiting,
            CallState::Running => Live::Running,
            CallState::Ended(outcome) => return self.settle(call, outcome, out),
            CallState::Sent => {
                let why = Unknown::ApplicationEnded;
                return self.settle(call, Outcome::Unknown { why }, out);
            }
            CallState::Unseen => {
                let why = NotRun::ApplicationEnded;
                return self.settle(call, Outcome::NotRun { why }, out);
            }
        };
        self.live.insert(call.clone(), live);
        if is_stopping {
            self.stop_call(call, out)?;
        }
        Some(())
    }
}
