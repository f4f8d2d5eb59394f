//! The door of other applications over HTTP: 127.0.0.1, at a port that stays the same.
//!
//! Always true here:
//! - nothing is bound before a client has a token;
//! - of one client there are only so many connections;
//! - who comes without a client's token is read no further than its header, and a page of any origin
//!   is turned away.

use crate::accept::{Answers, accept, over};
use crate::guard::{Guard, client_of};
use crate::guests::Guests;
use crate::response::{self, Response};
use crate::strangers::{Stranger, Strangers};
use gateway::{Endpoint, Gateway};
use host::Host;
use host::api::gateway_address;
use hyper::body::Incoming;
use hyper::{Request, StatusCode, header};
use std::io;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::sleep;

/// The port that is taken first, if nothing else has it.
const PORT: u16 = 41_807;
/// How long after the port was not free it is tried again.
const AGAIN: Duration = Duration::from_secs(5);

/// Opens the door once a client has a token, and serves there until `ended`.
pub(crate) async fn open_when_needed(host: Host, ended: watch::Receiver<bool>) {
    let mut changed = host.clients().changed();
    tokio::select! {
        () = over(ended.clone()) => return,
        // The sender lives as long as the host.
        _ = changed.wait_for(|()| host.clients().has_token()) => {}
    }
    let Some((listener, port)) = listening(&host, &ended).await else {
        return;
    };
    host.clients().set_address(Some(gateway_address(port)));
    let guard = Guard::of_clients(port);
    let door = Arc::new(ClientsDoor {
        gateway: Gateway::new(host.clone()),
        host: host.clone(),
        guard,
        guests: Guests::default(),
    });
    let serving = accept(
        listener,
        door.clone().answers(),
        Strangers::default(),
        ended.clone(),
    );
    tokio::join!(serving, async {
        over(ended).await;
        door.gateway.end();
    });
    host.clients().set_address(None);
}

/// Listens as soon as it can: another program may have the port. Nothing, if `ended` comes first.
async fn listening(host: &Host, ended: &watch::Receiver<bool>) -> Option<(TcpListener, u16)> {
    let mut is_said = false;
    loop {
        match listen(host).await {
            Ok(listening) => return Some(listening),
            Err(problem) if !is_said => {
                is_said = true;
                tracing::error!(%problem, "other applications cannot come in over HTTP yet");
            }
            Err(_) => {}
        }
        tokio::select! {
            () = over(ended.clone()) => return None,
            () = sleep(AGAIN) => {}
        }
    }
}

/// The port of before, so that what is written in clients stays true; the first time any.
async fn listen(host: &Host) -> io::Result<(TcpListener, u16)> {
    let bind = |port| TcpListener::bind((Ipv4Addr::LOCALHOST, port));
    if let Some(port) = host.gateway_port().await {
        return Ok((bind(port).await?, port));
    }
    let listener = match bind(PORT).await {
        Ok(listener) => listener,
        Err(_) => bind(0).await?,
    };
    let port = listener.local_addr()?.port();
    host.keep_gateway_port(port).await;
    Ok((listener, port))
}

struct ClientsDoor {
    host: Host,
    gateway: Arc<Gateway>,
    guard: Guard,
    guests: Guests,
}

impl ClientsDoor {
    fn answers(self: Arc<Self>) -> impl Answers {
        move |request, stranger: Arc<Stranger>| {
            let door = self.clone();
            async move { door.answer(request, &stranger).await }
        }
    }

    async fn answer(&self, request: Request<Incoming>, stranger: &Stranger) -> Response {
        if let Err(status) = self.guard.check_place(request.headers()) {
            return response::empty(status);
        }
        let Some((client, admitted)) = client_of(self.host.clients(), request.headers()) else {
            let has_token = request.headers().contains_key(header::AUTHORIZATION);
            return response::unknown(has_token);
        };
        if !stranger.is_known(&admitted) {
            // The connection is being closed: nothing is begun whose end nobody would hear of.
            return response::empty(StatusCode::SERVICE_UNAVAILABLE);
        }
        if !stranger.has_place(|| self.guests.enter(&client)) {
            return response::last(StatusCode::TOO_MANY_REQUESTS);
        }
        let Some(endpoint) = Endpoint::at(request.uri().path()) else {
            return response::empty(StatusCode::NOT_FOUND);
        };
        response::guarded(self.gateway.answer(&client, endpoint, request).await)
    }
}
