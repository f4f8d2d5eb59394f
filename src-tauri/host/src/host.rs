//! The host: a cheap handle that every surface holds.
//!
//! Always true here: what is waited for is a boxed future, so that all that stands behind it is
//! compiled here, once, and not again in each crate that waits for it.

use crate::options::Options;
use crate::{snapshot, telemetry, workspaces};
use api::{ApproverKind, HostError, RunningCall, Snapshot};
use calls::{Calls, catch_up, grants, leftovers, recovery, waiting};
use futures::future::BoxFuture;
use policy::{Decision, Question};
use protocol::{QuestionId, RunId};
use servers::{Approver, Core, Follower, Servers, builtins, roots, rules, sign_in, supervise};
use std::io;
use std::path::Path;
use std::time::Duration;
use store::{Entry, Event, Note, OpenOptions};

/// How long the end of calls is waited for when the host ends.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// The one place where things happen. Cloning it gives another handle to the same host.
#[derive(Clone)]
pub struct Host(Calls);

impl Host {
    /// Opens the host on its data directory and starts the servers that are on. Fails if another
    /// host has it open.
    pub fn open(options: Options) -> BoxFuture<'static, Result<Self, HostError>> {
        Box::pin(Self::opened(options))
    }

    async fn opened(options: Options) -> Result<Self, HostError> {
        let Options {
            data_dir,
            setup,
            approver,
            keyring,
            clock,
            model,
            policy_file,
            telemetry: tracing,
        } = options;
        let (run, now) = (RunId::random(), clock.now());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let store = OpenOptions {
            dir: data_dir,
            keyring,
            run,
            version: version.clone(),
            now,
        };
        let core = Core::open(store, clock, approver).await?;
        let rows = builtins::ensure(core.store(), now).await?;
        let workspace = workspaces::in_use(core.store(), now).await?;
        let remembered = core.store().grants().live().await?;
        let servers = Servers::open(core, setup, rows, workspace, policy_file).await?;
        let calls = Calls::new(servers, remembered, model, tracing);
        calls::attend(&calls);
        roots::watch(&calls);
        rules::watch(&calls);
        sign_in::read_all(&calls).await;
        telemetry::begin(&calls).await;
        // Programs that only look something up open the host many times a day; that is not worth a
        // row.
        let stays = calls.keeps_servers_running();
        if stays {
            let run = calls.run().clone();
            calls.record(Entry::new(now, Event::HostStarted { version, run }))?;
            rules::record_found(&calls);
        }
        recovery::recover(&calls).await;
        // What is not taken up is over.
        calls.store().waiting().lapse(now).await?;
        leftovers::tidy(&calls).await;
        if stays {
            supervise::start_all(&calls);
            grants::sweep(&calls).await;
            tokio::spawn(grants::sweep_on(calls.weak()));
            tokio::spawn(leftovers::tidy_on(calls.weak()));
        }
        Ok(Self(calls))
    }

    /// The data directory, absolute.
    pub fn data_dir(&self) -> &Path {
        self.0.store().dir()
    }

    /// Tells other programs of this user how to reach this host. Fails if the note cannot be
    /// written, and once the host is closed.
    pub fn leave_note(&self, note: &Note) -> io::Result<()> {
        self.0.store().leave_note(note)
    }

    /// Takes that note away, with the socket that it names.
    pub fn take_note_away(&self) {
        self.0.store().take_note_away();
    }

    /// Withdraws every call that runs or waits: the host is about to end, and whoever waits for one
    /// is told. A question about a call waits again in the next run.
    pub fn withdraw(&self) {
        self.0.leaving().cancel();
        self.0.running().cancel_all();
    }

    /// Withdraws what waits, stops every server, closes the log. Afterwards the data directory is
    /// free.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.closed())
    }

    async fn closed(&self) {
        let calls = &self.0;
        if !calls.begin_to_close() {
            return;
        }
        sign_in::end_all(calls);
        calls.leaving().cancel();
        calls.running().cancel_but_tasks();
        supervise::stop_all(calls).await;
        calls.running().ended(LAST_CALLS).await;
        calls.tell_all_counted();
        if let Err(error) = catch_up::catch_up(calls).await {
            tracing::error!(%error, "the end of some calls could not be written down; the next start says that it is not known");
        }
        grants::note_uses(calls).await;
        if calls.keeps_servers_running() {
            let ended = calls
                .record_synced(Entry::new(calls.now(), Event::HostStopped))
                .await;
            if let Err(error) = ended {
                tracing::error!(%error, "the end of the host could not be written to the log");
            }
        }
        calls.traced().close().await;
        calls.store().close().await;
    }

    /// Everything a surface needs on connecting.
    pub fn snapshot(&self) -> BoxFuture<'_, Snapshot> {
        Box::pin(snapshot::snapshot(&self.0))
    }

    /// What happens from now on, in order.
    pub fn follow(&self) -> Follower {
        self.0.follow()
    }

    /// Questions that wait, oldest first.
    pub fn waiting(&self) -> Vec<Question> {
        self.0.pending_calls().questions()
    }

    /// Answers a question on behalf of a person. The surface vouches with `approver` for where the
    /// answer was given.
    pub fn answer<'a>(
        &'a self,
        id: &'a QuestionId,
        answer: Decision,
        approver: Approver,
    ) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(waiting::answer(&self.0, id, answer, approver))
    }

    /// Closes a question without an answer, as when its window is closed: a no.
    pub fn close_question(&self, id: &QuestionId) {
        waiting::close(&self.0, id);
    }

    /// Calls that run or wait.
    pub fn running(&self) -> Vec<RunningCall> {
        self.0.running().running()
    }

    /// Who may answer questions here.
    pub fn approver(&self) -> ApproverKind {
        self.0.approver()
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.0
    }
}
