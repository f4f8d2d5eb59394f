//! The question about a call in a terminal: what it touches, and for how much a yes or a no is meant.

use crate::ask::prompt;
use crate::link::Link;
use crate::print::{note, quote, quote_as, text, visible};
use crate::quote::fenced;
use crate::remember::{covers, may_be, time};
use policy::RememberProblem;
use serde_json::{Map, Value, json};

/// What is said about a call beside its arguments.
pub(crate) fn details(question: &Value) {
    let of = |pointer: &str| question.pointer(pointer).and_then(Value::as_array).cloned().unwrap_or_default();
    if let (Some(before), Some(now)) = (question.pointer("/subject/last_time"), question.pointer("/subject/arguments")) {
        for (name, was) in before.as_object().into_iter().flatten() {
            if now.get(name) != Some(was) {
                note(quote_as(&format!("last time {name}"), &was.to_string()));
            }
        }
    }
    for file in of("/subject/touches/files") {
        let given = if file["granted"] == true { "in a folder that you gave the server" } else { "in no folder that you gave the server" };
        note(format_args!("It touches a file {given}:"));
        note(quote(&text(&file, "/path")));
    }
    for host in of("/subject/touches/hosts").iter().filter_map(Value::as_str) {
        note("It has to do with the computer:");
        note(quote(host));
    }
    if let Some(account) = question.pointer("/subject/touches/account").and_then(Value::as_str) {
        note("It is done in the name of the account:");
        note(quote(account));
    }
    if question.pointer("/subject/touches/confinement") == Some(&json!("none")) {
        note("The server is not held back by the system: it can do what you can.");
    }
    for concern in of("/subject/concerns") {
        note("Careful: this value came from a stranger:");
        note(quote(&text(&concern, "/value")));
    }
    for finding in of("/subject/findings") {
        note(format_args!("Careful: the tool's definition holds {}.", visible(&text(&finding, "/kind").replace('_', " "))));
    }
}

/// Reads what a person says to a call.
pub(crate) async fn read(link: &Link, question: &Value) -> Value {
    loop {
        let (asked, no) = (question.clone(), || json!({"kind": "deny", "reason": null}));
        // A terminal that cannot be read is a no.
        let answer = tokio::task::spawn_blocking(move || choose(&asked)).await.unwrap_or_else(|_| no());
        if answer["remember"].is_null() {
            return answer;
        }
        let request = json!({"method": "preview_answer", "params": {"question": question["id"], "answer": answer}});
        let Ok(preview) = link.ask(&request).await else { return answer };
        let mut problems: Vec<_> =
            preview["problems"].as_array().into_iter().flatten().filter_map(Value::as_str).map(String::from).collect();
        let kept = &preview["not_remembered"];
        if !kept.is_null() {
            let problem = serde_json::from_value::<RememberProblem>(kept.clone());
            problems.push(problem.map_or_else(|_| "it cannot be remembered".to_owned(), |problem| problem.to_string()));
        }
        if problems.is_empty() {
            note("Remembered for:");
            note(quote(&covers(&preview["grant"]["arguments"])));
            return answer;
        }
        note("That cannot be:");
        note(quote(&problems.join("; ")));
    }
}

fn choose(question: &Value) -> Value {
    let arguments = question.pointer("/subject/arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    let careful = question.pointer("/subject/consequential") == Some(&json!(true))
        || question.pointer("/subject/concerns").and_then(Value::as_array).is_some_and(|concerns| !concerns.is_empty());
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
    let remembered = |kind: &str, lasting: &str, cover: &str| json!({"kind": kind, "remember": {"lasting": {"kind": lasting}, "cover": {"kind": cover}}});
    loop {
        match prompt("Your answer [n]: ").as_deref().map(str::trim) {
            None | Some("" | "n" | "no") => return json!({"kind": "deny", "reason": null}),
            Some("o") => return json!({"kind": "allow"}),
            Some("r") => return remembered("allow", "conversation", "any"),
            Some("e") => return remembered("allow", "workspace", "exactly"),
            Some("a") if !careful => return remembered("allow", "workspace", "any"),
            Some("d") => return remembered("deny", "workspace", "exactly"),
            Some("w") if !arguments.is_empty() => match limits(question, &arguments) {
                Some(answer) => return answer,
                None => note("Nothing was chosen."),
            },
            Some(_) => note("Please answer with one of the letters."),
        }
    }
}

/// Lets a person choose a limit for each argument, and how long. Nothing, if the terminal has gone or nothing fits.
fn limits(question: &Value, arguments: &Map<String, Value>) -> Option<Value> {
    let options = question.pointer("/subject/options").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut limits = Vec::new();
    for name in arguments.keys() {
        let of_this = options.iter().find(|option| option["argument"] == **name).and_then(|option| option["allowed"].as_array());
        let mut choices = vec![Value::Null];
        choices.extend(of_this.into_iter().flatten().cloned());
        choices.push(json!({"kind": "anything"}));
        note(quote_as(name, "may be:"));
        for (number, choice) in choices.iter().enumerate() {
            note(fenced(&format!("    {}  ", number + 1), "  | ", &may_be(choice)));
        }
        let chosen = match prompt("  Which [1]: ")?.trim() {
            "" => 1,
            typed => typed.parse::<usize>().ok()?,
        };
        limits.push(json!({"argument": name, "allowed": choices.get(chosen.checked_sub(1)?)?}));
    }
    let long = prompt("How long? c this conversation, w this workspace, a everywhere, 5 calls, 2h, 7d [c]: ")?;
    let lasting = match long.trim() {
        "" | "c" => json!({"kind": "conversation"}),
        "w" => json!({"kind": "workspace"}),
        "a" => json!({"kind": "always"}),
        typed => match typed.parse::<u32>() {
            Ok(times) => json!({"kind": "times", "times": times}),
            Err(_) => json!({"kind": "until", "at": time(typed).ok()?}),
        },
    };
    Some(json!({"kind": "allow", "remember": {"lasting": lasting, "cover": {"kind": "within", "limits": limits}}}))
}
