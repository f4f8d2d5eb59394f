//! What would be run or called, in full, and what a person should look at twice.

mod argument_folders;
pub(crate) mod loads_code;
pub(crate) mod placeholder;
mod program;
mod warnings;

use crate::identity::{self, Found};
use crate::setup::Programs;
use crate::{Servers, error, folders};
use api::{ConfinementView, ErrorCode, HostError, Review, Runtime};
use connections::ResolveError;
use protocol::{ConfinementSettings, Fingerprint, Identity, Launch, Looked, ServerId};
use serde_json::json;
use std::path::PathBuf;

/// Finds the program and the working directory of a command.
///
/// `home` is its own home, if that is not the person's.
pub(crate) fn found(
    programs: &Programs,
    launch: &Launch,
    home: Option<PathBuf>,
) -> Result<Found, HostError> {
    match launch {
        Launch::Builtin { name } => Ok(Found {
            command: programs.own.clone(),
            args: vec!["builtin".into(), name.clone()],
            cwd: folders::home(),
            home: None,
        }),
        Launch::Stdio(run) => {
            let path = connections::login_path();
            let command = connections::resolve(&run.command, path.as_deref())
                .map_err(|error| not_found(&run.command, &error))?;
            let cwd = run.cwd.as_ref().map(PathBuf::from);
            let cwd = cwd.or_else(|| home.clone()).unwrap_or_else(folders::home);
            // A home of its own is made with its first start.
            if !cwd.is_dir() && home.as_ref() != Some(&cwd) {
                return Err(error::host(
                    ErrorCode::NoWorkingDirectory,
                    format!("the working folder {} is not there", cwd.display()),
                ));
            }
            Ok(Found {
                command,
                args: run.args.clone(),
                cwd,
                home,
            })
        }
        Launch::Http(call) => Err(error::host(
            ErrorCode::BadCommand,
            format!("{} is an address, not a command", call.url),
        )),
    }
}

fn not_found(command: &str, error: &ResolveError) -> HostError {
    match error {
        ResolveError::NotFound => match Runtime::of(command) {
            Some(runtime) => runtime_missing(command, runtime),
            None => error::host(
                ErrorCode::CommandNotFound,
                format!("the command {command} was not found"),
            ),
        },
        ResolveError::NotExecutable(path) => error::host(
            ErrorCode::NotExecutable,
            format!("{} cannot be executed", path.display()),
        ),
    }
}

fn runtime_missing(command: &str, runtime: Runtime) -> HostError {
    let (name, page) = runtime.name_and_page();
    let message =
        format!("{command} belongs to {name}, which is not installed; get it from {page}");
    HostError {
        runtime: Some(runtime),
        ..error::host(ErrorCode::RuntimeMissing, message)
    }
}

/// Makes the review of a launch. `before` is what ran when it was reviewed last; `unlike` what was
/// found to run since; `roots` are its folders.
pub async fn review(
    servers: &Servers,
    name: &str,
    launch: Launch,
    (before, unlike): (Option<Identity>, Option<Identity>),
    (settings, roots): (ConfinementSettings, Vec<String>),
) -> Review {
    let programs = servers.programs();
    let stdio = !matches!(launch, Launch::Http(_));
    let own_home = servers
        .confiner()
        .own_home(&ServerId::nearest(name), &launch, &settings);
    let found = if stdio {
        Some(found(programs, &launch, own_home))
    } else {
        None
    };
    let (dangers, warnings) = warnings::of(
        &launch,
        found.as_ref().and_then(|found| found.as_ref().err()),
    );
    let found = found.and_then(Result::ok);
    let identity = match &found {
        Some(found) => identity::look(launch.clone(), found.clone()).await,
        None => Identity::default(),
    };
    // What is only known while it runs was seen then.
    let identity = unlike.map_or(identity.clone(), |unlike| Identity {
        package: identity.package.or(unlike.package),
        ..identity
    });
    let changes = before
        .as_ref()
        .map(|before| before.differences(&identity, Looked::BeforeStart))
        .unwrap_or_default();
    // What cannot be found out now is as it was, until it is found to be otherwise.
    let identity = before.map_or(identity.clone(), |before| {
        before.adopting(identity, Looked::BeforeStart)
    });
    let folders = match &launch {
        Launch::Stdio(run) => {
            argument_folders::of(&run.args, &roots, servers.confiner().protected())
        }
        Launch::Builtin { .. } | Launch::Http(_) => Vec::new(),
    };
    let confinement = match &launch {
        Launch::Stdio(run) => {
            let found = found.as_ref();
            let about = found.map(|found| found.about(run, &identity, &roots, &settings));
            Some(servers.confiner().view(about, settings).await)
        }
        Launch::Builtin { .. } | Launch::Http(_) => None,
    };
    let fingerprint = fingerprint(&launch, &identity, confinement.as_ref());
    // The file behind a symbolic link decides what runs; a link to it can be pointed elsewhere.
    let resolved = found.as_ref().map(|found| {
        std::fs::canonicalize(&found.command).unwrap_or_else(|_| found.command.clone())
    });
    let text = |path: PathBuf| path.to_string_lossy().into_owned();
    Review {
        name: name.to_owned(),
        launch,
        resolved: resolved.map(text),
        cwd: found.map(|found| text(found.cwd)),
        inherited: if stdio {
            connections::inherited()
                .into_iter()
                .map(str::to_owned)
                .collect()
        } else {
            Vec::new()
        },
        dangers: u32::try_from(dangers.len()).unwrap_or(u32::MAX),
        warnings: [dangers, warnings].concat(),
        fingerprint,
        identity,
        changes,
        confinement,
        folders,
    }
}

/// The fingerprint of everything in a review that decides what runs, and what that may touch.
fn fingerprint(
    launch: &Launch,
    identity: &Identity,
    confinement: Option<&ConfinementView>,
) -> Fingerprint {
    let launch = launch.fingerprint();
    let settings = confinement
        .map(|view| &view.settings)
        .filter(|settings| **settings != ConfinementSettings::default());
    if *identity == Identity::default() && settings.is_none() {
        return launch;
    }
    let mut all = json!({"launch": launch, "identity": identity});
    if let Some(settings) = settings {
        all["confinement"] = json!(settings);
    }
    Fingerprint::of(&all)
}
