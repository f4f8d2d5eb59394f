//! Who hears of the changes of resources: a server is asked to tell of one when the first wants to
//! hear of it, and not to tell any more after the last.
//!
//! Always true here:
//! - what a server is asked about resources it is asked one after the other, so that the last word
//!   about each is the one that holds;
//! - who stops waiting, or lets go of what they were given, leaves no subscription behind.

use super::list::offered;
use super::request::plain;
use super::{Connection, Inner};
use crate::ConnectionError;
use crate::conversation::Ask;
use policy::SubscribeResource;
use protocol::Era;
use serde_json::Map;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{mpsc, oneshot, watch};

/// The resources that are watched on a connection.
#[derive(Debug)]
pub(super) struct Watches {
    /// How many watch each.
    watched: watch::Sender<BTreeMap<String, usize>>,
    /// Those that are watched until that is taken back.
    kept: Mutex<BTreeMap<String, Watch>>,
    changes: mpsc::UnboundedSender<Change>,
    /// Until somebody makes them.
    asked: Mutex<Option<Changes>>,
}

type Changes = mpsc::UnboundedReceiver<Change>;

/// Somebody watches a resource: its server tells of its changes as long as this is held.
#[derive(Debug)]
#[must_use = "the resource is not watched any more once this is dropped"]
pub struct Watch {
    /// Nothing once it has ended.
    uri: Option<String>,
    changes: mpsc::UnboundedSender<Change>,
}

/// One who watches a resource more, or one less.
#[derive(Debug)]
enum Change {
    More(String, oneshot::Sender<Result<Watch, ConnectionError>>),
    /// Whoever waits for that is told when the server was.
    Less(String, Option<oneshot::Sender<()>>),
}

impl Default for Watches {
    fn default() -> Self {
        let (changes, asked) = mpsc::unbounded_channel();
        Self {
            watched: watch::Sender::default(),
            kept: Mutex::default(),
            changes,
            asked: Mutex::new(Some(asked)),
        }
    }
}

impl Watches {
    /// The addresses of those that anybody watches.
    pub(super) fn watched(&self) -> Vec<String> {
        self.watched.borrow().keys().cloned().collect()
    }

    /// The addresses of those that are watched until that is taken back.
    pub(super) fn kept(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }

    /// Follows what is watched.
    pub(super) fn follow(&self) -> watch::Receiver<BTreeMap<String, usize>> {
        self.watched.subscribe()
    }

    /// Watches until that is taken back.
    pub(super) fn keep(&self, watch: Watch) {
        if let Some(uri) = watch.uri.clone() {
            self.lock().insert(uri, watch);
        }
    }

    /// Takes back what was kept, and waits until its server has heard of it.
    pub(super) async fn take_back(&self, uri: &str) {
        let kept = self.lock().remove(uri);
        if let Some(watch) = kept {
            watch.end().await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Watch>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch {
    async fn end(mut self) {
        let (told, heard) = oneshot::channel();
        if let Some(uri) = self.uri.take() {
            // With the connection the watching has ended, too.
            let _ = self.changes.send(Change::Less(uri, Some(told)));
        }
        let _ = heard.await;
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if let Some(uri) = self.uri.take() {
            // With the connection the watching has ended, too.
            let _ = self.changes.send(Change::Less(uri, None));
        }
    }
}

/// Has the server tell when a resource changes.
pub(super) async fn watch(
    inner: &Inner,
    SubscribeResource { uri }: SubscribeResource,
) -> Result<Watch, ConnectionError> {
    offered(
        inner.initialize_result.capabilities.watch,
        "changes of resources",
    )?;
    let (reply, watching) = oneshot::channel();
    let over = || Err(inner.ending.error());
    match inner.watches.changes.send(Change::More(uri, reply)) {
        Ok(()) => watching.await.unwrap_or_else(|_| over()),
        Err(_) => over(),
    }
}

/// Makes the changes from now on, in a task of its own that ends with the connection.
pub(super) fn begin(connection: &Connection) {
    let asked = &connection.0.watches.asked;
    let asked = asked.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(changes) = asked {
        let renewals = connection.0.conversation.renewals();
        tokio::spawn(make(Arc::downgrade(&connection.0), changes, renewals));
    }
}

async fn make(connection: Weak<Inner>, mut changes: Changes, mut renewals: watch::Receiver<u32>) {
    loop {
        let Some(ending) = connection.upgrade().map(|inner| Arc::clone(&inner.ending)) else {
            return;
        };
        let change = tokio::select! {
            change = changes.recv() => change,
            renewed = renewals.changed() => match renewed {
                Ok(()) => None,
                Err(_) => return,
            },
            () = ending.over() => return,
        };
        let Some(inner) = connection.upgrade() else {
            return;
        };
        match change {
            Some(Change::More(uri, reply)) => {
                // Who does not wait any more drops it in this moment.
                let _ = reply.send(more(&inner, uri).await);
            }
            Some(Change::Less(uri, told)) => {
                less(&inner, &uri).await;
                if let Some(told) = told {
                    let _ = told.send(());
                }
            }
            None => again(&inner).await,
        }
    }
}

async fn more(inner: &Inner, uri: String) -> Result<Watch, ConnectionError> {
    let watches = &inner.watches;
    if !watches.watched.borrow().contains_key(&uri) {
        ask(inner, "resources/subscribe", &uri).await?;
    }
    let is_first = |watched: &mut BTreeMap<String, usize>| {
        let count = watched.entry(uri.clone()).or_default();
        *count += 1;
        *count == 1
    };
    watches.watched.send_if_modified(is_first);
    Ok(Watch {
        uri: Some(uri),
        changes: watches.changes.clone(),
    })
}

async fn less(inner: &Inner, uri: &str) {
    let is_last = |watched: &mut BTreeMap<String, usize>| match watched.get_mut(uri) {
        Some(count) if *count > 1 => {
            *count -= 1;
            false
        }
        Some(_) => watched.remove(uri).is_some(),
        None => false,
    };
    if inner.watches.watched.send_if_modified(is_last)
        && let Err(error) = ask(inner, "resources/unsubscribe", uri).await
    {
        tracing::debug!(%error, "a server goes on to tell of a resource");
    }
}

/// Asks for every watched resource once more: the server was greeted anew.
async fn again(inner: &Inner) {
    for uri in inner.watches.watched() {
        if let Err(error) = ask(inner, "resources/subscribe", &uri).await {
            tracing::warn!(%error, "a resource could not be watched again");
        }
    }
}

/// Asks a server of the older era. One of the newer hears of it with the request that is open.
async fn ask(inner: &Inner, method: &'static str, uri: &str) -> Result<(), ConnectionError> {
    if inner.initialize_result.era == Era::Modern {
        return Ok(());
    }
    let params = Map::from_iter([("uri".to_owned(), uri.into())]);
    plain(inner, Ask::new(method, params)).await.map(drop)
}
