//! Who asks.
//!
//! Always true here:
//! - no list of callers is closed: a kind that this version does not know is read, compared and
//!   written back like any other;
//! - a caller is its kind and its id; its name is a text for people and decides nothing;
//! - a text without an id names a caller only where there is just one of its kind;
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
#[serde(try_from = "Written")]
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

    /// The page in a browser: a person or a program that has its key.
    pub fn browser() -> Self {
        Self::only(CallerKind::Browser)
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
        ConversationId::from(format!("conversation-{digits}"))
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

/// As tables and commands name it: `terminal`, `client:editor-1`. Of a kind that may have more than
/// one, the id always stands there.
impl std::fmt::Display for Caller {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.kind.as_str())?;
        if self.kind.is_single() && self.id == CallerId::only(&self.kind) {
            return Ok(());
        }
        write!(f, ":{}", self.id)
    }
}

/// A caller as it is written down. What was written before there were ids is the only one of its
/// kind.
#[derive(Deserialize)]
struct Written {
    kind: CallerKind,
    id: Option<CallerId>,
    #[serde(default)]
    name: String,
}

/// Fails with [`CallerError::NoId`] where there is no id, unless there is just one of the kind.
impl TryFrom<Written> for Caller {
    type Error = CallerError;

    fn try_from(Written { kind, id, name }: Written) -> Result<Self, CallerError> {
        let id = match id {
            Some(id) => id,
            None if kind.is_single() => CallerId::only(&kind),
            None => return Err(CallerError::NoId(kind)),
        };
        Ok(Self::new(kind, id, &name))
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
            .filter(|c| visible(c) && !is_quotation_mark(*c));
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

/// Whether it can be taken for the end of a name between quotation marks: all that Unicode gives
/// the property `Quotation_Mark`, and the ornaments that are drawn as one.
fn is_quotation_mark(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '«'
            | '»'
            | '‘'..='‟'
            | '‹'
            | '›'
            | '❛'..='❠'
            | '⹂'
            | '「'..='』'
            | '〝'..='〟'
            | '﹁'..='﹄'
            | '＂'
            | '＇'
            | '｢'
            | '｣'
            | '🙶'..='🙸'
    )
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
    /// There may be more than one of this kind, and it is not said which.
    #[error(
        "there can be several of the kind {0}: a caller of it needs its id, as in {0}:editor-1"
    )]
    NoId(CallerKind),
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
    fn without_an_id_there_is_no_caller_of_a_kind_that_may_have_more_than_one() {
        let read = |text: &str| serde_json::from_str::<Caller>(text);
        for kind in ["client", "agent", "view", "server", "orchestrator"] {
            for text in [
                format!(r#"{{"kind":"{kind}"}}"#),
                format!(r#"{{"kind":"{kind}","id":null,"name":"Editor"}}"#),
            ] {
                let problem = read(&text).unwrap_err().to_string();
                assert!(problem.contains("needs its id"), "{text}: {problem}");
            }
            let filter: CallerFilter = kind.parse().unwrap();
            let no_id = CallerError::NoId(kind.parse().unwrap());
            assert_eq!(Caller::try_from(filter), Err(no_id));
        }
        for text in [
            r#"{"kind":"Client","id":"a"}"#,
            r#"{"kind":"client","id":"a b"}"#,
            r#"{"kind":"client","id":""}"#,
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        let filter = |text: &str| text.parse::<CallerFilter>().unwrap();
        assert_eq!(filter("window").try_into(), Ok(Caller::window()));
        assert_eq!(filter("terminal").try_into(), Ok(Caller::terminal()));
        assert_eq!(filter("client:a").try_into(), Ok(client("a", "")));
    }

    #[test]
    fn the_id_is_left_out_only_where_there_is_just_one_of_the_kind() {
        assert_eq!(Caller::window().to_string(), "window");
        assert_eq!(Caller::terminal().to_string(), "terminal");
        assert_eq!(client("client", "").to_string(), "client:client");
        assert_eq!(client("window", "").to_string(), "client:window");
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
        for mark in "\"'“”„‟‘’‚‛«»‹›「」『』〝〞〟﹁﹂﹃﹄｢｣＂＇⹂❛❜❝❞🙶🙷🙸".chars()
        {
            let name = format!("{mark} x{mark} {mark} wants{mark} nothing");
            assert_eq!(client("a", &name).name(), "x wants nothing", "{mark}");
            assert_eq!(client("a", &mark.to_string()).name(), "a", "{mark}");
        }
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
