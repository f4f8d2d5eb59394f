//! `majordomoctl questions …`

use crate::args::{AnswerArgs, AnswerWord, Questions};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::remember::{Lasting, within};
use crate::{ask, print};
use host::{ErrorCode, HostError};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Lists questions or answers some.
pub(crate) async fn run(link: &Link, command: Questions, json: bool) -> Result<Exit, HostError> {
    match command {
        Questions::List => {
            let waiting = link.ask(&json!({"method": "list_questions"})).await?;
            if json {
                print::json(&waiting)
            } else {
                list(&waiting)
            }
            Ok(Exit::Done)
        }
        Questions::Answer(args) => answer(link, &args, json).await,
    }
}

async fn answer(link: &Link, args: &AnswerArgs, json: bool) -> Result<Exit, HostError> {
    let token = args.approver_token_file.as_deref();
    let needs_arguments = !args.within.is_empty();
    let waiting = if needs_arguments { link.ask(&json!({"method": "list_questions"})).await? } else { Value::Null };
    let mut answers = Vec::new();
    for id in &args.ids {
        let question = waiting.as_array().into_iter().flatten().find(|question| question["id"] == **id);
        let arguments = question.and_then(|question| question.pointer("/subject/arguments")).and_then(Value::as_object);
        answers.push((id, shape(args, arguments.unwrap_or(&Map::new()))?));
    }
    if let [(id, answer)] = answers.as_slice() {
        let request = json!({"method": "answer_question", "params": {"question": id, "answer": answer}});
        ask_as_person(link, &request, token).await?;
        if json {
            print::json(&json!({"question": id, "answered": true}));
        }
        print::note("Answered.");
        return Ok(Exit::Done);
    }
    let answers: Vec<Value> = answers.into_iter().map(|(id, answer)| json!({"question": id, "answer": answer})).collect();
    let outcome = ask_as_person(link, &json!({"method": "answer_questions", "params": {"answers": answers}}), token).await?;
    if json {
        print::json(&outcome);
    }
    let count = |name: &str| outcome[name].as_array().map_or(0, Vec::len);
    print::note(format_args!("Answered {}; {} could not be answered.", count("answered"), count("failed")));
    Ok(if count("failed") == 0 { Exit::Done } else { Exit::Usage })
}

/// Asks what only a person may: at a terminal, or with the approver token.
pub(super) async fn ask_as_person(link: &Link, request: &Value, approver_token_file: Option<&Path>) -> Result<Value, HostError> {
    let Some(file) = approver_token_file else {
        if ask::interactive() {
            return link.ask_as_person(request).await;
        }
        let hint = "Run it on a terminal, or give --approver-token-file FILE of a host that was started with it.";
        return Err(link::error(ErrorCode::NotAnApprover, "piped input stands for no person", hint));
    };
    let token = std::fs::read_to_string(file).map_err(|problem| {
        link::error(
            ErrorCode::NotAnApprover,
            format!("{} cannot be read: {problem}", file.display()),
            "Name the file that `serve --approver-token-file` has written.",
        )
    })?;
    link.ask_as(request, Some(token.trim())).await
}

/// The answer in the shape of the interface, to a question about a call with these arguments.
fn shape(args: &AnswerArgs, arguments: &Map<String, Value>) -> Result<Value, HostError> {
    let usage = |problem: &str| Err(link::error(ErrorCode::BadAnswer, problem, "See `majordomoctl questions answer --help`."));
    let allow = args.answer == AnswerWord::Allow;
    if args.reason.is_some() && allow {
        return usage("a reason is told with deny only");
    }
    if (args.content.is_some() || args.edit.is_some()) && !allow {
        return usage("what is sent can be chosen with allow only");
    }
    if let Some(content) = &args.content {
        return match serde_json::from_str(content) {
            Ok(Value::Object(content)) => Ok(json!({"kind": "form", "answer": {"kind": "accept", "content": content}})),
            _ => usage("the content is not a JSON object"),
        };
    }
    let edited = match args.edit.as_deref().map(serde_json::from_str) {
        None => Value::Null,
        Some(Ok(edited @ Value::Object(_))) => edited,
        Some(_) => return usage("the changed arguments are not a JSON object"),
    };
    let lasting = Lasting {
        times: args.times,
        until: args.until.as_deref(),
        conversation: args.conversation,
        workspace: args.workspace,
        always: args.always,
    };
    let remember = match lasting.shape()? {
        None => Value::Null,
        Some(lasting) => {
            let cover = match (args.any, args.within.as_slice()) {
                (true, _) => json!({"kind": "any"}),
                (false, []) => json!({"kind": "exactly"}),
                (false, limits) => within(limits, arguments)?,
            };
            json!({"lasting": lasting, "cover": cover, "also": args.also})
        }
    };
    Ok(if allow {
        json!({"kind": "allow", "arguments": edited, "remember": remember})
    } else {
        json!({"kind": "deny", "reason": args.reason, "remember": remember})
    })
}

fn list(waiting: &Value) {
    for question in waiting.as_array().into_iter().flatten() {
        print::result(print::text(question, "/id"));
        ask::show(question);
    }
}
