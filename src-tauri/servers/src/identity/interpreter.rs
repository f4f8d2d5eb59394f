//! Which file an interpreter is told to run, and how it looks for what that file loads.

use super::command_line::{self, Follows};
use std::path::{Path, PathBuf};

/// An interpreter by its bare names, and how it reads its words.
struct Interpreter {
    names: &'static [&'static str],
    /// Words that may stand before the file (`deno run`).
    passes: &'static [&'static str],
    /// Options whose value is the next word.
    values: &'static [&'static str],
    /// Options behind which code or the name of a module stands, and words that start something
    /// other than a file.
    stops: &'static [&'static str],
    /// Letters that do the same inside a cluster (`-Im`).
    letters: &'static str,
    /// The files with which a folder that is run begins.
    begins: &'static [&'static str],
    /// The option behind which the name of a module stands.
    module: Option<&'static str>,
    /// Options whose value is code that is loaded before the file.
    preloads: &'static [&'static str],
    /// How what the file loads is looked for.
    loads: Loads,
}

/// How an interpreter looks for what a file loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loads {
    /// As Python: in the folder of the file, and where it is installed.
    Python,
    /// As Node.js: by paths within the package, and in `node_modules`.
    Node,
    /// As Node.js; what is not there is fetched.
    Fetches,
    /// Libraries that lie with the file.
    Beside,
    /// In ways that are not followed.
    Anywhere,
}

/// What an interpreter is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Told {
    /// The existing file that it runs, as it is named.
    pub file: Result<PathBuf, Untold>,
    /// How what the file loads is looked for.
    pub loads: Loads,
    /// The folder in which modules are looked for before that of the file.
    pub first: Option<PathBuf>,
    /// What is loaded before the file.
    pub preloads: Vec<String>,
    /// Whether it is started by uv, which installs what the file needs at the start.
    pub by_uv: bool,
}

/// Why it is not known which file is run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Untold {
    /// The words are code, or tell of none.
    Words(String),
    /// No file of this name is there.
    Missing(String),
    /// The module of this name does not lie in the working directory.
    Module(String),
}

const INTERPRETERS: [Interpreter; 9] = [
    Interpreter {
        names: &["node", "nodejs", "tsx", "ts-node"],
        passes: &["watch"],
        values: &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
            "-C",
            "--conditions",
            "--env-file",
            "--env-file-if-exists",
            "--title",
            "--tsconfig",
            "--project",
            "-P",
            "-O",
        ],
        stops: &["-e", "--eval", "-p", "--print", "-pe", "--test", "--run"],
        letters: "",
        begins: &["index.js"],
        module: None,
        preloads: &[
            "-r",
            "--require",
            "--import",
            "--loader",
            "--experimental-loader",
        ],
        loads: Loads::Node,
    },
    Interpreter {
        names: &["python", "pythonw", "py", "pypy"],
        passes: &[],
        values: &["-W", "-X", "--check-hash-based-pycs"],
        stops: &["-m", "-c"],
        letters: "mc",
        begins: &["__main__.py"],
        module: Some("-m"),
        preloads: &[],
        loads: Loads::Python,
    },
    Interpreter {
        names: &["deno"],
        passes: &["run", "serve"],
        values: &[
            "-c",
            "--config",
            "--import-map",
            "--lock",
            "--cert",
            "-L",
            "--log-level",
            "--location",
            "--seed",
            "--port",
            "--host",
        ],
        stops: &["eval", "repl", "task", "x"],
        letters: "",
        begins: &[],
        module: None,
        preloads: &["--import-map"],
        loads: Loads::Fetches,
    },
    Interpreter {
        names: &["bun"],
        passes: &["run"],
        values: &[
            "-r",
            "--preload",
            "--require",
            "--import",
            "-c",
            "--config",
            "--cwd",
            "--env-file",
            "--tsconfig-override",
            "--port",
        ],
        stops: &["-e", "--eval", "-p", "--print", "x"],
        letters: "",
        begins: &[],
        module: None,
        preloads: &["-r", "--preload", "--require", "--import"],
        loads: Loads::Fetches,
    },
    Interpreter {
        names: &["java", "javaw"],
        passes: &["-jar"],
        values: &[
            "-cp",
            "-classpath",
            "--class-path",
            "-p",
            "--module-path",
            "--add-modules",
            "--add-opens",
            "--add-exports",
            "--add-reads",
        ],
        stops: &["-m", "--module"],
        letters: "",
        begins: &[],
        module: None,
        preloads: &[],
        loads: Loads::Anywhere,
    },
    Interpreter {
        names: &["dotnet"],
        passes: &["exec"],
        values: &[
            "--fx-version",
            "--additionalprobingpath",
            "--additional-deps",
            "--depsfile",
            "--runtimeconfig",
            "--roll-forward",
        ],
        stops: &["run", "tool", "watch"],
        letters: "",
        begins: &[],
        module: None,
        preloads: &["--additional-deps", "--additionalprobingpath"],
        loads: Loads::Beside,
    },
    Interpreter {
        names: &["ruby", "jruby", "perl"],
        passes: &[],
        values: &["-I", "-C"],
        stops: &["-e", "-E", "-S"],
        letters: "eE",
        begins: &[],
        module: None,
        preloads: &[],
        loads: Loads::Anywhere,
    },
    Interpreter {
        names: &["php", "lua", "luajit"],
        passes: &["-f"],
        values: &["-d", "-c", "-l"],
        stops: &["-r", "-e", "-S"],
        letters: "",
        begins: &[],
        module: None,
        preloads: &[],
        loads: Loads::Anywhere,
    },
    Interpreter {
        names: &["sh", "bash", "zsh", "dash", "ksh", "fish"],
        passes: &[],
        values: &["-o", "-O", "--rcfile", "--init-file"],
        stops: &["-c", "-s", "--command"],
        letters: "cs",
        begins: &[],
        module: None,
        preloads: &[],
        loads: Loads::Anywhere,
    },
];

