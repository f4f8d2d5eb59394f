//! Whatever is done to a log from outside is found.

use super::anchor::{Head, Heads};
use super::chain::{Chain, Flaw};
use super::segments::Lines;
use super::verify::{check, cut_off};
use crate::testing::{Home, absent, fill, noted};
use crate::{Event, verify_dir};
use api::{AnchorPlace, LogReport};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// Records, where the head was noted, and how many came after it.
fn intact(report: LogReport) -> (u64, AnchorPlace, u64) {
    match report {
        LogReport::Intact {
            records,
            anchor,
            after_anchor,
            ..
        } => (records, anchor, after_anchor),
        LogReport::Broken { .. } => panic!("the log was said to be broken: {report:?}"),
    }
}

fn broken(report: &LogReport) -> (u64, &str) {
    match report {
        LogReport::Broken {
            record, problem, ..
        } => (*record, problem),
        LogReport::Intact { .. } => panic!("the log was said to be intact: {report:?}"),
    }
}

async fn home_with(records: u64) -> Home {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), records);
    store.close().await;
    home
}

#[tokio::test]
async fn an_untouched_log_is_intact_while_a_host_runs_and_after() {
    let home = Home::new();
    let store = home.open().await;
    // The first record says with which key the log is signed; the last one of a run seals what the
    // run wrote.
    assert_eq!(intact(store.audit().verify().await.unwrap()).0, 1);
    fill(&store.audit(), 20);
    store
        .audit()
        .append_synced(noted(Event::HostStopped))
        .await
        .unwrap();
    assert!(matches!(
        store.audit().verify().await.unwrap(),
        LogReport::Intact { records: 22, .. }
    ));
    assert!(matches!(
        home.verify(),
        LogReport::Intact { records: 22, .. }
    ));
    store.close().await;
    assert_eq!(
        intact(store.audit().verify().await.unwrap()),
        (23, AnchorPlace::Keyring, 0)
    );
    assert_eq!(intact(home.verify()), (23, AnchorPlace::Keyring, 0));
}

#[tokio::test]
async fn a_log_can_be_verified_while_it_is_written() {
    let home = Home::new();
    let store = home.open().await;
    let audit = store.audit();
    let writing = std::thread::spawn(move || fill(&audit, 3_000));
    let mut seen = 0;
    while seen < 3_000 {
        let LogReport::Intact { records, .. } = home.verify() else {
            panic!("{:?}", home.verify())
        };
        assert!(records >= seen);
        seen = records;
    }
    writing.join().unwrap();
}

#[tokio::test]
async fn without_a_keyring_the_head_is_in_the_database_and_the_report_says_so() {
    let home = Home::new();
    let store = home.open_without_keyring().await.unwrap();
    fill(&store.audit(), 20);
    store.close().await;
    drop(store);
    assert_eq!(
        intact(verify_dir(home.dir(), absent()).unwrap()),
        (22, AnchorPlace::Database, 0)
    );
    cut_last_record(&home.segment(1));
    assert_eq!(
        broken(&verify_dir(home.dir(), absent()).unwrap()),
        (22, "record 22 is missing at the end")
    );
}

#[tokio::test]
async fn a_log_without_its_database_can_still_be_verified() {
    let home = home_with(20).await;
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
    assert_eq!(intact(home.verify()), (22, AnchorPlace::Keyring, 0));
    assert_eq!(
        intact(verify_dir(home.dir(), absent()).unwrap()),
        (22, AnchorPlace::Nowhere, 22)
    );
    cut_last_record(&home.segment(1));
    assert_eq!(broken(&home.verify()).0, 22);
}

#[tokio::test]
async fn records_after_the_last_noted_head_are_accepted_and_counted() {
    let home = home_with(20).await;
    let drawer = home.drawer.0.lock().unwrap().clone();
    let store = home.open().await;
    fill(&store.audit(), 5);
    store.close().await;
    // As if the host had been killed before the keyring was told: the older head is still true.
    *home.drawer.0.lock().unwrap() = drawer;
    assert_eq!(intact(home.verify()), (28, AnchorPlace::Keyring, 6));
    // The database knows the newer one, so nothing can be cut off behind the keyring's.
    cut_last_record(&home.segment(1));
    assert_eq!(
        broken(&home.verify()),
        (28, "record 28 is missing at the end")
    );
}

