//! `majordomoctl serve …`

use clap::Args;
use std::path::PathBuf;

/// After how many seconds without an application the host ends, unless another number is given.
const LONGEST_UNUSED: &str = "300";

#[derive(Debug, Args)]
pub(crate) struct Serve {
    /// Write a token into this file, readable by you only, with which programs may answer
    /// questions.
    #[arg(long, value_name = "FILE")]
    pub approver_token_file: Option<PathBuf>,
    /// Run only as long as applications use it: end when none has been connected for so many
    /// seconds, or when the window is opened. `majordomoctl bridge` starts it so.
    #[arg(
        long,
        value_name = "SECONDS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = LONGEST_UNUSED,
        value_parser = clap::value_parser!(u64).range(1..=86_400)
    )]
    pub while_used: Option<u64>,
    /// Serve the built user interface from this folder.
    #[arg(long, value_name = "DIR")]
    pub ui: Option<PathBuf>,
}
