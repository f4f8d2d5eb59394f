//! Recognises a configuration by its shape and reads the servers in it.

mod command_line;
pub(crate) mod json;
pub(crate) mod toml;
pub(crate) mod yaml;

use super::Configuration;
use super::entry::{Entry, Inputs};
use super::notation::{self, Notation};
use crate::error;
use api::{ErrorCode, HostError};
pub(super) use json::projects;
use serde_json::{Map, Value};

/// The largest configuration that is read, in bytes.
pub(crate) const MAX_BYTES: usize = 4 * 1024 * 1024;
/// How deep it may be nested.
const MAX_DEPTH: usize = 64;

/// Where servers stand: the keys that lead there, what that is called, and how entries are written.
/// The first that is there counts.
const CONTAINERS: [(&[&str], &str, Notation); 10] = [
    (&["mcpServers"], "mcpServers", Notation::Common),
    (&["servers"], "servers", Notation::Common),
    (&["mcp", "servers"], "servers", Notation::Common),
    (&["mcp", "mcpServers"], "mcpServers", Notation::Common),
    (&["mcp.servers"], "mcp.servers", Notation::Common),
    (&["amp.mcpServers"], "amp.mcpServers", Notation::Common),
    (&["context_servers"], "context_servers", Notation::Zed),
    (&["mcp_servers"], "mcp_servers", Notation::Codex),
    (&["extensions"], "extensions", Notation::Goose),
    (&["mcp"], "mcp", Notation::Opencode),
];

/// Keys by which something is recognised as a server.
const SERVER_KEYS: [&str; 6] = ["command", "cmd", "url", "serverUrl", "httpUrl", "uri"];

/// Reads a configuration of unknown origin.
pub(crate) fn read(text: &str) -> Result<Configuration, HostError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_BYTES {
        return Err(unreadable("the configuration is longer than 4 MiB"));
    }
    match Shape::of(text) {
        Shape::Json => json::read(text),
        Shape::Toml => toml::read(text),
        Shape::Yaml => yaml::read(text),
        Shape::CommandLine => command_line::read(text),
        Shape::Unknown => match json::read(text) {
            Err(error) if error.code == ErrorCode::ImportUnreadable => Err(unreadable(
                "the configuration is neither JSON, TOML nor YAML, nor a command of a known runtime",
            )),
            // A number or a word of JSON is JSON without servers.
            read => read,
        },
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Json,
    Toml,
    Yaml,
    CommandLine,
    Unknown,
}

impl Shape {
    /// Looks at how the text begins, comments left out.
    fn of(text: &str) -> Self {
        let mut lines = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty() && !line.starts_with('#'));
        let Some(line) = lines.next() else {
            return Self::Unknown;
        };
        let key = |text: &str, extra: &str| {
            let text = text.trim();
            !text.is_empty()
                && text
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_-.\"'".contains(c) || extra.contains(c))
        };
        let table = line
            .strip_prefix('[')
            .map(|rest| rest.trim_start_matches('['))
            .and_then(|rest| rest.split(']').next());
        let table = table.is_some_and(|name| key(name, " ") && !name.starts_with(['"', '\'']));
        if line.starts_with("---") || line.starts_with("%YAML") {
            Self::Yaml
        } else if table {
            Self::Toml
        } else if line.starts_with(['{', '[', '"'])
            || line.starts_with("//")
            || line.starts_with("/*")
        {
            Self::Json
        } else if command_line::is_one(text) {
            Self::CommandLine
        } else if line.split_once('=').is_some_and(|(name, _)| key(name, "")) {
            Self::Toml
        } else if line.split_once(':').is_some_and(|(name, rest)| {
            key(name, " ") && (rest.is_empty() || rest.starts_with(' '))
        }) {
            Self::Yaml
        } else {
            Self::Unknown
        }
    }
}

