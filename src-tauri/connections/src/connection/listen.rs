//! Hearing of changes. In the newer era one request stays open for them, and is made anew when it
//! ends or something else is to be heard of; in the older era servers tell by themselves, and
//! resources are subscribed to one by one.

use super::list::offered;
use super::request::{dressed, plain};
use super::{Connection, Inner};
use crate::ConnectionError;
use crate::conversation::Ask;
use policy::SubscribeResource;
use protocol::Era;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// How long after its end the request is made again; it doubles each time that it ends at once.
const SOON: Duration = Duration::from_millis(500);
const LATE: Duration = Duration::from_secs(60);
const METHOD_NOT_FOUND: i32 = -32_601;

/// What is to be heard of beside lists.
#[derive(Debug, Default)]
pub(super) struct Listening {
    watched: watch::Sender<BTreeSet<String>>,
}

impl Listening {
    pub(super) fn watched(&self) -> Vec<String> {
        self.watched.borrow().iter().cloned().collect()
    }
}

/// Listens from now on, in a task of its own that ends with the connection.
pub(super) fn begin(connection: &Connection) {
    let inner = Arc::downgrade(&connection.0);
    match connection.0.initialize_result.era {
        Era::Modern => _ = tokio::spawn(listen(inner, connection.0.listening.watched.subscribe())),
        Era::Legacy => _ = tokio::spawn(watch_again(inner, connection.0.conversation.renewals())),
    }
}

/// Subscribes to every watched resource once more when a server was greeted anew.
async fn watch_again(connection: Weak<Inner>, mut renewals: watch::Receiver<u32>) {
    loop {
        let Some(ending) = connection.upgrade().map(|inner| Arc::clone(&inner.ending)) else {
            return;
        };
        tokio::select! {
            renewed = renewals.changed() => if renewed.is_err() { return },
            () = ending.over() => return,
        }
        let Some(inner) = connection.upgrade() else {
            return;
        };
        for uri in inner.listening.watched() {
            if let Err(error) = plain(&inner, about("resources/subscribe", &uri)).await {
                tracing::warn!(%error, "a resource could not be watched again");
            }
        }
    }
}

/// Has the server tell when a resource changes.
pub(super) async fn watch(
    inner: &Inner,
    SubscribeResource { uri }: SubscribeResource,
) -> Result<(), ConnectionError> {
    offered(
        inner.initialize_result.capabilities.watch,
        "changes of resources",
    )?;
    if inner.initialize_result.era == Era::Legacy {
        plain(inner, about("resources/subscribe", &uri)).await?;
    }
    inner
        .listening
        .watched
        .send_if_modified(|watched| watched.insert(uri));
    Ok(())
}

/// Has the server not tell any more when a resource changes.
pub(super) async fn unwatch(inner: &Inner, uri: &str) -> Result<(), ConnectionError> {
    offered(
        inner.initialize_result.capabilities.watch,
        "changes of resources",
    )?;
    // Without a permission only what there once was a permission for is named.
    if !inner.listening.watched.borrow().contains(uri) {
        return Ok(());
    }
    if inner.initialize_result.era == Era::Legacy {
        plain(inner, about("resources/unsubscribe", uri)).await?;
    }
    inner
        .listening
        .watched
        .send_if_modified(|watched| watched.remove(uri));
    Ok(())
}

fn about(method: &'static str, uri: &str) -> Ask {
    Ask::new(method, Map::from_iter([("uri".to_owned(), uri.into())]))
}

async fn listen(connection: Weak<Inner>, mut watched: watch::Receiver<BTreeSet<String>>) {
    let (mut pause, mut missed) = (SOON, false);
    loop {
        let Some(inner) = connection.upgrade() else {
            return;
        };
        let filter = filter(&inner, &watched.borrow_and_update());
        let ending = Arc::clone(&inner.ending);
        if filter.is_empty() {
            drop(inner);
            tokio::select! {
                changed = watched.changed() => if changed.is_err() { return },
                () = ending.over() => return,
            }
            continue;
        }
        let params = Map::from_iter([("notifications".to_owned(), Value::Object(filter))]);
        let mut sent = inner.conversation.request(Ask::new(
            "subscriptions/listen",
            dressed(&inner, params, None),
        ));
        sent.subscribe();
        if missed {
            // While nobody listened, anything may have changed.
            let handler = inner.conversation.handler();
            for method in [
                "notifications/tools/list_changed",
                "notifications/resources/list_changed",
            ] {
                handler.on_event(method, None);
            }
            for uri in inner.listening.watched() {
                handler.on_event(
                    "notifications/resources/updated",
                    Some(json!({ "uri": uri })),
                );
            }
        }
        // The connection must be able to end while this waits.
        drop(inner);
        let since = tokio::time::Instant::now();
        tokio::select! {
            answered = sent.reply() => match answered {
                Some(Err(error)) if error.rpc_code() == Some(METHOD_NOT_FOUND) => return,
                Some(_) => {}
                None => return,
            },
            changed = watched.changed() => {
                missed = false;
                if changed.is_err() { return }
                continue;
            }
            () = ending.over() => return,
        }
        missed = true;
        pause = if since.elapsed() > LATE {
            SOON
        } else {
            (pause * 2).min(LATE)
        };
        tokio::select! {
            () = sleep(pause) => {}
            () = ending.over() => return,
        }
    }
}

fn filter(inner: &Inner, watched: &BTreeSet<String>) -> Map<String, Value> {
    let able = &inner.initialize_result.capabilities;
    let lists = [
        ("toolsListChanged", able.tells_tools),
        ("resourcesListChanged", able.tells_resources),
        ("promptsListChanged", able.tells_prompts),
    ];
    let mut filter: Map<_, _> = lists
        .into_iter()
        .filter(|(_, tells)| *tells)
        .map(|(key, _)| (key.to_owned(), true.into()))
        .collect();
    if able.watch && !watched.is_empty() {
        filter.insert("resourceSubscriptions".to_owned(), json!(watched));
    }
    filter
}
