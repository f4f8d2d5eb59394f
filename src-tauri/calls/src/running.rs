//! Calls that run or wait for an answer.

use crate::client_route::ClientRoutes;
use crate::unknown_outcomes::Telling;
use api::{AskRefusal, ErrorCode, HostError, RunningCall};
use protocol::{CallId, Caller, QuestionId, ServerId, Timestamp};
use servers::error;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use store::WaitingCall;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// All of them.
#[derive(Default)]
pub struct RunningCalls {
    /// Tasks that are just being written down.
    remembering: Mutex<BTreeMap<CallId, JoinHandle<()>>>,
    running: Mutex<BTreeMap<CallId, Running>>,
    ended: Notify,
    /// Moves on whenever a person begins to be asked about any of them.
    asked: watch::Sender<()>,
    /// What servers asked for during a call and were refused.
    refused_asks: Mutex<BTreeMap<CallId, Vec<AskRefusal>>>,
    /// The ways back to the clients that made them.
    routes: Arc<ClientRoutes>,
    /// Whether it is about to be told of which nobody knows the end.
    unknown: Telling,
}

struct Running {
    call: RunningCall,
    stop: CancellationToken,
    waited: Waited,
}

/// How long a call has waited for a person.
#[derive(Default)]
struct Waited {
    /// The questions that are open, and since when there is one.
    open: BTreeSet<QuestionId>,
    since: Option<Timestamp>,
    /// Before that.
    before: Duration,
    /// A question was asked during several calls, and nobody knows because of which.
    is_unknown: bool,
}

/// A call of an earlier run that runs or waits again.
pub(crate) fn running_of(about: &WaitingCall, waiting: bool) -> RunningCall {
    let WaitingCall {
        call,
        caller,
        server,
        tool,
        since,
    } = about.clone();
    RunningCall {
        call,
        caller,
        server,
        tool,
        since,
        waiting,
        task: None,
    }
}

impl RunningCalls {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<CallId, Running>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether it is about to be told of which nobody knows the end.
    pub(crate) fn unknown(&self) -> &Telling {
        &self.unknown
    }

    /// The ways back to the clients that made them.
    pub fn routes(&self) -> &Arc<ClientRoutes> {
        &self.routes
    }

    /// Whether anybody is being asked because of a call.
    pub fn is_asking(&self, id: &CallId) -> bool {
        self.lock()
            .get(id)
            .is_some_and(|running| running.waited.since.is_some())
    }

    /// Moves on whenever somebody begins to be asked because of a call.
    pub fn asked(&self) -> watch::Receiver<()> {
        self.asked.subscribe()
    }

    /// Whose calls run on a server, if they are all of one caller.
    pub(crate) fn alone_on(&self, server: &ServerId) -> Option<Caller> {
        let running = self.lock();
        let mut there = running.values().filter(|one| one.call.server == *server);
        let first = &there.next()?.call.caller;
        there
            .all(|one| one.call.caller == *first)
            .then(|| first.clone())
    }

    /// Notes a call. Two calls at a time cannot have the same number.
    pub(crate) fn begin(
        &self,
        call: RunningCall,
        stop: CancellationToken,
    ) -> Result<(), HostError> {
        let mut running = self.lock();
        if running.contains_key(&call.call) {
            return Err(error::host(
                ErrorCode::BadRequest,
                format!("{} is running already", call.call),
            ));
        }
        let waited = Waited::default();
        running.insert(call.call.clone(), Running { call, stop, waited });
        Ok(())
    }

    pub(crate) fn set_waiting(&self, id: &CallId, waiting: bool) -> Option<RunningCall> {
        self.lock().get_mut(id).map(|running| {
            running.call.waiting = waiting;
            running.call.clone()
        })
    }

    /// A person is asked about one of these calls, or on behalf of it, from this moment on.
    pub(crate) fn begin_to_wait(&self, ids: &[CallId], question: &QuestionId, at: Timestamp) {
        let mut running = self.lock();
        for id in ids {
            if let Some(Running { waited, .. }) = running.get_mut(id) {
                waited.is_unknown |= ids.len() > 1;
                waited.since.get_or_insert(at);
                waited.open.insert(question.clone());
            }
        }
        drop(running);
        self.asked.send_replace(());
    }

    /// A question about these calls is over.
    pub(crate) fn stop_to_wait(&self, ids: &[CallId], question: &QuestionId, at: Timestamp) {
        let mut running = self.lock();
        for id in ids {
            if let Some(Running { waited, .. }) = running.get_mut(id)
                && waited.open.remove(question)
                && waited.open.is_empty()
                && let Some(since) = waited.since.take()
            {
                waited.before += at.since(since);
            }
        }
    }

    /// How long a call has waited for a person until now; nothing, if that is unknown.
    pub(crate) fn waited(&self, id: &CallId, now: Timestamp) -> Option<Duration> {
        let running = self.lock();
        let Running { waited, .. } = running.get(id)?;
        let open = waited
            .since
            .map_or(Duration::ZERO, |since| now.since(since));
        (!waited.is_unknown).then_some(waited.before + open)
    }

