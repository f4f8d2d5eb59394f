//! `majordomoctl roots …`

use clap::Subcommand;
use protocol::ServerId;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Roots {
    /// Offer a folder to a server.
    Add {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// The folder.
        path: PathBuf,
    },
    /// The folders of a server.
    List {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
    },
    /// Take a folder from a server.
    Remove {
        /// Which server.
        #[arg(value_parser = ServerId::parse)]
        server: ServerId,
        /// The folder.
        path: PathBuf,
    },
}
