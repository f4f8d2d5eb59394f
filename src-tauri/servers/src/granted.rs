//! Which files of this computer calls of a server may name: those that it was given, whether it is
//! confined to them or not.
//!
//! Always true here:
//! - what a server is confined to and what its calls may name are found out by the same lines;
//! - what is found out counts for one start of the server and the folders that it has then.

use crate::confiner::OF_THE_SYSTEM;
use crate::registry::{Granted, ServerNow};
use crate::{Servers, identity, review};
use policy::Refusal;
use protocol::{ConfinementTier, Launch, ServerId, StdioLaunch};
use std::path::Path;
use std::sync::Arc;

/// What a confined server has for itself, beside its home, where it has an own view of the disk.
const PASSING: [&str; 3] = ["/tmp", "/var/tmp", "/dev/shm"];
/// Programs beside container engines that run others on another computer, or on one within this.
const ELSEWHERE: [&str; 3] = ["kubectl", "ssh", "wsl"];
/// Packages that pass everything on to a server with an address.
const PASS_ON: [&str; 3] = ["mcp-remote", "mcp-proxy", "supergateway"];

/// Notes at a server what was refused because it lies outside, so that a person can give it.
pub fn note_refused(servers: &Servers, id: &ServerId, refusal: &Refusal) {
    if let Refusal::OutsideFolders { path } = refusal {
        // A server that is gone meanwhile is given nothing more.
        let is_new = servers
            .registry()
            .change(id, |server| server.run.tried.refused_files.note(path));
        if matches!(is_new, Ok(true)) {
            servers.tell_changed(id);
        }
    }
}

/// Which files of this computer calls of a server may name. None if the paths in its calls are none
/// of this computer: what has an address, runs in a container or elsewhere reads its own, and what is
/// a part of Majordomo reads none.
pub async fn of(servers: &Servers, now: &ServerNow) -> Option<Arc<Granted>> {
    let Launch::Stdio(run) = &now.row.launch else {
        return None;
    };
    if is_elsewhere(now, run) {
        return None;
    }
    if let Some(granted) = now.run.granted.as_ref().filter(|known| is_of(known, now)) {
        return Some(granted.clone());
    }
    let granted = Arc::new(find_out(servers, now, run).await);
    // A server that is gone meanwhile needs it no more.
    let _ = servers.registry().change(&now.row.id, |server| {
        if is_of(&granted, server) {
            server.run.granted = Some(granted.clone());
        }
    });
    Some(granted)
}

/// Whether the files that a program reads are none of this computer.
fn is_elsewhere(now: &ServerNow, run: &StdioLaunch) -> bool {
    let program = identity::program_name(&run.command);
    let package = now.row.identity.as_ref();
    let package = package.and_then(|identity| identity.package.as_ref());
    identity::is_engine(&program)
        || ELSEWHERE.contains(&program.as_str())
        || package.is_some_and(|package| PASS_ON.contains(&package.name.as_str()))
}

/// Whether it was found out for the server as it is now.
fn is_of(granted: &Granted, now: &ServerNow) -> bool {
    granted.generation == now.run.generation
        && granted.tier == now.run.tier
        && granted.roots == now.place.roots
}

async fn find_out(servers: &Servers, now: &ServerNow, run: &StdioLaunch) -> Granted {
    let (launch, settings) = (&now.row.launch, &now.row.confinement);
    let confiner = servers.confiner();
    let own_home = confiner.own_home(&now.row.id, launch, settings);
    let mut granted = Granted {
        generation: now.run.generation,
        tier: now.run.tier,
        roots: now.place.roots.clone(),
        places: Vec::new(),
        withheld: Vec::new(),
        protected: confiner
            .protected()
            .places()
            .map(|path| text(&path))
            .collect(),
        working_folder: None,
    };
    if let Some(home) = &own_home {
        granted.places.push(text(home));
        // Everything of a device is not, though its folder is there.
        let readable = OF_THE_SYSTEM.iter().filter(|place| **place != "/dev");
        granted
            .places
            .extend(readable.map(|place| (*place).to_owned()));
        if now.run.tier == Some(ConfinementTier::Namespaces) {
            granted.places.extend(PASSING.map(str::to_owned));
        }
    }
    let Ok(found) = review::found(servers.programs(), launch, own_home) else {
        // Of a program that is not there the folders alone are known.
        let roots = now.place.roots.iter().map(Path::new);
        let hidden = roots.flat_map(|root| confiner.protected().within(root));
        granted.withheld.extend(hidden.map(|path| text(&path)));
        granted.places.extend(now.place.roots.iter().cloned());
        return granted;
    };
    granted.working_folder = Some(text(&found.cwd));
    let known = now.row.identity.clone().unwrap_or_default();
    let about = found.about(run, &known, &now.place.roots, settings);
    // What could not be found out is not given.
    if let Some((reach, hidden)) = confiner.reach(about).await {
        granted
            .withheld
            .extend(hidden.iter().map(|path| text(path)));
        let given = reach.paths.into_iter().map(|given| given.path);
        granted.places.extend(given);
    }
    granted
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
