//! The servers as they are now. Of each there is one value, replaced as a whole.
//!
//! Always true here:
//! - what is read of a server at one moment belongs together: a definition never stands beside the
//!   approval of another one;
//! - one writer at a time makes a new value of the last one, and who reads never waits for a writer
//!   to finish;
//! - no lock is held while anything is waited for.

mod granted;
mod logs;
mod now;
mod offered;
mod settling;
mod sign_in_state;
mod stored_catalogue;
#[cfg(test)]
#[path = "registry_test.rs"]
mod tests;
mod uses;

pub use granted::{Granted, RefusedFiles};
pub use now::{Run, ServerNow, ToolNow, Tried};
pub(crate) use offered::Quarantined;
pub use offered::{Offered, key_of};
pub(crate) use sign_in_state::{Held, Ongoing, Paste, SignInState};
pub(crate) use stored_catalogue::About;
pub(crate) use uses::Idle;
pub use uses::InUse;

use crate::{error, icons};
use api::{
    ErrorCode, HostError, LoggedLine, ProtocolLog, ServerLog, ServerState, ServerView, ToolView,
};
use connections::Connection;
use logs::Logs;
use policy::KnownTool;
use policy::pin::ApprovalStatus;
use protocol::{Budget, Launch, ServerId, WorkspaceId};
use settling::Settling;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use store::{Place, ServerRow, Store, WorkspaceRow};
use tokio::sync::{OwnedMutexGuard, watch};
use uses::Uses;

/// How many bytes are kept of one server, whatever it does, and of all of them together.
const OF_ONE: usize = 64 * 1024 * 1024;
const OF_ALL: usize = 512 * 1024 * 1024;

/// All servers, and the workspace in use.
pub struct Registry {
    budget: Budget,
    // Held to look servers up, never while one is read or changed.
    registry: Mutex<Inner>,
}

struct Inner {
    workspace: WorkspaceId,
    /// By `ServerId::key`.
    by_key: BTreeMap<String, Arc<ServerEntry>>,
}

/// One server: its value, and who may replace it.
struct ServerEntry {
    now: watch::Sender<Arc<ServerNow>>,
    /// Held by whoever makes the next value.
    writing: Mutex<()>,
    /// What may be kept of it, from one start to the next.
    budget: Budget,
    logs: Mutex<Logs>,
    turn: Arc<tokio::sync::Mutex<()>>,
    /// When its tools, and what it offers beside them, were to be read last, from one start to the
    /// next.
    settling: Mutex<(Settling, Settling)>,
    uses: Uses,
    /// Held while what is left of one that was idle is being ended.
    ending: Arc<tokio::sync::Mutex<()>>,
}

/// The right to decide about one server, until it is dropped: to read, to write to the store and to
/// take over what was written, with nobody in between.
pub type Turn = OwnedMutexGuard<()>;

impl Registry {
    pub(crate) async fn load(
        store: &Store,
        rows: Vec<ServerRow>,
        workspace: WorkspaceRow,
    ) -> Result<Self, HostError> {
        let WorkspaceRow {
            id: workspace,
            mut places,
            ..
        } = workspace;
        let budget = Budget::new(OF_ALL);
        let mut by_key = BTreeMap::new();
        for row in rows {
            let own = matches!(row.launch, Launch::Builtin { .. });
            let mut offered = Offered::new(store.pins().of(&row.id).await?, own);
            let tools = store.tools().load(&row.id).await?;
            let about = stored_catalogue::take_in(store, &row.id, &mut offered).await?;
            if about.is_some() || !tools.is_empty() {
                offered.take_tools(tools);
            }
            let mut now = ServerNow {
                place: places.remove(&row.id).unwrap_or_default(),
                marks: store.flagged_tools().of(&row.id).await?,
                era: store.eras().of(&row.id).await?,
                sign_in: SignInState::of(
                    &store.accounts().of(&row.id).await?,
                    store.accounts().client(&row.id).await?,
                ),
                ..ServerNow::new(row, workspace.clone(), offered)
            };
            if now.place.on {
                now.run.state = ServerState::Idle;
            }
            if let Some(about) = about {
                now.run.claims = Some(about.claims);
                now.run.abilities = Some(about.abilities);
            }
            by_key.insert(now.id().key(), Arc::new(ServerEntry::new(now, &budget)));
        }
        Ok(Self {
            budget,
            registry: Mutex::new(Inner { workspace, by_key }),
        })
    }

