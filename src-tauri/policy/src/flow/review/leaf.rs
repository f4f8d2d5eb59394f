//! What speaks against one value of a call.

use super::{Review, concern, is_telling};
use crate::flow::argument::Leaf;
use crate::flow::concern::{Concern, Source, Why};
use crate::flow::lexicon::{Act, FINDING, any_form};
use crate::flow::piece::Pointed;
use crate::flow::seen::Sighting;
use crate::flow::sink::{Reach, is_public};
use crate::flow::slot::Slot;
use crate::flow::text::name_words;
use crate::flow::value::{Part, addressees, bare, identifiers, is_mail, parts, sites};
use protocol::Origin;

impl Review<'_> {
    /// What speaks against it, by what it addresses and how far the call reaches.
    pub(super) fn about(&self, slot: Slot, leaf: &Leaf<'_>) -> Vec<Concern> {
        let mut concerns = match (slot, self.sink.reach) {
            (Slot::Site, Reach::Looks) => self.about_looking_at(leaf),
            (_, Reach::Looks) => Vec::new(),
            (Slot::Recipient, Reach::Changes) => self.about_recipient(leaf),
            (Slot::Site, _) => self.about_site(leaf),
            (Slot::Place, Reach::Changes) => self.about_place(leaf),
            (Slot::Credential, Reach::Changes)
                if self.sink.does(Act::Secure) && !self.sink.does(Act::Remove) =>
            {
                self.about_credential(leaf)
            }
            _ => self.about_content(leaf),
        };
        if self.sink.searches_web && slot != Slot::Site {
            concerns.extend(self.about_words_to_search_for(leaf));
        }
        concerns
    }

    fn about_recipient(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        addressees(&leaf.text)
            .iter()
            .filter_map(|part| match part {
                Part::Name(name) => self.about_address(leaf, name, false, Why::Recipient),
                Part::Mail(address) | Part::Account(address) => {
                    self.about_address(leaf, address, true, Why::Recipient)
                }
                Part::Site { host, .. } if self.conversation.person.named_host(host) => None,
                Part::Site { url, .. } => self.about_address(leaf, url, true, Why::Recipient),
            })
            .collect()
    }

    fn about_place(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        self.about_address(leaf, leaf.text.trim(), false, Why::Place)
            .into_iter()
            .collect()
    }

    /// An address, account, handle or place: theirs, of somebody they spoke of, or a stranger's.
    fn about_address(
        &self,
        leaf: &Leaf<'_>,
        address: &str,
        made_up_counts: bool,
        why: Why,
    ) -> Option<Concern> {
        let person = &self.conversation.person;
        if person.named(address) {
            return None;
        }
        let sighting = self.sighting(bare(address));
        // A name that they spoke of vouches for an address, but neither where two carry it nor on
        // the word of a passage alone.
        let only_steered = sighting.as_ref().is_some_and(|sighting| {
            (sighting.prompt_injection || sighting.led) && !sighting.elsewhere
        });
        // Nor does it where the address stands in what somebody wrote and nowhere else: who was
        // spoken of is no address yet.
        let only_in_words = is_mail(address)
            && sighting
                .as_ref()
                .is_some_and(|sighting| sighting.pointed == Pointed::Elsewhere)
            && !person.is_own(address)
            && !self.conversation.seen.is_entry(address);
        if let Some(name) = person.spoke_of(address)
            && !only_steered
            && !only_in_words
            && !(is_mail(address) && self.conversation.seen.namesakes(address, &name))
        {
            return None;
        }
        match sighting {
            Some(Sighting { source, .. }) if only_steered => {
                Some(concern(leaf, address, source, why))
            }
            // Where something is done may be said by whom they pointed at; to whom it goes, hardly
            // ever.
            Some(Sighting {
                pointed: Pointed::At,
                prompt_injection: false,
                ..
            }) if why == Why::Place => None,
            // Whose wishes they asked to be met may say whom to write to, but not whom to pay or to
            // let in.
            Some(Sighting {
                pointed: Pointed::At,
                prompt_injection: false,
                ..
            }) if person.delegates() && self.sink.grave().is_none() => None,
            // A name of this place, one of a list of names, for an act that they asked for; or for
            // their own words alone.
            Some(Sighting {
                listed: true,
                prompt_injection: false,
                ..
            }) if !made_up_counts && self.is_asked_for() => None,
            Some(Sighting {
                prompt_injection: false,
                ..
            }) if !made_up_counts && why == Why::Recipient && self.says_their_words() => None,
            Some(Sighting { source, .. }) => Some(concern(leaf, address, source, why)),
            None if made_up_counts || self.conversation.seen.overflowed => {
                Some(concern(leaf, address, self.unknown(), why))
            }
            None => None,
        }
    }

    /// Something is sent to, or taken from, an address in the web.
    fn about_site(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        let person = &self.conversation.person;
        let mut concerns = Vec::new();
        for (url, host) in sites(&leaf.text) {
            if person.named_host(&host) || person.named(&url) {
                continue;
            }
            match self.sighting_of(&url, &host) {
                Some(sighting)
                    if sighting.pointed == Pointed::At
                        && !sighting.prompt_injection
                        && self.tells_nothing_new() => {}
                Some(sighting) => concerns.push(concern(leaf, &url, sighting.source, Why::Site)),
                // Nobody spoke of it, so nobody chose it; but it may be a code for what was read.
                None if self.conversation.seen.overflowed || carries(&url, &host, false) => {
                    concerns.push(concern(leaf, &url, self.unknown(), Why::CarriesOut))
                }
                None => {}
            }
        }
        concerns
    }

    /// Looking at an address that stands somewhere tells nobody anything; one that was put together
    /// here may.
    fn about_looking_at(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        let person = &self.conversation.person;
        let mut concerns = Vec::new();
        for (url, host) in sites(&leaf.text) {
            if person.named_host(&host) || person.named(&url) {
                continue;
            }
            match self.sighting(bare(&url)) {
                Some(Sighting {
                    prompt_injection: true,
                    source,
                    ..
                }) => concerns.push(concern(leaf, &url, source, Why::Steered)),
                Some(Sighting {
                    led: true,
                    elsewhere: false,
                    source,
                    ..
                }) => concerns.push(concern(leaf, &url, source, Why::Led)),
                Some(Sighting { source, .. })
                    if !person.follows_links() && !finds_pages(&source) =>
                {
                    concerns.push(concern(leaf, &url, source, Why::Link));
                }
                Some(_) => {}
                None => {
                    let host_seen = self.sighting(&host);
                    if carries(&url, &host, host_seen.is_some()) {
                        let source =
                            host_seen.map_or_else(|| self.unknown(), |sighting| sighting.source);
                        concerns.push(concern(leaf, &url, source, Why::CarriesOut));
                    }
                }
            }
        }
        concerns
    }

    /// What the web is searched for is read there: a code, a number or an address that was read
    /// elsewhere and of which the person did not speak.
    fn about_words_to_search_for(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        let person = &self.conversation.person;
        identifiers(&leaf.text)
            .filter(|word| !person.named(word) && !person.is_own(word))
            .filter_map(|word| Some((word, self.sighting(bare(word))?.source)))
            .filter(|(_, source)| !anybody_may_read(source))
            .map(|(word, source)| concern(leaf, word, source, Why::SearchedFor))
            .collect()
    }

    fn about_credential(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        if self.conversation.person.named(&leaf.text) {
            return Vec::new();
        }
        match self.sighting(&leaf.text) {
            Some(sighting)
                if sighting.prompt_injection || sighting.pointed == Pointed::Elsewhere =>
            {
                vec![concern(leaf, &leaf.text, sighting.source, Why::Credential)]
            }
            _ => Vec::new(),
        }
    }

    /// What is written, or a path, or anything else: matters where a stranger's words to the model
    /// are in it.
    fn about_content(&self, leaf: &Leaf<'_>) -> Vec<Concern> {
        let seen = &self.conversation.seen;
        if !is_telling(&leaf.text)
            || matches!(&*leaf.text, "true" | "false")
            || self.conversation.person.named(&leaf.text)
        {
            return Vec::new();
        }
        match self.tainted(bare(leaf.text.trim())) {
            Some(Sighting {
                prompt_injection: true,
                source,
                ..
            }) => return vec![concern(leaf, &leaf.text, source, Why::Steered)],
            Some(Sighting {
                led: true,
                elsewhere: false,
                source,
                ..
            }) => return vec![concern(leaf, &leaf.text, source, Why::Led)],
            _ => {}
        }
        let addresses = parts(&leaf.text).into_iter().filter_map(|part| match part {
            Part::Mail(text) | Part::Account(text) | Part::Site { url: text, .. }
                if !self.conversation.person.named(&text) =>
            {
                let sighting = self
                    .tainted(bare(&text))
                    .filter(|sighting| sighting.prompt_injection)?;
                Some(concern(leaf, &text, sighting.source, Why::Steered))
            }
            _ => None,
        });
        let mut concerns: Vec<Concern> = addresses.collect();
        if let Some((run, source)) = seen.copied(&leaf.text)
            && !self.conversation.person.named(&run)
        {
            concerns.push(concern(leaf, &run, source.clone(), Why::Steered));
        }
        concerns
    }
}

/// Whether a result is there so that what it names is looked at.
fn finds_pages(source: &Source) -> bool {
    matches!(&source.origin, Origin::Tool { tool, .. } if name_words(tool.as_str()).iter().any(|word| any_form(word, FINDING)))
}

/// Whether a result came out of the web. What is not clearly from there is private.
fn anybody_may_read(source: &Source) -> bool {
    matches!(&source.origin, Origin::Tool { tool, .. } if is_public(&name_words(tool.as_str())))
}

/// Whether an address says more than where it leads. Of a host that a stranger named, hardly
/// anything is harmless; of one that nobody named, a plain path is.
fn carries(url: &str, host: &str, untrusted: bool) -> bool {
    let rest = url
        .to_lowercase()
        .split_once(host)
        .map(|(_, rest)| rest.trim_matches('/').to_owned())
        .unwrap_or_default();
    rest.contains(['?', '=', '@', '%']) || rest.len() > if untrusted { 24 } else { 120 }
}
