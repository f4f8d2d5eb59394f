//! `majordomoctl resources …`

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Resources {
    /// What a server offers to read.
    List {
        /// Which server.
        server: String,
    },
    /// Read one.
    Read {
        /// Which server.
        server: String,
        /// Its address.
        uri: String,
    },
    /// Be told when one changes, until ended with Ctrl-C.
    Watch {
        /// Which server.
        server: String,
        /// Its address.
        uri: String,
    },
}
