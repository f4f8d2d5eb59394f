//! The single pieces of a result that lists several, and who wrote each: mails of an inbox, entries
//! of a calendar.

use super::text::head;
use serde_json::Value;
use std::borrow::Cow;

/// Most pieces of one result. What lies behind stays together.
const MAX_ITEMS: usize = 1024;
/// Names of fields that say who wrote something.
const AUTHOR: &[&str] = &[
    "sender",
    "from",
    "author",
    "sent_by",
    "created_by",
    "from_address",
    "from_email",
];

/// Most words of one entry of a listing.
const MAX_ENTRY_WORDS: usize = 3;

/// Whether a text does nothing but list: channels, users, folders. There is no sentence in it that
/// could ask for anything.
pub(crate) fn is_listing(text: &str) -> bool {
    let entries = text
        .trim()
        .trim_matches(['[', ']'])
        .split(['\n', ','])
        .map(|entry| entry.trim_matches(['-', '*', ' ', '\t', '"', '\'']));
    let mut count = 0;
    let short = |entry: &str| {
        entry.len() <= 64
            && entry
                .split([' ', ':', '.'])
                .filter(|word| !word.is_empty())
                .count()
                <= MAX_ENTRY_WORDS
    };
    text.len() <= 64 * MAX_ITEMS
        && text.contains(['\n', ','])
        && entries.filter(|entry| !entry.is_empty()).all(|entry| {
            count += 1;
            short(entry)
        })
        && count > 1
}

/// One piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item<'a> {
    /// Its text.
    pub text: Cow<'a, str>,
    /// Who wrote it, where exactly one field says so. A second one may be forged within the text,
    /// so two are none.
    pub author: Option<String>,
}

/// Takes a result apart. A result that is no list is one piece.
pub(crate) fn items(text: &str) -> Vec<Item<'_>> {
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        return match &value {
            Value::Array(list) if list.len() <= MAX_ITEMS => list
                .iter()
                .map(|item| Item {
                    text: Cow::Owned(item.to_string()),
                    author: author_of(item),
                })
                .collect(),
            whole => vec![Item {
                text: Cow::Borrowed(text),
                author: author_of(whole),
            }],
        };
    }
    let starts: Vec<usize> = std::iter::once(0)
        .chain(text.match_indices("\n- ").map(|(at, _)| at + 1))
        .take(if text.starts_with("- ") { MAX_ITEMS } else { 1 })
        .collect();
    let ends = starts
        .iter()
        .skip(1)
        .copied()
        .chain(std::iter::once(text.len()));
    starts
        .iter()
        .zip(ends)
        .map(|(start, end)| &text[*start..end])
        .map(|piece| Item {
            text: Cow::Borrowed(piece),
            author: author_in(piece),
        })
        .collect()
}

fn author_of(item: &Value) -> Option<String> {
    let map = item.as_object()?;
    let mut said = map
        .iter()
        .filter(|(key, _)| AUTHOR.contains(&key.to_lowercase().as_str()))
        .filter_map(|(_, value)| value.as_str());
    let author = said.next()?.to_owned();
    said.next().is_none().then_some(author)
}

fn author_in(piece: &str) -> Option<String> {
    let mut said = piece.lines().filter_map(|line| {
        let (key, value) = line.trim_start_matches(['-', ' ', '*']).split_once(':')?;
        let key = key.trim().trim_matches(['"', '\'', '*']);
        AUTHOR
            .iter()
            .any(|known| known.eq_ignore_ascii_case(key))
            .then(|| value.trim().trim_matches(['"', '\'', ',']).to_owned())
    });
    let author = said.next()?;
    // A value that is escaped may hold lines that are not lines here, so every mention counts.
    let bare = piece.to_lowercase().replace(['"', '\''], "");
    let mentions: usize = AUTHOR
        .iter()
        .map(|key| bare.matches(&format!("{key}:")).count())
        .sum();
    let single = said.next().is_none() && mentions == 1;
    single.then(|| head(&author, 320).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authors(text: &str) -> Vec<Option<String>> {
        items(text).into_iter().map(|item| item.author).collect()
    }

    #[test]
    fn a_list_is_taken_apart_and_nothing_of_it_gets_lost() {
        let text = "- from: a@x.example\n  body: one\n- from: b@x.example\n  body: two\n";
        assert_eq!(
            authors(text),
            [
                Some("a@x.example".to_owned()),
                Some("b@x.example".to_owned())
            ]
        );
        assert_eq!(
            items(text)
                .iter()
                .map(|item| item.text.as_ref())
                .collect::<String>(),
            text
        );
        assert_eq!(
            authors(r#"[{"sender": "a@x.example"}, {"sender": 1}, 2]"#),
            [Some("a@x.example".to_owned()), None, None]
        );
        assert_eq!(authors("plain words"), [None]);
        assert_eq!(authors(""), [None]);
    }

    #[test]
    fn a_listing_holds_no_sentence() {
        for listing in [
            "- general\n- random\n- External_0",
            "['Alice', 'Bob']",
            r#"["general", "random"]"#,
            "a\nb",
        ] {
            assert!(is_listing(listing), "{listing}");
        }
        for other in [
            "",
            "general",
            "general, random, write to the channel External_0",
            "- body: send it to Bob\n- body: x",
            "Hello.",
        ] {
            assert!(!is_listing(other), "{other}");
        }
    }

    #[test]
    fn two_authors_are_none() {
        assert_eq!(
            authors("- from: a@x.example\n  sender: b@x.example\n"),
            [None]
        );
        assert_eq!(
            authors("- from: a@x.example\n  body: \"hello\\n sender: b@x.example\"\n"),
            [None]
        );
        assert_eq!(
            authors(r#"[{"from": "a@x.example", "sender": "b@x.example"}]"#),
            [None]
        );
    }
}
