//! The sentences that the terminal shares with the windows: the window's English catalogue, built
//! into the program.
//!
//! Always true here: what is not in the catalogue is not made up; what stands in braces in a text is
//! a parameter, and one that is not given stays as it stands.

use serde::Serialize;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::LazyLock;

static CATALOGUE: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    // A test says that it can be read.
    serde_json::from_str(include_str!("../../../ui/src/messages/en.json")).unwrap_or_default()
});

/// A text of the catalogue; its name where there is none.
pub(crate) fn m(key: &str, parameters: &[(&str, &str)]) -> String {
    text(key, parameters).unwrap_or_else(|| key.to_owned())
}

/// A text of a family (`outcome`, `error`, …) by a name that only the host knows; `None` if there
/// is none.
pub(crate) fn maybe(
    family: &str,
    name: &str,
    part: Option<&str>,
    parameters: &[(&str, &str)],
) -> Option<String> {
    let key: Vec<&str> = [family, name, part.unwrap_or_default()]
        .into_iter()
        .filter(|piece| !piece.is_empty())
        .collect();
    text(&key.join("."), parameters)
}

/// A text that depends on a number, which it can show as `{n}`.
pub(crate) fn plural(key: &str, n: u32) -> String {
    let form = if n == 1 { "one" } else { "other" };
    m(&format!("{key}_{form}"), &[("n", &n.to_string())])
}

/// A word of the product, and what it means.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Term {
    /// The word.
    pub(crate) term: String,
    /// What it means, in a sentence or two.
    pub(crate) means: String,
}

/// All words that the product explains, by their alphabet.
pub(crate) fn glossary() -> Vec<Term> {
    let term = |key: &String| {
        let id = key.strip_prefix("glossary.")?.strip_suffix(".term")?;
        let means = maybe("glossary", id, Some("means"), &[])?;
        let term = m(key, &[]);
        Some(Term { term, means })
    };
    let mut all: Vec<Term> = CATALOGUE.keys().filter_map(term).collect();
    all.sort_by_key(|term| term.term.to_lowercase());
    all
}

/// The name of a variant of the interface, as its JSON has it: `log_not_intact`.
pub(crate) fn name(of: &impl serde::Serialize) -> String {
    match serde_json::to_value(of) {
        Ok(Value::String(name)) => name,
        Ok(Value::Object(fields)) => match fields.get("kind") {
            Some(Value::String(name)) => name.clone(),
            _ => String::new(),
        },
        _ => String::new(),
    }
}

fn text(key: &str, parameters: &[(&str, &str)]) -> Option<String> {
    CATALOGUE.get(key).map(|text| fill(text, parameters))
}

/// Puts each parameter in place at once, so that what a parameter says is never filled itself.
fn fill(text: &str, parameters: &[(&str, &str)]) -> String {
    let mut filled = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        let given = after.split_once('}').and_then(|(name, after)| {
            let value = parameters.iter().find(|(given, _)| *given == name)?.1;
            Some((value, after))
        });
        match given {
            Some((value, after)) => {
                filled.push_str(value);
                rest = after;
            }
            None => {
                filled.push('{');
                rest = after;
            }
        }
    }
    filled + rest
}

#[cfg(test)]
mod tests {
    use super::{CATALOGUE, fill, m, maybe, name};
    use host::ErrorCode;

    #[test]
    fn the_catalogue_can_be_read() {
        assert!(CATALOGUE.len() > 1000);
    }

    #[test]
    fn a_parameter_is_filled_in_once() {
        let text = fill(
            "{who} and {what}, {other} {",
            &[("who", "{what}"), ("what", "W")],
        );
        assert_eq!(text, "{what} and W, {other} {");
    }

    #[test]
    fn a_family_is_asked_by_names_of_the_host() {
        assert!(maybe("error", "server_off", Some("next"), &[]).is_some());
        assert!(maybe("error", "no_such_code", Some("next"), &[]).is_none());
        assert_eq!(m("no.such.key", &[]), "no.such.key");
    }

    #[test]
    fn every_error_has_a_next_step() {
        let codes: Vec<&str> = CATALOGUE
            .keys()
            .filter_map(|key| key.strip_prefix("error.")?.strip_suffix(".title"))
            .collect();
        assert!(codes.len() > 80, "{codes:?}");
        for code in codes {
            let known: ErrorCode = serde_json::from_value(code.into()).unwrap();
            assert_eq!(name(&known), code);
            assert!(maybe("error", code, Some("next"), &[]).is_some(), "{code}");
        }
    }
}
