//! How a server is reached: a command to run or an address to call. Values of secrets are never in here.

use crate::{Fingerprint, SecretId};
use serde::{Deserialize, Serialize};
use serde_json::json;
use ts_rs::TS;

/// How a server is reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Launch {
    /// One of the servers that are shipped inside the program.
    Builtin {
        /// Which one.
        name: String,
    },
    /// A child process that speaks on its standard input and output.
    Stdio(StdioLaunch),
    /// A remote server over Streamable HTTP.
    Http(HttpLaunch),
}

/// A command to run, without a shell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct StdioLaunch {
    /// A path, or a name that is looked up in PATH.
    pub command: String,
    /// Its arguments, each as it is passed.
    pub args: Vec<String>,
    /// Environment variables beside the allow-list.
    pub env: Vec<Setting>,
    /// Working directory; the person's home if none is given.
    pub cwd: Option<String>,
}

/// An address to call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct HttpLaunch {
    /// `https:`, or `http:` on loopback.
    pub url: String,
    /// Headers sent with every request.
    pub headers: Vec<Setting>,
}

/// A named value: an environment variable or a header.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its value, or where it lies.
    pub value: SettingValue,
}

/// A value, or where it lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SettingValue {
    /// Not secret: shown and stored as it is.
    Plain {
        /// The value.
        text: String,
    },
    /// Secret: only this reference is stored.
    Secret {
        /// Where the value lies.
        secret: SecretId,
    },
}

impl Launch {
    /// The identity to which approvals are bound. It covers everything that decides what is run or called, and of secrets
    /// the names only: a renewed token is the same server.
    pub fn fingerprint(&self) -> Fingerprint {
        let settings = |list: &[Setting]| -> Vec<_> {
            list.iter()
                .map(|setting| match &setting.value {
                    SettingValue::Plain { text } => json!([setting.name, text]),
                    SettingValue::Secret { .. } => json!([setting.name]),
                })
                .collect()
        };
        Fingerprint::of(&match self {
            Self::Builtin { name } => json!({"builtin": name}),
            Self::Stdio(run) => json!({"command": run.command, "args": run.args, "env": settings(&run.env), "cwd": run.cwd}),
            Self::Http(call) => json!({"url": call.url, "headers": settings(&call.headers)}),
        })
    }

    /// The settings of this launch, of either kind.
    pub fn settings(&self) -> &[Setting] {
        match self {
            Self::Builtin { .. } => &[],
            Self::Stdio(run) => &run.env,
            Self::Http(call) => &call.headers,
        }
    }

    /// Where the secrets of this launch lie.
    pub fn secrets(&self) -> impl Iterator<Item = &SecretId> {
        self.settings().iter().filter_map(|setting| match &setting.value {
            SettingValue::Secret { secret } => Some(secret),
            SettingValue::Plain { .. } => None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(args: &[&str], value: SettingValue) -> Launch {
        Launch::Stdio(StdioLaunch {
            command: "node".into(),
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            env: vec![Setting { name: "TOKEN".into(), value }],
            cwd: None,
        })
    }

    #[test]
    fn another_argument_is_another_server_and_a_renewed_secret_is_not() {
        let secret = || SettingValue::Secret { secret: SecretId::random() };
        assert_eq!(run(&["a"], secret()).fingerprint(), run(&["a"], secret()).fingerprint());
        assert_ne!(run(&["a"], secret()).fingerprint(), run(&["a", "b"], secret()).fingerprint());
        assert_ne!(run(&["a b"], secret()).fingerprint(), run(&["a", "b"], secret()).fingerprint());
        assert_ne!(run(&["a"], secret()).fingerprint(), run(&["a"], SettingValue::Plain { text: "x".into() }).fingerprint());
    }
}
