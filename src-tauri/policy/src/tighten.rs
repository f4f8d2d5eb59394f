//! How a grant could be narrower and still have covered everything that it was used for.
//!
//! Always true here:
//! - what is proposed covers every known call, or nothing is proposed;
//! - it is never wider than what it takes the place of.

use crate::address::only_host;
use crate::cover::{Allowed, Covered, Limit, Places};
use protocol::Fingerprint;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Fewer calls than this say nothing about what comes.
const FEWEST_CALLS: usize = 3;
/// Of so many different values at most a list is proposed.
const MOST_VALUES: usize = 5;

/// A narrower cover, and what it was concluded from.
#[derive(Debug, Clone, PartialEq)]
pub struct Tighter {
    /// What to cover instead.
    pub arguments: Covered,
    /// How the arguments varied.
    pub varied: Vec<Varied>,
}

/// The values that one argument had.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// The argument's name.
    pub argument: String,
    /// The values with how often each came, most frequent first.
    pub values: Vec<(Value, usize)>,
    /// The limit that is proposed for it.
    pub allowed: Allowed,
}

/// Proposes something narrower than `now` for a grant that let `calls` through. `covered` says
/// whether a value was not known whole.
pub fn tighten(
    now: &Covered,
    calls: &[Map<String, Value>],
    places: &Places,
    covered: impl Fn(&Value) -> bool,
) -> Option<Tighter> {
    if calls.len() < FEWEST_CALLS || matches!(now, Covered::Exactly { .. }) {
        return None;
    }
    let names: BTreeSet<&String> = calls.iter().flat_map(Map::keys).collect();
    let mut varied = Vec::new();
    let mut limits = Vec::new();
    let mut narrower = false;
    for name in names {
        let allowed_now: Vec<&Allowed> = match now {
            Covered::Within { limits } => limits
                .iter()
                .filter(|limit| limit.argument == *name)
                .map(|limit| &limit.allowed)
                .collect(),
            _ => Vec::new(),
        };
        let is_open = allowed_now
            .iter()
            .all(|allowed| matches!(allowed, Allowed::Anything));
        let seen: Vec<Option<&Value>> = calls.iter().map(|call| call.get(name)).collect();
        let allowed = if is_open {
            propose(&seen, places, &covered)
        } else {
            None
        };
        narrower |= allowed.is_some();
        let kept = allowed_now.into_iter().cloned();
        let chosen: Vec<Allowed> = allowed.map_or_else(|| kept.collect(), |allowed| vec![allowed]);
        let chosen = if chosen.is_empty() {
            vec![Allowed::Anything]
        } else {
            chosen
        };
        varied.push(Varied {
            argument: name.clone(),
            values: counted(&seen),
            allowed: chosen[0].clone(),
        });
        limits.extend(chosen.into_iter().map(|allowed| Limit {
            argument: name.clone(),
            allowed,
        }));
    }
    // Limits of arguments that never came stay.
    if let Covered::Within { limits: before } = now {
        limits.extend(
            before
                .iter()
                .filter(|limit| !calls.iter().any(|call| call.contains_key(&limit.argument)))
                .cloned(),
        );
    }
    let arguments = Covered::Within { limits };
    // Values that are not known whole cannot be checked; their limit is "anything", so the check
    // says nothing wrong about them.
    let all = calls.iter().all(|call| arguments.covers(call, places));
    (narrower && all).then_some(Tighter { arguments, varied })
}

fn propose(
    seen: &[Option<&Value>],
    places: &Places,
    covered: impl Fn(&Value) -> bool,
) -> Option<Allowed> {
    let values: Vec<&Value> = seen.iter().copied().collect::<Option<_>>()?;
    if values.iter().any(|value| covered(value)) {
        return None;
    }
    let first = *values.first()?;
    if values.iter().all(|value| *value == first) {
        return Some(Allowed::Same {
            fingerprint: Fingerprint::of(first),
            shown: first.clone(),
        });
    }
    if let Some(numbers) = values
        .iter()
        .map(|value| value.as_f64())
        .collect::<Option<Vec<f64>>>()
    {
        return numbers
            .into_iter()
            .reduce(f64::max)
            .map(|number| Allowed::AtMost { number });
    }
    let texts: Vec<&str> = values
        .iter()
        .map(|value| texts(value))
        .collect::<Option<Vec<_>>>()?
        .concat();
    if let Some(folder) = common_folder(&texts, places) {
        return Some(Allowed::Under { folder });
    }
    if let Some(hosts) = texts
        .iter()
        .map(|text| only_host(text))
        .collect::<Option<BTreeSet<String>>>()
        && hosts.len() <= MOST_VALUES
    {
        return Some(Allowed::Hosts {
            hosts: hosts.into_iter().collect(),
        });
    }
    let different: BTreeSet<&str> = texts.into_iter().collect();
    // A list of what was different nearly every time is no rule.
    let few = different.len() <= MOST_VALUES && different.len() * 2 <= values.len();
    few.then(|| Allowed::OneOf {
        values: different.into_iter().map(str::to_owned).collect(),
    })
}