fn of(program: &str) -> Option<&'static Interpreter> {
    INTERPRETERS
        .iter()
        .find(|interpreter| interpreter.names.contains(&program))
}

/// The file of a Python module in a folder where modules are looked for.
pub(super) fn python_module(folder: &Path, name: &str) -> Option<PathBuf> {
    of("python")?.module_in(folder, name)
}

/// Whether a program of this bare name runs files of others.
pub(super) fn is_one(program: &str) -> bool {
    of(program).is_some()
}

/// The existing file that this command line tells an interpreter to run, as it is named there,
/// below `cwd`.
pub(super) fn script(line: &[&str], cwd: &Path) -> Option<PathBuf> {
    told(line, cwd)?.file.ok()
}

/// What this command line tells an interpreter; none if it starts no interpreter.
pub(super) fn told(line: &[&str], cwd: &Path) -> Option<Told> {
    let (first, rest) = line.split_first()?;
    let program = command_line::program(first);
    if program == "uv" {
        return through_uv(rest, cwd);
    }
    Some(of(&program)?.told(rest, cwd))
}

/// `uv run server.py` and `uv run python server.py`, from the folder that uv is told to go to.
fn through_uv(words: &[&str], cwd: &Path) -> Option<Told> {
    let (before, rest) = command_line::split(words, super::packages::uv_option);
    let (behind, rest) = command_line::split(rest.strip_prefix(&["run"])?, |word| match word {
        "-m" | "--module" => Follows::Stop,
        word => super::packages::uv_option(word),
    });
    let directory = before
        .iter()
        .chain(&behind)
        .rev()
        .find(|(name, _)| *name == "--directory")
        .and_then(|(_, value)| *value);
    let cwd = directory.map_or_else(|| cwd.to_owned(), |directory| cwd.join(directory));
    let python = of("python")?;
    let mut told = match rest.first() {
        Some(first) if is_one(&command_line::program(first)) => told(rest, &cwd)?,
        Some(first) => python.with(python.file(&cwd, first)),
        None => python.with(Err(Untold::Words("uv run".to_owned()))),
    };
    told.by_uv = true;
    Some(told)
}

impl Interpreter {
    fn with(&self, file: Result<PathBuf, Untold>) -> Told {
        Told {
            file,
            loads: self.loads,
            first: None,
            preloads: Vec::new(),
            by_uv: false,
        }
    }

    fn told(&self, words: &[&str], cwd: &Path) -> Told {
        let mut rest = words;
        let mut preloads = Vec::new();
        let file = loop {
            // Passing options such as `-jar` stand for themselves; what follows is the file.
            let (options, behind) = command_line::split(rest, |word| self.follows(word));
            let loaded = options
                .iter()
                .filter(|(name, _)| self.preloads.contains(name));
            preloads.extend(loaded.filter_map(|(_, value)| *value).map(str::to_owned));
            match behind {
                [word, behind @ ..] if self.passes.contains(word) => rest = behind,
                [word, ..] if !self.stops.contains(word) => break self.file(cwd, word),
                _ => return self.module(words, cwd),
            }
        };
        Told {
            preloads,
            ..self.with(file)
        }
    }

