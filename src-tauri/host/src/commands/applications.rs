//! Other applications whose configurations are made to lead here, and what they do past Majordomo.
//!
//! Always true here:
//! - what a person decided is in the log before a file is written;
//! - a client that was made for an application goes with the connection, and with everything that
//!   it was allowed.

use crate::commands::clients;
use crate::options::default_data_dir;
use api::{
    Application, ApplicationView, Bypass, ConnectApplication, ConnectionPreview, HostError,
    HostEvent,
};
use calls::Calls;
use protocol::{CallerId, Fingerprint};
use servers::Surface;
use servers::connect::{self, Planned, Wanted};
use store::{Event, GatewayClientRow};

/// Those that are installed, and how they stand.
pub(crate) async fn list(calls: &Calls) -> Result<Vec<ApplicationView>, HostError> {
    let here = clients::own_address(calls).await;
    connect::applications(calls, seen(calls), here).await
}

/// What they do past Majordomo.
pub(crate) async fn bypasses(calls: &Calls) -> Result<Vec<Bypass>, HostError> {
    connect::bypasses(calls, clients::own_address(calls).await).await
}

/// What connecting one would change.
pub(crate) async fn preview(
    calls: &Calls,
    application: Application,
    path: String,
    without: Vec<String>,
) -> Result<ConnectionPreview, HostError> {
    let client = client_for(calls, application, &path).await?;
    let planned = planned(calls, application, path, without, client.row()).await?;
    Ok(planned.preview())
}

/// Connects one, as it was shown.
pub(crate) async fn connect(
    calls: &Calls,
    request: ConnectApplication,
    surface: &Surface,
) -> Result<ApplicationView, HostError> {
    let ConnectApplication {
        application,
        path,
        without,
        hash,
    } = request;
    let _turn = calls.workspace_turn().await;
    let client = client_for(calls, application, &path).await?;
    let id = client.row().id.clone();
    let planned = planned(
        calls,
        application,
        path.clone(),
        without.clone(),
        client.row(),
    )
    .await?;
    planned.check(&hash)?;
    let event = Event::ApplicationConnected {
        application,
        path: path.clone(),
        client: id.clone(),
        without,
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    let made = match client {
        ComesInAs::New(row) => {
            clients::let_in(calls, row.clone(), surface).await?;
            Some(row)
        }
        ComesInAs::Known(_) => None,
    };
    if let Err(problem) = planned.carry_out(calls).await {
        disconnected(calls, application, &path, Some(id), surface).await?;
        if let Some(row) = made {
            clients::let_go(calls, row, surface).await?;
        }
        return Err(problem);
    }
    calls.publish(HostEvent::ClientsChanged);
    view(calls, application, &path).await
}

/// What taking a connection back would change.
pub(crate) async fn preview_disconnection(
    calls: &Calls,
    application: Application,
    path: &str,
) -> Result<ConnectionPreview, HostError> {
    let name = called(calls, application, path).await?;
    let planned = connect::disconnection(calls, application, path, name).await?;
    Ok(planned.preview())
}

/// Takes a connection back, as it was shown.
pub(crate) async fn disconnect(
    calls: &Calls,
    application: Application,
    path: &str,
    hash: &Fingerprint,
    surface: &Surface,
) -> Result<ApplicationView, HostError> {
    let _turn = calls.workspace_turn().await;
    let name = called(calls, application, path).await?;
    let planned = connect::disconnection(calls, application, path, name).await?;
    planned.check(hash)?;
    let made = connect::client_of(calls, application, path).await?;
    disconnected(calls, application, path, made.clone(), surface).await?;
    planned.carry_out(calls).await?;
    if let Some(row) = made.and_then(|id| clients::known(calls, &id)) {
        clients::let_go(calls, row, surface).await?;
    }
    calls.publish(HostEvent::ClientsChanged);
    view(calls, application, path).await
}

/// One of them, and how it stands.
async fn view(
    calls: &Calls,
    application: Application,
    path: &str,
) -> Result<ApplicationView, HostError> {
    let here = clients::own_address(calls).await;
    connect::view(calls, application, path, seen(calls), here).await
}

/// Those that may come in, and when they did last.
fn seen(calls: &Calls) -> Vec<connect::Client> {
    let all = calls.clients().all(calls.now()).into_iter();
    all.map(|client| connect::Client {
        id: client.row.id,
        added_at: client.row.added_at,
        seen_at: client.row.seen_at,
    })
    .collect()
}

async fn disconnected(
    calls: &Calls,
    application: Application,
    path: &str,
    client: Option<CallerId>,
    surface: &Surface,
) -> Result<(), HostError> {
    let event = Event::ApplicationDisconnected {
        application,
        path: path.to_owned(),
        client,
    };
    calls.record_synced(surface.decided(calls, event)).await?;
    Ok(())
}

/// As which client an application comes in.
enum ComesInAs {
    /// As before.
    Known(GatewayClientRow),
    /// As one that is made for it.
    New(GatewayClientRow),
}

impl ComesInAs {
    fn row(&self) -> &GatewayClientRow {
        let (Self::Known(row) | Self::New(row)) = self;
        row
    }
}

async fn client_for(
    calls: &Calls,
    application: Application,
    path: &str,
) -> Result<ComesInAs, HostError> {
    let known = connect::client_of(calls, application, path).await?;
    if let Some(row) = known.and_then(|id| clients::known(calls, &id)) {
        return Ok(ComesInAs::Known(row));
    }
    let name = clients::free_name(calls, connect::name(application));
    Ok(ComesInAs::New(clients::new_row(calls, &name)?))
}

/// What the client is called, or would be.
async fn called(calls: &Calls, application: Application, path: &str) -> Result<String, HostError> {
    let known = connect::client_of(calls, application, path).await?;
    let row = known.and_then(|id| clients::known(calls, &id));
    Ok(row.map_or_else(|| connect::name(application).to_owned(), |row| row.name))
}

async fn planned(
    calls: &Calls,
    application: Application,
    path: String,
    without: Vec<String>,
    client: &GatewayClientRow,
) -> Result<Planned, HostError> {
    let mut args = Vec::new();
    let data_dir = calls.store().dir();
    if default_data_dir().as_deref() != Some(data_dir) {
        args.extend([
            "--data-dir".to_owned(),
            data_dir.to_string_lossy().into_owned(),
        ]);
    }
    args.extend(["bridge".into(), "--client".into(), client.id.to_string()]);
    let wanted = Wanted {
        application,
        path,
        without,
        client: client.id.clone(),
        name: client.name.clone(),
        args,
    };
    connect::connection(calls, wanted).await
}