    fn registry(&self) -> MutexGuard<'_, Inner> {
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn entry(&self, id: &ServerId) -> Result<Arc<ServerEntry>, HostError> {
        self.registry()
            .by_key
            .get(&*id.as_key())
            .cloned()
            .ok_or_else(|| {
                error::host(
                    ErrorCode::UnknownServer,
                    format!("there is no server called {id}"),
                )
            })
    }

    fn entries(&self) -> Vec<Arc<ServerEntry>> {
        self.registry().by_key.values().cloned().collect()
    }

    /// Takes a new server in, off.
    pub fn insert(&self, row: ServerRow) -> ServerView {
        let mut registry = self.registry();
        let now = ServerNow::new(row, registry.workspace.clone(), Offered::default());
        let view = now.view();
        registry.by_key.insert(
            now.id().key(),
            Arc::new(ServerEntry::new(now, &self.budget)),
        );
        view
    }

    /// What may be kept of a server. Fails if there is none of this name.
    pub(crate) fn budget(&self, id: &ServerId) -> Result<Budget, HostError> {
        Ok(self.entry(id)?.budget.clone())
    }

    /// Lets go of a server.
    pub fn remove(&self, id: &ServerId) {
        self.registry().by_key.remove(&*id.as_key());
    }

    /// One server as it is at this moment. Fails if there is none of this name.
    pub fn now(&self, id: &ServerId) -> Result<Arc<ServerNow>, HostError> {
        Ok(self.entry(id)?.now())
    }

    /// All servers, each as it is at this moment.
    pub fn all(&self) -> Vec<Arc<ServerNow>> {
        self.entries().iter().map(|entry| entry.now()).collect()
    }

    /// Replaces what a server is by what `change` makes of it, as a whole. Fails if there is none
    /// of this name. `change` looks at nothing but what it is given.
    pub fn change<R>(
        &self,
        id: &ServerId,
        change: impl FnOnce(&mut ServerNow) -> R,
    ) -> Result<R, HostError> {
        Ok(self.entry(id)?.change(change))
    }

    /// Somebody uses a server from now on, until they drop the answer. Fails if there is none of
    /// this name.
    pub fn in_use(&self, id: &ServerId) -> Result<InUse, HostError> {
        Ok(self.entry(id)?.uses.begin())
    }

    /// Waits until nothing is left of a server that was ended for being idle.
    pub(crate) async fn ending(&self, id: &ServerId) -> Result<OwnedMutexGuard<()>, HostError> {
        let ending = self.entry(id)?.ending.clone();
        Ok(ending.lock_owned().await)
    }

    /// Waits until one start of a server is over, without keeping the server.
    pub(crate) fn over(
        &self,
        id: &ServerId,
        generation: u64,
    ) -> Result<impl Future<Output = ()> + Send + use<>, HostError> {
        let mut changes = self.entry(id)?.now.subscribe();
        Ok(async move {
            let is_over = |now: &Arc<ServerNow>| {
                now.run.generation != generation || now.run.connection.is_none()
            };
            // One that is removed is over, too.
            let _ = changes.wait_for(is_over).await;
        })
    }

