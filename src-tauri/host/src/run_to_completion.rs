//! Work that goes on when nobody waits for it any more.
//!
//! Always true here: as long as somebody waits, it runs where they wait; going to another task and
//! back takes longer than most of what is done.

use futures::FutureExt as _;
use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::task::{Context, Poll};
use tokio::runtime::Handle;

type Caught<T> = Result<T, Box<dyn Any + Send>>;

/// Does `work`. Once begun it goes on in a task of its own if this is dropped. Nothing comes of work
/// that panics.
pub(crate) async fn run_to_completion<T: Send + 'static>(
    work: impl Future<Output = T> + Send + 'static,
) -> Option<T> {
    let work = AssertUnwindSafe(work).catch_unwind();
    RunToCompletion {
        work: Some(Box::pin(work)),
        runtime: Handle::current(),
    }
    .await
    .ok()
}

struct RunToCompletion<T: Send + 'static> {
    /// None once it has ended.
    work: Option<Pin<Box<dyn Future<Output = Caught<T>> + Send>>>,
    /// Where it goes on if it is dropped, wherever that happens.
    runtime: Handle,
}

impl<T: Send + 'static> Future for RunToCompletion<T> {
    type Output = Caught<T>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let Some(work) = &mut self.work else {
            return Poll::Pending;
        };
        let ended = std::task::ready!(work.as_mut().poll(context));
        self.work = None;
        Poll::Ready(ended)
    }
}

impl<T: Send + 'static> Drop for RunToCompletion<T> {
    fn drop(&mut self) {
        if let Some(work) = self.work.take() {
            self.runtime.spawn(work);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::sync::oneshot;

    #[tokio::test]
    async fn work_that_nobody_waits_for_any_more_is_done_all_the_same() {
        let (begin, begun) = oneshot::channel();
        let (go_on, goes_on) = oneshot::channel();
        let (tell, told) = oneshot::channel();
        let work = run_to_completion(async move {
            begin.send(()).ok();
            goes_on.await.ok();
            tell.send("done").ok();
        });
        tokio::select! {
            _ = work => panic!("it has not ended"),
            _ = begun => {}
        }
        go_on.send(()).ok();
        assert_eq!(told.await, Ok("done"));
    }

    #[tokio::test]
    async fn nothing_comes_of_work_that_panics() {
        let panics = || panic!("as it should");
        assert_eq!(run_to_completion(async move { panics() }).await, None::<()>);
    }
}
