//! What was written when there were two callers, known by a word, keeps its meaning.

use crate::testing::{Home, NOW, grant, noted, opened, server};
use crate::{Event, db};
use api::ActivityFilter;
use policy::{
    AdministratorRules, Context, EnforcementPoint, Grant, PolicyDecision, PolicyRequest, Rules,
    Scope, Target,
};
use protocol::{CallId, Caller, CallerFilter, RuleId, ToolName};
use rusqlite::{Connection, params};
use serde_json::{Value, json};

/// The same as the version before wrote it.
fn of_before(value: Value) -> Value {
    let text = value.to_string();
    let caller = |kind: &str| json!({"kind": kind, "id": kind, "name": kind}).to_string();
    let old = ["window", "terminal"].into_iter().fold(text, |text, kind| {
        text.replace(&caller(kind), &json!({ "kind": kind }).to_string())
    });
    serde_json::from_str(&old).unwrap()
}

/// Rules as the version before kept them, word for word: one for each of its callers.
fn rules_of_before() -> [Value; 2] {
    let forbid = r#"@id("rule-1")
@reason("not here")
forbid (
    principal == Terminal::"terminal",
    action == Action::"call",
    resource in Server::"files"
);"#;
    let ask = r#"@id("rule-2")
forbid (
    principal == Person::"window",
    action == Action::"callSilently",
    resource == Tool::"files/read"
)
when {
    context.consequential &&
    context.hosts.containsAny(["a.example"])
};"#;
    let conditions =
        json!([{"kind": "consequential"}, {"kind": "to_hosts", "hosts": ["a.example"]}]);
    [
        json!({"id": "rule-1", "layer": "person", "effect": "forbid", "hooks": ["call"], "text": forbid,
            "reason": "not here", "made_at": NOW, "draft": {"effect": "forbid", "hook": "call",
            "caller": {"kind": "terminal"}, "server": "files", "tool": null, "when": [], "reason": "not here"}}),
        json!({"id": "rule-2", "layer": "person", "effect": "ask", "hooks": ["call"], "text": ask,
            "reason": null, "made_at": NOW, "draft": {"effect": "ask", "hook": "call",
            "caller": {"kind": "window"}, "server": "files", "tool": "read", "when": conditions, "reason": null}}),
    ]
}

/// What the rules say when this caller wants to call `files/read`.
fn said(rules: &Rules, caller: &Caller) -> PolicyDecision {
    let (server, tool) = (server("files"), ToolName::from("read"));
    let context = Context {
        consequential: true,
        hosts: vec!["a.example".into()],
        ..Context::default()
    };
    let occasion = PolicyRequest {
        caller: Some(caller),
        server: &server,
        target: Target::Tool(&tool),
        context: &context,
    };
    rules.ruling(EnforcementPoint::Call, &occasion)
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
    let grants = [Caller::window(), Caller::terminal()].map(|caller| Grant {
        caller,
        used: 1,
        ..grant("files", Scope::Always, NOW.0)
    });
    for grant in &grants {
        let made = Event::GrantMade {
            grant: grant.id.clone(),
            scope: grant.scope.clone(),
            effect: None,
            arguments: None,
            terms: None,
        };
        store.audit().append_synced(noted(made)).await.unwrap();
    }
    store.close().await;
    drop(store);
    std::fs::remove_file(home.dir().join(db::FILE)).unwrap();

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
    for rule in rules_of_before() {
        let sql = "INSERT INTO rules (id, body, made_at) VALUES (?1, ?2, ?3)";
        let row = params![rule["id"].as_str(), rule.to_string(), NOW.0];
        database.execute(sql, row).unwrap();
    }
    let sql = "INSERT INTO tasks (call, server, begun_at, body) VALUES (?1, 'files', 1, ?2)";
    database
        .execute(sql, params![call.as_str(), task.to_string()])
        .unwrap();
    let sql = "INSERT INTO activity (seq, at, what, caller, outcome) VALUES (1, 1, 'call', '{\"kind\":\"terminal\"}', 'done')";
    database.execute(sql, []).unwrap();
    drop(database);

    let store = home.open().await;
    assert_eq!(store.grants().live().await.unwrap(), grants);
    let kept = store.rules().all().await.unwrap();
    let texts = kept.iter().map(|rule| Some(rule.text.as_str()));
    assert!(texts.eq(rules_of_before().iter().map(|rule| rule["text"].as_str())));
    let rules = Rules::new(&AdministratorRules::default(), &kept);
    assert!(rules.layers().iter().all(|layer| layer.broken.is_none()));
    let (one, other) = (RuleId::from("rule-1"), RuleId::from("rule-2"));
    let (window, terminal) = (
        said(&rules, &Caller::window()),
        said(&rules, &Caller::terminal()),
    );
    assert_eq!((window.forbid, window.ask), (vec![], vec![other]));
    assert_eq!((terminal.forbid, terminal.ask), (vec![one], vec![]));
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
