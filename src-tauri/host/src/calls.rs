//! Calls that run or wait for an answer.

use crate::api::{AskRefusal, ErrorCode, HostError, RunningCall};
use crate::error;
use protocol::{CallId, ServerId};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

#[derive(Default)]
pub(crate) struct Calls {
    /// Tasks that are just being written down.
    remembering: Mutex<BTreeMap<CallId, JoinHandle<()>>>,
    running: Mutex<BTreeMap<CallId, (RunningCall, CancellationToken)>>,
    ended: Notify,
    /// Those whose question outlives this run.
    kept: Mutex<BTreeSet<CallId>>,
    /// What servers asked for during a call and were refused.
    refused_asks: Mutex<BTreeMap<CallId, Vec<AskRefusal>>>,
}

impl Calls {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<CallId, (RunningCall, CancellationToken)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a call. Two calls at a time cannot have the same number.
    pub(crate) fn begin(&self, call: RunningCall, stop: CancellationToken) -> Result<(), HostError> {
        let mut running = self.lock();
        if running.contains_key(&call.call) {
            return Err(error::host(ErrorCode::BadRequest, format!("{} is running already", call.call)));
        }
        running.insert(call.call.clone(), (call, stop));
        Ok(())
    }

    pub(crate) fn set_waiting(&self, id: &CallId, waiting: bool) -> Option<RunningCall> {
        self.lock().get_mut(id).map(|(call, _)| {
            call.waiting = waiting;
            call.clone()
        })
    }

    /// The server has made a task of it.
    pub(crate) fn set_task(&self, id: &CallId, task: String) -> Option<RunningCall> {
        self.lock().get_mut(id).map(|(call, _)| {
            call.task = Some(task);
            call.clone()
        })
    }

    /// Something about this call is just being written down.
    pub(crate) fn set_remembering(&self, id: &CallId, writing: JoinHandle<()>) {
        self.remembering.lock().unwrap_or_else(PoisonError::into_inner).insert(id.clone(), writing);
    }

    /// Waits until what was just being written down about a call is written.
    pub(crate) async fn remembered(&self, id: &CallId) {
        let writing = self.remembering.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        if let Some(writing) = writing {
            // It says by itself what went wrong.
            let _ = writing.await;
        }
    }

    /// The question about this call outlives this run.
    pub(crate) fn set_kept(&self, id: &CallId) {
        self.kept().insert(id.clone());
    }

    pub(crate) fn is_kept(&self, id: &CallId) -> bool {
        self.kept().contains(id)
    }

    /// The question about this call is over; true if it would have outlived this run.
    pub(crate) fn unset_kept(&self, id: &CallId) -> bool {
        self.kept().remove(id)
    }

    fn kept(&self) -> MutexGuard<'_, BTreeSet<CallId>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn is_running(&self, id: &CallId) -> bool {
        self.lock().contains_key(id)
    }

    /// During these calls a server asked for something and was refused.
    pub(crate) fn refused_ask(&self, during: &[CallId], why: AskRefusal) {
        let mut refused = self.refused_asks.lock().unwrap_or_else(PoisonError::into_inner);
        for call in during.iter().filter(|call| self.is_running(call)) {
            let all = refused.entry(call.clone()).or_default();
            if !all.contains(&why) {
                all.push(why);
            }
        }
    }

    pub(crate) fn refused_asks(&self, id: &CallId) -> Vec<AskRefusal> {
        self.refused_asks.lock().unwrap_or_else(PoisonError::into_inner).get(id).cloned().unwrap_or_default()
    }

    pub(crate) fn end(&self, id: &CallId) {
        self.refused_asks.lock().unwrap_or_else(PoisonError::into_inner).remove(id);
        self.lock().remove(id);
        self.ended.notify_waiters();
    }

    pub(crate) fn cancel(&self, id: &CallId) -> Result<(), HostError> {
        let running = self.lock();
        let (_, stop) = running.get(id).ok_or_else(|| error::host(ErrorCode::UnknownCall, format!("{id} does not run")))?;
        stop.cancel();
        Ok(())
    }

    pub(crate) fn cancel_all(&self) {
        for (_, stop) in self.lock().values() {
            stop.cancel();
        }
    }

    /// Cancels what would be lost anyway. A task goes on without us, and is waited for again in the next run.
    pub(crate) fn cancel_but_tasks(&self) {
        for (_, stop) in self.lock().values().filter(|(call, _)| call.task.is_none()) {
            stop.cancel();
        }
    }

    pub(crate) fn running(&self) -> Vec<RunningCall> {
        self.lock().values().map(|(call, _)| call.clone()).collect()
    }

    pub(crate) fn on(&self, server: &ServerId) -> Vec<CallId> {
        self.lock().values().filter(|(call, _)| call.server == *server && !call.waiting).map(|(call, _)| call.call.clone()).collect()
    }

    /// Waits until no call runs any more, at most so long.
    pub(crate) async fn ended(&self, at_most: Duration) {
        let wait = async {
            loop {
                let ended = self.ended.notified();
                if self.lock().is_empty() {
                    return;
                }
                ended.await;
            }
        };
        // What has not ended by then is marked as interrupted at the next start.
        let _ = tokio::time::timeout(at_most, wait).await;
    }
}
