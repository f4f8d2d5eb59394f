//! What the program says about itself: on standard error, as much as `MAJORDOMO_LOG` asks for
//! (`debug`, `host=trace,warn`, …), and as traces to a collector, if the person has named one.
//!
//! Always true here: only our own crates are heard. Others write down what they carry, messages and
//! keyring replies, and that may be a secret.

use host::Telemetry;
use std::sync::OnceLock;
use tracing_subscriber::filter::{EnvFilter, FilterExt as _, filter_fn};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

const OURS: [&str; 12] = [
    "builtin",
    "cli",
    "connections",
    "desktop",
    "host",
    "inspect",
    "loopback",
    "majordomo",
    "policy",
    "protocol",
    "sandbox",
    "store",
];

/// One for the program, like the subscriber that it is a part of.
static TELEMETRY: OnceLock<Telemetry> = OnceLock::new();

/// Begins to say it. To be called once, first.
pub fn begin() {
    let wanted = EnvFilter::try_from_env("MAJORDOMO_LOG").unwrap_or_else(|_| "warn".into());
    let ours = filter_fn(|about| {
        about
            .target()
            .split("::")
            .next()
            .is_some_and(|room| OURS.contains(&room))
    });
    let spoken = fmt::layer()
        .with_writer(std::io::stderr)
        .with_filter(wanted.and(ours));
    tracing_subscriber::registry()
        .with(spoken)
        .with(telemetry().layer())
        .init();
}

/// What hears the spans of this program. It goes to the host that the program opens.
pub fn telemetry() -> Telemetry {
    TELEMETRY.get_or_init(Telemetry::default).clone()
}
