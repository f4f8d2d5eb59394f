//! Servers: what is known of them, adding, reviewing, switching, removing.

use crate::commands::{clients, confinement, servers};
use ::calls::Calls;
use ::servers::confinement::look;
use ::servers::{Surface, era, runs};
use api::{
    AcceptReview, AddServer, ConfinementView, DisableServer, EditServer, EnableServer, HostError,
    ReadServerLog, ReadServerUsage, RemoveServer, RestartServer, Review, ReviewConfinement,
    ReviewDraft, ReviewServer, ServerLog, ServerUsage, ServerView, SetConfinement, SetEra, SetRuns,
    Snapshot, TakeSnapshot,
};

pub(crate) async fn snapshot(
    calls: &Calls,
    _: TakeSnapshot,
    _: &Surface,
) -> Result<Snapshot, HostError> {
    Ok(crate::snapshot::snapshot(calls).await)
}

pub(crate) async fn review_draft(
    calls: &Calls,
    ReviewDraft { draft }: ReviewDraft,
    _: &Surface,
) -> Result<Review, HostError> {
    servers::review_draft(calls, draft).await
}

pub(crate) async fn add_server(
    calls: &Calls,
    AddServer { draft }: AddServer,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    servers::add(calls, draft, surface).await
}

pub(crate) async fn edit_server(
    calls: &Calls,
    EditServer { server, draft }: EditServer,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    servers::edit(calls, &server, draft, surface).await
}

pub(crate) async fn review_server(
    calls: &Calls,
    ReviewServer { server }: ReviewServer,
    _: &Surface,
) -> Result<Review, HostError> {
    servers::review(calls, &server).await
}

pub(crate) async fn accept_review(
    calls: &Calls,
    AcceptReview { server, reviewed }: AcceptReview,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    servers::accept(calls, &server, &reviewed, surface).await
}

pub(crate) async fn enable_server(
    calls: &Calls,
    EnableServer { server, reviewed }: EnableServer,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    servers::enable(calls, &server, reviewed, surface).await
}

pub(crate) async fn disable_server(
    calls: &Calls,
    DisableServer { server }: DisableServer,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    servers::disable(calls, &server, surface).await
}

pub(crate) async fn restart_server(
    calls: &Calls,
    RestartServer { server }: RestartServer,
    _: &Surface,
) -> Result<ServerView, HostError> {
    servers::restart(calls, &server).await
}

pub(crate) async fn remove_server(
    calls: &Calls,
    RemoveServer { server }: RemoveServer,
    surface: &Surface,
) -> Result<(), HostError> {
    servers::remove(calls, &server, surface).await?;
    clients::forget_server(calls, &server).await
}

pub(crate) async fn server_log(
    calls: &Calls,
    ReadServerLog { server }: ReadServerLog,
    _: &Surface,
) -> Result<ServerLog, HostError> {
    calls.registry().log(&server)
}

pub(crate) async fn server_usage(
    calls: &Calls,
    ReadServerUsage {}: ReadServerUsage,
    _: &Surface,
) -> Result<Vec<ServerUsage>, HostError> {
    calls.usage().await
}

pub(crate) async fn set_era(
    calls: &Calls,
    SetEra { server, era }: SetEra,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    era::choose(calls, &server, era, surface).await
}

pub(crate) async fn set_runs(
    calls: &Calls,
    SetRuns { server, runs }: SetRuns,
    surface: &Surface,
) -> Result<ServerView, HostError> {
    runs::choose(calls, &server, runs, surface).await
}

pub(crate) async fn review_confinement(
    calls: &Calls,
    ReviewConfinement { server }: ReviewConfinement,
    _: &Surface,
) -> Result<ConfinementView, HostError> {
    look(calls, &server).await
}

pub(crate) async fn set_confinement(
    calls: &Calls,
    SetConfinement {
        server,
        settings,
        accept_protected,
    }: SetConfinement,
    surface: &Surface,
) -> Result<ConfinementView, HostError> {
    confinement::choose(calls, &server, settings, accept_protected, surface).await
}
