//! A conversation as its journal tells it: what was said and answered, and how far the turn has come
//! that is under way.
//!
//! Always true here:
//! - nothing but an [`Entry`] changes it, so that reading the journal again gives the same again;
//! - an entry that does not fit is refused, and changes nothing;
//! - a call has at most one outcome;
//! - it is known of each turn and each reply with which entry it begins.

use crate::calls::RepeatKey;
use crate::search::FoundTools;
use crate::{
    Broke, Call, Closing, Entry, Imported, ModelCall, ModelRef, Outcome, Plan, Planned, Purse,
    Reply, ReplyPart, Said, Spent, TurnEnd,
};
use protocol::{CallId, ModelService, TurnId};
use std::collections::HashSet;

/// From how many estimated tokens on it tells something how many a model has read: services add
/// words of their own to every request, which outweigh a short one.
const TELLING: u64 = 1_000;
/// The most tokens of a model that one of ours may be: we count four letters as one, and no model
/// reads less than a letter at once.
const MOST_FOR_ONE: u64 = 4;

/// A conversation.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    items: Vec<Item>,
    open: Option<Open>,
    known: HashSet<CallId>,
    last_end: Option<TurnEnd>,
    counted: Option<Counted>,
    found: FoundTools,
    turns: Vec<TurnStart>,
    /// What the turns took that are over.
    spent: Spent,
    /// How many entries were taken in.
    length: usize,
}

/// Where a turn begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TurnStart {
    /// Among the items: what the person said.
    pub item: usize,
    /// In the journal: a journal that ends before it is one without the turn.
    pub entry: usize,
}

/// How many tokens a model has read of a request, beside how many we had estimated.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counted {
    model: ModelRef,
    estimated: u64,
    read: u64,
}

/// One thing in a conversation, in its order.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// What the person said.
    Said(Vec<Said>),
    /// The person has let a turn go on.
    LetGoOn,
    /// Something out of a file. Such items stand before all others.
    Imported(Box<Imported>),
    /// What a model answered.
    Reply {
        /// Which model.
        model: ModelRef,
        /// The number of the entry with which it was asked, from 0; none where that does not say what
        /// the request held.
        asked: Option<usize>,
        /// About how many tokens it was sent.
        sent: u64,
        /// No model reads that in fewer tokens than these, where it is known.
        least: Option<u64>,
        /// The answer. Of one that broke, what had come of it.
        reply: Box<Reply>,
        /// The calls in it, in its order.
        calls: Vec<Call>,
        /// Why it did not come to its end, if it did not.
        broke: Option<Broke>,
    },
}

impl Item {
    /// Whether a service has taken in less than it was sent: what stood first is dropped without a
    /// word by those that run on a computer like this one. Of others it is not known: some count only
    /// what was not in their cache.
    pub fn was_truncated(&self) -> bool {
        let Self::Reply {
            model,
            least,
            reply,
            ..
        } = self
        else {
            return false;
        };
        let says_so = matches!(model.wire, ModelService::Ollama | ModelService::Chat);
        let least = least.filter(|least| says_so && *least >= TELLING);
        let read = reply.usage.input;
        read.zip(least).is_some_and(|(read, least)| read < least)
    }
}

/// A turn that is not over.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// Which.
    pub turn: TurnId,
    /// Who answers.
    pub model: ModelRef,
    /// What it may take.
    pub purse: Purse,
    /// What it has taken.
    pub spent: Spent,
    /// How many requests were made.
    pub step: u32,
    /// How far it has come.
    pub stage: Stage,
    /// The person wants it to stop.
    pub is_stopping: bool,
    /// Why the last request was the closing one, if it was.
    pub closing: Option<Closing>,
    /// Where it begins among the items.
    pub(crate) first: usize,
    /// What the person said since the last request.
    pub(crate) steered: Vec<Vec<Said>>,
    pub(crate) repeats: Vec<RepeatKey>,
    tokens_asked: u64,
    least_asked: Option<u64>,
    /// The entry with which a model was asked, if that says what the request holds.
    asked: Option<usize>,
}

/// How far a turn has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Nothing is under way: what comes next is to be decided.
    Between,
    /// A model is asked.
    Asking,
    /// Calls are open.
    Calling,
    /// A person is to decide whether it goes on.
    Paused(Closing),
}

/// An entry does not follow from those before it: the journal is damaged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("entry {at} of the conversation does not follow from those before it")]
pub struct DamagedJournal {
    /// Which entry, from 0.
    pub at: usize,
}

impl Conversation {
    /// Reads a journal.
    ///
    /// # Errors
    /// [`DamagedJournal`], with the first entry that does not fit.
    pub fn read<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<Self, DamagedJournal> {
        let mut conversation = Self::default();
        for (at, entry) in entries.into_iter().enumerate() {
            conversation.apply(entry).ok_or(DamagedJournal { at })?;
        }
        Ok(conversation)
    }

    /// All that is in it, in its order. What the person said since the last request is not.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// The turn that is under way.
    pub fn open(&self) -> Option<&Open> {
        self.open.as_ref()
    }

