//! `majordomoctl jail …`: how strong the sandbox is on this computer, and whether it holds.
//!
//! Always true here: no host is needed, and nothing of it is touched.

use crate::args::Jail;
use crate::exit::Exit;
use crate::messages::m;
use crate::print;
use api::{ErrorCode, HostError};
use host::Programs;
use sandbox::profile::Tier;
use sandbox::strength::Strength;
use std::path::Path;

#[cfg(target_os = "linux")]
mod escape;

/// Shows or tries it.
pub(crate) fn run(command: &Jail, json: bool) -> Result<Exit, HostError> {
    let jail = Programs::beside_this_one()?.jail;
    if !jail.is_file() {
        let message = format!("{} is not there", jail.display());
        return Err(HostError::of(ErrorCode::ProgramIncomplete, message));
    }
    match command {
        Jail::Strength => Ok(strength(&jail, json)),
        #[cfg(target_os = "linux")]
        Jail::Test { tier } => escape::run(&jail, *tier, json),
        #[cfg(not(target_os = "linux"))]
        Jail::Test { .. } => {
            print::note(m("jail.elsewhere", &[]));
            Ok(Exit::Other)
        }
    }
}

fn strength(jail: &Path, json: bool) -> Exit {
    let strength = Strength::ask(jail);
    if json {
        print::json(&strength);
        return Exit::Done;
    }
    print::result(tier_sentence(strength.tier));
    if strength.tier.is_some() {
        let bounds = strength.bounds;
        for (what, is_bounded) in [("memory", bounds.memory), ("processes", bounds.processes)] {
            let answer = if is_bounded { "yes" } else { "no" };
            print::result(m(&format!("jail.bounds.{what}.{answer}"), &[]));
        }
    }
    Exit::Done
}

fn tier_sentence(tier: Option<Tier>) -> String {
    let tier = tier.map_or("none", Tier::word);
    m(&format!("jail.tier.{tier}"), &[])
}
