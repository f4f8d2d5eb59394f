//! Other applications that may come in by the gateway.
//!
//! Always true here: what a person decided about one is in the log before it has an effect.

mod view;

use crate::commands::grants;
use crate::workspaces;
use api::{
    ClientCarrier, ClientView, ErrorCode, GatewayView, HostError, HostEvent, MOST_CLIENTS,
    room_for_one,
};
use calls::{Admitted, Calls, ClientNow};
use policy::{ClientChange, ClientSettings, Grant};
use protocol::{Caller, CallerFilter, CallerId, CallerKind, ServerId, TokenHash, ToolName};
use serde::{Deserialize, Serialize};
use servers::{Surface, error};
use store::{Event, GatewayClientRow};
use view::view;

/// The longest name, in characters.
const LONGEST: usize = 64;
/// The longest id that is made of a name, without the number behind it.
const LONGEST_ID: usize = 40;

/// Where they come in, and who may.
pub(crate) fn list(calls: &Calls) -> GatewayView {
    GatewayView {
        address: calls.clients().address(),
        clients: view::all(calls),
    }
}

/// Lets another one in from now on.
pub(crate) async fn add(
    calls: &Calls,
    name: &str,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    let _turn = calls.workspace_turn().await;
    let row = new_row(calls, name)?;
    let_in(calls, row, surface).await
}

/// One that could be let in under a name. Fails with `bad_name`, `name_taken` and `too_many`.
pub(crate) fn new_row(calls: &Calls, name: &str) -> Result<GatewayClientRow, HostError> {
    let (name, known) = (checked(name)?, calls.clients().all(calls.now()));
    if is_taken(&name, &known) {
        return Err(error::host(
            ErrorCode::NameTaken,
            format!("there is an application called {name} already"),
        ));
    }
    room_for_one("applications", known.len(), MOST_CLIENTS)?;
    Ok(GatewayClientRow {
        id: free_id(&name, &known)?,
        name,
        added_at: calls.now(),
        token_hash: None,
        seen_at: None,
        settings: ClientSettings::default(),
    })
}

