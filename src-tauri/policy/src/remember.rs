//! What a person may choose to remember of an answer, and the grant's terms that come of it.
//!
//! Always true here:
//! - what is remembered is computed from the call itself, never from how it was shown;
//! - what matters, or came from strangers, is never remembered for any arguments without an end.

use crate::address::only_host;
use crate::cover::{Allowed, Covered, Limit, Places};
use crate::question::AffectedResources;
use crate::{Scope, Setting};
use protocol::{Fingerprint, Timestamp, ToolName, WorkspaceId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;
use ts_rs::TS;

/// What to remember of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct Remember {
    /// How long.
    pub lasting: Lasting,
    /// For which arguments.
    pub cover: ArgumentScope,
    /// Other tools of the same server for which the same is remembered, each as it is defined now.
    /// Only with limits that limit something.
    #[serde(default)]
    #[ts(optional, as = "Option<Vec<ToolName>>")]
    pub also: Vec<ToolName>,
}

/// For so many calls an answer can be remembered at most.
pub const MOST_TIMES: u32 = 1_000;

/// Why an answer cannot be remembered as was wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RememberProblem {
    /// It would let everything through without end.
    #[error(
        "this call is high-impact, or holds values from untrusted content: any arguments can be allowed with an end only"
    )]
    Endless,
    /// Not a number of calls.
    #[error("a number of calls is from 1 to {most}")]
    Times {
        /// The largest one.
        most: u32,
    },
    /// The time is over already.
    #[error("that time is over")]
    Over,
    /// Several tools at once, without a limit.
    #[error("several tools at once can be answered within limits only")]
    AlsoWithoutLimits,
    /// A limit that nothing keeps to.
    #[error("the limit of {argument} covers nothing")]
    Nothing {
        /// The argument.
        argument: String,
    },
    /// The folder of a limit cannot be found, so that nobody knows what would lie in it.
    #[error("it cannot be found out where {folder:?} really lies")]
    Folder {
        /// As it was chosen.
        folder: String,
    },
}

impl Remember {
    /// Whether it can be remembered about a call with `arguments`, where a yes to any of them
    /// `must_end` or not.
    pub fn check(
        &self,
        arguments: &Map<String, Value>,
        must_end: bool,
        now: Timestamp,
    ) -> Result<(), RememberProblem> {
        match self.lasting {
            Lasting::Times { times } if !(1..=MOST_TIMES).contains(&times) => {
                return Err(RememberProblem::Times { most: MOST_TIMES });
            }
            Lasting::Until { at } if at <= now => return Err(RememberProblem::Over),
            _ => {}
        }
        let boundless = match &self.cover {
            ArgumentScope::Any => true,
            ArgumentScope::Exactly => false,
            ArgumentScope::Within { limits } => {
                if let Some(limit) = limits
                    .iter()
                    .find(|limit| limit.allowed.as_ref().is_some_and(Allowed::is_empty))
                {
                    return Err(RememberProblem::Nothing {
                        argument: limit.argument.clone(),
                    });
                }
                // A limit of what is not there limits nothing.
                !limits.is_empty()
                    && limits.iter().all(|limit| {
                        limit.allowed == Some(Allowed::Anything)
                            || !arguments.contains_key(&limit.argument)
                    })
            }
        };
        if !self.also.is_empty() && (boundless || self.cover == ArgumentScope::Exactly) {
            return Err(RememberProblem::AlsoWithoutLimits);
        }
        let endless = matches!(self.lasting, Lasting::Workspace | Lasting::Always);
        if must_end && boundless && endless {
            Err(RememberProblem::Endless)
        } else {
            Ok(())
        }
    }
}

impl Allowed {
    /// Whether nothing can keep to it.
    fn is_empty(&self) -> bool {
        match self {
            Self::Anything | Self::Same { .. } => false,
            Self::OneOf { values } => values.is_empty(),
            Self::Under { folder } => !Path::new(folder).is_absolute(),
            Self::Hosts { hosts } => hosts.is_empty(),
            Self::AtMost { number } => !number.is_finite(),
        }
    }
}

/// How long an answer is remembered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Lasting {
    /// For so many calls, this one included.
    Times {
        /// How many.
        times: u32,
    },
    /// Until a time.
    Until {
        /// Which.
        at: Timestamp,
    },
    /// Until the conversation ends; for the window and the terminal that is when Majordomo ends.
    Conversation,
    /// Until it is taken back, in this workspace.
    Workspace,
    /// Until it is taken back, in every workspace.
    Always,
}

/// For which arguments an answer is remembered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ArgumentScope {
    /// Any.
    Any,
    /// Exactly those of the call.
    Exactly,
    /// Those of which each keeps to its limit.
    Within {
        /// The limits; an argument without one is not covered.
        limits: Vec<LimitChoice>,
    },
}

/// What one argument may be, as chosen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub struct LimitChoice {
    /// The argument's name.
    pub argument: String,
    /// What it may be; nothing means: only what it is in this call.
    pub allowed: Option<Allowed>,
}

/// What a remembered answer may say about one argument of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ArgumentOptions {
    /// The argument's name.
    pub argument: String,
    /// What may be chosen beside "the same" and "anything", narrowest first.
    pub allowed: Vec<Allowed>,
}

