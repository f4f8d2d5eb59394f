//! Workspaces: named sets of servers, each with its folders, its tool switches and its grants.
//!
//! Always true here:
//! - exactly one is in use; what a person switches, allows or gives, they do in that one;
//! - what was decided in one counts for nothing in another;
//! - taking another into use waits for no server to start, and no server's failure stops it.

mod switch;

pub(crate) use switch::switch;

use crate::commands::grants;
use api::{
    ErrorCode, HostError, HostEvent, MOST_WORKSPACES, WorkspaceServer, WorkspaceView, room_for_one,
};
use calls::Calls;
use policy::Grant;
use protocol::{Timestamp, WorkspaceId};
use servers::{Core, Surface, error};
use store::{Event, Store, StoreError, WorkspaceRow};

/// The longest name, in characters.
const LONGEST: usize = 64;

/// The one in use, when a host opens. The first one is made if there is none.
pub(crate) async fn in_use(store: &Store, now: Timestamp) -> Result<WorkspaceRow, HostError> {
    store.workspaces().ensure(now).await?;
    let rows = store.workspaces().all().await?;
    let found = rows.into_iter().find(|row| row.in_use);
    Ok(found.ok_or_else(|| StoreError::Damaged {
        reason: "no workspace is in use".to_owned(),
    })?)
}

/// All of them, by name.
pub(crate) async fn views(calls: &Calls) -> Result<Vec<WorkspaceView>, HostError> {
    let rows = calls.store().workspaces().all().await?;
    let (now, grants) = (calls.now(), calls.grants().all());
    Ok(rows
        .into_iter()
        .map(|row| view(row, &grants, now))
        .collect())
}

/// Tells every surface what workspaces there are now, and what is in them.
pub(crate) async fn publish(calls: &Calls) {
    match views(calls).await {
        Ok(workspaces) => calls.publish(HostEvent::WorkspacesChanged { workspaces }),
        // They are read again with the next snapshot.
        Err(problem) => tracing::warn!(%problem, "the workspaces could not be read"),
    }
}

/// Makes one that is not in use yet. From `like` it gets servers, folders and switches, but no
/// grant.
pub(crate) async fn add(
    calls: &Calls,
    name: &str,
    like: Option<WorkspaceId>,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    let _turn = calls.workspace_turn().await;
    let (id, name) = (WorkspaceId::random(), checked(name)?);
    if let Some(like) = &like {
        row(calls, like).await?;
    }
    check_free(calls, &id, &name).await?;
    let there_are = calls.store().workspaces().all().await?.len();
    room_for_one("workspaces", there_are, MOST_WORKSPACES)?;
    record(
        calls,
        surface,
        Event::WorkspaceAdded {
            workspace: id.clone(),
            name: name.clone(),
        },
    )
    .await?;
    calls
        .store()
        .workspaces()
        .add(id.clone(), name, like, calls.now())
        .await?;
    publish(calls).await;
    shown(calls, &id).await
}

/// Calls one something else.
pub(crate) async fn rename(
    calls: &Calls,
    id: &WorkspaceId,
    name: &str,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    let _turn = calls.workspace_turn().await;
    let name = checked(name)?;
    if row(calls, id).await?.name != name {
        check_free(calls, id, &name).await?;
        record(
            calls,
            surface,
            Event::WorkspaceRenamed {
                workspace: id.clone(),
                name: name.clone(),
            },
        )
        .await?;
        calls.store().workspaces().rename(id.clone(), name).await?;
        publish(calls).await;
    }
    shown(calls, id).await
}

/// Removes one that is not in use, and takes its grants back.
pub(crate) async fn remove(
    calls: &Calls,
    id: &WorkspaceId,
    surface: &Surface,
) -> Result<(), HostError> {
    let _turn = calls.workspace_turn().await;
    let row = row(calls, id).await?;
    if row.in_use {
        return Err(StoreError::WorkspaceInUse { id: row.id }.into());
    }
    record(
        calls,
        surface,
        Event::WorkspaceRemoved {
            workspace: row.id.clone(),
            name: row.name,
        },
    )
    .await?;
    let of_it = |grant: &Grant| grant.workspace.as_ref() == Some(id);
    grants::revoke_all(calls, of_it, surface).await?;
    calls.store().workspaces().remove(row.id).await?;
    publish(calls).await;
    Ok(())
}

