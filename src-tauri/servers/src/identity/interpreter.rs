//! Which file an interpreter is told to run.

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
    },
    Interpreter {
        names: &["python", "pythonw", "py", "pypy"],
        passes: &[],
        values: &["-W", "-X", "--check-hash-based-pycs"],
        stops: &["-m", "-c"],
        letters: "mc",
        begins: &["__main__.py"],
        module: Some("-m"),
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
    },
    Interpreter {
        names: &["ruby", "jruby", "perl"],
        passes: &[],
        values: &["-I", "-C"],
        stops: &["-e", "-E", "-S"],
        letters: "eE",
        begins: &[],
        module: None,
    },
    Interpreter {
        names: &["php", "lua", "luajit"],
        passes: &["-f"],
        values: &["-d", "-c", "-l"],
        stops: &["-r", "-e", "-S"],
        letters: "",
        begins: &[],
        module: None,
    },
    Interpreter {
        names: &["sh", "bash", "zsh", "dash", "ksh", "fish"],
        passes: &[],
        values: &["-o", "-O", "--rcfile", "--init-file"],
        stops: &["-c", "-s", "--command"],
        letters: "cs",
        begins: &[],
        module: None,
    },
];

fn of(program: &str) -> Option<&'static Interpreter> {
    INTERPRETERS
        .iter()
        .find(|interpreter| interpreter.names.contains(&program))
}

/// Whether a program of this bare name runs files of others.
pub(super) fn is_one(program: &str) -> bool {
    of(program).is_some()
}

/// The existing file that this command line tells an interpreter to run, as it is named there,
/// below `cwd`.
pub(super) fn script(line: &[&str], cwd: &Path) -> Option<PathBuf> {
    let (first, rest) = line.split_first()?;
    let program = command_line::program(first);
    if program == "uv" {
        return through_uv(rest, cwd);
    }
    let interpreter = of(&program)?;
    let words = rest;
    let mut rest = rest;
    loop {
        // Passing options such as `-jar` stand for themselves; what follows is the file.
        let kind = |word: &str| interpreter.follows(word);
        rest = command_line::split(rest, kind).1;
        match rest {
            [word, behind @ ..] if interpreter.passes.contains(word) => rest = behind,
            [word, ..] if !interpreter.stops.contains(word) => {
                return interpreter.file(cwd.join(word));
            }
            _ => break,
        }
    }
    interpreter.module(words, cwd)
}

/// `uv run server.py` and `uv run python server.py`, from the folder that uv is told to go to.
fn through_uv(words: &[&str], cwd: &Path) -> Option<PathBuf> {
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
    let first = rest.first()?;
    if is_one(&command_line::program(first)) {
        script(rest, &cwd)
    } else {
        of("python")?.file(cwd.join(first))
    }
}

impl Interpreter {
    /// The file that is run for a path: itself, or the one with which a folder begins.
    fn file(&self, path: PathBuf) -> Option<PathBuf> {
        let inside = self.begins.iter().map(|begin| path.join(begin));
        let mut files = std::iter::once(path.clone()).chain(inside);
        files.find(|file| file.is_file())
    }

    /// The file of the module that is named behind `-m`, if it lies in `cwd`, where it is looked
    /// for before what is installed.
    fn module(&self, words: &[&str], cwd: &Path) -> Option<PathBuf> {
        let option = self.module?;
        let at = words
            .iter()
            .position(|word| word.starts_with('-') && self.follows(word) == Follows::Stop)?;
        let is_module = words[at] == option || words[at].len() > 2 && words[at].ends_with('m');
        let name = words.get(at + 1).filter(|_| is_module)?;
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
        if !name.chars().all(is_of_name) {
            return None;
        }
        let path = cwd.join(name.replace('.', "/"));
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
