//! The question in a terminal. Only a terminal that a person sits at is asked; piped input never approves.

use crate::ask_call;
use crate::ask_sample;
use crate::link::Link;
use crate::print::{note, quote, quote_as, text, visible};
use host::HostError;
use serde_json::{Map, Value, json};
use std::io::{BufRead as _, IsTerminal as _, Write as _};

/// Whether a person can be asked here.
pub(crate) fn interactive() -> bool {
    std::io::stdin().is_terminal() && std::io::stderr().is_terminal()
}

/// Shows a question, reads the answer and sends it.
pub(crate) async fn ask(link: &Link, question: &Value) -> Result<(), HostError> {
    show(question);
    let subject = question.get("subject").cloned().unwrap_or_default();
    let answer = if subject.get("kind") == Some(&json!("call")) {
        ask_call::read(link, question).await
    } else {
        let read = tokio::task::spawn_blocking(move || match subject.get("kind").and_then(Value::as_str) {
            Some("form") => read_form(&subject["form"]),
            Some("url") => read_url(),
            Some("sample") => ask_sample::read(&subject),
            Some("sample_reply") => ask_sample::read_reply(),
            Some("rule") => read_rule(),
            // What is not understood is not agreed to.
            _ => json!({"kind": "decline"}),
        });
        // A terminal that cannot be read is a no.
        read.await.unwrap_or_else(|_| json!({"kind": "decline"}))
    };
    let request = json!({"method": "answer_question", "params": {"question": question["id"], "answer": answer}});
    link.ask_as_person(&request).await.map(|_| ())
}

/// Shows a question on standard error.
pub(crate) fn show(question: &Value) {
    let server = text(question, "/server");
    note("");
    if question.pointer("/subject/kind") == Some(&json!("form")) {
        note(format_args!("The server {server} asks you to fill in a form. In its own words:"));
        note(quote(&text(question, "/subject/form/message")));
        return;
    }
    if question.pointer("/subject/kind") == Some(&json!("url")) {
        note(format_args!("The server {server} asks you to open an address in the browser. In its own words:"));
        note(quote(&text(question, "/subject/ask/message")));
        note("The whole address:");
        note(quote(&text(question, "/subject/ask/url")));
        note("It leads to:");
        note(quote(&text(question, "/subject/host")));
        if question.pointer("/subject/look_alike") == Some(&json!(true)) {
            note("Careful: that name holds letters that can be taken for others.");
        }
        return;
    }
    if matches!(question.pointer("/subject/kind").and_then(Value::as_str), Some("sample" | "sample_reply")) {
        ask_sample::show(question);
        return;
    }
    if question.pointer("/subject/kind") == Some(&json!("rule")) {
        let removing = question.pointer("/subject/removing") == Some(&json!(true));
        note(if removing {
            "This rule is to be taken back. More can happen without it:"
        } else {
            "This rule is to be made. More can happen with it:"
        });
        note(quote(&text(question, "/subject/rule/text")));
        return;
    }
    let (who, tool) = (caller(&text(question, "/subject/caller/kind")), text(question, "/subject/tool/name"));
    if is_plain(&tool) {
        note(format_args!("{who} wants to run {tool} on {server} with:"));
    } else {
        note(format_args!("{who} wants to run a tool on {server}, of this name:"));
        note(quote(&tool));
        note("with:");
    }
    let arguments = question.pointer("/subject/arguments").and_then(Value::as_object).cloned().unwrap_or_default();
    if arguments.is_empty() {
        note("  no arguments");
    }
    for (name, value) in &arguments {
        note(quote_as(name, &value.to_string()));
    }
    ask_call::details(question);
    note(format_args!("You are asked because {}.", reason(question, "/subject/reason")));
    let (before, now) = (question.pointer("/subject/reason/before/description"), question.pointer("/subject/tool/description"));
    if let (Some(Value::String(before)), Some(Value::String(now))) = (before, now)
        && before != now
    {
        note("It said of itself before, and says now:");
        note(quote_as("before", before));
        note(quote_as("now", now));
    }
    if question.pointer("/subject/left_over") == Some(&json!(true)) {
        note("Whoever asked is gone, because Majordomo was started anew since. After a yes the call runs all the same;");
        note("its answer is kept with the activity.");
    }
}

