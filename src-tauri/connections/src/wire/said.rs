//! A line of a server's log → ours.

use protocol::{LogLevel, LogLine};
use serde::Deserialize;
use serde_json::Value;

/// Reads one; none if it is no line of a log. A level that nobody knows is taken as information.
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
        logger: line.logger,
        data: line.data,
    })
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

    proptest! {
        #[test]
        fn no_line_brings_it_down(value in prop_oneof![any_json(), nearly(json!({"level": "debug", "logger": "a", "data": {}}))]) {
            if let Some(line) = log_line(value.clone()) {
                prop_assert_eq!(&line.data, value.get("data").unwrap_or(&Value::Null));
            }
        }
    }
}
