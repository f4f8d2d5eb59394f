//! What carries messages to a server: a pipe, or requests over HTTP. What comes back goes to the
//! [`Dispatcher`](crate::conversation::Dispatcher).

use crate::ConnectionError;
use futures::future::BoxFuture;

/// One message on its way to a server.
#[derive(Debug)]
pub(crate) struct Outgoing {
    /// The message as JSON, on one line.
    pub(crate) body: Vec<u8>,
    /// What it is, for carriers that treat kinds differently.
    pub(crate) kind: Kind,
}

/// What a message is.
#[derive(Debug)]
pub(crate) enum Kind {
    /// Something that is answered.
    Request {
        /// Our number of it.
        id: u64,
        /// What is asked.
        method: &'static str,
        /// The tool, prompt, resource or task that it is about.
        name: Option<String>,
        /// Arguments that also travel as headers (`x-mcp-header`): the header's name without its
        /// prefix, and the value.
        parameters: Vec<(String, String)>,
    },
    /// Something that is not answered.
    Notification {
        /// What is told.
        method: &'static str,
    },
    /// The answer to something that the server asked.
    Reply,
}

/// Carries messages to one server.
pub(crate) trait Carrier: Send + Sync + 'static {
    /// Hands a message over. An error means that it did not leave; what goes wrong later with a
    /// request is told to the dispatcher.
    fn send(&self, message: Outgoing) -> BoxFuture<'_, Result<(), ConnectionError>>;

    /// Nobody waits for the answer to this request any more. True if the server learns of it by
    /// that alone.
    fn withdraw(&self, _id: u64) -> bool {
        false
    }

    /// The two sides have agreed on a revision; from now on it is said with every message, where
    /// the carrier does so.
    fn agreed(&self, _revision: &str) {}

    /// What the server calls the session, where there is one. Whoever knows it can speak in it.
    fn session(&self) -> Option<String> {
        None
    }

    /// Says goodbye, as far as the carrier has a way to.
    fn close(&self) -> BoxFuture<'_, ()>;
}
