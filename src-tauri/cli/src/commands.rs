//! One file for each noun of the command line.

mod answers;
mod audit;
mod call;
mod calls;
mod client;
mod complete;
mod diagnose;
mod flow;
mod grants;
mod import;
mod inspect;
mod logs;
mod offers;
mod policy;
mod prompts;
mod questions;
mod resources;
mod roots;
mod sampling;
mod serve;
mod servers;
mod sign_in;
mod telemetry;
mod tools;
mod workspaces;

use crate::args::{Arguments, Audit, Command, Policy, Resources, Servers};
use crate::exit::Exit;
use crate::link::{self, Link, Reachable};
use host::HostError;

/// Does what the command line says.
pub(crate) async fn run(arguments: Arguments) -> Result<Exit, HostError> {
    // What is only read needs no folder of ours.
    if let Command::Inspect(command) = &arguments.command {
        return inspect::run(command);
    }
    let (data_dir, json) = (link::data_dir(&arguments)?, arguments.json);
    match arguments.command {
        // These need no host: the log must be checkable when nothing else works.
        Command::Audit(Audit::Verify) => return audit::verify(&data_dir, json),
        Command::Audit(Audit::Anchor { file, qr }) => return audit::anchor(&data_dir, file, qr, json),
        Command::Audit(Audit::CheckAnchor { anchor }) => return audit::check_anchor(&data_dir, &anchor, json),
        Command::Audit(Audit::Path) => return audit::path(&data_dir, json),
        Command::Flow(command) => return flow::run(&command),
        Command::Policy(Policy::Language) => return Ok(policy::language()),
        Command::Serve(serve) => return serve::serve(&data_dir, serve, json).await,
        _ => {}
    }
    // What waits for a person or a server must not keep other commands waiting.
    let waits = matches!(
        arguments.command,
        Command::Call(_)
            | Command::Policy(Policy::Add(_) | Policy::Remove { .. })
            | Command::Servers(Servers::SignIn { .. })
            | Command::Resources(Resources::Watch { .. })
    );
    let reachable = if waits { Reachable::Yes } else { Reachable::No };
    let link = Link::open(&data_dir, reachable).await?;
    let result = match arguments.command {
        Command::Servers(command) => servers::run(&link, command, json).await,
        Command::Roots(command) => roots::run(&link, command, json).await,
        Command::Workspaces(command) => workspaces::run(&link, command, json).await,
        Command::Offers(command) => offers::run(&link, command, json).await,
        Command::Tools(command) => tools::run(&link, command, json).await,
        Command::Resources(command) => resources::run(&link, command, json).await,
        Command::Prompts(command) => prompts::run(&link, command, json).await,
        Command::Complete(command) => complete::run(&link, command, json).await,
        Command::Logs { server, level } => logs::run(&link, &server, level, json).await,
        Command::Exchange { server, call } => logs::exchange(&link, &server, call, json).await,
        Command::Answers(command) => answers::run(&link, command, json).await,
        Command::Call(command) => call::run(&link, command, json).await,
        Command::Calls(command) => calls::run(&link, command, json).await,
        Command::Questions(command) => questions::run(&link, command, json).await,
        Command::Grants(command) => grants::run(&link, command, json).await,
        Command::Policy(command) => policy::run(&link, command, json).await,
        Command::Audit(command) => audit::run(&link, command, json).await,
        Command::Telemetry(command) => telemetry::run(&link, command, json).await,
        Command::Flow(_) | Command::Inspect(_) | Command::Serve(_) | Command::Builtin { .. } => Ok(Exit::Done),
    };
    link.close().await;
    result
}
