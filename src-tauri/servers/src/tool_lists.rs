//! Lists of a server's tools, as they are taken in.
//!
//! Always true here: nothing of a list is kept, shown or saved before held secrets are covered in it,
//! and each name stands in it once.

use crate::{Servers, pins};
use api::HostEvent;
use protocol::{ServerId, ToolSpec};
use std::collections::HashSet;

/// Reads the list again if the server has said for how long the last one is current, and
/// that time is over.
pub async fn refresh(servers: &Servers, id: &ServerId) {
    let Ok((generation, Some(connection))) = servers
        .registry()
        .now(id)
        .map(|server| (server.run.generation, server.run.connection.clone()))
    else {
        return;
    };
    if !connection.tools_are_stale() {
        return;
    }
    match connection.tools().await {
        Ok(tools) => take(servers, id, generation, tools).await,
        // The last list stays; a call of a tool that is gone fails by itself.
        Err(error) => {
            tracing::warn!(server = %id, %error, "a list of tools that is too old could not be read again")
        }
    }
}

/// Takes a new list of tools.
pub async fn take(servers: &Servers, id: &ServerId, generation: u64, tools: Vec<ToolSpec>) {
    let tools = taken_in(servers, id, tools).await;
    pins::take(servers, id, generation, |offered| offered.take_tools(tools));
    servers.publish(HostEvent::ToolsChanged { server: id.clone() });
}

/// Tools as they are taken in from a server: secrets covered, each name once, and saved for the
/// next run.
pub(crate) async fn taken_in(
    servers: &Servers,
    id: &ServerId,
    mut tools: Vec<ToolSpec>,
) -> Vec<ToolSpec> {
    let masker = servers.secrets().masker();
    for tool in &mut tools {
        mask_tool(&masker, tool);
    }
    // A name cannot be covered: it is what the tool is called by. So a tool whose name holds a
    // secret is left out.
    tools.retain(|tool| masker.mask(tool.name.as_str()).is_none());
    // Of two tools with one name only the first can be called; a second one could otherwise take
    // its place.
    let mut names = HashSet::new();
    tools.retain(|tool| names.insert(tool.name.clone()));
    if let Err(error) = servers.store().tools().save(id, tools.clone()).await {
        tracing::warn!(server = %id, %error, "the list of tools could not be saved");
    }
    tools
}

fn mask_tool(masker: &inspect::Masker, tool: &mut ToolSpec) {
    for text in [&mut tool.title, &mut tool.description]
        .into_iter()
        .flatten()
    {
        masker.mask_text(text);
    }
    masker.mask_map(&mut tool.input_schema);
    masker.mask_map(&mut tool.extra);
    for map in [
        &mut tool.output_schema,
        &mut tool.annotations,
        &mut tool.meta,
    ]
    .into_iter()
    .flatten()
    {
        masker.mask_map(map);
    }
}
