//! A log that was changed afterwards says so, at the first record that is not what it was.

use crate::support::terminal::Terminal;
use crate::support::{Choices, TestHost, misbehave, programs};
use api::LogReport;
use host::{Clock, KeyringChoice};
use policy::Decision;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicI64;
use store::{Chain, Flaw};
use tempfile::TempDir;

/// A closed data folder with a log of an ordinary day.
async fn log_of(records: usize, text: &str) -> Arc<TempDir> {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    // Each call is opened and closed, and what came before is more than ten records.
    for number in 0..(records - 10) / 2 + 1 {
        // What is called over and over for the same result would be asked about.
        test.call("echo", "echo", json!({"text": format!("{text} {number}")}))
            .await
            .unwrap();
    }
    test.end().await
}

fn segments(dir: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(host::log_dir(dir))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "log"));
    files.sort();
    files
}

fn verify(dir: &Path) -> LogReport {
    host::verify_dir(dir, KeyringChoice::System).unwrap()
}

/// The number of the first bad record.
fn broken_at(dir: &Path) -> u64 {
    match verify(dir) {
        LogReport::Broken { record, .. } => record,
        intact => panic!("it was not found: {intact:?}"),
    }
}

/// Where the records of a segment begin and end.
fn lines(bytes: &[u8]) -> Vec<std::ops::Range<usize>> {
    let ends = bytes
        .iter()
        .enumerate()
        .filter(|(_, byte)| **byte == b'\n')
        .map(|(place, _)| place + 1);
    let mut start = 0;
    ends.map(|end| std::mem::replace(&mut start, end)..end)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_single_byte_of_a_thousand_records_counts() {
    let dir = log_of(1_000, "x").await;
    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let bytes = fs::read(segment).unwrap();
    let lines = lines(&bytes);
    assert!(lines.len() >= 1_000, "{} records", lines.len());
    let mut chain = Chain::start();
    for (index, line) in lines.iter().enumerate() {
        let next = lines.get(index + 1).map_or(line.end, |next| next.end);
        // The record and the one after it: a change that fits the record itself must not fit its
        // successor.
        let mut pair = bytes[line.start..next].to_vec();
        for place in 0..line.len() {
            for flip in [0x01, 0x20, 0x80] {
                pair[place] ^= flip;
                let mut reader = chain.clone();
                let found = reader.take(&pair).and_then(|length| {
                    if index + 1 < lines.len() {
                        reader.take(&pair[length..]).map(|_| ())
                    } else {
                        Ok(())
                    }
                });
                assert!(found.is_err(), "record {} byte {place}", index + 1);
                pair[place] ^= flip;
            }
        }
        chain.take(&pair).unwrap();
    }
    assert_eq!(chain.take(b"\n"), Err(Flaw::Length));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_change_of_any_record_is_found_in_the_files_at_that_record() {
    // The whole log is read once for each of its records.
    let dir = log_of(200, "x").await;
    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let bytes = fs::read(segment).unwrap();
    let lines = lines(&bytes);
    for (index, line) in lines.iter().enumerate() {
        let mut changed = bytes.clone();
        // Another place in each record, over its whole length.
        changed[line.start + index * 7 % line.len()] ^= 0x01;
        fs::write(segment, &changed).unwrap();
        assert_eq!(broken_at(dir.path()), index as u64 + 1);
    }
    fs::write(segment, &bytes).unwrap();
    assert!(matches!(verify(dir.path()), LogReport::Intact { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn records_that_are_deleted_or_moved_are_missed() {
    let dir = log_of(40, "x").await;
    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let bytes = fs::read(segment).unwrap();
    let records: Vec<&[u8]> = lines(&bytes).into_iter().map(|line| &bytes[line]).collect();
    let last = records.len();
    let with = |order: &mut dyn FnMut(&mut Vec<&[u8]>)| {
        let mut changed = records.clone();
        order(&mut changed);
        fs::write(segment, changed.concat()).unwrap();
        broken_at(dir.path())
    };
    assert_eq!(
        with(&mut |records| _ = records.pop()),
        last as u64,
        "the last one"
    );
    assert_eq!(
        with(&mut |records| records.truncate(last - 5)),
        last as u64 - 4,
        "the last five"
    );
    assert_eq!(with(&mut |records| records.clear()), 1, "all");
    assert_eq!(
        with(&mut |records| _ = records.remove(0)),
        1,
        "the first one"
    );
    assert_eq!(
        with(&mut |records| _ = records.remove(20)),
        21,
        "one in the middle"
    );
    assert_eq!(
        with(&mut |records| records.swap(10, 11)),
        11,
        "two in each other's place"
    );
    assert_eq!(with(&mut |records| records.reverse()), 1, "all in reverse");
    assert_eq!(
        with(&mut |records| records.insert(5, records[4])),
        6,
        "one twice"
    );
    assert_eq!(
        with(&mut |records| records.push(records[last - 1])),
        last as u64 + 1,
        "one more at the end"
    );
    fs::write(segment, [&bytes[..], b"half a rec"].concat()).unwrap();
    assert_eq!(
        broken_at(dir.path()),
        last as u64 + 1,
        "half a record at the end"
    );
    fs::remove_file(segment).unwrap();
    assert_eq!(broken_at(dir.path()), 1, "the file");
    fs::write(segment, &bytes).unwrap();
    assert!(matches!(verify(dir.path()), LogReport::Intact { .. }));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_segment_that_is_removed_or_exchanged_is_missed() {
    let dir = log_of(1_300, &"a long text ".repeat(1_200)).await;
    let files = segments(dir.path());
    assert!(files.len() >= 2, "{files:?}");
    assert!(matches!(verify(dir.path()), LogReport::Intact { .. }));
    let away = dir.path().join("away");
    for file in &files {
        fs::rename(file, &away).unwrap();
        broken_at(dir.path());
        fs::rename(&away, file).unwrap();
    }
    fs::rename(&files[0], &away).unwrap();
    fs::rename(&files[1], &files[0]).unwrap();
    fs::rename(&away, &files[1]).unwrap();
    assert_eq!(broken_at(dir.path()), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_that_opens_a_changed_log_goes_on_and_the_change_stays_found() {
    let dir = log_of(40, "x").await;
    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let mut bytes = fs::read(segment).unwrap();
    let middle = lines(&bytes)[20].start + 30;
    bytes[middle] ^= 0x01;
    fs::write(segment, &bytes).unwrap();
    let host = crate::support::open_on(dir.path()).await.unwrap();
    let surface = host::Surface::of(protocol::Caller::terminal(), None);
    let report = host.ask(host::api::VerifyLog {}, &surface).await.unwrap();
    let report = json!(report);
    assert_eq!(
        (&report["kind"], &report["record"]),
        (&json!("broken"), &json!(21))
    );
    host.close().await;
    assert_eq!(broken_at(dir.path()), 21);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_verifies_with_a_host_and_without_and_ends_with_5() {
    let dir = log_of(40, "x").await;
    let audit = |words: &[&str]| {
        let mut command = Command::new(programs().own);
        crate::support::terminal::Ran::of(
            command
                .arg("--data-dir")
                .arg(dir.path())
                .arg("audit")
                .args(words),
        )
    };
    let intact = audit(&["verify"]);
    assert!(
        intact.code == 0
            && intact.out.is_empty()
            && intact.err.contains("intact")
            && intact.err.contains("keyring"),
        "{intact:?}"
    );
    let path = audit(&["path"]);
    assert_eq!(
        path.out.trim_end(),
        host::log_dir(dir.path()).to_str().unwrap()
    );

    let host = crate::support::open_on(dir.path()).await.unwrap();
    assert_eq!(audit(&["verify"]).code, 0, "while a host runs");
    host.close().await;

    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let mut bytes = fs::read(segment).unwrap();
    let place = lines(&bytes)[6].start + 40;
    bytes[place] ^= 0x01;
    fs::write(segment, &bytes).unwrap();
    let broken = audit(&["verify"]);
    assert!(
        broken.code == 5 && broken.err.contains("NOT intact") && broken.err.contains("record 7")
            || broken.err.contains("record: 7"),
        "{broken:?}"
    );
    let shown = audit(&["--json", "verify"]);
    assert_eq!((shown.code, shown.json()["record"].clone()), (5, json!(7)));
}

/// A closed data folder with a log that was written ten days ago.
async fn old_log() -> Arc<TempDir> {
    let ten_days_ago = Clock::System.now().0 - 10 * 24 * 60 * 60 * 1_000;
    let clock = Clock::Fixed(Arc::new(AtomicI64::new(ten_days_ago)));
    let test = TestHost::with(Choices {
        clock,
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "old"}))
        .await
        .unwrap();
    test.end().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_moves_old_records_out_for_a_person_and_says_where_they_are() {
    let dir = old_log().await;
    let terminal = Terminal::on(dir.path());
    let token = terminal.beside("token").to_str().unwrap().to_owned();
    let (running, _) = terminal.serve(&["--approver-token-file", &token]);
    let compact = ["audit", "compact", "--before", "2099-01-01"];
    let nobody = terminal.run(&compact);
    assert!(
        nobody.code == 3 && nobody.err.contains("no person"),
        "{nobody:?}"
    );
    let moved = terminal.run(&[&compact[..], &["--approver-token-file", &token]].concat());
    assert!(
        moved.code == 0 && moved.err.contains("records were moved to"),
        "{moved:?}"
    );
    let again = terminal.run(&[&compact[..], &["--approver-token-file", &token]].concat());
    assert!(
        again.code == 0 && again.err.contains("no segment"),
        "{again:?}"
    );

    let verified = terminal.run(&["audit", "verify"]);
    assert!(
        verified.code == 0 && verified.err.contains("Signed since record 1"),
        "{verified:?}"
    );
    assert!(
        verified.err.contains("in the archive") && verified.err.contains("were read as well"),
        "{verified:?}"
    );
    let export = || terminal.run(&["audit", "export", "--format", "jsonl"]);
    let whole = export();
    assert!(
        whole.out.starts_with("{\"seq\":1,") && !whole.err.contains("NOT"),
        "{}",
        whole.err
    );

    fs::remove_dir_all(host::log_dir(dir.path()).join("archive")).unwrap();
    let verified = terminal.run(&["audit", "verify"]);
    assert!(
        verified.code == 0
            && verified.err.contains("Signed since record 1")
            && verified.err.contains("NOT in the archive"),
        "{verified:?}"
    );
    let left = export();
    assert!(
        !left.out.contains("{\"seq\":1,") && left.err.contains("NOT among them"),
        "{}",
        left.err
    );
    running.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_made_of_a_log_that_is_not_intact_and_a_missing_file_is_no_anchor() {
    let dir = old_log().await;
    let terminal = Terminal::on(dir.path());
    let missing = terminal.run(&["audit", "check-anchor", "missing.txt"]);
    assert!(
        missing.code != 0 && missing.err.contains("missing.txt cannot be read"),
        "{missing:?}"
    );
    assert_eq!(terminal.run(&["audit", "anchor"]).code, 0);

    let [segment] = &segments(dir.path())[..] else {
        panic!("more than one segment")
    };
    let mut bytes = fs::read(segment).unwrap();
    let place = lines(&bytes)[6].start + 40;
    bytes[place] ^= 0x01;
    fs::write(segment, &bytes).unwrap();
    let anchor = terminal.run(&["audit", "anchor"]);
    assert!(
        anchor.code == 5 && anchor.err.contains("record 7"),
        "{anchor:?}"
    );
    let token = terminal.beside("token").to_str().unwrap().to_owned();
    let (running, _) = terminal.serve(&["--approver-token-file", &token]);
    let compact = terminal.run(&[
        "audit",
        "compact",
        "--before",
        "2099-01-01",
        "--approver-token-file",
        &token,
    ]);
    assert!(
        compact.code == 5 && compact.err.contains("record 7"),
        "{compact:?}"
    );
    running.kill();
}

#[tokio::test(flavor = "multi_thread")]
async fn an_anchor_that_was_kept_shows_a_log_that_was_exchanged_as_a_whole() {
    let (own, another) = (log_of(20, "x").await, log_of(20, "x").await);
    let anchor = Terminal::on(own.path()).run(&["audit", "anchor"]);
    assert_eq!(anchor.code, 0, "{anchor:?}");
    let check = |dir: &Path| {
        let words = ["audit", "check-anchor", anchor.out.trim()];
        Terminal::on(dir).run(&words)
    };
    let same = check(own.path());
    assert_eq!(same.code, 0, "{same:?}");
    assert!(matches!(verify(another.path()), LogReport::Intact { .. }));
    let exchanged = check(another.path());
    assert!(
        exchanged.code == 5 && exchanged.err.contains("ANOTHER log"),
        "{exchanged:?}"
    );
}

#[test]
fn an_empty_folder_has_an_empty_log() {
    let terminal = Terminal::new();
    assert_eq!(terminal.run(&["audit", "verify"]).code, 0);
    assert!(!terminal.dir().exists(), "looking made something");
}
