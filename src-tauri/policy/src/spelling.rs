//! The ways in which programs may spell out a text before they look for paths and hosts in it.
//!
//! Always true here: the text itself is the first; all of them together are bounded in number, and
//! each is no longer than the text.

use serde_json::Value;
use std::borrow::Cow;

/// So many spellings of one text are looked at.
const MOST: usize = 2048;
/// So often a text is taken out of another one.
const DEPTH: usize = 3;

/// A text as it stands, without `%` escapes, without the marks of a shell, and the texts in it if
/// it is JSON. None if there are more than anybody needs.
pub(crate) fn spellings(text: &str) -> Option<Vec<Cow<'_, str>>> {
    let mut found = vec![Cow::Borrowed(text)];
    let mut from = 0;
    for _ in 0..DEPTH {
        let to = found.len();
        for at in from..to {
            let mut more = others(&found[at]);
            more.retain(|one| found.iter().all(|known| known != one));
            found.extend(more.into_iter().map(Cow::Owned));
            if found.len() > MOST {
                return None;
            }
        }
        from = to;
    }
    Some(found)
}

fn others(text: &str) -> Vec<String> {
    let mut others = Vec::new();
    if text.contains('%') {
        others.push(unescaped(text));
    }
    if text.contains(['\\', '\'', '"', '^']) {
        others.push(
            text.chars()
                .filter(|c| !matches!(c, '\\' | '\'' | '"' | '^'))
                .collect(),
        );
    }
    if text.trim_start().starts_with(['{', '[', '"'])
        && let Ok(value) = serde_json::from_str(text)
    {
        texts_in(value, &mut others);
    }
    others
}

/// The texts in a value, the names of its parts included.
fn texts_in(value: Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.push(text),
        Value::Array(items) => items.into_iter().for_each(|item| texts_in(item, texts)),
        Value::Object(fields) => fields.into_iter().for_each(|(name, field)| {
            texts.push(name);
            texts_in(field, texts);
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// A text without `%` escapes, read once. What is no escape stays; what is no UTF-8 is replaced.
pub(crate) fn unescaped(text: &str) -> String {
    let bytes = text.as_bytes();
    let digit = |at: usize| {
        let digit = char::from(*bytes.get(at)?).to_digit(16)?;
        u8::try_from(digit).ok()
    };
    let (mut plain, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                plain.push(high << 4 | low);
                at += 3;
            }
            _ => {
                plain.push(*byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&plain).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_marks_and_json_are_spelled_out() {
        let all = |text| spellings(text).unwrap();
        assert_eq!(all("plain"), ["plain"]);
        assert!(all("x%2Fy").iter().any(|one| one == "x/y"));
        assert!(all("x%252Fy").iter().any(|one| one == "x/y"));
        assert!(all(r"/e\t''c").iter().any(|one| one == "/etc"));
        let nested = r#"{"a": "{\"b\": [\"\\/etc\"]}"}"#;
        assert!(
            all(nested).iter().any(|one| one == "/etc"),
            "{:?}",
            all(nested)
        );
    }

    #[test]
    fn more_than_anybody_needs_is_said_to_be_too_much() {
        let many: Vec<usize> = (0..5000).collect();
        let texts: Vec<String> = many.iter().map(usize::to_string).collect();
        assert_eq!(spellings(&serde_json::to_string(&texts).unwrap()), None);
        assert!(spellings(&serde_json::to_string(&many).unwrap()).is_some());
    }
}
