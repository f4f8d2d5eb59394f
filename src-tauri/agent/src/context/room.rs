//! What is left out where a conversation does not fit into what the model can read.
//!
//! Always true here: what is left out first is what is most easily had again; the person's latest
//! words and what the model waits for are never left out.

use super::{Inclusion, Source, Unit};
use crate::{Outcome, Said, Setting};
use protocol::estimated_tokens;

/// How much of the person's words stays whatever else does not fit, in tokens.
const WORDS: u64 = 20_000;

/// Leaves out what has to be, until it fits. `false` if it cannot.
pub(super) fn make(units: &mut [Unit<'_>], room: u64, setting: &Setting) -> bool {
    // Of a turn that is over, nobody waits for anything.
    let last_reply = units
        .iter()
        .rposition(|unit| !unit.is_earlier && matches!(unit.source, Source::Reply { .. }));
    let words_from = words_from(units, room);
    // What was not answered is said in a sentence, which no other one stands for.
    let is_result = |unit: &Unit<'_>| match unit.source {
        Source::Result(call) => matches!(call.outcome, Some(Outcome::Answered { .. })),
        _ => false,
    };
    let is_reply = |unit: &Unit<'_>| matches!(unit.source, Source::Reply { .. });
    let is_last = |at: usize| last_reply.is_some_and(|last| at >= last);
    type Step<'s> = (Inclusion, &'s dyn Fn(usize, &Unit<'_>) -> bool);
    let steps: [Step<'_>; 8] = [
        // A picture is had again by the same call, or from the person.
        (Inclusion::WithoutImages, &|at, unit| {
            unit.is_earlier && unit.has_picture() && !is_last(at)
        }),
        (Inclusion::Named, &|at, unit| {
            unit.is_earlier && is_result(unit) && !is_last(at)
        }),
        (Inclusion::Named, &|_, unit| {
            unit.is_earlier && has_attachment(unit)
        }),
        (Inclusion::LeftOut, &|_, unit| {
            unit.is_earlier && matches!(unit.source, Source::Imported(_))
        }),
        (Inclusion::Named, &|at, unit| {
            is_result(unit) && !is_last(at)
        }),
        (Inclusion::LeftOut, &|at, unit| {
            unit.is_earlier && is_reply(unit) && !is_last(at)
        }),
        (Inclusion::LeftOut, &|at, unit| {
            is_reply(unit) && !is_last(at)
        }),
        (Inclusion::LeftOut, &|at, unit| {
            unit.is_earlier
                && at < words_from
                && matches!(unit.source, Source::Said(_) | Source::LetGoOn)
        }),
    ];
    let mut tokens: u64 = units.iter().map(|unit| unit.tokens(setting)).sum();
    for (included, fits) in steps {
        for at in 0..units.len() {
            if tokens <= room {
                return true;
            }
            if units
                .get(at)
                .is_some_and(|unit| fits(at, unit) && unit.included < included)
            {
                tokens = tokens.saturating_sub(leave_out(units, at, included, setting));
            }
        }
    }
    tokens <= room
}

/// Leaves one thing out, and what cannot be without it; returns how many tokens that spares.
fn leave_out(units: &mut [Unit<'_>], at: usize, included: Inclusion, setting: &Setting) -> u64 {
    let mut spared = 0;
    let results = |unit: &Unit<'_>| {
        included == Inclusion::LeftOut && matches!(unit.source, Source::Result(_))
    };
    for (n, unit) in units.iter_mut().skip(at).enumerate() {
        if n > 0 && !results(unit) {
            break;
        }
        let before = unit.tokens(setting);
        unit.included = included;
        spared += before.saturating_sub(unit.tokens(setting));
    }
    spared
}

fn has_attachment(unit: &Unit<'_>) -> bool {
    let is_attached = |said: &Said| matches!(said, Said::Attached { .. });
    matches!(unit.source, Source::Said(said) if said.iter().any(is_attached))
}

/// From which place on the person's words stay.
fn words_from(units: &[Unit<'_>], room: u64) -> usize {
    let mut left = WORDS.min(room / 4);
    for (at, unit) in units.iter().enumerate().rev() {
        if let Source::Said(said) = unit.source {
            let words = said.iter().map(|said| match said {
                Said::Text { text } => u64::from(estimated_tokens(text)),
                Said::Task { .. } | Said::Attached { .. } => 0,
            });
            let Some(less) = left.checked_sub(words.sum()) else {
                return at + 1;
            };
            left = less;
        }
    }
    0
}
