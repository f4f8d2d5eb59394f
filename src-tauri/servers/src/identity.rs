//! What runs when a launch is started: the files and packages that it leads to, which may change
//! without a word of it changing.
//!
//! Always true here:
//! - nothing is started or downloaded, and no registry is asked;
//! - nothing that is found, or not found, stops a start by itself: what cannot be read is named in
//!   the identity;
//! - every read is bounded, and files that are not regular are not opened.

mod code;
mod command_line;
mod digest;
mod environment;
mod image;
mod imports;
mod installed;
mod interpreter;
mod modules;
mod node_modules;
mod npm;
mod packages;
mod reviewed;
mod search;
mod shell;
#[cfg(test)]
#[cfg(unix)]
#[path = "identity_test.rs"]
mod tests;
mod wrappers;

pub(crate) use command_line::program as program_name;
pub(crate) use image::is_engine;
pub use reviewed::{before_start, look, running};

use crate::confiner::About;
use api::Runtime;
use code::Code;
use installed::Installed;
use packages::Runner;
use protocol::{
    ConfinementSettings, FileIdentity, Identity, IdentityPiece, Launch, ProgramIdentity,
    SettingValue, StdioLaunch, Unread,
};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// A command with everything found that it needs.
#[derive(Debug, Clone)]
pub struct Found {
    /// The program's file.
    pub command: PathBuf,
    /// What it is given, as it is written.
    pub args: Vec<String>,
    /// The working directory.
    pub cwd: PathBuf,
    /// Its home, if that is not the person's own.
    pub home: Option<PathBuf>,
}

impl Found {
    /// With all that decides what it may touch.
    pub(crate) fn about(
        &self,
        run: &StdioLaunch,
        identity: &Identity,
        roots: &[String],
        settings: &ConfinementSettings,
    ) -> About {
        About {
            command: self.command.clone(),
            args: self.args.clone(),
            home: self.home.clone(),
            run: run.clone(),
            identity: identity.clone(),
            roots: roots.to_vec(),
            settings: settings.clone(),
        }
    }
}

/// What would run now if this launch were started. Built-in servers and addresses have nothing to
/// find out.
///
/// It reads files, up to two gigabytes of them the first time: not for a thread that others wait
/// for.
fn of(launch: &Launch, found: &Found) -> Identity {
    of_in(launch, found, connections::login_path().as_deref())
}

/// What runs in the process `pid` and all it started: what was found before the start, with the
/// package that really runs. None if this launch runs no package; then there is nothing more to
/// find out.
///
/// Ask when the server has answered for the first time: before, the runner may still be
/// downloading. A process may rewrite its command line and its cache, so this finds what was
/// published anew, and not what hides on purpose.
fn of_running(launch: &Launch, before: Identity, pid: Option<u32>) -> Option<Identity> {
    let Launch::Stdio(run) = launch else {
        return None;
    };
    let wrapped = wrappers::started(&line(run));
    let asked = packages::asked(&wrapped.line())?;
    let family = pid.map(crate::processes::below).unwrap_or_default();
    let mut files = family.iter().flat_map(|words| started(words));
    let mut running = Finding(Identity {
        package: None,
        ..before
    });
    running
        .0
        .unread
        .retain(|unread| unread.piece != IdentityPiece::PackageContents);
    running.package(files.find_map(|file| installed::around(file, asked.name())));
    Some(running.0)
}

/// What a process runs: its script, the first path behind its program, or else its program. What
/// follows are the server's own arguments. A package runner is only on the way.
fn started(words: &[PathBuf]) -> impl Iterator<Item = &Path> {
    let mut paths = words.iter().skip(1).filter(|word| word.is_absolute());
    let files: Vec<&Path> = paths
        .next()
        .into_iter()
        .chain(words.first())
        .map(PathBuf::as_path)
        .collect();
    let on_the_way = files.iter().any(|file| installed::is_runner(file));
    files
        .into_iter()
        .filter(move |file| !on_the_way && file.is_absolute())
}

fn line(run: &StdioLaunch) -> Vec<&str> {
    [run.command.as_str()]
        .into_iter()
        .chain(run.args.iter().map(String::as_str))
        .collect()
}

fn of_in(launch: &Launch, found: &Found, path: Option<&OsStr>) -> Identity {
    let Launch::Stdio(run) = launch else {
        return Identity::default();
    };
    let mut identity = Finding(Identity::default());
    let program = found
        .command
        .canonicalize()
        .unwrap_or_else(|_| found.command.clone());
    let at = Surroundings {
        run,
        cwd: &found.cwd,
        program: &found.command,
        home: found.home.as_deref(),
    };
    let mut code = Code::of(&line(run), &program, &at, path);
    let asked = packages::asked(&code.line());
    if is_runtime(&run.command, &program, path) {
        identity.0.program = Some(ProgramIdentity {
            path: text(&found.command),
            sha256: None,
        });
    } else {
        let sha256 = identity.digest(IdentityPiece::Program, &program);
        identity.0.program = Some(ProgramIdentity {
            path: text(&program),
            sha256,
        });
    }
    if let Some(script) = &code.script {
        let sha256 = identity.digest(IdentityPiece::Script, script);
        identity.0.script = Some(FileIdentity {
            path: text(script),
            sha256,
        });
    }
    let package = match &asked {
        Some(asked) if asked.runner == Runner::Npm => npm::of(asked, &at),
        Some(_) => None,
        // A program that was installed as a package is a few lines that call the rest of it.
        None => code
            .ran
            .as_deref()
            .and_then(|file| installed::around(file, None)),
    };
    code.gather(&program, &at, package.is_some());
    identity.0.image = image::of(&code.line());
    identity.package(package);
    let (modules, unread) = code.done();
    identity.0.modules = modules;
    identity.0.unread.extend(unread);
    identity.0
}

