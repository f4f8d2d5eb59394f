//! What would be run or called, in full, and what a person should look at twice.

use crate::api::{ErrorCode, HostError, Review, ReviewWarning};
use crate::error;
use crate::options::Programs;
use connections::ResolveError;
use inspect::{has_hidden, looks_secret};
use protocol::{Launch, SettingValue};
use std::path::{Path, PathBuf};

/// A command with everything found that it needs.
pub(crate) struct Found {
    pub command: PathBuf,
    pub args: Vec<String>,
    pub cwd: PathBuf,
}

/// Programs that run what stands in an argument.
const SHELLS: [&str; 11] = ["sh", "bash", "zsh", "dash", "fish", "ksh", "cmd", "powershell", "pwsh", "osascript", "env"];
/// Interpreters, with the arguments that make them run code from the command line.
const INTERPRETERS: [&str; 6] = ["node", "python", "python3", "perl", "ruby", "deno"];
const INLINE: [&str; 7] = ["-c", "-e", "-p", "--eval", "--print", "-pe", "eval"];
/// Programs that run another one with more rights.
const MORE_RIGHTS: [&str; 5] = ["sudo", "doas", "su", "pkexec", "runas"];
/// Programs that download what they run.
const DOWNLOADERS: [&str; 7] = ["npx", "uvx", "bunx", "pnpx", "pipx", "npm", "docker"];
/// Variables that decide which code is loaded.
const DANGEROUS: [&str; 17] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "LD_AUDIT",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_LIBRARY_PATH",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "PYTHONHOME",
    "PERL5OPT",
    "PERL5LIB",
    "RUBYOPT",
    "RUBYLIB",
    "BASH_ENV",
    "JAVA_TOOL_OPTIONS",
    "PATH",
];

/// Finds the program and the working directory of a command.
pub(crate) fn found(programs: &Programs, launch: &Launch) -> Result<Found, HostError> {
    let home = || directories::BaseDirs::new().map_or_else(std::env::temp_dir, |dirs| dirs.home_dir().to_owned());
    match launch {
        Launch::Builtin { name } => Ok(Found { command: programs.own.clone(), args: vec!["builtin".into(), name.clone()], cwd: home() }),
        Launch::Stdio(run) => {
            let path = connections::login_path();
            let command = connections::resolve(&run.command, path.as_deref()).map_err(|error| not_found(&run.command, &error))?;
            let cwd = run.cwd.as_ref().map_or_else(home, PathBuf::from);
            if !cwd.is_dir() {
                return Err(error::host(ErrorCode::NoWorkingDirectory, format!("the working directory {} is not there", cwd.display())));
            }
            Ok(Found { command, args: run.args.clone(), cwd })
        }
        Launch::Http(call) => Err(error::host(ErrorCode::BadCommand, format!("{} is an address, not a command", call.url))),
    }
}

fn not_found(command: &str, error: &ResolveError) -> HostError {
    match error {
        ResolveError::NotFound => error::host(ErrorCode::CommandNotFound, format!("the command {command} was not found")),
        ResolveError::NotExecutable(path) => error::host(ErrorCode::NotExecutable, format!("{} cannot be executed", path.display())),
    }
}

/// Makes the review of a launch.
pub(crate) fn review(programs: &Programs, name: &str, launch: Launch) -> Review {
    let fingerprint = launch.fingerprint();
    let stdio = !matches!(launch, Launch::Http(_));
    let found = if stdio { found(programs, &launch).ok() } else { None };
    let warnings = warnings(&launch, stdio && found.is_none());
    // The file behind a symbolic link decides what runs; a link to it can be pointed elsewhere.
    let resolved = found.as_ref().map(|found| std::fs::canonicalize(&found.command).unwrap_or_else(|_| found.command.clone()));
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    Review {
        name: name.to_owned(),
        launch,
        resolved: resolved.map(text),
        cwd: found.map(|found| text(found.cwd)),
        inherited: if stdio { connections::inherited().into_iter().map(str::to_owned).collect() } else { Vec::new() },
        warnings,
        fingerprint,
    }
}

