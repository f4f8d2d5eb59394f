//! The question about a call in a terminal: what it touches, and for how much a yes or a no is
//! meant.
//!
//! Always true here: everything of the question is taken apart by name, so that nothing new in it
//! stays unseen.

use crate::input::{self, Typed};
use crate::link::Link;
use crate::messages::m;
use crate::print::{Stream, note, quote, quote_as};
use crate::quote::fenced;
use crate::remember::{covers, may_be, time};
use crate::sentences;
use api::PreviewAnswer;
use inspect::Finding;
use policy::flow::Concern;
use policy::{
    AffectedFile, AffectedResources, Allowed, ArgumentOptions, ArgumentScope, Decision, Lasting,
    LimitChoice, Question, Reason, Remember, Subject,
};
use protocol::ToolSpec;
use serde_json::{Map, Value};

/// Shows a question about a call.
pub(crate) fn show(to: Stream, server: &str, subject: &Subject) {
    let Subject::Call {
        call: _,
        caller,
        // Which of its conversations it is tells a person nothing.
        conversation: _,
        tool,
        arguments,
        reason,
        findings,
        concerns,
        sources,
        touches,
        last_time,
        // These say what may be answered.
        options: _,
        consequential: _,
        left_over,
    } = subject
    else {
        return;
    };
    let (who, name) = (sentences::caller(caller), tool.name.as_str());
    if is_plain(name) {
        to.say(format_args!("{who} wants to run {name} on {server} with:"));
    } else {
        to.say(format_args!(
            "{who} wants to run a tool on {server}, of this name:"
        ));
        to.say(quote(name));
        to.say("with:");
    }
    if arguments.is_empty() {
        to.say("  no arguments");
    }
    for (name, value) in arguments {
        to.say(quote_as(name, &value.to_string()));
        let whose = sources
            .iter()
            .filter(|source| is_below(&source.argument, name));
        for whose in whose {
            to.say(quote_as(&sentences::value_source(whose), &whose.value));
        }
    }
    for (name, was) in last_time.iter().flatten() {
        if arguments.get(name) != Some(was) {
            to.say(quote_as(&format!("last time {name}"), &was.to_string()));
        }
    }
    show_affected_resources(to, touches);
    show_doubts(to, concerns, findings);
    to.say(format_args!(
        "Why you are asked: {}",
        sentences::reason(reason)
    ));
    show_change(to, reason, tool);
    if *left_over {
        to.say(
            "Whoever asked is gone, because Majordomo has restarted since. If you allow the call, it still runs once;",
        );
        to.say("its result is kept with the log.");
    }
}

/// Whether a value stands under this argument.
fn is_below(path: &str, name: &str) -> bool {
    let rest = path.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

fn show_affected_resources(to: Stream, touches: &AffectedResources) {
    let AffectedResources {
        files,
        hosts,
        account,
        confinement,
        unread,
    } = touches;
    for AffectedFile { of, path, granted } in files {
        let given = if *granted {
            "in a folder that you gave the server"
        } else {
            "in no folder that you gave the server"
        };
        to.say(format_args!("It touches a file {given}:"));
        to.say(quote(path));
        if of != path {
            to.say(quote_as("written as", of));
        }
    }
    for host in hosts {
        to.say("It has to do with the computer:");
        to.say(quote(host));
    }
    if let Some(account) = account {
        to.say("It is done in the name of the account:");
        to.say(quote(account));
    }
    to.say(sentences::confinement(*confinement));
    if !unread.is_empty() {
        to.say(format_args!("{}:", m("identity.not_read", &[])));
    }
    for unread in unread {
        to.say(quote(&sentences::unread(unread)));
    }
}

pub(crate) fn show_doubts(to: Stream, concerns: &[Concern], findings: &[Finding]) {
    for concern in concerns {
        let about = concern.argument.as_deref().unwrap_or("the call");
        to.say("Careful with what is sent:");
        to.say(quote_as(about, &sentences::concern(concern)));
    }
    for finding in findings {
        let Finding {
            kind: _,
            severity: _,
            at,
            span: _,
            evidence,
        } = finding;
        to.say(format_args!(
            "Careful with the tool's definition. {}",
            sentences::finding(finding)
        ));
        to.say(quote_as(at, evidence));
    }
}

/// What a tool said of itself when it was allowed, where that is not what it says now.
fn show_change(to: Stream, reason: &Reason, now: &ToolSpec) {
    if let Reason::ToolChanged { before, .. } = reason
        && let (Some(before), Some(now)) = (&before.description, &now.description)
        && before != now
    {
        to.say("It said of itself before, and says now:");
        to.say(quote_as("before", before));
        to.say(quote_as("now", now));
    }
}

/// Whether a name can stand in a sentence of ours and be taken for nothing else.
fn is_plain(name: &str) -> bool {
    (1..=64).contains(&name.len())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte))
}

