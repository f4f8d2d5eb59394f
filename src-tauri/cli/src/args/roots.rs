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
        /// Even if it is protected, or holds something that is: keys, browser profiles, start-up
        /// files. What it holds of these stays hidden.
        #[arg(long)]
        protected: bool,
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
