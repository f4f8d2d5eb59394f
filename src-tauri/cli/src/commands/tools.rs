//! `majordomoctl tools …`

use super::or_dash;
use crate::args::Tools;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    ErrorCode, FoundTool, HostError, ListTools, MarkTool, SearchTools, SetTool, ShowToolAlways,
    TakeSnapshot, ToolView, ToolsFound,
};
use policy::ToolFlags;
use protocol::ServerId;
use serde_json::json;

/// Lists, shows and switches tools.
pub(crate) async fn run(
    link: &Link,
    command: Tools,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    match command {
        Tools::List { server } => {
            let mut tools = Vec::new();
            for server in servers(link, server).await? {
                tools.extend(link.ask(ListTools { server }).await?);
            }
            if json {
                print::json(&tools)
            } else {
                list(&tools)
            }
        }
        Tools::Search { words } => {
            let queries = vec![words.join(" ")];
            let found = link.ask(SearchTools { queries }).await?;
            if json {
                print::json(&found)
            } else {
                found.iter().for_each(list_found)
            }
        }
        Tools::Show { server, tool } => {
            let asked = ListTools {
                server: server.clone(),
            };
            let tools = link.ask(asked).await?;
            let found = tools.into_iter().find(|view| view.spec.name == tool);
            let found = found.ok_or_else(|| {
                HostError::of(
                    ErrorCode::UnknownTool,
                    format!("{server} has no tool called {tool}"),
                )
            })?;
            if json {
                print::json(&found)
            } else {
                print::result(print::lines(&format!("{:#}", json!(found))))
            }
        }
        Tools::Enable { server, tool } => {
            let on = SetTool {
                server,
                tool,
                on: true,
            };
            switch(link, on, word, json).await?
        }
        Tools::Disable { server, tool } => {
            let off = SetTool {
                server,
                tool,
                on: false,
            };
            switch(link, off, word, json).await?
        }
        Tools::Pin { server, tool } => {
            let on = true;
            show_always(link, ShowToolAlways { server, tool, on }, word, json).await?;
        }
        Tools::Unpin { server, tool } => {
            let on = false;
            show_always(link, ShowToolAlways { server, tool, on }, word, json).await?;
        }
        Tools::Mark {
            server,
            tool,
            consequential,
            secret,
        } => {
            let mark = ToolFlags {
                consequential,
                secret,
            };
            let view = word.ask(link, MarkTool { server, tool, mark }).await?;
            if json {
                print::json(&view);
            }
            print::note(if consequential || secret {
                "Marked."
            } else {
                "Not marked any more."
            });
        }
    }
    Ok(Exit::Done)
}

fn list_found(found: &ToolsFound) {
    if found.tools.is_empty() {
        let servers: Vec<&str> = found.servers.iter().map(ServerId::as_str).collect();
        print::note(format_args!(
            "No tool fits. There are tools of these servers: {}",
            servers.join(", ")
        ));
        return;
    }
    let row = |found: &FoundTool| {
        let FoundTool { server, tool, line } = found;
        vec![server.to_string(), tool.to_string(), line.clone()]
    };
    print::table(
        &["SERVER", "TOOL", "WHAT IT SAYS IT DOES"],
        &found.tools.iter().map(row).collect::<Vec<_>>(),
    );
}

async fn servers(link: &Link, named: Option<ServerId>) -> Result<Vec<ServerId>, HostError> {
    if let Some(server) = named {
        return Ok(vec![server]);
    }
    let servers = link.ask(TakeSnapshot {}).await?.servers;
    let on = servers.into_iter().filter(|view| view.on);
    Ok(on.map(|view| view.id).collect())
}

async fn switch(link: &Link, wanted: SetTool, word: Word, json: bool) -> Result<(), HostError> {
    let on = wanted.on;
    let view = word.ask(link, wanted).await?;
    if json {
        print::json(&view);
    }
    print::note(if on {
        "Switched on."
    } else {
        "Switched off: every call of it is denied."
    });
    Ok(())
}

async fn show_always(
    link: &Link,
    wanted: ShowToolAlways,
    word: Word,
    json: bool,
) -> Result<(), HostError> {
    let on = wanted.on;
    let view = word.ask(link, wanted).await?;
    if json {
        print::json(&view);
    }
    print::note(if on {
        "Models are always shown it."
    } else {
        "Models are shown it as any other tool."
    });
    Ok(())
}

fn list(tools: &[ToolView]) {
    let row = |view: &ToolView| {
        let description: String = or_dash(view.spec.description.as_deref())
            .chars()
            .take(80)
            .collect();
        vec![
            view.server.to_string(),
            view.spec.name.to_string(),
            match (view.on, view.always_shown) {
                (true, true) => "on, pinned",
                (true, false) => "on",
                (false, _) => "off",
            }
            .to_owned(),
            description,
        ]
    };
    print::table(
        &[
            "SERVER",
            "TOOL",
            "STATE",
            "DESCRIPTION (THE SERVER'S WORDS)",
        ],
        &tools.iter().map(row).collect::<Vec<_>>(),
    );
}