    /// The server has made a task of it.
    pub(crate) fn set_task(&self, id: &CallId, task: String) -> Option<RunningCall> {
        self.lock().get_mut(id).map(|running| {
            running.call.task = Some(task);
            running.call.clone()
        })
    }

    /// Something about this call is just being written down.
    pub(crate) fn set_remembering(&self, id: &CallId, writing: JoinHandle<()>) {
        self.remembering
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(id.clone(), writing);
    }

    /// Waits until what was just being written down about a call is written.
    pub(crate) async fn remembered(&self, id: &CallId) {
        let writing = self
            .remembering
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
        if let Some(writing) = writing {
            // It says by itself what went wrong.
            let _ = writing.await;
        }
    }

    /// Whether the server has made a task of it.
    pub(crate) fn is_task(&self, id: &CallId) -> bool {
        self.lock()
            .get(id)
            .is_some_and(|running| running.call.task.is_some())
    }

    pub(crate) fn is_running(&self, id: &CallId) -> bool {
        self.lock().contains_key(id)
    }

    /// During these calls a server asked for something and was refused.
    pub(crate) fn refused_ask(&self, during: &[CallId], why: AskRefusal) {
        let mut refused = self
            .refused_asks
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        for call in during.iter().filter(|call| self.is_running(call)) {
            let all = refused.entry(call.clone()).or_default();
            if !all.contains(&why) {
                all.push(why);
            }
        }
    }

    pub(crate) fn refused_asks(&self, id: &CallId) -> Vec<AskRefusal> {
        self.refused_asks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(id)
            .cloned()
            .unwrap_or_default()
    }

    pub(crate) fn end(&self, id: &CallId) {
        self.refused_asks
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .remove(id);
        self.lock().remove(id);
        self.ended.notify_waiters();
    }

    /// Cancels a call. Fails if it does not run.
    pub fn cancel(&self, id: &CallId) -> Result<(), HostError> {
        let running = self.lock();
        let running = running
            .get(id)
            .ok_or_else(|| error::host(ErrorCode::UnknownCall, format!("{id} does not run")))?;
        running.stop.cancel();
        Ok(())
    }

    /// Cancels all of them.
    pub fn cancel_all(&self) {
        for running in self.lock().values() {
            running.stop.cancel();
        }
    }

    /// Cancels what would be lost anyway. A task goes on without us, and is waited for again in the
    /// next run.
    pub fn cancel_but_tasks(&self) {
        for running in self.lock().values() {
            if running.call.task.is_none() {
                running.stop.cancel();
            }
        }
    }

    /// All of them as every surface shows them.
    pub fn running(&self) -> Vec<RunningCall> {
        self.lock()
            .values()
            .map(|running| running.call.clone())
            .collect()
    }

    /// Waits until no call runs any more, at most so long.
    pub async fn ended(&self, at_most: Duration) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Caller, ServerId};

    const BEGUN: Timestamp = Timestamp(1_795_000_000_000);

    fn later(ms: u64) -> Timestamp {
        BEGUN.plus(Duration::from_millis(ms))
    }

    fn running(calls: &RunningCalls) -> CallId {
        let call = RunningCall {
            call: CallId::random(),
            caller: Caller::terminal(),
            server: ServerId::parse("files").unwrap(),
            tool: "read".into(),
            since: BEGUN,
            waiting: false,
            task: None,
        };
        let id = call.call.clone();
        calls.begin(call, CancellationToken::new()).unwrap();
        id
    }

    #[test]
    fn two_questions_at_the_same_time_are_waited_for_once() {
        let calls = RunningCalls::default();
        let call = [running(&calls)];
        let (first, second) = (QuestionId::random(), QuestionId::random());
        calls.begin_to_wait(&call, &first, later(10));
        calls.begin_to_wait(&call, &second, later(20));
        calls.stop_to_wait(&call, &first, later(30));
        // It is taken away twice.
        calls.stop_to_wait(&call, &first, later(35));
        assert_eq!(
            calls.waited(&call[0], later(40)),
            Some(Duration::from_millis(30))
        );
        calls.stop_to_wait(&call, &second, later(50));
        assert_eq!(
            calls.waited(&call[0], later(90)),
            Some(Duration::from_millis(40))
        );
    }

    #[test]
    fn how_long_a_call_waited_is_unknown_if_a_question_may_have_been_because_of_another() {
        let calls = RunningCalls::default();
        let both = [running(&calls), running(&calls)];
        let (question, other) = (QuestionId::random(), running(&calls));
        calls.begin_to_wait(&both, &question, later(10));
        calls.stop_to_wait(&both, &question, later(20));
        assert_eq!(calls.waited(&both[0], later(30)), None);
        assert_eq!(calls.waited(&both[1], later(30)), None);
        assert_eq!(calls.waited(&other, later(30)), Some(Duration::ZERO));
    }
}
