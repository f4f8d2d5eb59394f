//! A handle to the servers. Bodies take it; what it holds knows nothing of them.

use crate::applications::Folders;
use crate::confiner::Confiner;
use crate::processes::Meter;
use crate::registry::{Registry, ServerNow};
use crate::root_watch::RootWatch;
use crate::rule_book::HeldRules;
use crate::schemas::Schemas;
use crate::setup::{Browser, Programs, Setup, StartServers};
use crate::{Core, Restart, error};
use api::{ErrorCode, HostError, HostEvent, ServerUsage};
use connections::{Connection, Limits, ServerAsks};
use protocol::{Fingerprint, ServerId, WorkspaceId};
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock, Weak};
use std::time::Duration;
use store::{ServerRow, WorkspaceRow};
use tokio::sync::{Mutex, MutexGuard};
use url::Url;

/// What servers leave to the room of calls, which they do not know: it answers what they ask back,
/// and takes up what they go on with. There is one, and it is there before the first of them is
/// started; without it none starts.
pub trait Attendant: Send + Sync {
    /// Who answers what a server asks for, from one start of it to its end. `generation` is the
    /// number of that start. Asked for before the server is started, and gives what it gives at
    /// once.
    fn asks(&self, server: &ServerId, generation: u64) -> Arc<dyn ServerAsks>;

    /// A server runs, its tools are known, and every surface was told. `launch` is what was started
    /// or reached. Returns at once: what takes longer goes on by itself.
    fn ready(&self, server: &ServerId, launch: Fingerprint, connection: &Connection);
}

/// The servers. Cloning it gives another handle. Everything of [`Core`] can be had through it.
#[derive(Clone)]
pub struct Servers(Arc<Inner>);

/// A handle that does not keep them alive.
#[derive(Clone)]
pub struct WeakServers(Weak<Inner>);

struct Inner {
    core: Core,
    setup: Setup,
    confiner: Confiner,
    registry: Registry,
    rules: HeldRules,
    schemas: Schemas,
    roots: RootWatch,
    workspace_turn: Mutex<()>,
    attendant: OnceLock<Box<dyn Attendant>>,
    meter: Arc<Meter>,
}

impl Servers {
    /// Reads what is kept of them. Nothing is started.
    pub async fn open(
        core: Core,
        setup: Setup,
        rows: Vec<ServerRow>,
        workspace: WorkspaceRow,
        policy_file: Option<PathBuf>,
    ) -> Result<Self, HostError> {
        let registry = Registry::load(core.store(), rows, workspace).await?;
        let confiner = Confiner::new(&setup.programs, core.store().dir(), setup.folders.as_ref());
        let rules = HeldRules::open(policy_file, core.store().rules().all().await?);
        Ok(Self(Arc::new(Inner {
            core,
            setup,
            confiner,
            registry,
            rules,
            schemas: Schemas::default(),
            roots: RootWatch::default(),
            workspace_turn: Mutex::default(),
            attendant: OnceLock::new(),
            meter: Arc::default(),
        })))
    }

    /// Says, once, who attends to them. The first one stays.
    pub fn attend(&self, attendant: Box<dyn Attendant>) {
        if self.0.attendant.set(attendant).is_err() {
            tracing::error!("somebody attends to servers already; who came second is not heard");
        }
    }

    /// Who attends to them, once that was said.
    pub(crate) fn attendant(&self) -> Option<&dyn Attendant> {
        self.0.attendant.get().map(Box::as_ref)
    }

    /// What confines servers here.
    pub fn confiner(&self) -> &Confiner {
        &self.0.confiner
    }

    /// What is known of each server now.
    pub fn registry(&self) -> &Registry {
        &self.0.registry
    }

    /// What those that run as processes use of this computer. It looks at every process.
    pub async fn usage(&self) -> Result<Vec<ServerUsage>, HostError> {
        let topmost = |server: &Arc<ServerNow>| {
            let pid = server.run.connection.as_ref()?.pid()?;
            Some((server.row.id.clone(), pid))
        };
        let roots = self.registry().all().iter().filter_map(topmost).collect();
        let meter = Arc::clone(&self.0.meter);
        let read = tokio::task::spawn_blocking(move || meter.read(roots)).await;
        read.map_err(|problem| error::host(ErrorCode::Internal, problem.to_string()))
    }

    /// The rules that hold.
    pub fn rules(&self) -> &HeldRules {
        &self.0.rules
    }

    /// Their schemas, and the checks by them.
    pub fn schemas(&self) -> &Schemas {
        &self.0.schemas
    }

    pub(crate) fn roots(&self) -> &RootWatch {
        &self.0.roots
    }

    /// The workspace that is in use. It stays so as long as the turn of any server is held.
    pub fn workspace(&self) -> WorkspaceId {
        self.registry().workspace()
    }

    /// Waits until nobody else changes workspaces.
    pub async fn workspace_turn(&self) -> MutexGuard<'_, ()> {
        self.0.workspace_turn.lock().await
    }

    /// The programs that servers are started with.
    pub fn programs(&self) -> &Programs {
        &self.0.setup.programs
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.setup.limits
    }

    pub(crate) fn restart(&self) -> Restart {
        self.0.setup.restart
    }

    pub(crate) fn idle_time(&self) -> Duration {
        self.0.setup.idle
    }

    /// The way to other computers.
    pub fn proxy(&self) -> &egress::Proxy {
        &self.0.setup.proxy
    }

    /// What opens addresses.
    pub fn browser(&self) -> &Browser {
        &self.0.setup.browser
    }

    pub(crate) fn client_document(&self) -> Option<&Url> {
        self.0.setup.client_document.as_ref()
    }

    pub(crate) fn folders(&self) -> Option<&Folders> {
        self.0.setup.folders.as_ref()
    }

    /// Whether servers that are on run by themselves, and not only when somebody needs them.
    pub fn keeps_servers_running(&self) -> bool {
        self.0.setup.start == StartServers::AtOnce
    }

    /// Whether a server is on and runs as a person has reviewed it.
    pub fn runs_as_reviewed(&self, server: &ServerId) -> bool {
        self.registry()
            .now(server)
            .map(|now| now.view())
            .is_ok_and(|view| view.on && view.reviewed)
    }

    /// Tells every surface what a server is now.
    pub fn tell_changed(&self, id: &ServerId) {
        if let Ok(server) = self.registry().now(id).map(|server| server.view()) {
            self.publish(HostEvent::ServerChanged {
                server: Box::new(server),
            });
        }
    }

    /// A handle that does not keep them alive.
    pub fn weak(&self) -> WeakServers {
        WeakServers(Arc::downgrade(&self.0))
    }
}

impl Deref for Servers {
    type Target = Core;

    fn deref(&self) -> &Core {
        &self.0.core
    }
}

impl WeakServers {
    /// The servers, if they are still there.
    pub fn upgrade(&self) -> Option<Servers> {
        self.0.upgrade().map(Servers)
    }
}
