//! Hearing of changes: resources one by one in the older era, one open request in the newer.

use crate::heard::Heard;
use crate::permitted;
use crate::support::{TestHandler, call, misbehave, started, text};
use connections::Connection;
use futures::FutureExt as _;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

async fn noted(mode: &str) -> (Connection, Arc<TestHandler>, Heard) {
    let mut start = misbehave(&[mode]);
    let heard = Heard::by(&mut start);
    let (connection, handler) = started(start).await;
    (connection, handler, heard)
}

/// Waits until the server was asked so often to tell of changes, and the last that it was asked to
/// tell.
async fn listening(connection: &Connection, times: usize) -> Value {
    loop {
        let asked: Vec<_> = connection
            .exchange()
            .into_iter()
            .filter(|message| message.method.as_deref() == Some("subscriptions/listen"))
            .collect();
        if asked.len() >= times {
            let last: Value = serde_json::from_str(&asked.last().unwrap().text).unwrap();
            return last["params"]["notifications"].clone();
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Has the server tell of a change, and says how many listen to it.
async fn change(connection: &Connection, what: &str, uri: &str) -> String {
    text(
        call(connection, "change", json!({ "what": what, "uri": uri }))
            .await
            .unwrap(),
    )
}

#[tokio::test]
async fn a_modern_server_is_asked_once_to_tell_of_everything_that_it_can_tell() {
    let (connection, handler, heard) = noted("modern").await;
    let all = json!({ "toolsListChanged": true, "resourcesListChanged": true, "promptsListChanged": true });
    assert_eq!(listening(&connection, 1).await, all);
    for what in ["tools", "resources", "prompts"] {
        assert_eq!(change(&connection, what, "").await, "1");
    }
    assert_eq!(
        (
            *handler.tools_changed.borrow(),
            *handler.offers_changed.borrow()
        ),
        (1, 2)
    );
    assert_eq!(heard.count("subscriptions/listen"), 1);
    connection.stop().await;
}

#[tokio::test]
async fn a_resource_is_watched_and_not_any_more_in_the_newer_era() {
    let (connection, handler, heard) = noted("modern").await;
    listening(&connection, 1).await;
    let first = connection
        .watch(permitted::watch("note://a"))
        .await
        .unwrap();
    assert_eq!(
        listening(&connection, 2).await["resourceSubscriptions"],
        json!(["note://a"])
    );
    let _second = connection
        .watch(permitted::watch("note://b"))
        .await
        .unwrap();
    assert_eq!(
        listening(&connection, 3).await["resourceSubscriptions"],
        json!(["note://a", "note://b"])
    );
    assert_eq!(connection.watched(), ["note://a", "note://b"]);
    assert_eq!(
        change(&connection, "resource", "note://a").await,
        "1",
        "the older requests were taken back"
    );
    assert_eq!(change(&connection, "resource", "note://c").await, "0");
    drop(first);
    assert_eq!(
        listening(&connection, 4).await["resourceSubscriptions"],
        json!(["note://b"])
    );
    assert_eq!(change(&connection, "resource", "note://a").await, "0");
    assert_eq!(change(&connection, "resource", "note://b").await, "1");
    assert_eq!(*handler.updated.borrow(), ["note://a", "note://b"]);
    assert_eq!(heard.count("resources/subscribe"), 0);
    connection.stop().await;
}

#[tokio::test]
async fn what_names_a_subscription_that_is_not_ours_is_not_heard() {
    let (connection, handler, _) = noted("modern").await;
    listening(&connection, 1).await;
    assert_eq!(
        text(
            call(
                &connection,
                "change",
                json!({ "what": "tools", "as": "another" })
            )
            .await
            .unwrap()
        ),
        "1"
    );
    assert_eq!(*handler.tools_changed.borrow(), 0);
    connection.stop().await;
}

#[tokio::test]
async fn listening_that_has_ended_begins_again_and_what_was_missed_is_told() {
    let (connection, handler, _) = noted("modern").await;
    listening(&connection, 1).await;
    let _watch = connection
        .watch(permitted::watch("note://a"))
        .await
        .unwrap();
    listening(&connection, 2).await;
    assert_eq!(
        text(
            call(&connection, "stop-listening", json!({}))
                .await
                .unwrap()
        ),
        "stopped"
    );
    assert_eq!(
        listening(&connection, 3).await["resourceSubscriptions"],
        json!(["note://a"])
    );
    // Nobody listened for a while, so anything may have changed.
    handler
        .tools_changed
        .subscribe()
        .wait_for(|count| *count >= 1)
        .await
        .unwrap();
    handler
        .offers_changed
        .subscribe()
        .wait_for(|count| *count >= 1)
        .await
        .unwrap();
    handler
        .updated
        .subscribe()
        .wait_for(|all| all.contains(&"note://a".to_owned()))
        .await
        .unwrap();
    assert_eq!(change(&connection, "tools", "").await, "1");
    connection.stop().await;
}

#[tokio::test]
async fn a_connection_that_is_dropped_does_not_live_on_for_its_listening() {
    let (connection, _handler, _) = noted("modern").await;
    listening(&connection, 1).await;
    let own = text(call(&connection, "whoami", json!({})).await.unwrap());
    drop(connection);
    #[cfg(target_os = "linux")]
    crate::support::gone(&[own]).await;
    #[cfg(not(target_os = "linux"))]
    let _ = own;
}

#[tokio::test]
async fn a_resource_is_watched_and_not_any_more_in_the_older_era() {
    let (connection, handler, heard) = noted("resources-and-prompts").await;
    let touch = async |uri: &str| {
        text(
            call(&connection, "touch", json!({ "uri": uri }))
                .await
                .unwrap(),
        )
    };
    assert_eq!(touch("note://a").await, "false");
    let watch = async || {
        let watching = connection.watch(permitted::watch("note://a")).await;
        watching.unwrap()
    };
    connection.keep_watching(watch().await);
    assert_eq!(
        (touch("note://a").await, touch("note://b").await),
        ("true".to_owned(), "false".to_owned())
    );
    assert_eq!(connection.watched(), ["note://a"]);
    assert_eq!(*handler.updated.borrow(), ["note://a"]);
    assert_eq!(connection.kept_watches(), ["note://a"]);
    let other = watch().await;
    connection.unwatch("note://a").await;
    assert!(connection.kept_watches().is_empty());
    assert_eq!(
        touch("note://a").await,
        "true",
        "somebody else still watches"
    );
    assert_eq!(heard.count("resources/unsubscribe"), 0);
    drop(other);
    // That nobody does any more is on its way.
    while touch("note://a").await == "true" {}
    assert_eq!(heard.count("resources/unsubscribe"), 1);
    assert_eq!(heard.count("resources/subscribe"), 1);
    assert!(connection.watched().is_empty());
    assert_eq!(heard.count("subscriptions/listen"), 0);
    call(&connection, "change", json!({})).await.unwrap();
    assert_eq!(*handler.offers_changed.borrow(), 2);
    connection.stop().await;
}

#[tokio::test]
async fn who_does_not_wait_to_be_told_leaves_no_subscription_behind() {
    let (connection, _handler, heard) = noted("resources-and-prompts").await;
    let watching = connection.watch(permitted::watch("note://a"));
    assert!(watching.now_or_never().is_none());
    while heard.count("resources/unsubscribe") == 0 {
        tokio::task::yield_now().await;
    }
    assert!(connection.watched().is_empty());
    connection.stop().await;
}
