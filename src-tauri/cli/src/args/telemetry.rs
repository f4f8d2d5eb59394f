//! `majordomoctl telemetry …`

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum Telemetry {
    /// Where traces and metrics are sent, and whether they arrive.
    Show,
    /// Send them to an OpenTelemetry collector from now on.
    Set {
        /// Its address for OTLP over HTTP, such as <https://collector.example:4318>; http: for this computer only.
        url: String,
        /// Send the arguments and results of calls too. Values of held secrets are covered all the same.
        #[arg(long)]
        contents: bool,
        /// Tell servers which trace a call belongs to.
        #[arg(long)]
        propagate: bool,
    },
    /// Send nothing any more.
    Off,
}
