//! The window: the only part that knows Tauri.
//!
//! Always true here:
//! - the main window can ask the host and nothing else; it cannot answer questions;
//! - a question is answered only from the window that shows that very question, or with others from
//!   a question's window;
//! - no page but the program's own is ever loaded.

#![cfg(feature = "window")]

mod arguments;
mod bridge;
mod dialogs;
mod notices;
mod opening;
mod question_window;
mod windows;

use arguments::Arguments;
use notices::Notices;
use opening::Opening;
use std::process::ExitCode;
use tauri::{Manager as _, RunEvent};

/// Runs the program with the arguments of the process.
pub fn main() -> ExitCode {
    sandbox::memory::keep_private();
    sandbox::memory::give_back();
    match Arguments::parse(std::env::args().skip(1)) {
        Ok(Arguments::Builtin(name)) => builtin(&name),
        Ok(Arguments::Window { data_dir }) => window(data_dir),
        Ok(Arguments::Said(text)) => say(&text, ExitCode::SUCCESS),
        Err(problem) => say(&problem, ExitCode::from(2)),
    }
}

#[expect(
    clippy::print_stderr,
    reason = "started from a terminal, this is all the program can show"
)]
fn say(text: &str, code: ExitCode) -> ExitCode {
    eprintln!("{text}");
    code
}

fn builtin(name: &str) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let served = runtime
        .map_err(|problem| problem.to_string())
        .and_then(|runtime| {
            runtime
                .block_on(builtin::serve(name))
                .map_err(|problem| problem.to_string())
        });
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => say(&problem, ExitCode::from(4)),
    }
}

fn window(data_dir: std::path::PathBuf) -> ExitCode {
    cli::diagnostics::begin();
    let app = tauri::Builder::default()
        .plugin(tauri_plugin_dialog::init())
        .invoke_handler(tauri::generate_handler![
            bridge::rpc,
            dialogs::pick_folder,
            dialogs::pick_config_file,
            dialogs::save_text,
            dialogs::open_link,
            notices::set_notices,
            question_window::questions_for_this_window,
            question_window::answer_question,
            question_window::answer_questions,
            question_window::preview_answer,
            question_window::workspaces_for_this_window,
            question_window::open_question,
        ])
        .setup(move |app| {
            app.manage(Notices::default());
            app.manage(Opening::begin(app.handle(), data_dir.clone()));
            windows::open_main(app.handle())?;
            opening::end_on_signals(app.handle());
            Ok(())
        })
        .build(context());
    let app = match app {
        Ok(app) => app,
        Err(problem) => {
            return say(
                &format!("the window cannot be opened: {problem}"),
                ExitCode::FAILURE,
            );
        }
    };
    app.run(|app, event| match event {
        // Servers are stopped and the log is closed before the process goes.
        RunEvent::ExitRequested { api, .. } if app.state::<Opening>().close_first(app) => {
            api.prevent_exit()
        }
        RunEvent::WindowEvent {
            label,
            event: tauri::WindowEvent::CloseRequested { api, .. },
            ..
        } if windows::hides(app, &label) => api.prevent_close(),
        RunEvent::WindowEvent {
            label,
            event: tauri::WindowEvent::Destroyed,
            ..
        } => windows::gone(app, &label),
        _ => {}
    });
    ExitCode::SUCCESS
}

#[expect(
    clippy::disallowed_methods,
    reason = "it stands in what Tauri's macro writes; no code of ours leaves this way"
)]
fn context() -> tauri::Context {
    tauri::generate_context!()
}
