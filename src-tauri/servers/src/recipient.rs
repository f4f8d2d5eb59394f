//! Who gets what a launch hands over: the program, package, script or image that runs, or the
//! origin that is called.
//!
//! Always true here:
//! - a secret that was given to one recipient is never handed to another; it has to be entered
//!   again for that one;
//! - where it cannot be told which words of a command decide what runs, all of them do.

use crate::identity;
use crate::review::loads_code;
use protocol::{Launch, Setting, SettingValue, StdioLaunch};
use std::path::Path;
use url::Url;

/// Whether both launches hand what they hand over to the same recipient.
pub(crate) fn is_the_same(before: &Launch, now: &Launch) -> bool {
    match (before, now) {
        (Launch::Stdio(before), Launch::Stdio(now)) => of(before) == of(now),
        (Launch::Http(before), Launch::Http(now)) => {
            origin(&before.url).is_some_and(|origin_before| origin(&now.url) == Some(origin_before))
        }
        _ => before == now,
    }
}

/// Everything of a command that decides which program gets its environment.
fn of(run: &StdioLaunch) -> (Vec<&str>, Option<&str>, Vec<(&str, &str)>) {
    let line: Vec<&str> = std::iter::once(run.command.as_str())
        .chain(run.args.iter().map(String::as_str))
        .collect();
    let cwd = Path::new(run.cwd.as_deref().unwrap_or_default());
    let decide = identity::words_that_decide(&line, cwd).min(line.len());
    let loading = run.env.iter().filter_map(loads).collect();
    (line[..decide].to_vec(), run.cwd.as_deref(), loading)
}

/// A setting that decides which code is loaded.
fn loads(setting: &Setting) -> Option<(&str, &str)> {
    match &setting.value {
        SettingValue::Plain { text } if loads_code::loads_code(&setting.name) => {
            Some((&setting.name, text))
        }
        _ => None,
    }
}

fn origin(url: &str) -> Option<String> {
    Url::parse(url)
        .ok()
        .map(|url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(line: &str) -> Launch {
        let mut words = line.split(' ').map(str::to_owned);
        Launch::Stdio(StdioLaunch {
            command: words.next().unwrap(),
            args: words.collect(),
            env: Vec::new(),
            cwd: None,
        })
    }

    #[track_caller]
    fn same(before: &str, now: &str) -> bool {
        is_the_same(&run(before), &run(now))
    }

    #[test]
    fn a_package_keeps_its_secret_whatever_it_is_told() {
        assert!(same(
            "npx -y @acme/files /home/ann",
            "npx -y @acme/files /home/ann /srv"
        ));
        assert!(same("uvx mcp-time", "uvx mcp-time --zone UTC"));
        assert!(same(
            "docker run -i acme/db",
            "docker run -i acme/db --verbose"
        ));
        assert!(same("/opt/acme/server --one", "/opt/acme/server --two"));
    }

    #[test]
    fn another_package_registry_image_or_program_has_no_secret_yet() {
        assert!(!same("npx -y @acme/files", "npx -y @evil/files"));
        assert!(!same(
            "npx -y files",
            "npx --registry=https://evil.example -y files"
        ));
        assert!(!same(
            "docker run -i acme/db",
            "docker run -i -v /:/x acme/db"
        ));
        assert!(!same("docker run -i acme/db", "docker run -i evil/db"));
        assert!(!same("/opt/acme/server", "/tmp/server"));
    }

    #[test]
    fn code_on_the_command_line_is_another_recipient() {
        assert!(!same("node -e one()", "node -e two()"));
        assert!(!same("sh -c one", "sh -c two"));
        assert!(!same("env A=1 server", "env A=1 LD_PRELOAD=x server"));
    }

    #[test]
    fn a_setting_that_loads_code_makes_another_recipient() {
        let before = run("/opt/acme/server");
        let Launch::Stdio(mut now) = before.clone() else {
            unreachable!()
        };
        now.env.push(Setting {
            name: "NODE_OPTIONS".into(),
            value: SettingValue::Plain {
                text: "--require /tmp/x.js".into(),
            },
        });
        assert!(!is_the_same(&before, &Launch::Stdio(now)));
    }
}
