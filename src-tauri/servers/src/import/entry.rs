//! One entry of a configuration, and the settings in it.

use crate::review::loads_code::loads_code;
use crate::review::placeholder::is_placeholder;
use api::{DraftSetting, DraftTarget, DraftValue};
use inspect::{Masker, looks_secret};
use protocol::Secret;
use serde_json::Value;

/// What one entry of a configuration says.
pub(crate) struct Entry {
    pub source_name: String,
    /// The project that it belongs to.
    pub project: Option<String>,
    /// Whether the application has it switched off.
    pub is_off: bool,
    /// How the server is reached, or why that cannot be told.
    pub target: Result<DraftTarget, String>,
    /// Keys that were passed over.
    pub ignored: Vec<String>,
    /// Names of variables that were left out because they decide which code is loaded.
    pub refused: Vec<String>,
}

impl Entry {
    /// An entry that cannot be used.
    pub fn broken(source_name: String, problem: impl Into<String>) -> Self {
        Self {
            source_name,
            project: None,
            is_off: false,
            target: Err(problem.into()),
            ignored: Vec::new(),
            refused: Vec::new(),
        }
    }
}

/// Settings of one entry as they are collected, in the order of the text.
#[derive(Default)]
pub(super) struct Settings {
    pub kept: Vec<DraftSetting>,
}

impl Settings {
    /// Takes a map of names and values.
    pub fn map(&mut self, key: &str, value: Option<&Value>, inputs: &Inputs) -> Result<(), String> {
        match value {
            None | Some(Value::Null) => Ok(()),
            Some(Value::Object(map)) => {
                for (name, value) in map {
                    self.kept.push(setting(name, scalar(name, value)?, inputs));
                }
                Ok(())
            }
            Some(_) => Err(format!("{key} is not a map of names and values")),
        }
    }

    /// Takes a name whose value lies somewhere that is not read: it is left to be filled in.
    pub fn empty(&mut self, name: &str) {
        if self.kept.iter().all(|setting| setting.name != name) {
            self.kept.push(DraftSetting {
                name: name.to_owned(),
                value: DraftValue::EmptySecret,
            });
        }
    }

    /// Variables of an environment without those that decide which code is loaded, and the names of
    /// these.
    pub fn into_environment(self) -> (Vec<DraftSetting>, Vec<String>) {
        let (refused, kept): (Vec<_>, Vec<_>) = self
            .kept
            .into_iter()
            .partition(|setting| loads_code(&setting.name));
        (
            kept,
            refused.into_iter().map(|setting| setting.name).collect(),
        )
    }
}

/// Names of inputs that the other application asks for and hides while they are typed.
#[derive(Default)]
pub(super) struct Inputs(pub Vec<String>);

fn setting(name: &str, text: String, Inputs(hidden): &Inputs) -> DraftSetting {
    let asked = hidden
        .iter()
        .any(|id| text.contains(&format!("${{input:{id}}}")));
    let secret =
        looks_secret(name, &text) && !is_placeholder(&text) && text.len() >= Masker::SHORTEST;
    let value = match (asked, secret) {
        (true, _) => DraftValue::EmptySecret,
        (false, true) => DraftValue::NewSecret {
            value: Secret::new(text),
        },
        (false, false) => DraftValue::Plain { text },
    };
    DraftSetting {
        name: name.to_owned(),
        value,
    }
}

/// A text, or a number or truth value as a text.
pub(super) fn scalar(key: &str, value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(truth) => Ok(truth.to_string()),
        _ => Err(format!("{key} holds something that is not a text")),
    }
}
