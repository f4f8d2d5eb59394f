//! `majordomoctl questions …`

use crate::args::{AnswerWord, Questions};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::{ask, print};
use host::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::path::Path;

/// Lists questions or answers one.
pub(crate) async fn run(link: &Link, command: Questions, json: bool) -> Result<Exit, HostError> {
    match command {
        Questions::List => {
            let waiting = link.ask(&json!({"method": "list_questions"})).await?;
            if json { print::json(&waiting) } else { list(&waiting) }
        }
        Questions::Answer { id, answer, reason, content, approver_token_file } => {
            let request = json!({"method": "answer_question", "params": {"question": id, "answer": shape(answer, reason, content)?}});
            ask_as_person(link, &request, approver_token_file.as_deref()).await?;
            if json {
                print::json(&json!({"question": id, "answered": true}));
            }
            print::note("Answered.");
        }
    }
    Ok(Exit::Done)
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

fn shape(answer: AnswerWord, reason: Option<String>, content: Option<String>) -> Result<Value, HostError> {
    let usage = |problem: &str| Err(link::error(ErrorCode::BadAnswer, problem, "See `majordomoctl questions answer --help`."));
    if reason.is_some() && answer != AnswerWord::Deny {
        return usage("a reason is told with deny only");
    }
    if let Some(content) = content {
        if answer != AnswerWord::AllowOnce {
            return usage("a form is filled in with allow-once only");
        }
        return match serde_json::from_str(&content) {
            Ok(Value::Object(content)) => Ok(json!({"kind": "form", "answer": {"kind": "accept", "content": content}})),
            _ => usage("the content is not a JSON object"),
        };
    }
    Ok(match answer {
        AnswerWord::AllowOnce => json!({"kind": "allow_once"}),
        AnswerWord::AllowRun => json!({"kind": "allow_run"}),
        AnswerWord::AllowExactly => json!({"kind": "allow_arguments"}),
        AnswerWord::AllowAlways => json!({"kind": "allow_tool"}),
        AnswerWord::Deny => json!({"kind": "deny", "reason": reason}),
    })
}

fn list(waiting: &Value) {
    for question in waiting.as_array().into_iter().flatten() {
        print::result(print::text(question, "/id"));
        ask::show(question);
    }
}
