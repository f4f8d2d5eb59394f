//! Programs that are to do something and end, such as one that downloads what a server runs.

use crate::support::{TestHandler, run};
use connections::{RunError, StdioStart, run_to_end};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

const LONG: Duration = Duration::from_secs(30);
const SHORT: Duration = Duration::from_millis(500);

fn shell(script: &str) -> StdioStart {
    run("/bin/sh".into(), &["-c", script])
}

async fn wanted(start: &StdioStart, longest: Duration) -> Result<(), RunError> {
    let told = Arc::new(TestHandler::default());
    run_to_end(start, longest, told, std::future::pending()).await
}

async fn lines(script: &str) -> Vec<String> {
    match wanted(&shell(script), LONG).await {
        Err(RunError::Failed { lines }) => lines,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_program_that_fails_is_told_by_its_last_lines() {
    assert!(wanted(&shell("exit 0"), LONG).await.is_ok());
    // Whatever is still on the way when it ends.
    let script = "seq 1 20000 | sed 's/^/line /' >&2; exit 3";
    for _ in 0..5 {
        let lines = lines(script).await;
        assert_eq!(lines.len(), 12);
        assert_eq!(lines.last().map(String::as_str), Some("line 20000"));
    }
}

#[tokio::test]
async fn a_program_that_does_not_end_in_time_is_ended() {
    let begun = Instant::now();
    let ended = wanted(&shell("sleep 30"), SHORT).await;
    assert!(matches!(ended, Err(RunError::TimedOut { after }) if after == SHORT));
    assert!(begun.elapsed() < LONG / 3);
}

#[tokio::test]
async fn the_start_counts_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let jail = folder.path().join("jail");
    fs::write(&jail, "#!/bin/sh\nsleep 5\n").unwrap();
    fs::set_permissions(&jail, fs::Permissions::from_mode(0o755)).unwrap();
    let start = StdioStart {
        jail,
        ..shell("exit 0")
    };
    let begun = Instant::now();
    let ended = wanted(&start, SHORT).await;
    assert!(matches!(ended, Err(RunError::TimedOut { .. })), "{ended:?}");
    assert!(begun.elapsed() < Duration::from_secs(4));
}

#[tokio::test]
async fn what_it_writes_is_heard_as_it_comes_and_nothing_of_it_is_left_once_it_is_unwanted() {
    let folder = tempfile::tempdir().unwrap();
    // It reads as ended once nobody holds it any more.
    let held = folder.path().join("held");
    let made = std::process::Command::new("mkfifo").arg(&held).status();
    assert!(made.unwrap().success());
    let script = format!("exec 3> {}; echo fetching >&2; sleep 300", held.display());
    let start = shell(&script);
    let left = tokio::task::spawn_blocking(move || fs::read(held));
    let told = Arc::new(TestHandler::default());
    let unwanted = told.line("fetching");
    let ended = run_to_end(&start, LONG, told.clone(), unwanted).await;
    assert!(matches!(ended, Err(RunError::Cancelled)), "{ended:?}");
    assert_eq!(left.await.unwrap().unwrap(), b"");
}

#[tokio::test]
async fn what_nobody_wants_is_not_started() {
    let folder = tempfile::tempdir().unwrap();
    let mark = folder.path().join("mark");
    let start = shell(&format!("touch {}", mark.display()));
    let told = Arc::new(TestHandler::default());
    let ended = run_to_end(&start, LONG, told, std::future::ready(())).await;
    assert!(matches!(ended, Err(RunError::Cancelled)), "{ended:?}");
    assert!(!mark.exists());
}
