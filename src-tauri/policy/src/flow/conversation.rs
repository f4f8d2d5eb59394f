//! What a conversation holds, and what speaks against a call in it.

use super::argument::leaves;
use super::concern::{Concern, Source, Why};
use super::indexed_result::Regard;
use super::item::is_listing;
use super::person::Person;
use super::piece::Pointed;
use super::review::Review;
use super::seen::Seen;
use super::sink::{Reach, Sink};
use super::slot::{Described, Slot, slot};
use super::text::plain;
use super::value::host_of;
use super::values::Values;
use crate::{KnownTool, ToolFlags};
use protocol::{Confidentiality, Label, Origin, ServerId, Timestamp, Trust};
use serde_json::{Map, Value};
use std::cell::LazyCell;
use std::sync::Arc;

/// Most files that are remembered as the conversation's own.
const MAX_MADE: usize = 4096;
/// Longest name of such a file, in bytes.
const MAX_MADE_PATH: usize = 512;
/// Most answered questions that are remembered. Further values are asked about every time.
const MAX_SETTLED: usize = 4096;

/// A call that somebody wants to make, as far as flow looks at it.
#[derive(Debug, Clone, Copy)]
pub struct Proposed<'a> {
    /// On which server, by our name; nothing where that is not recorded.
    pub server: Option<&'a ServerId>,
    /// Which tool.
    pub tool: &'a str,
    /// The same with its definition, if that is known.
    pub known: Option<&'a KnownTool>,
    /// What the person says about the tool.
    pub mark: ToolFlags,
    /// The arguments, as they would be sent.
    pub arguments: &'a Map<String, Value>,
}

impl<'a> Proposed<'a> {
    /// What the tool does.
    pub(super) fn sink(&self) -> Sink {
        self.known
            .map_or_else(|| Sink::of(self.tool, None), |known| known.sink().clone())
            .marked(self.mark)
    }

    /// What is said about its arguments, if that is known.
    pub(super) fn described(&self) -> Option<&'a Described> {
        self.known.map(KnownTool::described)
    }

    /// Whether it addresses anything of these kinds.
    fn addresses(&self, slots: &[Slot]) -> bool {
        let described = self.described();
        leaves(self.arguments)
            .0
            .iter()
            .any(|leaf| slots.contains(&slot(leaf, described)))
    }
}

/// Something that was said in a conversation.
#[derive(Debug, Clone, Copy)]
pub enum Message<'a> {
    /// By the person.
    Person {
        /// Their words.
        text: &'a str,
    },
    /// By this host: what the model is told about its place.
    Host {
        /// The words.
        text: &'a str,
    },
    /// By the model. What it says is made of everything before, so it names nothing.
    Model,
    /// By a tool.
    Result {
        /// The call that it answers; nothing where that is not recorded.
        call: Option<Proposed<'a>>,
        /// The answer, all of its texts.
        text: &'a str,
        /// Who may read it.
        confidentiality: Confidentiality,
    },
    /// Out of something that the person attached: they have chosen it, and anybody may have written
    /// it.
    Attachment {
        /// Its name.
        name: &'a str,
        /// What is in it, all of its texts.
        text: &'a str,
    },
}

/// Everything that matters for flow in one conversation. Grows by [`Conversation::observe`], to at
/// most some 20 MiB: 8 MiB of results in their form for comparing, twice 1 MiB of the person's
/// words, and short lists of what was settled and made. A copy is cheap, since it shares the
/// results.
#[derive(Debug, Clone)]
pub struct Conversation {
    pub(super) person: Person,
    pub(super) seen: Seen,
    label: Label,
    settled: Values,
    pub(super) made: Values,
    /// Files and folders that calls, other than such that only look, were the first to name.
    pub(super) folders: Values,
    /// Values of calls that ran before any result held them.
    used: Values,
    /// The number of the next message.
    pub(super) messages: usize,
    /// What was said before is not known any more.
    is_forgotten: bool,
}

