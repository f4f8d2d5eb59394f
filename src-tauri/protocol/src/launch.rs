//! How a server is reached: a command to run or an address to call. Values of secrets are never in
//! here.

use crate::{Fingerprint, SecretId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
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
    /// A certificate authority that is trusted there besides the system's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub authority: Option<PemPlace>,
    /// Who we are to a server that asks for a client certificate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub identity: Option<ClientIdentity>,
}

/// A client certificate and its key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClientIdentity {
    /// The certificate, then those that vouch for it.
    pub certificate: PemPlace,
    /// Its key.
    pub key: PemPlace,
}

/// Where a text in PEM form lies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum PemPlace {
    /// In a file, which is read with each start.
    File {
        /// Its absolute path.
        path: String,
    },
    /// With the secrets.
    Secret {
        /// Where the value lies.
        secret: SecretId,
    },
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
    /// The identity to which approvals are bound. It covers everything that decides what is run or
    /// called, and of secrets the names only: a renewed token is the same server.
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
            Self::Stdio(run) => {
                json!({"command": run.command, "args": run.args, "env": settings(&run.env), "cwd": run.cwd})
            }
            Self::Http(call) => {
                let mut covered = json!({"url": call.url, "headers": settings(&call.headers)});
                // Named only where they are: a server without them is the same as before there were
                // any.
                if let Some(authority) = &call.authority {
                    covered["authority"] = authority.covered();
                }
                if let Some(identity) = &call.identity {
                    covered["identity"] =
                        json!([identity.certificate.covered(), identity.key.covered()]);
                }
                covered
            }
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
        let settings = self
            .settings()
            .iter()
            .filter_map(|setting| match &setting.value {
                SettingValue::Secret { secret } => Some(secret),
                SettingValue::Plain { .. } => None,
            });
        settings.chain(self.certificates().filter_map(PemPlace::secret))
    }

    /// The files of certificates that are read when it is started.
    pub fn certificate_files(&self) -> impl Iterator<Item = &str> {
        self.certificates().filter_map(|place| match place {
            PemPlace::File { path } => Some(path.as_str()),
            PemPlace::Secret { .. } => None,
        })
    }

    fn certificates(&self) -> impl Iterator<Item = &PemPlace> {
        let call = match self {
            Self::Http(call) => Some(call),
            Self::Builtin { .. } | Self::Stdio(_) => None,
        };
        let identity = call
            .and_then(|call| call.identity.as_ref())
            .map(|identity| [&identity.certificate, &identity.key]);
        call.and_then(|call| call.authority.as_ref())
            .into_iter()
            .chain(identity.into_iter().flatten())
    }
}

impl PemPlace {
    /// Where the value lies, if it lies with the secrets.
    pub fn secret(&self) -> Option<&SecretId> {
        match self {
            Self::Secret { secret } => Some(secret),
            Self::File { .. } => None,
        }
    }

    fn covered(&self) -> Value {
        match self {
            Self::File { path } => json!({"file": path}),
            Self::Secret { .. } => json!("secret"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(args: &[&str], value: SettingValue) -> Launch {
        Launch::Stdio(StdioLaunch {
            command: "node".into(),
            args: args.iter().map(|a| (*a).to_owned()).collect(),
            env: vec![Setting {
                name: "TOKEN".into(),
                value,
            }],
            cwd: None,
        })
    }

    fn call(authority: Option<PemPlace>) -> Launch {
        Launch::Http(HttpLaunch {
            url: "https://a.example/mcp".into(),
            headers: Vec::new(),
            authority,
            identity: None,
        })
    }

    #[test]
    fn a_server_that_was_kept_before_there_were_certificates_is_the_same_server() {
        let old: Launch =
            serde_json::from_str(r#"{"kind":"http","url":"https://a.example/mcp","headers":[]}"#)
                .unwrap();
        assert_eq!(old, call(None));
        assert_eq!(
            old.fingerprint(),
            Fingerprint::of(&json!({"url": "https://a.example/mcp", "headers": []}))
        );
    }

    #[test]
    fn another_file_of_a_certificate_is_another_server_and_a_renewed_secret_one_is_not() {
        let file = |path: &str| call(Some(PemPlace::File { path: path.into() })).fingerprint();
        let secret = || {
            call(Some(PemPlace::Secret {
                secret: SecretId::random(),
            }))
        };
        assert_ne!(file("/a.pem"), file("/b.pem"));
        assert_ne!(file("/a.pem"), call(None).fingerprint());
        assert_eq!(secret().fingerprint(), secret().fingerprint());
        assert_eq!(secret().secrets().count(), 1);
    }

    #[test]
    fn another_argument_is_another_server_and_a_renewed_secret_is_not() {
        let secret = || SettingValue::Secret {
            secret: SecretId::random(),
        };
        assert_eq!(
            run(&["a"], secret()).fingerprint(),
            run(&["a"], secret()).fingerprint()
        );
        assert_ne!(
            run(&["a"], secret()).fingerprint(),
            run(&["a", "b"], secret()).fingerprint()
        );
        assert_ne!(
            run(&["a b"], secret()).fingerprint(),
            run(&["a", "b"], secret()).fingerprint()
        );
        assert_ne!(
            run(&["a"], secret()).fingerprint(),
            run(&["a"], SettingValue::Plain { text: "x".into() }).fingerprint()
        );
    }
}
