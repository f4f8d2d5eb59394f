//! A server as a form describes it, before it is kept. Values of secrets travel inwards only.

use protocol::{ConfinementSettings, Secret};
use serde::{Deserialize, Serialize, Serializer};
use ts_rs::TS;

/// A server as a form describes it, before it is kept.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct ServerDraft {
    /// The name to keep it under.
    pub name: String,
    /// How it is reached.
    pub target: DraftTarget,
    /// What to do with secrets where there is no keyring.
    #[serde(default)]
    pub keep: KeepSecrets,
    /// What it may touch, if it is a command. Absent, a new server is confined to what comes with
    /// its command, and one that is kept stays as it is.
    #[serde(default)]
    #[ts(optional)]
    pub confinement: Option<ConfinementSettings>,
}

/// How a drafted server is reached.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftTarget {
    /// A command.
    Stdio {
        /// A path, or a name that is looked up in PATH.
        command: String,
        /// Its arguments.
        #[serde(default)]
        args: Vec<String>,
        /// Environment.
        #[serde(default)]
        env: Vec<DraftSetting>,
        /// Working directory, absolute.
        #[serde(default)]
        cwd: Option<String>,
    },
    /// An address.
    Http {
        /// `https:`, or `http:` on loopback.
        url: String,
        /// Headers.
        #[serde(default)]
        headers: Vec<DraftSetting>,
        /// A certificate authority that is trusted there besides the system's; absent keeps what is
        /// there.
        #[serde(default)]
        #[ts(optional)]
        authority: Option<DraftPem>,
        /// The certificate that is shown to a server that asks for one; absent keeps what is there.
        #[serde(default)]
        #[ts(optional)]
        certificate: Option<DraftPem>,
        /// Its key; absent keeps what is there.
        #[serde(default)]
        #[ts(optional)]
        key: Option<DraftPem>,
    },
}

/// A text in PEM form of a draft.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftPem {
    /// None, or not any more.
    None,
    /// A file, which is read with each start.
    File {
        /// Its absolute path.
        path: String,
    },
    /// Pasted: goes to the keyring.
    Pasted {
        /// The text, on its only way inwards.
        #[ts(type = "string")]
        #[serde(serialize_with = "inwards")]
        text: Secret,
    },
}

/// An environment variable or a header of a draft.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DraftSetting {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: DraftValue,
}

/// The value of a drafted setting.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum DraftValue {
    /// Not secret.
    Plain {
        /// The value.
        text: String,
    },
    /// Secret, and new: goes to the keyring.
    NewSecret {
        /// The value, on its only way inwards.
        #[ts(type = "string")]
        #[serde(serialize_with = "inwards")]
        value: Secret,
    },
    /// Secret, and kept as it is (editing only).
    KeptSecret,
    /// Secret, and not known yet: the server does not start before a person has filled it in.
    EmptySecret,
}

/// What to do with secrets where there is no keyring.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum KeepSecrets {
    /// Refuse with `keyring_missing`.
    #[default]
    Keyring,
    /// Keep them in memory until the application ends.
    Session,
}

/// Writes the value of a secret into a request. Only drafts hold one, and drafts only travel to the
/// host.
pub(crate) fn inwards<S: Serializer>(secret: &Secret, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(secret.expose())
}

/// The same for a secret that may be absent.
pub(crate) fn inwards_if_any<S: Serializer>(
    secret: &Option<Secret>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match secret {
        Some(secret) => inwards(secret, serializer),
        None => serializer.serialize_none(),
    }
}
