//! Whatever a server does, its failure has a name, and nobody else waits for it.

use crate::support::{Choices, TERMINAL, TestHost, beside, code, misbehave, text, unconfined};
use host::Limits;
use host::api::{ErrorCode, HostEvent, ServerState};
use policy::Decision;
use serde_json::json;
use std::time::Duration;

/// A host that loses its patience soon.
fn hurried(limit: impl FnOnce(&mut Limits)) -> Choices {
    let mut choices = Choices::default();
    limit(&mut choices.limits);
    choices
}

fn command(words: &[&str]) -> serde_json::Value {
    json!({"kind": "stdio", "command": words[0], "args": words[1..]})
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_is_not_there_is_named() {
    let test = TestHost::new().await;
    test.add_with("gone", command(&["/no/such/program"])).await;
    let failure = test.failure("gone").await;
    assert_eq!(failure.code, ErrorCode::CommandNotFound);
    assert!(failure.message.contains("/no/such/program"), "{failure}");
    assert_eq!(
        code(test.call("gone", "any", json!({})).await),
        ErrorCode::CommandNotFound
    );
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_executed_is_named() {
    let test = TestHost::new().await;
    let file = test.dir().join("server.txt");
    std::fs::write(&file, "just a text").unwrap();
    test.add_with("text", command(&[file.to_str().unwrap()]))
        .await;
    assert_eq!(test.failure("text").await.code, ErrorCode::NotExecutable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_working_directory_that_is_not_there_is_named() {
    let test = TestHost::new().await;
    let cwd = test.dir().join("elsewhere");
    test.add_with(
        "lost",
        json!({"kind": "stdio", "command": misbehave(), "args": ["ok"], "cwd": cwd}),
    )
    .await;
    assert_eq!(
        test.failure("lost").await.code,
        ErrorCode::NoWorkingDirectory
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_exits_at_once_shows_what_it_wrote() {
    let test = TestHost::new().await;
    test.add_with("exits", command(&[&misbehave(), "exits"]))
        .await;
    let ServerState::Failed { error, stderr } = test.state("exits").await else {
        panic!("it runs")
    };
    assert_eq!(error.code, ErrorCode::ExitedAtStart);
    assert_eq!(stderr, ["fatal: the configuration is missing"]);
    let log = test
        .ask("server_log", json!({"server": "exits"}))
        .await
        .unwrap();
    assert_eq!(log["lines"], json!(["fatal: the configuration is missing"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn junk_on_standard_output_is_passed_over() {
    let test = TestHost::new().await;
    test.add("junk", &[&misbehave(), "junk"]).await;
    let _person = test.person([Decision::once()]);
    assert_eq!(
        text(
            &test
                .call("junk", "echo", json!({"text": "still here"}))
                .await
                .unwrap()
        ),
        "still here"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_no_server_is_shown_with_its_first_words() {
    let test = TestHost::with(hurried(|limits| limits.start = Duration::from_secs(5))).await;
    test.add_with("usage", command(&[&misbehave(), "only-junk"]))
        .await;
    let failure = test.failure("usage").await;
    assert_eq!(failure.code, ErrorCode::NotProtocol);
    assert!(failure.message.contains("Usage: misbehave"), "{failure}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_never_answers_fails_in_time_and_stalls_nobody_meanwhile() {
    let test = TestHost::with(hurried(|limits| limits.start = Duration::from_secs(10))).await;
    let target = command(&[&misbehave(), "silent"]);
    test.ask(
        "add_server",
        json!({"draft": {"name": "silent", "target": target, "confinement": unconfined()}}),
    )
    .await
    .unwrap();
    let review = test
        .ask("review_server", json!({"server": "silent"}))
        .await
        .unwrap();
    let mut recorder = test.listen();
    test.ask(
        "enable_server",
        json!({"server": "silent", "reviewed": review["fingerprint"]}),
    )
    .await
    .unwrap();
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::once()]);
    test.call("echo", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    let heard = recorder.heard();
    let has_failed = |event: &HostEvent| matches!(event, HostEvent::ServerChanged { server } if server.id.as_str() == "silent" && matches!(server.state, ServerState::Failed { .. }));
    assert!(
        !heard.iter().any(|event| has_failed(&event.event)),
        "the other one waited for it"
    );
    recorder.until(has_failed).await;
    assert_eq!(test.failure("silent").await.code, ErrorCode::StartTimedOut);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_never_answered_ends_in_time_and_the_server_goes_on() {
    let test = TestHost::with(hurried(|limits| limits.call = Duration::from_secs(2))).await;
    test.add("hangs", &[&misbehave(), "hangs-in-call"]).await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always(), Decision::always()]);
    let (_, hanging) = test.call_later("hangs", "hang", json!({}));
    test.call("echo", "echo", json!({"text": "meanwhile"}))
        .await
        .unwrap();
    assert_eq!(code(hanging.await.unwrap()), ErrorCode::TimedOut);
    assert_eq!(test.state("hangs").await, ServerState::Ready);
    let mut outcomes = test.outcomes().await;
    outcomes.sort();
    assert_eq!(outcomes, ["done", "failed"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_of_64_mib_ends_its_server_and_nothing_else() {
    let test = TestHost::new().await;
    test.add("huge", &[&misbehave(), "huge-line"]).await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::once(), Decision::once()]);
    assert_eq!(
        code(test.call("huge", "huge", json!({})).await),
        ErrorCode::MessageTooLong
    );
    test.call("echo", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    assert_eq!(test.outcomes().await, ["done", "interrupted"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_dies_in_a_call_ends_it_with_a_clear_error_and_can_be_started_again() {
    let test = TestHost::new().await;
    test.add("dies", &[&misbehave(), "dies-in-call"]).await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always(), Decision::always()]);
    let mut recorder = test.listen();
    let error = test.call("dies", "die", json!({})).await.unwrap_err();
    assert_eq!(error.code, ErrorCode::ConnectionLost);
    assert!(
        error.message.starts_with("dies: ") && error.message.contains('7'),
        "{error}"
    );
    recorder.until(|event| matches!(event, HostEvent::ServerChanged { server } if matches!(server.state, ServerState::Failed { .. }))).await;
    let ServerState::Failed { stderr, .. } = test.state("dies").await else {
        panic!("it runs")
    };
    assert_eq!(stderr, ["panic: out of ideas"]);
    test.call("echo", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    assert_eq!(test.outcomes().await, ["done", "interrupted"]);
    test.ask("restart_server", json!({"server": "dies"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "dies"}))
        .await
        .unwrap();
    assert_eq!(test.state("dies").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_is_allowed_after_its_server_was_started_again_reaches_the_new_one() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let mut recorder = test.listen();
    let (_, call) = test.call_later("echo", "echo", json!({"text": "x"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    test.ask("restart_server", json!({"server": "echo"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "echo"}))
        .await
        .unwrap();
    let question = &test.host.waiting()[0];
    test.host
        .answer(&question.id, Decision::once(), TERMINAL)
        .await
        .unwrap();
    assert!(call.await.unwrap().is_ok());
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_where_nobody_listens_is_unreachable() {
    let test = TestHost::new().await;
    let free = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    test.add_with(
        "far",
        json!({"kind": "http", "url": format!("http://{free}/mcp")}),
    )
    .await;
    assert_eq!(test.failure("far").await.code, ErrorCode::Unreachable);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_of_the_same_name_is_turned_away_whatever_its_case() {
    let test = TestHost::new().await;
    test.add("Files", &[&misbehave(), "ok"]).await;
    for name in ["Files", "files", "FILES", "currency"] {
        let again = test
            .ask(
                "add_server",
                json!({"draft": {"name": name, "target": command(&["other"])}}),
            )
            .await;
        assert_eq!(code(again), ErrorCode::NameTaken, "{name}");
    }
    assert_eq!(test.state("Files").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_of_one_name_are_answered_each_by_its_own_server() {
    let test = TestHost::new().await;
    test.add("one", &[&misbehave(), "ok"]).await;
    test.add("two", &[&misbehave(), "same-name"]).await;
    let _person = test.person([Decision::once(), Decision::once()]);
    let one = text(&test.call("one", "whoami", json!({})).await.unwrap());
    let two = text(&test.call("two", "whoami", json!({})).await.unwrap());
    assert_ne!(one, two);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_list_of_tools_that_does_not_end_fails_and_a_long_one_does_not() {
    let test = TestHost::new().await;
    test.add_with("endless", command(&[&misbehave(), "endless-cursor"]))
        .await;
    assert_eq!(test.failure("endless").await.code, ErrorCode::ListEndless);
    test.add("many", &[&misbehave(), "many", "1000"]).await;
    assert_eq!(
        test.ask("list_tools", json!({"server": "many"}))
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .len(),
        1000
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_on_standard_error_is_read_bounded_and_in_nobodys_way() {
    let test = TestHost::new().await;
    test.add("flood", &[&misbehave(), "stderr-flood"]).await;
    let _person = test.person([Decision::once()]);
    test.call("flood", "echo", json!({"text": "x"}))
        .await
        .unwrap();
    let lines = loop {
        let log = test
            .ask("server_log", json!({"server": "flood"}))
            .await
            .unwrap();
        assert!(log["lines"].as_array().unwrap().len() <= 1_000);
        if log["lines"].as_array().and_then(|lines| lines.last())
            == Some(&json!("the flood is over"))
        {
            break log["lines"].as_array().unwrap().len() as u64 + log["dropped"].as_u64().unwrap();
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert!(lines > 1_000, "{lines}");
}

#[tokio::test(flavor = "multi_thread")]
async fn servers_that_fail_do_not_keep_the_host_from_opening_with_the_others() {
    let test = TestHost::new().await;
    test.add_with("exits", command(&[&misbehave(), "exits"]))
        .await;
    test.add_with("gone", command(&["/no/such/program"])).await;
    test.add("echo", &[beside("misbehave").to_str().unwrap(), "ok"])
        .await;
    let test = test.again().await;
    test.ask("review_offers", json!({"server": "echo"}))
        .await
        .unwrap();
    assert_eq!(test.state("echo").await, ServerState::Ready);
    for name in ["exits", "gone"] {
        test.ask("list_tools", json!({"server": name}))
            .await
            .unwrap();
        test.failure(name).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_of_which_nobody_knows_the_end_are_told_together() {
    const CALLS: usize = 30;
    let test = TestHost::new().await;
    test.add("hangs", &[&misbehave(), "hangs-in-call"]).await;
    let allow = json!({"effect": "allow", "hook": "call", "caller": null, "server": "hangs", "tool": null, "when": [], "reason": null});
    let person = test.person([Decision::ChangeRule]);
    test.ask("add_rule", json!({"draft": allow})).await.unwrap();
    drop(person);
    let mut heard = test.listen();
    let begun: Vec<_> = (0..CALLS)
        .map(|number| test.call_later("hangs", "hang", json!({"number": number})))
        .collect();
    let running = async || {
        test.outcomes()
            .await
            .iter()
            .filter(|one| *one == "running")
            .count()
    };
    while running().await < CALLS {
        tokio::task::yield_now().await;
    }
    test.ask("restart_server", json!({"server": "hangs"}))
        .await
        .unwrap();
    for (_, call) in begun {
        assert!(call.await.unwrap().is_err());
    }
    let outcomes = test.outcomes().await;
    let unknown = outcomes.iter().filter(|one| *one == "interrupted").count();
    let mut told = 0;
    let all = |event: &HostEvent| match event {
        HostEvent::UnknownChanged { unknown: now, more } => {
            told += 1;
            now.len() == unknown && *more == 0
        }
        _ => false,
    };
    heard.until(all).await;
    let is_told = |event: &HostEvent| matches!(event, HostEvent::UnknownChanged { .. });
    told += heard
        .heard()
        .iter()
        .filter(|one| is_told(&one.event))
        .count();
    assert!(
        told <= CALLS / 3 && unknown > CALLS / 2,
        "{told} of {unknown}"
    );
}
