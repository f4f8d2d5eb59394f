//! Whether what a server offers is what a person has approved.
//!
//! Always true here:
//! - only what is approved exactly as it is now may be used; all else waits for a person;
//! - what is not remembered, or cannot be read, counts as new;
//! - the same thing under another name is shown as a change of its name, and waits like any other
//!   change.

mod difference;
mod kind;

pub use difference::Change;
pub use kind::ChangeKind;

use crate::Refusal;
use protocol::{Feature, FeatureKey, FeatureKind, Fingerprint, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use ts_rs::TS;

/// What a person decided about something that a server offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PinDecision {
    /// It may be used as it is now.
    Approve,
    /// It is not wanted as it is now. When it changes, it comes up again.
    KeepOff,
    /// It is never wanted, whatever becomes of it.
    Block,
}

/// What a person decided, and about what exactly.
#[derive(Debug, Clone, PartialEq)]
pub struct Pin {
    /// By what it is known.
    pub key: FeatureKey,
    /// The decision.
    pub decision: PinDecision,
    /// The definition that was decided about.
    pub definition: Map<String, Value>,
    /// Its fingerprint.
    pub fingerprint: Fingerprint,
    /// When.
    pub decided_at: Timestamp,
}

impl Pin {
    /// The pin of a decision about an offer as it is now.
    pub fn new(feature: &Feature, decision: PinDecision, now: Timestamp) -> Self {
        let fingerprint = feature.fingerprint();
        Self {
            key: feature.key.clone(),
            decision,
            definition: feature.definition.clone(),
            fingerprint,
            decided_at: now,
        }
    }

    /// Whether the fingerprint is that of the definition; otherwise something has meddled with it.
    pub fn is_whole(&self) -> bool {
        Fingerprint::of_definition(&self.definition) == self.fingerprint
    }
}

/// How something that is offered stands to what was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ApprovalStatus {
    /// Approved exactly as it is.
    Approved,
    /// Never seen before.
    New,
    /// It was decided about, and is not what it was.
    Changed,
    /// It is what another one was, under another name.
    Renamed {
        /// The name before.
        from: String,
    },
    /// It was decided about and is not offered any more.
    Gone,
    /// Not wanted as it is.
    KeptOff,
    /// Never wanted.
    Blocked,
}

impl ApprovalStatus {
    /// Why it may not be used; nothing if it may.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Approved => None,
            Self::New => Some(Refusal::NotReviewed),
            Self::Changed | Self::Renamed { .. } | Self::Gone => Some(Refusal::Quarantined),
            Self::KeptOff => Some(Refusal::SwitchedOff),
            Self::Blocked => Some(Refusal::Blocked),
        }
    }

    /// Whether a person has still to decide.
    pub fn waits(&self) -> bool {
        matches!(
            self,
            Self::New | Self::Changed | Self::Renamed { .. } | Self::Gone
        )
    }
}

/// One thing that is offered or was, compared with what was decided.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureComparison {
    /// By what it is known.
    pub key: FeatureKey,
    /// How it stands.
    pub standing: ApprovalStatus,
    /// As it is offered now.
    pub now: Option<Feature>,
    /// What was decided about, if anything.
    pub before: Option<Pin>,
    /// What is different, if both are there.
    pub changes: Vec<Change>,
}

/// Compares everything that a server offers with what was decided: first what it offers, in its
/// order, then what is gone.
///
/// Pins that are not whole are passed over, so what they were about counts as new.
pub fn compare(pins: &[Pin], offers: &[Feature]) -> Vec<FeatureComparison> {
    let pins: BTreeMap<&FeatureKey, &Pin> = pins
        .iter()
        .filter(|pin| pin.is_whole())
        .map(|pin| (&pin.key, pin))
        .collect();
    let offered: BTreeSet<&FeatureKey> = offers.iter().map(|feature| &feature.key).collect();
    let left: Vec<&Pin> = pins
        .values()
        .filter(|pin| !offered.contains(&pin.key))
        .copied()
        .collect();
    let mut nameless: BTreeMap<(FeatureKind, Fingerprint), Vec<&Pin>> = BTreeMap::new();
    for pin in left.iter().filter(|pin| pin.key.kind != FeatureKind::About) {
        nameless
            .entry((pin.key.kind, without_name(pin.key.kind, &pin.definition)))
            .or_default()
            .push(pin);
    }
    let mut renamed: BTreeSet<&FeatureKey> = BTreeSet::new();
    let mut compared = Vec::with_capacity(offers.len());
    for feature in offers {
        let mut before = pins.get(&feature.key).copied();
        if before.is_none() && !nameless.is_empty() {
            // Each is taken once, by the first that is the same but for its name.
            let same = nameless.get_mut(&(
                feature.key.kind,
                without_name(feature.key.kind, &feature.definition),
            ));
            before = same
                .and_then(Vec::pop)
                .inspect(|pin| _ = renamed.insert(&pin.key));
        }
        compared.push(one(feature, before));
    }
    let gone = |pin: &&Pin| pin.decision == PinDecision::Approve && !renamed.contains(&pin.key);
    compared.extend(left.into_iter().filter(gone).map(|pin| FeatureComparison {
        key: pin.key.clone(),
        standing: ApprovalStatus::Gone,
        now: None,
        before: Some(pin.clone()),
        changes: Vec::new(),
    }));
    compared
}

/// The fingerprint of everything but the name.
fn without_name(kind: FeatureKind, definition: &Map<String, Value>) -> Fingerprint {
    let mut definition = definition.clone();
    definition.remove(if kind == FeatureKind::Template {
        "uriTemplate"
    } else {
        "name"
    });
    Fingerprint::of_definition(&definition)
}

fn one(feature: &Feature, before: Option<&Pin>) -> FeatureComparison {
    let standing = match before {
        None => ApprovalStatus::New,
        Some(pin) if pin.decision == PinDecision::Block => ApprovalStatus::Blocked,
        Some(pin) if pin.key != feature.key => ApprovalStatus::Renamed {
            from: pin.key.name.clone(),
        },
        Some(pin) if pin.fingerprint != feature.fingerprint() => ApprovalStatus::Changed,
        Some(Pin {
            decision: PinDecision::KeepOff,
            ..
        }) => ApprovalStatus::KeptOff,
        Some(_) => ApprovalStatus::Approved,
    };
    let changes = before
        .map(|pin| difference::between(&pin.definition, &feature.definition))
        .unwrap_or_default();
    FeatureComparison {
        key: feature.key.clone(),
        standing,
        now: Some(feature.clone()),
        before: before.cloned(),
        changes,
    }
}

#[cfg(test)]
#[path = "pin_test.rs"]
mod tests;
