//! A client that comes by `majordomoctl bridge`: after one request its connection belongs to it, and
//! carries its lines.

use crate::accept::over;
use crate::response::{self, Response};
use api::ClientCarrier;
use gateway::{Endpoint, serve_line};
use host::Host;
use hyper::body::Incoming;
use hyper::header::{self, HeaderValue};
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use protocol::CallerId;
use tokio::sync::watch;

/// The beginning of its path; the client's id stands behind it.
pub(crate) const PATH: &str = "/bridge/";

/// What the connection becomes.
pub(crate) const PROTOCOL: &str = "mcp-lines";

/// The header that names one server, for a client that is to have the tools of no other.
pub(crate) const SERVER: &str = "x-majordomo-server";

/// Hands the connection of a request over to a client. After the serving has ended it is served until
/// what is under way is answered.
pub(crate) async fn answer(
    host: &Host,
    mut request: Request<Incoming>,
    ending: watch::Receiver<bool>,
) -> Response {
    let id = request.uri().path().strip_prefix(PATH).unwrap_or_default();
    let Ok(id) = id.parse::<CallerId>() else {
        return response::empty(StatusCode::NOT_FOUND);
    };
    let Some(endpoint) = endpoint(&request) else {
        return response::empty(StatusCode::BAD_REQUEST);
    };
    let wanted = request.headers().get(header::UPGRADE);
    if wanted.is_none_or(|wanted| wanted != PROTOCOL) {
        return response::empty(StatusCode::UPGRADE_REQUIRED);
    }
    let client = match host.admit(&id, ClientCarrier::Bridge).await {
        Ok(client) => client,
        Err(error) => return response::failed(&error),
    };
    let (host, upgrade) = (host.clone(), hyper::upgrade::on(&mut request));
    tokio::spawn(async move {
        let Ok(stream) = upgrade.await else { return };
        let (stream, until) = (TokioIo::new(stream), over(ending.clone()));
        serve_line(host, client, endpoint, stream, until).await;
        // Whoever ends the serving waits until nobody has this any more.
        drop(ending);
    });
    let mut answer = response::empty(StatusCode::SWITCHING_PROTOCOLS);
    let headers = answer.headers_mut();
    headers.insert(header::CONNECTION, HeaderValue::from_static("upgrade"));
    headers.insert(header::UPGRADE, HeaderValue::from_static(PROTOCOL));
    answer
}

fn endpoint(request: &Request<Incoming>) -> Option<Endpoint> {
    let Some(server) = request.headers().get(SERVER) else {
        return Some(Endpoint::All);
    };
    let server = protocol::ServerId::parse(server.to_str().ok()?).ok()?;
    Some(Endpoint::Of(server))
}
