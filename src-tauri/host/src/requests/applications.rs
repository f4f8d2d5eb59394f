//! Other applications whose configurations are made to lead here.

use crate::commands::applications;
use api::{
    ApplicationView, Bypass, ConnectApplication, ConnectionPreview, DisconnectApplication,
    HostError, ListApplications, ListBypasses, PreviewConnection, PreviewDisconnection,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_applications(
    calls: &Calls,
    _: ListApplications,
    _: &Surface,
) -> Result<Vec<ApplicationView>, HostError> {
    applications::list(calls).await
}

pub(crate) async fn preview_connection(
    calls: &Calls,
    PreviewConnection {
        application,
        path,
        without,
    }: PreviewConnection,
    _: &Surface,
) -> Result<ConnectionPreview, HostError> {
    applications::preview(calls, application, path, without).await
}

pub(crate) async fn connect_application(
    calls: &Calls,
    request: ConnectApplication,
    surface: &Surface,
) -> Result<ApplicationView, HostError> {
    applications::connect(calls, request, surface).await
}

pub(crate) async fn preview_disconnection(
    calls: &Calls,
    PreviewDisconnection { application, path }: PreviewDisconnection,
    _: &Surface,
) -> Result<ConnectionPreview, HostError> {
    applications::preview_disconnection(calls, application, &path).await
}

pub(crate) async fn disconnect_application(
    calls: &Calls,
    DisconnectApplication {
        application,
        path,
        hash,
    }: DisconnectApplication,
    surface: &Surface,
) -> Result<ApplicationView, HostError> {
    applications::disconnect(calls, application, &path, &hash, surface).await
}

pub(crate) async fn list_bypasses(
    calls: &Calls,
    _: ListBypasses,
    _: &Surface,
) -> Result<Vec<Bypass>, HostError> {
    applications::bypasses(calls).await
}
