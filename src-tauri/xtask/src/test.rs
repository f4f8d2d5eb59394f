//! `cargo xtask test` and its smaller relatives: sets the tests up, takes every step, sums up.
//!
//! Always true here: a step that fails does not keep the later ones from running, and is told in
//! the summary.

use crate::arguments::{Arguments, Task};
use crate::desktop_session::DesktopSession;
use crate::place::Profile;
use crate::program::{cargo, find, must, npm, other, succeeds};
use crate::steps::Step;
use crate::stop::Stop;
use crate::summary::{self, Ending};
use crate::{bench, needs, node, place, python, say, system};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Names of browsers that the tests of the pages can drive.
pub const CHROMIUM: &[&str] = &[
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

const STEPS: [&str; 15] = [
    "format",
    "ui-lint",
    "ui-check",
    "ui-test",
    "ui-build",
    "deny",
    "clippy",
    "build",
    "rust",
    "conformance",
    "inspection",
    "doc",
    "browser",
    "bench",
    "soak",
];
/// So long the siege is that is part of the tests.
const SOAK_MINUTES: &str = "10";
const OF_CHECK: [&str; 5] = ["format", "ui-lint", "ui-check", "deny", "clippy"];

/// Installs all that the tests need.
pub fn set_up(arguments: &Arguments) -> Result<(), Stop> {
    system::provide(needs::TESTS, arguments)?;
    node::check_version()?;
    node::provide_packages()?;
    node::provide_servers()?;
    node::provide_conformance()?;
    python::provide_servers()?;
    say::note("Everything that the tests need is here.");
    Ok(())
}

/// Takes the steps that were asked for.
pub fn test(arguments: &Arguments) -> Result<(), Stop> {
    let all: &[&'static str] = if arguments.task == Task::Check {
        &OF_CHECK
    } else {
        &STEPS
    };
    let wanted: Vec<&'static str> = all
        .iter()
        .copied()
        .filter(|step| arguments.wants(step))
        .collect();
    if let Some(unknown) = arguments
        .only
        .iter()
        .find(|name| !all.iter().any(|step| step.starts_with(name.as_str())))
    {
        return Err(Stop::Usage(format!(
            "No step's name begins with {unknown:?}. There are: {}.",
            all.join(" ")
        )));
    }
    let session = prepare(&wanted, arguments)?;
    let done: Vec<_> = wanted
        .iter()
        .map(|name| {
            let done = step(name, session.as_ref(), &arguments.rest).take();
            if *name == "ui-build" && done.ending == Ending::Passed {
                // A stamp that cannot be written costs another build next time, no more.
                let _ = node::note_pages_built();
            }
            done
        })
        .collect();
    drop(session);
    let failed = summary::print(&done);
    if failed.is_empty() {
        return Ok(());
    }
    Err(Stop::Failed(format!(
        "{} of {} steps failed: {}.",
        failed.len(),
        done.len(),
        failed.join(", ")
    )))
}

/// Builds every program, with the pages that the window shows.
pub fn build_with_pages(arguments: &Arguments) -> Result<(), Stop> {
    node::check_version()?;
    node::provide_packages()?;
    node::provide_pages()?;
    let mut build = build();
    build.args(arguments.profile.chosen());
    must(build)
}

/// Hostile and honest servers side by side. They need a keyring and no window.
pub fn soak(arguments: &Arguments) -> Result<(), Stop> {
    system::provide(needs::TESTS, arguments)?;
    build_with_pages(arguments)?;
    let session = DesktopSession::start_where_needed()?;
    let program = place::built("soak", arguments.profile);
    must(within(session.as_ref(), other(program, &arguments.rest)))
}

/// Pictures of the pages with a pretended host behind them: into the target folder, and into the
/// repository those that the README shows.
pub fn pictures(arguments: &Arguments) -> Result<(), Stop> {
    system::provide(needs::TESTS, arguments)?;
    node::check_version()?;
    node::provide_packages()?;
    let Some(chromium) = CHROMIUM.iter().find_map(|name| find(name)) else {
        let what = "no Chromium or Chrome is on the search path";
        return Err(Stop::Failed(what.to_owned()));
    };
    let folder = place::target().join("pictures");
    let mut command = npm(&place::ui(), ["run", "pictures"]);
    command
        .env("MAJORDOMO_CHROMIUM", chromium)
        .env("MAJORDOMO_PROGRAMS", place::target().join("debug"))
        .env("MAJORDOMO_PICTURES", &folder);
    must(command)?;
    say::note(&format!("The pictures are in {}.", folder.display()));
    Ok(())
}

/// Installs what the wanted steps need, and builds what steps that are not wanted would have built
/// for them.
fn prepare(wanted: &[&str], arguments: &Arguments) -> Result<Option<DesktopSession>, Stop> {
    let any = |names: &[&str]| names.iter().any(|name| wanted.contains(name));
    if any(&["rust", "browser", "bench", "soak"]) {
        set_up(arguments)?;
    } else {
        system::provide(
            if any(&["clippy", "build"]) {
                needs::WINDOW
            } else {
                needs::TERMINAL
            },
            arguments,
        )?;
        if any(&["ui-lint", "ui-check", "ui-test", "ui-build"]) {
            node::check_version()?;
            node::provide_packages()?;
        }
        if any(&["conformance"]) {
            node::check_version()?;
            node::provide_conformance()?;
        }
    }
    if any(&["build", "rust", "browser", "bench", "soak"]) && !any(&["ui-build"]) {
        node::provide_pages()?;
    }
    if any(&["rust", "browser", "bench", "soak"]) && !any(&["build"]) {
        say::heading("Building all programs");
        must(build_for_tests())?;
    }
    if any(&["conformance"]) && !any(&["build", "rust", "browser", "bench", "soak"]) {
        say::heading("Building what the conformance suite tests");
        must(cargo([
            "build",
            "--locked",
            "--package",
            "conformance",
            "--package",
            "test-servers",
            "--package",
            "majordomo",
            "--no-default-features",
            "--bins",
        ]))?;
    }
    if any(&["rust", "browser", "bench", "soak"]) {
        DesktopSession::start_where_needed()
    } else {
        Ok(None)
    }
}

fn step(name: &'static str, session: Option<&DesktopSession>, rest: &[String]) -> Step {
    let ui = |script: &str| npm(&place::ui(), ["run", script]);
    match name {
        "format" => Step::of(name, cargo(["fmt", "--all", "--", "--check"])),
        "ui-lint" => Step::of(name, ui("lint")),
        "ui-check" => Step::of(name, ui("check")),
        "ui-test" => Step::of(name, ui("test")),
        "ui-build" => Step::of(name, ui("build")),
        "deny" => deny(name),
        "clippy" => Step::of(
            name,
            cargo([
                "clippy",
                "--locked",
                "--workspace",
                "--all-targets",
                "--",
                "-D",
                "warnings",
            ]),
        ),
        "build" => Step::of(name, build_for_tests()),
        "rust" => Step::of(name, within(session, rust_tests(rest))),
        "conformance" => Step::of(name, conformance()),
        "inspection" => inspection(name, &place::labelled_data().unwrap_or_default()),
        "doc" => Step::of(
            name,
            cargo([
                "test",
                "--locked",
                "--doc",
                "--package",
                "policy",
                "--package",
                "connections",
            ]),
        ),
        "browser" => browser(name, session),
        "bench" => bench::step(name, session),
        _ => besieged(name, session),
    }
}

/// All programs, the misbehaving test servers included: tests start them from where Cargo puts
/// them.
fn build() -> Command {
    cargo(["build", "--locked", "--workspace", "--bins"])
}

/// The programs together with the tests: alone they would be built once more, with other features.
fn build_for_tests() -> Command {
    let mut build = build();
    build.arg("--tests");
    build
}

/// nextest where it is installed, because it runs all tests at once; the same tests through Cargo
/// elsewhere.
fn rust_tests(rest: &[String]) -> Command {
    let mut command = if succeeds(cargo(["nextest", "--version"])) {
        cargo([
            "nextest",
            "run",
            "--locked",
            "--workspace",
            "--no-fail-fast",
            "--no-tests",
            "pass",
        ])
    } else {
        cargo([
            "test",
            "--locked",
            "--workspace",
            "--lib",
            "--bins",
            "--tests",
            "--no-fail-fast",
        ])
    };
    command.args(rest);
    command
}

/// The official conformance suite, against the rooms that talk to servers and against the gateway.
fn conformance() -> Command {
    other(
        place::built("conformance-suite", Profile::Debug),
        [
            place::test_servers().join("conformance"),
            place::conformance(),
        ],
    )
}

/// What the detectors find in labelled data, and which questions recorded conversations would have
/// met. The figures are for reading: only data that cannot be read fails.
fn inspection(name: &'static str, data: &Path) -> Step {
    if !data.is_dir() {
        return Step::left_out(
            name,
            "there is no labelled data; MAJORDOMO_LABELLED_DATA names the folder that holds it",
        );
    }
    let example = |package: &str, example: &str, file: &Path| {
        let mut command = cargo([
            "run",
            "--locked",
            "--release",
            "--quiet",
            "--package",
            package,
            "--example",
            example,
            "--",
        ]);
        command.arg(file);
        command
    };
    let traces = data.join("agentdyn_traces.jsonl.gz");
    Step {
        name,
        work: Ok(vec![
            example("inspect", "evaluate", data),
            example("policy", "replay_judge", &traces),
        ]),
    }
}

/// Licences, bans and sources need no network; the advisories do.
fn deny(name: &'static str) -> Step {
    if !succeeds(cargo(["deny", "--version"])) {
        return Step::left_out(
            name,
            "cargo-deny is not installed; `cargo install cargo-deny --locked` gets it",
        );
    }
    let mut what = vec![
        "deny",
        "--all-features",
        "check",
        "--hide-inclusion-graph",
        "licenses",
        "bans",
        "sources",
    ];
    if succeeds(cargo(["deny", "fetch", "db"])) {
        what.push("advisories");
    } else {
        say::note("The database of advisories cannot be reached: they are not checked this time.");
    }
    Step::of(name, cargo(what))
}

/// The pages in a browser, against the host without a window.
fn browser(name: &'static str, session: Option<&DesktopSession>) -> Step {
    let has_script = fs::read_to_string(place::ui().join("package.json"))
        .is_ok_and(|text| text.contains("\"test:browser\""));
    if !has_script {
        return Step::left_out(name, "ui/package.json has no script test:browser");
    }
    let Some(chromium) = CHROMIUM.iter().find_map(|name| find(name)) else {
        return Step::left_out(name, "no Chromium or Chrome is on the search path");
    };
    let mut command = npm(&place::ui(), ["run", "test:browser"]);
    command
        .env("MAJORDOMO_CHROMIUM", chromium)
        .env("MAJORDOMO_PROGRAMS", place::target().join("debug"));
    Step::of(name, within(session, command))
}

/// Ten minutes of the soak, where there is time for it.
fn besieged(name: &'static str, session: Option<&DesktopSession>) -> Step {
    if !cfg!(target_os = "linux") {
        return Step::left_out(name, "what it measures is only told by Linux");
    }
    if std::env::var_os("CI").is_none() {
        return Step::left_out(
            name,
            "it takes a quarter of an hour; CI=true takes it, and `cargo xtask soak` by itself",
        );
    }
    let soak = other(
        place::built("soak", Profile::Debug),
        ["--minutes", SOAK_MINUTES],
    );
    Step::of(name, within(session, soak))
}

/// A command that finds the test servers, and its desktop if there is one for it.
pub fn within(session: Option<&DesktopSession>, mut command: Command) -> Command {
    command.env("MAJORDOMO_TEST_SERVERS", place::test_servers());
    if let Some(session) = session {
        session.surround(&mut command);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_names_every_step_in_its_order() {
        assert!(crate::arguments::HELP.contains(&STEPS.join(" ")));
        assert!(OF_CHECK.iter().all(|step| STEPS.contains(step)));
    }

    #[test]
    fn without_labelled_data_the_inspection_is_left_out_with_a_sentence() {
        let step = inspection("inspection", Path::new("no/such/folder"));
        assert!(
            step.work
                .is_err_and(|why| why.contains("MAJORDOMO_LABELLED_DATA"))
        );
    }

    #[test]
    fn labelled_data_is_inspected_and_recorded_conversations_are_judged() {
        let commands = inspection("inspection", &place::root()).work.unwrap();
        let examples = ["evaluate", "replay_judge"];
        assert_eq!(commands.len(), examples.len());
        assert!(
            commands
                .iter()
                .zip(examples)
                .all(|(command, example)| command.get_args().any(|word| word == example))
        );
    }
}
