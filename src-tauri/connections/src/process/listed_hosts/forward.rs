//! Passes a server's connections on to the hosts that it means.

use super::Shared;
use crate::HostOutcome;
use egress::{EgressError, Reach};
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, PoisonError};
use std::time::Duration;
use tokio::io::copy_bidirectional_with_sizes;
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;

/// How much of each direction is held at once, in bytes.
const BUFFER: usize = 64 * 1024;
/// What a connection costs until it stands: with its question, a hundred may come each second for
/// long, and two thousand at once.
const PRICE: Duration = Duration::from_micros(200);
/// How soon accepting is tried again after it failed, as when the host has no more files.
const AGAIN: Duration = Duration::from_millis(100);

/// Takes connections at one port, for as long as it is polled; each goes on until it ends, or the
/// server does.
pub(super) async fn accept(listener: TcpListener, shared: Arc<Shared>, ended: CancellationToken) {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(AGAIN).await;
            continue;
        };
        // It is never closed.
        let Ok(room) = Arc::clone(&shared.connections).acquire_owned().await else {
            return;
        };
        let of_server = Arc::clone(&shared);
        let forwarding = async move {
            forward(stream, &of_server).await;
            drop(room);
        };
        tokio::spawn(ended.clone().run_until_cancelled_owned(forwarding));
        shared.pay(PRICE).await;
    }
}

async fn forward(mut near: TcpStream, shared: &Shared) {
    let Ok(SocketAddr::V4(meant)) = near.local_addr() else {
        return;
    };
    let port = meant.port();
    let (host, is_listed, listed_addresses) = {
        let names = shared.names.lock().unwrap_or_else(PoisonError::into_inner);
        let host = names.host_at(*meant.ip(), port);
        let is_listed = names.is_listed(&host, port);
        (host, is_listed, names.addresses(port))
    };
    let note = |outcome, problem| shared.uses.note(&host, Some(port), outcome, problem);
    if !is_listed {
        note(HostOutcome::NotListed, None);
        return reset(near);
    }
    let reach = Reach::Listed {
        addresses: listed_addresses.into_iter().map(IpAddr::from).collect(),
    };
    let mut far = match shared.egress.connect(&host, port, &reach).await {
        Ok(far) => far,
        Err(error) => {
            let outcome = match error {
                EgressError::Forbidden { .. } => HostOutcome::Forbidden,
                _ => HostOutcome::Unreachable,
            };
            note(outcome, Some(error.to_string()));
            return reset(near);
        }
    };
    note(HostOutcome::Reached, None);
    let _ = near.set_nodelay(true);
    // Each half is closed when the other side has closed its own.
    let copied = copy_bidirectional_with_sizes(&mut near, &mut far, BUFFER, BUFFER).await;
    if copied.is_err() {
        reset(near);
    }
}

/// Closes a connection so that it does not look as if the host had said all that it had to say.
fn reset(stream: TcpStream) {
    // Otherwise it ends as any other.
    let _ = stream.set_zero_linger();
}
