//! Arguments that a person changed before they let the call run.
//!
//! Always true here: what was shown covered and was left alone is sent as it was; a covered value
//! that was changed is never sent.

use inspect::MASK;
use serde_json::{Map, Value};

/// A value was changed that was not shown whole.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{at} was shown with a part covered ({MASK}): leave it as it is, or write it anew without the mark"
)]
pub struct CoveredValueChanged {
    /// Where it stands, as a JSON pointer.
    pub at: String,
}

/// The arguments to send: `edited`, with what was left as `shown` taken from `original`.
pub fn put_back(
    edited: &Map<String, Value>,
    original: &Map<String, Value>,
    shown: &Map<String, Value>,
) -> Result<Map<String, Value>, CoveredValueChanged> {
    map(edited, Some((original, shown)), "")
}

/// What something was, and how it was shown.
type Before<'a, T> = Option<(&'a T, &'a T)>;

fn map(
    edited: &Map<String, Value>,
    before: Before<'_, Map<String, Value>>,
    at: &str,
) -> Result<Map<String, Value>, CoveredValueChanged> {
    if let Some((original, shown)) = before
        && edited == shown
    {
        return Ok(original.clone());
    }
    let mut whole = Map::new();
    for (name, edited) in edited {
        let at = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        // Whose name is covered is only left alone together with everything around it.
        if name.contains(MASK) && !before.is_some_and(|(original, _)| original.contains_key(name)) {
            return Err(CoveredValueChanged { at });
        }
        let before =
            before.and_then(|(original, shown)| Some((original.get(name)?, shown.get(name)?)));
        whole.insert(name.clone(), value(edited, before, &at)?);
    }
    Ok(whole)
}

fn value(
    edited: &Value,
    before: Before<'_, Value>,
    at: &str,
) -> Result<Value, CoveredValueChanged> {
    if let Some((original, shown)) = before
        && edited == shown
    {
        return Ok(original.clone());
    }
    match edited {
        Value::String(text) if text.contains(MASK) => {
            Err(CoveredValueChanged { at: at.to_owned() })
        }
        Value::Object(edited) => {
            let before = before
                .and_then(|(original, shown)| Some((original.as_object()?, shown.as_object()?)));
            map(edited, before, at).map(Value::Object)
        }
        Value::Array(items) => {
            // In a list of another length nobody knows which item is which.
            let same_length = |(original, shown): (&Value, &Value)| {
                [original, shown].iter().all(|list| {
                    list.as_array()
                        .is_some_and(|list| list.len() == items.len())
                })
            };
            let before = before.filter(|before| same_length(*before));
            let before = |index: usize| {
                before.and_then(|(original, shown)| Some((original.get(index)?, shown.get(index)?)))
            };
            let items = items
                .iter()
                .enumerate()
                .map(|(index, item)| value(item, before(index), &format!("{at}/{index}")));
            items.collect::<Result<_, _>>().map(Value::Array)
        }
        other => Ok(other.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn check(edited: Value) -> Result<Value, String> {
        let original =
            json!({"to": "ann", "key": "Bearer hunter22", "deep": {"list": ["hunter22", "b"]}});
        let shown = json!({"to": "ann", "key": "Bearer •••", "deep": {"list": ["•••", "b"]}});
        let map = |value: &Value| value.as_object().cloned().unwrap();
        put_back(&map(&edited), &map(&original), &map(&shown))
            .map(Value::Object)
            .map_err(|problem| problem.at)
    }

    #[test]
    fn what_was_covered_and_left_alone_is_sent_as_it_was() {
        let sent = check(json!({"to": "bob", "key": "Bearer •••", "deep": {"list": ["•••", "c"]}}));
        assert_eq!(
            sent,
            Ok(json!({"to": "bob", "key": "Bearer hunter22", "deep": {"list": ["hunter22", "c"]}}))
        );
    }

    #[test]
    fn a_covered_value_may_be_left_out_or_written_anew() {
        assert_eq!(
            check(json!({"key": "Bearer other"})),
            Ok(json!({"key": "Bearer other"}))
        );
        assert_eq!(check(json!({})), Ok(json!({})));
    }

    #[test]
    fn a_covered_value_that_was_changed_or_moved_is_refused() {
        assert_eq!(check(json!({"key": "Basic •••"})), Err("/key".into()));
        assert_eq!(check(json!({"to": "Bearer •••"})), Err("/to".into()));
        assert_eq!(
            check(json!({"deep": {"list": ["b", "•••"]}})),
            Err("/deep/list/1".into())
        );
        assert_eq!(check(json!({"•••": 1})), Err("/•••".into()));
        assert_eq!(
            check(json!({"deep": {"list": ["•••"]}})),
            Err("/deep/list/0".into()),
            "which of them was left out?"
        );
    }
}