    /// How many of the first items are out of a file.
    pub fn imported(&self) -> usize {
        self.items
            .partition_point(|item| matches!(item, Item::Imported(_)))
    }

    /// The turn that begins with this item, if one does.
    pub fn turn_at(&self, item: usize) -> Option<TurnStart> {
        let turns = &self.turns;
        let at = turns.binary_search_by_key(&item, |turn| turn.item).ok()?;
        turns.get(at).copied()
    }

    /// How the last turn has ended that has.
    pub fn last_end(&self) -> Option<TurnEnd> {
        self.last_end
    }

    /// What the turns took that are over.
    pub fn spent(&self) -> Spent {
        self.spent
    }

    /// How many turns were begun.
    pub(crate) fn turns(&self) -> usize {
        self.turns.len()
    }

    /// How this model counts, as far as it was seen.
    pub(crate) fn counted(&self, model: &ModelRef) -> Option<&Counted> {
        self.counted.as_ref().filter(|of| of.model == *model)
    }

    /// The tools that were found in it, or called.
    pub(crate) fn found(&self) -> &FoundTools {
        &self.found
    }

    /// The calls that have no outcome, in their order.
    pub fn open_calls(&self) -> impl Iterator<Item = &Call> {
        let calls = match (&self.open, self.items.last()) {
            (Some(_), Some(Item::Reply { calls, .. })) => calls.as_slice(),
            _ => &[],
        };
        calls.iter().filter(|call| call.outcome.is_none())
    }

    /// Takes an entry in. `None` if it does not fit; it has changed nothing then.
    pub fn apply(&mut self, entry: &Entry) -> Option<()> {
        match (entry, &mut self.open) {
            (Entry::Imported { imported }, None)
                if matches!(self.items.last(), None | Some(Item::Imported(_))) =>
            {
                self.items.push(Item::Imported(imported.clone()));
            }
            (
                Entry::TurnBegan {
                    turn,
                    said,
                    model,
                    purse,
                },
                None,
            ) => {
                self.open = Some(Open {
                    turn: turn.clone(),
                    model: model.clone(),
                    purse: *purse,
                    spent: Spent::default(),
                    step: 0,
                    stage: Stage::Between,
                    is_stopping: false,
                    closing: None,
                    first: self.items.len(),
                    steered: Vec::new(),
                    repeats: Vec::new(),
                    tokens_asked: 0,
                    least_asked: None,
                    asked: None,
                });
                self.turns.push(TurnStart {
                    item: self.items.len(),
                    entry: self.length,
                });
                self.items.push(Item::Said(said.clone()));
            }
            (
                Entry::Asked {
                    step,
                    tokens,
                    least,
                    closing,
                    held,
                    ..
                },
                Some(open),
            ) if open.stage == Stage::Between && *step == open.step + 1 => {
                open.step = *step;
                open.stage = Stage::Asking;
                open.closing = *closing;
                open.tokens_asked = *tokens;
                open.least_asked = *least;
                open.asked = (!held.is_empty()).then_some(self.length);
                open.spent.requests += 1;
                self.items.extend(open.steered.drain(..).map(Item::Said));
            }
            (Entry::Replied { step, reply, calls }, Some(open)) if open.is_asking(*step) => {
                if calls.len() != reply.calls().count() {
                    return None;
                }
                let known = calls
                    .iter()
                    .any(|planned| self.known.contains(&planned.call));
                let distinct: HashSet<_> = calls.iter().map(|planned| &planned.call).collect();
                if known || distinct.len() != calls.len() {
                    return None;
                }
                let calls: Vec<Call> = reply.calls().zip(calls).map(planned).collect();
                if let Some(counted) = Counted::of(open, reply) {
                    self.counted = Some(counted.or_more(self.counted.take()));
                }
                open.take(reply);
                let made = calls.iter().filter(|call| call.counts()).count();
                open.spent.calls += u32::try_from(made).unwrap_or(u32::MAX);
                for call in &calls {
                    self.found.take_in(call);
                    if let Some(own @ Outcome::Own { .. }) = &call.outcome {
                        open.repeats.extend(RepeatKey::of(call, own));
                    }
                }
                open.stage = stage_of(&calls);
                self.known.extend(calls.iter().map(|call| call.id.clone()));
                self.items.push(Item::Reply {
                    model: open.model.clone(),
                    asked: open.asked,
                    sent: open.tokens_asked,
                    least: open.least_asked,
                    reply: Box::new(reply.clone()),
                    calls,
                    broke: None,
                });
            }
            (Entry::ReplyBroke { step, why, parts }, Some(open)) if open.is_asking(*step) => {
                if parts.iter().any(|part| matches!(part, ReplyPart::Call(_))) {
                    return None;
                }
                let reply = Reply {
                    parts: parts.clone(),
                    ..Reply::default()
                };
                open.take(&reply);
                open.stage = Stage::Between;
                self.items.push(Item::Reply {
                    model: open.model.clone(),
                    asked: open.asked,
                    sent: open.tokens_asked,
                    least: open.least_asked,
                    reply: Box::new(reply),
                    calls: Vec::new(),
                    broke: Some(why.clone()),
                });
            }
            (Entry::CallSettled { call, outcome }, Some(open)) => {
                let Some(Item::Reply { calls, .. }) = self.items.last_mut() else {
                    return None;
                };
                let settled = calls
                    .iter_mut()
                    .find(|other| other.id == *call && other.outcome.is_none())?;
                open.repeats.extend(RepeatKey::of(settled, outcome));
                settled.outcome = Some(outcome.clone());
                if let Outcome::Helped { report } = outcome {
                    open.spent = open.spent.and(report.spent);
                }
                open.stage = stage_of(calls);
            }
            (Entry::Steered { said }, Some(open)) => open.steered.push(said.clone()),
            (Entry::StopRequested, Some(open)) if !open.is_stopping => open.is_stopping = true,
            (Entry::Paused { why }, Some(open)) if open.stage == Stage::Between => {
                open.stage = Stage::Paused(*why);
            }
            (Entry::PurseRaised { by }, Some(open))
                if open.stage == Stage::Paused(Closing::PurseSpent) =>
            {
                open.purse = open.purse.raised(open.spent, *by);
                open.let_go_on();
                self.items.push(Item::LetGoOn);
            }
            (Entry::LetGoOn, Some(open)) if open.stage == Stage::Paused(Closing::Loops) => {
                open.let_go_on();
                self.items.push(Item::LetGoOn);
            }
            (Entry::TurnEnded { why }, Some(open)) if open.may_end() => {
                let steered = std::mem::take(&mut open.steered);
                self.items.extend(steered.into_iter().map(Item::Said));
                self.spent = self.spent.and(open.spent);
                self.open = None;
                self.last_end = Some(*why);
            }
            _ => return None,
        }
        self.length += 1;
        Some(())
    }
}

