//! What a person says about a tool, beyond what its server says.
//!
//! Always true here: a mark only ever makes the host more careful.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a person says about a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ToolFlags {
    /// It does something that matters, or hands something on: what goes into it is looked at,
    /// whatever its name says.
    pub consequential: bool,
    /// What it returns is secret: it goes to nobody whom the person did not name.
    pub secret: bool,
}

impl ToolFlags {
    /// What counts as said about a tool of which nothing is known any more.
    pub const DOUBTFUL: Self = Self {
        consequential: true,
        secret: true,
    };

    /// What was said about a tool at several moments, together. If it is known of none, doubt.
    pub fn joined(said: impl IntoIterator<Item = Self>) -> Self {
        let both = |one: Self, other: Self| Self {
            consequential: one.consequential || other.consequential,
            secret: one.secret || other.secret,
        };
        said.into_iter().reduce(both).unwrap_or(Self::DOUBTFUL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_once_counts_and_what_nobody_knows_any_more_is_doubt() {
        let secret = ToolFlags {
            secret: true,
            ..ToolFlags::default()
        };
        assert_eq!(ToolFlags::joined([secret, ToolFlags::default()]), secret);
        assert_eq!(
            ToolFlags::joined([ToolFlags::default()]),
            ToolFlags::default()
        );
        assert_eq!(ToolFlags::joined([]), ToolFlags::DOUBTFUL);
    }
}
