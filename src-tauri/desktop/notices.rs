//! Tells a person who looks elsewhere that questions wait: by a notification, in the tray, on the
//! program's badge.
//!
//! Always true here:
//! - nothing that a server says gets into any of them: they say how many questions wait, in our own
//!   words;
//! - none of them can answer a question; a click shows the question's own window;
//! - a system that has one of them not is no error.

mod gather;
mod messages;
mod show;
mod tray;

use crate::opening::host_of;
use crate::{question_window, windows};
use gather::{GATHER, Gathering, Step};
use host::api::HostEvent;
use host::{ErrorCode, Host, HostError};
use messages::NoticeMessages;
use show::Shown;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tauri::{AppHandle, Manager as _, async_runtime};
use tray::Tray;

/// What is told now, and in which words.
#[derive(Default)]
pub(crate) struct Notices {
    gathering: Mutex<Gathering>,
    // None until the main window's pages have given them; nothing is told before.
    words: Mutex<Option<NoticeMessages>>,
    shown: Shown,
    tray: Tray,
}

/// Tells of questions as they come and go.
pub(crate) fn attend(app: &AppHandle, host: &Host, event: &HostEvent) {
    let notices = app.state::<Notices>();
    let step = match event {
        HostEvent::QuestionAsked { .. } => notices
            .gathering()
            .asked(windows::looking(app), notices.on()),
        HostEvent::QuestionClosed { .. } => notices.gathering().closed(host.waiting().len()),
        _ => return,
    };
    perform(app, host, step);
    count(app, host.waiting().len());
}

/// Makes good what was not heard of questions that came and went.
pub(crate) fn catch_up(app: &AppHandle, host: &Host) {
    let (notices, waiting) = (app.state::<Notices>(), host.waiting().len());
    let step = notices
        .gathering()
        .missed(waiting, windows::looking(app), notices.on());
    perform(app, host, step);
    count(app, waiting);
}

fn perform(app: &AppHandle, host: &Host, step: Step) {
    let notices = app.state::<Notices>();
    match step {
        Step::Nothing => {}
        Step::Wait => {
            let (app, host) = (app.clone(), host.clone());
            async_runtime::spawn(async move {
                tokio::time::sleep(GATHER).await;
                let notices = app.state::<Notices>();
                let step = notices
                    .gathering()
                    .gathered(host.waiting().len(), notices.on());
                perform(&app, &host, step);
            });
        }
        Step::Tell(questions) => {
            if let Some(words) = notices.words().clone() {
                notices
                    .shown
                    .show(app, words.title(questions), words.text, look);
            }
        }
        Step::TakeBack => notices.shown.take_back(),
    }
}

/// Shows how many questions wait, in the tray and on the badge.
fn count(app: &AppHandle, questions: usize) {
    let notices = app.state::<Notices>();
    if let Some(words) = notices.words().as_ref() {
        notices.tray.say(app, words, questions);
    }
    windows::badge(app, questions);
}

/// Brings the question that waits before the person, or the main window if none does.
fn look(app: &AppHandle) {
    let app = app.clone();
    async_runtime::spawn(async move {
        match host_of(&app).await {
            Ok(host) if !host.waiting().is_empty() => question_window::bring(&app, &host),
            _ => windows::bring_main(&app),
        }
    });
}

/// Whether the window is to be hidden when it is closed: the person wants that, and there is a tray
/// from which it comes back. Where that has gone by then, the application ends.
pub(crate) fn keeps_running(app: &AppHandle) -> bool {
    let notices = app.state::<Notices>();
    let keep = notices.words().as_ref().is_some_and(|words| words.keep);
    if !keep || !notices.tray.is_there() {
        return false;
    }
    let app = app.clone();
    async_runtime::spawn(async move {
        if !app.state::<Notices>().tray.look(&app).await {
            app.exit(0);
        }
    });
    true
}

/// Takes what the person wants to be told, and the words for it. Answers whether there is a tray.
#[tauri::command]
pub(crate) async fn set_notices(app: AppHandle, words: NoticeMessages) -> Result<bool, HostError> {
    let words = words
        .checked()
        .ok_or_else(|| HostError::of(ErrorCode::BadRequest, "words are missing, or too long"))?;
    *app.state::<Notices>().words() = Some(words);
    let waiting = host_of(&app).await?.waiting().len();
    count(&app, waiting);
    Ok(app.state::<Notices>().tray.look(&app).await)
}

impl Notices {
    fn gathering(&self) -> MutexGuard<'_, Gathering> {
        self.gathering
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn words(&self) -> MutexGuard<'_, Option<NoticeMessages>> {
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on(&self) -> bool {
        self.words().as_ref().is_some_and(|words| words.on)
    }
}
