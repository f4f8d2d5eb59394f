//! How a call ended, and how long it took, as its records say it.

use super::call_events::CallClosed;
use super::record::Event;
use api::Outcome;
use policy::Refusal;

/// How what was refused has ended.
pub(super) fn refused(refusal: &Refusal) -> Outcome {
    if *refusal == Refusal::Cancelled {
        Outcome::Cancelled
    } else {
        Outcome::Refused
    }
}

/// How long a call took, as far as it is known.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Took {
    pub(super) duration_ms: Option<u64>,
    pub(super) waited_ms: Option<u64>,
    pub(super) ran_ms: Option<u64>,
}

impl Took {
    /// As the record says that ends a call; of any other, nothing.
    pub(super) fn of(event: &Event) -> Self {
        let (duration_ms, waited_ms, ran_ms) = match event {
            Event::CallClosed(CallClosed {
                duration_ms,
                waited_ms,
                ran_ms,
                ..
            }) => (Some(*duration_ms), *waited_ms, *ran_ms),
            Event::CallRefused {
                duration_ms,
                waited_ms,
                ..
            } => (Some(*duration_ms), *waited_ms, None),
            _ => (None, None, None),
        };
        Self {
            duration_ms,
            waited_ms,
            ran_ms,
        }
    }
}
