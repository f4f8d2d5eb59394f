//! Which arguments a remembered answer covers.
//!
//! Always true here:
//! - an argument for which there is no limit is not covered, and neither is one whose limit cannot
//!   be checked;
//! - a path counts as lying in a folder only if its place on the disk was found out and lies there;
//! - an argument that is missing is not covered by a limit, since its server's default is not
//!   known;
//! - an address that two programs may read differently is on no host.

use crate::address::{hosts_in, only_host};
use protocol::Fingerprint;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Component, Path};
use ts_rs::TS;

/// Which arguments a grant covers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Covered {
    /// Any.
    Any,
    /// Exactly these.
    Exactly {
        /// Their fingerprint.
        fingerprint: Fingerprint,
        /// As they were shown; values of held secrets are covered.
        #[ts(type = "Record<string, unknown>")]
        shown: Map<String, Value>,
    },
    /// Those of which each keeps to its limit. An argument without a limit is not covered.
    Within {
        /// The limits.
        limits: Vec<Limit>,
    },
}

/// What one argument may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Limit {
    /// Its name.
    pub argument: String,
    /// What it may be.
    pub allowed: Allowed,
}

/// What an argument may be.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Allowed {
    /// Anything.
    Anything,
    /// Only what it was when the person answered.
    Same {
        /// The fingerprint of that value.
        fingerprint: Fingerprint,
        /// As it was shown; values of held secrets are covered.
        #[ts(type = "unknown")]
        shown: Value,
    },
    /// A text of this list, or a list of such texts.
    OneOf {
        /// The texts.
        values: Vec<String>,
    },
    /// A path of this folder or of something in it, or a list of such paths.
    Under {
        /// The folder's absolute path, as it really lies on the disk.
        folder: String,
    },
    /// A web address on one of these hosts, or a list of such addresses.
    Hosts {
        /// The hosts, as an address has them.
        hosts: Vec<String>,
    },
    /// A number that is not larger.
    AtMost {
        /// The largest.
        number: f64,
    },
}

/// Where the paths in a call's arguments really lead: by their text, with links followed as far as
/// they exist. A text in which programs may read another path than the one that it is leads nowhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Places(pub BTreeMap<String, String>);

impl Covered {
    /// Whether it covers `arguments`.
    pub fn covers(&self, arguments: &Map<String, Value>, places: &Places) -> bool {
        match self {
            Self::Any => true,
            Self::Exactly { fingerprint, .. } => {
                *fingerprint == Fingerprint::of(&Value::Object(arguments.clone()))
            }
            Self::Within { limits } => {
                let all_limited = arguments
                    .keys()
                    .all(|name| limits.iter().any(|limit| limit.argument == *name));
                all_limited
                    && limits
                        .iter()
                        .all(|limit| limit.allowed.holds(arguments.get(&limit.argument), places))
            }
        }
    }

    /// The same for something that keeps calls away: whether `arguments` are among these, or may
    /// be.
    pub(crate) fn reaches(&self, arguments: &Map<String, Value>, places: &Places) -> Reach {
        match self {
            Self::Within { limits } if !limits.is_empty() => {
                // What no limit is about does not lead out of it.
                let reach = |limit: &Limit| {
                    limit
                        .allowed
                        .reaches(arguments.get(&limit.argument), places)
                };
                limits.iter().map(reach).min().unwrap_or(Reach::No)
            }
            covered if covered.covers(arguments, places) => Reach::Surely,
            _ => Reach::No,
        }
    }

    /// Whether any limit depends on where paths lead.
    pub fn needs_places(&self) -> bool {
        matches!(self, Self::Within { limits } if limits.iter().any(|limit| matches!(limit.allowed, Allowed::Under { .. })))
    }
}

/// Above this, not every whole number has a number of its own in the notation of limits.
const EXACT: f64 = 9_007_199_254_740_992.0;

