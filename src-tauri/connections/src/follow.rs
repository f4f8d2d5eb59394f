//! How a caller follows a call that runs: steps as they come, and a way to stop it.

use crate::{Round, Task, Trace};
use futures::future::BoxFuture;
use std::sync::Arc;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// How to follow a call.
pub struct Follow {
    /// Told each step, in order. It must not block.
    pub progress: Box<dyn Fn(Progress) + Send + Sync>,
    /// Told once if the server makes a task of the call, so that it can be waited for after a
    /// restart too. It must not block.
    pub task: Box<dyn Fn(&Task) + Send + Sync>,
    /// Told of each round in which the server wants input before it goes on with the call.
    pub rounds: Option<Arc<dyn Rounds>>,
    /// Cancels the call; the server is told.
    pub cancelled: CancellationToken,
    /// How it is traced.
    pub trace: Trace,
}

/// Told of the rounds of a call, so that an open one outlives the application.
pub trait Rounds: Send + Sync {
    /// A round opens. Nobody is asked for anything before this has returned.
    fn opens<'a>(&'a self, round: &'a Round) -> BoxFuture<'a, ()>;
    /// The input of the open round is there, and the request is about to be made again with it.
    /// False if it must not be.
    fn closes(&self) -> BoxFuture<'_, bool>;
}

/// A step of a running call, in the server's words.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    /// How far.
    pub progress: f64,
    /// Of how much.
    pub total: Option<f64>,
    /// What it is doing.
    pub message: Option<String>,
}

impl Follow {
    /// For a caller that only waits for the end.
    pub fn nothing() -> Self {
        Self {
            progress: Box::new(|_| {}),
            task: Box::new(|_| {}),
            rounds: None,
            cancelled: CancellationToken::new(),
            trace: Trace::default(),
        }
    }
}

impl std::fmt::Debug for Follow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follow")
            .field("cancelled", &self.cancelled.is_cancelled())
            .finish_non_exhaustive()
    }
}

/// Where the steps of one call go: to its caller, and to its clock.
pub(crate) struct Listener {
    pub(crate) progress: Box<dyn Fn(Progress) + Send + Sync>,
    pub(crate) stepped: Notify,
}
