//! `majordomoctl serve …`

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Write a token into this file, readable by you only, with which programs may answer
    /// questions.
    #[arg(long, value_name = "FILE")]
    pub approver_token_file: Option<PathBuf>,
    /// Serve the built user interface from this folder.
    #[arg(long, value_name = "DIR")]
    pub ui: Option<PathBuf>,
}
