//! One file for each noun of the command line.

mod add;
mod agent;
mod answers;
mod assistants;
mod audit;
mod bridge;
mod call;
mod calls;
mod chat;
mod client;
mod clients;
mod complete;
mod completions;
mod connect;
mod conversations;
mod diagnose;
mod flow;
mod glossary;
mod grants;
mod help;
mod import;
mod inspect;
mod jail;
mod logs;
mod models;
mod offers;
mod policy;
mod prompts;
mod questions;
mod resources;
mod review;
mod roots;
mod sampling;
mod sandbox;
mod serve;
mod servers;
mod sign_in;
mod talk;
mod telemetry;
mod tools;
mod workspaces;

pub(crate) use call::answer_questions;

use crate::args::{
    Arguments, Audit, Command, Logs, Models, Offers, Policy, Prompts, Resources, Servers,
};
use crate::exit::Exit;
use crate::link::{self, Link, Reachable};
use crate::nearest::Typed;
use crate::word::Word;
use api::{ErrorCode, HostError};
use std::path::Path;

/// Does what the command line says.
pub(crate) async fn run(arguments: Arguments) -> Result<Exit, HostError> {
    // What is only read needs no folder of ours.
    if let Command::Inspect(command) = &arguments.command {
        return inspect::run(command);
    }
    if let Command::Jail(command) = &arguments.command {
        return jail::run(command, arguments.json);
    }
    if let Command::Help(wanted) = &arguments.command {
        return Ok(help::run(wanted));
    }
    if let Command::Completions { shell } = arguments.command {
        return Ok(completions::run(shell));
    }
    if let Command::Glossary { words } = &arguments.command {
        return Ok(glossary::run(words, arguments.json));
    }
    let (data_dir, json) = (link::data_dir(&arguments)?, arguments.json);
    let word = Word::given(arguments.yes);
    match arguments.command {
        // These need no host: the log must be checkable when nothing else works.
        Command::Audit(Audit::Verify) => return audit::verify(&data_dir, json),
        Command::Audit(Audit::Anchor { file, qr }) => {
            return audit::anchor(&data_dir, file, qr, json);
        }
        Command::Audit(Audit::CheckAnchor { anchor }) => {
            return audit::check_anchor(&data_dir, &anchor, json);
        }
        Command::Audit(Audit::Path) => return audit::path(&data_dir, json),
        Command::Flow(command) => return flow::run(&command),
        Command::Policy(Policy::Language) => return Ok(policy::language()),
        Command::Serve(serve) => return serve::serve(&data_dir, serve, json).await,
        Command::Bridge(command) => return bridge::run(&data_dir, command).await,
        _ => {}
    }
    // What waits for a person or a server must not keep other commands waiting.
    let waits = matches!(
        arguments.command,
        Command::Call(_)
            | Command::Chat(_)
            | Command::Agent(_)
            | Command::Models(Models::Add(_) | Models::Key { .. } | Models::Test { .. })
            | Command::Policy(Policy::Add(_) | Policy::Remove { .. })
            | Command::Servers(
                Servers::SignIn { .. }
                    | Servers::Review { accept: true, .. }
                    | Servers::Enable { .. }
            )
            | Command::Offers(Offers::Approve(_))
            | Command::Resources(Resources::Read { .. } | Resources::Watch { .. })
            | Command::Prompts(Prompts::Get { .. })
            | Command::Logs(Logs { level: Some(_), .. })
    );
    let reachable = if waits { Reachable::Yes } else { Reachable::No };
    let link = Link::open(&data_dir, reachable).await?;
    let typed = Typed::of(&arguments.command);
    let result = match arguments.command {
        Command::Servers(command) => servers::run(&link, command, word, json).await,
        Command::Roots(command) => roots::run(&link, command, word, json).await,
        Command::Workspaces(command) => workspaces::run(&link, command, word, json).await,
        Command::Offers(command) => offers::run(&link, command, word, json).await,
        Command::Tools(command) => tools::run(&link, command, word, json).await,
        Command::Resources(command) => resources::run(&link, command, json).await,
        Command::Prompts(command) => prompts::run(&link, command, json).await,
        Command::Complete(command) => complete::run(&link, command, json).await,
        Command::Logs(wanted) => logs::run(&link, wanted, json).await,
        Command::Exchange(wanted) => logs::exchange(&link, wanted, json).await,
        Command::Answers(command) => answers::run(&link, command, json).await,
        Command::Call(command) => call::run(&link, command, json).await,
        Command::Calls(command) => calls::run(&link, command, json).await,
        Command::Clients(command) => clients::run(&link, command, word, json).await,
        Command::Models(command) => models::run(&link, command, word, json).await,
        Command::Chat(command) => chat::run(&link, command, word, json).await,
        Command::Agent(command) => agent::run(&link, command, word, json).await,
        Command::Assistants(command) => assistants::run(&link, command, word, json).await,
        Command::Conversations(command) => conversations::run(&link, command, word, json).await,
        Command::Questions(command) => questions::run(&link, command, word, json).await,
        Command::Grants(command) => grants::run(&link, command, word, json).await,
        Command::Policy(command) => policy::run(&link, command, word, json).await,
        Command::Audit(command) => audit::run(&link, command, json).await,
        Command::Telemetry(command) => telemetry::run(&link, command, word, json).await,
        Command::Flow(_)
        | Command::Inspect(_)
        | Command::Jail(_)
        | Command::Help(_)
        | Command::Glossary { .. }
        | Command::Completions { .. }
        | Command::Serve(_)
        | Command::Bridge(_)
        | Command::Builtin { .. } => Ok(Exit::Done),
    };
    let result = match result {
        Err(error) => Err(typed.proposed(&link, error).await),
        done => done,
    };
    link.close().await;
    result
}

/// A text for a cell of a table; a dash if there is none.
fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| value.to_string())
}

/// The path from the root of the disk: the host has another working directory.
fn absolute(path: &Path) -> Result<String, HostError> {
    let unusable = |problem: String| {
        HostError::of(ErrorCode::BadPath, format!("{}: {problem}", path.display()))
    };
    std::path::absolute(path)
        .map_err(|problem| unusable(problem.to_string()))?
        .into_os_string()
        .into_string()
        .map_err(|_| unusable("it is not UTF-8".to_owned()))
}