impl Lasting {
    /// The grant's scope, and the only workspace in which it holds.
    pub(crate) fn scope(&self, setting: Setting<'_>) -> (Scope, Option<WorkspaceId>) {
        let here = Some(setting.workspace.clone());
        match self {
            Self::Times { times } => (Scope::Times { times: *times }, here),
            Self::Until { at } => (Scope::Until { at: *at }, here),
            Self::Conversation => (
                Scope::Conversation {
                    conversation: setting.conversation.clone(),
                },
                here,
            ),
            Self::Workspace => (Scope::Workspace, here),
            Self::Always => (Scope::Always, None),
        }
    }
}

impl ArgumentScope {
    /// What it covers, for a call with `arguments`.
    pub(crate) fn covered(
        &self,
        arguments: &Map<String, Value>,
        shown: &Map<String, Value>,
    ) -> Covered {
        let same = |name: &str| {
            let (value, shown) = (
                arguments.get(name).unwrap_or(&Value::Null),
                shown.get(name).unwrap_or(&Value::Null),
            );
            Allowed::Same {
                fingerprint: Fingerprint::of(value),
                shown: shown.clone(),
            }
        };
        match self {
            Self::Any => Covered::Any,
            Self::Exactly => Covered::Exactly {
                fingerprint: Fingerprint::of(&Value::Object(arguments.clone())),
                shown: shown.clone(),
            },
            Self::Within { limits } => Covered::Within {
                limits: limits
                    .iter()
                    .map(|choice| Limit {
                        argument: choice.argument.clone(),
                        // What is "the same" is taken from the call, whatever a surface says it is.
                        allowed: match &choice.allowed {
                            None | Some(Allowed::Same { .. }) => same(&choice.argument),
                            Some(allowed) => allowed.clone(),
                        },
                    })
                    .collect(),
            },
        }
    }
}

/// What a remembered answer may say about each argument of a call. `shown` are the arguments with
/// held secrets covered.
pub fn options_for(
    arguments: &Map<String, Value>,
    shown: &Map<String, Value>,
    touches: &AffectedResources,
) -> Vec<ArgumentOptions> {
    let option = |(name, value): (&String, &Value)| {
        // A value that is not shown whole cannot become part of a rule that people read.
        let plain = shown.get(name) == Some(value);
        ArgumentOptions {
            argument: name.clone(),
            allowed: if plain {
                allowed_for(value, touches)
            } else {
                Vec::new()
            },
        }
    };
    arguments.iter().map(option).collect()
}

fn allowed_for(value: &Value, touches: &AffectedResources) -> Vec<Allowed> {
    let texts: Vec<&str> = match value {
        Value::String(text) => vec![text],
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Number(number) => {
            return number
                .as_f64()
                .map(|number| Allowed::AtMost { number })
                .into_iter()
                .collect();
        }
        _ => Vec::new(),
    };
    let Some(first) = texts.first() else {
        return Vec::new();
    };
    let mut allowed = Vec::new();
    if let Some(host) = only_host(first) {
        let mut hosts: Vec<String> = texts
            .iter()
            .filter_map(|text| only_host(text))
            .chain([host])
            .collect();
        hosts.sort();
        hosts.dedup();
        allowed.push(Allowed::Hosts { hosts });
    } else if let Some(file) = touches.files.iter().find(|file| file.of == **first) {
        let folders = Path::new(&file.path)
            .ancestors()
            .filter_map(Path::to_str)
            .filter(|folder| !folder.is_empty());
        // The drive itself is not a limit.
        let folders = folders.filter(|folder| Path::new(folder).parent().is_some());
        allowed.extend(folders.map(|folder| Allowed::Under {
            folder: folder.to_owned(),
        }));
    }
    allowed.push(Allowed::OneOf {
        values: texts.iter().map(|text| (*text).to_owned()).collect(),
    });
    // What would not even cover this call is no offer, as the folder of one of several files.
    let places = Places(
        touches
            .files
            .iter()
            .map(|file| (file.of.clone(), file.path.clone()))
            .collect(),
    );
    allowed.retain(|allowed| allowed.holds(Some(value), &places));
    allowed
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::AffectedFile;
    use serde_json::json;

    #[test]
    fn only_what_covers_the_call_itself_is_offered() {
        let touched = |path: &str| AffectedFile {
            of: path.to_owned(),
            path: path.to_owned(),
            granted: false,
        };
        let touches = AffectedResources {
            files: vec![
                touched("/home/ann/projects/a"),
                touched("/home/ann/notes/b"),
            ],
            ..AffectedResources::default()
        };
        let arguments = json!({"paths": ["/home/ann/projects/a", "/home/ann/notes/b"], "mixed": ["https://a.example/", "word"]});
        let options = options_for(
            arguments.as_object().unwrap(),
            arguments.as_object().unwrap(),
            &touches,
        );
        let under = |folder: &str| Allowed::Under {
            folder: folder.to_owned(),
        };
        let values = vec![
            "/home/ann/projects/a".to_owned(),
            "/home/ann/notes/b".to_owned(),
        ];
        assert_eq!(
            options[0].allowed,
            [
                under("/home/ann"),
                under("/home"),
                Allowed::OneOf { values }
            ]
        );
        assert_eq!(
            options[1].allowed,
            [Allowed::OneOf {
                values: vec!["https://a.example/".into(), "word".into()]
            }]
        );
    }
}
