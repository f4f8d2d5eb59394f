//! What one server is at one moment.
//!
//! Always true here: a value is never changed once it is read. What is found out or decided about a
//! server becomes another value, made of the last one and put in its place as a whole.

use super::granted::{Granted, RefusedFiles};
use super::offered::{Offered, key_of};
use super::sign_in_state::SignInState;
use crate::{error, folders, revision};
use api::{
    Capabilities, DownloadView, EraView, ErrorCode, HostError, RootView, ServerClaims, ServerState,
    ServerView,
};
use connections::{Connection, HostUses};
use policy::pin::ApprovalStatus;
use policy::{KnownTool, PermittedCall, Refusal, ToolFlags};
use protocol::{
    ConfinementTier, Fingerprint, Identity, Launch, LogLevel, Runs, ServerId, Timestamp, ToolName,
    WorkspaceId,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{EraRow, Place, ServerRow};

/// One server, as it is at one moment.
#[derive(Clone)]
pub struct ServerNow {
    /// Greater with every value that takes the place of another.
    pub(super) revision: u64,
    /// What is kept of it in all workspaces.
    pub row: ServerRow,
    /// The fingerprint of the launch in `row`.
    pub(super) launch: Fingerprint,
    /// The workspace in use. It changes only with the turn of the server held, and with `place` in
    /// the same moment.
    pub workspace: WorkspaceId,
    /// Whether it should run there, with which folders and which tools.
    pub place: Place,
    /// How it runs.
    pub run: Run,
    /// What it offers, compared with what was approved.
    pub offered: Arc<Offered>,
    /// What the person says about its tools.
    pub marks: BTreeMap<ToolName, ToolFlags>,
    /// What was found to run instead of what was reviewed.
    pub unlike: Option<Identity>,
    /// In which era it is spoken to.
    pub era: EraRow,
    /// What is known of signing in; shown for servers with an address.
    pub(crate) sign_in: SignInState,
    /// From which gravity on it should log.
    pub log_level: Option<LogLevel>,
}

/// What a server, and whoever calls it, has tried since it was started last.
#[derive(Clone, Default)]
pub struct Tried {
    /// What it has done with hosts, if it is confined.
    pub hosts: HostUses,
    /// The files that calls have named outside of what it was given.
    pub refused_files: RefusedFiles,
}

/// How a server runs.
#[derive(Clone)]
pub struct Run {
    /// One more with every start and stop: what an older one still reports is out of date.
    pub generation: u64,
    /// The start with which it last said who it is.
    pub introduced: u64,
    /// What surfaces show of that.
    pub state: ServerState,
    /// What is being downloaded before it can start.
    pub download: Option<DownloadView>,
    /// The connection, while there is one.
    pub connection: Option<Connection>,
    /// By what it was confined when it was started last.
    pub tier: Option<ConfinementTier>,
    /// What it has tried since then.
    pub tried: Tried,
    /// The files that its calls may name, once that was asked.
    pub granted: Option<Arc<Granted>>,
    /// What it last said about itself, secrets covered.
    pub claims: Option<ServerClaims>,
    /// What it can do beside tools.
    pub abilities: Option<Capabilities>,
    /// How often in a row it has failed.
    pub failures: u32,
    /// Since when it runs; the last time, if it has failed since.
    pub since: Option<Timestamp>,
}

/// One tool with all that is known and decided about it.
#[derive(Clone)]
pub struct ToolNow {
    /// Its definition.
    pub known: Arc<KnownTool>,
    /// How this very definition stands to what a person has approved.
    pub standing: ApprovalStatus,
    /// What the person says about it.
    pub mark: ToolFlags,
    /// Whether the person has left it switched on.
    pub on: bool,
    /// Whether models are always shown it.
    pub always_shown: bool,
}

impl ServerNow {
    pub(super) fn new(row: ServerRow, workspace: WorkspaceId, offered: Offered) -> Self {
        Self {
            revision: revision::next(),
            launch: row.launch.fingerprint(),
            row,
            workspace,
            place: Place::default(),
            run: Run {
                generation: 0,
                introduced: 0,
                state: ServerState::Off,
                download: None,
                connection: None,
                tier: None,
                tried: Tried::default(),
                granted: None,
                claims: None,
                abilities: None,
                failures: 0,
                since: None,
            },
            offered: Arc::new(offered),
            marks: BTreeMap::new(),
            unlike: None,
            era: EraRow::default(),
            sign_in: SignInState::new(),
            log_level: None,
        }
    }

    /// The same with something changed.
    pub(super) fn changed<R>(&self, change: impl FnOnce(&mut Self) -> R) -> (Self, R) {
        let mut next = self.clone();
        next.revision = revision::next();
        let result = change(&mut next);
        if next.row.launch != self.row.launch {
            next.launch = next.row.launch.fingerprint();
        }
        (next, result)
    }

    /// The fingerprint of how it is reached.
    pub fn launch(&self) -> &Fingerprint {
        &self.launch
    }

    pub(crate) fn id(&self) -> &ServerId {
        &self.row.id
    }

    /// One of its tools. The name is looked up as it is written.
    pub fn tool(&self, name: &ToolName) -> Option<ToolNow> {
        self.offered.tool(name).map(|known| self.tool_now(known))
    }

    /// All its tools, in its order.
    pub fn tools(&self) -> impl Iterator<Item = ToolNow> {
        self.offered
            .tools()
            .iter()
            .map(|known| self.tool_now(known))
    }

    fn tool_now(&self, known: &Arc<KnownTool>) -> ToolNow {
        let name = &known.spec().name;
        ToolNow {
            known: known.clone(),
            standing: self.offered.standing(&key_of(name)),
            mark: self.mark(name),
            on: !self.place.off.contains(name),
            always_shown: self.place.always_shown.contains(name),
        }
    }

    /// What the person says about a tool.
    pub fn mark(&self, tool: &ToolName) -> ToolFlags {
        self.marks.get(tool).copied().unwrap_or_default()
    }

    /// The account in use there, if the server has an address and the account is kept.
    pub fn account(&self) -> Option<&str> {
        let SignInState {
            account, accounts, ..
        } = &self.sign_in;
        let is_remote = matches!(self.row.launch, Launch::Http(_));
        (is_remote && accounts.contains(account)).then_some(account)
    }

    /// Why a call that was permitted in a workspace must not be sent any more, if so: something
    /// that was decided about is not what it was.
    pub fn overtakes(&self, permitted: &PermittedCall, workspace: &WorkspaceId) -> Option<Refusal> {
        let Some(tool) = self.tool(&permitted.call().tool) else {
            return Some(Refusal::ChangedWhileAsking);
        };
        if let Some(refusal) = tool.refusal() {
            return Some(refusal);
        }
        if self.workspace != *workspace {
            return Some(Refusal::OtherWorkspace);
        }
        let is_other = *tool.known.fingerprint() != *permitted.tool_fingerprint()
            || self.launch != *permitted.launch_fingerprint();
        is_other.then_some(Refusal::ChangedWhileAsking)
    }

    /// Whether it may wait for its first use where it is on: what it offers is known.
    pub(crate) fn may_rest(&self) -> bool {
        self.row.runs == Runs::WhenUsed && self.run.abilities.is_some()
    }

    /// Whether it waits for its first use. What it offers is known.
    pub fn rests(&self) -> bool {
        self.run.state == ServerState::Idle && self.may_rest()
    }

    /// Whether it is confined to what it was given; none for servers with an address, and for what
    /// is a part of Majordomo.
    pub fn confined(&self) -> Option<bool> {
        matches!(self.row.launch, Launch::Stdio(_)).then_some(self.row.confinement.confined)
    }

    /// The connection to it. Fails with the reason why there is none.
    pub fn connection(&self) -> Result<&Connection, HostError> {
        match (&self.run.state, &self.run.connection) {
            (ServerState::Ready, Some(connection)) => Ok(connection),
            (ServerState::Failed { error, .. } | ServerState::Waiting { error, .. }, _) => {
                Err(error.clone())
            }
            _ => Err(error::host(
                ErrorCode::ServerOff,
                format!("{} is switched off", self.row.id),
            )),
        }
    }

    /// As every surface shows it.
    pub fn view(&self) -> ServerView {
        ServerView {
            id: self.row.id.clone(),
            revision: self.revision,
            launch: self.row.launch.clone(),
            reviewed: self.row.reviewed.as_ref() == Some(&self.launch) && self.unlike.is_none(),
            fingerprint: self.launch.clone(),
            on: self.place.on,
            runs: self.row.runs,
            state: self.run.state.clone(),
            since: self
                .run
                .connection
                .is_some()
                .then_some(self.run.since)
                .flatten(),
            download: self.run.download.clone(),
            roots: self
                .place
                .roots
                .iter()
                .map(|path| RootView {
                    path: path.clone(),
                    uri: folders::uri(path),
                    present: folders::present(path),
                })
                .collect(),
            tools: self
                .offered
                .has_tools_listed()
                .then(|| u32::try_from(self.offered.tools().len()).unwrap_or(u32::MAX)),
            waiting: self.offered.waiting(),
            claims: self.claims(),
            abilities: self.run.abilities,
            era: era_view(&self.era),
            containment: self
                .run
                .connection
                .as_ref()
                .and_then(Connection::containment),
            confined: self.confined(),
            tier: self.run.tier,
            sign_in: matches!(self.row.launch, Launch::Http(_)).then(|| self.sign_in.view()),
            added_at: self.row.added_at,
        }
    }

    /// What it says about itself. Its picture is shown once a person has approved that: it could be
    /// another server's.
    fn claims(&self) -> Option<ServerClaims> {
        let mut claims = self.run.claims.clone()?;
        claims.icon = claims
            .icon
            .filter(|_| self.offered.about() == ApprovalStatus::Approved);
        Some(claims)
    }

    /// Changes what is known of what it offers.
    pub(crate) fn offered_mut(&mut self) -> &mut Offered {
        Arc::make_mut(&mut self.offered)
    }
}

impl ToolNow {
    /// Why it may not be used at all, if so.
    pub fn refusal(&self) -> Option<Refusal> {
        let refusal = self.standing.refusal();
        refusal.or_else(|| (!self.on).then_some(Refusal::SwitchedOff))
    }
}

fn era_view(row: &EraRow) -> EraView {
    let (found, found_at) = row
        .found
        .as_ref()
        .map_or((None, None), |(era, _, at)| (Some(*era), Some(*at)));
    EraView {
        choice: row.choice,
        found,
        found_at,
    }
}
