//! `majordomoctl clients …` and `majordomoctl bridge`

use clap::{Args, Subcommand};
use protocol::CallerId;

/// Other applications, each known by its id.
#[derive(Debug, Subcommand)]
pub(crate) enum Clients {
    /// All that may come in, and who is connected.
    List,
    /// Let an application come in. Nothing is allowed to it yet.
    Add {
        /// What to call it.
        name: String,
    },
    /// Make a token for HTTP, in place of the one before. It is shown once, and kept nowhere.
    Token {
        /// Which one.
        client: CallerId,
        /// Take the token away.
        #[arg(long)]
        remove: bool,
    },
    /// End all connections of an application. It may come back.
    Disconnect {
        /// Which one.
        client: CallerId,
    },
    /// Let an application in no more, and take back what it was allowed.
    Remove {
        /// Which one.
        client: CallerId,
    },
}

/// Come in as another application, over standard input and output. An application starts this like
/// any server.
#[derive(Debug, Args)]
pub(crate) struct Bridge {
    /// As which one: its id.
    #[arg(long, value_name = "ID")]
    pub client: CallerId,
    /// Only the tools of this server, under their own names.
    #[arg(long, value_name = "SERVER")]
    pub server: Option<String>,
}
