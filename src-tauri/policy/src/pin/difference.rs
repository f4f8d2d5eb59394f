//! What is different between two definitions, field by field.

use super::kind::{self, ChangeKind};
use protocol::settled;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// The most changes that are told apart; further ones are told as one, of the whole definition.
const MOST: usize = 200;
/// Deeper than this a difference is told as one of the whole part.
const DEEPEST: usize = 32;

/// One field that is not what it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Change {
    /// Which field, as a JSON pointer (RFC 6901) into the definition.
    pub at: String,
    /// What it was; absent where it is new.
    #[ts(type = "unknown")]
    pub before: Option<Value>,
    /// What it is; absent where it is gone.
    #[ts(type = "unknown")]
    pub now: Option<Value>,
    /// What it means.
    pub kind: ChangeKind,
}

/// All differences, the gravest first. Empty for definitions with the same fingerprint.
pub(super) fn between(before: &Map<String, Value>, now: &Map<String, Value>) -> Vec<Change> {
    let mut found = Vec::new();
    // Put in order as for the fingerprint: what makes no difference there is none here.
    of_maps("", &settled(before), &settled(now), 0, &mut found);
    if found.len() > MOST {
        found = vec![(
            String::new(),
            Some(Value::Object(before.clone())),
            Some(Value::Object(now.clone())),
        )];
    }
    let change = |(at, before, now): Found| Change {
        kind: kind::of(&at, before.as_ref(), now.as_ref()),
        at,
        before,
        now,
    };
    let mut changes: Vec<Change> = found.into_iter().map(change).collect();
    changes.sort_by(|a, b| b.kind.cmp(&a.kind).then_with(|| a.at.cmp(&b.at)));
    changes
}

type Found = (String, Option<Value>, Option<Value>);

fn of_maps(
    at: &str,
    before: &Map<String, Value>,
    now: &Map<String, Value>,
    depth: usize,
    found: &mut Vec<Found>,
) {
    let added = now.keys().filter(|key| !before.contains_key(*key));
    for key in before.keys().chain(added) {
        if found.len() > MOST {
            return;
        }
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        match (before.get(key), now.get(key)) {
            (Some(Value::Object(before)), Some(Value::Object(now))) if depth < DEEPEST => {
                of_maps(&at, before, now, depth + 1, found)
            }
            (before, now) if before == now => {}
            (before, now) => found.push((at, before.cloned(), now.cloned())),
        }
    }
}
