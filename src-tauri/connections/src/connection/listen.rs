//! Hearing of changes. In the newer era one request stays open for them, and is made anew when it
//! ends or something else is to be heard of; in the older era servers tell by themselves.

use super::request::dressed;
use super::{Connection, Inner};
use crate::conversation::Ask;
use protocol::Era;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// How long after its end the request is made again; it doubles each time that it ends at once.
const SOON: Duration = Duration::from_millis(500);
const LATE: Duration = Duration::from_secs(60);
const METHOD_NOT_FOUND: i32 = -32_601;

/// Listens from now on, in a task of its own that ends with the connection.
pub(super) fn begin(connection: &Connection) {
    if connection.0.initialize_result.era == Era::Modern {
        let inner = Arc::downgrade(&connection.0);
        tokio::spawn(listen(inner, connection.0.watches.follow()));
    }
}

async fn listen(connection: Weak<Inner>, mut watched: watch::Receiver<BTreeMap<String, usize>>) {
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
            for uri in inner.watches.watched() {
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

fn filter(inner: &Inner, watched: &BTreeMap<String, usize>) -> Map<String, Value> {
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
        let watched = watched.keys().cloned().collect();
        filter.insert("resourceSubscriptions".to_owned(), watched);
    }
    filter
}
