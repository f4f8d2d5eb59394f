//! `majordomoctl agent …`

use clap::{Args, Subcommand};
use protocol::AnswerType;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Agent {
    /// Have a model do one task, and write its answer. Where nobody sits at the terminal, a question
    /// is answered with no. What was said is kept as a conversation.
    Run(Task),
}

/// A task.
#[derive(Debug, Args)]
pub(crate) struct Task {
    /// What is to be done.
    #[arg(long, value_name = "TEXT")]
    pub task: String,
    /// What the answer is: text, boolean, integer, number, date, json, or one-of:A,B,C. One that is not
    /// is asked for once more, and then it is a failure.
    #[arg(long, value_name = "TYPE", default_value = "text")]
    pub answer_type: AnswerType,
    /// Which model, by its name or its number; else the one that was set up last.
    #[arg(long)]
    pub model: Option<String>,
    /// Which assistant does it, by its name or its number.
    #[arg(long)]
    pub assistant: Option<String>,
    /// Attach this file to the task, a text or a picture; can be given several times.
    #[arg(long, value_name = "FILE")]
    pub attach: Vec<PathBuf>,
}
