//! What the programs of this crate share: a person who agrees to everything and the way out, for
//! those that talk to servers without a host.

mod agrees;
mod permit;

pub use agrees::Agrees;
pub use permit::{permit, permit_prompt, permit_read};

use connections::Limits;
use egress::{Egress, EgressError, Proxy, Settings};
use protocol::Timestamp;
use std::env;
use std::path::PathBuf;
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

/// A program that lies beside this one.
pub fn beside(name: &str) -> Result<PathBuf, Trouble> {
    let path = env::current_exe()?.with_file_name(format!("{name}{}", env::consts::EXE_SUFFIX));
    if path.is_file() {
        Ok(path)
    } else {
        Err(format!("{} was not built", path.display()).into())
    }
}

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
