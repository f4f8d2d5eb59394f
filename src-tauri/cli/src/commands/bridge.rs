//! `majordomoctl bridge`: another application's line to the running host.
//!
//! Always true here: what goes over standard input and output is passed on as it is, and nothing
//! else is written there.

use crate::args::Bridge;
use crate::exit::Exit;
use crate::link::error;
use api::{ErrorCode, HostError};
use loopback::Client;
use protocol::ServerId;
use std::path::Path;
use tokio::io::{copy, split, stdin, stdout};

/// Comes in as another application, until either side ends.
pub(crate) async fn run(data_dir: &Path, command: Bridge) -> Result<Exit, HostError> {
    let Bridge { client, server } = command;
    let server = server
        .map(|name| ServerId::parse(&name))
        .transpose()
        .map_err(|problem| HostError::of(ErrorCode::BadName, problem.to_string()))?;
    let host = Client::find(data_dir).await?.ok_or_else(|| {
        error(
            ErrorCode::ConnectionLost,
            "no Majordomo is running",
            "Open Majordomo, or run `majordomoctl serve`.",
        )
    })?;
    let (mut reading, mut writing) = split(host.bridge(&client, server.as_ref()).await?);
    let (mut input, mut output) = (stdin(), stdout());
    // Whichever end goes first, the other sees that it has.
    tokio::select! {
        _ = copy(&mut input, &mut writing) => {}
        _ = copy(&mut reading, &mut output) => {}
    }
    Ok(Exit::Done)
}
