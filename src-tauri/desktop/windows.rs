//! The windows of the program, and what is true of all of them.

use crate::{notices, question_window};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tauri::webview::NewWindowResponse;
use tauri::{
    AppHandle, Manager as _, Url, WebviewUrl, WebviewWindow, WebviewWindowBuilder, Wry,
    async_runtime,
};

/// The label of the main window. Its capability names it.
pub(crate) const MAIN: &str = "main";

/// The title of a window until its page says what it shows.
const TITLE: &str = "Majordomo";
/// After so long a window is shown whatever its page does: nothing that asks may stay unseen.
const PAINT_TIMEOUT: Duration = Duration::from_secs(5);

/// Opens the main window.
pub(crate) fn open_main(app: &AppHandle) -> tauri::Result<()> {
    let page = WebviewUrl::App("index.html".into());
    let window = WebviewWindowBuilder::new(app, MAIN, page)
        // Files are dropped on the page, which says where they can be.
        .disable_drag_drop_handler()
        .inner_size(1120.0, 760.0)
        .min_inner_size(400.0, 480.0)
        .center();
    open(window).map(|_| ())
}

/// Whether the person looks at one of our windows.
pub(crate) fn looking(app: &AppHandle) -> bool {
    app.webview_windows()
        .values()
        .any(|window| window.is_focused().unwrap_or(false))
}

/// Brings a window before the person.
pub(crate) fn bring(window: &WebviewWindow) {
    // A system that keeps windows from coming forward by themselves may refuse.
    let _ = window
        .unminimize()
        .and_then(|()| window.show())
        .and_then(|()| window.set_focus());
}

/// Brings the main window before the person.
pub(crate) fn bring_main(app: &AppHandle) {
    if let Some(window) = app.get_webview_window(MAIN) {
        bring(&window);
    }
}

/// Shows a number on the program's icon, where the system can.
pub(crate) fn badge(app: &AppHandle, number: usize) {
    if let Some(window) = app.get_webview_window(MAIN) {
        let number = i64::try_from(number).ok().filter(|number| *number > 0);
        // Few systems can.
        let _ = window.set_badge_count(number);
    }
}

/// Opens a window that shows the program's own pages and nothing else, once its page has said by its
/// title what it shows: an empty window is nobody's. One that cannot be shown is closed.
pub(crate) fn open(
    window: WebviewWindowBuilder<'_, Wry, AppHandle>,
) -> tauri::Result<WebviewWindow> {
    let shown = Arc::new(AtomicBool::new(false));
    let show = move |window: &WebviewWindow| {
        if shown.load(Ordering::Acquire) {
            return Ok(());
        }
        window.show()?;
        shown.store(true, Ordering::Release);
        // A system that keeps windows from coming forward by themselves may refuse.
        let _ = window.set_focus();
        tauri::Result::Ok(())
    };
    let show_painted = show.clone();
    let window = window
        .on_navigation(is_ours)
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .title(TITLE)
        .visible(false)
        .on_document_title_changed(move |window, title| {
            if title != TITLE {
                // A title that cannot be set leaves the program's name.
                let _ = window.set_title(&title);
                // It is tried once more later.
                let _ = show_painted(&window);
            }
        })
        .build()?;
    let late = window.clone();
    async_runtime::spawn(async move {
        tokio::time::sleep(PAINT_TIMEOUT).await;
        if let Err(problem) = show(&late) {
            tracing::error!(%problem, window = late.label(), "a window cannot be shown");
            let _ = late.destroy();
        }
    });
    Ok(window)
}

fn is_ours(url: &Url) -> bool {
    // Elsewhere another program could serve pages under the name that Windows uses.
    let host = match url.scheme() {
        "tauri" => "localhost",
        "http" | "https" if cfg!(windows) => "tauri.localhost",
        _ => return false,
    };
    url.host_str() == Some(host) && url.port().is_none()
}

/// Hides the main window in place of closing it, where Majordomo goes on in the tray.
pub(crate) fn hides(app: &AppHandle, label: &str) -> bool {
    let window = app.get_webview_window(label);
    label == MAIN
        && notices::keeps_running(app)
        && window.is_some_and(|window| window.hide().is_ok())
}

/// A window is gone. Without the main window the application ends; without an answer a question is
/// a no.
pub(crate) fn gone(app: &AppHandle, label: &str) {
    if label == MAIN {
        app.exit(0);
    } else {
        question_window::gone(app, label);
    }
}

#[cfg(test)]
mod tests {
    use super::is_ours;

    #[test]
    fn no_page_but_the_programs_own_is_loaded() {
        let ours = |text: &str| is_ours(&text.parse().unwrap());
        assert!(ours("tauri://localhost/index.html"));
        assert_eq!(ours("http://tauri.localhost/question.html"), cfg!(windows));
        for other in [
            "https://example.com/",
            "http://localhost/",
            "file:///etc/passwd",
            "data:text/html,x",
            "tauri://evil/",
            "tauri://localhost:8080/",
            "http://tauri.localhost:8080/",
            "http://tauri.localhost.evil.example/",
        ] {
            assert!(!ours(other), "{other}");
        }
    }
}