#[tokio::test]
async fn an_older_copy_of_the_whole_data_folder_is_found_by_the_keyring() {
    let home = home_with(20).await;
    let keep = |name: &str| fs::read(home.dir().join(name)).unwrap();
    let (log, database) = (keep("audit/000001.log"), keep(crate::db::FILE));
    let store = home.open().await;
    fill(&store.audit(), 3);
    store.close().await;
    drop(store);
    fs::write(home.segment(1), log).unwrap();
    fs::write(home.dir().join(crate::db::FILE), database).unwrap();
    assert_eq!(
        broken(&home.verify()),
        (23, "records 23 to 26 are missing at the end")
    );
}

#[tokio::test]
async fn a_log_that_was_deleted_altogether_is_missed() {
    let home = home_with(20).await;
    fs::remove_dir_all(home.dir().join("audit")).unwrap();
    assert_eq!(
        broken(&home.verify()),
        (1, "records 1 to 22 are missing at the end")
    );
}

#[test]
fn every_byte_of_a_log_of_a_thousand_records_counts() {
    let log = log();
    let mut before = Chain::start();
    for (start, line) in Lines::of(log) {
        let mut rest = log[start..]
            .iter()
            .take(line.len() + 2_000)
            .copied()
            .collect::<Vec<_>>();
        for place in 0..line.len() {
            // Every bit of length, checksum and newline, and of each other byte one.
            let is_frame = place < super::chain::HEAD || place + 1 == line.len();
            for bit in if is_frame {
                0..8
            } else {
                place % 8..place % 8 + 1
            } {
                rest[place] ^= 1 << bit;
                let found = follow(before.clone(), &rest);
                let due = before.seq() + 1;
                assert!(
                    found.is_some_and(|(record, _)| record == due),
                    "byte {place}, bit {bit} of record {due}: {found:?}"
                );
                rest[place] ^= 1 << bit;
            }
        }
        before.take(line).unwrap();
    }
    assert_eq!(before.seq(), RECORDS);
}

#[test]
fn every_place_at_which_a_log_of_a_thousand_records_is_cut_off_is_found() {
    let (log, heads) = (log(), heads(log()));
    let head = heads.keyring.clone().unwrap();
    let mut before = Chain::start();
    let mut places = 0;
    for (start, line) in Lines::of(log) {
        for length in 0..line.len() {
            places += 1;
            // Up to this record all is as it was; what is left of it is nothing, or no record.
            match before.clone().take(&log[start..start + length]) {
                Ok(_) => panic!(
                    "{length} bytes of record {} passed for it",
                    before.seq() + 1
                ),
                Err(flaw) => assert_eq!(flaw, Flaw::Unfinished),
            }
            assert!(
                cut_off(before.seq(), "000001.log", &heads)
                    .is_some_and(|broken| broken.record == before.seq() + 1)
            );
        }
        before.take(line).unwrap();
    }
    assert_eq!((before.seq(), places), (head.seq, log.len()));
    assert_eq!(cut_off(before.seq(), "000001.log", &heads), None);
}

#[test]
fn a_forged_checksum_does_not_help() {
    let log = log();
    let lines: Vec<_> = Lines::of(log).map(|(_, line)| line.to_vec()).collect();
    for (index, line) in lines.iter().enumerate().skip(1).take(40) {
        let text = String::from_utf8(line[18..line.len() - 1].to_vec())
            .unwrap()
            .replacen("window", "terminal", 1);
        let forged = format!(
            "{:08x} {:08x} {text}\n",
            text.len(),
            crc32fast::hash(text.as_bytes())
        );
        let mut lines = lines.clone();
        lines[index] = forged.into_bytes();
        assert_eq!(
            follow(Chain::start(), &lines.concat()),
            Some((index as u64 + 2, Flaw::Link))
        );
    }
}

#[test]
fn a_log_that_is_missing_a_file_says_which() {
    let folder = tempfile::tempdir().unwrap();
    let lines: Vec<_> = Lines::of(log()).map(|(_, line)| line).collect();
    let heads = heads(log());
    for (number, lines) in lines.chunks(251).enumerate() {
        fs::write(
            folder.path().join(format!("{:06}.log", number + 1)),
            lines.concat(),
        )
        .unwrap();
    }
    assert_eq!(
        intact(check(folder.path(), &heads, None).unwrap()),
        (RECORDS, AnchorPlace::Keyring, 0)
    );
    for (missing, record, problem) in [
        (1, 1, "the file 000001.log is missing"),
        (3, 503, "the file 000003.log is missing"),
        (4, 754, "records 754 to 1002 are missing at the end"),
    ] {
        let path = folder.path().join(format!("{missing:06}.log"));
        let kept = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(
            broken(&check(folder.path(), &heads, None).unwrap()),
            (record, problem)
        );
        fs::write(&path, kept).unwrap();
    }
}

