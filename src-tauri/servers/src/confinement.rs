//! What a server on this computer may touch, and by what that is enforced.
//!
//! Always true here:
//! - a server that is to be confined and cannot be is not started;
//! - what is shown to a person and what is enforced are found out by the same lines;
//! - nothing protected is given before a person accepted just that.

use crate::confiner::enforced;
use crate::identity::{self, Found};
use crate::registry::ServerNow;
use crate::{Servers, error, granted, review, server_egress};
use api::{ConfinementView, ErrorCode, HostError, RefusedBecause, RefusedFile, RefusedHost};
use connections::{HostOutcome, HostUses};
use protocol::{
    ConfinementSettings, ConfinementTier, GivenPath, Identity, Launch, ListedHost, NetworkAccess,
    ServerId,
};
use sandbox::profile::{Limits, Network, Profile};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What confines one start of a server.
pub(crate) struct Confined {
    /// What the start is given.
    pub confinement: connections::Confinement,
    /// What its program needs in order to run, and no more.
    pub program: Vec<PathBuf>,
}

/// What confines a server that is about to start; none if the person wants it to do whatever they
/// can, and for what is a part of Majordomo. Its home is made if it is not there.
///
/// # Errors
/// `not_confined` if it cannot be confined as it should be.
pub(crate) async fn of(
    servers: &Servers,
    now: &ServerNow,
    found: &Found,
    identity: &Identity,
) -> Result<Option<Confined>, HostError> {
    let settings = &now.row.confinement;
    let Launch::Stdio(run) = &now.row.launch else {
        return Ok(None);
    };
    if !settings.confined {
        return Ok(None);
    }
    let confiner = servers.confiner();
    let not = |why: &str| {
        error::host(
            ErrorCode::NotConfined,
            format!("{} was not started: {why}", now.row.id),
        )
    };
    if identity.image.is_some() {
        return Err(not(
            "it is started by a container engine, which no sandbox lets it speak with; run it without one",
        ));
    }
    let tier = confiner.tier().await;
    let tier = tier.ok_or_else(|| not("nothing here can confine it"))?;
    let about = found.about(run, identity, &now.place.roots, settings);
    let (reach, hidden) = confiner
        .reach(about)
        .await
        .ok_or_else(|| not("what it may touch could not be found out"))?;
    if tier != ConfinementTier::Namespaces && hidden.iter().any(|path| path.exists()) {
        return Err(not(
            "one of its folders holds protected things, which cannot be kept from it here",
        ));
    }
    let home = confiner.home_of(&now.row.id);
    make_home(&home).map_err(|problem| not(&format!("its home cannot be made: {problem}")))?;
    let (read, write) = reach
        .paths
        .iter()
        .partition::<Vec<_>, _>(|given| !given.change);
    let paths = |given: Vec<&api::ReachablePath>| -> Vec<PathBuf> {
        given
            .into_iter()
            .map(|given| PathBuf::from(&given.path))
            .collect()
    };
    let hosts = match &settings.network {
        NetworkAccess::Hosts { hosts } => hosts.clone(),
        NetworkAccess::None | NetworkAccess::Open => Vec::new(),
    };
    let network = match &settings.network {
        NetworkAccess::Open => Network::Open,
        NetworkAccess::Hosts { .. } if tier != ConfinementTier::Namespaces => {
            return Err(not(
                "here it can have no network, or all of it, and not some hosts",
            ));
        }
        // What is listed says the rest.
        NetworkAccess::None | NetworkAccess::Hosts { .. } => Network::None,
    };
    let confinement = connections::Confinement {
        profile: Profile {
            tier: enforced(tier),
            read: [paths(read), reach.ways].concat(),
            write: paths(write),
            hidden: hidden.into_iter().collect(),
            home,
            network,
            limits: Limits::default(),
        },
        hosts,
        egress: server_egress::for_program(servers, &now.row.id)?,
        uses: HostUses::default(),
    };
    Ok(Some(Confined {
        confinement,
        program: reach.program,
    }))
}

/// Makes a folder for this user alone, if it is not there.
pub(crate) fn make_home(home: &Path) -> std::io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(home)
}

