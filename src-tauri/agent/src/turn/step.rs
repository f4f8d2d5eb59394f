//! What comes next: another request, the end of the turn, or a question to the person.

use super::{Effect, Out, Turn};
use crate::calls::plan;
use crate::context::{Prepared, prepare};
use crate::{Closing, Entry, Item, NotRun, Outcome, Reply, Stage, StopReason, TurnEnd};

/// What comes next.
enum Next {
    Ask(Option<Closing>),
    Pause(Closing),
    End(TurnEnd),
}

impl Turn {
    /// The reply is here: it is written, with what is done with its calls.
    pub(super) fn replied(&mut self, step: u32, reply: Reply, out: &mut Out) -> Option<()> {
        let open = self.conversation.open()?;
        let calls = plan(&reply, (&self.conversation, open), step, &self.setting);
        self.write(Entry::Replied { step, reply, calls }, out)?;
        self.partial = None;
        Some(())
    }

    /// Goes on until something is under way, or the turn is over.
    pub(super) fn go_on(&mut self, out: &mut Out) {
        match self.conversation.open().map(|open| open.stage) {
            Some(Stage::Between) => self.step(out),
            Some(Stage::Calling) => self.start(out),
            Some(Stage::Asking | Stage::Paused(_)) | None => {}
        }
    }

    fn step(&mut self, out: &mut Out) {
        match self.next() {
            Next::Ask(closing) => self.ask(closing, out),
            // Nobody but its giver hears of a task.
            Next::Pause(why) if self.setting.does_task => self.end(why.into(), out),
            Next::Pause(why) => {
                if self.write(Entry::Paused { why }, out).is_some() {
                    out.effects.push(Effect::AskPerson(why));
                }
            }
            Next::End(why) => self.end(why, out),
        }
    }

    fn end(&mut self, why: TurnEnd, out: &mut Out) {
        // Between two steps a turn may always end.
        let _fits = self.write(Entry::TurnEnded { why }, out);
    }

    fn ask(&mut self, closing: Option<Closing>, out: &mut Out) {
        let Some(step) = self.conversation.open().map(|open| open.step + 1) else {
            return;
        };
        let Some(Prepared {
            request,
            tokens,
            ledger,
        }) = prepare(&self.conversation, &self.setting, closing)
        else {
            self.end(TurnEnd::ContextFull, out);
            return;
        };
        let digest = request.digest();
        let asked = Entry::Asked {
            step,
            digest,
            tokens,
            least: Some(request.least_tokens()),
            closing,
            held: ledger.held(),
        };
        if self.write(asked, out).is_some() {
            let request = Box::new(request);
            out.effects.push(Effect::AskModel { step, request });
        }
    }

    fn next(&self) -> Next {
        let Some(open) = self.conversation.open() else {
            return Next::End(TurnEnd::Done);
        };
        if open.is_stopping {
            return Next::End(TurnEnd::Stopped);
        }
        let items = self.conversation.items();
        let mut wants_more = true;
        let mut loops = false;
        if let Some(Item::Reply {
            reply,
            calls,
            broke,
            ..
        }) = items.last()
        {
            if broke.is_some() {
                return Next::End(TurnEnd::Broke);
            }
            if let StopReason::Refused { .. } = reply.stop {
                return Next::End(TurnEnd::Refused);
            }
            let of_turn = items.iter().skip(open.first);
            let cut = of_turn.filter(|item| was_cut(item)).count();
            // It may try once more to want the same calls in fewer words.
            if reply.stop == StopReason::Length && (calls.is_empty() || cut > 1) {
                return Next::End(TurnEnd::Cut);
            }
            if let Some(why) = open.closing {
                return Next::Pause(why);
            }
            wants_more =
                !calls.is_empty() || !open.steered.is_empty() || reply.stop == StopReason::Paused;
            loops = !calls.is_empty()
                && calls.iter().all(|call| {
                    matches!(
                        &call.outcome,
                        Some(Outcome::NotRun {
                            why: NotRun::Repeated
                        })
                    )
                });
        }
        if !wants_more {
            return Next::End(TurnEnd::Done);
        }
        // The reply would be kept as one of the model that the turn began with.
        if open.model != self.setting.model {
            return Next::End(TurnEnd::ModelChanged);
        }
        match open.left() {
            left if left.requests == 0 => Next::Pause(Closing::PurseSpent),
            _ if loops => Next::Ask(Some(Closing::Loops)),
            left if left.goes_on() => Next::Ask(None),
            _ => Next::Ask(Some(Closing::PurseSpent)),
        }
    }
}

fn was_cut(item: &Item) -> bool {
    matches!(item, Item::Reply { reply, .. } if reply.stop == StopReason::Length)
}
