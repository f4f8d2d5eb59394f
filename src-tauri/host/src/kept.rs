//! The servers as they are now: what is kept of each, what it is doing, what it offers.

use crate::api::{ErrorCode, HostError, RootView, ServerClaims, ServerLog, ServerState, ServerView, ToolView};
use crate::{error, roots};
use connections::Connection;
use policy::KnownTool;
use protocol::{ServerId, ToolName};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{ServerRow, Store};
use tokio::sync::{OwnedMutexGuard, watch};

/// How many lines of a server's standard error are kept.
const LOG_LINES: usize = 1_000;

pub(crate) struct KeptServers {
    // By `ServerId::key`. Held for short looks and changes only, never while waiting.
    servers: Mutex<BTreeMap<String, Kept>>,
    changed: watch::Sender<u64>,
}

/// One server.
pub(crate) struct Kept {
    pub row: ServerRow,
    pub state: ServerState,
    pub connection: Option<Connection>,
    pub claims: Option<ServerClaims>,
    pub tools: Vec<Arc<KnownTool>>,
    pub listed: bool,
    pub off: BTreeSet<ToolName>,
    /// One more with every start and stop: what an older one still reports is out of date.
    pub generation: u64,
    log: VecDeque<String>,
    dropped: u64,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// The right to change what is kept of one server, until it is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl KeptServers {
    pub(crate) async fn load(store: &Store, rows: Vec<ServerRow>) -> Result<Self, HostError> {
        let mut servers = BTreeMap::new();
        for row in rows {
            let tools: Vec<_> = store.tools().load(&row.id).await?.into_iter().map(|spec| Arc::new(KnownTool::new(spec))).collect();
            let off = store.tools().switched_off(&row.id).await?;
            servers.insert(row.id.key(), Kept { listed: !tools.is_empty(), tools, off, ..Kept::new(row) });
        }
        Ok(Self { servers: Mutex::new(servers), changed: watch::Sender::new(0) })
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn insert(&self, row: ServerRow) -> ServerView {
        let kept = Kept::new(row);
        let view = kept.view();
        self.lock().insert(kept.row.id.key(), kept);
        view
    }

    pub(crate) fn remove(&self, id: &ServerId) -> Option<Kept> {
        self.lock().remove(&id.key())
    }

    /// Looks at one server, or changes it. What waits for a change wakes up.
    pub(crate) fn with<R>(&self, id: &ServerId, look: impl FnOnce(&mut Kept) -> R) -> Result<R, HostError> {
        let result = self.lock().get_mut(&id.key()).map(look);
        self.changed.send_modify(|count| *count += 1);
        result.ok_or_else(|| error::host(ErrorCode::UnknownServer, format!("there is no server called {id}")))
    }

    /// Waits until nobody else changes what is kept of a server: a change is read, written to the store and taken over in one go.
    pub(crate) async fn turn(&self, id: &ServerId) -> Result<Turn, HostError> {
        let turn = self.with(id, |kept| kept.turn.clone())?;
        Ok(turn.lock_owned().await)
    }

    pub(crate) fn has(&self, id: &ServerId) -> bool {
        self.lock().contains_key(&id.key())
    }

    pub(crate) fn ids(&self) -> Vec<ServerId> {
        self.lock().values().map(|kept| kept.row.id.clone()).collect()
    }

    pub(crate) fn views(&self) -> Vec<ServerView> {
        self.lock().values().map(Kept::view).collect()
    }

    /// Waits until a server is not being started any more.
    pub(crate) async fn settled(&self, id: &ServerId) {
        let mut changed = self.changed.subscribe();
        while self.lock().get(&id.key()).is_some_and(|kept| kept.state == ServerState::Starting) {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// The tools of one server as every surface shows them.
    pub(crate) fn tools(&self, id: &ServerId) -> Result<Vec<ToolView>, HostError> {
        let servers = self.lock();
        let kept =
            servers.get(&id.key()).ok_or_else(|| error::host(ErrorCode::UnknownServer, format!("there is no server called {id}")))?;
        let view = |tool: &Arc<KnownTool>| ToolView {
            server: kept.row.id.clone(),
            spec: tool.spec().clone(),
            fingerprint: tool.fingerprint().clone(),
            on: !kept.off.contains(&tool.spec().name),
            also_on: servers
                .values()
                .filter(|other| other.row.id != kept.row.id && other.row.on && other.tool(&tool.spec().name).is_some())
                .map(|other| other.row.id.clone())
                .collect(),
            schema_problem: tool.schema_problem().map(str::to_owned),
        };
        Ok(kept.tools.iter().map(view).collect())
    }
}

impl Kept {
    fn new(row: ServerRow) -> Self {
        Self {
            row,
            state: ServerState::Off,
            connection: None,
            claims: None,
            tools: Vec::new(),
            listed: false,
            off: BTreeSet::new(),
            generation: 0,
            log: VecDeque::new(),
            dropped: 0,
            turn: Arc::default(),
        }
    }

    pub(crate) fn tool(&self, name: &ToolName) -> Option<&Arc<KnownTool>> {
        self.tools.iter().find(|tool| tool.spec().name == *name)
    }

    pub(crate) fn view(&self) -> ServerView {
        let fingerprint = self.row.launch.fingerprint();
        ServerView {
            id: self.row.id.clone(),
            launch: self.row.launch.clone(),
            reviewed: self.row.reviewed.as_ref() == Some(&fingerprint),
            fingerprint,
            on: self.row.on,
            state: self.state.clone(),
            roots: self
                .row
                .roots
                .iter()
                .map(|path| RootView { path: path.clone(), uri: roots::uri(path), present: roots::present(path) })
                .collect(),
            tools: self.listed.then(|| u32::try_from(self.tools.len()).unwrap_or(u32::MAX)),
            claims: self.claims.clone(),
            added_at: self.row.added_at,
        }
    }

    pub(crate) fn write_log(&mut self, lines: &[String]) {
        self.log.extend(lines.iter().cloned());
        while self.log.len() > LOG_LINES {
            self.log.pop_front();
            self.dropped += 1;
        }
    }

    pub(crate) fn log(&self) -> ServerLog {
        ServerLog { server: self.row.id.clone(), lines: self.log.iter().cloned().collect(), dropped: self.dropped }
    }
}
