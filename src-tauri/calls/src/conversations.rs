//! What strangers have said in each conversation, so that it cannot silently steer what is done in
//! it next.
//!
//! Always true here:
//! - what a person fills in by hand is the person's own word: nothing there is asked about;
//! - what was told otherwise in a conversation is remembered as its server's word until the
//!   application ends, whoever asks in that conversation;
//! - an answered question settles a value, never a label;
//! - where it is known what the person has said, as in a conversation with a model of ours, nothing
//!   that speaks against a call is left out;
//! - of many conversations those used last are kept; one that is not kept any more counts as one in
//!   which anything may have been said;
//! - what is read for one conversation, however long, keeps no other one waiting.

use inspect::Masker;
use policy::flow::{Concern, Conversation, Message, Proposed, ValueSource};
use policy::{KnownTool, ServerRequest, Target, ToolFlags};
use protocol::{Confidentiality, ConversationId, ServerId, Timestamp, ToolCall, ToolResult};
use serde_json::{Map, Value};
use servers::Surface;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the reading of a resource is called where a tool is named.
const READ: &str = "read_resource";
/// What it is called that a form is filled in.
const FILL_IN: &str = "submit_form";
/// What it is called that an address is opened which a model has written.
const OPEN_LINK: &str = "open_link";

/// How much of them is kept.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// Most conversations.
    most: usize,
    /// About how many bytes all of them take.
    most_bytes: usize,
    /// Most that are known to be forgotten. Beyond, every conversation that is not kept counts as
    /// one of them.
    most_forgotten: usize,
}

const BOUNDS: Bounds = Bounds {
    most: 1_000,
    most_bytes: 256 * 1024 * 1024,
    most_forgotten: 100_000,
};

/// All of them, by their numbers.
pub struct Conversations(Mutex<Kept>);

/// What was said in a conversation with a model of ours, as its journal has it.
#[derive(Debug, Clone, Copy)]
pub enum Told<'a> {
    /// The person's words.
    Person(&'a str),
    /// An answer of the model.
    Model,
    /// Something that is not known any more.
    Forgotten,
    /// What the person attached.
    Attached {
        /// Its name.
        name: &'a str,
        /// All texts in it.
        text: &'a str,
        /// When it was attached.
        at: Timestamp,
    },
    /// What a call came to.
    Result {
        /// The call.
        call: &'a ToolCall,
        /// What it came to.
        result: &'a ToolResult,
        /// Who may read it.
        confidentiality: Confidentiality,
        /// When it came.
        at: Timestamp,
    },
}

struct Kept {
    bounds: Bounds,
    by_id: HashMap<ConversationId, Said>,
    bytes: usize,
    /// Counts uses, so that it is known which one is the last.
    uses: u64,
    forgotten: HashSet<ConversationId>,
}

/// What was said in one.
struct Said {
    /// Locked before all of them, never after.
    said: Arc<Mutex<Conversation>>,
    bytes: usize,
    used: u64,
    /// It is known what the person has said in it.
    is_told: bool,
}

impl Default for Conversations {
    fn default() -> Self {
        Self::within(BOUNDS)
    }
}

impl Kept {
    /// One that is not kept: new, as far as that is known.
    fn absent(&self, id: &ConversationId) -> Conversation {
        let is_known = self.forgotten.len() < self.bounds.most_forgotten;
        if is_known && !self.forgotten.contains(id) {
            Conversation::new()
        } else {
            Conversation::forgotten()
        }
    }

    /// Forgets those used longest ago, but never one that is used now.
    fn make_room(&mut self) {
        while self.by_id.len() > self.bounds.most || self.bytes > self.bounds.most_bytes {
            let unused = self.by_id.iter_mut().filter_map(|(id, one)| {
                let said = Arc::get_mut(&mut one.said)?;
                let said = said.get_mut().unwrap_or_else(PoisonError::into_inner);
                Some((one.used, id, said.is_of_nobody_else()))
            });
            let Some((_, oldest, is_of_nobody_else)) = unused.min_by_key(|(used, ..)| *used) else {
                return;
            };
            let oldest = oldest.clone();
            if let Some(gone) = self.by_id.remove(&oldest) {
                self.bytes -= gone.bytes;
            }
            if !is_of_nobody_else && self.forgotten.len() < self.bounds.most_forgotten {
                self.forgotten.insert(oldest);
            }
        }
    }
}

