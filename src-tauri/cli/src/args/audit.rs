//! `majordomoctl audit …`

use clap::{Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// What happened, newest first.
    List {
        /// Only this server.
        #[arg(long)]
        server: Option<String>,
        /// Only this tool.
        #[arg(long)]
        tool: Option<String>,
        /// Only this outcome: done, tool_error, failed, refused, cancelled, interrupted, running, noted.
        #[arg(long)]
        outcome: Option<String>,
        /// Only rows that hold all these words.
        #[arg(long)]
        text: Option<String>,
        /// How many rows.
        #[arg(long, default_value_t = 50)]
        limit: u32,
    },
    /// Read the whole log and say whether it is intact, or the first bad record and why.
    Verify,
    /// Where the log's files lie.
    Path,
    /// The whole log as text.
    Export {
        /// In which format.
        #[arg(long, default_value = "jsonl")]
        format: Format,
    },
}

/// Formats of the exported log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON record a line.
    Jsonl,
    /// Comma-separated values.
    Csv,
}
