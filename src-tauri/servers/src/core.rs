//! What every body stands on: the store and its log, the clock, the events, and the secrets that
//! are covered.

use crate::events::{Events, Follower};
use crate::held_secrets::HeldSecrets;
use crate::{Clock, error};
use api::{ApproverKind, ErrorCode, HostError, HostEvent};
use protocol::{RunId, ServerId, Timestamp};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::{Durability, Entry, OpenOptions, Recurring, Store, Times};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

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
    recurring: Arc<Recurring>,
    closing: AtomicBool,
    leaving: CancellationToken,
}

impl Core {
    /// Opens the store on its data directory. Fails if another host has it open.
    pub async fn open(
        options: OpenOptions,
        clock: Clock,
        approver: ApproverKind,
    ) -> Result<Self, HostError> {
        let run = options.run.clone();
        Ok(Self(Arc::new(Inner {
            store: Store::open(options).await?,
            clock,
            run,
            approver,
            events: Events::new(),
            secrets: HeldSecrets::default(),
            recurring: Arc::default(),
            closing: AtomicBool::new(false),
            leaving: CancellationToken::new(),
        })))
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
        self.tell_row(seq);
        Ok(seq)
    }

    /// Writes a record about something that a person decided, and waits until it is on the disk.
    pub async fn record_synced(&self, entry: Entry) -> Result<u64, HostError> {
        let seq = self.store().audit().append_synced(entry).await?.seq;
        self.tell_row(seq);
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

    fn tell_row(&self, seq: u64) {
        let core = self.clone();
        // Reading the row waits for the index; the one who wrote the record does not.
        tokio::spawn(async move {
            if let Ok(row) = core.store().audit().row_of(seq).await {
                core.publish(HostEvent::ActivityChanged { row });
            }
        });
    }
}
