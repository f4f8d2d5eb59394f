//! Workspaces.

use crate::workspaces;
use api::{
    AddWorkspace, HostError, ListWorkspaces, RemoveWorkspace, RenameWorkspace, SwitchWorkspace,
    WorkspaceView,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_workspaces(
    calls: &Calls,
    _: ListWorkspaces,
    _: &Surface,
) -> Result<Vec<WorkspaceView>, HostError> {
    workspaces::views(calls).await
}

pub(crate) async fn add_workspace(
    calls: &Calls,
    AddWorkspace { name, like }: AddWorkspace,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    workspaces::add(calls, &name, like, surface).await
}

pub(crate) async fn rename_workspace(
    calls: &Calls,
    RenameWorkspace { workspace, name }: RenameWorkspace,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    workspaces::rename(calls, &workspace, &name, surface).await
}

pub(crate) async fn remove_workspace(
    calls: &Calls,
    RemoveWorkspace { workspace }: RemoveWorkspace,
    surface: &Surface,
) -> Result<(), HostError> {
    workspaces::remove(calls, &workspace, surface).await
}

pub(crate) async fn switch_workspace(
    calls: &Calls,
    SwitchWorkspace { workspace }: SwitchWorkspace,
    surface: &Surface,
) -> Result<WorkspaceView, HostError> {
    workspaces::switch(calls, &workspace, surface).await
}
