//! The servers as they are now: what is kept of each, what it is doing, what it offers.

use crate::api::{
    Abilities, ErrorCode, HostError, LoggedLine, ProtocolLog, RootView, ServerClaims, ServerLog, ServerState, ServerView, ToolView,
};
use crate::pins::{self, Offered};
use crate::sign_in::{self, Sheet};
use crate::{era, error, icons, roots};
use connections::Connection;
use policy::pin::Standing;
use policy::{KnownTool, Mark};
use protocol::{Identity, Launch, LogLevel, Offer, OfferKind, ServerId, Timestamp, ToolName, WorkspaceId};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{EraRow, Place, ServerRow, Store, WorkspaceRow};
use tokio::sync::{OwnedMutexGuard, watch};

/// How many lines of a server's standard error are kept.
const LOG_LINES: usize = 1_000;

pub(crate) struct KeptServers {
    // By `ServerId::key`. Held for short looks and changes only, never while waiting.
    servers: Mutex<Servers>,
    changed: watch::Sender<u64>,
}

struct Servers {
    /// The workspace in use.
    workspace: WorkspaceId,
    by_key: BTreeMap<String, Kept>,
}

/// One server.
pub(crate) struct Kept {
    pub row: ServerRow,
    /// The workspace in use. It changes only with the turn of the server held, and with `place` in the same moment.
    pub workspace: WorkspaceId,
    /// Whether it should run there, with which folders and which tools.
    pub place: Place,
    pub state: ServerState,
    pub connection: Option<Connection>,
    pub claims: Option<ServerClaims>,
    pub tools: Vec<Arc<KnownTool>>,
    pub listed: bool,
    pub marks: BTreeMap<ToolName, Mark>,
    /// What it offers, compared with what was approved.
    pub offered: Offered,
    /// One more with every start and stop: what an older one still reports is out of date.
    pub generation: u64,
    /// What was found to run instead of what was reviewed.
    pub unlike: Option<Identity>,
    pub era: EraRow,
    pub abilities: Option<Abilities>,
    /// What is known of signing in; shown for servers with an address.
    pub sign_in: Sheet,
    /// How often in a row it has failed.
    pub failures: u32,
    /// Since when it runs; the last time, if it has failed since.
    pub ran_since: Option<Timestamp>,
    /// From which gravity on it should log.
    pub log_level: Option<LogLevel>,
    log: VecDeque<String>,
    dropped: u64,
    logged: VecDeque<LoggedLine>,
    logged_dropped: u64,
    turn: Arc<tokio::sync::Mutex<()>>,
}

/// The right to change what is kept of one server, until it is dropped.
pub(crate) type Turn = OwnedMutexGuard<()>;

impl KeptServers {
    pub(crate) async fn load(store: &Store, rows: Vec<ServerRow>, workspace: WorkspaceRow) -> Result<Self, HostError> {
        let WorkspaceRow { id: workspace, mut places, .. } = workspace;
        let mut by_key = BTreeMap::new();
        for row in rows {
            let tools: Vec<_> = store.tools().load(&row.id).await?.into_iter().map(|spec| Arc::new(KnownTool::new(spec))).collect();
            let place = places.remove(&row.id).unwrap_or_default();
            let marks = store.marks().of(&row.id).await?;
            let era = store.eras().of(&row.id).await?;
            let sign_in = sign_in::load(store, &row.id).await?;
            let own = matches!(row.launch, Launch::Builtin { .. });
            let mut offered = Offered::new(store.pins().of(&row.id).await?, own);
            if !tools.is_empty() {
                offered.take(OfferKind::Tool, tools.iter().map(|tool| Offer::tool(tool.spec())));
            }
            let new = Kept::new(row, workspace.clone());
            by_key.insert(new.row.id.key(), Kept { place, listed: !tools.is_empty(), tools, marks, offered, era, sign_in, ..new });
        }
        Ok(Self { servers: Mutex::new(Servers { workspace, by_key }), changed: watch::Sender::new(0) })
    }