/// The first name of `name`, `name 2`, … that nobody has.
pub(crate) fn free_name(calls: &Calls, name: &str) -> String {
    let known = calls.clients().all(calls.now());
    let numbered = (2..).map(|number| format!("{name} {number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| !is_taken(name, &known))
        .unwrap_or_default()
}

fn is_taken(name: &str, known: &[ClientNow]) -> bool {
    let name = name.to_lowercase();
    known.iter().any(|one| one.row.name.to_lowercase() == name)
}

/// Lets one in. Nobody else changes who may come in meanwhile.
pub(crate) async fn let_in(
    calls: &Calls,
    row: GatewayClientRow,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    let event = Event::ClientAdded {
        client: row.id.clone(),
        name: row.name.clone(),
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    keep(calls, row).await
}

/// Gives one another token, or none.
pub(crate) async fn set_token(
    calls: &Calls,
    id: &CallerId,
    hash: Option<TokenHash>,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    let _turn = calls.workspace_turn().await;
    let row = row(calls, id)?;
    let event = Event::ClientTokenSet {
        client: row.id.clone(),
        has_token: hash.is_some(),
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    keep(
        calls,
        GatewayClientRow {
            token_hash: hash,
            ..row
        },
    )
    .await
}

/// Changes what one is given, or how it is shown it.
pub(crate) async fn change(
    calls: &Calls,
    id: &CallerId,
    change: ClientChange,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    let _turn = calls.workspace_turn().await;
    let row = row(calls, id)?;
    // Looked at again: it may have been given less since a person's word was found not to be needed.
    if row.settings.lets_more_happen(&change) && !surface.is_person(calls) {
        return Err(error::host(
            ErrorCode::OnlyForThePerson,
            format!(
                "what {} is given was changed meanwhile; try again",
                row.name
            ),
        ));
    }
    if let ClientChange::Workspace {
        workspace: Some(workspace),
    } = &change
    {
        workspaces::check_known(calls, workspace).await?;
    }
    let settings = row.settings.clone().changed(change.clone());
    if settings == row.settings {
        return shown(calls, id);
    }
    let client = row.id.clone();
    let event = Event::ClientChanged { client, change };
    calls.record_synced(surface.decided(calls, event)).await?;
    keep(calls, GatewayClientRow { settings, ..row }).await
}

/// Tools of a server go by other names now: who lacked one still does.
pub(crate) async fn follow_tools(
    calls: &Calls,
    server: &ServerId,
    renamed: &[(ToolName, ToolName)],
) -> Result<(), HostError> {
    keep_all(calls, |settings| {
        for (from, to) in renamed {
            settings.tools.follow(server, from, to);
        }
    })
    .await
}

/// A server is gone: nobody is given another one that is called the same later.
pub(crate) async fn forget_server(calls: &Calls, server: &ServerId) -> Result<(), HostError> {
    keep_all(calls, |settings| settings.tools.forget(server)).await
}

/// Keeps what this makes of the settings of each. It gives nobody more.
async fn keep_all(calls: &Calls, follow: impl Fn(&mut ClientSettings)) -> Result<(), HostError> {
    let _turn = calls.workspace_turn().await;
    for ClientNow { row, .. } in calls.clients().all(calls.now()) {
        let mut settings = row.settings.clone();
        follow(&mut settings);
        if settings != row.settings {
            keep(calls, GatewayClientRow { settings, ..row }).await?;
        }
    }
    Ok(())
}

/// Ends what one has begun.
pub(crate) fn disconnect(calls: &Calls, id: &CallerId) -> Result<ClientView, HostError> {
    row(calls, id)?;
    calls.clients().disconnect(id);
    calls.publish(HostEvent::ClientsChanged);
    shown(calls, id)
}

/// Lets one in no more, and takes back what it was allowed.
pub(crate) async fn remove(
    calls: &Calls,
    id: &CallerId,
    surface: &Surface,
) -> Result<(), HostError> {
    let _turn = calls.workspace_turn().await;
    let row = row(calls, id)?;
    let_go(calls, row, surface).await
}

/// Lets one in no more. Nobody else changes who may come in meanwhile.
pub(crate) async fn let_go(
    calls: &Calls,
    row: GatewayClientRow,
    surface: &Surface,
) -> Result<(), HostError> {
    let GatewayClientRow { id, name, .. } = row;
    let event = Event::ClientRemoved {
        client: id.clone(),
        name,
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    calls.store().gateway_clients().remove(&id).await?;
    calls.clients().remove(&id);
    // Another one that is called the same later is not this one.
    let of_it = CallerFilter {
        kind: CallerKind::Client,
        id: Some(id),
    };
    let given = |grant: &Grant| of_it.holds_for(&grant.caller);
    grants::revoke_all(calls, given, surface).await?;
    calls.publish(HostEvent::ClientsChanged);
    Ok(())
}

/// Why a caller is given nothing now, if it works in another workspace than the one in use.
pub(crate) fn elsewhere(calls: &Calls, caller: &Caller) -> Option<HostError> {
    let settings = calls.clients().settings(caller.id())?;
    let is_client = *caller.kind() == CallerKind::Client;
    let refusal = settings.elsewhere(&calls.workspace()).filter(|_| is_client);
    refusal.map(error::refused)
}

/// Lets one in that may come. Fails with `unknown_client`.
pub(crate) async fn admit(
    calls: &Calls,
    id: &CallerId,
    by: ClientCarrier,
) -> Result<Admitted, HostError> {
    let now = calls.now();
    let admitted = calls
        .clients()
        .admit(id, by, now)
        .ok_or_else(|| unknown(id))?;
    calls.publish(HostEvent::ClientsChanged);
    if let Err(problem) = calls.store().gateway_clients().seen(id, now).await {
        tracing::warn!(client = %id, %problem, "it could not be noted when it came");
    }
    Ok(admitted)
}

/// Where applications come in over HTTP, as it is kept.
#[derive(Serialize, Deserialize)]
struct Gateway {
    port: u16,
}

/// The setting under which that is kept.
const GATEWAY: &str = "gateway";

/// Takes note of who was here since, and tells it where that has changed.
pub(crate) async fn look_for_presence(calls: &Calls) {
    if calls.clients().presence_changed(calls.now()) {
        calls.publish(HostEvent::ClientsChanged);
    }
    for (id, at) in calls.clients().seen_since() {
        if let Err(problem) = calls.store().gateway_clients().seen(&id, at).await {
            tracing::warn!(client = %id, %problem, "it could not be noted when it was here");
        }
    }
}

/// Where they come in over HTTP or, while they do not, where they will: nothing else is to be taken
/// for a server there.
pub(crate) async fn own_address(calls: &Calls) -> Option<String> {
    match calls.clients().address() {
        Some(address) => Some(address),
        None => port(calls).await.map(api::gateway_address),
    }
}

/// The port of earlier runs.
pub(crate) async fn port(calls: &Calls) -> Option<u16> {
    match calls.store().settings().get::<Gateway>(GATEWAY).await {
        Ok(kept) => kept.map(|kept| kept.port),
        Err(problem) => {
            tracing::warn!(%problem, "the port of other applications could not be read");
            None
        }
    }
}

/// Keeps the port for later runs.
pub(crate) async fn keep_port(calls: &Calls, port: u16) {
    let kept = calls
        .store()
        .settings()
        .set(GATEWAY, &Gateway { port })
        .await;
    if let Err(problem) = kept {
        tracing::warn!(%problem, "the port of other applications could not be kept");
    }
    calls.publish(HostEvent::ClientsChanged);
}

fn row(calls: &Calls, id: &CallerId) -> Result<GatewayClientRow, HostError> {
    known(calls, id).ok_or_else(|| unknown(id))
}

/// One that may come in, as it is kept.
pub(crate) fn known(calls: &Calls, id: &CallerId) -> Option<GatewayClientRow> {
    calls.clients().row(id)
}

/// Fails with `unknown_client` for an application that may not come in; whoever is none is known.
pub(crate) fn check_known(calls: &Calls, caller: &Caller) -> Result<(), HostError> {
    let id = caller.id();
    let is_client = *caller.kind() == CallerKind::Client;
    match known(calls, id) {
        None if is_client => Err(unknown(id)),
        _ => Ok(()),
    }
}

fn shown(calls: &Calls, id: &CallerId) -> Result<ClientView, HostError> {
    let now = calls.clients().now(id, calls.now());
    now.map(|now| view(calls, now)).ok_or_else(|| unknown(id))
}

fn unknown(id: &CallerId) -> HostError {
    error::host(
        ErrorCode::UnknownClient,
        format!("there is no application {id} among those that may come in"),
    )
}

async fn keep(calls: &Calls, row: GatewayClientRow) -> Result<ClientView, HostError> {
    let id = row.id.clone();
    calls.store().gateway_clients().save(row.clone()).await?;
    calls.clients().keep(row);
    calls.publish(HostEvent::ClientsChanged);
    shown(calls, &id)
}

fn checked(name: &str) -> Result<String, HostError> {
    let name = name.trim();
    if protocol::is_one_line(name, LONGEST) {
        return Ok(name.to_owned());
    }
    Err(error::host(
        ErrorCode::BadName,
        format!("the name of an application is one line of 1 to {LONGEST} visible characters"),
    ))
}

/// An id that says what its name says, as far as an id can.
fn free_id(name: &str, known: &[ClientNow]) -> Result<CallerId, HostError> {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_ascii_alphanumeric() {
            words.push(c.to_ascii_lowercase());
        } else if !words.is_empty() && !words.ends_with('-') {
            words.push('-');
        }
        if words.len() >= LONGEST_ID {
            break;
        }
    }
    let words = match words.trim_end_matches('-') {
        "" => "client",
        words => words,
    };
    let is_free = |id: &str| known.iter().all(|one| one.row.id.as_str() != id);
    let numbered = (2..).map(|number| format!("{words}-{number}"));
    let free = std::iter::once(words.to_owned())
        .chain(numbered)
        .find(|id| is_free(id));
    free.unwrap_or_default()
        .parse()
        .map_err(|problem: protocol::CallerError| {
            error::host(ErrorCode::BadName, problem.to_string())
        })
}
