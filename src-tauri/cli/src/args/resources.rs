//! `majordomoctl resources …`

use clap::Subcommand;
use protocol::ServerId;

#[derive(Debug, Subcommand)]
pub(crate) enum Resources {
    /// What a server offers to read.
    List {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
    },
    /// Read one.
    Read {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Its address.
        uri: String,
    },
    /// Be told when one changes, until ended with Ctrl-C.
    Watch {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// Its address.
        uri: String,
    },
}
