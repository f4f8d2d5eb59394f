//! `majordomoctl questions …` and what was answered for more than once

use clap::{Args, Subcommand, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Questions {
    /// Questions that wait.
    List,
    /// Answer one or several: on a terminal that a person sits at, or with the approver token.
    Answer(Box<AnswerArgs>),
    /// How many minutes a question waits before the answer is no; with a number, choose that for
    /// questions from now on. More time than before is for a person to give: on a terminal that they
    /// sit at, or with the approver token.
    Time {
        /// From 1 to 1440.
        minutes: Option<u32>,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE", requires = "minutes")]
        approver_token_file: Option<PathBuf>,
    },
}

/// One answer to questions.
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Which ones.
    #[arg(required = true)]
    pub ids: Vec<String>,
    /// The answer. Without more words it is for this call, and nothing else.
    pub answer: AnswerWord,
    /// Remember it for so many calls, this one included.
    #[arg(long, value_name = "N", group = "lasting")]
    pub times: Option<u32>,
    /// Remember it until a time (2026-12-31T18:00:00Z) or for so long from now on (90m, 2h, 7d).
    #[arg(long, value_name = "TIME", group = "lasting")]
    pub until: Option<String>,
    /// Remember it until the host ends.
    #[arg(long, group = "lasting")]
    pub conversation: bool,
    /// Remember it in this workspace until it is taken back.
    #[arg(long, group = "lasting")]
    pub workspace: bool,
    /// Remember it in every workspace until it is taken back.
    #[arg(long, group = "lasting")]
    pub always: bool,
    /// For exactly these arguments, which is also what is meant without a word.
    #[arg(long, group = "cover", requires = "lasting")]
    pub exactly: bool,
    /// For any arguments.
    #[arg(long, group = "cover", requires = "lasting")]
    pub any: bool,
    /// For arguments of which this one keeps to a limit: ARG=under:/folder, ARG=one-of:a,b,
    /// ARG=hosts:a.example, ARG=at-most:5, ARG=same or ARG=anything. What has no limit must be the
    /// same.
    #[arg(long, value_name = "ARG=LIMIT", group = "cover", requires = "lasting")]
    pub within: Vec<String>,
    /// The same limits for another tool of the same server, too.
    #[arg(long, value_name = "TOOL", requires = "within")]
    pub also: Vec<String>,
    /// Send these arguments instead, a JSON object; what is shown as ••• may be left as it is.
    #[arg(long, value_name = "JSON")]
    pub edit: Option<String>,
    /// Told to the caller, with `deny`.
    #[arg(long, value_name = "TEXT")]
    pub reason: Option<String>,
    /// What is filled into a form, a JSON object. Without it the form is shown with its defaults, and
    /// sent with those.
    #[arg(long, value_name = "JSON")]
    pub content: Option<String>,
    /// The file that `serve --approver-token-file` has written.
    #[arg(long, value_name = "FILE")]
    pub approver_token_file: Option<PathBuf>,
}

/// Answers as they are written on the command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerWord {
    /// Yes.
    Allow,
    /// No.
    Deny,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Grants {
    /// What was answered for later calls.
    List,
    /// Take one back.
    Revoke {
        /// Which one.
        id: String,
    },
    /// Grants that are wider than what they were used for; with a number, make that one as narrow
    /// as is proposed.
    Tighten {
        /// Which one.
        id: Option<String>,
    },
}
