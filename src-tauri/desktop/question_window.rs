//! The question's own window: small, always on top, and the only place from which an answer is
//! taken.
//!
//! One question is shown at a time, the oldest first, so that none appears under a finger that is
//! about to click. A person who asks for another one gets a window of its own for it.

use crate::opening::host_of;
use crate::windows;
use host::api::{
    AnswerQuestions, BatchDecision, BatchOutcome, DecisionPreview, HostEvent, ListWorkspaces,
    PreviewAnswer, Request, WorkspaceView,
};
use host::{Approver, ErrorCode, Host, HostError, Surface};
use policy::{Decision, Question};
use protocol::{Caller, QuestionId};
use tauri::{
    AppHandle, Manager as _, WebviewUrl, WebviewWindow, WebviewWindowBuilder, async_runtime,
};

/// How the labels of these windows begin. Their capability names it. The rest of the label is the
/// question's number.
const PREFIX: &str = "question-";

/// Opens and closes question windows as questions come and go.
pub(crate) fn attend(app: &AppHandle, host: &Host, event: &HostEvent) {
    match event {
        HostEvent::QuestionAsked { .. } => show_next(app, host),
        HostEvent::QuestionClosed { question } => {
            if let Some(window) = app.get_webview_window(question.as_str()) {
                // If it does not go by itself it shows that there is nothing to answer.
                let _ = window.destroy();
            }
            show_next(app, host);
        }
        _ => {}
    }
}

/// Shows the oldest question that waits, unless one is shown already.
pub(crate) fn show_next(app: &AppHandle, host: &Host) {
    let waiting = host.waiting();
    let shown = |question: &Question| app.get_webview_window(question.id.as_str()).is_some();
    if waiting.iter().any(shown) {
        return;
    }
    let Some(question) = waiting.first() else {
        return;
    };
    if let Err(problem) = open(app, &question.id) {
        tracing::error!(%problem, question = %question.id, "a question cannot be shown, so the answer is no");
        host.close_question(&question.id);
    }
}

/// Brings the question that is shown before the person.
pub(crate) fn bring(app: &AppHandle, host: &Host) {
    show_next(app, host);
    for window in host
        .waiting()
        .iter()
        .filter_map(|question| app.get_webview_window(question.id.as_str()))
    {
        windows::bring(&window);
    }
}

fn open(app: &AppHandle, id: &QuestionId) -> tauri::Result<WebviewWindow> {
    let page = WebviewUrl::App("question.html".into());
    let window = WebviewWindowBuilder::new(app, id.as_str(), page)
        .inner_size(540.0, 680.0)
        .min_inner_size(420.0, 420.0)
        .always_on_top(true)
        .focused(true)
        .center();
    windows::open(window)
}

/// A question window is gone. If its question still waits, the answer is no.
pub(crate) fn gone(app: &AppHandle, label: &str) {
    let Some(id) = question_of(label) else { return };
    let app = app.clone();
    async_runtime::spawn(async move {
        if let Ok(host) = host_of(&app).await {
            host.close_question(&id);
        }
    });
}

/// The question that a window was opened for. A label cannot be chosen by a page.
fn question_of(label: &str) -> Option<QuestionId> {
    label.starts_with(PREFIX).then(|| QuestionId::from(label))
}

/// The question of the window that asks, and behind it the others that wait; nothing when it waits
/// no more.
#[tauri::command]
pub(crate) async fn questions_for_this_window(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Vec<Question>, HostError> {
    let (mut here, others): (Vec<_>, Vec<_>) = host_of(&app)
        .await?
        .waiting()
        .into_iter()
        .partition(|question| question_of(window.label()).as_ref() == Some(&question.id));
    if !here.is_empty() {
        here.extend(others);
    }
    Ok(here)
}

/// Takes a person's answer, if it comes from the window that shows this very question.
#[tauri::command]
pub(crate) async fn answer_question(
    app: AppHandle,
    window: WebviewWindow,
    question: QuestionId,
    answer: Decision,
) -> Result<(), HostError> {
    if question_of(window.label()).as_ref() != Some(&question) {
        return Err(HostError::of(
            ErrorCode::NotAnApprover,
            "this window shows another question",
        ));
    }
    host_of(&app)
        .await?
        .answer(&question, answer, Approver::QuestionWindow)
        .await
}

/// Takes a person's answers to several questions, from any window that was opened for a question.
#[tauri::command]
pub(crate) async fn answer_questions(
    app: AppHandle,
    window: WebviewWindow,
    answers: Vec<BatchDecision>,
) -> Result<BatchOutcome, HostError> {
    ask(&app, &window, AnswerQuestions { answers }).await
}

/// What an answer would do, before it is given.
#[tauri::command]
pub(crate) async fn preview_answer(
    app: AppHandle,
    window: WebviewWindow,
    question: QuestionId,
    answer: Decision,
) -> Result<DecisionPreview, HostError> {
    ask(&app, &window, PreviewAnswer { question, answer }).await
}

/// All workspaces, for the words of what an answer would cover.
#[tauri::command]
pub(crate) async fn workspaces_for_this_window(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Vec<WorkspaceView>, HostError> {
    ask(&app, &window, ListWorkspaces {}).await
}

/// Shows a question that waits because a person wants to see it now. Its window begins anew:
/// nothing is armed.
#[tauri::command]
pub(crate) async fn open_question(app: AppHandle, question: QuestionId) -> Result<(), HostError> {
    if let Some(window) = app.get_webview_window(question.as_str()) {
        windows::bring(&window);
        return Ok(());
    }
    if !host_of(&app)
        .await?
        .waiting()
        .iter()
        .any(|waiting| waiting.id == question)
    {
        return Err(HostError::of(
            ErrorCode::UnknownQuestion,
            "this question does not wait any more",
        ));
    }
    open(&app, &question)
        .map(|_| ())
        .map_err(|problem| HostError::of(ErrorCode::Internal, problem.to_string()))
}

async fn ask<R: Request>(
    app: &AppHandle,
    window: &WebviewWindow,
    request: R,
) -> Result<R::Reply, HostError> {
    if question_of(window.label()).is_none() {
        return Err(HostError::of(
            ErrorCode::NotAnApprover,
            "this window was opened for no question",
        ));
    }
    let surface = Surface::of(Caller::window(), Some(Approver::QuestionWindow));
    host_of(app).await?.ask(request, &surface).await
}
