//! The loop of a conversation with a model, one turn at a time.
//!
//! Always true here:
//! - no clock and no disk: what happens comes in as an [`Event`], and what is to be done goes out as
//!   [`Effect`]s, to be performed in their order and none after one that fails;
//! - what is done because of an entry comes after the [`Effect::Write`] that holds it;
//! - an event that does not fit, as one that comes late, changes nothing;
//! - a turn that is stopped makes no further call and asks no model again.

#[cfg(test)]
mod crash_test;
#[cfg(test)]
mod random_test;
mod recover;
mod start;
mod step;
#[cfg(test)]
mod tests;
#[cfg(test)]
pub(crate) mod world;

use crate::model::Failure;
use crate::{
    Broke, CallOrder, Closing, Conversation, Entry, Helper, ModelRef, NotRun, Outcome, Purse,
    Reply, ReplyPart, Request, Said, Stage, TaskOrder, ToolTable, TurnEnd, Unknown,
};
use protocol::{CallId, TurnId};
pub use recover::{CallState, recover};
use serde::{Deserialize, Serialize};
use start::Live;
use std::collections::BTreeMap;

/// With what a conversation goes on: as it is when a request is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Setting {
    /// Who answers.
    pub model: ModelRef,
    /// Our words on how to go about it.
    pub instructions: String,
    /// The tools that it may be shown.
    pub tools: ToolTable,
    /// What a turn may take.
    pub purse: Purse,
    /// How much the model can read and write together, in tokens.
    pub context: u64,
    /// The most that it may write at once, in tokens.
    pub max_output: u64,
    /// Whether it can look at pictures.
    pub sees_images: bool,
    /// Who it may give tasks to.
    pub helpers: Vec<Helper>,
    /// Whether it can calculate with a tool of ours.
    pub calculates: bool,
    /// Whether what speaks to the model is read for it, and not shown to it.
    pub has_reader: bool,
    /// Whether it does a task of another model: no person is asked whether it goes on then.
    pub does_task: bool,
}

/// What happens.
///
/// Values of held secrets are covered, and what cannot be seen is made visible, before it comes in:
/// in what the person says and in every piece and reply of a model, as in the results of tools. It
/// is written as it comes, and the same is read again and sent; were it changed on the way to the
/// journal, a request would not be the one that was made.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// The person says something where no turn is under way.
    Said {
        /// The number of the turn that begins.
        turn: TurnId,
        /// What they say.
        said: Vec<Said>,
    },
    /// The person says something while a turn is under way.
    Steered(Vec<Said>),
    /// A piece of a reply is here: words, or what the model thinks.
    Grew {
        /// To which request.
        step: u32,
        /// The piece.
        part: ReplyPart,
    },
    /// The whole reply is here.
    Replied {
        /// To which request.
        step: u32,
        /// The reply.
        reply: Reply,
    },
    /// The reply will not come to its end.
    Broke {
        /// To which request.
        step: u32,
        /// What happened.
        failure: Failure,
    },
    /// A call waits for a person.
    CallWaits(CallId),
    /// It does not any more, and runs.
    CallRuns(CallId),
    /// A call has ended.
    CallEnded {
        /// Which.
        call: CallId,
        /// How.
        outcome: Outcome,
    },
    /// The person stops the turn. Said once more, what does not end is not waited for any longer.
    Stop,
    /// The person stops one call.
    StopCall(CallId),
    /// The person says whether a turn goes on that waits for that.
    GoOn(bool),
    /// What was to be written could not be.
    WriteFailed,
}

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Add these to the journal, all of them or none.
    Write(Vec<Entry>),
    /// Ask the model.
    AskModel {
        /// Which request of the turn it is, counted from 1.
        step: u32,
        /// The request.
        request: Box<Request>,
    },
    /// Let go of the reply that is coming in, if one is.
    DropModel,
    /// Make this call.
    Call(CallOrder),
    /// Have this task done.
    Give(TaskOrder),
    /// Cancel this call, or withdraw its question, if it was made. Its end is heard all the same.
    CancelCall(CallId),
    /// Ask the person whether the turn goes on.
    AskPerson(Closing),
}

