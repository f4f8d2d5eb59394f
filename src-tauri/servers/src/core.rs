//! What every body stands on: the store and its log, the clock, the events, and the secrets that
//! are covered.

use crate::activity_rows::ActivityRows;
use crate::events::{Events, Follower};
use crate::held_secrets::HeldSecrets;
use crate::{Clock, error};
use api::{ApproverKind, ErrorCode, HostError, HostEvent};
use policy::QuestionTime;
use protocol::{RunId, ServerId, Timestamp};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, Weak};
use store::{Durability, Entry, OpenOptions, Recurring, Store, Times};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// Under this name it is kept how many minutes questions wait.
const QUESTION_TIME: &str = "question_minutes";

/// A handle to it. Cloning it gives another one.
#[derive(Clone)]
pub struct Core(Arc<Inner>);

struct Inner {
    store: Store,
    clock: Clock,
    run: RunId,
    approver: ApproverKind,
    events: Events,
    secrets: HeldSecrets,
    rows: ActivityRows,
    recurring: Arc<Recurring>,
    closing: AtomicBool,
    leaving: CancellationToken,
    question_time: RwLock<QuestionTime>,
}

impl Core {
    /// Opens the store on its data directory. Fails if another host has it open.
    pub async fn open(
        options: OpenOptions,
        clock: Clock,
        approver: ApproverKind,
    ) -> Result<Self, HostError> {
        let run = options.run.clone();
        let store = Store::open(options).await?;
        let question_time = kept_question_time(&store).await?;
        let core = Self(Arc::new(Inner {
            store,
            clock,
            run,
            approver,
            events: Events::new(),
            secrets: HeldSecrets::default(),
            rows: ActivityRows::default(),
            recurring: Arc::default(),
            closing: AtomicBool::new(false),
            leaving: CancellationToken::new(),
            question_time: RwLock::new(question_time),
        }));
        tokio::spawn(tell_rows(Arc::downgrade(&core.0), core.0.rows.clone()));
        Ok(core)
    }

    /// Everything that is kept.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// The time now.
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// Which run of the application this is.
    pub fn run(&self) -> &RunId {
        &self.0.run
    }

    /// Who may answer questions here.
    pub fn approver(&self) -> ApproverKind {
        self.0.approver
    }

    /// The values that are covered.
    pub fn secrets(&self) -> &HeldSecrets {
        &self.0.secrets
    }

    /// How long a question waits that is asked now.
    pub fn question_time(&self) -> QuestionTime {
        let time = self.0.question_time.read();
        *time.unwrap_or_else(PoisonError::into_inner)
    }

    /// Has questions wait so long from now on, also after a restart.
    pub async fn set_question_time(&self, time: QuestionTime) -> Result<(), HostError> {
        let settings = self.store().settings();
        settings.set(QUESTION_TIME, &time.minutes()).await?;
        let kept = self.0.question_time.write();
        *kept.unwrap_or_else(PoisonError::into_inner) = time;
        Ok(())
    }

    /// Tells every surface what happened.
    pub fn publish(&self, event: HostEvent) {
        self.0.events.publish(event);
    }

    /// The number of the last event.
    pub fn last_event(&self) -> u64 {
        self.0.events.last()
    }

    /// What happens from now on, in order.
    pub fn follow(&self) -> Follower {
        self.0.events.follow()
    }

    /// Whether anybody is there who sees what happens: a window, a terminal, a page.
    pub fn is_anybody_there(&self) -> bool {
        self.0.events.are_rows_wanted()
    }

    /// The same for who needs no rows of the log.
    pub fn follow_without_rows(&self) -> Follower {
        self.0.events.follow_without_rows()
    }

    /// Moves on whenever something happened that may change what is decided.
    pub fn decisive_changes(&self) -> watch::Receiver<u64> {
        self.0.events.decisive_changes()
    }

    /// Cancelled when the host is about to end.
    pub fn leaving(&self) -> &CancellationToken {
        &self.0.leaving
    }

    /// From now on nothing new is begun. False if that was so already.
    pub fn begin_to_close(&self) -> bool {
        !self.0.closing.swap(true, Ordering::SeqCst)
    }

    /// Fails with `shutting_down` when the host is about to end.
    pub fn still_open(&self) -> Result<(), HostError> {
        if self.0.closing.load(Ordering::SeqCst) {
            let message = "Majordomo is shutting down";
            return Err(error::host(ErrorCode::ShuttingDown, message));
        }
        Ok(())
    }

    /// Writes a record. The row that it makes or changes is told to every surface.
    pub fn record(&self, entry: Entry) -> Result<u64, HostError> {
        let seq = self.store().audit().append(entry, Durability::Grouped)?.seq;
        self.0.rows.add(seq);
        Ok(seq)
    }

    /// Writes a record about something that a person decided, and waits until it is on the disk.
    pub async fn record_synced(&self, entry: Entry) -> Result<u64, HostError> {
        let seq = self.store().audit().append_synced(entry).await?.seq;
        self.0.rows.add(seq);
        Ok(seq)
    }

    /// Has `tell` write down that `server` has brought about `what` by itself: at once, or together
    /// with others within a minute if it comes again and again. What `tell` holds does not keep the
    /// core alive.
    pub fn tell_recurring(
        &self,
        server: &ServerId,
        what: &'static str,
        tell: impl FnOnce(Times) + Send + 'static,
    ) {
        if !self.0.recurring.tell(server, what, self.now(), tell) {
            return;
        }
        let (recurring, server) = (Arc::downgrade(&self.0.recurring), server.clone());
        tokio::spawn(async move {
            tokio::time::sleep(Recurring::MINUTE).await;
            if let Some(recurring) = recurring.upgrade() {
                recurring.tell_counted(&server, what);
            }
        });
    }

    /// Writes down what was only counted until now. A host that is killed loses the numbers of the
    /// last minute.
    pub fn tell_all_counted(&self) {
        self.0.recurring.tell_all_counted();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.rows.end();
    }
}

/// Tells every surface what rows records have made or changed, as long as the core is there.
async fn tell_rows(core: Weak<Inner>, rows: ActivityRows) {
    while let Some(records) = rows.due().await {
        let Some(core) = core.upgrade() else { return };
        if !core.events.are_rows_wanted() {
            continue;
        }
        match core.store.audit().rows_of(records).await {
            Ok(rows) => rows
                .into_iter()
                .for_each(|row| core.events.publish(HostEvent::ActivityChanged { row })),
            Err(error) => tracing::debug!(%error, "what is new in the log could not be read"),
        }
    }
}

/// How long questions wait, as the person chose.
async fn kept_question_time(store: &Store) -> Result<QuestionTime, HostError> {
    let Some(minutes) = store.settings().get::<u32>(QUESTION_TIME).await? else {
        return Ok(QuestionTime::default());
    };
    Ok(QuestionTime::of_minutes(minutes).unwrap_or_else(|| {
        tracing::warn!(minutes, "questions cannot wait so long; they wait as usual");
        QuestionTime::default()
    }))
}
