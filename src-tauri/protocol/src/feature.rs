//! What a server offers, as things of one kind: each has a key to know it by and a definition as
//! MCP writes it.
//!
//! Always true here: a definition holds everything that the server said about the thing, unknown
//! fields included.

use crate::{Fingerprint, PromptSpec, TemplateSpec, ToolSpec};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;
use ts_rs::TS;

/// What kind of thing is offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FeatureKind {
    /// What the server says about itself: its name, its title, its instructions.
    About,
    /// A tool.
    Tool,
    /// A prompt.
    Prompt,
    /// A resource template.
    Template,
}

/// By what a thing that is offered is known. Within one server no two have the same.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
pub struct FeatureKey {
    /// What kind of thing it is.
    pub kind: FeatureKind,
    /// Its name; the address with its gaps for a template, nothing for what the server says about
    /// itself.
    pub name: String,
}

/// One thing that a server offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// By what it is known.
    pub key: FeatureKey,
    /// Everything that the server says about it, in the names of MCP.
    pub definition: Map<String, Value>,
}

impl Feature {
    /// What a server says about itself: its name, its name for people, what it tells models, and the
    /// address of its picture.
    pub fn about(
        name: &str,
        title: Option<&str>,
        instructions: Option<&str>,
        icon: Option<&str>,
    ) -> Self {
        let definition = fields([
            ("name", Some(json!(name))),
            ("title", title.map(Value::from)),
            ("instructions", instructions.map(Value::from)),
            ("icons", icon.map(|src| json!([{ "src": src }]))),
        ]);
        Self {
            key: FeatureKey {
                kind: FeatureKind::About,
                name: String::new(),
            },
            definition,
        }
    }

    /// A tool.
    pub fn tool(tool: &ToolSpec) -> Self {
        Self {
            key: FeatureKey {
                kind: FeatureKind::Tool,
                name: tool.name.as_str().to_owned(),
            },
            definition: tool.definition(),
        }
    }

    /// A prompt.
    pub fn prompt(prompt: &PromptSpec) -> Self {
        let named = [
            ("name", Some(json!(prompt.name))),
            ("title", prompt.title.clone().map(Value::from)),
            ("description", prompt.description.clone().map(Value::from)),
            (
                "arguments",
                (!prompt.arguments.is_empty()).then(|| json!(prompt.arguments)),
            ),
        ];
        Self {
            key: FeatureKey {
                kind: FeatureKind::Prompt,
                name: prompt.name.clone(),
            },
            definition: with(prompt.extra.clone(), named),
        }
    }

    /// A resource template.
    pub fn template(template: &TemplateSpec) -> Self {
        let named = [
            ("uriTemplate", Some(json!(template.uri_template))),
            ("name", Some(json!(template.name))),
            ("title", template.title.clone().map(Value::from)),
            ("description", template.description.clone().map(Value::from)),
            ("mimeType", template.mime_type.clone().map(Value::from)),
        ];
        let key = FeatureKey {
            kind: FeatureKind::Template,
            name: template.uri_template.clone(),
        };
        Self {
            key,
            definition: with(template.extra.clone(), named),
        }
    }

    /// The fingerprint of the definition.
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint::of_definition(&self.definition)
    }
}

impl fmt::Display for FeatureKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FeatureKind::About => f.write_str("about"),
            FeatureKind::Tool => write!(f, "tool {}", self.name),
            FeatureKind::Prompt => write!(f, "prompt {}", self.name),
            FeatureKind::Template => write!(f, "template {}", self.name),
        }
    }
}

pub(crate) fn fields<const N: usize>(named: [(&str, Option<Value>); N]) -> Map<String, Value> {
    with(Map::new(), named)
}

/// A definition of the fields that have a name here and of all others.
pub(crate) fn with<const N: usize>(
    mut extra: Map<String, Value>,
    named: [(&str, Option<Value>); N],
) -> Map<String, Value> {
    extra.extend(
        named
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value?))),
    );
    extra
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_in_the_names_of_mcp_and_holds_every_field() {
        let tool = ToolSpec {
            description: Some("Reads".into()),
            input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
            meta: Some(Map::new()),
            extra: Map::from_iter([("icons".to_owned(), json!([]))]),
            ..ToolSpec::named("read")
        };
        let feature = Feature::tool(&tool);
        assert_eq!(
            Value::Object(feature.definition.clone()),
            json!({"name": "read", "description": "Reads", "inputSchema": {"type": "object"}, "_meta": {}, "icons": []})
        );
        assert_eq!(feature.fingerprint(), tool.fingerprint());
        assert_eq!(feature.key.to_string(), "tool read");
        assert_eq!(
            Value::Object(Feature::about("x", None, Some("Be kind"), None).definition),
            json!({"name": "x", "instructions": "Be kind"})
        );
    }
}
