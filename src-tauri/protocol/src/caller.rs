//! Who asks.
//!
//! Always true here:
//! - no list of callers is closed: a kind that this version does not know is read, compared and
//!   written back like any other;
//! - a caller is its kind and its id; its name is a text for people and decides nothing;
//! - whether a caller is a person is not said here: that depends on where it asks from.

mod filter;
mod id;
mod kind;

pub use filter::CallerFilter;
pub use id::CallerId;
pub use kind::{CallerKind, OtherKind};

use crate::hidden::has_hidden;
use crate::{ConversationId, Fingerprint};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use ts_rs::TS;

/// Who asks. A grant given to one caller says nothing about another.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(from = "Written")]
pub struct Caller {
    /// What kind of thing it is.
    kind: CallerKind,
    /// Which one of that kind.
    id: CallerId,
    /// What it is called: one line for people, in a stranger's words, bounded, with nothing in it
    /// that cannot be seen.
    #[ts(as = "String")]
    name: Arc<str>,
}

impl Caller {
    /// Longest name, in characters.
    pub const MAX_NAME: usize = 80;

    /// A caller. Of a name that is no single line of visible text, what can be shown is kept; one
    /// without a name is called by its id.
    pub fn new(kind: CallerKind, id: CallerId, name: &str) -> Self {
        let name = shown_name(name);
        let name = if name.is_empty() {
            Arc::clone(&id.0)
        } else {
            name.into()
        };
        Self { kind, id, name }
    }

    /// The window.
    pub fn window() -> Self {
        Self::only(CallerKind::Window)
    }

    /// Whoever runs `majordomoctl`: a person or a program.
    pub fn terminal() -> Self {
        Self::only(CallerKind::Terminal)
    }

    /// The one of a kind of which there is only one.
    fn only(kind: CallerKind) -> Self {
        let id = CallerId::only(&kind);
        Self::new(kind, id, "")
    }

    /// What kind of thing it is.
    pub fn kind(&self) -> &CallerKind {
        &self.kind
    }

    /// Which one of that kind.
    pub fn id(&self) -> &CallerId {
        &self.id
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The conversation of a caller that has one only: all that it asks for while Majordomo runs.
    pub fn conversation(&self) -> ConversationId {
        let fingerprint = Fingerprint::of(&json!([self.kind.as_str(), self.id.as_str()]));
        let digits: String = fingerprint.as_str().chars().rev().take(16).collect();
        ConversationId(format!("conversation-{digits}"))
    }
}

impl PartialEq for Caller {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind && self.id == other.id
    }
}

impl Eq for Caller {}

impl Hash for Caller {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
        self.id.hash(state);
    }
}

/// As tables and commands name it: `terminal`, `client:editor-1`.
impl std::fmt::Display for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.id == CallerId::only(&self.kind) {
            return Ok(());
        }
        write!(f, ":{}", self.id)
    }
}

/// A caller as it was written down. What was written before there were ids is the only one of its
/// kind.
#[derive(Deserialize)]
struct Written {
    kind: CallerKind,
    id: Option<CallerId>,
    #[serde(default)]
    name: String,
}

impl From<Written> for Caller {
    fn from(Written { kind, id, name }: Written) -> Self {
        let id = id.unwrap_or_else(|| CallerId::only(&kind));
        Self::new(kind, id, &name)
    }
}

/// One line of at most [`Caller::MAX_NAME`] visible characters. Quotation marks are left out: names
/// stand between them in sentences.
fn shown_name(name: &str) -> String {
    let visible = |c: &char| !has_hidden(c.encode_utf8(&mut [0; 4]));
    let mut shown = String::new();
    for word in name.split_whitespace() {
        let word = word
            .chars()
            .filter(visible)
            .filter(|c| !matches!(c, '"' | '“' | '”' | '„' | '«' | '»' | '「' | '」'));
        let start = shown.len();
        if start > 0 {
            shown.push(' ');
        }
        let before = shown.len();
        shown.extend(word);
        if shown.len() == before {
            shown.truncate(start);
        }
    }
    shown.chars().take(Caller::MAX_NAME).collect()
}

/// Why a text names no caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CallerError {
    /// It is no kind.
    #[error(
        "{0:?} is no kind of caller: write one such as window, terminal or client, of at most 32 small letters, digits and '_'"
    )]
    Kind(String),
    /// It is no id.
    #[error(
        "{0:?} is no id of a caller: it has 1 to 64 letters, digits, '.', '_' and '-', beginning with a letter or digit"
    )]
    Id(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(id: &str, name: &str) -> Caller {
        Caller::new(CallerKind::Client, id.parse().unwrap(), name)
    }

    #[test]
    fn what_was_written_before_there_were_ids_is_the_only_one_of_its_kind() {
        let read = |text: &str| serde_json::from_str::<Caller>(text).unwrap();
        assert_eq!(read(r#"{"kind":"window"}"#), Caller::window());
        assert_eq!(read(r#"{"kind":"terminal"}"#), Caller::terminal());
    }

    #[test]
    fn a_kind_that_is_not_known_is_written_back_as_it_was_read() {
        let text = r#"{"kind":"orchestrator","id":"night-7","name":"Night shift"}"#;
        let caller: Caller = serde_json::from_str(text).unwrap();
        assert!(matches!(caller.kind(), CallerKind::Other(_)));
        assert_eq!(serde_json::to_string(&caller).unwrap(), text);
        assert_eq!(caller.to_string(), "orchestrator:night-7");
    }

    #[test]
    fn a_caller_is_its_kind_and_id_and_never_its_name() {
        assert_eq!(client("a", "Editor"), client("a", "Another name"));
        assert_ne!(client("a", "Editor"), client("b", "Editor"));
        let agent = Caller::new(CallerKind::Agent, "a".parse().unwrap(), "Editor");
        assert_ne!(client("a", "Editor"), agent);
        assert_ne!(
            client("a", "").conversation(),
            client("b", "").conversation()
        );
    }

    #[test]
    fn a_name_is_one_visible_line_and_can_be_taken_for_no_other_sentence() {
        assert_eq!(
            client("a", " Ed\u{202E}it\u{200B}or\n\tTwo ").name(),
            "Editor Two"
        );
        assert_eq!(client("a", "x” wants nothing").name(), "x wants nothing");
        assert_eq!(client("a", "\u{200B} \u{200B}").name(), "a");
        assert_eq!(client("a", &"é".repeat(500)).name().chars().count(), 80);
        assert_eq!(client("a", "编辑器").name(), "编辑器");
    }

    #[test]
    fn a_filter_is_written_as_a_kind_or_as_one_of_a_kind() {
        let filter = |text: &str| text.parse::<CallerFilter>();
        assert!(filter("client").unwrap().holds_for(&client("a", "")));
        assert!(filter("client:a").unwrap().holds_for(&client("a", "")));
        assert!(!filter("client:b").unwrap().holds_for(&client("a", "")));
        assert!(!filter("agent").unwrap().holds_for(&client("a", "")));
        for bad in [
            "",
            "Client",
            "client:",
            ":a",
            "client:a:b",
            "client:a b",
            "x y",
        ] {
            assert!(filter(bad).is_err(), "{bad:?}");
        }
    }
}