/// Fails with `unknown_workspace` if there is none of this number.
pub(crate) async fn check_known(core: &Core, id: &WorkspaceId) -> Result<(), HostError> {
    row(core, id).await.map(drop)
}

async fn row(core: &Core, id: &WorkspaceId) -> Result<WorkspaceRow, HostError> {
    let found = core
        .store()
        .workspaces()
        .all()
        .await?
        .into_iter()
        .find(|row| row.id == *id);
    Ok(found.ok_or_else(|| StoreError::UnknownWorkspace { id: id.clone() })?)
}

async fn shown(calls: &Calls, id: &WorkspaceId) -> Result<WorkspaceView, HostError> {
    let row = row(calls, id).await?;
    Ok(view(row, &calls.grants().all(), calls.now()))
}

fn view(row: WorkspaceRow, grants: &[Grant], now: Timestamp) -> WorkspaceView {
    let holds = |grant: &&Grant| {
        grant.holds(now)
            && grant
                .workspace
                .as_ref()
                .is_none_or(|workspace| *workspace == row.id)
    };
    let grants = u32::try_from(grants.iter().filter(holds).count()).unwrap_or(u32::MAX);
    let servers = row
        .places
        .into_iter()
        .map(|(server, place)| WorkspaceServer {
            server,
            on: place.on,
            roots: place.roots,
            tools_off: place.off.into_iter().collect(),
        });
    WorkspaceView {
        id: row.id,
        name: row.name,
        active: row.in_use,
        servers: servers.collect(),
        grants,
        made_at: row.made_at,
    }
}

/// Fails before anything is written to the log; the store looks once more.
async fn check_free(core: &Core, id: &WorkspaceId, name: &str) -> Result<(), HostError> {
    let key = name.to_lowercase();
    let taken = core
        .store()
        .workspaces()
        .all()
        .await?
        .iter()
        .any(|row| row.id != *id && row.name.to_lowercase() == key);
    if taken {
        Err(StoreError::WorkspaceNameTaken {
            name: name.to_owned(),
        }
        .into())
    } else {
        Ok(())
    }
}

/// The name without spaces around it, if people can read it and tell it from others.
fn checked(name: &str) -> Result<String, HostError> {
    let (name, bad) = (name.trim(), |problem: &str| {
        Err(error::host(ErrorCode::BadName, problem))
    });
    if name.is_empty() {
        return bad("a workspace needs a name");
    }
    if name.chars().count() > LONGEST {
        return bad("a workspace's name has at most 64 characters");
    }
    if name.chars().any(char::is_control) || inspect::has_hidden(name) {
        return bad("a workspace's name cannot hold characters that nobody sees");
    }
    Ok(name.to_owned())
}

async fn record(core: &Core, surface: &Surface, event: Event) -> Result<(), HostError> {
    core.record_synced(surface.decided(core, event))
        .await
        .map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_what_a_person_can_read() {
        for good in [
            "Home",
            " Home ",
            "Café 2",
            "工作",
            "x",
            &"ä".repeat(64),
            "👩‍💻 code",
        ] {
            assert_eq!(checked(good).unwrap(), good.trim(), "{good:?}");
        }
        for bad in [
            "",
            "   ",
            "\u{200B}",
            "a\u{202E}b",
            "a\nb",
            "a\tb",
            "\u{3164}",
            &"x".repeat(65),
            "a\u{AD}b",
            "a\0",
        ] {
            assert_eq!(
                checked(bad).unwrap_err().code,
                ErrorCode::BadName,
                "{bad:?}"
            );
        }
    }
}
