//! What applications write for one server. Each file holds what one of them writes in a way of its
//! own.

mod codex;
mod common;
mod goose;
mod opencode;
mod zed;

use super::entry::{Entry, Inputs};
use super::fields::Fields;
use api::{DraftSetting, DraftTarget};
use serde_json::{Map, Value};

/// How an entry is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// `command`, `args`, `env`, or an address: Claude, Cursor, VS Code, Windsurf, Gemini CLI, LM
    /// Studio, Cline, Copilot, Kiro, Antigravity, Junie, Roo Code, Warp, Amp, Continue.
    Common,
    /// `env_vars`, `bearer_token_env_var`, `http_headers`, `env_http_headers`.
    Codex,
    /// `cmd`, `envs`, `env_keys`, `uri`.
    Goose,
    /// `command` is a list, `environment`.
    Opencode,
    /// `command` may be an object with `path`.
    Zed,
}

/// What an entry means.
struct Meaning {
    target: DraftTarget,
    refused: Vec<String>,
}

impl Meaning {
    fn remote(url: String, headers: Vec<DraftSetting>) -> Self {
        Self {
            target: DraftTarget::Http {
                url,
                headers,
                authority: None,
                certificate: None,
                key: None,
            },
            refused: Vec::new(),
        }
    }
}

/// Reads one entry.
pub(super) fn entry(
    notation: Notation,
    source_name: String,
    value: &Value,
    inputs: &Inputs,
) -> Entry {
    let Some(map) = value.as_object() else {
        return Entry::broken(source_name, "it is not an object");
    };
    let mut fields = Fields::new(map);
    let is = |key: &str, truth: bool| map.get(key).and_then(Value::as_bool) == Some(truth);
    let is_off = is("disabled", true) || is("enabled", false);
    let meaning = match notation.or_seen_in(map) {
        Notation::Common => common::read(&mut fields, inputs),
        Notation::Codex => codex::read(&mut fields),
        Notation::Goose => goose::read(&mut fields),
        Notation::Opencode => opencode::read(&mut fields),
        Notation::Zed => zed::read(&mut fields),
    };
    let ignored = fields.passed_over();
    match meaning {
        Ok(Meaning { target, refused }) => Entry {
            source_name,
            project: None,
            is_off,
            target: Ok(target),
            ignored,
            refused,
        },
        Err(problem) => Entry {
            is_off,
            ignored,
            ..Entry::broken(source_name, problem)
        },
    }
}

impl Notation {
    /// Entries are pasted under any key, so one that can only be of another notation is read as
    /// that.
    fn or_seen_in(self, map: &Map<String, Value>) -> Self {
        match self {
            Self::Common
                if map.get("command").is_some_and(Value::is_array)
                    || map.contains_key("environment") =>
            {
                Self::Opencode
            }
            Self::Common if map.contains_key("cmd") || map.contains_key("uri") => Self::Goose,
            Self::Common
                if map
                    .get("command")
                    .is_some_and(|command| command.get("path").is_some()) =>
            {
                Self::Zed
            }
            _ => self,
        }
    }
}

/// Checks the name of a transport. Streaming HTTP and its predecessor share an address, so they are
/// one here.
fn known_transport(fields: &mut Fields<'_>) -> Result<(), String> {
    const KNOWN: [&str; 7] = [
        "stdio",
        "local",
        "remote",
        "http",
        "sse",
        "streamable",
        "streamablehttp",
    ];
    for key in ["type", "transport", "transportType"] {
        if let Some(kind) = fields.text(key)? {
            let folded = kind.to_lowercase().replace(['-', '_', ' '], "");
            if !KNOWN.contains(&folded.as_str()) {
                return Err(format!(
                    "its {key} is {kind:?}, which is not a way to reach a server here"
                ));
            }
        }
    }
    Ok(())
}

/// Why an entry says too much or too little.
const BOTH: &str = "it has a command and an address; it should have one of them";
const NEITHER: &str = "it has neither a command nor an address";
