//! What kind of thing asks.
//!
//! Always true here: a kind that this version does not know keeps its word, and is never one that it
//! knows.

use super::CallerError;
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;
use std::sync::Arc;
use ts_rs::TS;

/// What kind of thing asks.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, TS)]
#[serde(try_from = "String")]
#[ts(type = "string")]
pub enum CallerKind {
    /// The window.
    Window,
    /// Whoever runs `majordomoctl`.
    Terminal,
    /// The page that a host without a window shows in a browser.
    Browser,
    /// Another application.
    Client,
    /// A chat with a model in the window.
    Agent,
    /// A view that a server shows in the window.
    View,
    /// A server.
    Server,
    /// One that this version does not know.
    Other(OtherKind),
}

/// The name of a kind that this version does not know; never that of one that it does.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct OtherKind(Arc<str>);

impl CallerKind {
    /// Whether there is just one of this kind, so that it needs no id to be known.
    pub fn is_single(&self) -> bool {
        match self {
            Self::Window | Self::Terminal | Self::Browser => true,
            Self::Client | Self::Agent | Self::View | Self::Server | Self::Other(_) => false,
        }
    }

    /// The kind's word.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Window => "window",
            Self::Terminal => "terminal",
            Self::Browser => "browser",
            Self::Client => "client",
            Self::Agent => "agent",
            Self::View => "view",
            Self::Server => "server",
            Self::Other(OtherKind(word)) => word,
        }
    }
}

impl FromStr for CallerKind {
    type Err = CallerError;

    fn from_str(text: &str) -> Result<Self, CallerError> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
        let is_word = (1..=32).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_lowercase())
            && text.chars().all(plain);
        match text {
            "window" => Ok(Self::Window),
            "terminal" => Ok(Self::Terminal),
            "browser" => Ok(Self::Browser),
            "client" => Ok(Self::Client),
            "agent" => Ok(Self::Agent),
            "view" => Ok(Self::View),
            "server" => Ok(Self::Server),
            other if is_word => Ok(Self::Other(OtherKind(other.into()))),
            other => Err(CallerError::Kind(other.chars().take(80).collect())),
        }
    }
}

/// As its text.
impl Serialize for CallerKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl TryFrom<String> for CallerKind {
    type Error = CallerError;
    fn try_from(text: String) -> Result<Self, CallerError> {
        text.parse()
    }
}

impl From<CallerKind> for String {
    fn from(kind: CallerKind) -> Self {
        kind.as_str().to_owned()
    }
}

impl std::fmt::Display for CallerKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