impl Default for Conversation {
    fn default() -> Self {
        Self {
            person: Person::default(),
            seen: Seen::default(),
            label: Label::of_nothing(),
            settled: Values::default(),
            made: Values::default(),
            folders: Values::default(),
            used: Values::default(),
            messages: 0,
            is_forgotten: false,
        }
    }
}

impl Conversation {
    /// A conversation in which nothing was said yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// A conversation in which something was said that is not known any more: everything in it is
    /// asked about, whatever is said from now on.
    pub fn forgotten() -> Self {
        let mut new = Self::default();
        new.forget();
        new
    }

    /// Something that was said in it is not known any more: everything in it is asked about from now
    /// on.
    pub fn forget(&mut self) {
        let anything = Label::of(Origin::Unknown)
            .at_least_as_doubtful(Trust::Steering)
            .at_least_as_confidential(Confidentiality::Secret);
        self.label = std::mem::replace(&mut self.label, Label::of_nothing()).join(&anything);
        self.is_forgotten = true;
    }

    /// Whether nothing is lost if it is not kept: nobody but the person and this program has said
    /// anything in it.
    pub fn is_of_nobody_else(&self) -> bool {
        self.seen.is_empty() && !self.is_forgotten
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        let values =
            self.settled.size() + self.made.size() + self.folders.size() + self.used.size();
        size_of::<Self>() + self.person.size() + self.seen.size() + values
    }

    /// Takes in what was said, in order. `at` is when; it is only shown. The answer is the label of
    /// this message.
    pub fn observe(&mut self, message: Message<'_>, at: Option<Timestamp>) -> Label {
        let number = self.messages;
        self.messages += 1;
        let label = match message {
            Message::Person { text } => {
                self.person.says(text);
                Label::of(Origin::Person)
            }
            Message::Host { text } => {
                self.person.is_described(text);
                Label::of(Origin::Host)
            }
            Message::Model => self.label.clone(),
            Message::Attachment { name, text } => {
                let name = name.to_owned();
                let origin = Origin::Attachment { name };
                let source = Source {
                    origin: origin.clone(),
                    message: Some(number),
                    at,
                };
                let regard = Regard {
                    source: Arc::new(source),
                    pointed: Pointed::At,
                    confidentiality: Confidentiality::Private,
                    led: false,
                    listing: is_listing(text),
                };
                let has_prompt_injection = self.seen.add(regard, text, |_| false);
                let trust = match has_prompt_injection {
                    true => Trust::Steering,
                    false => Trust::Untrusted,
                };
                Label::of(origin).at_least_as_doubtful(trust)
            }
            Message::Result {
                call,
                text,
                confidentiality,
            } => {
                let origin = call.map_or(Origin::Unknown, |call| Origin::Tool {
                    server: call.server.cloned(),
                    tool: call.tool.into(),
                });
                let source = Source {
                    origin: origin.clone(),
                    message: Some(number),
                    at,
                };
                let review = call.map(|call| Review::of(self, &call));
                let pointed = review
                    .as_ref()
                    .map_or(Pointed::Elsewhere, Review::pointed_at);
                // What a page or a file says about its author is its own claim; what a list of
                // mails says, the list's.
                let listed = LazyCell::new(|| {
                    call.is_some_and(|call| !call.addresses(&[Slot::Site, Slot::Path]))
                });
                let looking = review.as_ref().map_or(Vec::new(), Review::looking_words);
                let led = review.as_ref().is_some_and(Review::is_led);
                let person = &self.person;
                let spoke_of = |author: &str| {
                    *listed && person.spoke_of(author).is_some() && !person.is_own(author)
                };
                let regard = Regard {
                    source: Arc::new(source),
                    pointed,
                    confidentiality,
                    led,
                    listing: is_listing(text),
                };
                let has_prompt_injection = self.seen.add(regard, text, spoke_of);
                self.person.was_understood(&looking);
                let trust = if has_prompt_injection || led {
                    Trust::Steering
                } else {
                    Trust::Untrusted
                };
                Label::of(origin)
                    .at_least_as_doubtful(trust)
                    .at_least_as_confidential(confidentiality)
            }
        };
        self.label = std::mem::replace(&mut self.label, Label::of_nothing()).join(&label);
        label
    }

