//! `majordomoctl roots …`

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Roots {
    /// Offer a folder to a server.
    Add {
        /// Which server.
        server: String,
        /// The folder.
        path: PathBuf,
    },
    /// The folders of a server.
    List {
        /// Which server.
        server: String,
    },
    /// Take a folder from a server.
    Remove {
        /// Which server.
        server: String,
        /// The folder.
        path: PathBuf,
    },
}
