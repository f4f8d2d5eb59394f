//! What a server may ask or tell its host. The host answers; this crate only carries the words.

use crate::ConnectionError;
use futures::future::BoxFuture;
use protocol::{Form, FormAnswer};

/// A folder that a server is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// A `file:` address.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}

/// One connection's ear. Nothing in here may block; long work goes into the returned futures or a task.
///
/// A future that is dropped was not needed any more: the server took its question back, or is gone.
pub trait ServerAsks: Send + Sync + 'static {
    /// Which folders? (`roots/list`)
    fn roots(&self) -> BoxFuture<'_, Vec<Root>>;
    /// Will a person fill this in? (`elicitation/create`, form mode)
    fn form(&self, form: Form) -> BoxFuture<'_, FormAnswer>;
    /// The list of tools is not what it was.
    fn tools_changed(&self);
    /// Lines of standard error, as they come, in batches.
    fn wrote(&self, lines: Vec<String>);
    /// The connection ended by itself. Not told after [`crate::Connection::stop`].
    fn ended(&self, why: ConnectionError);
}
