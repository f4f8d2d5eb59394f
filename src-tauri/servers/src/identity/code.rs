//! The code that a command line runs in the end: the script, all that it can load, and which code it
//! starts that is not known.
//!
//! Always true here: what cannot be followed is named; nothing is left out because it could not be
//! read.

use super::interpreter::{self, Loads, Told, Untold};
use super::modules::{LONGEST, Modules, NAMED};
use super::search::{self, Script};
use super::wrappers::{self, Started};
use super::{Surroundings, is_runtime, runs_others};
use crate::review::loads_code::loads_code;
use protocol::{IdentityPiece, SettingValue, Unread, UnreadReason};
use std::ffi::OsStr;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How often a script may be run by a script.
const DEEPEST: usize = 4;
/// The longest first line of a script that systems read, in bytes.
const FIRST_LINE: u64 = 256;
/// The variable by which Python is told of more folders.
const PYTHON_FOLDERS: &str = "PYTHONPATH";

/// What runs in the end, without what was installed with it.
pub(super) struct Code {
    /// The file that is run by another one.
    pub script: Option<PathBuf>,
    /// The program's own file behind everything that only passes on to it, links followed; none if
    /// it is a runtime, or was not found.
    pub ran: Option<PathBuf>,
    /// What was started, behind everything that only passes on to it.
    started: Started,
    told: Option<Told>,
    /// The file of the program in `started`, if it was found.
    program: Option<PathBuf>,
    modules: Modules,
    unread: Vec<Unread>,
}

impl Code {
    /// What runs in the end when `line` is started; `program` is its file, links followed.
    pub fn of(line: &[&str], program: &Path, at: &Surroundings<'_>, path: Option<&OsStr>) -> Self {
        let mut code = Self {
            script: None,
            ran: None,
            started: wrappers::started(line),
            told: None,
            program: None,
            modules: Modules::default(),
            unread: Vec::new(),
        };
        code.find_program(at.program, at, path);
        code.ran = code
            .program
            .as_deref()
            .and_then(|file| code.own(file, path));
        if code.started.behind {
            code.script = code.ran.clone();
        }
        code.follow_first_lines(at, path);
        code.read_words(at);
        if let Some(file) = code.told.as_ref().and_then(|told| told.file.clone().ok()) {
            let before = code.script.replace(file);
            if let Some(before) = before.filter(|before| code.script.as_ref() != Some(before)) {
                code.modules.file(&before);
            }
        }
        code.script = code
            .script
            .map(|script| script.canonicalize().unwrap_or(script))
            .filter(|script| script != program);
        code
    }

    /// The words of the program that runs in the end.
    pub fn line(&self) -> Vec<&str> {
        self.started.line()
    }

    /// Adds what the script can load. `program` is the file that is started, links followed;
    /// `installed` says whether what was installed with it is known otherwise.
    pub fn gather(&mut self, program: &Path, at: &Surroundings<'_>, installed: bool) {
        let folders = self.variables(at);
        let Some(told) = self.told.clone() else {
            return;
        };
        let script = self.script.clone();
        let word = super::command_line::program(self.started.words.first().map_or("", |word| word));
        if told.file.is_ok() {
            search::gather(
                &Script {
                    told: &told,
                    file: script.as_deref().unwrap_or(program),
                    word: &word,
                    interpreter: self.program.as_deref(),
                    cwd: at.cwd,
                    folders: &folders,
                    installed,
                },
                &mut self.modules,
            );
        }
    }

    /// What was found of the modules, and everything that is not known.
    pub fn done(mut self) -> (Option<protocol::ModulesIdentity>, Vec<Unread>) {
        let (modules, unread) = self.modules.done();
        self.unread.extend(unread);
        (modules, self.unread)
    }

    /// Names code that is started and not known.
    pub fn unknown(&mut self, at: &str, reason: UnreadReason) {
        let unread = Unread {
            piece: IdentityPiece::Script,
            at: at.chars().take(LONGEST).collect(),
            reason,
        };
        if !self.unread.contains(&unread) && self.unread.len() < NAMED {
            self.unread.push(unread);
        }
    }

    /// The file of the program in the words; `given` is that of the words of the launch.
    fn find_program(&mut self, given: &Path, at: &Surroundings<'_>, path: Option<&OsStr>) {
        if let Some(unknown) = self.started.unknown.clone() {
            self.unknown(&unknown, UnreadReason::NotFollowed);
        }
        if !self.started.behind {
            self.program = Some(given.to_owned());
            return;
        }
        let Some(word) = self.started.words.first().cloned() else {
            return;
        };
        let has_folder = word.contains(['/', std::path::MAIN_SEPARATOR]);
        let found = if has_folder {
            Some(at.cwd.join(&word)).filter(|file| file.is_file())
        } else {
            connections::resolve(&word, path).ok()
        };
        if found.is_none() {
            self.unknown(&word, UnreadReason::NotFound);
        }
        self.program = found;
    }

    /// A program of which the file itself counts.
    fn own(&self, file: &Path, path: Option<&OsStr>) -> Option<PathBuf> {
        let word = self.started.words.first()?;
        let file = file.canonicalize().ok()?;
        (!is_runtime(word, &file, path)).then_some(file)
    }

