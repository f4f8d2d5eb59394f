//! What confines servers on this computer: the strongest tier that there is, the homes of servers, what
//! is protected, and what each may touch.
//!
//! Always true here: what is shown to a person and what is enforced are found out by the same lines.

mod links;
mod protected;
mod reach;

pub use protected::Protected;
pub(crate) use reach::OF_THE_SYSTEM;

use crate::{Folders, Programs, folders};
use api::{ConfinementView, PathReason};
use protocol::{ConfinementSettings, ConfinementTier, Identity, Launch, ServerId, StdioLaunch};
use reach::{Known, Reach};
use sandbox::profile::Tier;
use sandbox::strength::Strength;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

/// What it takes to confine servers here. Cloning it gives another handle.
#[derive(Clone)]
pub struct Confiner(Arc<Inner>);

struct Inner {
    jail: PathBuf,
    homes: PathBuf,
    downloads_folder: PathBuf,
    home: PathBuf,
    protected: Protected,
    tier: OnceLock<ConfinementTier>,
    downloads: Mutex<BTreeMap<String, Arc<AsyncMutex<()>>>>,
}

impl Confiner {
    /// With the programs that servers are started with, for servers whose homes lie in the data
    /// folder `own`.
    pub(crate) fn new(programs: &Programs, own: &Path, folders: Option<&Folders>) -> Self {
        // The jail follows no link to what may be changed.
        let own = &own.canonicalize().unwrap_or_else(|_| own.to_owned());
        let home = folders.map(|folders| folders.home().to_owned());
        let home = home.unwrap_or_else(folders::home);
        Self(Arc::new(Inner {
            jail: programs.jail.clone(),
            homes: own.join(store::folder::HOMES),
            downloads_folder: own.join(store::folder::DOWNLOADS),
            protected: Protected::of(&home, own, folders),
            home,
            tier: OnceLock::new(),
            downloads: Mutex::default(),
        }))
    }

    /// The strongest tier that this computer has. The first time it is tried, which takes some ten
    /// milliseconds.
    pub async fn tier(&self) -> Option<ConfinementTier> {
        let this = self.clone();
        let look = move || {
            if let Some(tier) = this.0.tier.get() {
                return Some(*tier);
            }
            // Where there is none now there may be one later.
            let tier = Strength::ask(&this.0.jail).tier.map(tier_of)?;
            Some(*this.0.tier.get_or_init(|| tier))
        };
        // A thread that panicked has found no way to confine anything.
        tokio::task::spawn_blocking(look).await.unwrap_or(None)
    }

    /// Where a server's own home is, whether it is there or not.
    pub fn home_of(&self, id: &ServerId) -> PathBuf {
        self.0.homes.join(id.key())
    }

    /// Where it is noted what was downloaded for a server, and where its home lies meanwhile. No
    /// server reaches it.
    pub(crate) fn downloads_of(&self, id: &ServerId) -> PathBuf {
        self.0.downloads_folder.join(id.key())
    }

    /// A server's own home, if it has one: if it is to be confined.
    pub(crate) fn own_home(
        &self,
        id: &ServerId,
        launch: &Launch,
        settings: &ConfinementSettings,
    ) -> Option<PathBuf> {
        let confined = settings.confined && matches!(launch, Launch::Stdio(_));
        confined.then(|| self.home_of(id))
    }

    /// What is not given by the way.
    pub fn protected(&self) -> &Protected {
        &self.0.protected
    }

    /// What a server could touch, and what in that is hidden from it. None if that could not be
    /// found out.
    pub(crate) async fn reach(&self, about: About) -> Option<(Reach, BTreeSet<PathBuf>)> {
        let this = self.clone();
        let look = move || {
            let reach = Reach::of(&Known {
                command: &about.command,
                args: &about.args,
                run: &about.run,
                identity: &about.identity,
                roots: &about.roots,
                settings: &about.settings,
                protected: &this.0.protected,
                home: &this.0.home,
                own_home: about.home.as_deref(),
            });
            let hidden = this.hidden(&reach);
            (reach, hidden)
        };
        tokio::task::spawn_blocking(look).await.ok()
    }

    /// What lies in something that is given, and is not. What a person gave by itself is.
    fn hidden(&self, reach: &Reach) -> BTreeSet<PathBuf> {
        let is_chosen = |place: &PathBuf| {
            reach.paths.iter().any(|given| {
                matches!(given.because, PathReason::Root | PathReason::Chosen)
                    && Path::new(&given.path) == place
            })
        };
        reach
            .paths
            .iter()
            .flat_map(|given| self.0.protected.within(Path::new(&given.path)))
            .filter(|place| !is_chosen(place))
            .collect()
    }

    /// Waits until nobody else downloads into the home of a server.
    pub(crate) async fn download_turn(&self, id: &ServerId) -> OwnedMutexGuard<()> {
        let turn = {
            let mut turns = self
                .0
                .downloads
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            turns.entry(id.key()).or_default().clone()
        };
        turn.lock_owned().await
    }
}

/// All that decides what a server may touch.
pub(crate) struct About {
    /// Its program's file.
    pub command: PathBuf,
    /// What that is given.
    pub args: Vec<String>,
    /// Its own home, if it has one.
    pub home: Option<PathBuf>,
    pub run: StdioLaunch,
    pub identity: Identity,
    pub roots: Vec<String>,
    pub settings: ConfinementSettings,
}

pub(crate) fn tier_of(tier: Tier) -> ConfinementTier {
    match tier {
        Tier::Namespaces => ConfinementTier::Namespaces,
        Tier::Landlock => ConfinementTier::Landlock,
        Tier::Seatbelt => ConfinementTier::Seatbelt,
        Tier::AppContainer => ConfinementTier::AppContainer,
    }
}

pub(crate) fn enforced(tier: ConfinementTier) -> Tier {
    match tier {
        ConfinementTier::Namespaces => Tier::Namespaces,
        ConfinementTier::Landlock => Tier::Landlock,
        ConfinementTier::Seatbelt => Tier::Seatbelt,
        ConfinementTier::AppContainer => Tier::AppContainer,
    }
}

impl Confiner {
    /// What a server may touch, and by what that is enforced; `about` is missing for one whose
    /// program cannot be found now, which touches nothing. What cannot be found out is not given
    /// either.
    pub(crate) async fn view(
        &self,
        about: Option<About>,
        settings: ConfinementSettings,
    ) -> ConfinementView {
        let (reach, hidden) = match about {
            Some(about) => self.reach(about).await.unwrap_or_default(),
            None => Default::default(),
        };
        let text = |path: &PathBuf| path.to_string_lossy().into_owned();
        ConfinementView {
            settings,
            tier: self.tier().await,
            paths: reach.paths,
            withheld: reach.withheld,
            hidden: hidden
                .iter()
                .filter(|path| path.exists())
                .map(text)
                .collect(),
            home: None,
            refused: Vec::new(),
            refused_files: Vec::new(),
        }
    }
}
