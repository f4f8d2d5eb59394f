//! `majordomoctl questions …`

use crate::args::{AnswerArgs, AnswerWord, Questions};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::messages::plural;
use crate::remember::{Lasting, within};
use crate::word::Word;
use crate::{ask, ask_form, input, print};
use api::{
    AnswerQuestion, AnswerQuestions, BatchDecision, BatchOutcome, ListQuestions, ReadQuestionTime,
    SetQuestionTime,
};
use host::{ErrorCode, HostError};
use policy::{ArgumentScope, Decision, Question, Remember, Subject};
use protocol::{Form, FormResult, QuestionId, ServerId, ToolName};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Lists questions, answers some, or says how long they wait.
pub(crate) async fn run(
    link: &Link,
    command: Questions,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    match command {
        Questions::List => {
            let waiting = link.ask(ListQuestions {}).await?;
            if json {
                print::json(&waiting)
            } else {
                list(&waiting)
            }
            Ok(Exit::Done)
        }
        Questions::Answer(args) => answer(link, &args, json).await,
        Questions::Time {
            minutes,
            approver_token_file,
        } => {
            let minutes = match (minutes, approver_token_file) {
                (None, _) => link.ask(ReadQuestionTime {}).await?,
                (Some(minutes), None) => word.ask(link, SetQuestionTime { minutes }).await?,
                (Some(minutes), Some(file)) => {
                    ask_as_person(link, SetQuestionTime { minutes }, Some(&file)).await?
                }
            };
            if json {
                print::json(&json!({ "minutes": minutes }))
            } else {
                print::result(plural("questions.time.chosen", minutes))
            }
            Ok(Exit::Done)
        }
    }
}

async fn answer(link: &Link, args: &AnswerArgs, json: bool) -> Result<Exit, HostError> {
    let token = args.approver_token_file.as_deref();
    let is_looked_at = args.answer == AnswerWord::Allow || !args.within.is_empty();
    let waiting = if is_looked_at {
        link.ask(ListQuestions {}).await?
    } else {
        Vec::new()
    };
    let none = Map::new();
    let mut answers = Vec::new();
    for id in &args.ids {
        let question = waiting.iter().find(|question| question.id.as_str() == id);
        let arguments = question.and_then(arguments_of);
        let given = answer_of(args, arguments.unwrap_or(&none))?;
        answers.push(BatchDecision {
            question: QuestionId::from(id.clone()),
            answer: match question.and_then(form_of) {
                Some((server, form)) if is_plain_yes(&given) => {
                    let answer = ask_form::accepted(server, form);
                    confirm(token)?;
                    answer
                }
                _ => given,
            },
        });
    }
    if let [BatchDecision { question, answer }] = answers.as_slice() {
        let request = AnswerQuestion {
            question: question.clone(),
            answer: answer.clone(),
        };
        ask_as_person(link, request, token).await?;
        if json {
            print::json(&json!({"question": question, "answered": true}));
        }
        print::note("Answered.");
        return Ok(Exit::Done);
    }
    let outcome = ask_as_person(link, AnswerQuestions { answers }, token).await?;
    if json {
        print::json(&outcome);
    }
    let BatchOutcome {
        answered,
        failed,
        grants: _,
    } = outcome;
    print::note(format_args!(
        "Answered {}; {} could not be answered.",
        answered.len(),
        failed.len()
    ));
    Ok(if failed.is_empty() {
        Exit::Done
    } else {
        Exit::Usage
    })
}

/// A form, and the server that wants it filled in.
fn form_of(question: &Question) -> Option<(&str, &Form)> {
    let server = question.server.as_ref().map_or("-", ServerId::as_str);
    match &question.subject {
        Subject::Form { during: _, form } => Some((server, form)),
        _ => None,
    }
}

fn is_plain_yes(answer: &Decision) -> bool {
    matches!(
        answer,
        Decision::Allow {
            arguments: None,
            remember: None
        }
    )
}

/// Has whoever sits here say yes to what they have just been shown. Who holds the approver token has
/// said it with the command.
fn confirm(approver_token_file: Option<&Path>) -> Result<(), HostError> {
    if approver_token_file.is_some() || !input::interactive() {
        return Ok(());
    }
    if input::is_yes("Send it? y for yes, n for no [n]") {
        return Ok(());
    }
    Err(link::error(
        ErrorCode::Refused,
        "you did not say yes; nothing was sent",
        "Decline it with deny, or choose what is sent with --content.",
    ))
}

fn arguments_of(question: &Question) -> Option<&Map<String, Value>> {
    match &question.subject {
        Subject::Call { arguments, .. } => Some(arguments),
        _ => None,
    }
}

/// Asks what only a person may: at a terminal, or with the approver token.
pub(super) async fn ask_as_person<R: api::Request>(
    link: &Link,
    request: R,
    approver_token_file: Option<&Path>,
) -> Result<R::Reply, HostError> {
    let Some(file) = approver_token_file else {
        if input::interactive() {
            return link.ask_as_person(request).await;
        }
        let hint = "Run it on a terminal, or give --approver-token-file FILE of a host that was started with it.";
        return Err(link::error(
            ErrorCode::NotAnApprover,
            "piped input stands for no person",
            hint,
        ));
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

/// The answer that was written, to a question about a call with these arguments.
fn answer_of(args: &AnswerArgs, arguments: &Map<String, Value>) -> Result<Decision, HostError> {
    let usage = |problem: &str| {
        Err(link::error(
            ErrorCode::BadAnswer,
            problem,
            "See `majordomoctl questions answer --help`.",
        ))
    };
    let allow = args.answer == AnswerWord::Allow;
    if args.reason.is_some() && allow {
        return usage("a reason is told with deny only");
    }
    if (args.content.is_some() || args.edit.is_some()) && !allow {
        return usage("what is sent can be chosen with allow only");
    }
    if let Some(content) = &args.content {
        let Ok(content) = serde_json::from_str(content) else {
            return usage("the content is not a JSON object");
        };
        return Ok(Decision::Form {
            answer: FormResult::Accept { content },
        });
    }
    let Ok(edited) = args.edit.as_deref().map(serde_json::from_str).transpose() else {
        return usage("the changed arguments are not a JSON object");
    };
    let lasting = Lasting {
        times: args.times,
        until: args.until.as_deref(),
        conversation: args.conversation,
        workspace: args.workspace,
        always: args.always,
    };
    let remember = match lasting.chosen()? {
        None => None,
        Some(lasting) => {
            let cover = match (args.any, args.within.as_slice()) {
                (true, _) => ArgumentScope::Any,
                (false, []) => ArgumentScope::Exactly,
                (false, limits) => within(limits, arguments)?,
            };
            let also = args.also.iter().cloned().map(ToolName::from).collect();
            Some(Remember {
                lasting,
                cover,
                also,
            })
        }
    };
    Ok(if allow {
        Decision::Allow {
            arguments: edited,
            remember,
        }
    } else {
        Decision::Deny {
            reason: args.reason.clone(),
            remember,
        }
    })
}

fn list(waiting: &[Question]) {
    if waiting.is_empty() {
        print::result("No question is waiting.");
    }
    for question in waiting {
        print::result(&question.id);
        ask::show(print::Stream::Result, question);
    }
}
