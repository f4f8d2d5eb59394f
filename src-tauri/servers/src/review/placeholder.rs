//! Values that stand for another one. They are recognised and never filled in: `${TOKEN}` stays the
//! text `${TOKEN}`.

/// Whether a text holds a place that is still to be filled in: `${NAME}`, `{env:NAME}` or
/// `{{NAME}}` anywhere, or nothing else than one.
pub(crate) fn holds_placeholder(text: &str) -> bool {
    is_placeholder(text) || PAIRS.iter().any(|(open, close)| between(text, open, close))
}

/// Whether a value is nothing but a placeholder, behind `Bearer` or not; also `$NAME`, `%NAME%` and
/// `<NAME>`. Such a value is no secret, it only names one. A value that holds more may be one.
pub(crate) fn is_placeholder(text: &str) -> bool {
    let text = text.trim();
    let bare = ["Bearer ", "bearer ", "Basic ", "token "]
        .iter()
        .find_map(|word| text.strip_prefix(word))
        .unwrap_or(text)
        .trim();
    let whole = |(open, close): &(&str, &str)| {
        let inner = bare
            .strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(['{', '}']))
    };
    PAIRS.iter().any(whole) || names_one(bare)
}

/// What stands around the name of another value.
const PAIRS: [(&str, &str); 3] = [("${", "}"), ("{env:", "}"), ("{{", "}}")];

fn between(text: &str, open: &str, close: &str) -> bool {
    text.split_once(open)
        .is_some_and(|(_, rest)| rest.find(close).is_some_and(|end| end > 0))
}

fn names_one(text: &str) -> bool {
    let name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let within = |open: char, close: char| {
        text.strip_prefix(open)
            .and_then(|rest| rest.strip_suffix(close))
    };
    text.strip_prefix('$')
        .or_else(|| text.strip_prefix("$env:"))
        .is_some_and(name)
        || within('%', '%').is_some_and(name)
        || within('<', '>').is_some_and(|inner| name(&inner.replace([' ', '-'], "_")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_stands_for_another_is_recognised() {
        for text in [
            "${TOKEN}",
            "$TOKEN",
            "%TOKEN%",
            "{env:TOKEN}",
            "{{TOKEN}}",
            "${input:key}",
            "Bearer ${TOKEN}",
            "<your-api-key>",
        ] {
            assert!(is_placeholder(text) && holds_placeholder(text), "{text}");
        }
    }

    #[test]
    fn a_value_that_holds_more_than_a_placeholder_may_be_a_secret_all_the_same() {
        for text in [
            "hunter22${B}",
            "${A}hunter22${B}",
            "{{A}}:hunter22",
            "Bearer 0123456789{env:X}",
        ] {
            assert!(!is_placeholder(text) && holds_placeholder(text), "{text}");
        }
    }

    #[test]
    fn an_ordinary_value_is_not() {
        for text in [
            "",
            "debug",
            "$",
            "$5",
            "100%",
            "{}",
            "${}",
            "a < b",
            "{\"a\": {}}",
            "Bearer 0123456789",
            "costs $TEN a day",
        ] {
            assert!(!is_placeholder(text) && !holds_placeholder(text), "{text}");
        }
    }
}
