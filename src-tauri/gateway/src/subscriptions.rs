//! What a client wants to be told in a conversation beside what its calls do, and the resources that
//! are watched for that.
//!
//! Always true here:
//! - a resource is watched as long as its client wants to be told of it, and no longer than the
//!   conversation;
//! - they are bounded in number and in bytes.

use crate::notices::Wanted;
use crate::rpc_error::RpcError;
use host::Watch;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What a client wants to be told in a conversation.
#[derive(Default)]
pub(crate) struct Subscriptions {
    wanted: watch::Sender<Wanted>,
    watches: Mutex<BTreeMap<String, Watch>>,
}

impl Subscriptions {
    /// Follows what is wanted.
    pub(crate) fn follow(&self) -> watch::Receiver<Wanted> {
        self.wanted.subscribe()
    }

    /// Something else is wanted than before.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Wanted)) {
        self.wanted.send_modify(change);
    }

    /// A resource is wanted. Fails if there are too many, or its address is too long.
    pub(crate) fn want(&self, uri: String) -> Result<(), RpcError> {
        let mut checked = Ok(());
        self.wanted.send_if_modified(|wanted| {
            let mut more = wanted.clone();
            more.resource_subscriptions.insert(uri);
            checked = more.check();
            if checked.is_ok() {
                *wanted = more;
            }
            checked.is_ok()
        });
        checked
    }

    /// A resource is not wanted any more, and no longer watched for this client.
    pub(crate) fn end(&self, uri: &str) {
        self.change(|wanted| _ = wanted.resource_subscriptions.remove(uri));
        self.watches().remove(uri);
    }

    /// A resource is watched, unless its client has taken that back meanwhile.
    pub(crate) fn hold(&self, uri: String, watch: Watch) {
        let mut watches = self.watches();
        if self.wanted.borrow().resource_subscriptions.contains(&uri) {
            watches.insert(uri, watch);
        }
    }

    fn watches(&self) -> MutexGuard<'_, BTreeMap<String, Watch>> {
        self.watches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted_is_bounded_and_room_is_given_back() {
        let subscriptions = Subscriptions::default();
        for number in 0..Wanted::MOST {
            subscriptions.want(format!("note://{number}")).unwrap();
        }
        assert!(subscriptions.want("note://0".to_owned()).is_ok(), "again");
        assert!(subscriptions.want("note://more".to_owned()).is_err());
        subscriptions.end("note://0");
        assert!(subscriptions.want("note://more".to_owned()).is_ok());
        subscriptions.end("note://more");
        let long = format!("note://{}", "x".repeat(Wanted::LONGEST_URI));
        assert!(subscriptions.want(long).is_err());
    }
}
