//! Watches over one connection until nothing of its server is left: the only place where a running
//! server is ended.

use crate::ServerAsks;
use crate::conversation::Conversation;
use crate::ending::{Ending, Why};
use crate::process::{Process, Stderr, Stdin};
use crate::trace;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::Span;

/// How long a remote server may take to hear that we leave, and the last lines of a dead one to be
/// read.
const FAREWELL: Duration = Duration::from_secs(2);

/// All that must end with a connection.
pub(super) struct Guard {
    pub(super) conversation: Conversation,
    pub(super) process: Option<(Process, Stdin)>,
    pub(super) stderr: Arc<Stderr>,
    pub(super) ending: Arc<Ending>,
    pub(super) asks: Arc<dyn ServerAsks>,
    /// As long as the connection.
    pub(super) session: Span,
}

impl Guard {
    /// Watches in a task of its own. The answer becomes true when nothing is left.
    pub(super) fn watch(self) -> watch::Receiver<bool> {
        let (tell, gone) = watch::channel(false);
        tokio::spawn(async move {
            self.end().await;
            tell.send_replace(true);
        });
        gone
    }

    async fn end(self) {
        match &self.process {
            Some((process, _)) => tokio::select! {
                () = self.ending.over() => {}
                // Its output may still be held open by someone, or the jail was killed: without its
                // process it is no server.
                exit = process.ended() => self.ending.end(Why::Lost { status: exit.status }),
            },
            None => self.ending.over().await,
        }
        let stopped = self.ending.why() == Some(Why::Stopped);
        if let Some((process, stdin)) = &self.process {
            if stopped {
                let (_, ()) = tokio::join!(timeout(FAREWELL, stdin.close()), process.stop());
            } else if let status @ Some(_) = process.kill().await {
                self.ending.end(Why::Lost { status });
            }
            let _ = timeout(FAREWELL, self.stderr.ended()).await;
        }
        // Says goodbye to a remote server, and ends the questions that are still open.
        let _ = timeout(FAREWELL, self.conversation.close()).await;
        if !stopped {
            trace::failed(&self.session, &self.ending.error());
            self.asks.ended(self.ending.error());
        }
    }
}
