//! An icon in the system's tray, where there is one, that says how many questions wait.

use super::messages::NoticeMessages;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tauri::menu::{MenuBuilder, MenuItemBuilder};
use tauri::tray::{TrayIcon, TrayIconBuilder};
use tauri::{AppHandle, Wry};
use tokio::sync::oneshot;

/// The icon, once there are words for it.
#[derive(Default)]
pub(crate) struct Tray(Mutex<State>, AtomicBool);

#[derive(Default)]
enum State {
    #[default]
    New,
    There(Box<TrayIcon<Wry>>),
    /// The system has no tray.
    Without,
}

/// What can be chosen.
const OPEN: &str = "open";
const NEXT: &str = "next";
const QUIT: &str = "quit";

impl Tray {
    /// Whether the icon is there, and something of the desktop shows it.
    pub(crate) async fn look(&self, app: &AppHandle) -> bool {
        let (told, looked) = oneshot::channel();
        let again = app.clone();
        // Behind what makes the icon there.
        let queued = app.run_on_main_thread(move || {
            let _ = told.send(has_icon(&again));
        });
        let there = queued.is_ok() && looked.await.unwrap_or(false) && is_shown().await;
        self.1.store(there, Ordering::Release);
        there
    }

    /// The same, as it was when it was looked at last.
    pub(crate) fn is_there(&self) -> bool {
        self.1.load(Ordering::Acquire)
    }

    /// Says how many questions wait. The first time the icon is made.
    pub(crate) fn say(&self, app: &AppHandle, words: &NoticeMessages, questions: usize) {
        let (app, words) = (app.clone(), words.clone());
        let again = app.clone();
        // Menus belong to the main thread.
        let told = app.run_on_main_thread(move || {
            use tauri::Manager as _;
            let notices = again.state::<super::Notices>();
            let mut state = notices
                .tray
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            if let State::New = *state {
                *state = made(&again);
            }
            if let State::There(icon) = &*state
                && let Err(problem) = tell(&again, icon, &words, questions)
            {
                tracing::info!(%problem, "the tray does not show how many questions wait");
            }
        });
        if let Err(problem) = told {
            tracing::debug!(%problem, "the application is about to end");
        }
    }
}

fn has_icon(app: &AppHandle) -> bool {
    use tauri::Manager as _;
    let notices = app.state::<super::Notices>();
    let state = notices.tray.0.lock();
    matches!(
        *state.unwrap_or_else(PoisonError::into_inner),
        State::There(_)
    )
}

fn made(app: &AppHandle) -> State {
    if !system_has_one() {
        return State::Without;
    }
    let build = || {
        let builder = TrayIconBuilder::with_id("questions")
            .show_menu_on_left_click(true)
            .on_menu_event(|app, event| chosen(app, event.id().as_ref()));
        match app.default_window_icon() {
            Some(icon) => builder.icon(icon.clone()),
            None => builder,
        }
        .build(app)
    };
    // Where a part of the system's library is missing it panics instead of failing.
    match catch_unwind(AssertUnwindSafe(build)) {
        Ok(Ok(icon)) => State::There(Box::new(icon)),
        Ok(Err(problem)) => {
            tracing::info!(%problem, "there is no tray");
            State::Without
        }
        Err(_) => State::Without,
    }
}

fn tell(
    app: &AppHandle,
    icon: &TrayIcon<Wry>,
    words: &NoticeMessages,
    questions: usize,
) -> tauri::Result<()> {
    let title = words.title(questions);
    let item = |id: &str, text: &str, enabled: bool| {
        MenuItemBuilder::with_id(id, text)
            .enabled(enabled)
            .build(app)
    };
    let menu = MenuBuilder::new(app)
        .item(&item("title", &title, false)?)
        .separator()
        .item(&item(OPEN, &words.open, true)?)
        .item(&item(NEXT, &words.next, questions > 0)?)
        .separator()
        .item(&item(QUIT, &words.quit, true)?)
        .build()?;
    icon.set_menu(Some(menu))?;
    icon.set_tooltip(Some(title))
}

fn chosen(app: &AppHandle, what: &str) {
    match what {
        OPEN => crate::windows::bring_main(app),
        NEXT => super::look(app),
        QUIT => app.exit(0),
        _ => {}
    }
}

/// Whether the library is there without which there is no tray on Linux.
#[cfg(target_os = "linux")]
fn system_has_one() -> bool {
    const NAMES: [&str; 2] = ["libayatana-appindicator3.so.1", "libappindicator3.so.1"];
    const FOLDERS: [&str; 4] = ["/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib"];
    let in_folder = |folder: &std::path::Path| NAMES.iter().any(|name| folder.join(name).exists());
    FOLDERS.iter().map(std::path::Path::new).any(|folder| {
        // Debian keeps the libraries of each architecture in a folder of their own.
        in_folder(folder)
            || std::fs::read_dir(folder)
                .into_iter()
                .flatten()
                .flatten()
                .any(|entry| in_folder(&entry.path()))
    })
}

#[cfg(not(target_os = "linux"))]
fn system_has_one() -> bool {
    true
}

/// Whether some part of the desktop shows icons of trays: a library alone shows none.
#[cfg(target_os = "linux")]
async fn is_shown() -> bool {
    let asked = async {
        let bus = zbus::Connection::session().await?;
        let names = zbus::fdo::DBusProxy::new(&bus).await?;
        let watcher = "org.kde.StatusNotifierWatcher".try_into()?;
        zbus::Result::Ok(names.name_has_owner(watcher).await?)
    };
    asked.await.unwrap_or(false)
}

#[cfg(not(target_os = "linux"))]
async fn is_shown() -> bool {
    true
}
