//! `majordomoctl tools …`

use crate::args::Tools;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};

/// Lists, shows and switches tools.
pub(crate) async fn run(link: &Link, command: Tools, json: bool) -> Result<Exit, HostError> {
    match command {
        Tools::List { server } => {
            let mut tools = Vec::new();
            for server in servers(link, server).await? {
                tools.extend(of(link, &server).await?);
            }
            if json { print::json(&Value::Array(tools)) } else { list(&tools) }
        }
        Tools::Show { server, tool } => {
            let found = of(link, &server).await?.into_iter().find(|view| view.pointer("/spec/name") == Some(&json!(tool)));
            let found = found.ok_or_else(|| {
                link::error(
                    ErrorCode::UnknownTool,
                    format!("{server} has no tool called {tool}"),
                    "List the server's tools and use one of their names.",
                )
            })?;
            if json { print::json(&found) } else { print::result(print::lines(&format!("{found:#}"))) }
        }
        Tools::Enable { server, tool } => switch(link, server, tool, true, json).await?,
        Tools::Disable { server, tool } => switch(link, server, tool, false, json).await?,
        Tools::Mark { server, tool, consequential, secret } => {
            let mark = json!({"consequential": consequential, "secret": secret});
            let view = link.ask(&json!({"method": "mark_tool", "params": {"server": server, "tool": tool, "mark": mark}})).await?;
            if json {
                print::json(&view);
            }
            print::note(if consequential || secret { "Marked." } else { "Not marked any more." });
        }
    }
    Ok(Exit::Done)
}

async fn servers(link: &Link, named: Option<String>) -> Result<Vec<String>, HostError> {
    if let Some(server) = named {
        return Ok(vec![server]);
    }
    let snapshot = link.ask(&json!({"method": "snapshot"})).await?;
    let on = snapshot["servers"].as_array().into_iter().flatten().filter(|view| view["on"] == true);
    Ok(on.map(|view| print::text(view, "/id")).collect())
}

async fn of(link: &Link, server: &str) -> Result<Vec<Value>, HostError> {
    match link.ask(&json!({"method": "list_tools", "params": {"server": server}})).await? {
        Value::Array(tools) => Ok(tools),
        _ => Ok(Vec::new()),
    }
}

async fn switch(link: &Link, server: String, tool: String, on: bool, json: bool) -> Result<(), HostError> {
    let view = link.ask(&json!({"method": "set_tool", "params": {"server": server, "tool": tool, "on": on}})).await?;
    if json {
        print::json(&view);
    }
    print::note(if on { "Switched on." } else { "Switched off: every call of it is denied." });
    Ok(())
}

fn list(tools: &[Value]) {
    let cells: Vec<Vec<String>> = tools
        .iter()
        .map(|view| {
            let description: String = print::text(view, "/spec/description").chars().take(80).collect();
            vec![
                print::text(view, "/server"),
                print::text(view, "/spec/name"),
                if view["on"] == true { "on" } else { "off" }.to_owned(),
                description,
            ]
        })
        .collect();
    print::table(&["SERVER", "TOOL", "STATE", "DESCRIPTION (THE SERVER'S WORDS)"], &cells);
}
