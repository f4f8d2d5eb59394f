//! What the built-in servers share: definitions, arguments and results.

use rmcp::ErrorData;
use rmcp::model::{
    CallToolResponse, CallToolResult, ContentBlock, Implementation, JsonObject, ServerCapabilities,
    ServerConfig, Tool, ToolAnnotations,
};
use serde_json::Value;
use std::sync::Arc;

/// A definition with both schemas.
pub(crate) fn tool(
    name: &'static str,
    title: &str,
    description: &'static str,
    input: Value,
    output: Value,
    hints: ToolAnnotations,
) -> Tool {
    let mut tool = Tool::new(name, description, object(input))
        .with_raw_output_schema(object(output))
        .with_annotations(hints);
    tool.title = Some(title.to_owned());
    tool
}

/// What a server says about itself.
pub(crate) fn about(name: &str, title: &str, instructions: &str) -> ServerConfig {
    let mut about = ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
        .with_instructions(instructions);
    about.server_info = Implementation::new(name, env!("CARGO_PKG_VERSION")).with_title(title);
    about
}

/// A text argument.
pub(crate) fn text<'a>(arguments: &'a JsonObject, name: &str) -> Result<&'a str, ErrorData> {
    arguments
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| ErrorData::invalid_params(format!("{name} must be a text"), None))
}

/// A result with structured content, and the same as a sentence.
pub(crate) fn done(sentence: String, structured: Value) -> CallToolResponse {
    let mut result = CallToolResult::structured(structured);
    result.content = vec![ContentBlock::text(sentence)];
    result.into()
}

/// The tool ran and could not do what was asked.
pub(crate) fn failed(sentence: String) -> CallToolResponse {
    CallToolResult::error(vec![ContentBlock::text(sentence)]).into()
}

/// There is no such tool.
pub(crate) fn unknown(name: &str) -> ErrorData {
    ErrorData::invalid_params(format!("there is no tool called {name}"), None)
}

fn object(value: Value) -> Arc<JsonObject> {
    Arc::new(match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    })
}
