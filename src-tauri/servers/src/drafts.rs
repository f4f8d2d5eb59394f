//! Turns what a person filled in into what is kept: names checked, secrets moved to the keyring.

mod certificates;

use crate::held_secrets::NOWHERE;
use crate::{Servers, confinement, error, held_secrets, recipient};
use api::{DraftSetting, DraftTarget, DraftValue, ErrorCode, HostError, KeepSecrets};
use protocol::{
    ConfinementSettings, HttpLaunch, Launch, Secret, SecretId, Setting, SettingValue, StdioLaunch,
};
use std::path::Path;
use store::Keep;
use url::Url;

/// Where the values of new secrets go.
pub enum Secrets<'a> {
    /// Nowhere: the launch is only looked at.
    Look,
    /// To the keyring, or where the person wants them without one.
    Store(&'a Servers, KeepSecrets),
}

/// Makes a launch of a draft. `before` is what an edited server has kept so far.
///
/// Fails with `secret_elsewhere` where a secret that is kept would go to another recipient than the
/// one that it was given for.
pub async fn launch(
    target: DraftTarget,
    before: Option<&Launch>,
    secrets: Secrets<'_>,
) -> Result<Launch, HostError> {
    let launch = made(target, before, &secrets).await?;
    let Some(before) = before else {
        return Ok(launch);
    };
    let is_kept = |secret: &&SecretId| before.secrets().any(|kept| kept == *secret);
    if launch.secrets().any(|secret| is_kept(&secret)) && !recipient::is_the_same(before, &launch) {
        let new = launch.secrets().filter(|secret| !is_kept(secret));
        secrets.take_back(new).await;
        return Err(error::host(
            ErrorCode::SecretElsewhere,
            "a secret that is kept goes only to the command, package or origin that it was given for",
        ));
    }
    Ok(launch)
}

async fn made(
    target: DraftTarget,
    before: Option<&Launch>,
    secrets: &Secrets<'_>,
) -> Result<Launch, HostError> {
    // Those of a configuration did not come with the request.
    target.check()?;
    match target {
        DraftTarget::Stdio {
            command,
            args,
            env,
            cwd,
        } => {
            check_command(&command, &args)?;
            if let Some(cwd) = cwd.as_deref().filter(|cwd| !Path::new(cwd).is_absolute()) {
                return Err(error::host(
                    ErrorCode::BadPath,
                    format!("the working folder {cwd:?} is not an absolute path"),
                ));
            }
            let env = settings(env, before, secrets, check_variable).await?;
            Ok(Launch::Stdio(StdioLaunch {
                command,
                args,
                env,
                cwd,
            }))
        }
        DraftTarget::Http {
            url,
            headers,
            authority,
            certificate,
            key,
        } => {
            let url = check_url(&url)?;
            let drafted = certificates::Drafted::of(authority, certificate, key, before)?;
            let headers = settings(headers, before, secrets, check_header).await?;
            match drafted.keep(secrets).await {
                Ok((authority, identity)) => Ok(Launch::Http(HttpLaunch {
                    url,
                    headers,
                    authority,
                    identity,
                })),
                Err(error) => {
                    secrets.forget(&headers, before).await;
                    Err(error)
                }
            }
        }
    }
}

/// What a draft says that a server may touch, with paths as they really lie; `before` is what it may
/// touch so far. Nothing protected is accepted here.
///
/// # Errors
/// `bad_path`, `protected_path`.
pub fn confinement(
    servers: &Servers,
    draft: Option<ConfinementSettings>,
    before: &ConfinementSettings,
) -> Result<ConfinementSettings, HostError> {
    let Some(mut settings) = draft else {
        return Ok(before.clone());
    };
    settings.paths = confinement::checked_paths(servers, settings.paths, before, false)?;
    Ok(settings)
}

async fn settings(
    drafts: Vec<DraftSetting>,
    before: Option<&Launch>,
    secrets: &Secrets<'_>,
    check: fn(&str) -> Result<(), String>,
) -> Result<Vec<Setting>, HostError> {
    // All of them are checked before the first secret is kept, so that a mistake leaves nothing
    // behind.
    let mut names = Vec::new();
    for draft in &drafts {
        check(&draft.name).map_err(|problem| error::host(ErrorCode::BadSetting, problem))?;
        if names.contains(&draft.name.to_lowercase()) {
            return Err(error::host(
                ErrorCode::BadSetting,
                format!("{} is there twice", draft.name),
            ));
        }
        names.push(draft.name.to_lowercase());
        match &draft.value {
            DraftValue::NewSecret { value } => held_secrets::check_length(&draft.name, value)?,
            DraftValue::Plain { text } if text.contains('\0') => {
                return Err(error::host(
                    ErrorCode::BadSetting,
                    format!("the value of {} holds a null character", draft.name),
                ));
            }
            DraftValue::Plain { .. } | DraftValue::KeptSecret | DraftValue::EmptySecret => {}
        }
    }
    let mut settings = Vec::new();
    for draft in drafts {
        let value = match draft.value {
            DraftValue::Plain { text } => Ok(SettingValue::Plain { text }),
            DraftValue::NewSecret { value } => secrets
                .put(value)
                .await
                .map(|secret| SettingValue::Secret { secret }),
            DraftValue::KeptSecret => {
                stored_secret(before, &draft.name).map(|secret| SettingValue::Secret { secret })
            }
            DraftValue::EmptySecret => Ok(SettingValue::Secret {
                secret: SecretId::from(NOWHERE),
            }),
        };
        match value {
            Ok(value) => settings.push(Setting {
                name: draft.name,
                value,
            }),
            Err(error) => {
                secrets.forget(&settings, before).await;
                return Err(error);
            }
        }
    }
    Ok(settings)
}

