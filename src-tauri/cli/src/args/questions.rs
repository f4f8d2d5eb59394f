//! `majordomoctl questions …` and what was answered for more than once

use clap::{Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Questions {
    /// Questions that wait.
    List,
    /// Answer one: on a terminal that a person sits at, or with the approver token.
    Answer {
        /// Which one.
        id: String,
        /// The answer.
        answer: AnswerWord,
        /// Told to the caller, with `deny`.
        #[arg(long, value_name = "TEXT")]
        reason: Option<String>,
        /// What is filled into a form, a JSON object; its defaults if nothing is given.
        #[arg(long, value_name = "JSON")]
        content: Option<String>,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
}

/// Answers as they are written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerWord {
    /// This call, and nothing else.
    AllowOnce,
    /// This tool with any arguments, until the host ends.
    AllowRun,
    /// This tool with exactly these arguments, always.
    AllowExactly,
    /// This tool with any arguments, always.
    AllowAlways,
    /// No.
    Deny,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Grants {
    /// What was allowed.
    List,
    /// Take one back.
    Revoke {
        /// Which one.
        id: String,
    },
}
