//! What a crash leaves behind is put in order, and tampering is not mistaken for a crash.

use super::verify_test::cut_last_record;
use crate::testing::{Drawer, Home, closed, fill, noted, opened, options, row_of};
use crate::vault::{Keyring, Ring, RingError};
use crate::{Audit, Durability, Event, KeyringChoice, Store};
use api::{ExportFormat, LogReport, Outcome};
use protocol::{CallId, Secret};
use serde_json::json;
use std::fs;

fn append(audit: &Audit, entry: crate::Entry) -> u64 {
    audit.append(entry, Durability::Grouped).unwrap().seq
}

fn tear(home: &Home, more: &[u8]) {
    let mut bytes = fs::read(home.segment(1)).unwrap();
    bytes.extend_from_slice(more);
    fs::write(home.segment(1), bytes).unwrap();
}

#[tokio::test]
async fn what_was_appended_before_a_kill_is_there_after_it() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 30);
    drop(store);
    let store = home.open().await;
    assert_eq!(append(&store.audit(), noted(Event::HostStopped)), 32);
    store.close().await;
    assert!(matches!(
        home.verify(),
        LogReport::Intact {
            records: 33,
            after_anchor: 0,
            ..
        }
    ));
}

#[tokio::test]
async fn a_call_that_the_host_did_not_outlive_is_closed_as_interrupted() {
    let home = Home::new();
    let store = home.open().await;
    let (ended, left) = (CallId::random(), CallId::random());
    append(&store.audit(), opened(&left, json!({"path": "/etc/hosts"})));
    append(&store.audit(), opened(&ended, json!({})));
    append(&store.audit(), closed(&ended, Outcome::Done, None));
    drop(store);

    for _ in 0..2 {
        let store = home.open().await;
        let detail = store.audit().detail(2).await.unwrap();
        assert_eq!(
            (detail.row.outcome, detail.records.len()),
            (Outcome::Interrupted, 2)
        );
        assert_eq!(
            detail.error.as_deref(),
            Some("the host ended during the call")
        );
        assert_eq!(row_of(&store.audit(), 3).await.outcome, Outcome::Done);
        drop(store);
    }
    assert!(matches!(
        home.verify(),
        LogReport::Intact { records: 5, .. }
    ));
}

#[tokio::test]
async fn a_half_written_record_is_moved_aside_and_the_log_says_so() {
    for torn in [
        &b"000001"[..],
        b"0000ffff 12345678 {\"seq\":",
        b"\0\0\0\0\0\0",
        b"00000004 00000000 {}{}\n",
    ] {
        let home = Home::new();
        let store = home.open().await;
        fill(&store.audit(), 10);
        drop(store);
        tear(&home, torn);
        assert!(matches!(
            home.verify(),
            LogReport::Broken { record: 12, .. }
        ));

        let store = home.open().await;
        store.close().await;
        let exported = store
            .audit()
            .export(ExportFormat::Jsonl, None)
            .await
            .unwrap();
        let last: serde_json::Value =
            serde_json::from_str(exported.text.lines().rev().nth(1).unwrap()).unwrap();
        assert_eq!(
            (&last["event"], &last["bytes"]),
            (&json!("tail_repaired"), &json!(torn.len()))
        );
        assert_eq!(
            fs::read(home.dir().join("audit/000001.log.torn-1")).unwrap(),
            torn
        );
        assert!(matches!(
            home.verify(),
            LogReport::Intact { records: 13, .. }
        ));
    }
}

#[tokio::test]
async fn a_second_tear_does_not_overwrite_the_first() {
    let home = Home::new();
    home.open().await.close().await;
    for (number, torn) in [(1, "one"), (2, "two")] {
        tear(&home, torn.as_bytes());
        home.open().await.close().await;
        assert_eq!(
            fs::read_to_string(home.dir().join(format!("audit/000001.log.torn-{number}"))).unwrap(),
            torn
        );
    }
}

#[tokio::test]
async fn a_record_that_was_cut_off_stays_missed_after_the_log_went_on() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 10);
    store.close().await;
    drop(store);
    cut_last_record(&home.segment(1));

    for _ in 0..3 {
        let store = home.open().await;
        fill(&store.audit(), 4);
        store.close().await;
        let LogReport::Broken {
            record, problem, ..
        } = home.verify()
        else {
            panic!("the cut was forgotten")
        };
        assert_eq!(
            (record, problem.as_str()),
            (12, "record 12 is missing at the end")
        );
    }
}

#[tokio::test]
async fn a_changed_last_record_is_not_taken_for_a_torn_one() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 10);
    store.close().await;
    drop(store);
    let mut bytes = fs::read(home.segment(1)).unwrap();
    let place = bytes.len() - 10;
    bytes[place] ^= 1;
    fs::write(home.segment(1), bytes).unwrap();

    home.open().await.close().await;
    assert!(matches!(
        home.verify(),
        LogReport::Broken { record: 12, .. }
    ));
    assert!(
        home.dir().join("audit/000001.log.torn-1").exists(),
        "the evidence is kept"
    );
}

#[tokio::test]
async fn a_log_broken_in_the_middle_goes_on_and_stays_broken() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 10);
    store.close().await;
    drop(store);
    let mut bytes = fs::read(home.segment(1)).unwrap();
    bytes[700] ^= 1;
    fs::write(home.segment(1), &bytes).unwrap();
    let LogReport::Broken { record: before, .. } = home.verify() else {
        panic!("not found")
    };

    let store = home.open().await;
    assert_eq!(append(&store.audit(), noted(Event::HostStopped)), 13);
    store.close().await;
    assert!(
        fs::read(home.segment(1)).unwrap().starts_with(&bytes),
        "the evidence is kept"
    );
    assert!(matches!(home.verify(), LogReport::Broken { record, .. } if record == before));
}

/// A keyring that can be written and, for now, not be read.
struct Blind(Drawer);

impl Ring for Blind {
    fn get(&mut self, _: &str) -> Result<Option<Secret>, RingError> {
        Err(RingError::Failed("the prompt was dismissed".into()))
    }
    fn set(&mut self, account: &str, value: &Secret) -> Result<(), RingError> {
        self.0.set(account, value)
    }
    fn remove(&mut self, account: &str) -> Result<(), RingError> {
        self.0.remove(account)
    }
}

#[tokio::test]
async fn a_head_in_the_keyring_that_could_not_be_read_is_not_replaced() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 10);
    store.close().await;
    drop(store);
    // Everything outside of the keyring is cut off together.
    cut_last_record(&home.segment(1));
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();

    let (options, blind) = (
        options(home.dir(), KeyringChoice::System),
        Blind(home.drawer.clone()),
    );
    let opening = tokio::task::spawn_blocking(|| {
        Store::open_blocking(options, |_, dir| Keyring::over(blind, dir))
    });
    let store = opening.await.unwrap().unwrap();
    fill(&store.audit(), 10);
    store.close().await;
    assert!(matches!(
        home.verify(),
        LogReport::Broken { record: 12, .. }
    ));
}
