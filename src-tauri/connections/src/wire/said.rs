//! A line of a server's log → ours.

use protocol::{LogLevel, LogLine, weight_of};
use serde::Deserialize;
use serde_json::Value;

/// What is kept of the name of a logger, and of what a line says, in bytes.
const LONGEST_LOGGER: usize = 256;
const LONGEST: usize = 16 * 1024;

/// Reads one; none if it is no line of a log. A level that nobody knows is taken as information. Of
/// what is too long the beginning is kept, as a text.
pub(crate) fn log_line(params: Value) -> Option<LogLine> {
    #[derive(Deserialize)]
    struct Line {
        level: Value,
        logger: Option<String>,
        #[serde(default)]
        data: Value,
    }
    let line: Line = super::object(params).ok()?;
    Some(LogLine {
        level: serde_json::from_value(line.level).unwrap_or(LogLevel::Info),
        logger: line.logger.map(|logger| beginning(logger, LONGEST_LOGGER)),
        data: bounded(line.data),
    })
}

fn bounded(data: Value) -> Value {
    if weight_of(&data) <= LONGEST {
        return data;
    }
    let text = match data {
        Value::String(text) => text,
        other => other.to_string(),
    };
    Value::String(beginning(text, LONGEST))
}

fn beginning(text: String, longest: usize) -> String {
    if text.len() <= longest {
        return text;
    }
    format!("{}…", &text[..text.floor_char_boundary(longest)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::anything::{json as any_json, nearly};
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn a_gravity_that_nobody_knows_is_taken_as_information_and_a_line_without_one_is_none() {
        let level = |params: Value| log_line(params).map(|line| line.level);
        assert_eq!(
            level(json!({"level": "emergency"})),
            Some(LogLevel::Emergency)
        );
        assert_eq!(
            level(json!({"level": "shouting", "data": 1})),
            Some(LogLevel::Info)
        );
        assert_eq!(level(json!({"data": "a"})), None);
    }

    #[test]
    fn of_a_line_that_is_too_long_the_beginning_is_kept() {
        let data = |data: Value| {
            log_line(json!({"level": "info", "data": data}))
                .unwrap()
                .data
        };
        let text = data(Value::from("é".repeat(LONGEST)));
        let text = text.as_str().unwrap();
        assert!(text.len() <= LONGEST + "…".len() && text.ends_with("é…"));
        let values = data(Value::from(vec![0; LONGEST]));
        assert!(values.as_str().unwrap().starts_with("[0,0,"));
        assert_eq!(data(json!({"a": [1]})), json!({"a": [1]}));
        let line = json!({"level": "info", "logger": "x".repeat(1_000)});
        let logger = log_line(line).unwrap().logger.unwrap();
        assert_eq!(logger.chars().count(), LONGEST_LOGGER + 1);
    }

    proptest! {
        #[test]
        fn no_line_brings_it_down(value in prop_oneof![any_json(), nearly(json!({"level": "debug", "logger": "a", "data": {}}))]) {
            if let Some(line) = log_line(value.clone()) {
                prop_assert_eq!(&line.data, value.get("data").unwrap_or(&Value::Null));
            }
        }
    }
}
