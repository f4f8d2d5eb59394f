//! Whatever a server sends, only so much of it is kept, and who does not listen costs nothing more.

use crate::support::alone::is_alone;
use crate::support::{Choices, TestHost, code, misbehave};
use host::Limits;
use host::api::ErrorCode;
use policy::Decision;
use protocol::ToolResult;
use serde_json::json;
use std::time::Duration;

/// What the whole process may have taken at any moment, in MiB. What a message takes while it is
/// read counts; many of them must not add up.
const MOST: usize = 280;

/// The most memory that this process had at any moment, in MiB, where the system says so.
fn peak() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

fn assert_small(what: &str) {
    if let Some(peak) = peak() {
        assert!(peak <= MOST, "{what}: {peak} MiB");
    }
}

/// A host with a server that says something long again and again, somebody who never listens, and
/// what came of a call.
async fn shouted(what: &str) -> (TestHost, Result<ToolResult, host::HostError>) {
    // It is read more slowly than it speaks.
    let limits = Limits {
        call: Duration::from_secs(600),
        call_maximum: Duration::from_secs(600),
        ..Choices::default().limits
    };
    let choices = Choices {
        limits,
        ..Choices::default()
    };
    let test = TestHost::with(choices).await;
    test.add("loud", &[&misbehave(), "shouts"]).await;
    let _deaf = test.host.follow();
    let _person = test.person([Decision::once()]);
    let result = test.call("loud", "shout", json!({"what": what})).await;
    assert_small(what);
    (test, result)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_name_of_a_method_of_any_length_ends_the_connection() {
    if !is_alone(
        "a_hostile_server_fills_no_memory::the_name_of_a_method_of_any_length_ends_the_connection",
    ) {
        return;
    }
    let (_test, result) = shouted("method").await;
    assert_eq!(code(result), ErrorCode::MessageTooLong);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_id_of_any_length_ends_the_connection() {
    if !is_alone("a_hostile_server_fills_no_memory::an_id_of_any_length_ends_the_connection") {
        return;
    }
    let (_test, result) = shouted("id").await;
    assert_eq!(code(result), ErrorCode::MessageTooLong);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_long_lines_of_a_log_the_beginning_is_kept() {
    if !is_alone("a_hostile_server_fills_no_memory::of_long_lines_of_a_log_the_beginning_is_kept") {
        return;
    }
    let (test, result) = shouted("log").await;
    result.unwrap();
    let log = test
        .ask("list_logs", json!({"server": "loud"}))
        .await
        .unwrap();
    let lines = log["lines"].as_array().unwrap();
    assert!(!lines.is_empty());
    for line in lines {
        assert!(line.to_string().len() < 32 * 1024);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_of_loggers_addresses_and_numbers_are_bounded_as_well() {
    if !is_alone(
        "a_hostile_server_fills_no_memory::names_of_loggers_addresses_and_numbers_are_bounded_as_well",
    ) {
        return;
    }
    for what in ["logger", "uri", "done"] {
        shouted(what).await.1.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_that_takes_too_much_is_not_read() {
    if !is_alone("a_hostile_server_fills_no_memory::a_list_that_takes_too_much_is_not_read") {
        return;
    }
    let test = TestHost::new().await;
    let fat = json!({"kind": "stdio", "command": misbehave(), "args": ["fat-list"]});
    test.add_with("fat", fat).await;
    assert_eq!(test.failure("fat").await.code, ErrorCode::ListTooLarge);
    assert_small("list");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_of_more_values_than_anybody_reads_ends_the_connection() {
    if !is_alone(
        "a_hostile_server_fills_no_memory::a_result_of_more_values_than_anybody_reads_ends_the_connection",
    ) {
        return;
    }
    let test = TestHost::new().await;
    test.add("many", &[&misbehave(), "counts-values"]).await;
    let _person = test.person([Decision::once()]);
    let result = test.call("many", "count", json!({})).await;
    assert_eq!(code(result), ErrorCode::MessageTooLong);
    assert_small("values");
}
