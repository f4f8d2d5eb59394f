//! `majordomoctl tools …`

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// The tools of a server, or of all that are on.
    List {
        /// Which server.
        server: Option<String>,
    },
    /// One tool in full.
    Show {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// Switch a tool on.
    Enable {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// Switch a tool off: every call of it is denied.
    Disable {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
    },
    /// Say what a tool does, beyond what its server says; without an option, take it back.
    Mark {
        /// Which server.
        server: String,
        /// Which tool.
        tool: String,
        /// It does something that matters: what goes into it is looked at, whatever its name says.
        #[arg(long)]
        consequential: bool,
        /// What it returns is secret: it goes to nobody whom you did not name.
        #[arg(long)]
        secret: bool,
    },
}
