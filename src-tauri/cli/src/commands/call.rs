//! `majordomoctl call …`

use crate::args::Call;
use crate::ask;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use protocol::{Boundary, CallId, Origin, Provenance, ToolAnswer, envelope};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Read as _;
use std::time::Duration;

/// How often is looked whether the call has come to wait for a person.
const LOOK: Duration = Duration::from_millis(150);

/// Calls a tool and waits for the end. On a terminal the question is asked there.
pub(crate) async fn run(link: &Link, command: Call, json: bool) -> Result<Exit, HostError> {
    let arguments = arguments(&command.args)?;
    let call = CallId::random();
    let params = json!({"call": call, "server": command.server, "tool": command.tool, "arguments": arguments});
    let request = json!({"method": "call_tool", "params": params});
    let answer = tokio::select! {
        answer = link.ask(&request) => answer?,
        problem = answer_questions(link, |question| is_about(question, &call)) => return Err(problem),
        _ = tokio::signal::ctrl_c() => {
            print::note("Cancelled.");
            // Answered or not, the call is over for us.
            let _ = link.ask(&json!({"method": "cancel_call", "params": {"call": call}})).await;
            return Ok(Exit::Other);
        }
    };
    if command.as_model {
        let parts = as_model(&answer)?;
        if json { print::json(&parts) } else { show_parts(&parts) }
    } else if json {
        print::json(&answer)
    } else {
        show(&answer)
    }
    Ok(if answer["is_error"] == true { Exit::Server } else { Exit::Done })
}

/// What a model would get of an answer.
fn as_model(answered: &Value) -> Result<Value, HostError> {
    let unreadable =
        |what: &str| link::error(ErrorCode::Internal, format!("the answer has no {what}"), "Use the same version for both programs.");
    fn read<T: DeserializeOwned>(value: &Value) -> Option<T> {
        serde_json::from_value(value.clone()).ok()
    }
    let label = &answered["label"];
    let Some(Origin::Tool { server: Some(server), tool }) = read(&label["origins"][0]) else { return Err(unreadable("origin")) };
    let from = Provenance {
        server,
        tool,
        at: read(&answered["at"]).ok_or_else(|| unreadable("time"))?,
        trust: read(&label["trust"]).ok_or_else(|| unreadable("trust"))?,
        confidentiality: read(&label["confidentiality"]).ok_or_else(|| unreadable("confidentiality"))?,
    };
    let answer: ToolAnswer = read(answered).ok_or_else(|| unreadable("content"))?;
    Ok(json!(envelope(&from, &answer, &Boundary::random())))
}

pub(super) fn arguments(text: &str) -> Result<Value, HostError> {
    let usage =
        |problem: String| link::error(ErrorCode::BadRequest, problem, "Give --args a JSON object such as '{\"path\": \"notes.txt\"}'.");
    let mut input = String::new();
    if text == "-" {
        std::io::stdin().read_to_string(&mut input).map_err(|problem| usage(format!("standard input cannot be read: {problem}")))?;
    } else {
        input.push_str(text);
    }
    match serde_json::from_str(&input) {
        Ok(Value::Object(arguments)) => Ok(Value::Object(arguments)),
        Ok(_) => Err(usage("the arguments are not a JSON object".into())),
        Err(problem) => Err(usage(format!("the arguments are not JSON: {problem}"))),
    }
}

/// Watches for questions about what was asked for: asks them here if a person sits here, else says how they are answered. Ends only when
/// the host cannot be reached any more.
pub(super) async fn answer_questions(link: &Link, is_about_it: impl Fn(&Value) -> bool) -> HostError {
    let mut seen = HashSet::new();
    loop {
        tokio::time::sleep(LOOK).await;
        let waiting = match link.ask(&json!({"method": "list_questions"})).await {
            Ok(waiting) => waiting,
            Err(problem) => return problem,
        };
        for question in waiting.as_array().into_iter().flatten().filter(|question| is_about_it(question)) {
            if !seen.insert(print::text(question, "/id")) {
                continue;
            }
            if !link.may_ask_here() {
                announce(link, question);
            } else if let Err(problem) = ask::ask(link, question).await {
                print::error(&problem);
            }
        }
    }
}

fn is_about(question: &Value, call: &CallId) -> bool {
    let this = json!(call);
    question.pointer("/subject/call") == Some(&this)
        || question.pointer("/subject/during").and_then(Value::as_array).is_some_and(|calls| calls.contains(&this))
}

fn announce(link: &Link, question: &Value) {
    ask::show(question);
    if link.window_answers() {
        print::note("The question waits in its own window.");
    } else {
        let id = print::text(question, "/id");
        print::note(format_args!("Waiting for an answer: majordomoctl questions answer {id} allow|deny"));
    }
}

/// Shows the parts of an answer, of whatever kind.
pub(super) fn show_parts(parts: &Value) {
    for part in parts.as_array().into_iter().flatten() {
        let text = |pointer: &str| print::visible(&print::text(part, pointer));
        match part["kind"].as_str() {
            Some("text") => print::result(print::lines(&print::text(part, "/text"))),
            Some("image" | "audio") => {
                print::result(format_args!(
                    "[{} {}, {} bytes of Base64]",
                    text("/kind"),
                    text("/mime_type"),
                    part["data"].as_str().map_or(0, str::len)
                ));
            }
            Some("resource_link") => print::result(format_args!("[link {} {}]", text("/name"), text("/uri"))),
            Some("resource") if part["text"].is_string() => {
                print::result(format_args!("[{}]\n{}", text("/uri"), print::lines(&print::text(part, "/text"))));
            }
            _ => print::result(print::visible(&part.to_string())),
        }
    }
}

/// Shows an answer with what this host did to it.
pub(super) fn show(answer: &Value) {
    show_parts(&answer["content"]);
    if !answer["structured"].is_null() {
        print::result(print::lines(&format!("{:#}", answer["structured"])));
    }
    for finding in answer["findings"].as_array().into_iter().flatten() {
        let text = |pointer: &str| print::visible(&print::text(finding, pointer));
        print::note(format_args!("found: {} {} at {}: {}", text("/severity"), text("/kind"), text("/at"), text("/evidence")));
    }
    if answer["revealable"] == true {
        let call = print::visible(&print::text(answer, "/call"));
        print::note(format_args!("What is covered is shown to you by: majordomoctl answers reveal {call}"));
    }
    if answer["whole_kept"] == true {
        let call = print::visible(&print::text(answer, "/call"));
        print::note(format_args!("The whole text: majordomoctl answers full {call}"));
    }
    for item in answer["notes"].as_array().into_iter().flatten() {
        print::note(format_args!("note: {}", print::visible(&item.to_string())));
    }
    for refused in answer["refused_asks"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        print::note(format_args!("The server asked for {}; it was refused.", refused_ask(refused)));
    }
    if answer["is_error"] == true {
        print::note("The tool reports a failure.");
    }
}

fn refused_ask(why: &str) -> &'static str {
    match why {
        "password" => "a password in a form",
        "card" => "the number or code of a payment card in a form",
        "token" => "a token in a form",
        "one_time_code" => "a one-time code in a form",
        "key" => "a key in a form",
        "bad_address" => "an address to be opened that must not be",
        "secret_in_address" => "an address to be opened that holds a secret",
        "rule" => "an address to be opened that a rule forbids",
        "model_off" => "a model, which it may not ask for",
        "model_tools" => "a model with tools or with what others said",
        "model_budget" => "more of a model than it may use",
        _ => "something that nobody may be asked for",
    }
}
