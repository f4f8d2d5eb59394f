//! The act of a call, beside its values: whether the person spoke of it, and whether a stranger's
//! passage wants it.

use super::argument::Leaf;
use super::concern::{Concern, Source, Why};
use super::lexicon::Act;
use super::piece::Pointed;
use super::review::{MAX_SHOWN, Review, is_telling};
use super::sink::Reach;
use super::slot::Slot;
use super::text::{head, name_words, plain};
use super::value::{Part, bare, parts, sites};
use super::values::Values;

impl Review<'_> {
    /// What speaks against the act itself: a passage wants it, or the person spoke of it in no way.
    pub(super) fn about_the_act(&self, ordinary_too: bool) -> Vec<Concern> {
        let unasked = self
            .unasked()
            .filter(|act| ordinary_too || act.grave())
            .and_then(|act| {
                let source = self.conversation.seen.any()?;
                Some(self.concern_about(act, source, Why::UnaskedAct))
            });
        let wanted = self.about_a_wanted_act(ordinary_too).into_iter();
        wanted.chain(unasked).collect()
    }

    /// What speaks against the act because a passage wants it.
    pub(super) fn about_a_wanted_act(&self, ordinary_too: bool) -> Option<Concern> {
        let (person, seen) = (&self.conversation.person, &self.conversation.seen);
        self.sink.acts.iter().find_map(|act| {
            let source = seen.asking_for(*act)?;
            // Where they asked for such an act themselves, what else is asked about says enough.
            let not_theirs = || ordinary_too && !self.is_in_their_words();
            let wanted = act.grave() || !person.asked_for(*act) || (act.telling() && not_theirs());
            wanted.then(|| self.concern_about(*act, source, Why::SteeredAct))
        })
    }

    fn concern_about(&self, act: Act, source: &Source, why: Why) -> Concern {
        Concern {
            argument: None,
            value: self.target(),
            act: Some(act),
            source: source.clone(),
            why,
        }
    }

    /// The tool, where neither it nor the values that it is given can be traced to the person.
    pub(super) fn unasked_tool(&self) -> Option<Concern> {
        let person = &self.conversation.person;
        // Of these, more is known than whether they were spoken of: whom they touch, and where they
        // bring something from.
        let is_known = |act: &Act| act.outward() || *act == Act::Bring;
        // What only prepares does little by itself, and the words of another language tell nothing:
        // then somebody else's values have to be in it.
        let is_telling = self.sink.reach == Reach::Changes && person.speaks_as_names_do();
        let is_theirs = person.delegates()
            || self.is_asked_for_beside_looks()
            || (!self.sink.acts.is_empty() && self.sink.acts.iter().all(is_known))
            || self.is_spoken_of()
            || (!is_telling && !self.holds_words_of_others())
            || (self.sink.reach == Reach::Prepares && self.is_in_their_words())
            || self.is_upon_what_was_made()
            || self.is_of_their_values();
        let source = self.conversation.seen.any().filter(|_| !is_theirs)?;
        let tool = &self.tool;
        Some(Concern {
            argument: None,
            // Who says yes to a tool that addresses nothing has meant the tool.
            value: match self.addressed() {
                Some(leaf) => format!("{tool} ({})", head(leaf.text.trim(), MAX_SHOWN)),
                None => tool.clone(),
            },
            act: None,
            source: source.clone(),
            why: Why::UnaskedTool,
        })
    }

    /// Whether the person said a word of the tool's name. Words that it shares with what only looked
    /// tell nothing: the person said them of that.
    fn is_spoken_of(&self) -> bool {
        name_words(&self.tool)
            .iter()
            .any(|word| self.conversation.person.said(word))
    }

    /// Whether a value of the call stands in a result at which the person did not point.
    fn holds_words_of_others(&self) -> bool {
        let is_of_others = |text: &str| match self.sighting(bare(text.trim())) {
            Some(sighting) => sighting.pointed == Pointed::Elsewhere,
            None => self.conversation.seen.overflowed,
        };
        self.telling_texts()
            .any(|text| !self.conversation.person.named(text) && is_of_others(text))
    }

    /// The texts of the call that say where they came from.
    fn telling_texts(&self) -> impl Iterator<Item = &str> {
        self.telling_leaves().map(|(_, leaf)| &*leaf.text)
    }

    fn telling_leaves(&self) -> impl Iterator<Item = (Slot, &Leaf<'_>)> {
        self.leaves().filter(|(slot, leaf)| {
            *slot != Slot::Quantity && leaf.is_text && is_telling(&leaf.text)
        })
    }

    /// Whether they asked for what the call does, with other words than those for what only looked:
    /// who asks for "recent messages" has not asked to send any.
    fn is_asked_for_beside_looks(&self) -> bool {
        let acts = self.conversation.person.acts_left();
        self.sink
            .acts
            .iter()
            .any(|act| act.telling() && acts.contains(act))
    }

    /// Whether the person named values of the call, and no other one stands in a result.
    fn is_of_their_values(&self) -> bool {
        let seen = &self.conversation.seen;
        let mut telling = self.telling_leaves().peekable();
        let is_theirs = |slot: Slot, text: &str| {
            self.conversation.person.named(text) || self.is_of_their_own(slot, text)
        };
        !seen.overflowed
            && self
                .telling_leaves()
                .any(|(slot, leaf)| is_theirs(slot, &leaf.text))
            && telling.all(|(slot, leaf)| {
                is_theirs(slot, &leaf.text) || self.sighting(bare(leaf.text.trim())).is_none()
            })
    }

    /// Whether a value addresses what the person spoke of, or files of theirs or of this
    /// conversation's own.
    fn is_of_their_own(&self, slot: Slot, text: &str) -> bool {
        let (person, folders) = (&self.conversation.person, &self.conversation.folders);
        match slot {
            Slot::Path => person.named_path(text) || is_below(text, folders),
            Slot::Site => {
                let sites = sites(text);
                self.tells_nothing_new()
                    && !sites.is_empty()
                    && sites.iter().all(|(_, host)| person.named_host(host))
            }
            Slot::Recipient | Slot::Place => person.spoke_of(text).is_some(),
            Slot::Credential | Slot::Content | Slot::Quantity => false,
        }
    }

    /// What the call acts upon, nothing if it has no arguments: the first that addresses something,
    /// else the first value at all.
    fn target(&self) -> String {
        let first = || self.leaves.first();
        let leaf = self.addressed().or_else(first);
        leaf.map(|leaf| head(leaf.text.trim(), MAX_SHOWN).to_owned())
            .unwrap_or_default()
    }

    /// The first value that addresses something.
    fn addressed(&self) -> Option<&Leaf<'_>> {
        let of = |wanted: Slot| self.leaves().find(|(slot, _)| *slot == wanted);
        let leaf = of(Slot::Recipient)
            .or_else(|| of(Slot::Place))
            .or_else(|| of(Slot::Path))
            .or_else(|| of(Slot::Site));
        leaf.map(|(_, leaf)| leaf)
    }

    /// Whether all files that it addresses were made in this conversation.
    fn is_upon_what_was_made(&self) -> bool {
        let mut paths = self
            .leaves()
            .filter(|(slot, _)| *slot == Slot::Path)
            .peekable();
        let made = &self.conversation.made;
        paths.peek().is_some() && paths.all(|(_, leaf)| made.contains(&plain(&leaf.text)))
    }

    /// Whether the call holds anything that the person wrote. Where a passage wants the same act as
    /// they, that tells the two apart.
    fn is_in_their_words(&self) -> bool {
        self.telling_texts()
            .any(|text| self.conversation.person.named(text))
    }

    fn goes_to_whom_they_spoke_of(&self) -> bool {
        let mut recipients = self
            .leaves()
            .filter(|(slot, _)| *slot == Slot::Recipient)
            .peekable();
        recipients.peek().is_some()
            && recipients.all(|(_, leaf)| self.conversation.person.spoke_of(&leaf.text).is_some())
    }

    /// Whether the call names anything that the person named: then an ordinary act upon it is what
    /// they meant.
    fn is_about_something_named(&self) -> bool {
        let person = &self.conversation.person;
        let addresses = |slot: Slot| {
            matches!(
                slot,
                Slot::Recipient | Slot::Place | Slot::Path | Slot::Site
            )
        };
        self.leaves().any(|(slot, leaf)| {
            let site = || {
                parts(&leaf.text)
                    .iter()
                    .any(|part| matches!(part, Part::Site { host, .. } if person.named_host(host)))
            };
            addresses(slot)
                && (person.named(&leaf.text) || person.spoke_of(&leaf.text).is_some() || site())
        })
    }

    /// The act that the person spoke of in no way. To remove something needs a word for just that.
    fn unasked(&self) -> Option<Act> {
        let person = &self.conversation.person;
        if self.sink.does(Act::Remove) {
            if self.is_upon_what_was_made() {
                return None;
            }
            return (!person.asked_for(Act::Remove)).then_some(Act::Remove);
        }
        if self.is_asked_for_beside_looks() {
            return None;
        }
        let ordinary = || {
            self.sink
                .acts
                .iter()
                .copied()
                .find(|act| act.outward())
                .filter(|_| !person.delegates() && !self.is_about_something_named())
        };
        // Whom they spoke of, and whose wishes they asked to be met, may well be given what they
        // wish for.
        let grave = self.sink.grave().filter(|act| {
            !(*act == Act::Give && person.delegates() && self.goes_to_whom_they_spoke_of())
        });
        grave.or_else(ordinary)
    }
}

/// Whether a path is one of some folders, or lies in one.
fn is_below(path: &str, folders: &Values) -> bool {
    let path = path.trim();
    let mut ends = path
        .match_indices('/')
        .map(|(at, _)| at)
        .chain([path.len()]);
    !path.split('/').any(|step| step == "..")
        && ends.any(|end| folders.contains(&plain(&path[..end])))
}
