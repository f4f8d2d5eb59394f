//! What servers asked for and were refused without a question.

use inspect::SecretKind;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Why something that a server asked for was refused without a question to a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum AskRefusal {
    /// A form that asks for a password or passphrase.
    Password,
    /// A form that asks for the number or code of a payment card.
    Card,
    /// A form that asks for a token or session of a sign-in.
    Token,
    /// A form that asks for a code that is good for one sign-in or payment.
    OneTimeCode,
    /// A form that asks for a key, or the words that stand for one.
    Key,
    /// An address that must not be opened.
    BadAddress,
    /// An address that holds a secret of ours.
    SecretInAddress,
    /// An address that a rule forbids.
    Rule,
    /// A model, which this server may not ask for.
    ModelOff,
    /// A model that is to use tools, or to see what other servers said.
    ModelTools,
    /// A model, and more of it than this server may use.
    ModelBudget,
    /// A form, an address or a model, with more text than a person can be shown.
    TooLarge,
    /// Anything of a person while nobody wanted anything of the server.
    Unbidden,
}

impl AskRefusal {
    /// Its name in the log.
    pub fn key(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Card => "card",
            Self::Token => "token",
            Self::OneTimeCode => "one_time_code",
            Self::Key => "key",
            Self::BadAddress => "bad_address",
            Self::SecretInAddress => "secret_in_address",
            Self::Rule => "rule",
            Self::ModelOff => "model_off",
            Self::ModelTools => "model_tools",
            Self::ModelBudget => "model_budget",
            Self::TooLarge => "too_large",
            Self::Unbidden => "unbidden",
        }
    }
}

impl From<SecretKind> for AskRefusal {
    fn from(kind: SecretKind) -> Self {
        match kind {
            SecretKind::Password => Self::Password,
            SecretKind::Card => Self::Card,
            SecretKind::Token => Self::Token,
            SecretKind::OneTimeCode => Self::OneTimeCode,
            SecretKind::Key => Self::Key,
        }
    }
}
