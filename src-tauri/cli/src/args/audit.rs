//! `majordomoctl audit …`

use api::{ActivitySegment, Outcome};
use clap::{Args, Subcommand, ValueEnum};
use protocol::{CallerFilter, ServerId, ToolName};
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Audit {
    /// What happened, newest first.
    List {
        #[command(flatten)]
        rows: RowsArgs,
        /// How many rows; a page has at most 500.
        #[arg(long, default_value_t = 50)]
        limit: u32,
        /// Only what stands before this record: the next page.
        #[arg(long, value_name = "RECORD")]
        before: Option<u64>,
    },
    /// Read the whole log and say whether it is intact, or the first bad record and why.
    Verify,
    /// The head of the log as one line, to be kept elsewhere: a log that is exchanged or rolled
    /// back as a whole does not fit it.
    Anchor {
        /// Write it into this file.
        #[arg(long, conflicts_with = "qr")]
        file: Option<PathBuf>,
        /// Show it as a QR code.
        #[arg(long)]
        qr: bool,
    },
    /// Hold an anchor that was kept elsewhere against the log.
    CheckAnchor {
        /// The line, or a file that holds it.
        anchor: String,
    },
    /// Move old segments into the archive beside the log; the rest still proves itself. On a
    /// terminal that a person sits at, or with the approver token.
    Compact {
        /// Only segments of which every record is older than this day or time: 2026-11-22 or
        /// 2026-11-22T09:30:00Z.
        #[arg(long)]
        before: String,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
    /// Where the log's files lie.
    Path,
    /// The whole log as text, or what belongs to some rows of it.
    Export {
        /// In which format.
        #[arg(long, default_value = "jsonl")]
        format: Format,
        #[command(flatten)]
        rows: RowsArgs,
    },
}

/// Which rows of the log.
#[derive(Debug, Args)]
pub(crate) struct RowsArgs {
    /// Only this part: calls, decisions, system.
    #[arg(long, value_parser = segment)]
    pub(crate) segment: Option<ActivitySegment>,
    /// Only this server.
    #[arg(long, value_parser = ServerId::parse)]
    pub(crate) server: Option<ServerId>,
    /// Only this tool.
    #[arg(long)]
    pub(crate) tool: Option<ToolName>,
    /// Only this outcome: done, tool_error, failed, denied, cancelled, unknown, running, recorded.
    #[arg(long, value_parser = outcome)]
    pub(crate) outcome: Option<Outcome>,
    /// Only what callers of this kind asked for, or one of them: `client`, `client:editor-1`.
    #[arg(long, value_name = "KIND[:ID]")]
    pub(crate) caller: Option<CallerFilter>,
    /// Only what happened on this day or at this time, or later: 2026-11-22 or
    /// 2026-11-22T09:30:00Z.
    #[arg(long)]
    pub(crate) from: Option<String>,
    /// Only what happened before this day or time.
    #[arg(long)]
    pub(crate) to: Option<String>,
    /// Only rows that hold all these words.
    #[arg(long)]
    pub(crate) text: Option<String>,
}

/// Formats of the exported log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// One JSON record a line.
    Jsonl,
    /// Comma-separated values.
    Csv,
}

fn segment(text: &str) -> Result<ActivitySegment, String> {
    ActivitySegment::parse(text).ok_or_else(|| format!("{text:?} is no part of the log"))
}

/// By the word that is shown, or the one that stands in the log.
fn outcome(text: &str) -> Result<Outcome, String> {
    match text {
        "denied" => Ok(Outcome::Refused),
        "unknown" => Ok(Outcome::Interrupted),
        "recorded" => Ok(Outcome::Noted),
        _ => Outcome::parse(text).ok_or_else(|| format!("{text:?} is no outcome")),
    }
}