/// The servers in a document that a parser has read as a whole, as of TOML and YAML.
fn of_document(root: &Map<String, Value>) -> Result<Configuration, HostError> {
    for (path, format, notation) in CONTAINERS {
        let entries: Vec<Entry> = match at(root, path) {
            Some(Value::Object(servers)) if *path != ["mcp"] || servers.values().any(is_server) => {
                servers
                    .iter()
                    .map(|(name, value)| {
                        notation::entry(notation, name.clone(), value, &Inputs::default())
                    })
                    .collect()
            }
            Some(Value::Array(servers)) => {
                servers.iter().map(|value| named(notation, value)).collect()
            }
            _ => continue,
        };
        return Ok(Configuration {
            format: format.to_owned(),
            entries,
        });
    }
    if root.values().any(is_server) {
        let entries = root.iter().map(|(name, value)| {
            notation::entry(Notation::Common, name.clone(), value, &Inputs::default())
        });
        return Ok(Configuration {
            format: "mcpServers".into(),
            entries: entries.collect(),
        });
    }
    Err(no_servers("the configuration has no servers in it"))
}

fn at<'a>(root: &'a Map<String, Value>, path: &[&str]) -> Option<&'a Value> {
    let (first, rest) = path.split_first()?;
    rest.iter()
        .try_fold(root.get(*first)?, |value, key| value.get(key))
}

/// An entry of a list, which holds its own name.
fn named(notation: Notation, value: &Value) -> Entry {
    let mut value = value.clone();
    let name = value
        .as_object_mut()
        .and_then(|object| object.shift_remove("name"));
    let name = name
        .as_ref()
        .and_then(Value::as_str)
        .unwrap_or("server")
        .to_owned();
    notation::entry(notation, name, &value, &Inputs::default())
}

fn is_server(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|object| SERVER_KEYS.iter().any(|key| object.contains_key(*key)))
}

fn unreadable(problem: impl Into<String>) -> HostError {
    error::host(ErrorCode::ImportUnreadable, problem)
}

fn no_servers(problem: impl Into<String>) -> HostError {
    error::host(ErrorCode::ImportNoServers, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_recognised_by_how_it_begins() {
        for (text, shape) in [
            ("{\"mcpServers\": {}}", Shape::Json),
            ("// mine\n{}", Shape::Json),
            ("[1, 2]", Shape::Json),
            ("[\"a\"]", Shape::Json),
            ("[[[", Shape::Json),
            ("[mcp_servers.a", Shape::Toml),
            ("[]", Shape::Json),
            ("\"mcpServers\": {}", Shape::Json),
            ("# mine\n[mcp_servers.a]\ncommand = \"x\"", Shape::Toml),
            ("model = \"x\"\n", Shape::Toml),
            ("[[mcp_servers]]\nname = \"x\"", Shape::Toml),
            ("extensions:\n  a:\n    cmd: x", Shape::Yaml),
            ("---\na: 1", Shape::Yaml),
            ("GOOSE_MODEL: x\n", Shape::Yaml),
            ("npx -y @scope/server", Shape::CommandLine),
            ("https://example.com/mcp", Shape::CommandLine),
            ("not json", Shape::Unknown),
            ("", Shape::Unknown),
            ("# only a comment", Shape::Unknown),
        ] {
            assert_eq!(Shape::of(text), shape, "{text}");
        }
    }

    #[test]
    fn a_text_that_breaks_off_anywhere_is_an_error_or_less_of_the_same() {
        for text in [
            r#"{"mcpServers": {"ä": {"command": "x", "args": ["-y", "é"], "env": {"A": "${B}"}}}, "inputs": [{"id": "k", "password": true}]}"#,
            r#"{"projects": {"/srv": {"mcpServers": {"a": {"command": ["x", "y"], "environment": {"T": "1"}}}}}}"#,
            "# é\n[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"A\"]\n[mcp_servers.b]\nurl = \"https://example.com\"\n",
            "extensions:\n  é:\n    cmd: x\n    args: [a, 'b']\n    envs: {A: &b c, D: *b}\n    env_keys:\n      - T\n",
            "LEVEL=debug npx -y '@scope/é' \"a b\" -v /:/host",
            "claude mcp add -e A=b -t http name -- npx é -c",
        ] {
            for (cut, _) in text.char_indices() {
                if let Ok(read) = read(&text[..cut]) {
                    assert!(read.entries.len() <= 2, "{}", &text[..cut]);
                }
                let _ = projects(&text[..cut]);
            }
        }
    }
}
