//! Results of one conversation, in the order in which they came.
//!
//! Always true here:
//! - those that hold a value are found without a look at each: they stand in groups, and a group
//!   says of all of its results at once that they do not hold it;
//! - the last ones, fewer than make a group, are looked at one by one;
//! - when there is no more room, the oldest group goes;
//! - what is asked of every call, which result was the first and whether any is tainted, is known
//!   without a look at the groups.

use super::concern::Source;
use super::filter::Filter;
use super::indexed_result::IndexedResult;
use super::lexicon::Act;
use super::piece::{Needle, Piece, Pointed};
use super::seen::Sighting;
use std::collections::VecDeque;
use std::sync::Arc;

/// Most results of one group, and the bytes at which one is full.
const MOST: usize = 64;
const FULL: usize = 256 * 1024;

/// Results in their order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Results {
    groups: VecDeque<Arc<Group>>,
    last: Group,
    size: usize,
    first: Option<First>,
    is_tainted: bool,
}

/// The first result at which the person did not point, else the first.
#[derive(Debug, Clone)]
pub(crate) struct First {
    /// Whether the person pointed at it.
    pub is_pointed_at: bool,
    /// Where it came from.
    pub source: Arc<Source>,
}

/// Some results that came one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    results: Vec<Arc<IndexedResult>>,
    /// What all of them are made of, once nothing comes to them any more; a single one says so by
    /// itself.
    filter: Option<Filter>,
    /// What there is to be found in them.
    holds: Traits,
    size: usize,
}

/// What is to be found in some results.
#[derive(Debug, Clone, Default)]
struct Traits {
    /// Passages that speak to the model.
    prompt_injection: bool,
    /// Results that were read because such a passage asked for something, and others.
    led: bool,
    unled: bool,
    /// Results with nothing but names.
    listing: bool,
    /// How far the person pointed at any of it.
    pointed: Option<Pointed>,
    /// The acts that passages name.
    acts: Vec<Act>,
}

impl First {
    fn of(result: &IndexedResult) -> Self {
        let mut pieces = result.pieces.iter();
        Self {
            is_pointed_at: pieces.all(|piece| piece.pointed != Pointed::Elsewhere),
            source: Arc::clone(&result.regard.source),
        }
    }

    /// Whether a later one takes its place.
    fn gives_way_to(&self, later: &Self) -> bool {
        self.is_pointed_at && !later.is_pointed_at
    }
}

impl Results {
    /// Adds the newest one.
    pub fn push(&mut self, result: IndexedResult) {
        if self.last.results.len() == MOST || self.last.size + result.size() > FULL {
            self.close_last();
        }
        self.size += result.size();
        let first = First::of(&result);
        if self
            .first
            .as_ref()
            .is_none_or(|known| known.gives_way_to(&first))
        {
            self.first = Some(first);
        }
        self.last.push(result);
        self.is_tainted |= self.last.is_tainted();
    }

    /// Takes the oldest group away; whether there was one.
    pub fn forget_oldest(&mut self) -> bool {
        let oldest = match self.groups.pop_front() {
            Some(oldest) => oldest.size,
            None => std::mem::take(&mut self.last).size,
        };
        self.size -= oldest;
        (self.first, self.is_tainted) = self.looked_through();
        oldest > 0
    }

    /// The first of those that are left, and whether any of them is tainted.
    fn looked_through(&self) -> (Option<First>, bool) {
        let firsts = || {
            let results = self.groups().flat_map(|group| &group.results);
            results.map(|result| First::of(result))
        };
        let unpointed = firsts().find(|first| !first.is_pointed_at);
        let first = unpointed.or_else(|| firsts().next());
        (first, self.groups().any(Group::is_tainted))
    }

    /// The first result at which the person did not point, else the first.
    pub fn first(&self) -> Option<&First> {
        self.first.as_ref()
    }

    /// Whether any of them speaks to the model, or was read because such words asked for it.
    pub fn is_tainted(&self) -> bool {
        self.is_tainted
    }

    /// How much room they take, in bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty() && self.last.results.is_empty()
    }

    /// All of them, group by group, the oldest first.
    pub fn groups(&self) -> impl Iterator<Item = &Group> {
        let closed = self.groups.iter().map(AsRef::as_ref);
        closed.chain(std::iter::once(&self.last))
    }

    fn close_last(&mut self) {
        let mut group = std::mem::take(&mut self.last);
        if group.results.is_empty() {
            return;
        }
        if group.results.len() > 1 {
            let lengths = group.results.iter().map(|result| result.length());
            let mut filter = Filter::for_length(lengths.sum());
            for result in &group.results {
                result.note_in(&mut filter);
            }
            self.size += filter.size();
            group.size += filter.size();
            group.filter = Some(filter);
        }
        self.groups.push_back(Arc::new(group));
    }
}

impl Group {
    fn push(&mut self, result: IndexedResult) {
        let regard = &result.regard;
        self.holds.led |= regard.led;
        self.holds.unled |= !regard.led;
        self.holds.listing |= regard.listing;
        for piece in &result.pieces {
            self.holds.prompt_injection |= piece.has_prompt_injection();
            self.holds.pointed = self.holds.pointed.max(Some(piece.pointed));
            for act in piece.acts() {
                if !self.holds.acts.contains(act) {
                    self.holds.acts.push(*act);
                }
            }
        }
        self.size += result.size();
        self.results.push(Arc::new(result));
    }

    /// Whether anything in it can add to what is known of a value.
    pub fn adds_to(&self, found: &Sighting) -> bool {
        let Traits {
            prompt_injection,
            led,
            unled,
            listing,
            pointed,
            acts: _,
        } = self.holds;
        let oldest = self.results.first();
        let is_older =
            oldest.is_some_and(|oldest| oldest.regard.source.message < found.source.message);
        is_older
            || (prompt_injection && !found.prompt_injection)
            || (led && !found.led)
            || (unled && !found.elsewhere)
            || (listing && !found.listed)
            || pointed > Some(found.pointed)
    }

    /// Whether any of it speaks to the model, or was read because such words asked for it.
    pub fn is_tainted(&self) -> bool {
        self.holds.prompt_injection || self.holds.led
    }

    /// The pieces that hold a value, with the results in which they stand.
    pub fn holding<'a>(
        &'a self,
        needle: &'a Needle,
    ) -> impl Iterator<Item = (&'a IndexedResult, &'a Piece)> {
        let may_hold = self.filter.as_ref().is_none_or(|filter| {
            let (words, squeezed) = needle.may_be_in(filter);
            words || squeezed
        });
        let results = if may_hold {
            self.results.as_slice()
        } else {
            &[]
        };
        results
            .iter()
            .flat_map(|result| result.holding(needle).map(|piece| (result.as_ref(), piece)))
    }

    /// Where a passage that speaks to the model names `act` first.
    pub fn asking_for(&self, act: Act) -> Option<&Source> {
        let asks = |result: &&IndexedResult| {
            let mut acts = result.pieces.iter().flat_map(Piece::acts);
            acts.any(|named| *named == act)
        };
        if !self.holds.acts.contains(&act) {
            return None;
        }
        let results = self.results.iter().map(AsRef::as_ref);
        results
            .filter(asks)
            .map(|result| &*result.regard.source)
            .next()
    }
}