impl Secrets<'_> {
    async fn put(&self, value: Secret) -> Result<SecretId, HostError> {
        match self {
            Self::Look => Ok(SecretId::from("secret-new")),
            Self::Store(servers, keep) => {
                let keep = if *keep == KeepSecrets::Session {
                    Keep::Session
                } else {
                    Keep::Keyring
                };
                let id = servers.store().vault().put(&value, keep).await?;
                servers.secrets().hold(id.clone(), value);
                Ok(id)
            }
        }
    }

    /// Takes back what was put for settings that are not kept after all; what was there before
    /// stays.
    async fn forget(&self, settings: &[Setting], before: Option<&Launch>) {
        let put = settings.iter().filter_map(|setting| match &setting.value {
            SettingValue::Secret { secret } => Some(secret),
            SettingValue::Plain { .. } => None,
        });
        self.take_back(
            put.filter(|put| before.is_none_or(|before| before.secrets().all(|kept| kept != *put))),
        )
        .await;
    }

    async fn take_back<'b>(&self, secrets: impl Iterator<Item = &'b SecretId>) {
        let Self::Store(servers, _) = self else {
            return;
        };
        for secret in secrets {
            if let Err(problem) = servers.store().vault().remove(secret).await {
                tracing::warn!(%secret, %problem, "a secret that is not kept after all is still in the keyring");
            }
        }
    }
}

fn stored_secret(before: Option<&Launch>, name: &str) -> Result<SecretId, HostError> {
    let settings = before.map(Launch::settings).unwrap_or_default();
    settings
        .iter()
        .find_map(|setting| match &setting.value {
            SettingValue::Secret { secret } if setting.name == name => Some(secret.clone()),
            _ => None,
        })
        .ok_or_else(|| {
            error::host(
                ErrorCode::SecretLost,
                format!("no secret is kept for {name}"),
            )
        })
}

fn check_command(command: &str, args: &[String]) -> Result<(), HostError> {
    if command.trim().is_empty() {
        return Err(error::host(ErrorCode::BadCommand, "a command is needed"));
    }
    if std::iter::once(command)
        .chain(args.iter().map(String::as_str))
        .any(|word| word.contains('\0'))
    {
        return Err(error::host(
            ErrorCode::BadCommand,
            "a command cannot hold a null character",
        ));
    }
    Ok(())
}

fn check_url(text: &str) -> Result<String, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadUrl, problem);
    let url = Url::parse(text.trim())
        .map_err(|problem| bad(format!("{text:?} is not an address: {problem}")))?;
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad(
            "an address cannot hold a user name or password; use a secret header".into(),
        ));
    }
    let loopback = match url.host() {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(ip)) => ip.is_loopback(),
        Some(url::Host::Ipv6(ip)) => ip.is_loopback(),
        None => return Err(bad(format!("{text:?} names no computer"))),
    };
    match url.scheme() {
        "https" => Ok(url.into()),
        "http" if loopback => Ok(url.into()),
        "http" => Err(bad(
            "http: is allowed on this computer only; use https:".into()
        )),
        other => Err(bad(format!(
            "{other}: is not a way to reach a server; use https:"
        ))),
    }
}

fn check_variable(name: &str) -> Result<(), String> {
    let first = name
        .chars()
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if first
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '(' | ')' | '.' | '-'))
    {
        Ok(())
    } else {
        Err(format!(
            "{name:?} is not a name for an environment variable"
        ))
    }
}

fn check_header(name: &str) -> Result<(), String> {
    const OURS: [&str; 8] = [
        "host",
        "content-length",
        "content-type",
        "accept",
        "connection",
        "transfer-encoding",
        "mcp-session-id",
        "mcp-protocol-version",
    ];
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if name.is_empty() || !name.chars().all(token) {
        Err(format!("{name:?} is not a name for a header"))
    } else if OURS.contains(&name.to_lowercase().as_str()) {
        Err(format!("the header {name} is set by Majordomo itself"))
    } else {
        Ok(())
    }
}
