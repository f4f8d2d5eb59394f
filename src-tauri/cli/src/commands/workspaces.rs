//! `majordomoctl workspaces …`

use crate::args::Workspaces;
use crate::exit::Exit;
use crate::link::{self, Link};
use crate::print;
use host::{ErrorCode, HostError};
use serde_json::{Value, json};

/// What the first workspace is called as long as nobody has named it.
const UNNAMED: &str = "home";

/// Lists or changes workspaces, or takes another one into use.
pub(crate) async fn run(link: &Link, command: Workspaces, json: bool) -> Result<Exit, HostError> {
    match command {
        Workspaces::List => {
            let all = link.ask(&json!({"method": "list_workspaces"})).await?;
            if json { print::json(&all) } else { list(all.as_array().into_iter().flatten()) }
        }
        Workspaces::Add { name, like } => {
            let like = match like {
                Some(like) => Some(number(link, &like).await?),
                None => None,
            };
            show(&link.ask(&json!({"method": "add_workspace", "params": {"name": name, "like": like}})).await?, json);
        }
        Workspaces::Rename { workspace, name } => {
            let workspace = number(link, &workspace).await?;
            show(&link.ask(&json!({"method": "rename_workspace", "params": {"workspace": workspace, "name": name}})).await?, json);
        }
        Workspaces::Remove { workspace } => {
            let workspace = number(link, &workspace).await?;
            let removed = link.ask(&json!({"method": "remove_workspace", "params": {"workspace": workspace}})).await?;
            if json {
                print::json(&removed);
            }
            print::note("Removed, with everything that was allowed in it.");
        }
        Workspaces::Use { workspace } => {
            let workspace = number(link, &workspace).await?;
            show(&link.ask(&json!({"method": "switch_workspace", "params": {"workspace": workspace}})).await?, json);
        }
    }
    Ok(Exit::Done)
}

/// The number of the workspace that is meant. Numbers come before names, and names before the word for the one without.
async fn number(link: &Link, meant: &str) -> Result<String, HostError> {
    let all = link.ask(&json!({"method": "list_workspaces"})).await?;
    let all: Vec<&Value> = all.as_array().into_iter().flatten().collect();
    let same = |name: String| name.to_lowercase() == meant.to_lowercase();
    let found = all.iter().find(|workspace| workspace["id"] == meant);
    let found = found.or_else(|| all.iter().find(|workspace| same(print::text(workspace, "/name"))));
    let found = found.or_else(|| all.iter().find(|workspace| workspace["name"] == "" && same(UNNAMED.to_owned())));
    found.map(|workspace| print::text(workspace, "/id")).ok_or_else(|| {
        link::error(ErrorCode::UnknownWorkspace, format!("there is no workspace called {meant}"), "`workspaces list` shows all of them.")
    })
}

fn show(workspace: &Value, json: bool) {
    if json { print::json(workspace) } else { list(std::iter::once(workspace)) }
}

fn list<'a>(workspaces: impl Iterator<Item = &'a Value>) {
    let row = |workspace: &Value| {
        let name = print::text(workspace, "/name");
        let on = |server: &&Value| server["on"] == true;
        let servers = workspace["servers"].as_array().into_iter().flatten().filter(on).map(|server| print::text(server, "/server"));
        vec![
            if name.is_empty() { UNNAMED.to_owned() } else { name },
            if workspace["active"] == true { "in use" } else { "" }.to_owned(),
            servers.collect::<Vec<_>>().join(" "),
            print::text(workspace, "/grants"),
            print::text(workspace, "/id"),
        ]
    };
    print::table(&["WORKSPACE", "", "SERVERS", "GRANTS", "NUMBER"], &workspaces.map(row).collect::<Vec<_>>());
}