/// A conversation, with what is under way in it.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    setting: Setting,
    conversation: Conversation,
    /// How far each call has come that was made and has no outcome.
    live: BTreeMap<CallId, Live>,
    /// What has come of the reply that is coming in.
    partial: Option<PartialReply>,
    /// The journal is behind: nothing goes on before it was read again.
    is_behind: bool,
}

/// What has come of a reply that is coming in: the words, and what the model thinks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartialReply {
    /// In which turn.
    pub turn: TurnId,
    /// To which request of it.
    pub step: u32,
    /// What has come.
    pub parts: Vec<ReplyPart>,
}

/// What comes out of one event.
#[derive(Debug, Default)]
struct Out {
    entries: Vec<Entry>,
    effects: Vec<Effect>,
}

impl Out {
    fn effects(self) -> Vec<Effect> {
        let write = (!self.entries.is_empty()).then_some(Effect::Write(self.entries));
        write.into_iter().chain(self.effects).collect()
    }
}

impl Turn {
    /// Goes on with a conversation in which no turn is under way, or where one is to be recovered.
    fn of(setting: Setting, conversation: Conversation) -> Self {
        Self {
            setting,
            conversation,
            live: BTreeMap::new(),
            partial: None,
            is_behind: false,
        }
    }

    /// A conversation in which nothing was said yet.
    pub fn new(setting: Setting) -> Self {
        Self::of(setting, Conversation::default())
    }

    /// With what it goes on.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// The conversation, as far as it is written.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// What has come of the reply that is coming in. It is worth keeping from time to time, for
    /// [`recover`].
    pub fn partial(&self) -> Option<&PartialReply> {
        self.partial.as_ref()
    }

    /// The same with another model, other tools or another purse, from the next request on; `false`
    /// while a turn is under way, which goes on as it began.
    pub fn set(&mut self, setting: Setting) -> bool {
        let is_free = self.conversation.open().is_none();
        if is_free {
            self.setting = setting;
        }
        is_free
    }

    /// Takes an event, and says what is to be done; `None` if it does not fit.
    pub fn handle(&mut self, event: Event) -> Option<Vec<Effect>> {
        if self.is_behind {
            return None;
        }
        let mut out = Out::default();
        match event {
            Event::Said { turn, said } => {
                let model = self.setting.model.clone();
                let purse = self.setting.purse;
                let began = Entry::TurnBegan {
                    turn,
                    said,
                    model,
                    purse,
                };
                self.write(began, &mut out)?;
            }
            Event::Steered(said) => self.write(Entry::Steered { said }, &mut out)?,
            Event::Grew { step, part } => return self.grow(step, part),
            Event::Replied { step, reply } => self.replied(step, reply, &mut out)?,
            Event::Broke { step, failure } => {
                self.breaks(step, Broke::Failed { failure }, &mut out)?;
            }
            Event::CallWaits(call) => self.change(&call, Live::Running, Live::Waiting)?,
            Event::CallRuns(call) => self.change(&call, Live::Waiting, Live::Running)?,
            Event::CallEnded { call, outcome } => {
                self.live.get(&call)?;
                self.settle(call, outcome, &mut out)?;
            }
            Event::Stop => self.stop(&mut out)?,
            Event::StopCall(call) => self.stop_call(call, &mut out)?,
            Event::GoOn(yes) => self.decided(yes, &mut out)?,
            Event::WriteFailed => {
                self.is_behind = true;
                self.let_go(&mut out);
                return Some(out.effects());
            }
        }
        self.go_on(&mut out);
        Some(out.effects())
    }

    /// Adds an entry. `None` if it does not fit.
    fn write(&mut self, entry: Entry, out: &mut Out) -> Option<()> {
        self.conversation.apply(&entry)?;
        out.entries.push(entry);
        Some(())
    }