/// Whether a program of this bare name runs what its words say.
fn runs_others(name: &str) -> bool {
    const SHELLS: [&str; 4] = ["cmd", "env", "powershell", "pwsh"];
    interpreter::is_one(name)
        || packages::is_runner(name)
        || image::is_engine(name)
        || SHELLS.contains(&name)
        || Runtime::of(name).is_some()
}

/// The package that a command has a package runner start, by its name; none if it starts none.
pub(crate) fn package(run: &StdioLaunch) -> Option<String> {
    let line = line(run);
    let asked = packages::asked(wrappers::behind_wrappers(&line))?;
    asked.name().map(str::to_owned)
}

/// The words that download what a command has a package runner start; none if it starts none, or
/// that cannot be said.
pub(crate) fn download(run: &StdioLaunch) -> Option<Vec<String>> {
    let line = line(run);
    // What stands before the runner would be run, too.
    (wrappers::behind_wrappers(&line).len() == line.len())
        .then(|| packages::download(&line))
        .flatten()
}

/// How many words of a command line, from its first one on, decide what runs; what follows are the
/// words of whoever runs. All of them, where that cannot be told.
pub(crate) fn words_that_decide(line: &[&str], cwd: &Path) -> usize {
    /// Options behind which a package, or code, is named before the word that is run.
    const NAMED: [&str; 6] = ["-p", "--package", "--from", "--spec", "-c", "--call"];
    let run = wrappers::behind_wrappers(line);
    let before = line.len() - run.len();
    let Some(first) = run.first() else {
        return line.len();
    };
    let is = |word: &str| run.iter().position(|other| *other == word);
    let at = if let Some(asked) = packages::asked(run) {
        let plain = !run
            .iter()
            .any(|word| NAMED.iter().any(|option| word.starts_with(option)));
        asked
            .specs
            .first()
            .filter(|_| plain)
            .and_then(|spec| is(spec))
    } else if let Some(image) = image::of(run) {
        is(&image.reference)
    } else if let Some(script) = interpreter::script(run, cwd) {
        run.iter()
            .skip(1)
            .position(|word| cwd.join(word) == script)
            .map(|behind| behind + 1)
    } else if before == 0 && !runs_others(&command_line::program(first)) {
        Some(0)
    } else {
        None
    };
    at.map_or(line.len(), |at| before + at + 1)
}

/// Whether the system's own runtime is started: one that is looked up by its name, or a path to
/// that same file. Any other file is what it holds, whatever it is called.
fn is_runtime(command: &str, program: &Path, path: Option<&OsStr>) -> bool {
    let known = runs_others(&command_line::program(command));
    let Some(bare) = Path::new(command)
        .file_name()
        .and_then(OsStr::to_str)
        .filter(|_| known)
    else {
        return false;
    };
    let same = |found: PathBuf| found.canonicalize().is_ok_and(|found| found == program);
    bare == command || connections::resolve(bare, path).is_ok_and(same)
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Adds what was found to an identity that is being made.
struct Finding(Identity);

impl Finding {
    fn digest(&mut self, piece: IdentityPiece, file: &Path) -> Option<String> {
        digest::of_file(file)
            .map_err(|reason| {
                let at = text(file);
                self.0.unread.push(Unread { piece, at, reason });
            })
            .ok()
    }

    fn package(&mut self, installed: Option<Installed>) {
        let Some(Installed { package, unread }) = installed else {
            return;
        };
        self.0.unread.extend(unread.map(|reason| Unread {
            piece: IdentityPiece::PackageContents,
            at: package.name.clone(),
            reason,
        }));
        self.0.package = Some(package);
    }
}

/// Where a package runner would be started.
struct Surroundings<'a> {
    run: &'a StdioLaunch,
    cwd: &'a Path,
    program: &'a Path,
    home: Option<&'a Path>,
}

impl Surroundings<'_> {
    /// A variable as the server will see it: given to it, or one of the few that are handed on.
    fn variable(&self, name: &str) -> Option<String> {
        let given = self
            .run
            .env
            .iter()
            .rfind(|setting| setting.name.eq_ignore_ascii_case(name));
        match given.map(|setting| &setting.value) {
            Some(SettingValue::Plain { text }) => Some(text.clone()),
            Some(SettingValue::Secret { .. }) => None,
            None => connections::inherited()
                .contains(&name)
                .then(|| std::env::var(name).ok())
                .flatten(),
        }
        .filter(|value| !value.is_empty())
    }

    fn home(&self) -> Option<PathBuf> {
        let own = self.home.map(Path::to_owned);
        own.or_else(|| self.persons_home())
    }

    fn persons_home(&self) -> Option<PathBuf> {
        self.variable(if cfg!(windows) { "USERPROFILE" } else { "HOME" })
            .map(PathBuf::from)
    }
}