impl Conversations {
    fn within(bounds: Bounds) -> Self {
        Self(Mutex::new(Kept {
            bounds,
            by_id: HashMap::new(),
            bytes: 0,
            uses: 0,
            forgotten: HashSet::new(),
        }))
    }

    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Looks at one, and keeps nothing of one that is new.
    fn look<R>(&self, id: &ConversationId, look: impl FnOnce(&Conversation) -> R) -> R {
        let mut kept = self.lock();
        kept.uses += 1;
        let uses = kept.uses;
        let Some(one) = kept.by_id.get_mut(id) else {
            let new = kept.absent(id);
            drop(kept);
            return look(&new);
        };
        one.used = uses;
        let said = Arc::clone(&one.said);
        drop(kept);
        look(&said.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds to what was said in one.
    fn change(&self, id: &ConversationId, change: impl FnOnce(&mut Conversation)) {
        let said = self.to_change(id);
        let mut said_now = said.lock().unwrap_or_else(PoisonError::into_inner);
        // It is one of those that are kept meanwhile: whatever happens, it is not new afterwards.
        change(&mut said_now);
        let now = said_now.size() + id.as_str().len();
        let mut kept = self.lock();
        let Kept { by_id, bytes, .. } = &mut *kept;
        if let Some(one) = by_id.get_mut(id) {
            *bytes = *bytes - one.bytes + now;
            one.bytes = now;
        }
        kept.make_room();
    }

    /// One that is kept from now on. As long as somebody has it, it is not forgotten.
    fn to_change(&self, id: &ConversationId) -> Arc<Mutex<Conversation>> {
        let mut kept = self.lock();
        kept.uses += 1;
        let uses = kept.uses;
        if let Some(one) = kept.by_id.get_mut(id) {
            one.used = uses;
            return Arc::clone(&one.said);
        }
        let said = Arc::new(Mutex::new(kept.absent(id)));
        let one = Said {
            said: Arc::clone(&said),
            bytes: 0,
            used: uses,
            is_told: false,
        };
        kept.by_id.insert(id.clone(), one);
        said
    }

    /// What speaks against a call, gravest first.
    pub(crate) fn check(&self, call: &ToolCall, tool: &KnownTool, mark: ToolFlags) -> Vec<Concern> {
        if call.by_hand {
            return Vec::new();
        }
        let is_told = self.is_told(&call.conversation);
        self.look(&call.conversation, |said| {
            let call = proposed(call, tool, mark);
            match is_told {
                true => said.check(&call),
                false => said.check_untold(&call),
            }
        })
    }

    /// Whose words the values of a call are; nothing where it is not known what the person has said.
    pub(crate) fn value_sources(&self, call: &ToolCall) -> Vec<ValueSource> {
        if call.by_hand || !self.is_told(&call.conversation) {
            return Vec::new();
        }
        self.look(&call.conversation, |said| {
            said.value_sources(&call.arguments)
        })
    }

    /// What speaks against the opening of an address that a model has written in one of ours, gravest
    /// first, as a person is shown it. That model wrote it is nobody's word.
    pub fn check_link(&self, id: &ConversationId, address: &str, masker: &Masker) -> Vec<Concern> {
        let arguments = Map::from_iter([("url".to_owned(), Value::from(address))]);
        let proposed = Proposed {
            server: None,
            tool: OPEN_LINK,
            known: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        let concerns = self.look(id, |said| said.check(&proposed));
        shown(&concerns, masker)
    }

    /// Whether it is known what the person has said in one.
    pub fn is_told(&self, id: &ConversationId) -> bool {
        self.lock().by_id.get(id).is_some_and(|one| one.is_told)
    }

    /// Notes what was said in a conversation with a model of ours. Results of calls are noted by
    /// whoever makes these; they are told here only of earlier runs.
    pub fn tell<'a>(&self, id: &ConversationId, told: impl IntoIterator<Item = Told<'a>>) {
        self.change(id, |said| {
            for told in told {
                observe(said, told);
            }
        });
        if let Some(one) = self.lock().by_id.get_mut(id) {
            one.is_told = true;
        }
    }

    /// What speaks against something else that is wanted to be sent to a server.
    pub(crate) fn check_request<R: ServerRequest>(
        &self,
        surface: &Surface,
        server: &ServerId,
        request: &R,
    ) -> Vec<Concern> {
        if surface.is_by_hand() || request.target() == Target::Server {
            return Vec::new();
        }
        self.check_sent(surface, server, READ, &request.chosen())
    }

    /// What speaks against what was filled in because a server asked for it before it answered
    /// something else than a call.
    pub(crate) fn check_filled_in(
        &self,
        surface: &Surface,
        server: &ServerId,
        content: &Map<String, Value>,
    ) -> Vec<Concern> {
        self.check_sent(surface, server, FILL_IN, content)
    }

    fn check_sent(
        &self,
        surface: &Surface,
        server: &ServerId,
        tool: &str,
        arguments: &Map<String, Value>,
    ) -> Vec<Concern> {
        let proposed = Proposed {
            server: Some(server),
            tool,
            known: None,
            mark: ToolFlags::default(),
            arguments,
        };
        self.look(&surface.conversation, |said| said.check_untold(&proposed))
    }

    /// Notes that a person was asked about these and said yes.
    pub(crate) fn settle(&self, conversation: &ConversationId, concerns: &[Concern]) {
        if !concerns.is_empty() {
            self.change(conversation, |said| said.settle(concerns));
        }
    }

    /// Notes that a call runs.
    pub(crate) fn runs(&self, call: &ToolCall, tool: &KnownTool, mark: ToolFlags) {
        if !call.by_hand {
            self.change(&call.conversation, |said| {
                said.runs(&proposed(call, tool, mark));
            });
        }
    }

    /// Notes what a server has said to a call. `mark` is what the person says about the tool.
    pub(crate) fn heard(
        &self,
        call: &ToolCall,
        tool: Option<&KnownTool>,
        mark: ToolFlags,
        answer: &ToolResult,
        now: Timestamp,
    ) {
        if call.by_hand {
            return;
        }
        let call_of = Proposed {
            server: Some(&call.server),
            tool: call.tool.as_str(),
            known: tool,
            mark,
            arguments: &call.arguments,
        };
        let text = answer.as_whole_text();
        let confidentiality = if mark.secret {
            Confidentiality::Secret
        } else {
            Confidentiality::Private
        };
        let message = Message::Result {
            call: Some(call_of),
            text: &text,
            confidentiality,
        };
        self.change(&call.conversation, |said| {
            said.observe(message, Some(now));
        });
    }

    /// Notes what a server has given to read, by its address.
    pub(crate) fn read(
        &self,
        surface: &Surface,
        server: &ServerId,
        uri: &str,
        answer: &ToolResult,
        now: Timestamp,
    ) {
        if surface.is_by_hand() {
            return;
        }
        let arguments = Map::from_iter([("uri".to_owned(), Value::from(uri))]);
        let call = Proposed {
            server: Some(server),
            tool: READ,
            known: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        let text = answer.as_whole_text();
        let message = Message::Result {
            call: Some(call),
            text: &text,
            confidentiality: Confidentiality::Private,
        };
        self.change(&surface.conversation, |said| {
            said.observe(message, Some(now));
        });
    }
}

fn observe(said: &mut Conversation, told: Told<'_>) {
    match told {
        Told::Person(text) => drop(said.observe(Message::Person { text }, None)),
        Told::Model => drop(said.observe(Message::Model, None)),
        Told::Forgotten => said.forget(),
        Told::Attached { name, text, at } => {
            drop(said.observe(Message::Attachment { name, text }, Some(at)));
        }
        Told::Result {
            call,
            result,
            confidentiality,
            at,
        } => {
            let call = Proposed {
                server: Some(&call.server),
                tool: call.tool.as_str(),
                known: None,
                mark: ToolFlags::default(),
                arguments: &call.arguments,
            };
            said.runs(&call);
            let message = Message::Result {
                call: Some(call),
                text: &result.as_whole_text(),
                confidentiality,
            };
            said.observe(message, Some(at));
        }
    }
}

/// Concerns as a person is shown them: values of secrets are covered, in the names of arguments,
/// too.
pub(crate) fn shown(concerns: &[Concern], masker: &Masker) -> Vec<Concern> {
    let mut concerns = concerns.to_vec();
    for concern in &mut concerns {
        masker.mask_text(&mut concern.value);
        if let Some(argument) = &mut concern.argument {
            masker.mask_text(argument);
        }
    }
    concerns
}

fn proposed<'a>(call: &'a ToolCall, tool: &'a KnownTool, mark: ToolFlags) -> Proposed<'a> {
    Proposed {
        server: Some(&call.server),
        tool: call.tool.as_str(),
        known: Some(tool),
        mark,
        arguments: &call.arguments,
    }
}

#[cfg(test)]
mod tests;