/// Reads what a person says to a call.
pub(crate) async fn read(link: &Link, question: &Question) -> Decision {
    loop {
        let subject = question.subject.clone();
        // A terminal that cannot be read is a no.
        let answer = tokio::task::spawn_blocking(move || choose(&subject))
            .await
            .unwrap_or_else(|_| Decision::no(None));
        if !is_remembered(&answer) {
            return answer;
        }
        let request = PreviewAnswer {
            question: question.id.clone(),
            answer: answer.clone(),
        };
        let Ok(preview) = link.ask(request).await else {
            return answer;
        };
        let mut problems = preview.problems;
        problems.extend(
            preview
                .not_remembered
                .as_ref()
                .map(sentences::not_remembered),
        );
        if problems.is_empty() {
            if let Some(grant) = preview.grant {
                note("Remembered for:");
                note(quote(&covers(&grant.arguments)));
            }
            return answer;
        }
        note("That cannot be:");
        note(quote(&problems.join("; ")));
    }
}

fn is_remembered(answer: &Decision) -> bool {
    match answer {
        Decision::Allow { remember, .. } | Decision::Deny { remember, .. } => remember.is_some(),
        Decision::Form { .. }
        | Decision::OpenUrl
        | Decision::UseModel { .. }
        | Decision::SendReply { .. }
        | Decision::ChangeRule
        | Decision::Decline => false,
    }
}

fn choose(subject: &Subject) -> Decision {
    let Subject::Call {
        arguments,
        options,
        consequential,
        concerns,
        ..
    } = subject
    else {
        return Decision::Decline;
    };
    let careful = *consequential || !concerns.is_empty();
    note("  n  don't allow (also: Enter)");
    note("  o  allow once");
    note("  e  always allow exactly these arguments");
    if !arguments.is_empty() {
        note("  w  allow within limits that you choose");
    }
    note("  r  allow this tool with any arguments until the host ends");
    if !careful {
        note("  a  always allow this tool with any arguments");
    }
    note("  d  never allow exactly these arguments");
    loop {
        let typed = input::ask("Your answer [n]");
        match typed.as_ref().map(Typed::word) {
            None | Some("" | "n" | "no") => return Decision::no(None),
            Some("o") => return Decision::once(),
            Some("r") => return Decision::for_conversation(),
            Some("e") => return Decision::exactly(),
            Some("a") if !careful => return Decision::always(),
            Some("d") => return never(),
            Some("w") if !arguments.is_empty() => match limits(options, arguments) {
                Some(answer) => return answer,
                None => note("Nothing was chosen."),
            },
            Some(_) => note("Please answer with one of the letters."),
        }
    }
}

fn never() -> Decision {
    Decision::Deny {
        reason: None,
        remember: Some(Remember {
            lasting: Lasting::Workspace,
            cover: ArgumentScope::Exactly,
            also: Vec::new(),
        }),
    }
}

/// Lets a person choose a limit for each argument, and how long. Nothing, if the terminal has gone
/// or nothing fits.
fn limits(options: &[ArgumentOptions], arguments: &Map<String, Value>) -> Option<Decision> {
    let mut limits = Vec::new();
    for name in arguments.keys() {
        let of_this = options
            .iter()
            .find(|option| option.argument == *name)
            .map(|option| option.allowed.iter().cloned().map(Some));
        let choices: Vec<Option<Allowed>> = std::iter::once(None)
            .chain(of_this.into_iter().flatten())
            .chain([Some(Allowed::Anything)])
            .collect();
        note(quote_as(name, "may be:"));
        for (number, choice) in choices.iter().enumerate() {
            note(fenced(
                &format!("    {}  ", number + 1),
                "  | ",
                &may_be(choice.as_ref()),
            ));
        }
        let chosen = match input::ask("  Which [1]")?.word() {
            "" => 1,
            typed => typed.parse::<usize>().ok()?,
        };
        limits.push(LimitChoice {
            argument: name.clone(),
            allowed: choices.get(chosen.checked_sub(1)?)?.clone(),
        });
    }
    let long = input::ask(
        "How long? c this conversation, w this workspace, a everywhere, 5 calls, 2h, 7d [c]",
    )?;
    let lasting = match long.word() {
        "" | "c" => Lasting::Conversation,
        "w" => Lasting::Workspace,
        "a" => Lasting::Always,
        typed => match typed.parse::<u32>() {
            Ok(times) => Lasting::Times { times },
            Err(_) => Lasting::Until {
                at: time(typed).ok()?,
            },
        },
    };
    Some(Decision::remembered(
        lasting,
        ArgumentScope::Within { limits },
    ))
}