impl Allowed {
    pub(crate) fn holds(&self, value: Option<&Value>, places: &Places) -> bool {
        let Some(value) = value else {
            return match self {
                Self::Anything => true,
                Self::Same { fingerprint, .. } => *fingerprint == Fingerprint::of(&Value::Null),
                _ => false,
            };
        };
        match self {
            Self::Anything => true,
            Self::Same { fingerprint, .. } => *fingerprint == Fingerprint::of(value),
            Self::OneOf { values } => {
                each_text(value, |text| values.iter().any(|allowed| allowed == text))
            }
            Self::Under { folder } => each_text(value, |text| {
                places
                    .0
                    .get(text)
                    .is_some_and(|place| lies_in(place, folder))
            }),
            Self::Hosts { hosts } => each_text(value, |text| {
                only_host(text).is_some_and(|host| {
                    hosts
                        .iter()
                        .any(|allowed| allowed.eq_ignore_ascii_case(&host))
                })
            }),
            Self::AtMost { number } => value
                .as_f64()
                .is_some_and(|value| value <= *number && value.abs() < EXACT),
        }
    }

    fn reaches(&self, value: Option<&Value>, places: &Places) -> Reach {
        // What a server takes for an argument that is missing is its own business.
        let Some(value) = value else {
            return if *self == Self::Anything {
                Reach::Surely
            } else {
                Reach::Perhaps
            };
        };
        let sure = |is: bool| if is { Reach::Surely } else { Reach::No };
        match self {
            Self::Anything | Self::Same { .. } => sure(self.holds(Some(value), places)),
            Self::OneOf { values } => {
                any_text(value, |text| sure(values.iter().any(|one| one == text)))
            }
            Self::Under { folder } => any_text(value, |text| {
                places
                    .0
                    .get(text)
                    .map_or(Reach::Perhaps, |place| sure(lies_in(place, folder)))
            }),
            Self::Hosts { hosts } => any_text(value, |text| {
                let is_one = |host: &String| {
                    hosts
                        .iter()
                        .any(|one| one.eq_ignore_ascii_case(host.trim_end_matches('.')))
                };
                match hosts_in(text) {
                    Some(read) if read.all().any(is_one) => Reach::Surely,
                    Some(_) if only_host(text).is_some() => Reach::No,
                    _ => Reach::Perhaps,
                }
            }),
            Self::AtMost { number } => value
                .as_f64()
                .filter(|value| value.abs() < EXACT)
                .map_or(Reach::Perhaps, |value| sure(value <= *number)),
        }
    }
}

/// Whether something that keeps calls away is about a call. In the order in which the lesser of two
/// counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// It is not.
    No,
    /// That cannot be told.
    Perhaps,
    /// It is.
    Surely,
}

/// Whether a place is this folder or lies in it. Both are absolute and lead nowhere back.
pub fn lies_in(place: &str, folder: &str) -> bool {
    let plain = |path: &Path| {
        path.is_absolute()
            && !path
                .components()
                .any(|part| matches!(part, Component::ParentDir | Component::CurDir))
    };
    let (place, folder) = (Path::new(place), Path::new(folder));
    plain(place) && plain(folder) && place.starts_with(folder)
}

/// Whether it is a text, or a list of texts that is not empty, for which all is well.
fn each_text(value: &Value, well: impl Fn(&str) -> bool) -> bool {
    match value {
        Value::String(text) => well(text),
        Value::Array(items) => {
            !items.is_empty() && items.iter().all(|item| item.as_str().is_some_and(&well))
        }
        _ => false,
    }
}

/// How far it reaches to the nearest of the texts; what is no text may be anything.
fn any_text(value: &Value, reach: impl Fn(&str) -> Reach) -> Reach {
    match value {
        Value::String(text) => reach(text),
        Value::Array(items) => items
            .iter()
            .map(|item| item.as_str().map_or(Reach::Perhaps, &reach))
            .max()
            .unwrap_or(Reach::No),
        _ => Reach::Perhaps,
    }
}