#[derive(Debug, Clone)]
enum Tampering {
    Change { place: usize, by: u8 },
    Insert { place: usize, byte: u8 },
    Remove { place: usize },
    DropLine { line: usize },
    RepeatLine { line: usize },
    Swap { line: usize, with: usize },
    CutAt { place: usize },
}

fn tampering() -> impl Strategy<Value = Tampering> {
    let (place, line) = (any::<usize>(), any::<usize>());
    prop_oneof![
        (place, 1..=255_u8).prop_map(|(place, by)| Tampering::Change { place, by }),
        (place, any::<u8>()).prop_map(|(place, byte)| Tampering::Insert { place, byte }),
        place.prop_map(|place| Tampering::Remove { place }),
        line.prop_map(|line| Tampering::DropLine { line }),
        line.prop_map(|line| Tampering::RepeatLine { line }),
        (line, line).prop_map(|(line, with)| Tampering::Swap { line, with }),
        place.prop_map(|place| Tampering::CutAt { place }),
    ]
}

fn tampered(log: &[u8], how: &Tampering) -> Vec<u8> {
    let mut bytes = log.to_vec();
    let mut lines: Vec<_> = Lines::of(log).map(|(_, line)| line.to_vec()).collect();
    let count = lines.len();
    match *how {
        Tampering::Change { place, by } => bytes[place % log.len()] ^= by,
        Tampering::Insert { place, byte } => bytes.insert(place % (log.len() + 1), byte),
        Tampering::Remove { place } => drop(bytes.remove(place % log.len())),
        Tampering::CutAt { place } => bytes.truncate(place % log.len()),
        Tampering::DropLine { line } => drop(lines.remove(line % count)),
        Tampering::RepeatLine { line } => lines.insert(line % count, lines[line % count].clone()),
        Tampering::Swap { line, with } => lines.swap(line % count, with % count),
    }
    let by_lines = matches!(
        how,
        Tampering::DropLine { .. } | Tampering::RepeatLine { .. } | Tampering::Swap { .. }
    );
    if by_lines { lines.concat() } else { bytes }
}

proptest! {
    #[test]
    fn any_tampering_with_a_small_log_is_found(how in tampering()) {
        let small: Vec<u8> = Lines::of(log()).take(12).flat_map(|(_, line)| line).copied().collect();
        let bytes = tampered(&small, &how);
        prop_assume!(bytes != small);
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("000001.log"), &bytes).unwrap();
        let report = check(folder.path(), &heads(&small), None).unwrap();
        prop_assert!(matches!(report, LogReport::Broken { record: 1..=13, .. }), "{report:?}");
    }
}

/// The thousand records of [`log`], and the two with which it is signed.
const RECORDS: u64 = 1_002;

/// The bytes of a log of 1,000 records, signed.
fn log() -> &'static [u8] {
    static LOG: OnceLock<Vec<u8>> = OnceLock::new();
    LOG.get_or_init(|| {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .build()
            .unwrap();
        let home = runtime.block_on(home_with(1_000));
        fs::read(home.segment(1)).unwrap()
    })
}

/// The number of the first record that is not as it should be, and why.
fn follow(mut chain: Chain, bytes: &[u8]) -> Option<(u64, Flaw)> {
    let mut rest = bytes;
    while !rest.is_empty() {
        match chain.take(rest) {
            Ok(length) => rest = &rest[length..],
            Err(flaw) => return Some((chain.seq() + 1, flaw)),
        }
    }
    None
}

/// The head of a log, as the keyring would have it.
fn heads(log: &[u8]) -> Heads {
    let mut chain = Chain::start();
    for (_, line) in Lines::of(log) {
        chain.take(line).unwrap();
    }
    let head = Head {
        seq: chain.seq(),
        hash: chain.hash().as_str().to_owned(),
        root: None,
        broken: None,
    };
    Heads {
        keyring: Some(head),
        database: None,
    }
}

pub(super) fn cut_last_record(segment: &Path) {
    let bytes = fs::read(segment).unwrap();
    let (start, _) = Lines::of(&bytes).last().unwrap();
    fs::write(segment, &bytes[..start]).unwrap();
}