    /// The file that is run for a path: itself, or the one with which a folder begins.
    fn file(&self, cwd: &Path, word: &str) -> Result<PathBuf, Untold> {
        let path = cwd.join(word);
        let inside = self.begins.iter().map(|begin| path.join(begin));
        let mut files = std::iter::once(path.clone()).chain(inside);
        files
            .find(|file| file.is_file())
            .ok_or_else(|| Untold::Missing(word.to_owned()))
    }

    /// The module that is named behind `-m`. In `cwd` it is looked for before what is installed.
    fn module(&self, words: &[&str], cwd: &Path) -> Told {
        let stop = words
            .iter()
            .position(|word| word.starts_with('-') && self.follows(word) == Follows::Stop);
        let stops = stop.and_then(|at| Some((*words.get(at)?, *words.get(at + 1)?)));
        let (Some(option), Some((stop, name))) = (self.module, stops) else {
            let word = stop.and_then(|at| words.get(at)).copied();
            return self.with(Err(Untold::Words(word.unwrap_or_default().to_owned())));
        };
        let is_module = stop == option || stop.len() > 2 && stop.ends_with('m');
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        if !is_module || !name.chars().all(is_of_name) {
            return self.with(Err(Untold::Words(stop.to_owned())));
        }
        let file = self.module_in(cwd, name);
        Told {
            first: Some(cwd.to_owned()),
            ..self.with(file.ok_or_else(|| Untold::Module(name.to_owned())))
        }
    }

    fn module_in(&self, folder: &Path, name: &str) -> Option<PathBuf> {
        let path = folder.join(name.replace('.', "/"));
        let inside = self.begins.iter().map(|begin| path.join(begin));
        let mut files = std::iter::once(path.with_extension("py")).chain(inside);
        files.find(|file| file.is_file())
    }

    fn follows(&self, word: &str) -> Follows {
        let cluster = !word.starts_with("--")
            && word.len() > 2
            && word[1..].contains(|letter| self.letters.contains(letter));
        let attached = self
            .values
            .iter()
            .any(|value| value.len() == 2 && word.len() > 2 && word.starts_with(value));
        if self.values.contains(&word) {
            Follows::Value
        } else if self.stops.contains(&word) || (cluster && !attached) {
            Follows::Stop
        } else {
            Follows::Nothing
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{create_dir, write};

    fn found(line: &str) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        create_dir(folder.path().join("sub")).unwrap();
        for file in [
            "server.js",
            "other.js",
            "server",
            "sub/server.py",
            "sub/__main__.py",
            "module.py",
        ] {
            write(folder.path().join(file), "").unwrap();
        }
        let line: Vec<&str> = line.split(' ').collect();
        let file = script(&line, folder.path())?;
        Some(
            file.strip_prefix(folder.path())
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/"),
        )
    }

    #[test]
    fn the_file_is_found_behind_options_and_their_values() {
        for (line, file) in [
            ("node server.js --port 1", "server.js"),
            (
                "/usr/bin/node --import other.js --no-warnings server.js other.js",
                "server.js",
            ),
            ("node -- server.js", "server.js"),
            ("nodejs --max-old-space-size=64 server", "server"),
            ("python -u -W ignore sub/server.py", "sub/server.py"),
            ("python3.12 -Xdev sub/server.py", "sub/server.py"),
            ("python sub", "sub/__main__.py"),
            ("python -m sub", "sub/__main__.py"),
            ("python -Im sub.server --port 1", "sub/server.py"),
            ("python -u -m module", "module.py"),
            ("deno run --allow-net -c server server.js", "server.js"),
            ("bun run server.js", "server.js"),
            ("bun server.js", "server.js"),
            ("java -cp other.js -jar server", "server"),
            ("java -Xmx1g -jar server", "server"),
            ("dotnet server", "server"),
            ("bash -eu server", "server"),
            ("uv run --with mcp sub/server.py", "sub/server.py"),
            ("uv --directory sub run server.py", "sub/server.py"),
            (
                "uv run --directory=sub python -u server.py",
                "sub/server.py",
            ),
        ] {
            assert_eq!(found(line).as_deref(), Some(file), "{line}");
        }
    }

    #[test]
    fn what_is_no_file_of_code_is_none() {
        for line in [
            "node",
            "node -e server.js",
            "node missing.js server.js",
            "python -m server",
            "python -Im server",
            "python -c server",
            "deno eval server.js",
            "bun x server",
            "java -cp server Main",
            "dotnet run server",
            "bash -c server",
            "bash -ec server",
            "uv run -m server",
            "uv tool run server",
            "uv run name",
            "node sub",
            "my-own-program server.js",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
