//! `majordomoctl clients …`

use super::{connect, or_dash, workspaces};
use crate::args::{Clients, Switch};
use crate::exit::Exit;
use crate::link::Link;
use crate::print;
use crate::word::Word;
use api::{
    AddClient, ChangeClient, ClientView, DisconnectClient, GatewayView, HostError, ListClients,
    RemoveClient, SetClientToken, ToolCosts, ToolCounts,
};
use policy::{ClientChange, ToolMode};
use protocol::{CallerId, TokenHash};
use serde_json::json;
use std::slice;
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long is waited for the door of applications that the first token opens: another program may
/// have its port.
const OPENING: Duration = Duration::from_secs(10);
/// How often is looked meanwhile.
const LOOK: Duration = Duration::from_millis(20);

/// Lists or changes who may come in.
pub(crate) async fn run(
    link: &Link,
    command: Clients,
    word: Word,
    json: bool,
) -> Result<Exit, HostError> {
    let changed = match command {
        Clients::List => {
            let all = link.ask(ListClients {}).await?;
            if json {
                print::json(&all);
            } else {
                let GatewayView { address, clients } = all;
                list(&clients);
                if let Some(address) = address {
                    print::result(format_args!("Over HTTP they come in at {address}"));
                }
            }
            return Ok(Exit::Done);
        }
        Clients::Remove { client } => {
            link.ask(RemoveClient { client }).await?;
            if json {
                print::json(&());
            }
            print::note("Removed, with everything that it was allowed.");
            return Ok(Exit::Done);
        }
        Clients::Token {
            client,
            remove: false,
        } => return token(link, client, word, json).await,
        Clients::Token {
            client,
            remove: true,
        } => {
            let request = SetClientToken { client, hash: None };
            word.ask(link, request).await?
        }
        Clients::Give { client, selection } => {
            let tools = selection.into();
            change(link, client, ClientChange::Tools { tools }, word).await?
        }
        Clients::Mode { client, mode } => {
            let mode = mode.into();
            change(link, client, ClientChange::Mode { mode }, word).await?
        }
        Clients::Workspace {
            client, workspace, ..
        } => {
            let workspace = match workspace {
                Some(workspace) => Some(workspaces::number(link, &workspace).await?),
                None => None,
            };
            change(link, client, ClientChange::Workspace { workspace }, word).await?
        }
        Clients::OwnTools { client, on } => {
            let on = on == Switch::On;
            change(link, client, ClientChange::OwnTools { on }, word).await?
        }
        Clients::Found => {
            connect::found(link, json).await?;
            return Ok(Exit::Done);
        }
        Clients::Connect {
            application,
            without,
        } => {
            connect::connect(link, application, without, word, json).await?;
            return Ok(Exit::Done);
        }
        Clients::Undo(application) => {
            connect::undo(link, application, word, json).await?;
            return Ok(Exit::Done);
        }
        Clients::Bypass => {
            connect::bypass(link, json).await?;
            return Ok(Exit::Done);
        }
        Clients::Add { name } => word.ask(link, AddClient { name }).await?,
        Clients::Disconnect { client } => link.ask(DisconnectClient { client }).await?,
    };
    if json {
        print::json(&changed);
    } else {
        list(slice::from_ref(&changed));
    }
    Ok(Exit::Done)
}

async fn change(
    link: &Link,
    client: CallerId,
    change: ClientChange,
    word: Word,
) -> Result<ClientView, HostError> {
    word.ask(link, ChangeClient { client, change }).await
}

/// Draws a token, shows it, and lets the host know no more of it than its hash.
async fn token(link: &Link, client: CallerId, word: Word, json: bool) -> Result<Exit, HostError> {
    let token = format!(
        "mjd_{}{}",
        uuid::Uuid::new_v4().simple(),
        uuid::Uuid::new_v4().simple()
    );
    let hash = Some(TokenHash::of(&token));
    word.ask(link, SetClientToken { client, hash }).await?;
    let address = address(link).await?;
    if json {
        print::json(&json!({"token": token, "address": address}));
        return Ok(Exit::Done);
    }
    print::result(&token);
    print::note("This is the only time that the token is shown.");
    match address {
        Some(address) => print::note(format_args!(
            "The application sends it as \"Authorization: Bearer …\" to {address}"
        )),
        None => {
            print::note("The address stands in `majordomoctl clients list` while Majordomo runs.")
        }
    }
    Ok(Exit::Done)
}

/// Where applications come in over HTTP. A host opens that door with the first token, so it is waited
/// for a moment; `None` where it stays shut.
async fn address(link: &Link) -> Result<Option<String>, HostError> {
    let end = Instant::now() + OPENING;
    loop {
        let GatewayView { address, .. } = link.ask(ListClients {}).await?;
        if address.is_some() || !link.is_served() || Instant::now() >= end {
            return Ok(address);
        }
        sleep(LOOK).await;
    }
}

fn list(clients: &[ClientView]) {
    let row = |client: &ClientView| {
        let says = client
            .connections
            .iter()
            .rev()
            .find_map(|one| one.says.clone());
        let ToolCounts { has, of } = client.counts;
        let ToolCosts { direct, search } = client.costs;
        let mode = match client.settings.mode {
            ToolMode::Direct => "direct",
            ToolMode::Search => "search",
        };
        vec![
            client.id.to_string(),
            client.name.clone(),
            client.connections.len().to_string(),
            or_dash(client.seen_at),
            if client.has_token { "yes" } else { "-" }.to_owned(),
            format!("{has} of {of}"),
            mode.to_owned(),
            format!("{direct} / {search}"),
            or_dash(client.settings.workspace.as_ref()),
            or_dash(says),
        ]
    };
    print::table(
        &[
            "CLIENT",
            "NAME",
            "CONNECTIONS",
            "LAST SEEN",
            "TOKEN",
            "TOOLS",
            "MODE",
            "TOKENS DIRECT / SEARCH",
            "WORKSPACE",
            "SAYS IT IS",
        ],
        &clients.iter().map(row).collect::<Vec<_>>(),
    );
}