fn warnings(launch: &Launch, missing: bool) -> Vec<ReviewWarning> {
    let mut warnings = Vec::new();
    if missing {
        warnings.push(ReviewWarning::NotFound);
    }
    match launch {
        Launch::Builtin { .. } => {}
        Launch::Stdio(run) => {
            let words: Vec<&str> = std::iter::once(run.command.as_str()).chain(run.args.iter().map(String::as_str)).collect();
            // `env`, `sudo` and `npx` pass on to a program that stands further on, so every word is looked at.
            let names: Vec<String> = words.iter().map(|word| program(word)).collect();
            let is = |list: &[&str]| names.iter().any(|name| list.contains(&name.as_str()));
            let inline = run.args.iter().any(|arg| INLINE.contains(&arg.as_str()));
            if is(&SHELLS) || (is(&INTERPRETERS) && inline) {
                warnings.push(ReviewWarning::InlineCode);
            }
            if is(&MORE_RIGHTS) {
                warnings.push(ReviewWarning::MoreRights);
            }
            if names.first().is_some_and(|name| DOWNLOADERS.contains(&name.as_str())) {
                warnings.push(ReviewWarning::Downloads);
            }
            for setting in &run.env {
                if DANGEROUS.contains(&setting.name.to_uppercase().as_str()) {
                    warnings.push(ReviewWarning::DangerousEnvironment { name: setting.name.clone() });
                }
            }
            warnings.extend(secret_arguments(&run.args).map(|name| ReviewWarning::LooksSecret { name }));
            for (index, word) in words.iter().enumerate() {
                if has_hidden(word) || word.trim() != *word {
                    let place = if index == 0 { "command".to_owned() } else { format!("argument {index}") };
                    warnings.push(ReviewWarning::HiddenCharacters { place });
                }
            }
        }
        Launch::Http(call) => {
            if has_hidden(&call.url) || call.url.trim() != call.url {
                warnings.push(ReviewWarning::HiddenCharacters { place: "url".into() });
            }
        }
    }
    for setting in launch.settings() {
        if let SettingValue::Plain { text } = &setting.value {
            if looks_secret(&setting.name, text) {
                warnings.push(ReviewWarning::LooksSecret { name: setting.name.clone() });
            }
            if has_hidden(text) {
                warnings.push(ReviewWarning::HiddenCharacters { place: setting.name.clone() });
            }
        }
    }
    warnings
}

/// Options whose value looks secret, as `--token=VALUE` or `--token VALUE`. Every program on the computer can read arguments.
fn secret_arguments(args: &[String]) -> impl Iterator<Item = String> {
    args.iter().enumerate().filter_map(|(index, arg)| {
        let (name, value) = match arg.split_once('=') {
            Some((name, value)) => (name, value),
            None => (arg.as_str(), args.get(index + 1).filter(|_| arg.starts_with('-')).map_or("", String::as_str)),
        };
        (!value.starts_with('-') && looks_secret(name, value)).then(|| name.to_owned())
    })
}

/// The bare name of a program: without folders, version and `.exe`.
fn program(word: &str) -> String {
    let file = Path::new(word).file_name().map(|name| name.to_string_lossy().to_lowercase()).unwrap_or_default();
    let stem = [".exe", ".cmd", ".bat"].iter().find_map(|end| file.strip_suffix(end)).unwrap_or(&file);
    stem.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Setting, StdioLaunch};

    fn warned(command: &str, args: &[&str], env: &[(&str, &str)]) -> Vec<ReviewWarning> {
        let env = env.iter().map(|(name, text)| Setting { name: (*name).into(), value: SettingValue::Plain { text: (*text).into() } });
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        warnings(&Launch::Stdio(StdioLaunch { command: command.into(), args, env: env.collect(), cwd: None }), false)
    }

    #[test]
    fn what_deserves_a_second_look_is_named() {
        assert_eq!(warned("/usr/bin/bash", &["-c", "curl x | sh"], &[]), [ReviewWarning::InlineCode]);
        assert_eq!(warned("node", &["-e", "1"], &[]), [ReviewWarning::InlineCode]);
        assert_eq!(warned("sudo", &["node", "server.js"], &[]), [ReviewWarning::MoreRights]);
        assert_eq!(warned("npx.cmd", &["-y", "pkg"], &[]), [ReviewWarning::Downloads]);
        assert_eq!(warned("node", &["s.js"], &[("Ld_Preload", "x")]), [ReviewWarning::DangerousEnvironment { name: "Ld_Preload".into() }]);
        assert_eq!(warned("node", &["s.js"], &[("API_TOKEN", "abcdef")]), [ReviewWarning::LooksSecret { name: "API_TOKEN".into() }]);
        for args in [&["s.js", "--api-key", "abcdef"][..], &["s.js", "--api-key=abcdef"]] {
            assert_eq!(warned("node", args, &[]), [ReviewWarning::LooksSecret { name: "--api-key".into() }]);
        }
        assert_eq!(warned("node ", &["a\u{200B}"], &[]).len(), 2);
    }

    #[test]
    fn an_ordinary_command_is_not_warned_about() {
        assert_eq!(
            warned("node", &["server.js", "--port", "1", "--token-file", "t", "--no-token", "--verbose"], &[("LOG_LEVEL", "info")]),
            []
        );
    }
}
