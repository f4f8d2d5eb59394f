//! Servers of others, as they are published: added, reviewed, switched on, called once on a
//! person's word.

use crate::support::{Choices, TestHost, misbehave, servers, text, unconfined};
use host::Restart;
use host::api::{HostEvent, Review, ServerState};
use policy::{Decision, Subject};
use protocol::{Content, FormResult, ToolResult};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;
use std::time::Duration;
#[cfg(target_os = "linux")]
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
#[cfg(target_os = "linux")]
use tokio::net::TcpListener;

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
    test.give("git", folder.path()).await;
    let answer = once(&test, "git", "git_log", json!({"repo_path": folder.path()})).await;
    assert!(
        !answer.is_error && text(&answer).contains("The first line"),
        "{answer:?}"
    );
}

/// A page at an address of this computer, for whoever asks.
#[cfg(target_os = "linux")]
async fn page(text: &'static str) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let mut asked = [0; 4096];
                if stream.read(&mut asked).await.is_ok_and(|length| length > 0) {
                    let page = format!(
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{text}",
                        text.len()
                    );
                    // Whoever asked may have gone.
                    let _ = stream.write_all(page.as_bytes()).await;
                }
            });
        }
    });
    port
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn mcp_server_fetch_reads_pages_of_the_hosts_that_it_was_given_and_of_no_other() {
    let (listed, other) = (page("Tea is ready").await, page("Nothing for you").await);
    let words = servers::fetch();
    let test = TestHost::new().await;
    let hosts = json!([format!("127.0.0.1:{listed}")]);
    test.add_confined(
        "fetch",
        json!({"kind": "stdio", "command": words[0], "args": words[1..]}),
        json!({"confined": true, "network": {"kind": "hosts", "hosts": hosts}}),
    )
    .await;
    let at = |port: u16| json!({"url": format!("http://127.0.0.1:{port}/")});
    let read = once(&test, "fetch", "fetch", at(listed)).await;
    assert!(
        !read.is_error && text(&read).contains("Tea is ready"),
        "{read:?}"
    );
    let refused = once(&test, "fetch", "fetch", at(other)).await;
    assert!(
        refused.is_error && !text(&refused).contains("Nothing for you"),
        "{refused:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_written_with_fastmcp_works_in_its_folder_and_nowhere_else() {
    let (code, folder, outside) = (
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
        tempfile::tempdir().unwrap(),
    );
    let (script, note, secret) = (
        code.path().join("notes.py"),
        folder.path().join("note.txt"),
        outside.path().join("note.txt"),
    );
    std::fs::write(
        &script,
        r#"
from fastmcp import FastMCP

server = FastMCP("Notes")


@server.tool
def add(first: int, second: int) -> int:
    """Adds two numbers"""
    return first + second


@server.tool
def read_note(where: list[str]) -> str:
    """Reads a note, whose place is told in parts"""
    with open("/".join(where)) as note:
        return note.read()


server.run(show_banner=False)
"#,
    )
    .unwrap();
    std::fs::write(&note, "Two sugars").unwrap();
    std::fs::write(&secret, "The key is under the mat").unwrap();
    let test = TestHost::new().await;
    test.add_real("notes", &servers::fastmcp(&script)).await;
    test.give("notes", folder.path()).await;
    let sum = once(&test, "notes", "add", json!({"first": 2, "second": 3})).await;
    assert_eq!((sum.is_error, text(&sum)), (false, "5".to_owned()));
    // So that it is the system, and not the host, who looks where they lead.
    let parts = |file: &Path| -> Value { file.to_str().unwrap().split('/').collect() };
    let read = once(&test, "notes", "read_note", json!({"where": parts(&note)})).await;
    assert_eq!(
        (read.is_error, text(&read)),
        (false, "Two sugars".to_owned())
    );
    if cfg!(target_os = "linux") {
        let read = once(
            &test,
            "notes",
            "read_note",
            json!({"where": parts(&secret)}),
        )
        .await;
        assert!(
            read.is_error && !text(&read).contains("under the mat"),
            "{read:?}"
        );
    }
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

#[tokio::test(flavor = "multi_thread")]
async fn a_folder_that_is_added_or_removed_at_any_moment_of_a_start_ends_no_start() {
    let folder = tempfile::tempdir().unwrap();
    let test = TestHost::new().await;
    for (name, confinement) in [("confined", Value::Null), ("free", unconfined())] {
        let target = json!({"kind": "stdio", "command": misbehave(), "args": ["asks-roots"]});
        test.add_confined(name, target, confinement).await;
        let server = json!({"server": name});
        let root = json!({"server": name, "path": folder.path()});
        for round in 0..24_u64 {
            let change = ["add_root", "remove_root"][round as usize % 2];
            test.ask("restart_server", server.clone()).await.unwrap();
            // Each time at another moment of it.
            tokio::time::sleep(Duration::from_millis(round)).await;
            test.ask(change, root.clone()).await.unwrap();
            test.ask("list_tools", server.clone()).await.unwrap();
            assert_eq!(test.state(name).await, ServerState::Ready, "round {round}");
        }
    }
}
