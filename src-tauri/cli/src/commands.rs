//! One file for each noun of the command line.

mod audit;
mod call;
mod grants;
mod questions;
mod roots;
mod serve;
mod servers;
mod tools;

use crate::args::{Arguments, Audit, Command};
use crate::exit::Exit;
use crate::link::{self, Link, Reachable};
use host::HostError;

/// Does what the command line says.
pub(crate) async fn run(arguments: Arguments) -> Result<Exit, HostError> {
    let (data_dir, json) = (link::data_dir(&arguments)?, arguments.json);
    match arguments.command {
        // These need no host: the log must be checkable when nothing else works.
        Command::Audit(Audit::Verify) => return audit::verify(&data_dir, json),
        Command::Audit(Audit::Path) => return audit::path(&data_dir, json),
        Command::Serve(serve) => return serve::serve(&data_dir, serve, json).await,
        _ => {}
    }
    let reachable = if matches!(arguments.command, Command::Call(_)) { Reachable::Yes } else { Reachable::No };
    let link = Link::open(&data_dir, reachable).await?;
    let result = match arguments.command {
        Command::Servers(command) => servers::run(&link, command, json).await,
        Command::Roots(command) => roots::run(&link, command, json).await,
        Command::Tools(command) => tools::run(&link, command, json).await,
        Command::Call(command) => call::run(&link, command, json).await,
        Command::Questions(command) => questions::run(&link, command, json).await,
        Command::Grants(command) => grants::run(&link, command, json).await,
        Command::Audit(command) => audit::run(&link, command, json).await,
        Command::Serve(_) | Command::Builtin { .. } => Ok(Exit::Done),
    };
    link.close().await;
    result
}
