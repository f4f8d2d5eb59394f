//! The entry that starts the bridge, as each application writes it.

use api::Application;
use protocol::CallerId;
use serde_json::{Value, json};
use std::path::Path;

/// What the entry is called, whatever the application.
pub(super) const NAME: &str = "majordomo";

/// The entry for a client: a command by its absolute path, without any secret.
pub(super) fn entry(application: Application, program: &str, args: &[String]) -> Value {
    match application {
        Application::ClaudeCode | Application::VsCode => {
            json!({"type": "stdio", "command": program, "args": args})
        }
        Application::Copilot => {
            json!({"type": "local", "command": program, "args": args, "tools": ["*"]})
        }
        Application::Opencode => {
            let command: Vec<&str> = std::iter::once(program)
                .chain(args.iter().map(String::as_str))
                .collect();
            json!({"type": "local", "command": command})
        }
        Application::Goose => {
            json!({"name": "Majordomo", "type": "stdio", "cmd": program, "args": args, "enabled": true})
        }
        _ => json!({"command": program, "args": args}),
    }
}

/// The words that an entry runs: its program, then what that is given.
pub(super) fn words(entry: &Value) -> Vec<&str> {
    let mut words = texts(entry.get("command").or_else(|| entry.get("cmd")));
    words.extend(texts(entry.get("args")));
    words
}

fn texts(value: Option<&Value>) -> Vec<&str> {
    match value {
        Some(Value::String(text)) => vec![text.as_str()],
        Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// As which client an entry comes in here, if it does.
pub(super) fn client(entry: &Value) -> Option<CallerId> {
    let words = words(entry);
    client_of(&words)
}

/// As which client a command comes in here, if it does.
pub(super) fn client_of(words: &[&str]) -> Option<CallerId> {
    if !is_bridge(words) {
        return None;
    }
    let mut words = words.iter();
    let id = words.find_map(|word| match *word {
        "--client" => Some(None),
        word => word.strip_prefix("--client=").map(Some),
    })?;
    id.or_else(|| words.next().copied())?.parse().ok()
}

/// Whether a command is the bridge, whoever comes in by it.
pub(super) fn is_bridge(words: &[&str]) -> bool {
    let Some((program, args)) = words.split_first() else {
        return false;
    };
    let stem = Path::new(program).file_stem();
    stem.is_some_and(|stem| stem == "majordomoctl") && args.contains(&"bridge")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_of_every_application_is_known_again_by_what_it_runs() {
        let args = ["bridge", "--client", "editor"].map(str::to_owned);
        for application in [
            Application::ClaudeCode,
            Application::Cursor,
            Application::Copilot,
            Application::Opencode,
            Application::Goose,
        ] {
            let entry = entry(application, "/opt/majordomo/majordomoctl", &args);
            assert_eq!(
                client(&entry).unwrap().as_str(),
                "editor",
                "{application:?}"
            );
        }
    }

    #[test]
    fn a_bridge_is_one_however_its_client_is_named() {
        let client = |words: &[&str]| client_of(words).map(|id| id.to_string());
        for words in [
            &["majordomoctl", "bridge", "--client=editor"][..],
            &[
                "/opt/majordomoctl",
                "bridge",
                "--client",
                "editor",
                "--server",
                "files",
            ],
            &[
                "majordomoctl.exe",
                "--data-dir",
                "/x",
                "bridge",
                "--client",
                "editor",
            ],
        ] {
            assert_eq!(client(words).as_deref(), Some("editor"), "{words:?}");
        }
        let nameless = ["majordomoctl", "bridge"];
        assert!(is_bridge(&nameless) && client(&nameless).is_none());
    }

    #[test]
    fn what_only_looks_like_it_is_not_ours() {
        for entry in [
            json!({"command": "/opt/other", "args": ["bridge", "--client", "editor"]}),
            json!({"command": "majordomoctl", "args": ["serve", "--client", "editor"]}),
            json!({"command": "majordomoctl", "args": ["bridge", "--client"]}),
            json!({"command": "majordomoctl", "args": ["bridge", "--client", "../x"]}),
            json!({"url": "http://127.0.0.1:1/mcp"}),
            json!("majordomoctl bridge --client editor"),
        ] {
            assert_eq!(client(&entry), None, "{entry}");
        }
    }
}
