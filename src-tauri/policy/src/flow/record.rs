//! The messages of a recorded conversation, whichever common shape they have.
//!
//! Always true here: only a text block of a message with the role `user` is the person's; a tool's
//! answer that stands in such a message, as Anthropic's API has it, is the tool's. What has no
//! known shape is an error or a tool's words, never the person's.

use super::conversation::Proposed;
use crate::ToolFlags;
use serde_json::{Map, Value};

/// Most calls of one message.
const MAX_CALLS: usize = 1024;

/// A call as it was recorded.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    id: Option<String>,
    tool: String,
    arguments: Map<String, Value>,
}

/// What a message says. One may hold several: answers of tools, then words.
#[derive(Debug)]
pub(crate) enum Said {
    /// The person's words.
    Person(String),
    /// The host's words.
    Host(String),
    /// The model's words, which name nothing, with the calls that it wants.
    Model(Vec<Call>),
    /// The answer of a tool.
    Result {
        /// Which call it answers, where that is recorded.
        id: Option<String>,
        /// The call itself, where it is recorded beside its answer.
        call: Option<Call>,
        /// All of its texts.
        text: String,
    },
}

/// Reads a message.
pub(crate) fn said(message: &Value) -> Result<Vec<Said>, &'static str> {
    let role = message
        .get("role")
        .and_then(Value::as_str)
        .ok_or("it has no role")?;
    let content = message.get("content");
    match role {
        "system" | "developer" => Ok(vec![Said::Host(words(content))]),
        "user" => Ok(of_user(content)),
        "assistant" => Ok(vec![Said::Model(calls(message)?)]),
        "tool" | "function" => {
            let beside = message
                .get("tool_call")
                .filter(|call| call.is_object())
                .map(call)
                .transpose()?;
            Ok(vec![Said::Result {
                id: id_of(message, "tool_call_id"),
                call: beside,
                text: everything(content),
            }])
        }
        _ => Err("its role is none of system, developer, user, assistant, tool, function"),
    }
}

impl Call {
    /// As flow looks at it.
    pub fn proposed(&self) -> Proposed<'_> {
        Proposed {
            server: None,
            tool: &self.tool,
            known: None,
            mark: ToolFlags::default(),
            arguments: &self.arguments,
        }
    }

    /// By which its answer names it, where that is recorded.
    pub fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }
}

fn of_user(content: Option<&Value>) -> Vec<Said> {
    let Some(Value::Array(blocks)) = content else {
        return vec![Said::Person(words(content))];
    };
    let mut said = Vec::new();
    let mut own: Vec<String> = Vec::new();
    for block in blocks {
        match block.get("type").and_then(Value::as_str) {
            Some("tool_result") => {
                said.push(Said::Result {
                    id: id_of(block, "tool_use_id"),
                    call: None,
                    text: everything(block.get("content")),
                });
            }
            _ => own.extend(text_of(block).map(str::to_owned)),
        }
    }
    if !own.is_empty() {
        said.push(Said::Person(own.join("\n")));
    }
    said
}

fn calls(message: &Value) -> Result<Vec<Call>, &'static str> {
    let listed = match message.get("tool_calls") {
        None | Some(Value::Null) => &[],
        Some(Value::Array(list)) => list.as_slice(),
        Some(_) => return Err("its tool calls are no list"),
    };
    let blocks = message
        .get("content")
        .and_then(Value::as_array)
        .map(Vec::as_slice)
        .unwrap_or_default();
    let uses = blocks
        .iter()
        .filter(|block| block.get("type").and_then(Value::as_str) == Some("tool_use"));
    let single = message.get("function_call").filter(|call| !call.is_null());
    // Some programs record both shapes of the same call.
    let all: Vec<&Value> = if listed.is_empty() {
        uses.chain(single).collect()
    } else {
        listed.iter().collect()
    };
    if all.len() > MAX_CALLS {
        return Err("it has too many tool calls");
    }
    all.into_iter().map(call).collect()
}

fn call(call: &Value) -> Result<Call, &'static str> {
    let function = call.get("function");
    let name = function
        .and_then(|f| f.as_str().or_else(|| f.get("name")?.as_str()))
        .or_else(|| call.get("name")?.as_str());
    let given = call
        .get("args")
        .or_else(|| function.and_then(|f| f.get("arguments")))
        .or_else(|| call.get("arguments"))
        .or_else(|| call.get("input"));
    let arguments = match given {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(map)) => map.clone(),
        // OpenAI's arguments are a text that holds JSON. What is none stands for itself: it must
        // not vanish.
        Some(Value::String(text)) => match serde_json::from_str(text) {
            Ok(Value::Object(map)) => map,
            _ => Map::from_iter([(String::new(), Value::String(text.clone()))]),
        },
        Some(other) => Map::from_iter([(String::new(), other.clone())]),
    };
    Ok(Call {
        id: id_of(call, "id"),
        tool: name.ok_or("a tool call has no name")?.to_owned(),
        arguments,
    })
}

fn id_of(value: &Value, key: &str) -> Option<String> {
    value
        .get(key)
        .and_then(Value::as_str)
        .filter(|id| !id.is_empty())
        .map(str::to_owned)
}

fn text_of(block: &Value) -> Option<&str> {
    block
        .as_str()
        .or_else(|| block.get("text")?.as_str())
        .or_else(|| block.get("content")?.as_str())
}

/// The texts of a content, and nothing else of it.
fn words(content: Option<&Value>) -> String {
    match content {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => blocks
            .iter()
            .filter_map(text_of)
            .collect::<Vec<_>>()
            .join("\n"),
        _ => String::new(),
    }
}

/// The texts of a content, and what is no text as the JSON that it is.
fn everything(content: Option<&Value>) -> String {
    match content {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(blocks)) => {
            let texts = blocks
                .iter()
                .map(|block| text_of(block).map_or_else(|| block.to_string(), str::to_owned));
            texts.collect::<Vec<_>>().join("\n")
        }
        Some(other) => other.to_string(),
    }
}
