//! Which package a package runner is told to run. What is read here is a hint on where to look:
//! what really runs is told by the running process.

use super::command_line::{self, Follows};

/// The programs whose command lines are read here, and those that may stand in their place in a
/// list of processes.
const RUNNERS: [&str; 10] = [
    "npx", "npm", "pnpm", "pnpx", "yarn", "bunx", "uvx", "uv", "pipx", "corepack",
];

/// Options of npm whose value is the next word. The others that may stand in a command are
/// switches.
const NPM_VALUES: [&str; 13] = [
    "-p",
    "--package",
    "--cache",
    "--userconfig",
    "--globalconfig",
    "--registry",
    "--loglevel",
    "--prefix",
    "-C",
    "-w",
    "--workspace",
    "--script-shell",
    "--before",
];

/// Options of uv that take no value. It has five times as many that do.
const UV_SWITCHES: [&str; 39] = [
    "-U",
    "--upgrade",
    "--reinstall",
    "-n",
    "--no-cache",
    "--offline",
    "-q",
    "--quiet",
    "-v",
    "--verbose",
    "--isolated",
    "--native-tls",
    "--system-certs",
    "--no-config",
    "--no-progress",
    "--no-index",
    "--managed-python",
    "--no-managed-python",
    "--no-python-downloads",
    "--refresh",
    "--no-build",
    "--no-binary",
    "--no-sources",
    "--no-build-isolation",
    "--no-env-file",
    "--compile-bytecode",
    "--frozen",
    "--locked",
    "--no-sync",
    "--active",
    "--exact",
    "--no-dev",
    "--all-extras",
    "--all-groups",
    "--no-project",
    "--no-editable",
    "--lfs",
    "--script",
    "-s",
];

/// A package runner's family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Runner {
    /// npm's: what it downloads lies in a folder whose name can be told from the command line.
    Npm,
    /// Those whose folders can only be told while they run.
    Other,
}

/// What a package runner is asked to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub runner: Runner,
    /// As written: `@scope/name@1.2`, `name==1.2`, `git+https://…`. Empty if it could not be told.
    pub specs: Vec<String>,
    /// The folder of packages that is named on the command line.
    pub cache: Option<String>,
}

/// Whether a program of this bare name downloads and runs packages.
pub(super) fn is_runner(program: &str) -> bool {
    RUNNERS.contains(&program)
}

/// What this command line asks a package runner for; none if it runs no package.
pub(super) fn asked(line: &[&str]) -> Option<Asked> {
    let (first, rest) = line.split_first()?;
    match (command_line::program(first).as_str(), rest) {
        ("npx", rest) => Some(npm(rest)),
        ("npm", rest) => behind(rest, npm_option, &["exec", "x"]).map(npm),
        ("pnpx" | "bunx", rest) | ("bun", ["x", rest @ ..]) => {
            Some(other(rest, npm_option, "--package"))
        }
        ("pnpm" | "yarn", rest) => {
            behind(rest, npm_option, &["dlx"]).map(|rest| other(rest, npm_option, "--package"))
        }
        ("uvx", rest) => Some(other(rest, uv_option, "--from")),
        ("uv", rest) => {
            let rest = behind(rest, uv_option, &["tool", "x"])?;
            behind(rest, uv_option, &["run"]).map(|rest| other(rest, uv_option, "--from"))
        }
        ("pipx", rest) => {
            behind(rest, uv_option, &["run"]).map(|rest| other(rest, uv_option, "--spec"))
        }
        _ => None,
    }
}

