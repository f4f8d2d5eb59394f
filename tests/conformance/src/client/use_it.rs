//! Uses all that a server offers: lists everything, reads and fills in what is listed, and calls
//! the tools.

use crate::Scenario;
use conformance::{Trouble, permit, permit_prompt, permit_read};
use connections::{Connection, Follow};
use protocol::{ServerId, ToolSpec};
use serde_json::{Map, Value, json};

pub async fn use_it(
    connection: &Connection,
    server: &ServerId,
    scenario: &Scenario,
) -> Result<(), Trouble> {
    // In this one the authorization server is another one when we come back.
    let times = if scenario.name == "auth/authorization-server-migration" {
        2
    } else {
        1
    };
    for _ in 0..times {
        tools(connection, server, scenario).await?;
    }
    let abilities = connection.capabilities();
    if abilities.resources {
        for resource in connection.resources().await? {
            connection.read(permit_read(resource.uri)?, None).await?;
        }
    }
    if abilities.prompts {
        for prompt in connection.prompts().await? {
            connection.prompt(permit_prompt(prompt.name)?, None).await?;
        }
    }
    Ok(())
}

/// Lists the tools and calls those that the suite names, or else all.
async fn tools(
    connection: &Connection,
    server: &ServerId,
    scenario: &Scenario,
) -> Result<(), Trouble> {
    let tools = connection.tools().await?;
    let calls: Vec<(ToolSpec, Map<String, Value>)> =
        match scenario.context.get("toolCalls").and_then(Value::as_array) {
            Some(named) => named
                .iter()
                .filter_map(|call| Some((lenient(&tools, call)?, arguments(call))))
                .collect(),
            None => tools
                .iter()
                .map(|tool| (tool.clone(), sensible(tool, &tools)))
                .collect(),
        };
    for (tool, arguments) in calls {
        connection
            .call(permit(server, &tool, arguments)?, Follow::nothing())
            .await?;
    }
    Ok(())
}

/// The tool that the suite names, without what it says of arguments that the suite gives as null:
/// its own schema forbids that, and no person would get through.
fn lenient(tools: &[ToolSpec], call: &Value) -> Option<ToolSpec> {
    let name = call["name"].as_str()?;
    let mut tool = tools
        .iter()
        .find(|tool| tool.name.as_str() == name)?
        .clone();
    if let Some(Value::Object(fields)) = tool.input_schema.get_mut("properties") {
        fields.retain(|name, _| call["arguments"].get(name.as_str()) != Some(&Value::Null));
    }
    Some(tool)
}

fn arguments(call: &Value) -> Map<String, Value> {
    call["arguments"].as_object().cloned().unwrap_or_default()
}

/// Arguments that fit the schema of a tool. One that wants a schema gets that of the first tool, as
/// it was listed.
fn sensible(tool: &ToolSpec, tools: &[ToolSpec]) -> Map<String, Value> {
    let fields = tool
        .input_schema
        .get("properties")
        .and_then(Value::as_object)
        .into_iter()
        .flatten();
    let value = |name: &str, field: &Value| match field["type"].as_str()? {
        "string" if field["enum"].is_array() => Some(field["enum"][0].clone()),
        "string" => Some(json!("text")),
        "number" | "integer" => Some(json!(2)),
        "boolean" => Some(json!(true)),
        "object" if name == "schema" => Some(json!(tools.first()?.input_schema)),
        _ => None,
    };
    fields
        .filter_map(|(name, field)| Some((name.clone(), value(name, field)?)))
        .collect()
}
