//! The host behind the window: opened while the window is painted already, closed before the
//! process ends.

use crate::{notices, question_window};
use host::api::{ApproverKind, EventEnvelope};
use host::{Host, HostError, NotHeard, Options};
use loopback::Serving;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tauri::{AppHandle, Emitter as _, Manager as _, async_runtime};
use tokio::sync::watch;

/// Under this name the web pages hear what happens.
const EVENT: &str = "host-event";

type Opened = Result<Open, HostError>;

struct Open {
    host: Host,
    /// Lets the terminal reach this host. Absent if it could not be served.
    serving: Option<Serving>,
}

/// The host, or what keeps it from opening.
pub(crate) struct Opening {
    opened: Arc<watch::Sender<Option<Opened>>>,
    closed: AtomicBool,
}

impl Opening {
    /// Begins to open the host on a data directory.
    pub(crate) fn begin(app: &AppHandle, data_dir: PathBuf) -> Self {
        let opened = Arc::new(watch::Sender::new(None));
        let (app, tell) = (app.clone(), opened.clone());
        async_runtime::spawn(async move {
            let result = open(data_dir).await;
            if let Ok(open) = &result {
                follow(app, open.host.clone());
            }
            tell.send_replace(Some(result));
        });
        Self {
            opened,
            closed: AtomicBool::new(false),
        }
    }

    /// The host, as soon as it is open.
    pub(crate) async fn host(&self) -> Result<Host, HostError> {
        let mut opened = self.opened.subscribe();
        let result = opened.wait_for(Option::is_some).await;
        match result.as_deref() {
            Ok(Some(Ok(open))) => Ok(open.host.clone()),
            Ok(Some(Err(error))) => Err(error.clone()),
            Ok(None) | Err(_) => Err(HostError::shutting_down()),
        }
    }

    /// Whether the host must be closed before the process may end. Closing begins then, and ends
    /// the application by itself.
    pub(crate) fn close_first(&self, app: &AppHandle) -> bool {
        if self.closed.swap(true, Ordering::SeqCst) {
            return false;
        }
        let Some(Ok(open)) = self
            .opened
            .send_replace(Some(Err(HostError::shutting_down())))
        else {
            return false;
        };
        let app = app.clone();
        async_runtime::spawn(async move {
            // The note of how to reach this host goes first: nobody new comes in.
            drop(open.serving);
            open.host.close().await;
            app.exit(0);
        });
        true
    }
}

async fn open(data_dir: PathBuf) -> Opened {
    let mut options = Options::new(data_dir, ApproverKind::QuestionWindow)?;
    options.telemetry = cli::diagnostics::telemetry();
    let host = loopback::open_in_place(options).await?;
    let serving = match loopback::serve(host.clone(), None, None).await {
        Ok(serving) => Some(serving),
        Err(problem) => {
            tracing::warn!(%problem, "the terminal cannot reach this window");
            None
        }
    };
    Ok(Open { host, serving })
}

/// Tells the web pages what happens, and opens a window for what is asked.
fn follow(app: AppHandle, host: Host) {
    let mut events = host.follow();
    async_runtime::spawn(async move {
        // What waited when the host was opened was told before anyone followed.
        notices::catch_up(&app, &host);
        question_window::show_next(&app, &host);
        loop {
            match events.next().await {
                Ok(event) => {
                    tell(&app, &event);
                    // Before the question's own window: it may take the focus.
                    notices::attend(&app, &host, &event.event);
                    question_window::attend(&app, &host, &event.event);
                }
                // The gap in the numbers makes the pages ask for a snapshot; a question may be
                // among what was missed.
                Err(NotHeard::Missed(_)) => {
                    notices::catch_up(&app, &host);
                    question_window::show_next(&app, &host);
                }
                Err(NotHeard::Over) => return,
            }
        }
    });
}

fn tell(app: &AppHandle, event: &EventEnvelope) {
    if let Err(problem) = app.emit(EVENT, event) {
        tracing::warn!(%problem, "an event did not reach the window");
    }
}

/// Ends the application when the system asks for it, as a shutdown does.
pub(crate) fn end_on_signals(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let (Ok(mut terminate), Ok(mut interrupt)) = (
                signal(SignalKind::terminate()),
                signal(SignalKind::interrupt()),
            ) else {
                return;
            };
            tokio::select! { _ = terminate.recv() => {}, _ = interrupt.recv() => {} }
        }
        #[cfg(not(unix))]
        if tokio::signal::ctrl_c().await.is_err() {
            return;
        }
        app.exit(0);
    });
}

/// The host that commands of the web pages speak to.
pub(crate) async fn host_of(app: &AppHandle) -> Result<Host, HostError> {
    app.state::<Opening>().host().await
}
