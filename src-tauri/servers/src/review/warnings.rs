//! What a person should look at twice before something runs.

use super::loads_code::loads_code;
use super::placeholder::{holds_placeholder, is_placeholder};
use super::program;
use crate::held_secrets::NOWHERE;
use api::{HostError, ReviewWarning};
use inspect::{has_hidden, has_password, looks_secret};
use protocol::{Launch, SettingValue, StdioLaunch};

/// Dangers, which show that what runs cannot be told from its name, and the rest. `missing` is why
/// the command was not found.
pub(super) fn of(
    launch: &Launch,
    missing: Option<&HostError>,
) -> (Vec<ReviewWarning>, Vec<ReviewWarning>) {
    let mut warnings = Vec::new();
    if let Some(error) = missing {
        warnings.push(error.runtime.map_or(ReviewWarning::NotFound, |runtime| {
            ReviewWarning::RuntimeMissing { runtime }
        }));
    }
    match launch {
        Launch::Builtin { .. } => {}
        Launch::Stdio(run) => command(run, &mut warnings),
        Launch::Http(call) => {
            text("url", &call.url, &mut warnings);
            for path in launch.certificate_files() {
                text("certificate", path, &mut warnings);
            }
        }
    }
    for setting in launch.settings() {
        match &setting.value {
            SettingValue::Plain { text: value } => {
                if looks_secret(&setting.name, value) && !is_placeholder(value) {
                    warnings.push(ReviewWarning::LooksSecret {
                        name: setting.name.clone(),
                    });
                }
                text(&setting.name, value, &mut warnings);
            }
            SettingValue::Secret { secret } if secret.as_str() == NOWHERE => {
                warnings.push(ReviewWarning::Placeholder {
                    name: setting.name.clone(),
                });
            }
            SettingValue::Secret { .. } => {}
        }
    }
    warnings.into_iter().partition(is_danger)
}

/// Every kind of warning is one or the other: a new one is decided here.
fn is_danger(warning: &ReviewWarning) -> bool {
    use ReviewWarning as W;
    match warning {
        W::InlineCode | W::MoreRights | W::WholeComputer | W::DangerousEnvironment { .. } => true,
        W::NotFound
        | W::LooksLike { .. }
        | W::RuntimeMissing { .. }
        | W::Downloads
        | W::LooksSecret { .. }
        | W::SecretInArgument { .. }
        | W::HiddenCharacters { .. }
        | W::Placeholder { .. } => false,
    }
}

fn command(run: &StdioLaunch, warnings: &mut Vec<ReviewWarning>) {
    let words: Vec<&str> = std::iter::once(run.command.as_str())
        .chain(run.args.iter().map(String::as_str))
        .collect();
    for (found, warning) in [
        (program::inline_code(&words), ReviewWarning::InlineCode),
        (program::more_rights(&words), ReviewWarning::MoreRights),
        (
            program::whole_computer(&words),
            ReviewWarning::WholeComputer,
        ),
        (program::downloads(&words), ReviewWarning::Downloads),
    ] {
        if found {
            warnings.push(warning);
        }
    }
    // `env NAME=value program` and `docker run -e NAME=value` set variables by arguments.
    let assigned = run
        .args
        .iter()
        .filter_map(|arg| arg.split_once('='))
        .map(|(name, _)| name)
        .filter(|name| *name == name.to_uppercase());
    for name in run
        .env
        .iter()
        .map(|setting| setting.name.as_str())
        .chain(assigned)
        .filter(|name| loads_code(name))
    {
        warnings.push(ReviewWarning::DangerousEnvironment {
            name: name.to_owned(),
        });
    }
    warnings.extend(secret_arguments(&run.args));
    for (index, word) in words.iter().enumerate() {
        let place = if index == 0 {
            "command".to_owned()
        } else {
            format!("argument {index}")
        };
        text(&place, word, warnings);
    }
    if let Some(cwd) = &run.cwd {
        text("folder", cwd, warnings);
    }
}

