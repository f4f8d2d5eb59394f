//! What this room needs of the one that uses it.

use protocol::Timestamp;

/// What only the host knows.
pub trait Surroundings: Send + Sync + 'static {
    /// The text with everything covered that must not leave; none if that cannot be said any more,
    /// and then nothing leaves.
    fn masked(&self, text: &str) -> Option<String>;

    /// The time, while the host is there.
    fn now(&self) -> Option<Timestamp>;
}
