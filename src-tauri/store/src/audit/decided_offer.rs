//! What a person decided about one thing that a server offers, as the log says it.

use policy::pin::PinDecision;
use protocol::{FeatureKind, Fingerprint};
use serde::{Deserialize, Serialize};

/// A decision about one thing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DecidedOffer {
    /// What kind of thing it is.
    pub kind: FeatureKind,
    /// Its name.
    pub name: String,
    /// What they decided.
    pub decision: PinDecision,
    /// The definition that they decided about; absent for one that is gone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<Fingerprint>,
}