fn texts(value: &Value) -> Option<Vec<&str>> {
    match value {
        Value::String(text) => Some(vec![text]),
        Value::Array(items) if !items.is_empty() => items.iter().map(Value::as_str).collect(),
        _ => None,
    }
}

/// The nearest folder in which all of them lie, if it is a limit at all.
fn common_folder(texts: &[&str], places: &Places) -> Option<String> {
    let mut places = texts
        .iter()
        .map(|text| places.0.get(*text).map(Path::new))
        .collect::<Option<Vec<_>>>()?
        .into_iter();
    let first = places.next()?.parent()?;
    let common = places.try_fold(first, |common, place| {
        common.ancestors().find(|folder| place.starts_with(folder))
    })?;
    // The drive itself, and what lies directly on it, is no limit.
    common.parent().filter(|parent| parent.parent().is_some())?;
    common.to_str().map(str::to_owned)
}

fn counted(seen: &[Option<&Value>]) -> Vec<(Value, usize)> {
    let mut counts: BTreeMap<String, (Value, usize)> = BTreeMap::new();
    for value in seen.iter().flatten() {
        counts
            .entry(value.to_string())
            .or_insert_with(|| ((*value).clone(), 0))
            .1 += 1;
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(calls: &[Value], places: &[&str]) -> Option<Value> {
        let calls: Vec<_> = calls
            .iter()
            .map(|call| call.as_object().cloned().unwrap())
            .collect();
        let places = Places(
            places
                .iter()
                .map(|place| ((*place).to_owned(), (*place).to_owned()))
                .collect(),
        );
        let tighter = tighten(&Covered::Any, &calls, &places, |value| {
            value.to_string().contains('•')
        })?;
        assert!(
            calls
                .iter()
                .all(|call| tighter.arguments.covers(call, &places)),
            "{tighter:?}"
        );
        let shown = tighter.varied.into_iter().map(|varied| {
            (
                varied.argument,
                serde_json::to_value(varied.allowed).unwrap(),
            )
        });
        Some(Value::Object(shown.collect()))
    }

    #[cfg(unix)]
    #[test]
    fn paths_under_one_folder_propose_that_folder() {
        let calls = [
            json!({"path": "/home/ann/projects/a"}),
            json!({"path": "/home/ann/projects/b/c"}),
            json!({"path": "/home/ann/projects/d"}),
        ];
        let places = [
            "/home/ann/projects/a",
            "/home/ann/projects/b/c",
            "/home/ann/projects/d",
        ];
        assert_eq!(
            check(&calls, &places),
            Some(json!({"path": {"kind": "under", "folder": "/home/ann/projects"}}))
        );
        // Without knowing where they lie there are only three different texts.
        assert_eq!(check(&calls, &[]), None);
        let all_over = [
            json!({"path": "/home/a"}),
            json!({"path": "/etc/b"}),
            json!({"path": "/var/c"}),
        ];
        assert_eq!(check(&all_over, &["/home/a", "/etc/b", "/var/c"]), None);
    }

    #[test]
    fn what_was_always_the_same_or_one_of_few_proposes_that() {
        let calls: Vec<Value> = (0..6).map(|n| json!({"mode": "fast", "to": if n % 2 == 0 { "ann" } else { "bob" }, "count": n})).collect();
        let proposed = check(&calls, &[]).unwrap();
        assert_eq!(proposed["mode"]["kind"], "same");
        assert_eq!(
            proposed["to"],
            json!({"kind": "one_of", "values": ["ann", "bob"]})
        );
        assert_eq!(proposed["count"], json!({"kind": "at_most", "number": 5.0}));
    }

    #[test]
    fn addresses_propose_their_hosts() {
        let calls = [
            "https://a.example/1",
            "https://a.example/2",
            "https://b.example/",
        ]
        .map(|url| json!({"url": url}));
        assert_eq!(
            check(&calls, &[]),
            Some(json!({"url": {"kind": "hosts", "hosts": ["a.example", "b.example"]}}))
        );
    }

    #[test]
    fn few_calls_and_values_that_are_not_known_whole_propose_nothing() {
        assert_eq!(check(&[json!({"a": "x"}), json!({"a": "x"})], &[]), None);
        assert_eq!(
            check(
                &[
                    json!({"a": "•••"}),
                    json!({"a": "•••"}),
                    json!({"a": "•••"})
                ],
                &[]
            ),
            None
        );
        let sometimes = [json!({"a": "x"}), json!({"a": "x"}), json!({})];
        assert_eq!(
            check(&sometimes, &[]),
            None,
            "an argument that was missing once"
        );
    }
}
