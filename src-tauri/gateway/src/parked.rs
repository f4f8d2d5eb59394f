//! Calls and other requests that go on while no request waits for them: until their client makes the same request again,
//! and not for long.
//!
//! Always true here:
//! - what a client brings back to get one is nothing that can be guessed, and holds for one request
//!   of this client at this endpoint with this tool and these arguments;
//! - who takes a call out has it alone;
//! - they are bounded in number and in time. One that nobody takes out in time, or whose client is
//!   sent away, is cancelled.

use crate::ongoing::Ongoing;
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
    call: Ongoing,
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

    /// Parks a call: what the client brings back to get it, or the call where there is no room.
    /// `ended` is cancelled when the client is sent away.
    pub(crate) fn park(
        self: &Arc<Self>,
        call: Ongoing,
        same: Fingerprint,
        ended: CancellationToken,
    ) -> Result<String, Box<Ongoing>> {
        let mut all = self.lock();
        if all.len() >= MOST {
            return Err(Box::new(call));
        }
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
        all.push(ParkedCall {
            state: state.clone(),
            same,
            call: call.by_itself(),
            _timer: AbortOnDropHandle::new(timer),
        });
        Ok(state)
    }

    /// Takes the call out for which this was given, if it is the same.
    pub(crate) fn take(&self, state: &str, same: &Fingerprint) -> Option<Ongoing> {
        self.take_if(|one| one.state == state && one.same == *same)
    }

    /// Takes out the call that is the same, the oldest of several.
    pub(crate) fn take_same(&self, same: &Fingerprint) -> Option<Ongoing> {
        self.take_if(|one| one.same == *same)
    }

    fn take_if(&self, fits: impl Fn(&ParkedCall) -> bool) -> Option<Ongoing> {
        let mut all = self.lock();
        let at = all.iter().position(fits)?;
        Some(all.remove(at).call)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::Reply;
    use crate::rpc_error::RpcError;
    use futures::FutureExt as _;
    use serde_json::json;
    use tokio_util::sync::DropGuard;

    /// A call that does not end, and what is cancelled with it.
    fn endless() -> (Ongoing, CancellationToken) {
        let cancelled = CancellationToken::new();
        let guard: DropGuard = cancelled.clone().drop_guard();
        let outcome = async move {
            let _guard = guard;
            std::future::pending::<Reply>().await
        };
        (Ongoing::of(outcome.boxed()), cancelled)
    }

    fn same(name: &str) -> Fingerprint {
        Fingerprint::of(&json!(name))
    }

    #[tokio::test]
    async fn who_takes_a_call_out_has_it_alone_and_only_with_what_was_given_for_it() {
        let parked = Arc::new(Parked::default());
        let ended = CancellationToken::new();
        let failed = || Err(RpcError::new(RpcError::INTERNAL, "ended"));
        let call = Ongoing::of(async move { failed() }.boxed());
        let state = parked.park(call, same("a"), ended).ok().unwrap();
        for (state, name) in [("", "a"), ("x", "a"), (state.as_str(), "b")] {
            assert!(parked.take(state, &same(name)).is_none(), "{state} {name}");
        }
        assert!(parked.take_same(&same("b")).is_none());
        let call = parked.take(&state, &same("a")).unwrap();
        assert!(parked.take(&state, &same("a")).is_none(), "it was taken");
        assert!(parked.is_empty());
        assert_eq!(call.ended().await.unwrap_err().message, "ended");
    }

    #[tokio::test]
    async fn there_is_room_for_so_many_and_the_next_comes_back() {
        let parked = Arc::new(Parked::default());
        let park = |call| parked.park(call, same("a"), CancellationToken::new());
        for _ in 0..MOST {
            assert!(park(endless().0).is_ok());
        }
        let (call, cancelled) = endless();
        let back = park(call).err().unwrap();
        assert!(!cancelled.is_cancelled());
        drop(back);
        drop(parked);
    }

    #[tokio::test(start_paused = true)]
    async fn one_that_nobody_takes_out_in_time_is_cancelled() {
        let parked = Arc::new(Parked::default());
        let (call, cancelled) = endless();
        let state = parked.park(call, same("a"), CancellationToken::new());
        cancelled.cancelled().await;
        assert!(parked.take(&state.ok().unwrap(), &same("a")).is_none());
    }

    #[tokio::test]
    async fn whose_client_is_sent_away_is_cancelled_and_so_are_all_when_nobody_keeps_them() {
        let parked = Arc::new(Parked::default());
        let (first, second) = (endless(), endless());
        let ended = CancellationToken::new();
        parked.park(first.0, same("a"), ended.clone()).ok().unwrap();
        let other = CancellationToken::new();
        parked.park(second.0, same("b"), other).ok().unwrap();
        ended.cancel();
        first.1.cancelled().await;
        assert!(!second.1.is_cancelled());
        drop(parked);
        second.1.cancelled().await;
    }
}
