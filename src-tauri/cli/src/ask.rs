//! The question in a terminal. Only a terminal that a person sits at is asked; piped input never
//! approves.

use crate::link::Link;
use crate::print::{Stream, quote, quote_as};
use crate::{ask_call, ask_form, ask_sample, input, sentences};
use api::AnswerQuestion;
use host::HostError;
use policy::{ChangeDetail, Decision, Question, RequestKind, Rule, Subject, WantedChange};
use protocol::UrlAsk;

/// Shows a question, reads the answer and sends it.
pub(crate) async fn ask(link: &Link, question: &Question) -> Result<(), HostError> {
    show(Stream::Note, question);
    let answer = if let Subject::Call { .. } = question.subject {
        ask_call::read(link, question).await
    } else {
        let subject = question.subject.clone();
        let read = tokio::task::spawn_blocking(move || read(&subject));
        // A terminal that cannot be read is a no.
        read.await.unwrap_or(Decision::Decline)
    };
    let request = AnswerQuestion {
        question: question.id.clone(),
        answer,
    };
    link.ask_as_person(request).await
}

fn read(subject: &Subject) -> Decision {
    match subject {
        // Its answer is tried out before it is given.
        Subject::Call { .. } => Decision::no(None),
        Subject::Form { during: _, form } => ask_form::read(form),
        Subject::Url { .. } => yes_or_no(
            "Open it in the browser? y to open, n to decline [n]",
            Decision::OpenUrl,
        ),
        Subject::Sample { sample, model, .. } => ask_sample::read(sample, model.as_deref()),
        Subject::SampleReply { .. } => ask_sample::read_reply(),
        Subject::Request { .. } => {
            if input::is_yes("Send it? y for yes, n for no [n]") {
                Decision::once()
            } else {
                Decision::no(None)
            }
        }
        Subject::Rule { .. } | Subject::Change { .. } => yes_or_no(
            "Let more happen? y for yes, n for no [n]",
            Decision::ChangeRule,
        ),
    }
}

fn yes_or_no(text: &str, yes: Decision) -> Decision {
    if input::is_yes(text) {
        yes
    } else {
        Decision::Decline
    }
}

/// Shows a question.
pub(crate) fn show(to: Stream, question: &Question) {
    let Question {
        id: _,
        asked_at: _,
        expires_at: _,
        server,
        subject,
    } = question;
    let server = server.as_ref().map_or("-", |server| server.as_str());
    to.say("");
    match subject {
        Subject::Call { .. } => ask_call::show(to, server, subject),
        Subject::Form { during: _, form } => ask_form::show(to, server, form),
        Subject::Url {
            during: _,
            ask,
            host,
            look_alike,
        } => {
            let UrlAsk {
                message,
                url,
                id: _,
            } = ask;
            to.say(format_args!(
                "The server {server} asks you to open an address in the browser. In its own words:"
            ));
            to.say(quote(message));
            to.say("The whole address:");
            to.say(quote(url));
            to.say("It leads to:");
            to.say(quote(host));
            if *look_alike {
                to.say("Careful: that name holds letters that can be taken for others.");
            }
        }
        Subject::Sample {
            during: _,
            sample,
            model,
            budget,
        } => ask_sample::show(to, server, sample, model.as_deref(), *budget),
        Subject::SampleReply {
            during: _,
            sample: _,
            model,
            reply,
        } => {
            to.say(format_args!("A model has answered what {server} asked:"));
            to.say(quote_as(model, reply));
        }
        Subject::Request {
            caller,
            // Which of its conversations it is tells a person nothing.
            conversation: _,
            request,
            arguments,
            reason,
            concerns,
        } => {
            let wish = match request {
                RequestKind::Read => "read a resource of",
                RequestKind::Subscribe => "be told of changes of a resource of",
                RequestKind::Prompt => "fill in a prompt of",
                RequestKind::LogLevel => "change the log level of",
            };
            let who = sentences::caller(caller);
            to.say(format_args!("{who} wants to {wish} {server}:"));
            for (name, value) in arguments {
                to.say(quote_as(name, &value.to_string()));
            }
            ask_call::show_doubts(to, concerns, &[]);
            to.say(format_args!(
                "Why you are asked: {}",
                sentences::request_reason(reason)
            ));
        }
        Subject::Change { change } => show_change(to, server, change),
        Subject::Rule { rule, removing } => show_rule(to, rule, *removing),
    }
}

fn show_change(to: Stream, server: &str, change: &WantedChange) {
    let WantedChange {
        request,
        caller,
        details,
    } = change;
    let who = sentences::caller(caller);
    to.say(format_args!(
        "{who} wants {request} done on {server}. More can happen afterwards:"
    ));
    for ChangeDetail { name, value } in details {
        to.say(quote_as(name, value));
    }
}

fn show_rule(to: Stream, rule: &Rule, removing: bool) {
    // Its text is the whole rule: what stands beside it is read out of it, or is when it was made.
    let Rule {
        id: _,
        layer: _,
        effect: _,
        hooks: _,
        text,
        reason: _,
        draft: _,
        made_at: _,
    } = rule;
    to.say(if removing {
        "This rule is to be taken back. More can happen without it:"
    } else {
        "This rule is to be made. More can happen with it:"
    });
    to.say(quote(text));
}
