//! `majordomoctl offers …`

use clap::{Args, Subcommand};
use protocol::ServerId;

#[derive(Debug, Subcommand)]
pub(crate) enum Offers {
    /// What a server offers, compared with what was approved: what is new or has changed, with
    /// every difference and finding.
    Review {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Also what waits for no decision.
        #[arg(long)]
        all: bool,
    },
    /// Approve what a server offers, exactly as it is now.
    Approve(Decided),
    /// Do not want it as it is now; it comes up again when it changes.
    KeepOff(Decided),
    /// Never want it, whatever becomes of it.
    Block(Decided),
}

#[derive(Debug, Args)]
pub(crate) struct Decided {
    /// Which server.
    #[arg(value_parser = ServerId::parse)]
    pub server: ServerId,
    /// What, by its name, or as `tool:NAME`, `prompt:NAME`, `template:ADDRESS` or `about`.
    #[arg(required_unless_present = "all")]
    pub what: Vec<String>,
    /// Everything that waits, but what is held back: that is decided by name only.
    #[arg(long, conflicts_with = "what")]
    pub all: bool,
}
