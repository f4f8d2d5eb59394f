//! `majordomoctl servers add …`

use super::absolute;
use crate::args::AddServer;
use crate::link::Link;
use crate::{input, print};
use api::{
    AddServer as Add, DraftPem, DraftSetting, DraftTarget, DraftValue, ErrorCode, HostError,
    KeepSecrets, ServerDraft,
};
use protocol::{ConfinementSettings, Secret};
use std::io::BufRead as _;
use std::path::PathBuf;

/// Keeps a new server, switched off.
pub(super) async fn run(link: &Link, wanted: AddServer, json: bool) -> Result<(), HostError> {
    let draft = draft(wanted)?;
    let view = link.ask(Add { draft }).await?;
    if json {
        print::json(&view);
    }
    let name = &view.id;
    print::note(format_args!(
        "Added {name}, switched off. Next: majordomoctl servers review {name}"
    ));
    Ok(())
}

/// What to do with secrets where there is no keyring.
pub(super) fn keep(session: bool) -> KeepSecrets {
    if session {
        KeepSecrets::Session
    } else {
        KeepSecrets::Keyring
    }
}

fn draft(add: AddServer) -> Result<ServerDraft, HostError> {
    let keep = keep(add.session);
    let target = match add.url {
        Some(url) => DraftTarget::Http {
            url,
            headers: settings(add.header, add.secret_header, false)?,
            authority: pem(add.authority)?,
            certificate: pem(add.certificate)?,
            key: pem(add.key)?,
        },
        None => {
            let mut words = add.command.into_iter();
            DraftTarget::Stdio {
                command: words.next().unwrap_or_default(),
                args: words.collect(),
                env: settings(add.env, add.secret_env, true)?,
                cwd: add.cwd,
            }
        }
    };
    Ok(ServerDraft {
        confinement: add.no_sandbox.then(|| ConfinementSettings {
            confined: false,
            ..ConfinementSettings::default()
        }),
        name: add.name,
        target,
        keep,
    })
}

fn pem(file: Option<PathBuf>) -> Result<Option<DraftPem>, HostError> {
    let path = file.as_deref().map(absolute).transpose()?;
    Ok(path.map(|path| DraftPem::File { path }))
}

fn settings(
    plain: Vec<String>,
    secret: Vec<String>,
    from_environment: bool,
) -> Result<Vec<DraftSetting>, HostError> {
    let mut settings = Vec::new();
    for pair in plain {
        let (name, text) = pair.split_once('=').ok_or_else(|| {
            HostError::of(
                ErrorCode::BadSetting,
                format!("{pair:?} has no '='; write NAME=VALUE"),
            )
        })?;
        settings.push(DraftSetting {
            name: name.to_owned(),
            value: DraftValue::Plain {
                text: text.to_owned(),
            },
        });
    }
    for name in secret {
        let value = secret_value(&name, from_environment)?;
        settings.push(DraftSetting {
            name,
            value: DraftValue::NewSecret { value },
        });
    }
    Ok(settings)
}

/// The value of a secret: never from an argument, which every program on this computer could read.
pub(super) fn secret_value(name: &str, from_environment: bool) -> Result<Secret, HostError> {
    if let Some(value) = from_environment.then(|| std::env::var(name).ok()).flatten() {
        return Ok(Secret::new(value));
    }
    let unread = |problem: std::io::Error| {
        HostError::of(
            ErrorCode::BadSetting,
            format!(
                "no value for {name}: {problem}; type it when asked, or pass it on standard input"
            ),
        )
    };
    if input::interactive() {
        return input::ask_secret(&format!("Value of {name} (not shown)")).map_err(unread);
    }
    let mut line = String::new();
    input::piped().read_line(&mut line).map_err(unread)?;
    let value = line.trim_end_matches(['\n', '\r']);
    if value.is_empty() {
        return Err(unread(std::io::ErrorKind::UnexpectedEof.into()));
    }
    Ok(Secret::new(value.to_owned()))
}
