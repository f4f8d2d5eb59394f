//! One call, looked at argument by argument.

mod leaf;

use super::argument::{Leaf, leaves};
use super::concern::{Concern, Source, Why};
use super::conversation::{Conversation, Proposed};
use super::piece::Pointed;
use super::seen::Sighting;
use super::sink::{Reach, Sink};
use super::slot::{Described, Slot, slot};
use super::text::{head, name_words, plain, words};
use super::value::{Part, addressees, bare, is_mail, parts};
use protocol::{Origin, Trust};
use std::cell::{Cell, OnceCell};

/// Shortest value, in letters and digits, that says where it came from.
const SHORTEST_TELLING: usize = 2;

/// Most values of one call that are looked for.
const MAX_LOOKUPS: usize = 600;
/// Longest value in a question, in bytes.
pub(super) const MAX_SHOWN: usize = 500;

/// A call in its conversation.
pub(crate) struct Review<'a> {
    pub(super) conversation: &'a Conversation,
    pub(super) sink: Sink,
    pub(super) leaves: Vec<Leaf<'a>>,
    /// What each of them is for; told where somebody wants to know.
    slots: OnceCell<Vec<Slot>>,
    described: Option<&'a Described>,
    pub(super) tool: String,
    complete: bool,
    /// How many values have been looked for.
    lookups: Cell<usize>,
}

impl<'a> Review<'a> {
    /// Reads a call.
    pub fn of(conversation: &'a Conversation, call: &Proposed<'a>) -> Self {
        let (leaves, complete) = leaves(call.arguments);
        Self {
            conversation,
            sink: call.sink(),
            leaves,
            slots: OnceCell::new(),
            described: call.described(),
            tool: head(call.tool, MAX_SHOWN).to_owned(),
            complete,
            lookups: Cell::new(0),
        }
    }

    /// Its values, with what each is for.
    pub(super) fn leaves(&self) -> impl Iterator<Item = (Slot, &Leaf<'a>)> {
        let slot = |leaf| slot(leaf, self.described);
        let slots = self
            .slots
            .get_or_init(|| self.leaves.iter().map(slot).collect());
        slots.iter().copied().zip(&self.leaves)
    }

    /// Everything that speaks against it.
    pub fn concerns(&self) -> Vec<Concern> {
        let mut concerns = self.about_values();
        if self.sink.reach == Reach::Changes && !self.stays_with_the_person() {
            // An ordinary act needs no word of its own where what it acts upon is asked about
            // already.
            let ordinary_too = concerns.is_empty();
            concerns.extend(self.about_the_act(ordinary_too));
        }
        if concerns.is_empty() && self.sink.reach != Reach::Looks && !self.stays_with_the_person() {
            concerns.extend(self.unasked_tool());
        }
        self.and_about_the_whole(concerns)
    }

    /// The same without what speaks against it only because the person has not asked for it.
    pub fn concerns_of_others(&self) -> Vec<Concern> {
        let mut concerns = self.about_values();
        if self.sink.reach == Reach::Changes && !self.stays_with_the_person() {
            let ordinary_too = concerns.is_empty();
            concerns.extend(self.about_a_wanted_act(ordinary_too));
        }
        self.and_about_the_whole(concerns)
    }

    fn about_values(&self) -> Vec<Concern> {
        self.leaves()
            .flat_map(|(slot, leaf)| self.about(slot, leaf))
            .collect()
    }

    fn and_about_the_whole(&self, mut concerns: Vec<Concern>) -> Vec<Concern> {
        concerns.extend(self.about_secrets());
        let may_tell = self.sink.reach != Reach::Looks || self.sink.searches_web;
        if (!self.complete || self.lookups.get() >= MAX_LOOKUPS) && may_tell {
            concerns.push(Concern {
                argument: None,
                value: String::new(),
                act: None,
                source: self.unknown(),
                why: Why::TooMuch,
            });
        }
        concerns
    }

    /// The words of its name, where it only looks at something.
    pub fn looking_words(&self) -> Vec<String> {
        match self.sink.reach {
            Reach::Looks => name_words(&self.tool),
            Reach::Prepares | Reach::Changes => Vec::new(),
        }
    }

    /// Whether it reads a file that the person named. What is in there is what they meant, except
    /// for whom to send it to.
    pub fn pointed_at(&self) -> Pointed {
        if self.sink.reach != Reach::Looks {
            return Pointed::Elsewhere;
        }
        let person = &self.conversation.person;
        let how = |path: &str| match path {
            _ if person.named_file(path) => Pointed::At,
            _ if person.named_path(path) => Pointed::Near,
            _ => Pointed::Elsewhere,
        };
        self.leaves()
            .filter(|(slot, _)| *slot == Slot::Path)
            .map(|(_, leaf)| how(&leaf.text))
            .max()
            .unwrap_or(Pointed::Elsewhere)
    }

    /// Whether all that it goes to is the person themselves.
    fn stays_with_the_person(&self) -> bool {
        let mut recipients = self
            .leaves()
            .filter(|(slot, _)| *slot == Slot::Recipient)
            .peekable();
        let own = |part: &Part| matches!(part, Part::Mail(text) | Part::Name(text) if self.conversation.person.is_own(text));
        recipients.peek().is_some()
            && recipients.all(|(_, leaf)| addressees(&leaf.text).iter().all(own))
    }

