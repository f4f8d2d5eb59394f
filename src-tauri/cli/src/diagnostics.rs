//! What the program says about itself on standard error, as much as `MAJORDOMO_LOG` asks for: `debug`, `host=trace,warn`, …
//!
//! Always true here: only our own crates are heard. Others write down what they carry, messages and keyring replies, and that
//! may be a secret.

use tracing_subscriber::filter::{EnvFilter, filter_fn};
use tracing_subscriber::fmt;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;

const OURS: [&str; 12] =
    ["builtin", "cli", "connections", "desktop", "host", "inspect", "loopback", "majordomo", "policy", "protocol", "sandbox", "store"];

/// Begins to say it. To be called once, first.
pub fn begin() {
    let wanted = EnvFilter::try_from_env("MAJORDOMO_LOG").unwrap_or_else(|_| "warn".into());
    let ours = filter_fn(|about| about.target().split("::").next().is_some_and(|room| OURS.contains(&room)));
    tracing_subscriber::registry().with(fmt::layer().with_writer(std::io::stderr)).with(wanted).with(ours).init();
}
