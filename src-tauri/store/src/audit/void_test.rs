//! What the database allows and the log does not vouch for is taken back, and nothing else.

use super::append::OLD;
use super::call_events::CallOpened;
use super::{Entry, Event};
use crate::db::FILE;
use crate::testing::{Home, NOW, grant, make_grant, noted, opened};
use crate::{Durability, Store, Use};
use policy::{Grant, Permission, Scope};
use protocol::CallId;
use rusqlite::Connection;
use serde_json::json;

async fn say(store: &Store, event: Event) {
    store.audit().append_synced(noted(event)).await.unwrap();
}

async fn held(home: &Home) -> Vec<Grant> {
    let store = home.open().await;
    let held = store.grants().live().await.unwrap();
    store.close().await;
    held
}

/// A store with two grants that were made.
async fn with_two_grants(home: &Home) -> (Store, Grant, Grant) {
    let store = home.open().await;
    let (one, other) = (
        grant("files", Scope::Always, 1),
        grant("files", Scope::Always, 2),
    );
    make_grant(&store, &one).await;
    make_grant(&store, &other).await;
    (store, one, other)
}

fn change(home: &Home, sql: &str) {
    Connection::open(home.dir().join(FILE))
        .unwrap()
        .execute_batch(sql)
        .unwrap();
}

fn voids(home: &Home) -> usize {
    let log = std::fs::read_to_string(home.segment(1)).unwrap();
    log.matches("\"event\":\"approval_voided\"").count()
}

#[tokio::test]
async fn what_was_made_and_not_taken_back_holds_and_nothing_is_said() {
    let home = Home::new();
    let store = home.open().await;
    let given = grant("files", Scope::Always, 1);
    make_grant(&store, &given).await;
    let used = Use {
        grant: given.id.clone(),
        used: 1,
        last_at: NOW,
    };
    store.grants().note_uses(vec![used]).await.unwrap();
    store.close().await;
    for _ in 0..2 {
        assert_eq!(held(&home).await.len(), 1);
    }
    assert_eq!(voids(&home), 0);
}

#[tokio::test]
async fn each_end_in_the_log_counts_and_is_said_once() {
    let ends = [
        (|grant: &Grant| Event::GrantRevoked {
            grant: grant.id.clone(),
        }) as fn(&Grant) -> Event,
        |grant| Event::GrantLapsed {
            grant: grant.id.clone(),
        },
        |_| Event::ServerRemoved,
    ];
    for end in ends {
        let home = Home::new();
        let store = home.open().await;
        let given = grant("files", Scope::Always, 1);
        make_grant(&store, &given).await;
        let entry = Entry {
            server: Some(given.server.clone()),
            ..noted(end(&given))
        };
        store.audit().append_synced(entry).await.unwrap();
        // Nothing is taken from the database, as if it had been set back.
        store.close().await;
        for _ in 0..2 {
            assert_eq!(held(&home).await, []);
        }
        assert_eq!(voids(&home), 1);
    }
}

#[tokio::test]
async fn what_the_log_does_not_know_or_knows_otherwise_does_not_hold() {
    let wider = "UPDATE grants SET body = json_set(body, '$.workspace', null)";
    let other = "UPDATE grants SET id = 'grant-1'";
    let back = "UPDATE grants SET revoked_at = NULL";
    for (made, sql) in [(false, ""), (true, wider), (true, other), (true, back)] {
        let home = Home::new();
        let store = home.open().await;
        let given = grant("files", Scope::Workspace, 1);
        if made {
            make_grant(&store, &given).await;
        } else {
            store.grants().insert(given.clone()).await.unwrap();
        }
        if sql == back {
            let grant = given.id.clone();
            store.grants().revoke(&grant, NOW).await.unwrap();
            say(&store, Event::GrantRevoked { grant }).await;
        }
        store.close().await;
        change(&home, sql);
        assert_eq!(held(&home).await, [], "{sql}");
        assert_eq!(voids(&home), 1, "{sql}");
    }
}

#[tokio::test]
async fn an_index_that_is_lost_is_made_again_and_says_the_same() {
    let home = Home::new();
    let (store, given, taken) = with_two_grants(&home).await;
    say(&store, Event::GrantRevoked { grant: taken.id }).await;
    store.close().await;
    change(
        &home,
        "DELETE FROM vouched; UPDATE activity_state SET hash = 'another'",
    );
    assert_eq!(held(&home).await, [given]);
}

#[tokio::test]
async fn uses_that_the_log_knows_are_used_up() {
    let home = Home::new();
    let store = home.open().await;
    let given = grant("files", Scope::Times { times: 3 }, 1);
    make_grant(&store, &given).await;
    for number in 0..2 {
        let mut entry = opened(&CallId::from(format!("call-{number}")), json!({}));
        if let Event::CallOpened(CallOpened { permission, .. }) = &mut entry.event {
            *permission = Permission::Grant {
                grant: given.id.clone(),
            };
        }
        store.audit().append(entry, Durability::Synced).unwrap();
    }
    store.close().await;
    assert_eq!(held(&home).await[0].used, 2);
}

#[tokio::test]
async fn what_began_in_records_that_were_moved_out_still_holds() {
    let home = Home::new();
    let (store, given, taken) = with_two_grants(&home).await;
    say(
        &store,
        Event::GrantRevoked {
            grant: taken.id.clone(),
        },
    )
    .await;
    let later = Entry {
        at: NOW.plus(OLD * 2),
        ..noted(Event::UnknownNoted)
    };
    store.audit().append_synced(later).await.unwrap();
    let moved = store.audit().compact(NOW.plus(OLD)).await.unwrap();
    assert!(moved.records > 0, "{moved:?}");
    store.close().await;
    change(
        &home,
        "UPDATE grants SET revoked_at = NULL; DELETE FROM vouched; UPDATE activity_state SET hash = 'another'",
    );
    assert_eq!(held(&home).await, [given]);
}