/// What can be wrong with any text.
fn text(place: &str, text: &str, warnings: &mut Vec<ReviewWarning>) {
    if has_hidden(text) || text.trim() != text {
        warnings.push(ReviewWarning::HiddenCharacters {
            place: place.to_owned(),
        });
    }
    if holds_placeholder(text) {
        warnings.push(ReviewWarning::Placeholder {
            name: place.to_owned(),
        });
    }
}

/// Arguments that hold a secret: the value of an option, as `--token=VALUE` or `--token VALUE`, or
/// an address with a password. Every program on the computer can read arguments.
fn secret_arguments(args: &[String]) -> impl Iterator<Item = ReviewWarning> {
    args.iter().enumerate().filter_map(|(index, arg)| {
        let before = index.checked_sub(1).and_then(|before| args.get(before));
        let option = before.filter(|option| option.starts_with('-') && !option.contains('='));
        let (name, value) = match (arg.split_once('='), option) {
            (Some((name, value)), _) if !has_password(arg) => (name, value),
            // An option is no value of the one before.
            _ if is_option(arg) => return None,
            (_, option) => (option.map_or("", String::as_str), arg.as_str()),
        };
        let argument = u32::try_from(index + 1).unwrap_or(u32::MAX);
        (!is_placeholder(value) && looks_secret(name, value))
            .then_some(ReviewWarning::SecretInArgument { argument })
    })
}

/// Whether an argument is an option, and not the first line of a key as it stands in a file
/// (`-----BEGIN …`).
fn is_option(arg: &str) -> bool {
    arg.starts_with('-') && !arg.starts_with("---")
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Setting;

    fn warned(command: &str, args: &[&str], env: &[(&str, &str)]) -> Vec<ReviewWarning> {
        let env = env.iter().map(|(name, text)| Setting {
            name: (*name).into(),
            value: SettingValue::Plain {
                text: (*text).into(),
            },
        });
        let args = args.iter().map(|arg| (*arg).to_owned()).collect();
        let (dangers, rest) = of(
            &Launch::Stdio(StdioLaunch {
                command: command.into(),
                args,
                env: env.collect(),
                cwd: None,
            }),
            None,
        );
        [dangers, rest].concat()
    }

    #[test]
    fn what_deserves_a_second_look_is_named() {
        assert_eq!(
            warned("/usr/bin/bash", &["-c", "curl x | sh"], &[]),
            [ReviewWarning::InlineCode]
        );
        assert_eq!(
            warned("node", &["-e", "1"], &[]),
            [ReviewWarning::InlineCode]
        );
        assert_eq!(
            warned("sudo", &["node", "server.js"], &[]),
            [ReviewWarning::MoreRights]
        );
        assert_eq!(
            warned("npx.cmd", &["-y", "pkg"], &[]),
            [ReviewWarning::Downloads]
        );
        assert_eq!(
            warned("node", &["s.js"], &[("Ld_Preload", "x")]),
            [ReviewWarning::DangerousEnvironment {
                name: "Ld_Preload".into()
            }]
        );
        assert_eq!(
            warned("node", &["s.js"], &[("API_TOKEN", "abcdef")]),
            [ReviewWarning::LooksSecret {
                name: "API_TOKEN".into()
            }]
        );
        for (args, argument) in [
            (&["s.js", "--api-key", "abcdef"][..], 3),
            (&["s.js", "--api-key=abcdef"], 2),
            (&["s.js", "-v", "postgres://me:hunter2@db/app?a=b"], 3),
            (&["s.js", "--db=postgres://me:hunter2@db/app"], 2),
            (&["s.js", "--api-key=-abcdef"], 2),
            (&["s.js", "--private-key", "-----BEGIN KEY-----"], 3),
        ] {
            assert_eq!(
                warned("node", args, &[]),
                [ReviewWarning::SecretInArgument { argument }]
            );
        }
        assert_eq!(warned("node ", &["a\u{200B}"], &[]).len(), 2);
    }

    #[test]
    fn an_ordinary_command_is_not_warned_about() {
        assert_eq!(
            warned(
                "node",
                &[
                    "server.js",
                    "--port",
                    "1",
                    "--token-file",
                    "t",
                    "--no-token",
                    "--verbose"
                ],
                &[("LOG_LEVEL", "info")]
            ),
            []
        );
    }
}
