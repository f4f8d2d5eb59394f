//! What one turn may take, and what it has taken: of model requests, calls and tokens.
//!
//! Always true here: nothing goes below zero; what was taken beyond a limit is taken, and nothing is
//! left.

use serde::{Deserialize, Serialize};

/// What one turn may take, helpers and readers included. Waiting for a person costs nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Purse {
    /// Requests to models, the closing one included.
    pub requests: u32,
    /// Calls of tools.
    pub calls: u32,
    /// Tokens, read and written.
    pub tokens: u64,
}

impl Default for Purse {
    fn default() -> Self {
        Self {
            requests: 25,
            calls: 40,
            tokens: 400_000,
        }
    }
}

impl Purse {
    /// As much again: what a person gives who lets a turn go on. What was taken beyond a limit does
    /// not count against it, so that this much is left at least.
    #[must_use]
    pub fn raised(self, spent: Spent, by: Self) -> Self {
        Self {
            requests: self
                .requests
                .max(spent.requests)
                .saturating_add(by.requests),
            calls: self.calls.max(spent.calls).saturating_add(by.calls),
            tokens: self.tokens.max(spent.tokens).saturating_add(by.tokens),
        }
    }

    /// What is left of it.
    #[must_use]
    pub fn without(self, spent: Spent) -> Self {
        Self {
            requests: self.requests.saturating_sub(spent.requests),
            calls: self.calls.saturating_sub(spent.calls),
            tokens: self.tokens.saturating_sub(spent.tokens),
        }
    }

    /// Whether there is enough for a request after which tools are called: for it, for a call, and
    /// for the closing answer.
    pub fn goes_on(self) -> bool {
        self.requests > 1 && self.calls > 0 && self.tokens > 0
    }
}

/// What a turn has taken, with all that was done for it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Requests to models.
    pub requests: u32,
    /// Calls of tools.
    pub calls: u32,
    /// Tokens: as services say, estimated where they do not.
    pub tokens: u64,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            requests: self.requests.saturating_add(other.requests),
            calls: self.calls.saturating_add(other.calls),
            tokens: self.tokens.saturating_add(other.tokens),
        }
    }
}
