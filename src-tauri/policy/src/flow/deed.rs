//! The act of a call, beside its values: whether the person spoke of it, and whether a stranger's
//! passage wants it.

use super::concern::{Concern, Source, Why};
use super::lexicon::Act;
use super::review::{MAX_SHOWN, Review, is_telling};
use super::slot::Slot;
use super::text::{head, plain};
use super::value::{Part, parts};

impl Review<'_> {
    /// What speaks against the act itself: a passage wants it, or the person spoke of it in no way.
    pub(super) fn about_the_act(&self, ordinary_too: bool) -> Vec<Concern> {
        let (person, seen) = (&self.conversation.person, &self.conversation.seen);
        // Where they asked for such an act themselves, what else is asked about says enough.
        let not_theirs = ordinary_too && !self.is_in_their_words();
        let steered = self.sink.acts.iter().find_map(|act| {
            let source = seen.asking_for(*act)?;
            let wanted = act.grave() || !person.asked_for(*act) || (act.telling() && not_theirs);
            wanted.then_some((*act, source, Why::SteeredAct))
        });
        let unasked = self
            .unasked()
            .filter(|act| ordinary_too || act.grave())
            .and_then(|act| Some((act, seen.any()?, Why::UnaskedAct)));
        let concern = |(act, source, why): (Act, &Source, Why)| Concern {
            argument: None,
            value: self.target(),
            act: Some(act),
            source: source.clone(),
            why,
        };
        steered.into_iter().chain(unasked).map(concern).collect()
    }

    /// What the call acts upon, nothing if it has no arguments: the first that addresses something,
    /// else the first value at all.
    fn target(&self) -> String {
        let of = |wanted: Slot| self.leaves.iter().find(|(slot, _)| *slot == wanted);
        let leaf = of(Slot::Recipient)
            .or_else(|| of(Slot::Place))
            .or_else(|| of(Slot::Path))
            .or_else(|| of(Slot::Site))
            .or(self.leaves.first());
        leaf.map(|(_, leaf)| head(leaf.text.trim(), MAX_SHOWN).to_owned())
            .unwrap_or_default()
    }

    /// Whether the call holds anything that the person wrote. Where a passage wants the same act as
    /// they, that tells the two apart.
    fn is_in_their_words(&self) -> bool {
        let texts = self
            .leaves
            .iter()
            .filter(|(slot, leaf)| *slot != Slot::Quantity && leaf.is_text);
        texts
            .into_iter()
            .any(|(_, leaf)| is_telling(&leaf.text) && self.conversation.person.named(&leaf.text))
    }

    fn goes_to_whom_they_spoke_of(&self) -> bool {
        let mut recipients = self
            .leaves
            .iter()
            .filter(|(slot, _)| *slot == Slot::Recipient)
            .peekable();
        recipients.peek().is_some()
            && recipients.all(|(_, leaf)| self.conversation.person.spoke_of(&leaf.text).is_some())
    }

    /// Whether the call names anything that the person named: then an ordinary act upon it is what
    /// they meant.
    fn is_about_something_named(&self) -> bool {
        let person = &self.conversation.person;
        let addresses = |slot: &Slot| {
            matches!(
                slot,
                Slot::Recipient | Slot::Place | Slot::Path | Slot::Site
            )
        };
        self.leaves.iter().any(|(slot, leaf)| {
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
            let mut paths = self
                .leaves
                .iter()
                .filter(|(slot, _)| *slot == Slot::Path)
                .peekable();
            if paths.peek().is_some()
                && paths.all(|(_, leaf)| self.conversation.made.contains(&plain(&leaf.text)))
            {
                return None;
            }
            return (!person.asked_for(Act::Remove)).then_some(Act::Remove);
        }
        if self.is_asked_for() {
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
