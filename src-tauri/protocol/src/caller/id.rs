//! Which caller of its kind asks.

use super::{CallerError, CallerKind};
use serde::{Deserialize, Serialize, Serializer};
use std::str::FromStr;
use std::sync::Arc;
use ts_rs::TS;

/// Which caller of its kind: 1 to 64 of `A–Z a–z 0–9 . _ -`, beginning with a letter or a digit. It
/// is ours, never the caller's own claim.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize, TS)]
#[serde(try_from = "String")]
#[ts(type = "string")]
pub struct CallerId(pub(super) Arc<str>);

impl CallerId {
    /// The id of the one of a kind of which there is only one.
    pub(super) fn only(kind: &CallerKind) -> Self {
        Self(kind.as_str().into())
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for CallerId {
    type Err = CallerError;

    fn from_str(text: &str) -> Result<Self, CallerError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let is_id = (1..=64).contains(&text.len())
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(plain);
        if !is_id {
            return Err(CallerError::Id(text.chars().take(80).collect()));
        }
        Ok(Self(text.into()))
    }
}

/// As its text.
impl Serialize for CallerId {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl TryFrom<String> for CallerId {
    type Error = CallerError;
    fn try_from(text: String) -> Result<Self, CallerError> {
        text.parse()
    }
}

impl From<CallerId> for String {
    fn from(id: CallerId) -> Self {
        id.as_str().to_owned()
    }
}

impl std::fmt::Display for CallerId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}
