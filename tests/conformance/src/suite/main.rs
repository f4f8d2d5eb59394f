//! `conformance-suite PACKAGES SETTINGS [SET]`: runs the official conformance suite against
//! `conformance-client` and `conformance-host`, set by set or one of them. `PACKAGES` is the folder
//! in which the suite is installed, `SETTINGS` the one with what goes with it
//! (`tests/servers/conformance`).
//!
//! Always true here: a set in which fewer scenarios ran than it has, has failed, whatever the suite
//! says of it. One line sums each set up; what the suite printed is shown where something failed.

mod gateway;
mod report;
mod sets;

use conformance::{Trouble, beside};
use gateway::Gateway;
use report::Report;
use sets::{SETS, Set, Tested};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::{env, io};

fn main() -> ExitCode {
    let words: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let (packages, settings, only) = match words.as_slice() {
        [packages, settings] => (packages, settings, None),
        [packages, settings, only] => (packages, settings, only.to_str()),
        _ => {
            say("usage: conformance-suite PACKAGES SETTINGS [SET]");
            return ExitCode::from(2);
        }
    };
    let wanted: Vec<&Set> = SETS
        .iter()
        .filter(|set| only.is_none_or(|only| only == set.name))
        .collect();
    if wanted.is_empty() {
        say("there is no such set");
        return ExitCode::from(2);
    }
    match wanted
        .into_iter()
        .map(|set| run(set, packages, settings))
        .collect::<Result<Vec<bool>, Trouble>>()
    {
        Ok(all) if all.iter().all(|good| *good) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(trouble) => {
            say(&trouble.to_string());
            ExitCode::FAILURE
        }
    }
}

/// Runs one set and says how it went.
fn run(set: &Set, packages: &Path, settings: &Path) -> Result<bool, Trouble> {
    let mut suite = Command::new(node(packages));
    suite
        .arg("--require")
        .arg(settings.join("loopback.cjs"))
        .arg(packages.join("node_modules/@modelcontextprotocol/conformance/dist/index.js"));
    let mut gateway = None;
    match set.tested {
        Tested::Client => {
            let client = beside("conformance-client")?;
            suite
                .args(["client", "--command"])
                // A shell reads it, so its folder may have a space in its name.
                .arg(format!("\"{}\"", client.display()));
        }
        Tested::Gateway { era } => {
            let started = gateway.insert(Gateway::start(era)?);
            suite.args(["server", "--url", started.address()]);
        }
    }
    suite.args(set.words);
    if set.exceptions {
        suite
            .arg("--expected-failures")
            .arg(settings.join("expected-failures.yml"));
    }
    let done = suite.stdin(Stdio::null()).output()?;
    if let Some(gateway) = gateway {
        gateway.end()?;
    }
    let printed = format!(
        "{}{}",
        String::from_utf8_lossy(&done.stderr),
        String::from_utf8_lossy(&done.stdout)
    );
    let report = Report::read(&printed);
    let good = done.status.success() && report.failing.is_empty() && report.passed == set.scenarios;
    if !good {
        say(&printed);
        say(&format!(
            "{} scenarios of this set have to pass; the suite ended with {}",
            set.scenarios, done.status
        ));
    }
    say(&format!("conformance {}: {report}", set.name));
    Ok(good)
}

/// The Node.js that is installed beside the suite, or the system's where there is none for this
/// kind of computer.
fn node(packages: &Path) -> PathBuf {
    let (os, arch) = match (env::consts::OS, env::consts::ARCH) {
        ("windows", "x86_64") => ("win", "x64"),
        ("macos", "x86_64") => ("darwin", "x64"),
        (os, "aarch64") => (os, "arm64"),
        (os, _) => (os, "x64"),
    };
    let own = packages.join(format!(
        "node_modules/node-{os}-{arch}/bin/node{}",
        env::consts::EXE_SUFFIX
    ));
    if own.is_file() { own } else { "node".into() }
}

fn say(line: &str) {
    // A closed pipe is no failure of ours.
    let _ = writeln!(io::stdout(), "{line}");
}
