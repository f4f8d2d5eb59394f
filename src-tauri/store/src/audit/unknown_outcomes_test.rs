//! Promises of calls of whose end nothing is known: they are bounded, and looking at one reads one.

use crate::testing::{Home, opened};
use crate::{Audit, Durability, Store};
use protocol::CallId;
use rusqlite::Connection;
use serde_json::json;

/// A store in whose earlier run so many calls were begun and not ended, each with so many bytes.
async fn left(home: &Home, calls: usize, bytes: usize) -> (Store, Vec<CallId>) {
    let store = home.open().await;
    let begun: Vec<CallId> = (0..calls).map(|_| CallId::random()).collect();
    for call in &begun {
        let entry = opened(call, json!({"text": "x".repeat(bytes)}));
        store.audit().append(entry, Durability::Grouped).unwrap();
    }
    store.close().await;
    (home.open().await, begun)
}

async fn told(audit: &Audit) -> (Vec<CallId>, usize) {
    let unknown = audit.unknown().await.unwrap();
    let first = unknown.first.into_iter().map(|one| one.call.unwrap());
    (first.collect(), unknown.more)
}

#[tokio::test]
async fn of_many_calls_of_unknown_end_the_oldest_are_told_and_how_many_more_there_are() {
    let home = Home::new();
    let (store, begun) = left(&home, 130, 10).await;
    let (first, more) = told(&store.audit()).await;
    assert_eq!((first.as_slice(), more), (&begun[..100], 30));
}

#[tokio::test]
async fn calls_of_unknown_end_that_were_sent_much_are_told_a_few_at_once_and_one_at_least() {
    let home = Home::new();
    let (store, begun) = left(&home, 4, 1_500_000).await;
    let (first, more) = told(&store.audit()).await;
    assert_eq!((first.as_slice(), more), (&begun[..2], 2));
    let home = Home::new();
    let (store, begun) = left(&home, 2, 5_000_000).await;
    let (first, more) = told(&store.audit()).await;
    assert_eq!((first.as_slice(), more), (&begun[..1], 1));
}

#[tokio::test]
async fn one_that_is_not_told_yet_is_found_by_its_number() {
    let home = Home::new();
    let (store, begun) = left(&home, 101, 10).await;
    let last = begun.last().unwrap().clone();
    let found = store.audit().unknown_call(last.clone()).await.unwrap();
    assert_eq!(found.unwrap().call, Some(last));
    let another = store.audit().unknown_call(CallId::random()).await.unwrap();
    assert!(another.is_none());
}

#[tokio::test]
async fn looking_at_one_call_does_not_read_the_whole_log() {
    let home = Home::new();
    let (store, _) = left(&home, 1, 10).await;
    store.close().await;
    let db = Connection::open(home.dir().join(crate::db::FILE)).unwrap();
    let plan = format!(
        "EXPLAIN QUERY PLAN {}",
        crate::audit::search::RECORDS_OF_CALL
    );
    let mut steps = db.prepare(&plan).unwrap();
    let steps = steps.query_map([1], |row| row.get::<_, String>(3)).unwrap();
    let steps: Vec<String> = steps.map(Result::unwrap).collect();
    assert!(!steps.is_empty());
    assert!(
        steps.iter().all(|step| !step.starts_with("SCAN")),
        "{steps:?}"
    );
}
