//! The oldest way (2024-11-05): one stream on which the server says everything, and an address that
//! it names there for requests.

use super::address::{Address, Refused, Seen, posted, streamed};
use super::events::Events;
use crate::ConnectionError;
use crate::carrier::{Carrier, Outgoing};
use crate::ending::{Ending, Why};
use egress::{Method, Response, Url};
use futures::future::BoxFuture;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// Bytes that may come before the address does.
const BEGINNING: usize = 16 * 1024 * 1024;

/// The carrier.
pub(super) struct Oldest {
    address: Arc<Address>,
    place: watch::Receiver<Option<Place>>,
    reading: AbortHandle,
}

/// Where requests go, or why there is no such place.
type Place = Result<Url, Arc<ConnectionError>>;

impl Oldest {
    pub(super) fn new(address: Address, ending: Arc<Ending>) -> Self {
        let address = Arc::new(address);
        let (found, place) = watch::channel(None);
        let reading = tokio::spawn({
            let address = Arc::clone(&address);
            async move {
                if let Err(error) = read(&address, &found).await {
                    found.send_if_modified(|place| {
                        place.is_none() && place.replace(Err(Arc::new(error))).is_none()
                    });
                }
                // Whoever could not begin is told why; all others have lost their server.
                if matches!(*found.borrow(), Some(Ok(_))) {
                    ending.end(Why::Lost { status: None });
                }
            }
        });
        Self {
            address,
            place,
            reading: reading.abort_handle(),
        }
    }
}

impl Carrier for Oldest {
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>> {
        Box::pin(async move {
            let mut place = self.place.clone();
            let lost = || ConnectionError::ConnectionLost { status: None };
            let place = place
                .wait_for(Option::is_some)
                .await
                .map_err(|_| lost())?
                .clone();
            let place = match place.ok_or_else(lost)? {
                Ok(place) => place,
                Err(error) => return Err(again(&error)),
            };
            let sent = self
                .address
                .send(Method::POST, &place, posted(), Some(message.body.into()))
                .await?;
            sent.map(|_| ()).map_err(Refused::error)
        })
    }

    fn close(&self) -> BoxFuture<'_, ()> {
        self.reading.abort();
        Box::pin(async {})
    }
}

impl Drop for Oldest {
    fn drop(&mut self) {
        self.reading.abort();
    }
}

async fn read(
    address: &Address,
    found: &watch::Sender<Option<Place>>,
) -> Result<(), ConnectionError> {
    let response = address
        .send(Method::GET, &address.url, streamed(), None)
        .await?
        .map_err(Refused::error)?;
    let response = endpoint(address, response, found).await?;
    address.events(response, &mut Seen::default()).await
}

/// Reads up to the event that names the address for requests. It must lie at the same origin.
async fn endpoint(
    address: &Address,
    mut response: Response,
    found: &watch::Sender<Option<Place>>,
) -> Result<Response, ConnectionError> {
    let mut events = Events::new(BEGINNING);
    let none = || ConnectionError::NotProtocol { first_line: None };
    while let Some(piece) = response.chunk(None).await? {
        let mut rest = events.push(&piece)?.into_iter();
        let Some(first) = rest.next() else { continue };
        let place = address
            .url
            .join(&first.data)
            .ok()
            .filter(|_| first.name == "endpoint")
            .ok_or_else(none)?;
        if place.origin() != address.url.origin() {
            return Err(ConnectionError::Redirected {
                origin: place.origin().ascii_serialization(),
            });
        }
        found.send_replace(Some(Ok(place)));
        // What follows in the same piece belongs to the conversation already.
        for event in rest {
            address.dispatcher.take(event.data.as_bytes()).await?;
        }
        return Ok(response);
    }
    Err(none())
}

/// The same failure for everyone who waited.
fn again(error: &ConnectionError) -> ConnectionError {
    match error {
        ConnectionError::HttpStatus { status } => ConnectionError::HttpStatus { status: *status },
        ConnectionError::NeedsSignIn { status, challenge } => ConnectionError::NeedsSignIn {
            status: *status,
            challenge: challenge.clone(),
        },
        ConnectionError::Redirected { origin } => ConnectionError::Redirected {
            origin: origin.clone(),
        },
        ConnectionError::NotProtocol { first_line } => ConnectionError::NotProtocol {
            first_line: first_line.clone(),
        },
        other => ConnectionError::Unreachable {
            problem: other.to_string(),
        },
    }
}
