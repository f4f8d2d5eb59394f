//! What a person took back stays taken back, whatever becomes of the database: the log knows.

use crate::support::{TestHost, code, misbehave};
use api::{ActivityPage, ActivityReason};
use host::ErrorCode;
use policy::{ArgumentScope, Decision, Grant, Lasting};
use rusqlite::{Connection, params};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

const DATABASE: &str = "majordomo.db";

async fn echo() -> TestHost {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test
}

async fn says(test: &TestHost, words: &str) -> Result<protocol::ToolResult, host::HostError> {
    test.call("echo", "echo", json!({"text": words})).await
}

/// Allows the echo for good, and ends the host.
async fn allowed(lasting: Lasting) -> TestHost {
    let test = echo().await;
    let _person = test.person([Decision::remembered(lasting, ArgumentScope::Any)]);
    says(&test, "first").await.unwrap();
    test
}

async fn grants(test: &TestHost) -> Vec<Grant> {
    test.get("list_grants", json!({})).await
}

/// The next call is asked about once, and a no is a no.
async fn is_asked(test: &TestHost) {
    let person = test.person([Decision::no(None)]);
    assert_eq!(code(says(test, "next").await), ErrorCode::Refused);
    assert_eq!(person.asked().len(), 1);
}

/// Why what was allowed does not hold, by the newest record that says so.
async fn why_void(test: &TestHost) -> Option<ActivityReason> {
    let page: ActivityPage = test
        .get(
            "list_activity",
            json!({"filter": {}, "before": null, "limit": 100}),
        )
        .await;
    let void = page.rows.iter().find(|row| row.what == "approval_voided");
    void.and_then(|row| row.reason)
}

fn database(dir: &Path) -> Connection {
    Connection::open(dir.join(DATABASE)).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_was_taken_back_stays_so_when_the_database_is_set_back() {
    let dir = allowed(Lasting::Workspace).await.end().await;
    let aside = fs::read(dir.path().join(DATABASE)).unwrap();

    let test = TestHost::on(dir).await;
    let held = grants(&test).await;
    test.ask("revoke_grant", json!({"grant": held[0].id}))
        .await
        .unwrap();
    let dir = test.end().await;
    fs::write(dir.path().join(DATABASE), aside).unwrap();

    let test = TestHost::on(dir).await;
    assert_eq!(grants(&test).await, []);
    assert_eq!(why_void(&test).await, Some(ActivityReason::EndedInLog));
    is_asked(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_for_two_calls_does_not_begin_anew_when_the_database_is_set_back() {
    let dir = allowed(Lasting::Times { times: 3 }).await.end().await;
    let aside = fs::read(dir.path().join(DATABASE)).unwrap();

    let test = TestHost::on(dir).await;
    says(&test, "second").await.unwrap();
    let dir = test.end().await;
    fs::write(dir.path().join(DATABASE), aside).unwrap();

    let test = TestHost::on(dir).await;
    assert_eq!(grants(&test).await[0].used, 2);
    says(&test, "third").await.unwrap();
    is_asked(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_somebody_wrote_into_the_database_does_not_hold() {
    let test = allowed(Lasting::Workspace).await;
    let held = grants(&test).await;
    test.ask("revoke_grant", json!({"grant": held[0].id}))
        .await
        .unwrap();
    assert_eq!(grants(&test).await, []);
    let dir = test.end().await;
    let forged = "grant-00000000000000000000000000000000";
    {
        let database = database(dir.path());
        let sql = "SELECT server, body FROM grants";
        let (server, body): (String, String) =
            database.query_row(sql, [], |row| row.try_into()).unwrap();
        let mut body: Value = serde_json::from_str(&body).unwrap();
        (body["id"], body["scope"]) = (json!(forged), json!({"kind": "always"}));
        body["workspace"] = Value::Null;
        let sql = "INSERT INTO grants (id, server, body, made_at) VALUES (?1, ?2, ?3, ?4)";
        let made_at = body["made_at"].as_i64();
        database
            .execute(sql, params![forged, server, body.to_string(), made_at])
            .unwrap();
    }
    let test = TestHost::on(dir).await;
    assert_eq!(grants(&test).await, []);
    assert_eq!(why_void(&test).await, Some(ActivityReason::NotInLog));
    is_asked(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_approval_that_somebody_made_wider_in_the_database_does_not_hold() {
    let test = echo().await;
    {
        let _person = test.person([Decision::remembered(
            Lasting::Workspace,
            ArgumentScope::Exactly,
        )]);
        says(&test, "first").await.unwrap();
    }
    let dir = test.end().await;
    {
        let database = database(dir.path());
        let sql = "SELECT body FROM grants";
        let body: String = database.query_row(sql, [], |row| row.get(0)).unwrap();
        let mut body: Value = serde_json::from_str(&body).unwrap();
        body["arguments"] = json!({"kind": "any"});
        database
            .execute("UPDATE grants SET body = ?1", [body.to_string()])
            .unwrap();
    }
    let test = TestHost::on(dir).await;
    assert_eq!(why_void(&test).await, Some(ActivityReason::UnlikeLog));
    is_asked(&test).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_was_blocked_stays_so_when_the_database_is_set_back() {
    let dir = echo().await.end().await;
    let aside = fs::read(dir.path().join(DATABASE)).unwrap();

    let test = TestHost::on(dir).await;
    let review = test
        .ask("review_offers", json!({"server": "echo"}))
        .await
        .unwrap();
    let offers = review["offers"].as_array().unwrap();
    let echo = offers
        .iter()
        .find(|offer| offer["key"]["name"] == "echo")
        .unwrap();
    let block =
        json!({"key": echo["key"], "fingerprint": echo["fingerprint"], "decision": "block"});
    test.ask(
        "decide_offers",
        json!({"server": "echo", "decisions": [block]}),
    )
    .await
    .unwrap();
    let dir = test.end().await;
    fs::write(dir.path().join(DATABASE), aside).unwrap();

    let test = TestHost::on(dir).await;
    assert_eq!(why_void(&test).await, Some(ActivityReason::UnlikeLog));
    assert_eq!(code(says(&test, "next").await), ErrorCode::Refused);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_was_removed_does_not_run_when_the_database_is_set_back() {
    let dir = echo().await.end().await;
    let aside = fs::read(dir.path().join(DATABASE)).unwrap();

    let test = TestHost::on(dir).await;
    test.ask("remove_server", json!({"server": "echo"}))
        .await
        .unwrap();
    let dir = test.end().await;
    fs::write(dir.path().join(DATABASE), aside).unwrap();

    let test = TestHost::on(dir).await;
    assert!(!test.server("echo").await.reviewed);
    assert_eq!(why_void(&test).await, Some(ActivityReason::EndedInLog));
}
