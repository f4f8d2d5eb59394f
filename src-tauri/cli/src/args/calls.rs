//! `majordomoctl calls …`

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Calls {
    /// Calls that were sent and of whose end nobody knows. They are never made again by themselves.
    Unknown,
    /// Note that you have seen one of them: on a terminal that a person sits at, or with the
    /// approver token.
    Noted {
        /// Which one.
        call: String,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
}