    /// Has one start of a server rest if nobody has used it for `time`.
    pub(crate) fn rest(
        &self,
        id: &ServerId,
        generation: u64,
        time: Duration,
    ) -> Result<Idle, HostError> {
        let entry = self.entry(id)?;
        let rest = |server: &mut ServerNow| {
            if server.run.generation != generation {
                return Idle::Gone;
            }
            let may_rest = server.may_rest();
            let idle = |connection: &mut Connection| may_rest && connection.watched().is_empty();
            let Some(connection) = server.run.connection.take_if(idle) else {
                return Idle::GoesOn(time);
            };
            server.run.generation += 1;
            server.run.state = ServerState::Idle;
            server.run.failures = 0;
            Idle::Rests(connection)
        };
        let looked = entry.uses.if_idle(time, || entry.change(rest));
        Ok(looked.unwrap_or_else(Idle::GoesOn))
    }

    /// Waits until nobody else decides about a server.
    pub async fn turn(&self, id: &ServerId) -> Result<Turn, HostError> {
        let turn = self.entry(id)?.turn.clone();
        Ok(turn.lock_owned().await)
    }

    /// The workspace in use.
    pub(crate) fn workspace(&self) -> WorkspaceId {
        self.registry().workspace.clone()
    }

    /// Takes another workspace into use. The turns of all servers are held. The answer is what was
    /// kept of each before.
    pub fn take_up(&self, workspace: WorkspaceRow) -> Vec<(ServerId, Place)> {
        let WorkspaceRow { id, mut places, .. } = workspace;
        self.registry().workspace = id.clone();
        let take_up = |entry: &Arc<ServerEntry>| {
            entry.change(|now| {
                now.workspace = id.clone();
                let place = places.remove(&now.row.id).unwrap_or_default();
                (now.row.id.clone(), std::mem::replace(&mut now.place, place))
            })
        };
        self.entries().iter().map(take_up).collect()
    }

    /// Whether there is a server of this name.
    pub fn has(&self, id: &ServerId) -> bool {
        self.registry().by_key.contains_key(&*id.as_key())
    }

    /// The names of all servers.
    pub fn ids(&self) -> Vec<ServerId> {
        self.all().iter().map(|now| now.row.id.clone()).collect()
    }

    /// All servers as every surface shows them.
    pub fn views(&self) -> Vec<ServerView> {
        self.all().iter().map(|now| now.view()).collect()
    }

    /// Waits until a server is not being started any more.
    pub(crate) async fn settled(&self, id: &ServerId) {
        let Ok(mut changes) = self.entry(id).map(|entry| entry.now.subscribe()) else {
            return;
        };
        // One that is removed meanwhile is not being started either.
        let _ = changes
            .wait_for(|now| now.run.state != ServerState::Starting)
            .await;
    }

    /// Waits until another start of a server has begun, or it was stopped.
    pub(crate) async fn superseded(&self, id: &ServerId, generation: u64) {
        let Ok(mut changes) = self.entry(id).map(|entry| entry.now.subscribe()) else {
            return;
        };
        // One that is removed meanwhile is not being started either.
        let _ = changes
            .wait_for(|now| now.run.generation != generation)
            .await;
    }

    /// Waits until it is noted of a server that has ended that it does not run any more.
    pub(crate) async fn end_noted(&self, id: &ServerId) {
        let Ok(mut changes) = self.entry(id).map(|entry| entry.now.subscribe()) else {
            return;
        };
        // One that is removed meanwhile does not run either.
        let _ = changes
            .wait_for(|now| !now.connection().is_ok_and(Connection::is_over))
            .await;
    }

    /// How long to wait before the tools of a server are read again that says they have changed.
    /// Fails if there is none of this name.
    pub fn settle_tools(&self, id: &ServerId) -> Result<Duration, HostError> {
        Ok(self.entry(id)?.settling().0.next(Instant::now()))
    }

    /// The same for what it offers beside tools.
    pub fn settle_rest(&self, id: &ServerId) -> Result<Duration, HostError> {
        Ok(self.entry(id)?.settling().1.next(Instant::now()))
    }

    /// Waits until a server has said who it is, with a start or after it.
    pub async fn introduced(&self, id: &ServerId, generation: u64) {
        let Ok(mut changes) = self.entry(id).map(|entry| entry.now.subscribe()) else {
            return;
        };
        // One that is removed meanwhile says nothing any more.
        let _ = changes
            .wait_for(|now| now.run.introduced >= generation)
            .await;
    }

