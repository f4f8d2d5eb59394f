//! Servers of others, as they are published: added, reviewed, switched on, called once on a
//! person's word.

use crate::support::{Choices, TestHost, misbehave, servers, text};
use host::Restart;
use host::api::{HostEvent, Review, ServerState};
use policy::{Decision, Subject};
use protocol::{Content, FormResult, ToolResult};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// One call that is allowed once.
async fn once(test: &TestHost, server: &str, tool: &str, arguments: Value) -> ToolResult {
    let person = test.person([Decision::once()]);
    let answer = test.call(server, tool, arguments).await.unwrap();
    assert_eq!(person.asked().len(), 1);
    answer
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_lists_its_tools_and_answers() {
    let test = TestHost::new().await;
    test.add_real("everything", &servers::everything()).await;
    let tools = test
        .ask("list_tools", json!({"server": "everything"}))
        .await
        .unwrap();
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["spec"]["name"].as_str().unwrap())
        .collect();
    for name in [
        "echo",
        "get-sum",
        "get-tiny-image",
        "get-structured-content",
        "trigger-long-running-operation",
        "trigger-elicitation-request",
    ] {
        assert!(names.contains(&name), "{name} is not in {names:?}");
    }
    assert!(
        text(&once(&test, "everything", "echo", json!({"message": "hello"})).await)
            .contains("hello")
    );
    assert!(
        text(&once(&test, "everything", "get-sum", json!({"a": 2, "b": 3})).await).contains('5')
    );
    let image = once(&test, "everything", "get-tiny-image", json!({})).await;
    assert!(
        image.content.iter().any(
            |part| matches!(part, Content::Image { mime_type, .. } if mime_type == "image/png")
        )
    );
    let structured = once(
        &test,
        "everything",
        "get-structured-content",
        json!({"location": "New York"}),
    )
    .await;
    assert!(structured.structured.unwrap()["temperature"].is_number());
    assert_eq!(structured.notes, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_reports_progress() {
    let test = TestHost::new().await;
    test.add_real("everything", &servers::everything()).await;
    let mut recorder = test.listen();
    once(
        &test,
        "everything",
        "trigger-long-running-operation",
        json!({"duration": 1, "steps": 4}),
    )
    .await;
    recorder
        .until(|event| {
            matches!(
                event,
                HostEvent::CallProgress {
                    total: Some(4.0),
                    ..
                }
            )
        })
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_asks_a_person_through_a_form() {
    let test = TestHost::new().await;
    test.add_real("everything", &servers::everything()).await;
    let person = test.person([
        Decision::once(),
        Decision::Form {
            answer: FormResult::Decline,
        },
    ]);
    let answer = test
        .call("everything", "trigger-elicitation-request", json!({}))
        .await
        .unwrap();
    let asked = person.asked();
    assert!(
        matches!(&asked[1].subject, Subject::Form { during, .. } if during.len() == 1),
        "{:?}",
        asked[1]
    );
    assert!(
        text(&answer).to_lowercase().contains("declin"),
        "{answer:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_is_used_at_an_address_whichever_way_it_speaks_there() {
    for mode in ["streamableHttp", "sse"] {
        let running = servers::EverythingAt::new(mode);
        let test = TestHost::new().await;
        test.add_with("everything", json!({"kind": "http", "url": running.url()}))
            .await;
        assert_eq!(test.state("everything").await, ServerState::Ready, "{mode}");
        assert!(
            test.ask("list_tools", json!({"server": "everything"}))
                .await
                .unwrap()
                .as_array()
                .unwrap()
                .len()
                >= 13,
            "{mode}"
        );
        assert!(
            text(&once(&test, "everything", "echo", json!({"message": "hello"})).await)
                .contains("hello"),
            "{mode}"
        );
        let mut recorder = test.listen();
        once(
            &test,
            "everything",
            "trigger-long-running-operation",
            json!({"duration": 1, "steps": 4}),
        )
        .await;
        recorder
            .until(|event| {
                matches!(
                    event,
                    HostEvent::CallProgress {
                        total: Some(4.0),
                        ..
                    }
                )
            })
            .await;
        let person = test.person([
            Decision::once(),
            Decision::Form {
                answer: FormResult::Decline,
            },
        ]);
        let answer = test
            .call("everything", "trigger-elicitation-request", json!({}))
            .await
            .unwrap();
        assert!(
            text(&answer).to_lowercase().contains("declin"),
            "{mode}: {answer:?}"
        );
        assert_eq!(person.asked().len(), 2);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_that_was_started_anew_answers_the_next_call() {
    let mut running = servers::EverythingAt::new("streamableHttp");
    let test = TestHost::new().await;
    test.add_with("everything", json!({"kind": "http", "url": running.url()}))
        .await;
    let _person = test.person([Decision::for_conversation()]);
    for message in ["before", "after", "and again"] {
        assert!(
            text(
                &test
                    .call("everything", "echo", json!({"message": message}))
                    .await
                    .unwrap()
            )
            .contains(message)
        );
        running.start_anew();
    }
    assert_eq!(test.state("everything").await, ServerState::Ready);
    assert!(
        test.ask("list_tools", json!({"server": "everything"}))
            .await
            .unwrap()
            .as_array()
            .unwrap()
            .len()
            >= 13
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn server_everything_of_the_older_transport_is_found_again_when_it_was_started_anew() {
    let mut running = servers::EverythingAt::new("sse");
    let first = Duration::from_millis(20);
    let restart = Restart {
        first,
        longest: first,
        times: u32::MAX,
    };
    let test = TestHost::with(Choices {
        restart,
        ..Choices::default()
    })
    .await;
    test.add_with("everything", json!({"kind": "http", "url": running.url()}))
        .await;
    let _person = test.person([Decision::for_conversation()]);
    test.call("everything", "echo", json!({"message": "before"}))
        .await
        .unwrap();
    let mut recorder = test.listen();
    running.start_anew();
    recorder.until(|event| matches!(event, HostEvent::ServerChanged { server } if server.state == ServerState::Ready)).await;
    assert!(
        text(
            &test
                .call("everything", "echo", json!({"message": "after"}))
                .await
                .unwrap()
        )
        .contains("after")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn server_filesystem_works_in_the_folder_that_was_chosen_and_nowhere_else() {
    let folders = tempfile::tempdir().unwrap();
    let (chosen, later) = (folders.path().join("chosen"), folders.path().join("later"));
    for folder in [&chosen, &later] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("note.txt"), "a note").unwrap();
    }
    let test = TestHost::new().await;
    let words = servers::filesystem();
    test.ask("add_server", json!({"draft": {"name": "files", "target": {"kind": "stdio", "command": words[0], "args": words[1..]}}}))
        .await
        .unwrap();
    test.ask("add_root", json!({"server": "files", "path": chosen}))
        .await
        .unwrap();
    test.switch_on("files").await;

    assert!(listing(&test, &chosen).await.contains("note.txt"));
    let outside = once(
        &test,
        "files",
        "read_text_file",
        json!({"path": later.join("note.txt")}),
    )
    .await;
    assert!(
        outside.is_error && text(&outside).contains("denied"),
        "{outside:?}"
    );

    // Added while it runs: the server is told, asks again, and works there too.
    test.ask("add_root", json!({"server": "files", "path": later}))
        .await
        .unwrap();
    let begun = std::time::Instant::now();
    while !listing(&test, &later).await.contains("note.txt") {
        assert!(
            begun.elapsed() < crate::support::WAIT_TIMEOUT,
            "the server was not told of the new folder"
        );
    }
}

async fn listing(test: &TestHost, folder: &Path) -> String {
    text(&once(test, "files", "list_directory", json!({"path": folder})).await)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_vanishes_is_shown_and_told_and_comes_back() {
    let folders = tempfile::tempdir().unwrap();
    let folder = folders.path().join("work");
    std::fs::create_dir(&folder).unwrap();
    let test = TestHost::new().await;
    test.add("asks", &[&misbehave(), "asks-roots"]).await;
    let _person = test.person(std::iter::repeat_n(Decision::once(), 100));
    test.ask("add_root", json!({"server": "asks", "path": folder}))
        .await
        .unwrap();
    assert!(text(&test.call("asks", "roots", json!({})).await.unwrap()).contains("/work"));

    let is_there = |there: bool| move |event: &HostEvent| matches!(event, HostEvent::ServerChanged { server } if server.roots.first().is_some_and(|root| root.present == there));
    let mut recorder = test.listen();
    std::fs::remove_dir(&folder).unwrap();
    recorder.until(is_there(false)).await;
    assert!(!text(&test.call("asks", "roots", json!({})).await.unwrap()).contains("/work"));
    std::fs::create_dir(&folder).unwrap();
    recorder.until(is_there(true)).await;
    test.ask("remove_root", json!({"server": "asks", "path": folder}))
        .await
        .unwrap();
    // Added, vanished, back, removed.
    assert_eq!(
        text(&test.call("asks", "changes", json!({})).await.unwrap()),
        "4"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_path_that_is_no_folder_cannot_become_a_root() {
    let test = TestHost::new().await;
    let file = test.dir().join("file");
    std::fs::write(&file, "").unwrap();
    for path in ["relative", "", "/no/such/folder", file.to_str().unwrap()] {
        let added = test
            .ask("add_root", json!({"server": "currency", "path": path}))
            .await;
        assert_eq!(
            crate::support::code(added),
            host::api::ErrorCode::BadPath,
            "{path:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_server_time_tells_the_time() {
    let test = TestHost::new().await;
    test.add_real("time", &servers::time()).await;
    let answer = once(
        &test,
        "time",
        "convert_time",
        json!({"source_timezone": "UTC", "time": "12:00", "target_timezone": "Asia/Tokyo"}),
    )
    .await;
    assert!(text(&answer).contains("21:00"), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn mcp_server_git_reads_a_repository() {
    let folder = tempfile::tempdir().unwrap();
    let git = |words: &[&str]| {
        let done = Command::new("git")
            .current_dir(folder.path())
            .args(["-c", "user.name=Test", "-c", "user.email=test@example.com"])
            .args(words)
            .output();
        assert!(done.unwrap().status.success(), "{words:?}");
    };
    git(&["init", "--quiet"]);
    std::fs::write(folder.path().join("a.txt"), "one\n").unwrap();
    git(&["add", "a.txt"]);
    git(&["commit", "--quiet", "--message", "The first line"]);
    let test = TestHost::new().await;
    test.add_real("git", &servers::git()).await;
    let answer = once(&test, "git", "git_log", json!({"repo_path": folder.path()})).await;
    assert!(
        !answer.is_error && text(&answer).contains("The first line"),
        "{answer:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_review_shows_exactly_what_runs() {
    let test = TestHost::new().await;
    let words = servers::everything();
    let target = json!({"kind": "stdio", "command": words[0], "args": words[1..], "env": [{"name": "LEVEL", "value": {"kind": "plain", "text": "debug"}}]});
    let review: Review = test
        .get(
            "review_draft",
            json!({"draft": {"name": "everything", "target": target}}),
        )
        .await;
    let launch = serde_json::to_value(&review.launch).unwrap();
    assert_eq!(
        (&launch["command"], &launch["args"]),
        (&json!("node"), &json!(words[1..]))
    );
    assert!(Path::new(review.resolved.as_deref().unwrap()).is_absolute() && review.cwd.is_some());
    assert!(
        review.inherited.contains(&"PATH".to_owned())
            && !review
                .inherited
                .contains(&"DBUS_SESSION_BUS_ADDRESS".to_owned())
    );
    assert_eq!(
        test.host.snapshot().await.servers.len(),
        2,
        "a draft was kept"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_added_while_a_server_starts_is_told_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("go-on");
    let test = TestHost::new().await;
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["asks-roots", file]});
    test.ask(
        "add_server",
        json!({"draft": {"name": "asks", "target": target}}),
    )
    .await
    .unwrap();
    let review: Review = test.get("review_server", json!({"server": "asks"})).await;
    test.ask(
        "enable_server",
        json!({"server": "asks", "reviewed": review.fingerprint}),
    )
    .await
    .unwrap();
    assert_eq!(test.state("asks").await, ServerState::Starting);
    test.ask("add_root", json!({"server": "asks", "path": folder.path()}))
        .await
        .unwrap();
    assert_eq!(test.state("asks").await, ServerState::Starting);
    std::fs::write(&file, "").unwrap();
    test.decide_all("asks", "approve").await;
    let person = test.person([Decision::for_conversation()]);
    // It is told in the moment after it has become ready.
    while text(&test.call("asks", "changes", json!({})).await.unwrap()) == "0" {}
    assert_eq!(person.asked().len(), 1);
}