    fn lock(&self) -> MutexGuard<'_, Servers> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn insert(&self, row: ServerRow) -> ServerView {
        let mut servers = self.lock();
        let kept = Kept::new(row, servers.workspace.clone());
        let view = kept.view();
        servers.by_key.insert(kept.row.id.key(), kept);
        view
    }

    pub(crate) fn remove(&self, id: &ServerId) -> Option<Kept> {
        self.lock().by_key.remove(&id.key())
    }

    /// Looks at one server, or changes it. What waits for a change wakes up.
    pub(crate) fn with<R>(&self, id: &ServerId, look: impl FnOnce(&mut Kept) -> R) -> Result<R, HostError> {
        let result = self.lock().by_key.get_mut(&id.key()).map(look);
        self.changed.send_modify(|count| *count += 1);
        result.ok_or_else(|| error::host(ErrorCode::UnknownServer, format!("there is no server called {id}")))
    }

    /// Waits until nobody else changes what is kept of a server: a change is read, written to the store and taken over in one go.
    pub(crate) async fn turn(&self, id: &ServerId) -> Result<Turn, HostError> {
        let turn = self.with(id, |kept| kept.turn.clone())?;
        Ok(turn.lock_owned().await)
    }

    /// The workspace in use.
    pub(crate) fn workspace(&self) -> WorkspaceId {
        self.lock().workspace.clone()
    }

    /// Takes another workspace into use, all at once. The turns of all servers are held. The answer is what was kept of each before.
    pub(crate) fn take_up(&self, workspace: WorkspaceRow) -> Vec<(ServerId, Place)> {
        let WorkspaceRow { id, mut places, .. } = workspace;
        let mut servers = self.lock();
        servers.workspace = id.clone();
        let mut before = Vec::new();
        for kept in servers.by_key.values_mut() {
            kept.workspace = id.clone();
            let place = places.remove(&kept.row.id).unwrap_or_default();
            before.push((kept.row.id.clone(), std::mem::replace(&mut kept.place, place)));
        }
        drop(servers);
        self.changed.send_modify(|count| *count += 1);
        before
    }

    pub(crate) fn has(&self, id: &ServerId) -> bool {
        self.lock().by_key.contains_key(&id.key())
    }

    pub(crate) fn ids(&self) -> Vec<ServerId> {
        self.lock().by_key.values().map(|kept| kept.row.id.clone()).collect()
    }

    pub(crate) fn views(&self) -> Vec<ServerView> {
        self.lock().by_key.values().map(Kept::view).collect()
    }

    /// Waits until a server is not being started any more.
    pub(crate) async fn settled(&self, id: &ServerId) {
        let mut changed = self.changed.subscribe();
        while self.lock().by_key.get(&id.key()).is_some_and(|kept| kept.state == ServerState::Starting) {
            if changed.changed().await.is_err() {
                return;
            }
        }
    }

    /// All tools of all servers, and whether each may be used.
    pub(crate) fn all_tools(&self) -> Vec<(ServerId, Arc<KnownTool>, bool)> {
        let servers = self.lock();
        let of = |kept: &Kept| -> Vec<_> {
            let usable = |tool: &Arc<KnownTool>| kept.offered.standing(&pins::key_of(&tool.spec().name)) == Standing::Approved;
            kept.tools.iter().map(|tool| (kept.row.id.clone(), tool.clone(), usable(tool))).collect()
        };
        servers.by_key.values().flat_map(of).collect()
    }

    /// The tools of one server as every surface shows them.
    pub(crate) fn tools(&self, id: &ServerId) -> Result<Vec<ToolView>, HostError> {
        let servers = self.lock();
        let kept = servers
            .by_key
            .get(&id.key())
            .ok_or_else(|| error::host(ErrorCode::UnknownServer, format!("there is no server called {id}")))?;
        let view = |tool: &Arc<KnownTool>| ToolView {
            server: kept.row.id.clone(),
            spec: tool.spec().clone(),
            fingerprint: tool.fingerprint().clone(),
            standing: kept.offered.standing(&pins::key_of(&tool.spec().name)),
            on: !kept.place.off.contains(&tool.spec().name),
            mark: kept.mark(&tool.spec().name),
            also_on: servers
                .by_key
                .values()
                .filter(|other| other.row.id != kept.row.id && other.place.on && other.tool(&tool.spec().name).is_some())
                .map(|other| other.row.id.clone())
                .collect(),
            schema_problem: tool.schema_problem().map(str::to_owned),
            icon: icons::of(&tool.spec().extra),
            hidden_from: Vec::new(),
        };
        Ok(kept.tools.iter().map(view).collect())
    }
}

impl Kept {
    fn new(row: ServerRow, workspace: WorkspaceId) -> Self {
        Self {
            row,
            workspace,
            place: Place::default(),
            state: ServerState::Off,
            connection: None,
            claims: None,
            tools: Vec::new(),
            listed: false,
            marks: BTreeMap::new(),
            offered: Offered::default(),
            generation: 0,
            unlike: None,
            era: EraRow::default(),
            abilities: None,
            sign_in: Sheet::new(),
            failures: 0,
            ran_since: None,
            log_level: None,
            log: VecDeque::new(),
            dropped: 0,
            logged: VecDeque::new(),
            logged_dropped: 0,
            turn: Arc::default(),
        }
    }

    pub(crate) fn tool(&self, name: &ToolName) -> Option<&Arc<KnownTool>> {
        self.tools.iter().find(|tool| tool.spec().name == *name)
    }

    /// What the person says about a tool.
    pub(crate) fn mark(&self, tool: &ToolName) -> Mark {
        self.marks.get(tool).copied().unwrap_or_default()
    }

    pub(crate) fn view(&self) -> ServerView {
        let fingerprint = self.row.launch.fingerprint();
        ServerView {
            id: self.row.id.clone(),
            launch: self.row.launch.clone(),
            reviewed: self.row.reviewed.as_ref() == Some(&fingerprint) && self.unlike.is_none(),
            fingerprint,
            on: self.place.on,
            state: self.state.clone(),
            roots: self
                .place
                .roots
                .iter()
                .map(|path| RootView { path: path.clone(), uri: roots::uri(path), present: roots::present(path) })
                .collect(),
            tools: self.listed.then(|| u32::try_from(self.tools.len()).unwrap_or(u32::MAX)),
            waiting: self.offered.waiting(),
            claims: self.claims.clone(),
            abilities: self.abilities,
            era: era::view(&self.era),
            sign_in: matches!(self.row.launch, Launch::Http(_)).then(|| self.sign_in.view()),
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

    /// Keeps lines of its log by the protocol.
    pub(crate) fn write_protocol_log(&mut self, lines: &[LoggedLine]) {
        self.logged.extend(lines.iter().cloned());
        while self.logged.len() > LOG_LINES {
            self.logged.pop_front();
            self.logged_dropped += 1;
        }
    }

    pub(crate) fn protocol_log(&self) -> ProtocolLog {
        let lines = self.logged.iter().cloned().collect();
        ProtocolLog { server: self.row.id.clone(), level: self.log_level, lines, dropped: self.logged_dropped }
    }
}
