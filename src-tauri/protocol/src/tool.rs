//! What a server says about one of its tools. All of it is the server's claim.

use crate::feature::with;
use crate::{Fingerprint, ToolName};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use ts_rs::TS;

/// A tool's definition as its server listed it (MCP `Tool`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolSpec {
    /// The name to call it by.
    pub name: ToolName,
    /// A name for people.
    pub title: Option<String>,
    /// What it does, in the server's words.
    pub description: Option<String>,
    /// JSON Schema of the arguments.
    #[ts(type = "Record<string, unknown>")]
    pub input_schema: Map<String, Value>,
    /// JSON Schema of the structured result, if it has one.
    #[ts(type = "Record<string, unknown> | null")]
    pub output_schema: Option<Map<String, Value>>,
    /// Hints such as `readOnlyHint`. They grant nothing.
    #[ts(type = "Record<string, unknown> | null")]
    pub annotations: Option<Map<String, Value>>,
    /// The server's own extra fields (`_meta`).
    #[ts(type = "Record<string, unknown> | null")]
    pub meta: Option<Map<String, Value>>,
    /// Every field that is not named above (`icons`, `execution`, and what nobody knows yet), as it
    /// came.
    #[ts(type = "Record<string, unknown>")]
    #[serde(default)]
    pub extra: Map<String, Value>,
}

impl ToolSpec {
    /// A tool of this name that says nothing else of itself, not even which arguments it takes.
    pub fn named(name: impl Into<ToolName>) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: None,
            input_schema: Map::new(),
            output_schema: None,
            annotations: None,
            meta: None,
            extra: Map::new(),
        }
    }
}

/// A part of a definition, for saying what changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ToolPart {
    /// `name`
    Name,
    /// `title`
    Title,
    /// `description`
    Description,
    /// `inputSchema`
    InputSchema,
    /// `outputSchema`
    OutputSchema,
    /// `annotations`
    Annotations,
    /// `_meta`
    Meta,
    /// A field beside these.
    Extra,
}

impl ToolSpec {
    /// Everything that the server said, in the names of MCP.
    pub fn definition(&self) -> Map<String, Value> {
        self.clone().into_definition()
    }

    /// The same of one that is not needed any more.
    pub fn into_definition(self) -> Map<String, Value> {
        let Self {
            name,
            title,
            description,
            input_schema,
            output_schema,
            annotations,
            meta,
            extra,
        } = self;
        with(
            extra,
            [
                ("name", Some(json!(name))),
                ("title", title.map(Value::from)),
                ("description", description.map(Value::from)),
                ("inputSchema", Some(Value::Object(input_schema))),
                ("outputSchema", output_schema.map(Value::Object)),
                ("annotations", annotations.map(Value::Object)),
                ("_meta", meta.map(Value::Object)),
            ],
        )
    }

    /// The fingerprint of the whole definition: every part in [`ToolPart`].
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_definition(&self.definition())
    }

    /// The parts in which `now` differs from this definition.
    pub fn changes_to(&self, now: &Self) -> Vec<ToolPart> {
        let differs = [
            (ToolPart::Name, self.name != now.name),
            (ToolPart::Title, self.title != now.title),
            (ToolPart::Description, self.description != now.description),
            (ToolPart::InputSchema, self.input_schema != now.input_schema),
            (
                ToolPart::OutputSchema,
                self.output_schema != now.output_schema,
            ),
            (ToolPart::Annotations, self.annotations != now.annotations),
            (ToolPart::Meta, self.meta != now.meta),
            (ToolPart::Extra, self.extra != now.extra),
        ];
        differs
            .into_iter()
            .filter_map(|(part, changed)| changed.then_some(part))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool() -> ToolSpec {
        ToolSpec {
            description: Some("Reads a file".into()),
            ..ToolSpec::named("read")
        }
    }

    #[test]
    fn every_part_of_a_definition_counts_for_its_fingerprint() {
        let map = || Map::from_iter([("x".to_owned(), Value::from(1))]);
        let changed = [
            (
                ToolPart::Name,
                ToolSpec {
                    name: "reаd".into(),
                    ..tool()
                },
            ),
            (
                ToolPart::Title,
                ToolSpec {
                    title: Some(String::new()),
                    ..tool()
                },
            ),
            (
                ToolPart::Description,
                ToolSpec {
                    description: Some("Reads a file ".into()),
                    ..tool()
                },
            ),
            (
                ToolPart::InputSchema,
                ToolSpec {
                    input_schema: map(),
                    ..tool()
                },
            ),
            (
                ToolPart::OutputSchema,
                ToolSpec {
                    output_schema: Some(Map::new()),
                    ..tool()
                },
            ),
            (
                ToolPart::Annotations,
                ToolSpec {
                    annotations: Some(map()),
                    ..tool()
                },
            ),
            (
                ToolPart::Meta,
                ToolSpec {
                    meta: Some(map()),
                    ..tool()
                },
            ),
            (
                ToolPart::Extra,
                ToolSpec {
                    extra: map(),
                    ..tool()
                },
            ),
        ];
        for (part, other) in changed {
            assert_ne!(tool().fingerprint(), other.fingerprint(), "{part:?}");
            assert_eq!(tool().changes_to(&other), [part]);
        }
        assert!(tool().changes_to(&tool()).is_empty());
    }
}
