//! `majordomoctl call …`

use crate::args::Call;
use crate::exit::Exit;
use crate::link::{self, Heard, Link};
use crate::{ask, print, sentences, values};
use api::{CallResult, CallTool, CancelCall, HostEvent, ListQuestions};
use host::{ErrorCode, HostError};
use inspect::Finding;
use policy::{Question, Subject};
use protocol::{Boundary, CallId, Content, DataSource, Origin, Provenance, ToolResult, envelope};
use serde_json::Value;
use std::collections::{HashSet, VecDeque};
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::pin::pin;

/// Calls a tool and waits for the end. On a terminal the question is asked there.
pub(crate) async fn run(link: &Link, command: Call, json: bool) -> Result<Exit, HostError> {
    let arguments = values::read(link, &command.server, &command.tool, &command.values).await?;
    let call = CallId::random();
    let request = CallTool {
        call: Some(call.clone()),
        server: command.server,
        tool: command.tool,
        arguments,
    };
    let answered = tokio::select! {
        answered = link.ask(request) => answered?,
        problem = answer_questions(link, |question| is_about(question, &call)) => return Err(problem),
        _ = tokio::signal::ctrl_c() => {
            print::note("Cancelled.");
            // Answered or not, the call is over for us.
            let _ = link.ask(CancelCall { call }).await;
            return Ok(Exit::Other);
        }
    };
    if command.as_model {
        let parts = as_model(&answered)?;
        if json {
            print::json(&parts)
        } else {
            show_parts(&parts)
        }
    } else if json {
        print::json(&answered)
    } else {
        show(&answered)
    }
    Ok(if answered.answer.is_error {
        Exit::Server
    } else {
        Exit::Done
    })
}

/// What a model would get of an answer.
fn as_model(answered: &CallResult) -> Result<Vec<Content>, HostError> {
    let Some(Origin::Tool {
        server: Some(server),
        tool,
    }) = answered.label.origins().next()
    else {
        return Err(link::error(
            ErrorCode::Internal,
            "the answer has no origin",
            "Use the same version for both programs.",
        ));
    };
    let from = Provenance {
        source: DataSource::Tool {
            server: server.clone(),
            tool: tool.clone(),
        },
        at: answered.at,
        trust: answered.label.trust(),
        confidentiality: answered.label.confidentiality(),
    };
    Ok(envelope(&from, &answered.answer, &Boundary::random()))
}

/// Waits for the first question about what was asked for. Fails only when the host cannot be reached
/// any more.
pub(super) async fn first_question(
    link: &Link,
    is_about_it: impl Fn(&Question) -> bool,
) -> Result<Question, HostError> {
    let first = async |question: &Question, _: &mut Heard, _: &mut VecDeque<Question>| {
        ControlFlow::Break(question.clone())
    };
    hear_questions(link, is_about_it, first).await
}

/// Hears of questions about what was asked for: asks them here if a person sits here, else says how
/// they are answered. Ends only when the host cannot be reached any more.
pub(crate) async fn answer_questions(
    link: &Link,
    is_about_it: impl Fn(&Question) -> bool,
) -> HostError {
    let answer =
        async |question: &Question, heard: &mut Heard, waiting: &mut VecDeque<Question>| {
            if link.may_ask_here() {
                ask_here(link, question, heard, waiting).await;
            } else {
                announce(link, question);
            }
            ControlFlow::<Infallible>::Continue(())
        };
    match hear_questions(link, is_about_it, answer).await {
        Ok(never) => match never {},
        Err(problem) => problem,
    }
}

/// Hears of questions about what was asked for, each once, until `meet` has had enough. Fails only
/// when the host cannot be reached any more.
async fn hear_questions<T>(
    link: &Link,
    is_about_it: impl Fn(&Question) -> bool,
    mut meet: impl AsyncFnMut(&Question, &mut Heard, &mut VecDeque<Question>) -> ControlFlow<T>,
) -> Result<T, HostError> {
    let mut seen = HashSet::new();
    loop {
        // Hearing comes first, so that nothing is asked between the list and the first event.
        let mut heard = link.events().await?;
        let mut waiting = VecDeque::from(link.ask(ListQuestions {}).await?);
        loop {
            while let Some(question) = waiting.pop_front() {
                if !is_about_it(&question) || !seen.insert(question.id.clone()) {
                    continue;
                }
                if let ControlFlow::Break(enough) = meet(&question, &mut heard, &mut waiting).await
                {
                    return Ok(enough);
                }
            }
            // What was missed is in the list again.
            let Some(event) = heard.next().await else {
                break;
            };
            keep(event, &mut waiting);
        }
    }
}

/// Asks a question here. What happens meanwhile is heard, so that nobody is asked what has been
/// answered elsewhere.
async fn ask_here(
    link: &Link,
    question: &Question,
    heard: &mut Heard,
    waiting: &mut VecDeque<Question>,
) {
    let (mut closed, mut hears) = (false, true);
    let mut asked = pin!(ask::ask(link, question));
    let answered = loop {
        tokio::select! {
            // Our own answer closes it, too.
            biased;
            answered = &mut asked => break answered,
            event = heard.next(), if hears => match event {
                Some(HostEvent::QuestionClosed { question: other }) if other == question.id => {
                    closed = true;
                }
                Some(event) => keep(event, waiting),
                None => hears = false,
            },
        }
    };
    match answered {
        Ok(()) => {}
        Err(_) if closed => print::note("It does not wait for an answer any more."),
        Err(problem) => print::error(&problem),
    }
}

