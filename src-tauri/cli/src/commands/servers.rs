//! `majordomoctl servers …`

use super::{add, client, diagnose, import, or_dash, review, sampling, sandbox, sign_in};
use crate::args::{EraWord, RunsWord, Servers};
use crate::exit::Exit;
use crate::link::Link;
use crate::messages::{m, maybe, name as key};
use crate::word::Word;
use crate::{print, progress};
use api::{
    DisableServer, EnableServer, ErrorCode, HostError, ReadServerLog, RemoveServer, ReviewOffers,
    ServerState, ServerView, SetEra, SetRuns, TakeSnapshot,
};
use protocol::{Containment, EraChoice, Launch, Runs, ServerId};
use serde_json::json;

/// Adds, lists, switches and removes servers.
pub(crate) async fn run(
    link: &Link,
    command: Servers,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    match command {
        Servers::Add(wanted) => add::run(link, wanted, json).await?,
        Servers::Import(wanted) => import::run(link, wanted, json).await?,
        Servers::List => {
            let servers = link.ask(TakeSnapshot {}).await?.servers;
            if json {
                print::json(&servers)
            } else {
                list(&servers)
            }
        }
        Servers::Review { name, accept } => {
            let word = accept.then_some(word);
            review::run(link, name, word, json).await?;
        }
        Servers::Enable { name } => return enable(link, name, word, json).await,
        Servers::Disable { name: server } => {
            let view = link.ask(DisableServer { server }).await?;
            if json {
                print::json(&view);
            }
            print::note(format_args!("{} is off.", view.id));
        }
        Servers::Remove { name } => {
            let server = name.clone();
            link.ask(RemoveServer { server }).await?;
            if json {
                print::json(&json!({"removed": name}));
            }
            print::note(format_args!(
                "{name} is removed, with its secrets, folders and approvals."
            ));
        }
        Servers::Logs { name: server } => {
            let log = link.ask(ReadServerLog { server }).await?;
            if json {
                print::json(&log);
            } else {
                for line in &log.lines {
                    print::result(print::visible(line));
                }
            }
        }
        Servers::SignIn { name, allow } => {
            return sign_in::sign_in(link, &name, &allow, word, json).await;
        }
        Servers::SignOut { name, account } => sign_in::sign_out(link, name, account, json).await?,
        Servers::Accounts { name, switch } => {
            sign_in::accounts(link, name, switch, word, json).await?
        }
        Servers::Client(wanted) => client::run(link, wanted, word, json).await?,
        Servers::Diagnose { name } => return diagnose::run(link, name, json).await,
        Servers::Sampling(wanted) => sampling::run(link, wanted, word, json).await?,
        Servers::Era { name, era: wanted } => era(link, name, wanted, json).await?,
        Servers::Sandbox(wanted) => sandbox::run(link, wanted, word, json).await?,
        Servers::Runs { name, runs: wanted } => runs(link, name, wanted, json).await?,
    }
    Ok(Exit::Done)
}

/// Chooses in which era a server is spoken to, or shows it.
async fn era(
    link: &Link,
    server: ServerId,
    wanted: Option<EraWord>,
    json: bool,
) -> Result<(), HostError> {
    let era = match wanted {
        Some(word) => {
            let era = match word {
                EraWord::Auto => EraChoice::Auto,
                EraWord::Modern => EraChoice::Modern,
                EraWord::Legacy => EraChoice::Legacy,
            };
            link.ask(SetEra { server, era }).await?.era
        }
        None => view(link, &server).await?.era,
    };
    if json {
        print::json(&era);
    } else {
        let found = or_dash(era.found.map(|found| key(&found)));
        print::table(&["CHOSEN", "FOUND"], &[vec![key(&era.choice), found]]);
    }
    Ok(())
}

