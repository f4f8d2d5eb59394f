//! Forms that servers ask people to fill in: flat objects of strings, numbers, booleans and choices.

use serde_json::{Map, Value};

/// The values that a form has before anyone touches it: its defaults. Fields without one are left out.
pub(crate) fn defaults(schema: &Map<String, Value>) -> Map<String, Value> {
    let fields = schema.get("properties").and_then(Value::as_object);
    fields.into_iter().flatten().filter_map(|(name, field)| field.get("default").map(|default| (name.clone(), default.clone()))).collect()
}

/// Fields under which a server might collect what it must never ask for.
pub(crate) fn asks_for_secret(schema: &Map<String, Value>) -> Option<String> {
    const WORDS: [&str; 10] = ["password", "passwd", "passphrase", "secret", "token", "api_key", "apikey", "api key", "card number", "cvv"];
    let fields = schema.get("properties").and_then(Value::as_object)?;
    fields.iter().find_map(|(name, field)| {
        let text = |key: &str| field.get(key).and_then(Value::as_str).unwrap_or_default().to_lowercase();
        let said = format!("{} {} {}", name.to_lowercase(), text("title"), text("format"));
        WORDS.iter().any(|word| said.contains(word)).then(|| name.clone())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn map(value: Value) -> Map<String, Value> {
        value.as_object().cloned().unwrap()
    }

    #[test]
    fn defaults_are_taken_from_the_schema_only() {
        let schema = map(json!({"properties": {"approve": {"type": "boolean", "default": true}, "note": {"type": "string"}}}));
        assert_eq!(defaults(&schema), map(json!({"approve": true})));
        assert_eq!(defaults(&Map::new()), Map::new());
    }

    #[test]
    fn a_form_for_a_secret_is_recognised() {
        assert_eq!(asks_for_secret(&map(json!({"properties": {"pw": {"title": "Your Password"}}}))), Some("pw".into()));
        assert_eq!(asks_for_secret(&map(json!({"properties": {"note": {"title": "Note"}}}))), None);
    }
}