/// Makes a request of a server that may be a question first, and asks it where a person sits here.
/// `chosen` is what the question shows of it.
pub(super) async fn request<R: api::Request>(
    link: &Link,
    request: R,
    chosen: &Value,
) -> Result<R::Reply, HostError> {
    let is_it = |question: &Question| match &question.subject {
        Subject::Request { arguments, .. } => chosen.as_object() == Some(arguments),
        _ => false,
    };
    tokio::select! {
        answer = link.ask(request) => answer,
        problem = answer_questions(link, is_it) => Err(problem),
    }
}

/// Keeps the questions that wait as they are after an event.
fn keep(event: HostEvent, waiting: &mut VecDeque<Question>) {
    match event {
        HostEvent::QuestionAsked { question } => waiting.push_back(*question),
        HostEvent::QuestionClosed { question } => waiting.retain(|other| other.id != question),
        _ => {}
    }
}

fn is_about(question: &Question, call: &CallId) -> bool {
    match &question.subject {
        Subject::Call { call: asked, .. } => asked == call,
        Subject::Form { during, .. }
        | Subject::Url { during, .. }
        | Subject::Sample { during, .. }
        | Subject::SampleReply { during, .. } => during.contains(call),
        Subject::Request { .. } | Subject::Change { .. } | Subject::Rule { .. } => false,
    }
}

fn announce(link: &Link, question: &Question) {
    ask::show(print::Stream::Note, question);
    if link.window_answers() {
        print::note("The question waits in its own window.");
    } else {
        let token = if link.needs_token_file() {
            " --approver-token-file FILE"
        } else {
            ""
        };
        print::note(format_args!(
            "Waiting for an answer: majordomoctl questions answer {} allow|deny{token}",
            question.id
        ));
    }
}

/// Shows the parts of an answer, of whatever kind.
pub(super) fn show_parts(parts: &[Content]) {
    let data = |kind: &str, mime_type: &str, data: &str| {
        print::result(format_args!(
            "[{kind} {}, {} bytes of Base64]",
            print::visible(mime_type),
            data.len()
        ));
    };
    for part in parts {
        match part {
            Content::Text { text, .. } => print::result(print::lines(text)),
            Content::Image {
                data: it,
                mime_type,
                ..
            } => data("image", mime_type, it),
            Content::Audio {
                data: it,
                mime_type,
                ..
            } => data("audio", mime_type, it),
            Content::ResourceLink { uri, name, .. } => print::result(format_args!(
                "[link {} {}]",
                print::visible(name),
                print::visible(uri)
            )),
            Content::Resource {
                uri,
                text: Some(text),
                ..
            } => print::result(format_args!(
                "[{}]\n{}",
                print::visible(uri),
                print::lines(text)
            )),
            Content::Resource { text: None, .. } | Content::Unknown { .. } => {
                print::result(print::visible(&serde_json::json!(part).to_string()));
            }
        }
    }
}

/// Shows an answer with what this host knows about it.
fn show(answered: &CallResult) {
    let CallResult {
        call,
        at: _,
        answer,
        findings,
        label,
        revealable,
        whole_kept,
        ran_ms: _,
        refused_asks,
    } = answered;
    show_answer(answer);
    for finding in findings {
        let Finding {
            kind: _,
            severity: _,
            at,
            span: _,
            evidence,
        } = finding;
        print::note(format_args!(
            "found at {}: {}",
            print::visible(at),
            sentences::finding(finding)
        ));
        print::note(print::quote(evidence));
    }
    let call = print::visible(call.as_str());
    if *revealable {
        print::note(format_args!(
            "What is covered is shown to you by: majordomoctl answers reveal {call}"
        ));
    }
    if *whole_kept {
        print::note(format_args!(
            "The whole text: majordomoctl answers full {call}"
        ));
    }
    let server = label.origins().find_map(|origin| match origin {
        Origin::Tool { server, tool: _ } => server.as_ref(),
        Origin::Person | Origin::Host | Origin::Attachment { .. } | Origin::Unknown => None,
    });
    let server = server.map_or("The server", |server| server.as_str());
    for refused in refused_asks {
        print::note(format_args!(
            "{} That was not allowed.",
            sentences::refused_ask(*refused, server)
        ));
    }
}

/// Shows an answer as it came, and what this host did to it.
pub(super) fn show_answer(answer: &ToolResult) {
    let ToolResult {
        content,
        structured,
        is_error,
        notes,
        // For programs that pass it on.
        extra: _,
    } = answer;
    show_parts(content);
    if let Some(structured) = structured {
        print::result(print::lines(&format!("{structured:#}")));
    }
    for note in notes {
        print::note(format_args!("note: {}", sentences::note(note)));
    }
    if *is_error {
        print::note("The tool reports a failure.");
    }
}
