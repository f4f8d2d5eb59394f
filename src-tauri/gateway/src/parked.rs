//! Calls that go on while no request waits for them: until their client makes the same request again,
//! and not for long.
//!
//! Always true here:
//! - what a client brings back to get one is nothing that can be guessed, and holds for one request
//!   of this client at this endpoint with this tool and these arguments;
//! - who takes a call out has it alone;
//! - they are bounded in number and in time. One that nobody takes out in time, or whose client is
//!   sent away, is cancelled.

use crate::ongoing::OngoingCall;
use protocol::Fingerprint;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

/// How many calls of one client may be parked at one endpoint.
const MOST: usize = 16;
/// How long.
const AT_MOST: Duration = Duration::from_secs(5 * 60);

/// The parked calls of one client at one endpoint.
#[derive(Default)]
pub(crate) struct Parked(Mutex<Vec<ParkedCall>>);

struct ParkedCall {
    state: String,
    same: Fingerprint,
    call: OngoingCall,
    /// Ends it in time.
    _timer: AbortOnDropHandle<()>,
}

impl Parked {
    fn lock(&self) -> MutexGuard<'_, Vec<ParkedCall>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }

    /// Whether there is no room for another.
    pub(crate) fn is_full(&self) -> bool {
        self.lock().len() >= MOST
    }

    /// Parks a call; what the client brings back to get it. `ended` is cancelled when the client is
    /// sent away.
    pub(crate) fn park(
        self: &Arc<Self>,
        call: OngoingCall,
        same: Fingerprint,
        ended: CancellationToken,
    ) -> String {
        let state = uuid::Uuid::new_v4().to_string();
        let (parked, number) = (Arc::downgrade(self), state.clone());
        let timer = tokio::spawn(async move {
            tokio::select! {
                () = tokio::time::sleep(AT_MOST) => {}
                () = ended.cancelled() => {}
            }
            if let Some(parked) = parked.upgrade() {
                drop(parked.take_if(|one| one.state == number));
            }
        });
        self.lock().push(ParkedCall {
            state: state.clone(),
            same,
            call,
            _timer: AbortOnDropHandle::new(timer),
        });
        state
    }

    /// Takes the call out for which this was given, if it is the same.
    pub(crate) fn take(&self, state: &str, same: &Fingerprint) -> Option<OngoingCall> {
        self.take_if(|one| one.state == state && one.same == *same)
    }

    /// Takes out the call that is the same, the oldest of several.
    pub(crate) fn take_same(&self, same: &Fingerprint) -> Option<OngoingCall> {
        self.take_if(|one| one.same == *same)
    }

    fn take_if(&self, fits: impl Fn(&ParkedCall) -> bool) -> Option<OngoingCall> {
        let mut all = self.lock();
        let at = all.iter().position(fits)?;
        Some(all.remove(at).call)
    }
}
