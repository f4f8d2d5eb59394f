//! The tools that Majordomo itself offers to other applications: those by which one finds, describes
//! and calls the tools of servers, and those by which it sees what of its own waits and what it did.
//!
//! Always true here: all of them only read, but the one that calls, and that does what any call does.

use protocol::ToolSpec;
use serde_json::{Map, Value, json};

/// Finds tools of servers.
pub const FIND_TOOLS: &str = "find_tools";
/// Says how one of them is called.
pub const DESCRIBE_TOOL: &str = "describe_tool";
/// Calls one of them.
pub const CALL_TOOL: &str = "call_tool";
/// Lists what of the asking application waits for a person.
pub const WAITING_QUESTIONS: &str = "majordomo_waiting_questions";
/// Lists what the asking application did.
pub const ACTIVITY: &str = "majordomo_activity";

/// Most rows of activity at a time.
pub const MOST_ROWS: u32 = 50;

/// What stands in place of the list of tools for who looks for them.
pub fn search_tools() -> [ToolSpec; 3] {
    let name = json!({"type": "string", "description": "A tool's name, as find_tools gives it"});
    [
        tool(
            FIND_TOOLS,
            "Finds tools by what they do. Search for each step of a task by itself, in a few English words, or by a tool's exact name.",
            json!({"queries": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 5, "description": "What each tool is to do"}}),
            &["queries"],
            true,
        ),
        tool(
            DESCRIBE_TOOL,
            "Gives the whole definition of a tool that was found, with its arguments.",
            json!({"name": name}),
            &["name"],
            true,
        ),
        tool(
            CALL_TOOL,
            "Calls a tool that was found. The person who manages it may be asked first.",
            json!({"name": name, "arguments": {"type": "object", "description": "Its arguments, as describe_tool says"}}),
            &["name"],
            false,
        ),
    ]
}

/// What an application can learn of itself.
pub fn own_tools() -> [ToolSpec; 2] {
    [
        tool(
            WAITING_QUESTIONS,
            "Lists which of this application's calls wait for the person to decide in Majordomo. Nothing can be decided here.",
            json!({}),
            &[],
            true,
        ),
        tool(
            ACTIVITY,
            "Lists what this application did through Majordomo, newest first: when, which tool, how it ended and why.",
            json!({"limit": {"type": "integer", "minimum": 1, "maximum": MOST_ROWS, "description": "How many, 20 if not given"}}),
            &[],
            true,
        ),
    ]
}

fn tool(
    name: &str,
    description: &str,
    properties: Value,
    required: &[&str],
    only_reads: bool,
) -> ToolSpec {
    let mut schema = Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties),
    ]);
    if !required.is_empty() {
        schema.insert("required".to_owned(), json!(required));
    }
    let hints = Map::from_iter([
        ("readOnlyHint".to_owned(), json!(true)),
        ("openWorldHint".to_owned(), json!(false)),
    ]);
    ToolSpec {
        description: Some(description.to_owned()),
        input_schema: schema,
        annotations: only_reads.then_some(hints),
        ..ToolSpec::named(name)
    }
}
