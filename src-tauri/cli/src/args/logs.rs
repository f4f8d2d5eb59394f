//! `majordomoctl logs …` and `majordomoctl exchange …`

use clap::{Args, ValueEnum};
use protocol::{LogLevel, ServerId};

#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// From which gravity on it should log from now on.
    #[arg(long)]
    pub level: Option<LevelWord>,
}

#[derive(Debug, Args)]
pub(crate) struct Exchange {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// Only those of one call.
    #[arg(long)]
    pub call: Option<String>,
}

/// How grave a line is, as it is written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LevelWord {
    Debug,
    Info,
    Notice,
    Warning,
    Error,
    Critical,
    Alert,
    Emergency,
    /// Leave it to the server.
    Default,
}

impl LevelWord {
    /// The level that is meant; none leaves it to the server.
    pub(crate) fn level(self) -> Option<LogLevel> {
        Some(match self {
            Self::Debug => LogLevel::Debug,
            Self::Info => LogLevel::Info,
            Self::Notice => LogLevel::Notice,
            Self::Warning => LogLevel::Warning,
            Self::Error => LogLevel::Error,
            Self::Critical => LogLevel::Critical,
            Self::Alert => LogLevel::Alert,
            Self::Emergency => LogLevel::Emergency,
            Self::Default => return None,
        })
    }
}
