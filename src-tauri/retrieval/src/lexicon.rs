//! Words that say nothing by themselves, and words that people use for each other when they look for
//! a tool.

use crate::words::stem;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

/// Says nothing about what a tool does.
const FILLERS: &str = "a an and any are as at be but by can did do does for from had has have how i if in into is it its \
    me more my not of off on or our out so some that the their them then there these they this to too up us use used \
    using via was we were what when where which who will with you your";

/// People say one and mean the other: what programs do, and what they do it to.
const ALIKE: &[&str] = &[
    "create make new add open",
    "delete remove erase drop cancel",
    "get read fetch retrieve show see view load",
    "find search look query lookup",
    "list show enumerate",
    "send post submit",
    "update edit change modify replace",
    "save store write put",
    "start run launch begin play",
    "stop end kill pause",
    "move rename",
    "copy duplicate clone",
    "upload put",
    "download save",
    "merge combine join",
    "answer reply respond",
    "folder directory",
    "email mail message",
    "picture image photo",
    "issue bug ticket",
    "repository repo",
    "event meeting appointment",
    "route direction path",
    "bill invoice",
    "sheet spreadsheet",
    "website web page site",
    "link url address",
    "warning alert",
    "pr pull",
];

/// The stems of [`FILLERS`].
static FILLER: LazyLock<HashSet<String>> =
    LazyLock::new(|| FILLERS.split_whitespace().map(stem).collect());

/// What each stem may stand for.
static OTHERS: LazyLock<HashMap<String, Vec<String>>> = LazyLock::new(|| {
    let mut others = HashMap::<String, Vec<String>>::new();
    for group in ALIKE {
        let stems: Vec<String> = group.split_whitespace().map(stem).collect();
        for one in &stems {
            let known = others.entry(one.clone()).or_default();
            for other in stems.iter().filter(|other| *other != one) {
                if !known.contains(other) {
                    known.push(other.clone());
                }
            }
        }
    }
    others
});

/// Whether a stem says nothing by itself.
pub(crate) fn is_filler(stem: &str) -> bool {
    FILLER.contains(stem)
}

/// The stems that a stem may stand for beside itself.
pub(crate) fn others(stem: &str) -> &'static [String] {
    OTHERS.get(stem).map_or(&[], Vec::as_slice)
}
