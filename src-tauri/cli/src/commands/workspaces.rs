//! `majordomoctl workspaces …`

use crate::args::Workspaces;
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    AddWorkspace, ErrorCode, HostError, ListWorkspaces, RemoveWorkspace, RenameWorkspace,
    SwitchWorkspace, WorkspaceView,
};
use protocol::WorkspaceId;
use std::slice;

/// What the first workspace is called as long as nobody has named it.
const UNNAMED: &str = "home";

/// Lists or changes workspaces, or takes another one into use.
pub(crate) async fn run(
    link: &Link,
    command: Workspaces,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let changed = match command {
        Workspaces::List => {
            let all = link.ask(ListWorkspaces {}).await?;
            if json {
                print::json(&all)
            } else {
                list(&all)
            }
            return Ok(Exit::Done);
        }
        Workspaces::Remove { workspace } => {
            let workspace = number(link, &workspace).await?;
            link.ask(RemoveWorkspace { workspace }).await?;
            if json {
                print::json(&());
            }
            print::note("Removed, with everything that was allowed in it.");
            return Ok(Exit::Done);
        }
        Workspaces::Add { name, like } => {
            let like = match like {
                Some(like) => Some(number(link, &like).await?),
                None => None,
            };
            link.ask(AddWorkspace { name, like }).await?
        }
        Workspaces::Rename { workspace, name } => {
            let workspace = number(link, &workspace).await?;
            link.ask(RenameWorkspace { workspace, name }).await?
        }
        Workspaces::Use { workspace } => {
            let workspace = number(link, &workspace).await?;
            word.ask(link, SwitchWorkspace { workspace }).await?
        }
    };
    if json {
        print::json(&changed)
    } else {
        list(slice::from_ref(&changed))
    }
    Ok(Exit::Done)
}

/// The number of the workspace that is meant. Numbers come before names, and names before the word
/// for the one without.
pub(super) async fn number(link: &Link, meant: &str) -> Result<WorkspaceId, HostError> {
    let all = link.ask(ListWorkspaces {}).await?;
    let same = |name: &str| name.to_lowercase() == meant.to_lowercase();
    let found = all
        .iter()
        .find(|workspace| workspace.id.as_str() == meant)
        .or_else(|| all.iter().find(|workspace| same(&workspace.name)))
        .or_else(|| {
            all.iter()
                .find(|workspace| workspace.name.is_empty() && same(UNNAMED))
        });
    found.map(|workspace| workspace.id.clone()).ok_or_else(|| {
        HostError::of(
            ErrorCode::UnknownWorkspace,
            format!("there is no workspace called {meant}"),
        )
    })
}

fn list(workspaces: &[WorkspaceView]) {
    let row = |workspace: &WorkspaceView| {
        let name = match workspace.name.as_str() {
            "" => UNNAMED,
            name => name,
        };
        let servers: Vec<&str> = workspace
            .servers
            .iter()
            .filter(|server| server.on)
            .map(|server| server.server.as_str())
            .collect();
        vec![
            name.to_owned(),
            if workspace.active { "in use" } else { "" }.to_owned(),
            servers.join(" "),
            workspace.grants.to_string(),
            workspace.id.to_string(),
        ]
    };
    print::table(
        &["WORKSPACE", "", "SERVERS", "APPROVALS", "NUMBER"],
        &workspaces.iter().map(row).collect::<Vec<_>>(),
    );
}