    /// A program may be a script, whose first line says what runs it.
    fn follow_first_lines(&mut self, at: &Surroundings<'_>, path: Option<&OsStr>) {
        for _ in 0..DEEPEST {
            let Some(file) = self.program.clone() else {
                return;
            };
            let words = &self.started.words;
            let known = words
                .first()
                .is_none_or(|word| runs_others(&super::command_line::program(word)));
            if known {
                return;
            }
            let name = file.to_string_lossy().into_owned();
            if name.to_lowercase().ends_with(".cmd") || name.to_lowercase().ends_with(".bat") {
                self.unknown(&name, UnreadReason::NotFollowed);
                return;
            }
            let Some(mut line) = first_line(&file) else {
                return;
            };
            line.push(name);
            line.extend(words.iter().skip(1).cloned());
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            let variables = std::mem::take(&mut self.started.variables);
            self.started = wrappers::started(&line);
            self.started.behind = true;
            self.started.variables.extend(variables);
            self.find_program(&file, at, path);
            let own = self.program.as_deref();
            if let Some(own) = own.and_then(|file| self.own(file, path)) {
                self.modules.file(&own);
            }
        }
        self.unknown("#!", UnreadReason::NotFollowed);
    }

    /// What an interpreter is told, and which words may start something else.
    fn read_words(&mut self, at: &Surroundings<'_>) {
        let words = self.started.words.clone();
        let line: Vec<&str> = words.iter().map(String::as_str).collect();
        let Some(first) = line.first() else { return };
        let name = super::command_line::program(first);
        let asked = super::packages::asked(&line);
        if asked.is_none() {
            self.told = interpreter::told(&line, at.cwd);
        }
        let python = self.program.clone();
        if let Some(told) = &mut self.told
            && let Err(untold) = told.file.clone()
        {
            let (said, reason) = match untold {
                Untold::Words(option) => (format!("{name} {option}"), UnreadReason::NotFollowed),
                Untold::Missing(word) => (word, UnreadReason::NotFound),
                Untold::Module(module) => {
                    // Where uv installs to is known once it has.
                    let python = python.filter(|_| !told.by_uv);
                    let found = python.and_then(|file| search::installed_module(&file, &module));
                    if let Some(found) = found {
                        told.file = Ok(found);
                    }
                    (format!("-m {module}"), UnreadReason::NotFound)
                }
            };
            if told.file.is_err() {
                self.unknown(said.trim(), reason);
                return;
            }
        }
        let image = super::image::of(&line).is_some();
        let runs = super::packages::is_runner(&name) || super::image::is_engine(&name);
        let tells = image || asked.is_some_and(|asked| !asked.specs.is_empty());
        if runs && !tells && self.told.is_none() {
            let command = line.get(1).copied().unwrap_or_default();
            self.unknown(
                format!("{name} {command}").trim(),
                UnreadReason::NotFollowed,
            );
        }
        if !image {
            let decide = super::words_that_decide(&line, at.cwd).min(line.len());
            for (index, word) in line.iter().enumerate().skip(decide.max(1)) {
                if starts_another(word, index + 1 < line.len(), at.cwd) {
                    self.unknown(word, UnreadReason::NotFollowed);
                }
            }
        }
    }

    /// The folders that variables name for the interpreter; other variables that load code are
    /// named.
    fn variables(&mut self, at: &Surroundings<'_>) -> Vec<PathBuf> {
        let given = at.run.env.iter().map(|setting| {
            let value = match &setting.value {
                SettingValue::Plain { text } => Some(text.clone()),
                SettingValue::Secret { .. } => None,
            };
            (setting.name.clone(), value)
        });
        let on_the_way = self.started.variables.iter().cloned();
        let all: Vec<_> = given
            .chain(on_the_way.map(|(name, value)| (name, Some(value))))
            .filter(|(name, _)| loads_code(name))
            .collect();
        let python = self
            .told
            .as_ref()
            .is_some_and(|told| told.loads == Loads::Python);
        let mut folders = Vec::new();
        for (name, value) in all {
            match value {
                Some(value) if python && name == PYTHON_FOLDERS => {
                    let named = std::env::split_paths(&value).map(|folder| at.cwd.join(folder));
                    folders.extend(named);
                }
                _ => self.modules.unknown(&name, UnreadReason::NotFollowed),
            }
        }
        folders
    }
}

/// The words of a first line that says what runs a script, as the system reads it.
fn first_line(file: &Path) -> Option<Vec<String>> {
    // Opening a pipe could wait for ever.
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let read = File::open(file)
        .ok()?
        .take(FIRST_LINE)
        .read_to_end(&mut bytes);
    read.ok()?;
    let text = String::from_utf8_lossy(bytes.strip_prefix(b"#!")?).into_owned();
    let line = text.lines().next()?.trim();
    let words = match line.split_once([' ', '\t']) {
        Some((program, word)) => vec![program.to_owned(), word.trim().to_owned()],
        None => vec![line.to_owned()],
    };
    Some(words)
}

/// Whether a word of a program's own names another program: a file that can be run, or one that
/// runs what follows it.
fn starts_another(word: &str, followed: bool, cwd: &Path) -> bool {
    let mut parts = word.split_whitespace();
    let Some(first) = parts.next() else {
        return false;
    };
    if first.contains(['/', '\\']) {
        return !first.contains("://") && can_be_run(&cwd.join(first));
    }
    (followed || parts.next().is_some()) && runs_others(&super::command_line::program(first))
}

#[cfg(unix)]
fn can_be_run(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|what| what.is_file() && what.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn can_be_run(file: &Path) -> bool {
    let ending = file.extension().and_then(OsStr::to_str).unwrap_or_default();
    let runs = ["exe", "cmd", "bat", "com", "ps1"];
    runs.iter().any(|one| ending.eq_ignore_ascii_case(one)) && file.is_file()
}
