//! `majordomoctl flow …` and `inspect …`: what can be measured without a host

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Flow {
    /// Play recorded conversations, one a line as `{"messages": […]}`, and say for each which calls
    /// would have been asked about.
    Replay {
        /// The file, `-` for standard input.
        file: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Inspect {
    /// Tools, one `{"server","tool"}` a line.
    Tools {
        /// The file, or `-` for standard input.
        file: String,
    },
    /// Texts, one `{"text"}` a line.
    Text {
        /// The file, or `-` for standard input.
        file: String,
    },
}
