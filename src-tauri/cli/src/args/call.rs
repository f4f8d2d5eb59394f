//! `majordomoctl call …`, and what became of its answer

use super::Values;
use clap::{Args, Subcommand};
use protocol::{ServerId, ToolName};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Call {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// Which tool.
    pub tool: ToolName,
    #[command(flatten)]
    pub values: Values,
    /// Write exactly what a model would get of the answer.
    #[arg(long)]
    pub as_model: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Answers {
    /// Show an answer without the marks for credentials and personal numbers: on a terminal that a
    /// person sits at, or with the approver token. The log notes it.
    Reveal {
        /// Of which call.
        call: String,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
    /// All of an answer of which only a part was passed on.
    Full {
        /// Of which call.
        call: String,
    },
}