/// The words that have the same runner download the same packages and run nothing of them but an
/// interpreter that does nothing; none if it runs no package, or that cannot be said.
pub(super) fn download(line: &[&str]) -> Option<Vec<String>> {
    let asked = asked(line)?;
    let first = *line.first()?;
    let program = command_line::program(first);
    let commands: &[&str] = match program.as_str() {
        "npx" | "uvx" => &[],
        "npm" => &["exec", "x"],
        "pnpm" => &["dlx"],
        "uv" => &["tool", "run", "x"],
        _ => return None,
    };
    let is_node = !program.starts_with("uv");
    let kind = if is_node { npm_option } else { uv_option };
    let runs = if is_node {
        ["node", "-e", "0"]
    } else {
        ["python", "-c", "0"]
    };
    let from = if is_node { "--package" } else { "--from" };
    let specs = asked.specs.iter().filter(|spec| !spec.is_empty());
    let specs: Vec<String> = specs.map(|spec| format!("{from}={spec}")).collect();
    // What stands before the package: options, and the words of the command.
    let (mut rest, mut before) = (&line[1..], vec![first.to_owned()]);
    loop {
        let (options, behind) = command_line::split(rest, kind);
        let consumed = rest.len() - behind.len();
        let named = |name: &str| matches!(name, "-p" | "--package" | "--from" | "--call" | "-c");
        for (name, value) in options.into_iter().filter(|(name, _)| !named(name)) {
            before.push(name.to_owned());
            before.extend(value.map(str::to_owned));
        }
        match behind.split_first() {
            Some((word, more)) if consumed < rest.len() && commands.contains(word) => {
                before.push((*word).to_owned());
                rest = more;
            }
            _ => break,
        }
    }
    if specs.is_empty() {
        return None;
    }
    let dashes = is_node.then(|| "--".to_owned());
    Some(
        before
            .into_iter()
            .chain(specs)
            .chain(dashes)
            .chain(runs.map(str::to_owned))
            .collect(),
    )
}

/// The words behind a command of the runner.
fn behind<'a>(
    words: &'a [&'a str],
    kind: impl Fn(&str) -> Follows,
    commands: &[&str],
) -> Option<&'a [&'a str]> {
    match command_line::split(words, kind).1 {
        [first, rest @ ..] if commands.contains(first) => Some(rest),
        _ => None,
    }
}

fn npm(words: &[&str]) -> Asked {
    let (options, rest) = command_line::split(words, npm_option);
    let named = |names: &[&str]| {
        options
            .iter()
            .filter(|(name, _)| names.contains(name))
            .filter_map(|(_, value)| *value)
            .map(str::to_owned)
            .collect()
    };
    let mut specs: Vec<String> = named(&["-p", "--package"]);
    if specs.is_empty() {
        specs.extend(rest.first().map(|word| (*word).to_owned()));
    }
    let mut caches: Vec<String> = named(&["--cache"]);
    Asked {
        runner: Runner::Npm,
        specs,
        cache: caches.pop(),
    }
}

fn other(words: &[&str], kind: impl Fn(&str) -> Follows, from: &str) -> Asked {
    let (options, rest) = command_line::split(words, kind);
    let named = options
        .iter()
        .find(|(name, _)| *name == from || (from == "--package" && *name == "-p"))
        .and_then(|(_, value)| *value);
    let spec = named.or(rest.first().copied());
    Asked {
        runner: Runner::Other,
        specs: spec.map(str::to_owned).into_iter().collect(),
        cache: None,
    }
}

fn npm_option(word: &str) -> Follows {
    match word {
        "-c" | "--call" => Follows::Stop,
        word if NPM_VALUES.contains(&word) => Follows::Value,
        _ => Follows::Nothing,
    }
}

pub(super) fn uv_option(word: &str) -> Follows {
    let attached = !word.starts_with("--") && word.len() > 2;
    if attached || UV_SWITCHES.contains(&word) {
        Follows::Nothing
    } else {
        Follows::Value
    }
}

impl Asked {
    /// The name of the package that was asked for first, without its version; none if it is an
    /// address or a folder.
    pub(super) fn name(&self) -> Option<&str> {
        let spec = self.specs.first()?;
        let scope = spec.strip_prefix('@').map_or(0, |rest| {
            1 + rest.find('/').map_or(rest.len(), |slash| slash + 1)
        });
        let end = spec[scope..]
            .find(['@', '=', '<', '>', '~', '!', '[', ' ', ';'])
            .map_or(spec.len(), |end| scope + end);
        let name = &spec[..end];
        let plain = |part: &str| {
            !part.is_empty() && !part.starts_with('.') && !part.contains(['/', '\\', ':', '+'])
        };
        let part = if scope > 0 { name.get(scope..)? } else { name };
        (plain(part)).then_some(name)
    }

