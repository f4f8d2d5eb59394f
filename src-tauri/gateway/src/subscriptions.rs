//! What a client wants to be told in a conversation beside what its calls do, and the resources that
//! are watched for that.
//!
//! Always true here:
//! - a resource is watched as long as its client wants to be told of it, and no longer than the
//!   conversation;
//! - a client is told of those that are watched for it, and of none that it was refused or that
//!   another server has at the same address;
//! - they are bounded in number and in bytes.

use crate::notices::Wanted;
use crate::rpc_error::RpcError;
use host::Watch;
use protocol::ServerId;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What a client wants to be told in a conversation.
#[derive(Default)]
pub(crate) struct Subscriptions {
    wanted: watch::Sender<Wanted>,
    watches: Mutex<BTreeMap<String, (Watch, Place)>>,
    watched: Watched,
}

/// Where a resource is: the key of its server, and its address there.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    server: String,
    uri: String,
}

/// The resources that are watched for a client, and the address by which it knows each. Clones are
/// the same ones.
#[derive(Clone, Default)]
pub(crate) struct Watched(Arc<Mutex<BTreeMap<Place, String>>>);

impl Place {
    pub(crate) fn of(server: &ServerId, uri: String) -> Self {
        Self {
            server: server.key(),
            uri,
        }
    }
}

impl Watched {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<Place, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One is watched from now on.
    pub(crate) fn add(&self, place: Place, shown: String) {
        self.lock().insert(place, shown);
    }

    /// The address by which the client knows one, if it is watched.
    pub(crate) fn shown(&self, place: &Place) -> Option<String> {
        self.lock().get(place).cloned()
    }

    /// The addresses by which the client knows them.
    pub(crate) fn all(&self) -> Vec<String> {
        self.lock().values().cloned().collect()
    }
}

impl Subscriptions {
    /// Follows what is wanted.
    pub(crate) fn follow(&self) -> watch::Receiver<Wanted> {
        self.wanted.subscribe()
    }

    /// What is watched of that.
    pub(crate) fn watched(&self) -> Watched {
        self.watched.clone()
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
        if let Some((_, place)) = self.watches().remove(uri) {
            self.watched.lock().remove(&place);
        }
    }

    /// A resource is watched, unless its client has taken that back meanwhile.
    pub(crate) fn hold(&self, uri: String, (watch, place): (Watch, Place)) {
        let mut watches = self.watches();
        if self.wanted.borrow().resource_subscriptions.contains(&uri) {
            self.watched.add(place.clone(), uri.clone());
            watches.insert(uri, (watch, place));
        }
    }

    fn watches(&self) -> MutexGuard<'_, BTreeMap<String, (Watch, Place)>> {
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