/// Removes a server's own home, with all that it kept there.
///
/// # Errors
/// If it is still there: another server of that name would have it.
pub async fn remove_home(servers: &Servers, id: &ServerId) -> Result<(), HostError> {
    let confiner = servers.confiner();
    for folder in [confiner.home_of(id), confiner.downloads_of(id)] {
        match tokio::fs::remove_dir_all(&folder).await {
            Err(problem) if problem.kind() != ErrorKind::NotFound => {
                return Err(error::host(
                    ErrorCode::BadPath,
                    format!("{} cannot be removed: {problem}", folder.display()),
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// What a server may touch, and by what that is enforced.
///
/// # Errors
/// `bad_request` for a server with an address, and for what is a part of Majordomo.
pub async fn look(servers: &Servers, id: &ServerId) -> Result<ConfinementView, HostError> {
    let now = servers.registry().now(id)?;
    let Launch::Stdio(run) = &now.row.launch else {
        return Err(error::host(
            ErrorCode::BadRequest,
            format!("{id} is no program on this computer that somebody added"),
        ));
    };
    // What cannot be found now touches nothing.
    let (launch, settings) = (&now.row.launch, &now.row.confinement);
    let confiner = servers.confiner();
    let own_home = confiner.own_home(id, launch, settings);
    let found = review::found(servers.programs(), launch, own_home).ok();
    let identity = match &found {
        Some(found) => identity::look(launch.clone(), found.clone()).await,
        None => Identity::default(),
    };
    let about = found.map(|found| found.about(run, &identity, &now.place.roots, settings));
    let mut view = confiner.view(about, settings.clone()).await;
    view.home = Some(confiner.home_of(id).to_string_lossy().into_owned());
    view.refused = now
        .run
        .tried
        .hosts
        .all()
        .into_iter()
        .filter(|host| host.outcome != HostOutcome::Reached)
        .map(|host| RefusedHost {
            name: match host.port {
                Some(port) if !ListedHost::USUAL_PORTS.contains(&port) => {
                    format!("{}:{port}", host.host)
                }
                _ => host.host,
            },
            times: u32::try_from(host.count).unwrap_or(u32::MAX),
            because: match host.outcome {
                HostOutcome::Reached | HostOutcome::NotListed => RefusedBecause::NotListed,
                HostOutcome::Forbidden => RefusedBecause::Forbidden,
                HostOutcome::Unreachable => RefusedBecause::Unreachable,
            },
            problem: host.problem,
        })
        .collect();
    view.refused_files = now.run.tried.refused_files.all();
    if let Some(granted) = granted::of(servers, &now).await {
        // Meanwhile it was given some.
        let is_out = |file: &RefusedFile| !granted.covers(&file.path);
        view.refused_files.retain(is_out);
    }
    Ok(view)
}

/// Paths that a server may be given, each once and as it really lies. What it has in `before` was
/// accepted then.
///
/// # Errors
/// As those of [`checked`].
pub fn checked_paths(
    servers: &Servers,
    paths: Vec<GivenPath>,
    before: &ConfinementSettings,
    accepts_protected: bool,
) -> Result<Vec<GivenPath>, HostError> {
    let mut all: Vec<GivenPath> = Vec::new();
    for mut given in paths {
        if !before.paths.contains(&given) {
            given.path = checked(servers, &given.path, accepts_protected)?;
        }
        // The last word about a path counts.
        all.retain(|other| other.path != given.path);
        all.push(given);
    }
    Ok(all)
}

/// A path that a server may be given, as it really lies.
///
/// # Errors
/// `bad_path` for what is not there, or holds what Majordomo itself keeps; `protected_path`, unless
/// the person `accepts_protected`.
pub fn checked(
    servers: &Servers,
    path: &str,
    accepts_protected: bool,
) -> Result<String, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadPath, problem);
    if !Path::new(path).is_absolute() {
        return Err(bad(format!("{path:?} is not an absolute path")));
    }
    let real = std::fs::canonicalize(path)
        .map_err(|problem| bad(format!("{path} cannot be found: {problem}")))?;
    let own = std::fs::canonicalize(servers.store().dir())
        .map_err(|problem| bad(format!("the data folder cannot be found: {problem}")))?;
    if own.starts_with(&real) || real.starts_with(&own) {
        return Err(bad(format!(
            "{path} holds what Majordomo itself keeps, which no server is given; choose a folder in it"
        )));
    }
    if let Some(place) = servers.confiner().protected().at(&real)
        && !accepts_protected
    {
        return Err(error::host(
            ErrorCode::ProtectedPath,
            format!("{path} is or holds {}, which is protected", place.display()),
        ));
    }
    // Windows writes real paths with a prefix that few programs understand.
    let real = dunce::simplified(&real).to_str().map(str::to_owned);
    real.ok_or_else(|| bad(format!("{path} has a name that is not Unicode")))
}
