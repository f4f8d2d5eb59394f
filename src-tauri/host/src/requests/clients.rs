//! Other applications that may come in by the gateway.

use crate::commands::clients;
use api::{
    AddClient, ChangeClient, ClientView, DisconnectClient, GatewayView, HostError, ListClients,
    RemoveClient, SetClientToken,
};
use calls::Calls;
use servers::Surface;

pub(crate) async fn list_clients(
    calls: &Calls,
    _: ListClients,
    _: &Surface,
) -> Result<GatewayView, HostError> {
    Ok(clients::list(calls))
}

pub(crate) async fn add_client(
    calls: &Calls,
    AddClient { name }: AddClient,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    clients::add(calls, &name, surface).await
}

pub(crate) async fn set_client_token(
    calls: &Calls,
    SetClientToken { client, hash }: SetClientToken,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    clients::set_token(calls, &client, hash, surface).await
}

pub(crate) async fn change_client(
    calls: &Calls,
    ChangeClient { client, change }: ChangeClient,
    surface: &Surface,
) -> Result<ClientView, HostError> {
    clients::change(calls, &client, change, surface).await
}

pub(crate) async fn disconnect_client(
    calls: &Calls,
    DisconnectClient { client }: DisconnectClient,
    _: &Surface,
) -> Result<ClientView, HostError> {
    clients::disconnect(calls, &client)
}

pub(crate) async fn remove_client(
    calls: &Calls,
    RemoveClient { client }: RemoveClient,
    surface: &Surface,
) -> Result<(), HostError> {
    clients::remove(calls, &client, surface).await
}
