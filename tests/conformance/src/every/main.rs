//! `every-server FOLDER`: starts every server that `FOLDER/servers.json` names, asks what it
//! offers, stops it, and prints one row for each. For looking at servers of others by hand, before
//! and after something has changed here.
//!
//! `servers.json` is a list of `{ "name", "command": [program, argument…], "env": {name: value},
//! "path", "expect" }`. With a path the command starts a server at an address on this computer, and
//! the path is its own. `{folder}` and `{port}` are put in.

mod entry;
mod row;

use conformance::{Agrees, LIMITS, Trouble, egress};
use connections::{Connection, HttpStart, Start, StdioStart, resolve};
use entry::{Entry, Running};
use protocol::{Budget, Secret, ServerId};
use row::Row;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{env, io};

#[tokio::main]
async fn main() -> Result<(), Trouble> {
    let folder =
        PathBuf::from(env::args_os().nth(1).ok_or("usage: every-server FOLDER")?).canonicalize()?;
    say(&Row::head());
    let mut failed = 0;
    for entry in Entry::all(&folder)? {
        let row = match look(&entry, &folder).await {
            Ok(row) => row.to_string(),
            Err(trouble) => {
                failed += 1;
                format!("{:<36} {trouble}", entry.name)
            }
        };
        say(&row);
    }
    if failed == 0 {
        Ok(())
    } else {
        Err(format!("{failed} servers could not be used").into())
    }
}

/// Starts one server, asks for everything, and stops it.
async fn look(entry: &Entry, folder: &Path) -> Result<Row, Trouble> {
    // A server at an address lives as long as this value.
    let running = entry
        .path
        .as_ref()
        .map(|_| Running::start(entry))
        .transpose()?;
    let start = match &running {
        Some(running) => at_address(running.url(entry)).await?,
        None => as_child(entry, folder)?,
    };
    let begun = Instant::now();
    let connection = Connection::start(start, LIMITS, Budget::new(usize::MAX), Arc::new(Agrees))
        .await
        .map_err(|failed| format!("{failed} {:?}", failed.stderr))?;
    let tools = connection.tools().await?;
    let took = begun.elapsed();
    let mut row = Row::new(entry, &connection, tools.len(), took);
    let able = connection.capabilities();
    row.prompts = if able.prompts {
        connection.prompts().await?.len()
    } else {
        0
    };
    row.resources = if able.resources {
        connection.resources().await?.len()
    } else {
        0
    };
    row.templates = if able.resources {
        connection.templates().await?.len()
    } else {
        0
    };
    let begun = Instant::now();
    connection.stop().await;
    row.stop = begun.elapsed();
    let stderr = connection.stderr();
    row.lines = stderr.lines.len() as u64 + stderr.dropped;
    Ok(row)
}

async fn at_address(url: String) -> Result<Start, Trouble> {
    let server = ServerId::parse("every")?;
    Ok(Start::Http(HttpStart {
        server,
        url,
        headers: Vec::new(),
        egress: egress()?,
        authorization: None,
        era: None,
    }))
}

fn as_child(entry: &Entry, folder: &Path) -> Result<Start, Trouble> {
    let (program, args) = entry.command.split_first().ok_or("there is no command")?;
    Ok(Start::Stdio(StdioStart {
        server: ServerId::parse("every")?,
        command: resolve(program, env::var_os("PATH").as_deref())?,
        args: args.to_vec(),
        env: entry
            .env
            .iter()
            .map(|(name, value)| (name.clone(), Secret::new(value.clone())))
            .collect(),
        cwd: folder.to_owned(),
        jail: env::current_exe()?.with_file_name("majordomo-jail"),
        confinement: None,
        era: None,
    }))
}

fn say(line: &str) {
    // A closed pipe is no failure of ours.
    let _ = writeln!(io::stdout(), "{line}");
}
