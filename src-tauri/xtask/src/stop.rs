//! Why a task did not end well. The text is all that a person gets, so it says what to do next.

use std::fmt;

/// Why a task did not end well.
#[derive(Debug, PartialEq, Eq)]
pub enum Stop {
    /// The command line cannot be understood.
    Usage(String),
    /// Something must be installed first, and it was not agreed to or cannot be done from here.
    Missing(String),
    /// A program that was started did not succeed, or could not be started.
    Failed(String),
}

impl Stop {
    /// 2 where nothing was tried, 1 where something failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) | Self::Missing(_) => 2,
            Self::Failed(_) => 1,
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(text) => write!(f, "{text}\nTry `cargo xtask help`."),
            Self::Missing(text) | Self::Failed(text) => f.write_str(text),
        }
    }
}
