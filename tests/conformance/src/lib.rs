//! What a program needs that talks to servers without a host: a person who agrees to everything,
//! and the way out.

mod agrees;
mod permit;

pub use agrees::Agrees;
pub use permit::{permit, permit_prompt, permit_read};

use connections::Limits;
use egress::{Egress, EgressError, Proxy, Settings};
use protocol::Timestamp;
use std::time::Duration;

/// Why a program of this crate ends without having done what it was started for.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// Longer than any server that is well may take, and short enough for a suite that ends programs
/// after 30 s.
pub const LIMITS: Limits = Limits {
    start: Duration::from_secs(20),
    call: Duration::from_secs(20),
    call_maximum: Duration::from_secs(25),
    list: Duration::from_secs(20),
};

/// The way out, without a proxy.
pub fn egress() -> Result<Egress, EgressError> {
    Egress::new(Settings {
        proxy: Proxy::None,
        ..Settings::default()
    })
}

/// The time.
#[expect(
    clippy::disallowed_methods,
    reason = "there is no host here whose clock could be asked"
)]
pub fn now() -> Timestamp {
    let since = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
