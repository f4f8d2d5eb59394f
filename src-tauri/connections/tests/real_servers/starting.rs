//! Starting: what a server is given, and why one does not start.

use crate::support::{LIMITS, call, misbehave, not_started, not_started_with, run, started, text};
use connections::{ConnectionError, Limits};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

/// For servers that let the time run out.
const SHORT: Limits = Limits {
    start: Duration::from_secs(3),
    ..LIMITS
};

#[tokio::test]
async fn a_server_says_who_it_is() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let about = connection.server_info();
    assert_eq!(
        (about.name.as_str(), about.protocol.as_str()),
        ("misbehave", "2025-11-25")
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_server_gets_the_allow_list_and_what_was_given_to_it_and_nothing_else() {
    let (connection, _handler) = started(misbehave(&["ok"])).await;
    let of = |name: &'static str| call(&connection, "env", json!({ "name": name }));
    assert_eq!(text(of("TOKEN").await.unwrap()), "hunter2-of-the-test");
    assert!(!of("PATH").await.unwrap().is_error);
    // Cargo sets this one for every test; a server must not see it.
    assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
    assert!(of("CARGO_MANIFEST_DIR").await.unwrap().is_error);
    connection.stop().await;
}

#[tokio::test]
async fn a_command_that_is_not_there_is_named() {
    let failure = not_started(run(PathBuf::from("/no/such/program"), &[])).await;
    assert!(
        matches!(failure.error, ConnectionError::CommandNotFound { .. }),
        "{failure}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn a_file_that_is_no_program_is_named_with_the_reason() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let failure = not_started(run(file.path().to_owned(), &[])).await;
    assert!(
        matches!(failure.error, ConnectionError::NotExecutable { .. }),
        "{failure}"
    );
    assert!(
        failure
            .to_string()
            .ends_with("cannot be executed: permission denied"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_working_directory_that_is_not_there_is_named() {
    let mut start = misbehave(&["ok"]);
    start.cwd = PathBuf::from("/no/such/folder");
    let failure = not_started(start).await;
    assert!(
        matches!(failure.error, ConnectionError::NoWorkingDirectory { .. }),
        "{failure}"
    );
}

#[cfg(unix)]
#[tokio::test]
async fn without_the_jail_nothing_is_started() {
    let mut start = misbehave(&["ok"]);
    start.jail = PathBuf::from("/no/such/jail");
    let failure = not_started(start).await;
    assert!(
        matches!(failure.error, ConnectionError::JailMissing { .. }),
        "{failure}"
    );
}

#[tokio::test]
async fn a_server_that_exits_at_once_is_shown_with_its_code_and_its_last_words() {
    let failure = not_started(misbehave(&["exits"])).await;
    assert!(
        matches!(
            failure.error,
            ConnectionError::ExitedAtStart { status: Some(3) }
        ),
        "{failure}"
    );
    assert_eq!(failure.stderr, ["fatal: the configuration is missing"]);
}

#[tokio::test]
async fn junk_before_the_first_message_is_passed_over() {
    let (connection, _handler) = started(misbehave(&["junk"])).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    connection.stop().await;
}

#[tokio::test]
async fn a_program_that_is_no_server_is_shown_with_its_first_line() {
    let failure = not_started_with(misbehave(&["only-junk"]), SHORT).await;
    let ConnectionError::NotProtocol {
        first_line: Some(line),
    } = &failure.error
    else {
        panic!("{failure}")
    };
    assert_eq!(line, "Usage: misbehave [OPTIONS]");
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_that_prints_something_and_is_content_is_no_server_either() {
    let failure = not_started(run(PathBuf::from("/bin/echo"), &["hello"])).await;
    assert!(
        matches!(&failure.error, ConnectionError::NotProtocol { first_line: Some(line) } if line == "hello"),
        "{failure}"
    );
}

#[tokio::test]
async fn a_server_that_never_answers_is_given_up() {
    let failure = not_started_with(misbehave(&["silent"]), SHORT).await;
    assert!(
        matches!(failure.error, ConnectionError::StartTimedOut { .. }),
        "{failure}"
    );
}

#[tokio::test]
async fn no_failure_to_start_shows_a_secret() {
    for mode in ["exits", "only-junk", "silent"] {
        let failure = not_started_with(misbehave(&[mode]), SHORT).await;
        assert!(
            !format!("{failure:?} {failure}").contains("hunter2"),
            "{mode}"
        );
    }
    assert!(!format!("{:?}", misbehave(&["ok"])).contains("hunter2"));
}

#[tokio::test]
async fn a_flood_of_complaints_neither_blocks_a_server_nor_fills_the_memory() {
    let (connection, handler) = started(misbehave(&["stderr-flood"])).await;
    assert_eq!(
        text(
            call(&connection, "echo", json!({ "text": "hello" }))
                .await
                .unwrap()
        ),
        "hello"
    );
    handler.line("the flood is over").await;
    let tail = connection.stderr();
    assert_eq!(tail.lines.len(), 1_000);
    assert_eq!(tail.dropped, 300_001 - 1_000);
    connection.stop().await;
}
