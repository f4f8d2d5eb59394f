//! Who we are to a remote server. The host knows; this crate only asks.

use futures::future::BoxFuture;
use protocol::Secret;

/// Gives the token for requests to one server.
pub trait Authorization: Send + Sync + 'static {
    /// The token for the next request, made new if it has run out; none if nobody is signed in.
    fn token(&self) -> BoxFuture<'_, Option<Secret>>;

    /// The server refused a request: its status (401 or 403) and the values of `WWW-Authenticate`.
    /// True if there is another token now with which the request may be made once more.
    fn refused(&self, status: u16, challenge: Vec<String>) -> BoxFuture<'_, bool>;
}