    /// Whether it looks for something that only a passage which speaks to the model named, or that
    /// was found that way.
    pub fn is_led(&self) -> bool {
        self.conversation.label().trust() == Trust::Steering
            && self
                .leaves
                .iter()
                .filter(|leaf| leaf.is_text && is_telling(&leaf.text))
                .any(|leaf| {
                    !self.conversation.person.named(&leaf.text)
                        && (self
                            .tainted(bare(leaf.text.trim()))
                            .is_some_and(|sighting| {
                                (sighting.prompt_injection || sighting.led) && !sighting.elsewhere
                            })
                            || self.conversation.seen.copied(&leaf.text).is_some())
                })
    }

    /// What is secret goes only to whom the person wrote down themselves.
    fn about_secrets(&self) -> Option<Concern> {
        let person = &self.conversation.person;
        let goes_out = |(slot, leaf): &(Slot, &Leaf<'_>)| match slot {
            Slot::Recipient => !person.named(&leaf.text) && !person.is_own(&leaf.text),
            Slot::Site => !parts(&leaf.text)
                .iter()
                .all(|part| matches!(part, Part::Site { host, .. } if person.named_host(host))),
            _ => false,
        };
        self.leaves().find(goes_out)?;
        self.leaves.iter().find_map(|leaf| {
            let (word, source) = self.conversation.seen.secret_in(&leaf.text)?;
            (!person.named(&word)).then(|| concern(leaf, "•••", source.clone(), Why::Secret))
        })
    }

    /// Where an address, else its host, was seen; the person pointed at it if they pointed at
    /// either.
    fn sighting_of(&self, url: &str, host: &str) -> Option<Sighting> {
        let (whole, host) = (self.sighting(bare(url)), self.sighting(host));
        let pointed = [&whole, &host]
            .into_iter()
            .flatten()
            .map(|sighting| sighting.pointed)
            .max()
            .unwrap_or(Pointed::Elsewhere);
        let prompt_injection = [&whole, &host]
            .into_iter()
            .flatten()
            .any(|sighting| sighting.prompt_injection);
        whole.or(host).map(|sighting| Sighting {
            pointed,
            prompt_injection,
            ..sighting
        })
    }

    /// Whether the call hands over nothing that was read here, but at most the person's own words
    /// and name.
    pub(super) fn tells_nothing_new(&self) -> bool {
        let told = |slot: &Slot| matches!(slot, Slot::Content | Slot::Recipient | Slot::Credential);
        self.leaves()
            .filter(|(slot, _)| told(slot))
            .all(|(_, leaf)| {
                let person = &self.conversation.person;
                person.named(&leaf.text)
                    || person.is_own(&leaf.text) && is_mail(&leaf.text)
                    || is_field_name(leaf)
            })
    }

    /// Whether the person asked for what the call does.
    pub(super) fn is_asked_for(&self) -> bool {
        let person = &self.conversation.person;
        self.sink
            .acts
            .iter()
            .filter(|act| act.telling())
            .any(|act| person.asked_for(*act))
    }

    /// Whether the call hands over words, and only such as the person wrote.
    fn says_their_words(&self) -> bool {
        let person = &self.conversation.person;
        let mut contents = self
            .leaves()
            .filter(|(slot, _)| matches!(slot, Slot::Content))
            .peekable();
        self.sink.grave().is_none()
            && contents.peek().is_some()
            && contents.all(|(_, leaf)| person.named(&leaf.text))
    }

    /// Where a value was seen. After too many values none is looked for any more, and the call is
    /// asked about for that.
    pub(super) fn sighting(&self, value: &str) -> Option<Sighting> {
        self.may_look_up()
            .then(|| self.conversation.seen.sighting(value))
            .flatten()
    }

    /// The same where it matters only of a value that stands in words to the model, or in what they
    /// led to.
    fn tainted(&self, value: &str) -> Option<Sighting> {
        self.may_look_up()
            .then(|| self.conversation.seen.tainted(value))
            .flatten()
    }

    fn may_look_up(&self) -> bool {
        let so_far = self.lookups.get();
        self.lookups.set((so_far + 1).min(MAX_LOOKUPS));
        so_far < MAX_LOOKUPS
    }

    fn unknown(&self) -> Source {
        Source {
            origin: Origin::Unknown,
            message: None,
            at: None,
        }
    }
}

/// Whether a value says anything about where it came from.
pub(super) fn is_telling(text: &str) -> bool {
    let is_plain = |byte: &u8| byte.is_ascii() && !matches!(byte, b'\\' | b'%' | b'&');
    let plain_letters = text
        .bytes()
        .take_while(is_plain)
        .filter(u8::is_ascii_alphanumeric);
    // Most begin with enough of them.
    plain_letters.take(SHORTEST_TELLING).count() == SHORTEST_TELLING
        || words(&plain(text))
            .map(|word| word.chars().count())
            .sum::<usize>()
            >= SHORTEST_TELLING
}

/// Whether a value names a field of a form and is no filling of it.
fn is_field_name(leaf: &Leaf<'_>) -> bool {
    name_words(&leaf.name).last().is_some_and(|word| {
        matches!(
            word.as_str(),
            "id" | "ids" | "field" | "fields" | "name" | "names" | "selector" | "element"
        )
    })
}

fn concern(leaf: &Leaf<'_>, value: &str, source: Source, why: Why) -> Concern {
    Concern {
        argument: Some(leaf.path.clone().into_owned()),
        value: head(value.trim(), MAX_SHOWN).to_owned(),
        act: None,
        source,
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against the same question without the short way out.
        #[test]
        fn what_tells_anything_has_two_letters_or_digits_in_its_form_for_comparing(text in "[a1\\\\nx%4&; .\u{301}é-]{0,8}|\\PC{0,6}") {
            let form = plain(&text);
            let letters: usize = words(&form).map(|word| word.chars().count()).sum();
            prop_assert_eq!(is_telling(&text), letters >= SHORTEST_TELLING);
        }
    }
}
