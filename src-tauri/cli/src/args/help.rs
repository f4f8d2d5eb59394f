//! `majordomoctl help …`

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Help {
    /// The command, such as `servers add`; all of them without it.
    pub command: Vec<String>,
    /// The reference of the command and all below it, as Markdown.
    #[arg(long, conflicts_with = "man")]
    pub markdown: bool,
    /// The page for `man`.
    #[arg(long)]
    pub man: bool,
}
