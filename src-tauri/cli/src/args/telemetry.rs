//! `majordomoctl telemetry …`

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Debug, Subcommand)]
pub(crate) enum Telemetry {
    /// Where traces and metrics are sent, and whether they arrive.
    Show,
    /// Send them to an OpenTelemetry collector from now on. That more leaves than before is for a
    /// person to say: on a terminal that they sit at, or with the approver token.
    Set {
        /// Its address for OTLP over HTTP, such as <https://collector.example:4318>; http: for this
        /// computer only.
        url: String,
        /// Send the arguments and results of calls too. Values of held secrets are covered all the
        /// same.
        #[arg(long)]
        contents: bool,
        /// Tell servers which trace a call belongs to.
        #[arg(long)]
        propagate: bool,
        /// The file that `serve --approver-token-file` has written.
        #[arg(long, value_name = "FILE")]
        approver_token_file: Option<PathBuf>,
    },
    /// Send nothing any more. What waits to be sent is dropped.
    Off,
}
