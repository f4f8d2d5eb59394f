//! What was written when there were two callers, known by a word, keeps its meaning.

use crate::db;
use crate::testing::{Home, NOW, grant, opened, server};
use api::ActivityFilter;
use policy::{Grant, Hook, RuleDraft, RuleEffect, Scope};
use protocol::{CallId, Caller, CallerFilter, CallerKind, RuleId};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// The same as the version before wrote it.
fn of_before(value: Value) -> Value {
    let text = value.to_string();
    let caller = |kind: &str| json!({"kind": kind, "id": kind, "name": kind}).to_string();
    let filter = |kind: &str| json!({"kind": kind, "id": null}).to_string();
    let old = ["window", "terminal"].into_iter().fold(text, |text, kind| {
        let old = json!({ "kind": kind }).to_string();
        text.replace(&caller(kind), &old)
            .replace(&filter(kind), &old)
    });
    serde_json::from_str(&old).unwrap()
}

#[tokio::test]
async fn what_was_kept_for_the_window_and_the_terminal_still_holds_for_them() {
    let home = Home::new();
    let call = CallId::random();
    let store = home.open().await;
    store
        .audit()
        .append_synced(opened(&call, json!({})))
        .await
        .unwrap();
    store.close().await;
    drop(store);
    std::fs::remove_file(home.dir().join(db::FILE)).unwrap();

    let grants = [Caller::window(), Caller::terminal()].map(|caller| Grant {
        caller,
        used: 1,
        ..grant("files", Scope::Always, NOW.0)
    });
    let draft = RuleDraft {
        effect: RuleEffect::Forbid,
        hook: Hook::Call,
        caller: Some(CallerFilter {
            kind: CallerKind::Terminal,
            id: None,
        }),
        server: Some(server("files")),
        tool: None,
        when: Vec::new(),
        reason: None,
    };
    let rule = draft.rule(RuleId("rule-1".into()), NOW);
    let task = json!({"call": call, "caller": {"kind": "terminal"}, "server": "files", "tool": "read",
        "task": "t", "poll_ms": 1, "begun_at": 1});

    let database = Connection::open(home.dir().join(db::FILE)).unwrap();
    db::take_steps(&database, 7);
    for grant in &grants {
        let body = of_before(json!(grant));
        assert_eq!(body["caller"].as_object().unwrap().len(), 1);
        let sql = "INSERT INTO grants (id, server, body, made_at) VALUES (?1, 'files', ?2, ?3)";
        let row = params![grant.id.as_str(), body.to_string(), grant.made_at.0];
        database.execute(sql, row).unwrap();
    }
    let body = of_before(json!(rule)).to_string();
    let sql = "INSERT INTO rules (id, body, made_at) VALUES ('rule-1', ?1, 1)";
    database.execute(sql, [body]).unwrap();
    let sql = "INSERT INTO tasks (call, server, begun_at, body) VALUES (?1, 'files', 1, ?2)";
    database
        .execute(sql, params![call.as_str(), task.to_string()])
        .unwrap();
    let sql = "INSERT INTO activity (seq, at, what, caller, outcome) VALUES (1, 1, 'call', '{\"kind\":\"terminal\"}', 'done')";
    database.execute(sql, []).unwrap();
    drop(database);

    let store = home.open().await;
    assert_eq!(store.grants().live().await.unwrap(), grants);
    assert_eq!(store.rules().all().await.unwrap(), [rule]);
    let tasks = store.tasks().of(&server("files")).await.unwrap();
    assert_eq!(tasks[0].caller, Caller::terminal());
    let found = async |caller: Caller| {
        let filter = ActivityFilter {
            caller: Some(CallerFilter::from(&caller)),
            ..ActivityFilter::default()
        };
        let page = store.audit().activity(filter, None, 10).await.unwrap();
        page.rows.iter().filter(|row| row.what == "call").count()
    };
    assert_eq!(found(Caller::window()).await, 1, "the log says who asked");
    assert_eq!(found(Caller::terminal()).await, 0);
    assert_eq!(store.audit().callers().await.unwrap(), [Caller::window()]);
}
