//! `majordomoctl serve`: the host without a window.

use crate::args::Serve;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::{ask, diagnostics, print};
use host::api::ApproverKind;
use host::{ErrorCode, Host, HostError, Options};
use loopback::Client;
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

/// Runs until it is ended. On a terminal, questions are asked there.
pub(crate) async fn serve(data_dir: &Path, serve: Serve, json: bool) -> Result<Exit, HostError> {
    let mut options = Options::new(data_dir.to_owned(), ApproverKind::Terminal)?;
    options.telemetry = diagnostics::telemetry();
    let host = Host::open(options).await?;
    let serving =
        loopback::serve(host.clone(), data_dir, serve.ui.as_deref(), serve.approver_token_file.as_deref()).await.map_err(|problem| {
            link::error(
                ErrorCode::Internal,
                format!("the host cannot be served: {problem}"),
                "Check that 127.0.0.1 works and that the token file can be written.",
            )
        })?;
    if json {
        print::json(&json!({"address": serving.address(), "data_dir": data_dir, "pid": std::process::id()}));
    }
    print::note(format_args!("Majordomo runs without a window, on {}. End it with Ctrl-C.", data_dir.display()));
    if serve.ui.is_some() {
        print::note(format_args!("In a browser on this computer: {}", serving.address()));
    }
    if let Some(file) = &serve.approver_token_file {
        print::note(format_args!("Programs that can read {} may answer questions.", file.display()));
    }
    tokio::select! {
        () = ended() => {}
        () = ask_here(data_dir), if ask::interactive() => {}
    }
    // Whoever waits for a call gets to know that it ended.
    host.withdraw();
    serving.end().await;
    host.close().await;
    Ok(Exit::Done)
}

/// Waits until someone ends the program.
async fn ended() {
    let interrupted = tokio::signal::ctrl_c();
    #[cfg(unix)]
    {
        let terminated = async {
            match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
                Ok(mut signal) => _ = signal.recv().await,
                Err(_) => std::future::pending().await,
            }
        };
        tokio::select! { _ = interrupted => {}, () = terminated => {} }
    }
    #[cfg(not(unix))]
    let _ = interrupted.await;
}

/// Asks every question on this terminal, one after another.
async fn ask_here(data_dir: &Path) {
    let Some(client) = Client::find(data_dir).await else { return std::future::pending().await };
    let link = Link::Running(client);
    let mut seen = HashSet::new();
    loop {
        tokio::time::sleep(Duration::from_millis(200)).await;
        let waiting = link.ask(&json!({"method": "list_questions"})).await.unwrap_or_default();
        for question in waiting.as_array().into_iter().flatten() {
            if seen.insert(print::text(question, "/id"))
                && let Err(problem) = ask::ask(&link, question).await
            {
                print::error(&problem);
            }
        }
    }
}