    /// What speaks against a call now, gravest first. Empty: nothing. It changes nothing.
    pub fn check(&self, call: &Proposed<'_>) -> Vec<Concern> {
        self.checked(call, |review| review.concerns())
    }

    /// The same where it is not known what the person has said: nothing counts as unasked or
    /// unnamed, only what somebody else has said does.
    pub fn check_untold(&self, call: &Proposed<'_>) -> Vec<Concern> {
        let mut concerns = self.checked(call, |review| review.concerns_of_others());
        concerns.retain(|concern| {
            concern.why == Why::Forgotten || concern.source.origin != Origin::Unknown
        });
        concerns
    }

    fn checked(
        &self,
        call: &Proposed<'_>,
        concerns: impl FnOnce(&Review<'_>) -> Vec<Concern>,
    ) -> Vec<Concern> {
        if self.seen.is_empty() && !self.is_forgotten {
            return Vec::new();
        }
        let mut concerns = concerns(&Review::of(self, call));
        if self.is_forgotten {
            concerns.push(Concern {
                argument: None,
                value: String::new(),
                act: None,
                source: Source {
                    origin: Origin::Unknown,
                    message: None,
                    at: None,
                },
                why: Why::Forgotten,
            });
        }
        for concern in &mut concerns {
            // Said here before anybody else said it: a server that repeats it is not where it came
            // from.
            let from_outside = matches!(
                concern.source.origin,
                Origin::Tool { .. } | Origin::Attachment { .. }
            );
            if from_outside
                && concern.why.is_about_a_value()
                && self.used.contains(&plain(&concern.value))
            {
                concern.source = Source {
                    origin: Origin::Unknown,
                    message: None,
                    at: None,
                };
            }
        }
        if !self.settled.is_empty() {
            concerns.retain(|concern| !self.settled.contains(&key(concern)));
        }
        concerns.sort_by_key(|concern| concern.why);
        concerns.dedup_by_key(|concern| key(concern));
        concerns
    }

    /// Notes that a person was asked about these and said yes: the same values are not asked about
    /// again.
    pub fn settle(&mut self, concerns: &[Concern]) {
        let room = MAX_SETTLED.saturating_sub(self.settled.len());
        let can_be = |concern: &&Concern| !matches!(concern.why, Why::TooMuch | Why::Forgotten);
        for concern in concerns.iter().filter(can_be).take(room) {
            self.settled.insert(key(concern));
        }
    }

    /// Notes that a call runs: the files that it makes up are the conversation's own, unless a
    /// stranger spoke of them before.
    pub fn runs(&mut self, call: &Proposed<'_>) {
        if self.made.len() >= MAX_MADE {
            return;
        }
        let described = call.described();
        let only_looks = call.sink().reach == Reach::Looks;
        for leaf in leaves(call.arguments).0 {
            let is_made = slot(&leaf, described) == Slot::Path;
            let is_used = self.used.len() < MAX_MADE;
            let fits = leaf.text.len() <= MAX_MADE_PATH && (is_made || is_used);
            if !fits || self.seen.has(&leaf.text) {
                continue;
            }
            let value = plain(&leaf.text);
            if is_made && !only_looks && value != " " {
                self.folders.insert(value.clone());
            }
            if is_made && self.made.len() < MAX_MADE {
                self.made.insert(value.clone());
            }
            if is_used {
                self.used.insert(value);
            }
        }
    }

    /// The joined label of everything so far. It never gets better.
    pub fn label(&self) -> &Label {
        &self.label
    }
}

/// What makes two concerns the same question: the same value, or the same host of addresses in the
/// web.
fn key(concern: &Concern) -> String {
    match host_of(&concern.value) {
        Some(host) if matches!(concern.why, Why::Site | Why::Link) => {
            format!("{:?} {host}", concern.why)
        }
        _ if concern.act.is_some() || concern.why == Why::UnaskedTool => format!(
            "{:?} {:?}{}",
            concern.why,
            concern.act,
            plain(&concern.value)
        ),
        _ => format!("value{}", plain(&concern.value)),
    }
}
