//! `majordomoctl policy …`

use crate::args::{AddRule, Policy, TestCall};
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::{ask, print};
use clap::ValueEnum;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};

/// The words in which rules are written. Needs no host.
pub(crate) fn language() -> Exit {
    print::result(host::rule_language().trim_end());
    Exit::Done
}

/// Shows, tries, makes or takes back rules.
pub(crate) async fn run(link: &Link, command: Policy, json: bool) -> Result<Exit, HostError> {
    let view = match command {
        Policy::Show => link.ask(&json!({"method": "show_policy"})).await?,
        Policy::Language => return Ok(language()),
        Policy::Test(call) => return test(link, &call, json).await,
        Policy::Add(rule) => {
            let draft = draft(&rule)?;
            let written = link.ask(&json!({"method": "preview_rule", "params": {"draft": draft}})).await?;
            if rule.preview {
                if json {
                    print::json(&written)
                } else {
                    print::result(print::lines(&print::text(&written, "/text")))
                }
                return Ok(Exit::Done);
            }
            // The number is given anew, so the question is known by what the rule says.
            change(link, &json!({"method": "add_rule", "params": {"draft": draft}}), |asked| {
                asked.pointer("/draft") == written.get("draft")
            })
            .await?
        }
        Policy::Remove { id } => {
            change(link, &json!({"method": "remove_rule", "params": {"rule": id}}), |asked| asked["id"] == json!(id)).await?
        }
    };
    if json {
        print::json(&view)
    } else {
        show(&view)
    }
    Ok(Exit::Done)
}

/// Asks for a change, and a person here about it where it is a question.
async fn change(link: &Link, request: &Value, is_ours: impl Fn(&Value) -> bool) -> Result<Value, HostError> {
    let about_it = |question: &Value| question.pointer("/subject/kind") == Some(&json!("rule")) && is_ours(&question["subject"]["rule"]);
    tokio::select! {
        view = link.ask(request) => view,
        problem = super::call::answer_questions(link, about_it) => Err(problem),
    }
}

async fn test(link: &Link, call: &TestCall, json: bool) -> Result<Exit, HostError> {
    let arguments = super::call::arguments(&call.args)?;
    let supposed = json!({
        "caller": {"kind": word(call.caller)},
        "server": call.server,
        "tool": call.tool,
        "arguments": arguments,
        "from_strangers": call.from_strangers,
    });
    let said = link.ask(&json!({"method": "test_policy", "params": {"call": supposed}})).await?;
    let is_kept_back = |hook: &Value| hook["hook"] == "return" && hook["forbid"].as_array().is_some_and(|rules| !rules.is_empty());
    let kept_back = said["hooks"].as_array().is_some_and(|hooks| hooks.iter().any(is_kept_back));
    let kind = print::text(&said, "/verdict/kind");
    if json {
        print::json(&said);
    } else {
        print::result(match kind.as_str() {
            "allow" => "It would run.".to_owned(),
            "ask" => format!("A person would be asked, because {}.", ask::reason(&said, "/verdict/reason")),
            _ => "It would be refused.".to_owned(),
        });
        if let Some(refusal) = said.pointer("/verdict/refusal") {
            print::result(print::visible(&refusal.to_string()));
        }
        if kept_back {
            print::result("Its result would be kept back.");
        }
        let rules = |hook: &Value, which: &str| {
            let rules: Vec<&str> = hook[which].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
            if rules.is_empty() { "-".to_owned() } else { rules.join(", ") }
        };
        let row = |hook: &Value| vec![print::text(hook, "/hook"), rules(hook, "forbid"), rules(hook, "ask"), rules(hook, "allow")];
        let rows: Vec<Vec<String>> = said["hooks"].as_array().into_iter().flatten().map(row).collect();
        print::table(&["AT", "FORBIDDEN BY", "ASKED BY", "ALLOWED BY"], &rows);
        if said["grant"].is_object() {
            print::result(format!("Allowed by the approval {}.", print::text(&said, "/grant/id")));
        }
    }
    Ok(if kind == "deny" || kept_back { Exit::Denied } else { Exit::Done })
}

fn draft(rule: &AddRule) -> Result<Value, HostError> {
    let flags = [
        (rule.consequential, "consequential"),
        (rule.secret, "secret"),
        (rule.from_strangers, "from_strangers"),
        (rule.remote, "remote"),
        (rule.unconfined, "unconfined"),
    ];
    let mut when: Vec<Value> = flags.iter().filter(|(given, _)| *given).map(|(_, kind)| json!({"kind": kind})).collect();
    if !rule.to_host.is_empty() {
        when.push(json!({"kind": "to_hosts", "hosts": rule.to_host}));
    }
    if let Some(folder) = &rule.in_folder {
        let bad = |problem: String| link::error(ErrorCode::BadRule, problem, "Give the path of a folder.");
        // The host has another working directory.
        let folder = std::path::absolute(folder).map_err(|problem| bad(format!("{}: {problem}", folder.display())))?;
        let folder = folder.to_str().ok_or_else(|| bad(format!("{} is not Unicode", folder.display())))?.to_owned();
        when.push(json!({"kind": "in_folder", "folder": folder}));
    }
    if let Some(what) = rule.found {
        when.push(json!({"kind": "found", "what": word(what)}));
    }
    Ok(json!({
        "effect": word(rule.effect),
        "hook": word(rule.at),
        "caller": rule.caller.map(|caller| json!({"kind": word(caller)})),
        "server": rule.server,
        "tool": rule.tool,
        "when": when,
        "reason": rule.reason,
    }))
}

/// A word of the command line as the interface has it.
fn word(value: impl ValueEnum) -> String {
    value.to_possible_value().map(|value| value.get_name().replace('-', "_")).unwrap_or_default()
}

fn show(view: &Value) {
    for layer in view["layers"].as_array().into_iter().flatten() {
        let file = layer["file"].as_str().map(|file| format!(" ({file})")).unwrap_or_default();
        let name = match layer["layer"].as_str() {
            Some("administrator") => "The administrator's rules",
            Some("person") => "Your rules",
            _ => "Majordomo's own rules",
        };
        let rules: Vec<&Value> = layer["rules"].as_array().into_iter().flatten().collect();
        let broken = &layer["broken"];
        let state = match (broken.is_object(), layer["present"] == true, rules.is_empty()) {
            (true, ..) => " cannot be read; nothing runs until they can",
            (false, false, true) => ": there is no such file",
            (false, false, false) => ": the file is gone; they hold until Majordomo ends",
            (false, true, true) => ": none",
            (false, true, false) => "",
        };
        print::result(print::visible(&format!("// {name}{file}{state}")));
        if broken.is_object() {
            let place = |pointer: &str| print::text(broken, pointer);
            print::result(print::visible(&format!("// line {}, column {}: {}", place("/line"), place("/column"), place("/problem"))));
        }
        for rule in rules {
            print::result(print::lines(&print::text(rule, "/text")));
        }
        print::result("");
    }
}
