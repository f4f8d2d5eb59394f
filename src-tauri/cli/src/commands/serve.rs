//! `majordomoctl serve`: the host without a window.
//!
//! Always true here: one that was started for applications asks nobody at a terminal, ends when
//! none of them has used it for a while, and makes way for a window.

use crate::args::Serve;
use crate::exit::Exit;
use crate::link::{Heard, Link};
use crate::{ask, background, diagnostics, input, print};
use api::{ApproverKind, ErrorCode, HostError, HostEvent, ListQuestions};
use host::{Host, NotHeard, Options};
use loopback::Serving;
use policy::Question;
use protocol::QuestionId;
use serde_json::json;
use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::time::{Instant, sleep_until, timeout};

/// How long calls may go on when a window wants the place of this host. A question that waits does
/// so again there.
const LAST_CALLS: Duration = Duration::from_secs(15);

/// Runs until it is ended. On a terminal, questions are asked there.
pub(crate) async fn serve(data_dir: &Path, serve: Serve, json: bool) -> Result<Exit, HostError> {
    let Some(unused) = serve.while_used else {
        let (host, serving, end_asked_for) = begin(data_dir, &serve).await?;
        say(data_dir, &serve, &serving, json);
        tokio::select! {
            () = end_asked_for => {}
            () = ask_here(host.clone()), if input::interactive() => {}
        }
        return Ok(end(host, serving).await);
    };
    background::detach();
    let begun = begin(data_dir, &serve).await;
    let (host, serving, end_asked_for) = begun.inspect_err(background::say_failed)?;
    background::say_serving();
    tokio::select! {
        () = end_asked_for => {}
        () = unused_for(&host, Duration::from_secs(unused)) => {}
        () = serving.asked_to_make_way() => last_calls(&host).await,
    }
    Ok(end(host, serving).await)
}

/// Opens the host and serves it. The last is over when somebody ends the program.
async fn begin(
    data_dir: &Path,
    serve: &Serve,
) -> Result<(Host, Serving, impl Future<Output = ()> + use<>), HostError> {
    let mut options = Options::new(data_dir.to_owned(), ApproverKind::Terminal)?;
    options.telemetry = diagnostics::telemetry();
    let host = Host::open(options).await?;
    // Before anybody is told that it is here: from then on it ends in order.
    let end_asked_for = end_asked_for()
        .map_err(|problem| HostError::of(ErrorCode::Internal, problem.to_string()))?;
    let serving = loopback::serve(
        host.clone(),
        serve.ui.as_deref(),
        serve.approver_token_file.as_deref(),
    )
    .await?;
    Ok((host, serving, end_asked_for))
}

/// Says where it can be reached.
fn say(data_dir: &Path, serve: &Serve, serving: &Serving, json: bool) {
    if json {
        print::json(
            &json!({"address": serving.page(), "data_dir": data_dir, "pid": std::process::id()}),
        );
    }
    print::note(format_args!(
        "Majordomo runs without a window, on {}. End it with Ctrl-C.",
        data_dir.display()
    ));
    if let Some(page) = serving.page() {
        print::note(format_args!("In a browser on this computer: {page}"));
    }
    if let Some(file) = &serve.approver_token_file {
        print::note(format_args!(
            "Programs that can read {} may answer questions.",
            file.display()
        ));
    }
}

async fn end(host: Host, serving: Serving) -> Exit {
    // Whoever waits for a call gets to know that it ended.
    host.withdraw();
    serving.end().await;
    host.close().await;
    Exit::Done
}

/// Waits until no application has used the host for so long.
async fn unused_for(host: &Host, time: Duration) {
    let (mut events, mut clients) = (host.follow_without_rows(), host.clients().changed());
    let (mut since, mut was_in_use) = (Instant::now(), false);
    loop {
        let in_use = host.clients().any_connected() || !host.running().is_empty();
        // It counts from the end of the last use.
        if in_use || was_in_use {
            since = Instant::now();
        }
        was_in_use = in_use;
        tokio::select! {
            () = sleep_until(since + time), if !in_use => return,
            Ok(()) = clients.changed() => {}
            heard = events.next() => if matches!(heard, Err(NotHeard::Over)) { return },
        }
    }
}

/// Waits until no call runs but those that wait for a person, not for ever.
async fn last_calls(host: &Host) {
    let mut events = host.follow_without_rows();
    let ended = async {
        while host.running().iter().any(|call| !call.waiting) {
            if matches!(events.next().await, Err(NotHeard::Over)) {
                return;
            }
        }
    };
    // What has not ended by then is ended, and who waits for it is told.
    let _ = timeout(LAST_CALLS, ended).await;
}

/// Listens from now on for whoever ends the program.
fn end_asked_for() -> io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupted = signal(SignalKind::interrupt())?;
        let mut terminated = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! { _ = interrupted.recv() => {}, _ = terminated.recv() => {} }
        })
    }
    #[cfg(windows)]
    {
        let mut interrupted = tokio::signal::windows::ctrl_c()?;
        Ok(async move { _ = interrupted.recv().await })
    }
}

/// Asks every question on this terminal, one after another.
async fn ask_here(host: Host) {
    let link = Link::Own {
        host,
        serving: None,
    };
    let mut seen = HashSet::new();
    // Anew where some events were missed.
    while let Ok(mut heard) = link.events().await {
        loop {
            while let Some(question) = unseen(&link, &mut seen).await {
                if let Err(problem) = ask::ask(&link, &question).await {
                    print::error(&problem);
                }
            }
            if !asked(&mut heard).await {
                break;
            }
        }
    }
    std::future::pending().await
}

/// A question that waits now and was not asked here yet. While a person thought about one, another
/// may have come and gone.
async fn unseen(link: &Link, seen: &mut HashSet<QuestionId>) -> Option<Question> {
    let waiting = link.ask(ListQuestions {}).await.ok()?;
    waiting
        .into_iter()
        .find(|question| seen.insert(question.id.clone()))
}

/// Waits for a question. False if none will be heard any more.
async fn asked(heard: &mut Heard) -> bool {
    while let Some(event) = heard.next().await {
        if matches!(event, HostEvent::QuestionAsked { .. }) {
            return true;
        }
    }
    false
}
