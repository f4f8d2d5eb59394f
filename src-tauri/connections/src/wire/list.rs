//! One page of any list.

use serde_json::{Map, Value};
use std::time::Duration;

/// One page: what is on it, and where the next one begins.
#[derive(Debug, PartialEq)]
pub(crate) struct Page {
    pub(crate) items: Vec<Value>,
    pub(crate) next: Option<String>,
    /// How long it may be taken as current (2026-07-28); none if that is not said.
    pub(crate) fresh_for: Option<Duration>,
}

impl Page {
    /// Reads one. `key` is where the items stand.
    pub(crate) fn read(result: Value, key: &str) -> Result<Self, serde_json::Error> {
        let mut result: Map<String, Value> = serde_json::from_value(result)?;
        let items = result
            .remove(key)
            .ok_or_else(|| serde::de::Error::custom(format!("there is no {key} in it")))?;
        let fresh_for = result
            .get("ttlMs")
            .and_then(Value::as_u64)
            .filter(|ttl| *ttl > 0)
            .map(Duration::from_millis);
        Ok(Self {
            items: serde_json::from_value(items)?,
            next: serde_json::from_value(result.remove("nextCursor").unwrap_or_default())?,
            fresh_for,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_place_may_be_empty_and_a_page_that_says_none_is_the_last() {
        let next = |page: Value| Page::read(page, "tools").map(|page| page.next).unwrap();
        assert_eq!(
            next(json!({"tools": [], "nextCursor": ""})),
            Some(String::new())
        );
        assert_eq!(next(json!({"tools": [], "nextCursor": null})), None);
        assert_eq!(next(json!({"tools": []})), None);
        assert!(
            Page::read(json!({"prompts": []}), "tools").is_err(),
            "another list is none"
        );
        assert!(
            Page::read(json!({"tools": [], "nextCursor": 7}), "tools").is_err(),
            "a place is a text"
        );
    }

    #[test]
    fn a_page_is_fresh_only_for_a_time_that_is_one() {
        let fresh = |ttl: Value| {
            Page::read(json!({"tools": [], "ttlMs": ttl}), "tools")
                .unwrap()
                .fresh_for
        };
        assert_eq!(fresh(json!(250)), Some(Duration::from_millis(250)));
        assert!(
            [json!(0), json!(-1), json!("long"), json!(null), json!(1.5)]
                .into_iter()
                .all(|ttl| fresh(ttl).is_none())
        );
    }

    proptest! {
        #[test]
        fn no_page_brings_it_down_and_none_of_its_entries_is_lost(
            value in prop_oneof![any_json(), nearly(json!({"tools": [1, {}], "nextCursor": "a", "ttlMs": 1}))],
        ) {
            if let Ok(page) = Page::read(value.clone(), "tools") {
                prop_assert_eq!(Some(&page.items), value["tools"].as_array());
                prop_assert!(page.fresh_for.is_none_or(|time| !time.is_zero()));
            }
        }
    }
}
