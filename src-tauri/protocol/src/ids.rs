//! Names and numbers that this host gives out itself. Nothing in here is taken from a server,
//! except `ToolName`.
//!
//! Always true here: a copy shares the text, since a call is spoken of in many places.

use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::sync::Arc;
use ts_rs::TS;

/// The name under which a person keeps a server: 1 to 64 of `A–Z a–z 0–9 . _ -`, beginning with a
/// letter or a digit.
///
/// It is ours, never the server's own claim, and unique without regard to case.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, TS)]
#[serde(try_from = "String")]
#[ts(as = "String")]
pub struct ServerId(Arc<str>);

/// Why a text cannot be a server's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing was given.
    #[error("a server needs a name")]
    Empty,
    /// More than 64 characters.
    #[error("a server's name has at most 64 characters, this one has {0}")]
    TooLong(usize),
    /// A character that is not allowed, or not allowed at the beginning.
    #[error(
        "{0:?} cannot stand in a server's name: use letters, digits, '.', '_' and '-', beginning with a letter or digit"
    )]
    Character(char),
}

impl ServerId {
    /// Longest name, in characters.
    pub const MAX: usize = 64;

    /// Checks a name. Case is kept; see [`ServerId::key`] for comparing.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let length = text.chars().count();
        let Some(first) = text.chars().next() else {
            return Err(NameError::Empty);
        };
        if length > Self::MAX {
            return Err(NameError::TooLong(length));
        }
        if !first.is_ascii_alphanumeric() {
            return Err(NameError::Character(first));
        }
        match text
            .chars()
            .find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-')))
        {
            Some(other) => Err(NameError::Character(other)),
            None => Ok(Self(text.into())),
        }
    }

    /// The nearest allowed name to a stranger's text: other characters become `-`, the length is
    /// cut, never empty.
    pub fn nearest(text: &str) -> Self {
        let mut name = String::new();
        for c in text.trim().chars().take(Self::MAX) {
            match c {
                c if c.is_ascii_alphanumeric() => name.push(c),
                '.' | '_' | '-' if !name.is_empty() => name.push(c),
                _ if !name.is_empty() && !name.ends_with('-') => name.push('-'),
                _ => {}
            }
        }
        let name = name.trim_end_matches('-');
        Self(if name.is_empty() { "server" } else { name }.into())
    }

    /// The form in which names are compared: two servers may not differ in case only.
    pub fn key(&self) -> String {
        self.as_key().into_owned()
    }

    /// The same for looking something up: nothing is copied of a name that is written so.
    pub fn as_key(&self) -> Cow<'_, str> {
        if self.0.bytes().any(|byte| byte.is_ascii_uppercase()) {
            Cow::Owned(self.0.to_ascii_lowercase())
        } else {
            Cow::Borrowed(&self.0)
        }
    }

    /// The name as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// As its text.
impl Serialize for ServerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl TryFrom<String> for ServerId {
    type Error = NameError;
    fn try_from(text: String) -> Result<Self, NameError> {
        Self::parse(&text)
    }
}

impl From<ServerId> for String {
    fn from(id: ServerId) -> Self {
        id.as_str().to_owned()
    }
}

impl std::fmt::Display for ServerId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// What an id or a name of any text can do.
macro_rules! shared_text {
    ($name:ident) => {
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(text.into())
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(text.into())
            }
        }
    };
}

/// A tool's name as its server gave it. Only together with a [`ServerId`] does it name one tool.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(transparent)]
pub struct ToolName(#[ts(as = "String")] Arc<str>);

shared_text!(ToolName);

macro_rules! random_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
        #[serde(transparent)]
        pub struct $name(#[ts(as = "String")] Arc<str>);

        shared_text!($name);

        impl $name {
            /// A new one: a prefix that says what it is, and 64 random bits.
            pub fn random() -> Self {
                let (high, _) = uuid::Uuid::new_v4().as_u64_pair();
                Self(format!(concat!($prefix, "-{:016x}"), high).into())
            }
        }
    };
}

random_id!(
    /// One attempt to call a tool, from the question to the closed trace.
    CallId,
    "call"
);
random_id!(
    /// A question that waits for a person, or waited.
    QuestionId,
    "question"
);
random_id!(
    /// A remembered approval.
    GrantId,
    "grant"
);
random_id!(
    /// Where a secret value lies in the keyring. The value itself is never near it.
    SecretId,
    "secret"
);
random_id!(
    /// One run of the application, from start to end.
    RunId,
    "run"
);
random_id!(
    /// One conversation of a caller: a chat of an agent, the session of another application, or one
    /// run of the application.
    ConversationId,
    "conversation"
);
random_id!(
    /// One turn of a conversation with a model: from what the person says to the end of the work.
    TurnId,
    "turn"
);
random_id!(
    /// A model that a person has set up.
    ModelId,
    "model"
);
random_id!(
    /// An assistant that a person has made.
    AssistantId,
    "assistant"
);
random_id!(
    /// A set of servers with their folders, tools and grants.
    WorkspaceId,
    "workspace"
);
random_id!(
    /// A rule of the policy.
    RuleId,
    "rule"
);

impl WorkspaceId {
    /// The workspace that is there from the start.
    pub fn first() -> Self {
        Self::from("workspace-first")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_name_is_plain_and_bounded() {
        assert_eq!(
            ServerId::parse("files.home-2").unwrap().as_str(),
            "files.home-2"
        );
        assert_eq!(ServerId::parse(""), Err(NameError::Empty));
        assert_eq!(ServerId::parse("-x"), Err(NameError::Character('-')));
        assert_eq!(ServerId::parse("a b"), Err(NameError::Character(' ')));
        assert_eq!(ServerId::parse("fіles"), Err(NameError::Character('і')));
        assert_eq!(
            ServerId::parse(&"x".repeat(65)),
            Err(NameError::TooLong(65))
        );
    }

    #[test]
    fn any_text_has_a_nearest_name() {
        assert_eq!(
            ServerId::nearest(" My Server (beta) ").as_str(),
            "My-Server-beta"
        );
        assert_eq!(ServerId::nearest("文件").as_str(), "server");
        assert_eq!(ServerId::nearest("@scope/pkg").as_str(), "scope-pkg");
        assert!(ServerId::parse(ServerId::nearest(&"é.".repeat(99)).as_str()).is_ok());
    }
}
