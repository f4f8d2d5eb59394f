//! How much a confined server can use, and what it can become.

use crate::profile::{Limits, Tier};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getegid, geteuid, setrlimit};
use rustix::thread::{
    CapabilitySet, CapabilitySets, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities, set_no_new_privs,
};
use std::io;

/// Bounds this process and all that it starts.
pub(super) fn apply(limits: &Limits, tier: Tier) -> io::Result<()> {
    // Where it has no users of its own, everything else that the person runs would count.
    let processes = (tier == Tier::Namespaces).then_some((Resource::Nproc, limits.processes));
    let others = [
        (Resource::Nofile, limits.open_files),
        (Resource::Core, 0),
        // Nobody waits for it.
        (Resource::Rtprio, 0),
    ];
    for (resource, most) in processes.into_iter().chain(others) {
        let now = rustix::process::getrlimit(resource);
        // What is bounded more narrowly stays so.
        let most = now.maximum.map_or(most, |maximum| maximum.min(most));
        setrlimit(
            resource,
            Rlimit {
                current: Some(now.current.map_or(most, |current| current.min(most))),
                maximum: Some(most),
            },
        )?;
    }
    Ok(())
}

/// Gives up every power over the system that this process has, for good.
pub(super) fn give_up_powers() -> io::Result<()> {
    set_no_new_privs(true)?;
    let none = CapabilitySet::empty();
    if geteuid().is_root() || getegid().is_root() {
        // Otherwise a program that is root gets them again when it is started.
        for capability in CapabilitySet::all().iter() {
            match remove_capability_from_bounding_set(capability) {
                // A kernel that does not know one has none of it to give.
                Ok(()) | Err(Errno::INVAL) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
    let _ = clear_ambient_capability_set();
    Ok(set_capabilities(
        None,
        CapabilitySets {
            effective: none,
            permitted: none,
            inheritable: none,
        },
    )?)
}