/// Chooses when a server runs, or shows it.
async fn runs(
    link: &Link,
    server: ServerId,
    wanted: Option<RunsWord>,
    json: bool,
) -> Result<(), HostError> {
    let view = match wanted {
        Some(word) => {
            let runs = match word {
                RunsWord::WhenUsed => Runs::WhenUsed,
                RunsWord::Always => Runs::Always,
            };
            link.ask(SetRuns { server, runs }).await?
        }
        None => view(link, &server).await?,
    };
    if json {
        print::json(&json!({"runs": view.runs, "state": view.state}));
    } else {
        let row = vec![
            m(&format!("runs.choice.{}", key(&view.runs)), &[]),
            state(&view),
        ];
        print::table(&["RUNS", "STATE"], &[row]);
    }
    Ok(())
}

/// One server as the host shows it.
pub(crate) async fn view(link: &Link, name: &ServerId) -> Result<ServerView, HostError> {
    let servers = link.ask(TakeSnapshot {}).await?.servers;
    servers
        .into_iter()
        .find(|view| view.id.key() == name.key())
        .ok_or_else(|| {
            HostError::of(
                ErrorCode::UnknownServer,
                format!("there is no server called {name}"),
            )
        })
}

/// Switches a server on and says whether it runs.
async fn enable(link: &Link, name: ServerId, word: Word, json: bool) -> Result<Exit, HostError> {
    word.confirm(link, &format!("Switch {name} on?"), "it stays off")?;
    let (server, reviewed) = (name.clone(), None);
    word.ask(link, EnableServer { server, reviewed }).await?;
    // Waits until the server has started and shown all that it offers, or has failed.
    let server = name.clone();
    progress::starting(link, &name, link.ask(ReviewOffers { server })).await?;
    let view = view(link, &name).await?;
    if json {
        print::json(&view);
    }
    if let ServerState::Failed { error, stderr } | ServerState::Waiting { error, stderr, .. } =
        &view.state
    {
        let what = match view.state {
            ServerState::Waiting { .. } => "does not run yet, and is tried again soon",
            _ => "does not run",
        };
        print::note(format_args!(
            "{name} is on, but {what}: {}",
            print::visible(&error.message)
        ));
        if let Some(next) = maybe("error", &key(&error.code), Some("next"), &[]) {
            print::note(format_args!("  {next}"));
        }
        for line in stderr {
            print::note(print::quote(line));
        }
        return Ok(Exit::Server);
    }
    print::note(format_args!(
        "{name} is on, with {} tools.",
        or_dash(view.tools)
    ));
    warn_of_containment(&view);
    if view.waiting != 0 {
        print::note(format_args!(
            "{} of what it offers must be reviewed first: majordomoctl offers review {name}",
            view.waiting
        ));
    }
    Ok(Exit::Done)
}

/// Says if what a server starts may outlive the host.
fn warn_of_containment(view: &ServerView) {
    if view.containment == Some(Containment::Launcher) {
        print::note(format_args!(
            "{}: {}",
            view.id,
            m("containment.launcher", &[])
        ));
    }
}

/// What a server is doing, in the words of the window.
fn state(view: &ServerView) -> String {
    let state = match view.state {
        ServerState::Off if !view.reviewed => "unreviewed".to_owned(),
        _ => key(&view.state),
    };
    m(&format!("server.state.{state}"), &[])
}

fn list(servers: &[ServerView]) {
    let row = |view: &ServerView| {
        let what = match &view.launch {
            Launch::Http(launch) => launch.url.clone(),
            Launch::Builtin { .. } => "built in".to_owned(),
            Launch::Stdio(launch) => launch.command.clone(),
        };
        vec![
            view.id.to_string(),
            state(view),
            if view.on { "on" } else { "off" }.to_owned(),
            if view.reviewed { "yes" } else { "no" }.to_owned(),
            or_dash(view.tools),
            what,
        ]
    };
    print::table(
        &[
            "SERVER",
            "STATE",
            "SWITCH",
            "REVIEWED",
            "TOOLS",
            "COMMAND OR URL",
        ],
        &servers.iter().map(row).collect::<Vec<_>>(),
    );
    servers.iter().for_each(warn_of_containment);
}