    /// All tools of all servers, and whether each may be used.
    pub(crate) fn all_tools(&self) -> Vec<(ServerId, Arc<KnownTool>, bool)> {
        let mut all = Vec::new();
        for now in self.all() {
            all.extend(now.tools().map(|tool| {
                let usable = tool.standing == ApprovalStatus::Approved;
                (now.row.id.clone(), tool.known, usable)
            }));
        }
        all
    }

    /// The tools of one server as every surface shows them. Nothing is said of their schemas.
    pub fn tools(&self, id: &ServerId) -> Result<Vec<ToolView>, HostError> {
        let (now, all) = (self.now(id)?, self.all());
        let view = |tool: ToolNow| {
            let spec = tool.known.spec();
            let has_it = |other: &&Arc<ServerNow>| {
                other.row.id != now.row.id
                    && other.place.on
                    && other.offered.tool(&spec.name).is_some()
            };
            ToolView {
                server: now.row.id.clone(),
                spec: spec.clone(),
                fingerprint: tool.known.fingerprint().clone(),
                standing: tool.standing,
                on: tool.on,
                always_shown: tool.always_shown,
                mark: tool.mark,
                also_on: all
                    .iter()
                    .filter(has_it)
                    .map(|other| other.row.id.clone())
                    .collect(),
                schema_problem: None,
                icon: icons::shown(spec.extra.get("icons")),
                hidden_from: Vec::new(),
            }
        };
        Ok(now.tools().map(view).collect())
    }

    /// Keeps lines of its standard error.
    pub fn write_log(&self, id: &ServerId, lines: &[String]) -> Result<(), HostError> {
        let entry = self.entry(id)?;
        let mut logs = entry.logs();
        for line in lines {
            logs.stderr.push(line.clone());
        }
        Ok(())
    }

    /// What it wrote to its standard error lately. Fails if there is none of this name.
    pub fn log(&self, id: &ServerId) -> Result<ServerLog, HostError> {
        let entry = self.entry(id)?;
        let logs = entry.logs();
        Ok(ServerLog {
            server: entry.now().row.id.clone(),
            lines: logs.stderr.iter().cloned().collect(),
            dropped: logs.stderr.dropped(),
        })
    }

    /// Keeps lines of its log by the protocol.
    pub fn write_protocol_log(&self, id: &ServerId, lines: &[LoggedLine]) -> Result<(), HostError> {
        let entry = self.entry(id)?;
        let mut logs = entry.logs();
        for line in lines {
            logs.protocol.push(line.clone());
        }
        Ok(())
    }

    /// What it logged lately. Fails if there is none of this name.
    pub fn protocol_log(&self, id: &ServerId) -> Result<ProtocolLog, HostError> {
        let entry = self.entry(id)?;
        let (logs, now) = (entry.logs(), entry.now());
        Ok(ProtocolLog {
            server: now.row.id.clone(),
            level: now.log_level,
            lines: logs.protocol.iter().cloned().collect(),
            dropped: logs.protocol.dropped(),
        })
    }
}

impl ServerEntry {
    fn new(now: ServerNow, all: &Budget) -> Self {
        let budget = all.part(OF_ONE);
        Self {
            now: watch::Sender::new(Arc::new(now)),
            writing: Mutex::default(),
            logs: Mutex::new(Logs::new(&budget)),
            budget,
            turn: Arc::default(),
            settling: Mutex::default(),
            uses: Uses::default(),
            ending: Arc::default(),
        }
    }

    fn now(&self) -> Arc<ServerNow> {
        self.now.borrow().clone()
    }

    fn change<R>(&self, change: impl FnOnce(&mut ServerNow) -> R) -> R {
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, result) = self.now().changed(change);
        self.now.send_replace(Arc::new(next));
        result
    }

    fn settling(&self) -> MutexGuard<'_, (Settling, Settling)> {
        self.settling.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn logs(&self) -> MutexGuard<'_, Logs> {
        self.logs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