/// Whether a name can stand in a sentence of ours and be taken for nothing else.
fn is_plain(name: &str) -> bool {
    (1..=64).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-./".contains(&byte))
}

fn caller(kind: &str) -> &'static str {
    match kind {
        "window" => "The window",
        _ => "A program in a terminal",
    }
}

/// Why a person is asked, as it stands at a path of a JSON value.
pub(crate) fn reason(value: &Value, at: &str) -> String {
    let reason = value.pointer(at).cloned().unwrap_or_default();
    match text(&reason, "/kind").as_str() {
        "other_arguments" => "you have allowed this tool for other arguments only".into(),
        "may_be_denied" => {
            "you have allowed this, but you said no to something like it for good, and it is not sure that this is something else".into()
        }
        "long_arguments" => "you have allowed this, but these arguments are too long to let them through unseen".into(),
        "repeated" => {
            let times = reason.pointer("/times").and_then(Value::as_u64).unwrap_or_default();
            format!("exactly this was called {times} times within a minute; it may go round in circles")
        }
        "server_changed" => "the server is reached in another way since you allowed this tool".into(),
        "tool_changed" => {
            let parts: Vec<String> = reason
                .pointer("/parts")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .map(|part| part.replace('_', " "))
                .collect();
            format!("its {} changed since you allowed it", visible(&parts.join(" and ")))
        }
        "from_strangers" => "values of it came from strangers".into(),
        "rule_asks" => {
            let rules: Vec<&str> =
                reason.pointer("/rules").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
            format!("a rule wants you to be asked every time: {}", visible(&rules.join(", ")))
        }
        _ => "nothing that you have allowed covers it".into(),
    }
}

fn read_url() -> Value {
    match prompt("Open it in the browser? y to open, n to decline [n]: ").as_deref().map(str::trim) {
        Some("y" | "yes") => json!({"kind": "open_url"}),
        _ => json!({"kind": "decline"}),
    }
}

fn read_rule() -> Value {
    match prompt("Let more happen? y for yes, n for no [n]: ").as_deref().map(str::trim) {
        Some("y" | "yes") => json!({"kind": "change_rule"}),
        _ => json!({"kind": "decline"}),
    }
}

fn read_form(form: &Value) -> Value {
    let answer = |answer: Value| json!({"kind": "form", "answer": answer});
    let fields = form.pointer("/schema/properties").and_then(Value::as_object).cloned().unwrap_or_default();
    match prompt("Fill it in? y to go on, n to decline, c to say nothing [n]: ").as_deref().map(str::trim) {
        Some("y" | "yes") => {}
        Some("c") => return answer(json!({"kind": "cancel"})),
        Some(_) => return answer(json!({"kind": "decline"})),
        None => return answer(json!({"kind": "cancel"})),
    }
    let mut content = Map::new();
    for (name, field) in &fields {
        let title = field.get("title").and_then(Value::as_str).unwrap_or(name);
        let default = field.get("default");
        let shown = default.map(|default| format!(" [{default}]")).unwrap_or_default();
        let Some(line) = prompt(&format!("{}: ", quote(&format!("{title}{shown}")))) else { return answer(json!({"kind": "cancel"})) };
        match (line.trim(), default) {
            ("", Some(default)) => _ = content.insert(name.clone(), default.clone()),
            ("", None) => {}
            (line, _) => _ = content.insert(name.clone(), typed(line, field)),
        }
    }
    answer(json!({"kind": "accept", "content": content}))
}

/// A typed line as the field's kind of value; what does not fit stays text and is refused by the host with the reason.
fn typed(line: &str, field: &Value) -> Value {
    match field.get("type").and_then(Value::as_str) {
        Some("boolean") => match line.to_lowercase().as_str() {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => line.into(),
        },
        Some("integer" | "number") => serde_json::from_str(line).unwrap_or_else(|_| line.into()),
        _ => line.into(),
    }
}

/// Asks for one line. `None` when the terminal has gone.
pub(crate) fn prompt(text: &str) -> Option<String> {
    {
        let mut out = std::io::stderr().lock();
        let _ = write!(out, "{text}");
        let _ = out.flush();
    }
    let mut line = String::new();
    match std::io::stdin().lock().read_line(&mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) => Some(line),
    }
}
