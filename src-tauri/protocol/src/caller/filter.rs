//! Callers of a kind, or one of them: for rules, for lists, on the command line.

use super::{Caller, CallerError, CallerId, CallerKind, Written};
use serde::{Deserialize, Serialize};
use std::str::FromStr;
use ts_rs::TS;

/// Every caller of a kind, or one of them. As text: `client`, `client:editor-1`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct CallerFilter {
    /// Of which kind.
    pub kind: CallerKind,
    /// Which one of that kind; none means all of them.
    #[serde(default)]
    pub id: Option<CallerId>,
}

impl CallerFilter {
    /// Whether it is about this caller.
    pub fn holds_for(&self, caller: &Caller) -> bool {
        self.kind == *caller.kind() && self.id.as_ref().is_none_or(|id| id == caller.id())
    }
}

impl From<&Caller> for CallerFilter {
    fn from(caller: &Caller) -> Self {
        Self {
            kind: caller.kind().clone(),
            id: Some(caller.id().clone()),
        }
    }
}

/// The one that it is about. Fails with [`CallerError::NoId`] where it is about a whole kind,
/// unless there is just one of it.
impl TryFrom<CallerFilter> for Caller {
    type Error = CallerError;

    fn try_from(CallerFilter { kind, id }: CallerFilter) -> Result<Self, CallerError> {
        let name = String::new();
        Written { kind, id, name }.try_into()
    }
}

impl FromStr for CallerFilter {
    type Err = CallerError;

    fn from_str(text: &str) -> Result<Self, CallerError> {
        let (kind, id) = match text.split_once(':') {
            Some((kind, id)) => (kind, Some(id.parse()?)),
            None => (text, None),
        };
        Ok(Self {
            kind: kind.parse()?,
            id,
        })
    }
}
