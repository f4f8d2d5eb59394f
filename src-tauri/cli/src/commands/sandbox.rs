//! `majordomoctl servers sandbox …`

use super::absolute;
use crate::args::Sandbox;
use crate::link::Link;
use crate::messages::{m, name as key};
use crate::print;
use crate::word::Word;
use api::{
    ConfinementView, ErrorCode, HostError, ReachablePath, RefusedFile, ReviewConfinement,
    SetConfinement,
};
use protocol::{ConfinementSettings, GivenPath, ListedHost, NetworkAccess};
use std::path::Path;

/// Chooses what a local server can access, or shows it.
pub(crate) async fn run(
    link: &Link,
    wanted: Sandbox,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let server = wanted.name.clone();
    let mut view = link.ask(ReviewConfinement { server }).await?;
    let settings = chosen(view.settings.clone(), &wanted)?;
    if settings != view.settings {
        let request = SetConfinement {
            server: wanted.name,
            settings,
            accept_protected: wanted.protected,
        };
        view = word.ask(link, request).await?;
    }
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(())
}

/// The settings with what was written on the command line.
fn chosen(
    mut settings: ConfinementSettings,
    wanted: &Sandbox,
) -> Result<ConfinementSettings, HostError> {
    if wanted.on || wanted.off {
        settings.confined = wanted.on;
    }
    for path in &wanted.take {
        let before = settings.paths.len();
        // It is kept as it really lies; what is gone meanwhile, as it lay.
        let ways = [absolute(path)?, real(path)?];
        settings.paths.retain(|given| !ways.contains(&given.path));
        if settings.paths.len() == before {
            let message = format!("{} was not given by you", path.display());
            return Err(HostError::of(ErrorCode::BadPath, message));
        }
    }
    let read = wanted.read.iter().map(|path| (path, false));
    for (path, change) in read.chain(wanted.change.iter().map(|path| (path, true))) {
        let path = real(path)?;
        settings.paths.retain(|given| given.path != path);
        settings.paths.push(GivenPath { path, change });
    }
    if let Some(network) = &wanted.network {
        settings.network = match network.as_str() {
            "none" => NetworkAccess::None,
            "any" => NetworkAccess::Open,
            hosts => NetworkAccess::Hosts {
                hosts: hosts.split(',').map(host).collect::<Result<_, _>>()?,
            },
        };
    }
    Ok(settings)
}

/// A path as it really lies, or as it is written if nothing is there.
fn real(path: &Path) -> Result<String, HostError> {
    let real = path.canonicalize().ok();
    absolute(real.as_deref().unwrap_or(path))
}

fn host(text: &str) -> Result<ListedHost, HostError> {
    ListedHost::parse(text.trim())
        .map_err(|problem| HostError::of(ErrorCode::BadRequest, format!("{text}: {problem}")))
}

/// What a server can access, each part on its own line.
pub(crate) fn show(view: &ConfinementView) {
    let ConfinementView {
        settings:
            ConfinementSettings {
                confined,
                paths: _, // Among all paths, below.
                network,
            },
        tier,
        paths,
        withheld,
        hidden,
        home,
        refused,
        refused_files,
    } = view;
    if !confined {
        line("sandbox", &m("sandbox.off", &[]));
        refusals(refused_files);
        return;
    }
    let strength = tier.map_or_else(
        || m("sandbox.tier.missing", &[]),
        |tier| m(&format!("sandbox.tier.{}", key(&tier)), &[]),
    );
    line("sandbox", &strength);
    for ReachablePath {
        path,
        change,
        because,
    } in paths
    {
        let label = if *change { "  changes" } else { "  reads" };
        let because = m(&format!("sandbox.because.{}", key(because)), &[]);
        line(label, &format!("{path} ({because})"));
    }
    if let Some(home) = home {
        line("  home", home);
    }
    for path in withheld {
        line("  NOT GIVEN", path);
    }
    for path in hidden {
        line("  hidden", path);
    }
    match network {
        NetworkAccess::None => line("  connects to", &m("sandbox.network.none", &[])),
        NetworkAccess::Open => line("  connects to", &m("sandbox.network.open", &[])),
        NetworkAccess::Hosts { hosts } => {
            for host in hosts {
                line("  connects to", &host.to_string());
            }
        }
    }
    refusals(refused_files);
    for host in refused {
        let because = m(&format!("sandbox.refused.{}", key(&host.because)), &[]);
        let text = format!("{} ({}): {because}", host.name, host.times);
        line("  REFUSED", &text);
    }
}

/// Files that calls named, and that lie outside.
fn refusals(files: &[RefusedFile]) {
    for file in files {
        line("  REFUSED", &format!("{} ({})", file.path, file.times));
    }
}

fn line(label: &str, text: &str) {
    print::result(format_args!("{label:<20} {}", print::visible(text)));
}
