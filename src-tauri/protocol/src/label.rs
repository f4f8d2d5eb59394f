//! Where a text came from, how far it may be believed, and who may read it.
//!
//! Always true here: a label only ever gets worse. [`Label::join`] is commutative, associative and
//! idempotent, and nothing in here lowers one; the fields are private so that nobody else can.

use crate::{ServerId, ToolName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use ts_rs::TS;

/// Most origins that one label names. Further ones become [`Origin::Unknown`].
const MAX_ORIGINS: usize = 64;

/// Who wrote a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Origin {
    /// The person at the computer.
    Person,
    /// This host.
    Host,
    /// The result of a tool.
    Tool {
        /// Of which server, by our name; nothing where that is not recorded.
        server: Option<ServerId>,
        /// Which tool.
        tool: ToolName,
    },
    /// A file, or what else the person has attached: they have chosen it, and anybody may have
    /// written it.
    Attachment {
        /// Its name.
        name: String,
    },
    /// Nobody knows.
    Unknown,
}

/// How far a text may be believed, best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Trust {
    /// The person's or the host's own words.
    Trusted,
    /// A stranger's words.
    Untrusted,
    /// A stranger's words, some of which speak to the model.
    Steering,
}

/// Who may read a text, widest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Confidentiality {
    /// Anybody.
    Public,
    /// The person, and whom they choose.
    Private,
    /// The person alone: keys, passwords.
    Secret,
}

/// All three, for one text or for everything that a conversation holds. It is read back by surfaces
/// only, to show it: no request carries one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Label {
    #[ts(as = "Vec<Origin>")]
    origins: BTreeSet<Origin>,
    trust: Trust,
    confidentiality: Confidentiality,
}

impl Label {
    /// The label of a text from `origin`. What is not the person's or the host's is untrusted.
    pub fn of(origin: Origin) -> Self {
        let trust = if matches!(origin, Origin::Person | Origin::Host) {
            Trust::Trusted
        } else {
            Trust::Untrusted
        };
        Self {
            origins: BTreeSet::from([origin]),
            trust,
            confidentiality: Confidentiality::Private,
        }
    }

    /// The label of what holds nothing yet: the neutral one for [`Label::join`].
    pub fn of_nothing() -> Self {
        Self {
            origins: BTreeSet::new(),
            trust: Trust::Trusted,
            confidentiality: Confidentiality::Public,
        }
    }

    /// The same, at least this little to be believed.
    #[must_use]
    pub fn at_least_as_doubtful(mut self, trust: Trust) -> Self {
        self.trust = self.trust.max(trust);
        self
    }

    /// The same, at least this confidential.
    #[must_use]
    pub fn at_least_as_confidential(mut self, confidentiality: Confidentiality) -> Self {
        self.confidentiality = self.confidentiality.max(confidentiality);
        self
    }

    /// The label of something made of both.
    #[must_use]
    pub fn join(mut self, other: &Self) -> Self {
        self.origins.extend(other.origins.iter().cloned());
        if self.origins.len() > MAX_ORIGINS {
            // The least are dropped for `Unknown`, whatever the order of joining.
            self.origins.insert(Origin::Unknown);
            self.origins = self.origins.into_iter().rev().take(MAX_ORIGINS).collect();
        }
        self.trust = self.trust.max(other.trust);
        self.confidentiality = self.confidentiality.max(other.confidentiality);
        self
    }

    /// From whom.
    pub fn origins(&self) -> impl Iterator<Item = &Origin> {
        self.origins.iter()
    }

    /// How far it may be believed.
    pub fn trust(&self) -> Trust {
        self.trust
    }

    /// Who may read it.
    pub fn confidentiality(&self) -> Confidentiality {
        self.confidentiality
    }
}
