//! Answers a confined server for the hosts that a person has listed for it.
//!
//! The server is alone in a network of its own. What it looks up there is answered here ([`dns`]),
//! by an address of that network for each name; and where it connects to such an address, the host
//! connects to the name and passes on what is said ([`forward`]). So the server needs to know of no
//! proxy, and gets no address outside.
//!
//! Always true here:
//! - nothing is reached that is not listed, name and port; what else is asked for is noted;
//! - a name is resolved by the host when it is connected to, and goes out by the host's one way out;
//! - all that a server can make grow has a bound, and everything ends with the server.

mod dns;
mod forward;
mod names;

use crate::pace::Pace;
use crate::{Confinement, HostUses};
use egress::Egress;
use names::Names;
use std::io;
use std::net::{TcpListener, UdpSocket};
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::Semaphore;
use tokio::time::{Instant, sleep};
use tokio_util::sync::{CancellationToken, DropGuard};

/// The connections of one server at once. More of them wait.
const MOST_CONNECTIONS: usize = 128;

/// Those of one server, answered until this is dropped.
pub(super) struct ListedHosts {
    _until_dropped: DropGuard,
}

/// What the tasks of one server share.
struct Shared {
    names: Mutex<Names>,
    egress: Egress,
    uses: HostUses,
    connections: Arc<Semaphore>,
    pace: Mutex<Pace>,
}

impl Shared {
    /// Has the server pay for what it asked. Whoever asks for too much at once waits.
    async fn pay(&self, price: Duration) {
        let now = Instant::now().into_std();
        let wait = self
            .pace
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pay(price, now);
        if !wait.is_zero() {
            sleep(wait).await;
        }
    }
}

impl ListedHosts {
    /// Answers on sockets of the server's network: the first for names, the others for connections.
    /// Without any there is nothing to be answered.
    pub(super) fn serve(sockets: Vec<OwnedFd>, confinement: &Confinement) -> io::Result<Self> {
        let ended = CancellationToken::new();
        let shared = Arc::new(Shared {
            names: Mutex::new(Names::new(confinement.hosts.clone())),
            egress: confinement.egress.clone(),
            uses: confinement.uses.clone(),
            connections: Arc::new(Semaphore::new(MOST_CONNECTIONS)),
            pace: Mutex::new(Pace::new(Instant::now().into_std())),
        });
        let mut sockets = sockets.into_iter();
        if let Some(socket) = sockets.next() {
            let socket = UdpSocket::from(socket);
            socket.set_nonblocking(true)?;
            let socket = tokio::net::UdpSocket::from_std(socket)?;
            let answering = dns::answer(socket, Arc::clone(&shared));
            tokio::spawn(ended.clone().run_until_cancelled_owned(answering));
        }
        for socket in sockets {
            let listener = TcpListener::from(socket);
            listener.set_nonblocking(true)?;
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let accepting = forward::accept(listener, Arc::clone(&shared), ended.clone());
            tokio::spawn(ended.clone().run_until_cancelled_owned(accepting));
        }
        Ok(Self {
            _until_dropped: ended.drop_guard(),
        })
    }
}
