//! Every text of a tool's definition, with the place it stands at.

use protocol::ToolSpec;
use serde_json::{Map, Value};

/// What a text is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// Words about something: descriptions, titles, instructions.
    Words,
    /// A name that the server chose: of the tool, of an argument, of a gap in an address.
    Name,
    /// Anything else: examples, defaults, patterns, addresses of pictures.
    Data,
}

/// One text of a definition.
#[derive(Debug)]
pub(crate) struct Text<'a> {
    /// A JSON pointer into the definition as MCP writes it.
    pub at: String,
    pub text: &'a str,
    pub used: Use,
}

/// The deepest nesting that is read. What lies deeper no model is shown either.
const DEEPEST: usize = 64;

/// All texts of a definition.
pub(crate) fn texts(tool: &ToolSpec) -> Vec<Text<'_>> {
    let mut texts = vec![Text {
        at: "/name".to_owned(),
        text: tool.name.as_str(),
        used: Use::Name,
    }];
    for (at, text) in [("/title", &tool.title), ("/description", &tool.description)] {
        texts.extend(text.as_deref().map(|text| Text {
            at: at.to_owned(),
            text,
            used: Use::Words,
        }));
    }
    add_map("/inputSchema", &tool.input_schema, 0, &mut texts);
    for (at, map) in [
        ("/outputSchema", &tool.output_schema),
        ("/annotations", &tool.annotations),
        ("/_meta", &tool.meta),
    ] {
        if let Some(map) = map {
            add_map(at, map, 0, &mut texts);
        }
    }
    add_map("", &tool.extra, 0, &mut texts);
    texts
}

fn add_map<'a>(at: &str, map: &'a Map<String, Value>, depth: usize, texts: &mut Vec<Text<'a>>) {
    if depth > DEEPEST {
        return;
    }
    for (key, value) in map {
        let at = format!("{at}/{}", key.replace('~', "~0").replace('/', "~1"));
        // A name of several words can be a sentence.
        if key.len() > 8 {
            texts.push(Text {
                at: at.clone(),
                text: key,
                used: Use::Name,
            });
        }
        add(at, key, value, depth + 1, texts);
    }
}

fn add<'a>(at: String, key: &str, value: &'a Value, depth: usize, texts: &mut Vec<Text<'a>>) {
    match value {
        Value::String(text) if !text.is_empty() => {
            let used = match key {
                // Of an argument of a prompt; the gaps of an address.
                "name" if at.starts_with("/arguments/") => Use::Name,
                "uriTemplate" => Use::Name,
                "description"
                | "title"
                | "$comment"
                | "markdownDescription"
                | "errorMessage"
                | "deprecationMessage" => Use::Words,
                _ => Use::Data,
            };
            texts.push(Text { at, text, used });
        }
        Value::Object(map) => add_map(&at, map, depth, texts),
        Value::Array(items) if depth <= DEEPEST => {
            for (index, item) in items.iter().enumerate() {
                add(format!("{at}/{index}"), key, item, depth + 1, texts);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_text_of_a_definition_is_passed_over() {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let tool = ToolSpec {
            name: "n".into(),
            title: Some("one".into()),
            description: Some("two".into()),
            input_schema: object(
                json!({"properties": {"long/argument": {"description": "three", "enum": ["four", 5]}}}),
            ),
            output_schema: Some(object(json!({"allOf": [{"title": "five"}]}))),
            annotations: Some(object(json!({"title": "six"}))),
            meta: Some(object(json!({"x": "seven"}))),
            extra: object(json!({"icons": [{"src": "eight"}]})),
        };
        let texts = texts(&tool);
        let found = |text: &str| {
            texts
                .iter()
                .find(|found| found.text == text)
                .map(|found| found.at.as_str())
        };
        for text in [
            "one", "two", "three", "four", "five", "six", "seven", "eight",
        ] {
            assert!(found(text).is_some(), "{text}");
        }
        assert_eq!(
            found("three"),
            Some("/inputSchema/properties/long~1argument/description")
        );
        assert_eq!(found("eight"), Some("/icons/0/src"));
    }

    #[test]
    fn an_argument_of_a_prompt_is_read_as_one_of_a_tool() {
        let object = |value: Value| value.as_object().cloned().unwrap_or_default();
        let tool = ToolSpec {
            extra: object(json!({
                "arguments": [{"name": "path", "title": "Path", "description": "Of what"}],
                "uriTemplate": "note://{name}",
                "other": {"name": "data"},
            })),
            ..ToolSpec::named("sum-up")
        };
        let used: Vec<_> = texts(&tool)
            .iter()
            .map(|text| (text.text.to_owned(), text.used))
            .filter(|(text, _)| !["arguments", "description", "uriTemplate"].contains(&&**text))
            .collect();
        let is = |text: &str, used| (text.to_owned(), used);
        assert_eq!(
            used,
            [
                is("sum-up", Use::Name),
                is("path", Use::Name),
                is("Path", Use::Words),
                is("Of what", Use::Words),
                is("note://{name}", Use::Name),
                is("data", Use::Data),
            ]
        );
    }
}