impl Counted {
    fn of(open: &Open, reply: &Reply) -> Option<Self> {
        let estimated = open.tokens_asked;
        reply
            .usage
            .input
            .filter(|_| estimated >= TELLING)
            .map(|read| Self {
                model: open.model.clone(),
                estimated,
                read,
            })
    }

    /// The one by which the same model has read more for each of ours: what a service reads out of
    /// its cache some of them do not count.
    fn or_more(self, before: Option<Self>) -> Self {
        let more = |before: &Self| {
            let [was, is] = [(before, &self), (&self, before)]
                .map(|(one, other)| u128::from(one.read) * u128::from(other.estimated));
            before.model == self.model && was > is
        };
        before.filter(more).unwrap_or(self)
    }

    /// How many tokens of ours so many of the model's are; never more than these.
    pub(crate) fn estimated(&self, tokens: u64) -> u64 {
        let most = self.estimated.saturating_mul(MOST_FOR_ONE);
        let read = self.read.clamp(self.estimated, most);
        let ours = u128::from(tokens) * u128::from(self.estimated) / u128::from(read.max(1));
        u64::try_from(ours).unwrap_or(tokens)
    }
}

impl Open {
    /// What the person said since the last request. It is in the next one.
    pub fn steered(&self) -> &[Vec<Said>] {
        &self.steered
    }

    /// What is left of its purse.
    pub fn left(&self) -> Purse {
        self.purse.without(self.spent)
    }

    fn is_asking(&self, step: u32) -> bool {
        self.stage == Stage::Asking && self.step == step
    }

    fn let_go_on(&mut self) {
        self.stage = Stage::Between;
        self.closing = None;
        self.repeats.clear();
    }

    fn may_end(&self) -> bool {
        matches!(self.stage, Stage::Between | Stage::Paused(_))
    }

    /// What a reply took: as its service says, and estimated where it does not.
    fn take(&mut self, reply: &Reply) {
        let written = || reply.parts.iter().map(ReplyPart::estimated_tokens).sum();
        let tokens = reply
            .usage
            .input
            .unwrap_or(self.tokens_asked)
            .saturating_add(reply.usage.output.unwrap_or_else(written));
        self.spent.tokens = self.spent.tokens.saturating_add(tokens);
    }
}

fn planned((wanted, planned): (&ModelCall, &Planned)) -> Call {
    let (tool, task, outcome) = match planned.plan.clone() {
        Plan::Make { tool } => (Some(tool), None, None),
        Plan::Give { task } => (None, Some(task), None),
        Plan::NotRun { why } => (None, None, Some(Outcome::NotRun { why })),
        Plan::Own { answer } => (None, None, Some(Outcome::Own { answer })),
    };
    Call {
        id: planned.call.clone(),
        wanted: wanted.clone(),
        tool,
        task,
        outcome,
    }
}

fn stage_of(calls: &[Call]) -> Stage {
    if calls.iter().any(|call| call.outcome.is_none()) {
        Stage::Calling
    } else {
        Stage::Between
    }
}
