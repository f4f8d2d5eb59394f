//! One notification of the system at a time. A system without them is no error, and nothing waits
//! for one.

use std::sync::{Mutex, PoisonError};
use tauri::{AppHandle, async_runtime};
use tokio::sync::oneshot;

/// What is shown now. When it is dropped, or another takes its place, it is taken back.
#[derive(Default)]
pub(crate) struct Shown(Mutex<Option<oneshot::Sender<()>>>);

impl Shown {
    /// Shows a notification in place of the one before. `clicked` is done when a person clicks on
    /// it, where the system says so.
    pub(crate) fn show(
        &self,
        app: &AppHandle,
        title: String,
        text: String,
        clicked: fn(&AppHandle),
    ) {
        let (kept, gone) = oneshot::channel();
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
        let app = app.clone();
        async_runtime::spawn(async move {
            match show(&title, &text, gone).await {
                Ok(true) => clicked(&app),
                Ok(false) => {}
                // A notification is one way of several: the question has a window of its own.
                Err(problem) => tracing::info!(%problem, "the system shows no notifications"),
            }
        });
    }

    /// Takes back what is shown.
    pub(crate) fn take_back(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Shows one until it is `gone`, and says whether it was clicked on.
#[cfg(all(unix, not(target_os = "macos")))]
async fn show(
    title: &str,
    text: &str,
    gone: oneshot::Receiver<()>,
) -> Result<bool, notify_rust::error::Error> {
    let mut notification = notify_rust::Notification::new();
    let notification = notification
        .appname("Majordomo")
        .icon("majordomo")
        .summary(title)
        .body(text)
        .action("default", title);
    let (handle, mut clicked) = (notification.show_async().await?, false);
    let acted = handle.wait_for_action_async(|response| {
        clicked = matches!(response, notify_rust::NotificationResponse::Default)
    });
    tokio::select! {
        () = acted => return Ok(clicked),
        _ = gone => {}
    }
    handle.close_async().await;
    Ok(false)
}

/// Shows one. These systems keep it until the person has seen it, and do not say whether it was
/// clicked on.
#[cfg(not(all(unix, not(target_os = "macos"))))]
async fn show(
    title: &str,
    text: &str,
    _gone: oneshot::Receiver<()>,
) -> Result<bool, notify_rust::error::Error> {
    let mut notification = notify_rust::Notification::new();
    notification.summary(title).body(text);
    #[cfg(windows)]
    notification.app_id(IDENTIFIER);
    let shown = tokio::task::spawn_blocking(move || {
        #[cfg(target_os = "macos")]
        // It fails when it was called before.
        let _ = notify_rust::set_application(IDENTIFIER);
        notification.show().map(|_| ())
    });
    // A thread that panicked has shown nothing.
    shown.await.unwrap_or(Ok(())).map(|()| false)
}

/// Under this name the system knows the program, as `tauri.conf.json` has it.
#[cfg(not(all(unix, not(target_os = "macos"))))]
const IDENTIFIER: &str = "io.github.majordomo-host.majordomo";