    fn grow(&mut self, step: u32, part: ReplyPart) -> Option<Vec<Effect>> {
        let open = self.conversation.open()?;
        // Half a call is none, and what only its service can read is of no use in halves.
        let is_kept = matches!(part, ReplyPart::Text { .. } | ReplyPart::Reasoning { .. });
        if open.stage != Stage::Asking || open.step != step || !is_kept {
            return None;
        }
        let partial = self.partial.get_or_insert_with(|| PartialReply {
            turn: open.turn.clone(),
            step,
            parts: Vec::new(),
        });
        match (partial.parts.last_mut(), part) {
            (Some(ReplyPart::Text { text, .. }), ReplyPart::Text { text: more, .. })
            | (Some(ReplyPart::Reasoning { text, .. }), ReplyPart::Reasoning { text: more, .. }) => {
                text.push_str(&more);
            }
            (_, part) => partial.parts.push(part),
        }
        Some(Vec::new())
    }

    fn breaks(&mut self, step: u32, why: Broke, out: &mut Out) -> Option<()> {
        let parts = self.partial.as_ref();
        let parts = parts.map(|partial| partial.parts.clone());
        let parts = parts.unwrap_or_default();
        self.write(Entry::ReplyBroke { step, why, parts }, out)?;
        self.partial = None;
        Some(())
    }

    fn settle(&mut self, call: CallId, outcome: Outcome, out: &mut Out) -> Option<()> {
        let settled = Entry::CallSettled {
            call: call.clone(),
            outcome: outcome.keepable(),
        };
        self.write(settled, out)?;
        self.live.remove(&call);
        Some(())
    }

    fn stop(&mut self, out: &mut Out) -> Option<()> {
        let open = self.conversation.open()?;
        let step = open.step;
        if open.is_stopping {
            for call in self.live.keys().cloned().collect::<Vec<_>>() {
                let why = Unknown::Stopped;
                self.settle(call, Outcome::Unknown { why }, out)?;
            }
            return Some(());
        }
        let stage = open.stage;
        self.write(Entry::StopRequested, out)?;
        if let Stage::Paused(_) = stage {
            let why = TurnEnd::Stopped;
            return self.write(Entry::TurnEnded { why }, out);
        }
        if stage == Stage::Asking {
            out.effects.push(Effect::DropModel);
            self.breaks(step, Broke::Stopped, out)?;
        }
        let open = self.conversation.open_calls().map(|call| call.id.clone());
        for call in open.collect::<Vec<_>>() {
            self.stop_call(call, out)?;
        }
        Some(())
    }

    fn stop_call(&mut self, call: CallId, out: &mut Out) -> Option<()> {
        match self.live.get_mut(&call) {
            None => {
                let why = NotRun::Stopped;
                self.settle(call, Outcome::NotRun { why }, out)?;
            }
            Some(Live::Cancelled) => {}
            Some(live) => {
                *live = Live::Cancelled;
                out.effects.push(Effect::CancelCall(call));
            }
        }
        Some(())
    }

    fn decided(&mut self, yes: bool, out: &mut Out) -> Option<()> {
        let Stage::Paused(why) = self.conversation.open()?.stage else {
            return None;
        };
        let entry = match (yes, why) {
            (true, Closing::PurseSpent) => Entry::PurseRaised {
                by: self.setting.purse,
            },
            (true, Closing::Loops) => Entry::LetGoOn,
            (false, why) => Entry::TurnEnded { why: why.into() },
        };
        self.write(entry, out)
    }

    /// Nothing more can be written: what is under way is let go. What was to be done beside the
    /// writing that failed was not, so that more may be under way than is known.
    fn let_go(&mut self, out: &mut Out) {
        out.effects.push(Effect::DropModel);
        let live = std::mem::take(&mut self.live);
        out.effects.extend(live.into_keys().map(Effect::CancelCall));
    }
}