    /// Whether nothing but a name was written, so that any version that is installed will do.
    pub(super) fn is_bare(&self) -> bool {
        self.specs.len() == 1 && self.name() == self.specs.first().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(line: &str) -> Option<Vec<String>> {
        asked(&line.split(' ').collect::<Vec<_>>()).map(|asked| asked.specs)
    }

    #[test]
    fn what_is_asked_for_is_found_behind_options() {
        for (line, expected) in [
            ("npx -y @a/b@1.2 --port 1", &["@a/b@1.2"][..]),
            ("npx --yes --registry=http://r -- name -p x", &["name"]),
            ("npx -p a --package=b cmd", &["a", "b"]),
            ("npx.cmd --cache /c name", &["name"]),
            ("npm --silent exec -y name", &["name"]),
            ("npx -c code", &[]),
            ("npx", &[]),
            ("pnpm dlx name", &["name"]),
            ("bunx -p name cmd", &["name"]),
            ("bun x name", &["name"]),
            ("uvx name", &["name"]),
            ("uvx --python 3.12 -q name==1 --flag", &["name==1"]),
            (
                "uvx --from git+https://h/r --with x cmd",
                &["git+https://h/r"],
            ),
            ("uv --offline tool run --from=name cmd", &["name"]),
            ("pipx run --spec name cmd", &["name"]),
        ] {
            assert_eq!(
                specs(line).as_deref(),
                Some(
                    expected
                        .iter()
                        .map(|spec| (*spec).to_owned())
                        .collect::<Vec<_>>()
                        .as_slice()
                ),
                "{line}"
            );
        }
        for line in [
            "npm start",
            "uv run x.py",
            "node npx",
            "pipx list",
            "bun run x",
            "my-server",
        ] {
            assert_eq!(specs(line), None, "{line}");
        }
    }

    #[test]
    fn what_is_run_is_downloaded_first_by_the_same_runner() {
        let words = |line: &str| {
            download(&line.split(' ').collect::<Vec<_>>()).map(|words| words.join(" "))
        };
        for (line, expected) in [
            (
                "npx -y @a/b@1.2 /data --port 1",
                "npx -y --package=@a/b@1.2 -- node -e 0",
            ),
            (
                "npx --registry http://r -p a --package=b cmd",
                "npx --registry http://r --package=a --package=b -- node -e 0",
            ),
            (
                "npm exec -y name -- --x",
                "npm exec -y --package=name -- node -e 0",
            ),
            ("uvx name==1 --flag", "uvx --from=name==1 python -c 0"),
            (
                "uvx --python 3.12 --from git+https://h/r --with x cmd",
                "uvx --python 3.12 --with x --from=git+https://h/r python -c 0",
            ),
            ("uv tool run name", "uv tool run --from=name python -c 0"),
        ] {
            assert_eq!(words(line).as_deref(), Some(expected), "{line}");
        }
        for line in [
            "npx",
            "npx -c code",
            "uv run x.py",
            "node x.js",
            "bunx name",
        ] {
            assert_eq!(words(line), None, "{line}");
        }
    }

    #[test]
    fn a_name_is_told_from_its_version_and_from_an_address() {
        for (spec, name) in [
            ("a", Some("a")),
            ("a@1", Some("a")),
            ("@s/a", Some("@s/a")),
            ("@s/a@latest", Some("@s/a")),
            ("a[x]==1", Some("a")),
            ("a>=1", Some("a")),
            ("git+https://h/r", None),
            ("./a", None),
            ("/a/b", None),
            ("user/repo", None),
            ("@s", None),
            ("@", None),
            ("", None),
            ("@s/é@1", Some("@s/é")),
        ] {
            let asked = Asked {
                runner: Runner::Npm,
                specs: vec![spec.to_owned()],
                cache: None,
            };
            assert_eq!(asked.name(), name, "{spec}");
            assert_eq!(asked.is_bare(), name == Some(spec), "{spec}");
        }
    }
}
