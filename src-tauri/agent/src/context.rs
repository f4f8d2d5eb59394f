//! From a conversation to the next request: what is sent, and what is left out to make room.
//!
//! Always true here:
//! - the same conversation in the same setting gives the same request;
//! - each call in a request has just one result, right behind the reply that wants it, in the order
//!   of the calls; there is no result without its call;
//! - what a stranger wrote stands between the marks of its envelope, and is nobody's word;
//! - what is left out is named in the ledger, and where the model would miss it, to the model.

mod ledger;
mod message;
mod piece;
mod room;
#[cfg(test)]
mod tests;

use crate::helper::is_kept_back;
use crate::search::ShownTools;
use crate::{
    Broke, Call, Closing, Conversation, Imported, Item, ModelRef, Outcome, Reply, Request, Said,
    Setting,
};
use piece::Piece;

use ledger::{Inclusion, Ledger};

/// About how many tokens a picture takes: the most that services count for one of ordinary size.
pub(crate) const IMAGE_TOKENS: u32 = 1_600;

/// A request, and about how much of the model's attention it takes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Prepared {
    pub(crate) request: Request,
    pub(crate) tokens: u64,
    pub(crate) ledger: Ledger,
}

/// One thing of a conversation that is sent or left out as a whole.
#[derive(Debug, Clone)]
struct Unit<'a> {
    source: Source<'a>,
    /// Whether it belongs to a turn that is over.
    is_earlier: bool,
    included: Inclusion,
    /// What is sent of it, whole, if it is no reply.
    pieces: Vec<Piece>,
    /// Only its number is sent: it is read for the model.
    is_kept_back: bool,
}

#[derive(Debug, Clone, Copy)]
enum Source<'a> {
    Said(&'a [Said]),
    LetGoOn,
    Imported(&'a Imported),
    Reply {
        model: &'a ModelRef,
        reply: &'a Reply,
        calls: &'a [Call],
        broke: Option<&'a Broke>,
    },
    /// Of the reply before it.
    Result(&'a Call),
}

/// Makes the next request of the turn that is under way. `None` if what has to be sent does not fit
/// into what the model can read.
pub(crate) fn prepare(
    conversation: &Conversation,
    setting: &Setting,
    closing: Option<Closing>,
) -> Option<Prepared> {
    let shown = ShownTools::of(conversation, setting);
    let mut units = units(conversation, setting);
    let fixed = ledger::fixed(setting, &shown);
    let taken: u64 = fixed.iter().map(|line| line.tokens).sum();
    let room = setting.context.checked_sub(setting.max_output)?;
    let room = match conversation.counted(&setting.model) {
        Some(counted) => counted.estimated(room),
        None => room,
    };
    let room = room.checked_sub(taken)?;
    if !room::make(&mut units, room, setting) {
        return None;
    }
    let ledger = Ledger::of(fixed, &units, setting);
    let request = Request {
        model: setting.model.clone(),
        instructions: setting.instructions.clone(),
        messages: message::messages(&units, setting, closing),
        may_call: closing.is_none() && !shown.definitions.is_empty(),
        tools: shown.definitions,
        max_output: setting.max_output,
        context: setting.context,
        temperature: None,
    };
    let tokens = ledger.tokens();
    Some(Prepared {
        request,
        tokens,
        ledger,
    })
}

fn units<'a>(conversation: &'a Conversation, setting: &Setting) -> Vec<Unit<'a>> {
    let open = conversation.open();
    let mut units = Vec::new();
    let mut results = 0;
    let items = conversation.items();
    for (at, item) in items.iter().enumerate() {
        let is_earlier = open.is_none_or(|open| at < open.first);
        let whole = |source| Unit::whole(source, is_earlier);
        match item {
            Item::Said(said) => units.push(whole(Source::Said(said))),
            Item::LetGoOn => units.push(whole(Source::LetGoOn)),
            Item::Imported(imported) => units.push(whole(Source::Imported(imported))),
            Item::Reply {
                model,
                reply,
                calls,
                broke,
                ..
            } => {
                let broke = broke.as_ref();
                units.push(whole(Source::Reply {
                    model,
                    reply,
                    calls,
                    broke,
                }));
                for call in calls {
                    let mut unit = whole(Source::Result(call));
                    if let Some(Outcome::Answered { answer }) = &call.outcome {
                        results += 1;
                        if is_kept_back(answer, setting) {
                            unit.keep_back(results);
                        }
                    }
                    units.push(unit);
                }
            }
        }
    }
    let steered = open.map(|open| open.steered.as_slice()).unwrap_or_default();
    let steered = steered.iter().map(|said| Source::Said(said));
    units.extend(steered.map(|source| Unit::whole(source, false)));
    units
}

impl<'a> Unit<'a> {
    fn whole(source: Source<'a>, is_earlier: bool) -> Self {
        Self {
            source,
            is_earlier,
            included: Inclusion::Whole,
            pieces: Piece::all_of(source),
            is_kept_back: false,
        }
    }
}
