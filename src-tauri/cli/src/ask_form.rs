//! A form that a server wants filled in, in a terminal.
//!
//! Always true here: every field is shown with all that its server says of it, and what is sent of it
//! was typed, or was shown as its default before.

use crate::input;
use crate::print::{Stream, note, quote, quote_as};
use policy::Decision;
use protocol::{CodexApproval, Form, FormResult};
use serde_json::{Map, Value};

/// Shows a form.
pub(crate) fn show(to: Stream, server: &str, form: &Form) {
    let Form {
        message,
        schema,
        codex,
    } = form;
    let wants = match codex {
        Some(_) => "wants to be allowed something",
        None => "asks you to fill in a form",
    };
    to.say(format_args!(
        "The server {server} {wants}. In its own words:"
    ));
    to.say(quote(message));
    if let Some(approval) = codex {
        show_approval(to, approval);
    }
    for (key, said) in schema {
        if !matches!(key.as_str(), "type" | "properties" | "required" | "$schema") {
            to.say(quote_as(key, &written(said)));
        }
    }
    let required = required(schema);
    let mut is_empty = true;
    for (name, field) in form.fields() {
        is_empty = false;
        show_field(to, name, field, required.contains(&name));
    }
    if is_empty && codex.is_none() {
        to.say("It has no fields.");
    }
}

fn show_approval(to: Stream, approval: &CodexApproval) {
    let CodexApproval {
        command,
        folder,
        changes,
        writes_in,
    } = approval;
    if !command.is_empty() {
        to.say("It would run this, a line each for the command and its arguments:");
    }
    for argument in command {
        to.say(quote(argument));
    }
    if let Some(folder) = folder {
        to.say("In this folder:");
        to.say(quote(folder));
    }
    if !changes.is_empty() {
        to.say("It would change these files:");
    }
    for (path, change) in changes {
        to.say(quote(path));
        to.say(quote(&format!("{change:#}")));
    }
    if let Some(folder) = writes_in {
        to.say(
            "After a yes it writes in this folder without asking, as long as its session lasts:",
        );
        to.say(quote(folder));
    }
}

fn show_field(to: Stream, name: &str, field: &Value, required: bool) {
    to.say(if required {
        "A field that must be filled in:"
    } else {
        "A field that may be left empty:"
    });
    to.say(quote_as("field", title(name, field)));
    if title(name, field) != name {
        to.say(quote_as("name", name));
    }
    let said = field.as_object().into_iter().flatten();
    for (key, said) in said.filter(|(key, _)| !matches!(key.as_str(), "title" | "default")) {
        to.say(quote_as(key, &written(said)));
    }
    match field.get("default") {
        Some(default) => to.say(quote_as("default", &default.to_string())),
        None => to.say("  It has no default."),
    }
}

/// Reads the answer to a form that was shown.
pub(crate) fn read(form: &Form) -> Decision {
    let answer = |answer: FormResult| Decision::Form { answer };
    let words = match form.codex {
        Some(_) => "Allow it? y to allow, n to decline, c to say nothing [n]",
        None => "Fill it in? y to go on, n to decline, c to say nothing [n]",
    };
    match input::ask(words) {
        Some(typed) if typed.is_yes() => {}
        Some(typed) if typed.word() != "c" => return answer(FormResult::Decline),
        Some(_) | None => return answer(FormResult::Cancel),
    }
    let mut content = Map::new();
    for (name, field) in form.fields() {
        let default = field.get("default");
        let shown = default
            .map(|default| format!(" [{default}]"))
            .unwrap_or_default();
        let asked = quote(&format!("{}{shown}", title(name, field)));
        let Some(line) = input::ask(&asked) else {
            return answer(FormResult::Cancel);
        };
        match (line.word(), default) {
            ("", Some(default)) => _ = content.insert(name.to_owned(), default.clone()),
            ("", None) => {}
            (line, _) => _ = content.insert(name.to_owned(), typed(line, field)),
        }
    }
    answer(FormResult::Accept { content })
}

/// A yes to a form as it is, with its defaults: they are shown here, before they are sent.
pub(crate) fn accepted(server: &str, form: &Form) -> Decision {
    show(Stream::Note, server, form);
    let content = form.defaults();
    if form.codex.is_some() {
        note("If you allow it, the server does this itself.");
    } else {
        note("If you allow it, these values are sent, and nothing else:");
        note(quote(&Value::Object(content.clone()).to_string()));
    }
    Decision::Form {
        answer: FormResult::Accept { content },
    }
}

fn title<'a>(name: &'a str, field: &'a Value) -> &'a str {
    field.get("title").and_then(Value::as_str).unwrap_or(name)
}

fn required(schema: &Map<String, Value>) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// What a schema says, a text without its marks.
fn written(said: &Value) -> String {
    said.as_str()
        .map_or_else(|| said.to_string(), str::to_owned)
}

/// A typed line as the field's kind of value; what does not fit stays text and is refused by the
/// host with the reason.
fn typed(line: &str, field: &Value) -> Value {
    match field.get("type").and_then(Value::as_str) {
        Some("boolean") => match line.to_lowercase().as_str() {
            "y" | "yes" | "true" => true.into(),
            "n" | "no" | "false" => false.into(),
            _ => line.into(),
        },
        Some("integer" | "number") => serde_json::from_str(line).unwrap_or_else(|_| line.into()),
        // Several choices, with commas between them.
        Some("array") => line.split(',').map(|one| Value::from(one.trim())).collect(),
        _ => line.into(),
    }
}
