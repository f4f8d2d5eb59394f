//! Folders of servers.

use crate::commands::roots;
use api::{AddRoot, HostError, RemoveRoot, ServerView};
use calls::Calls;
use servers::Surface;

pub(crate) async fn add_root(
    calls: &Calls,
    AddRoot {
        server,
        path,
        accept_protected,
    }: AddRoot,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    roots::add(calls, &server, &path, accept_protected, surface).await
}

pub(crate) async fn remove_root(
    calls: &Calls,
    RemoveRoot { server, path }: RemoveRoot,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    roots::remove(calls, &server, &path, surface).await
}
