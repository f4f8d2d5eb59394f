//! Old records leave the log, and what is left still proves itself.

use super::anchor::Heads;
use super::append::OLD;
use super::elsewhere::{self, AnchorCheck};
use super::segments;
use super::{ActivityFilter, LogReport};
use crate::testing::{Home, NOW, noted};
use crate::{Audit, Durability, Entry, Event};
use protocol::Timestamp;
use std::fs;

fn on_day(day: i64) -> Timestamp {
    NOW.plus(OLD * u32::try_from(day).unwrap())
}

fn write_day(audit: &Audit, day: i64) {
    for _ in 0..10 {
        audit.append(Entry { at: on_day(day), ..noted(Event::ServerRemoved) }, Durability::Grouped).unwrap();
    }
}

async fn five_days() -> Home {
    let home = Home::new();
    let store = home.open().await;
    for day in 0..5 {
        write_day(&store.audit(), day);
    }
    store.close().await;
    home
}

fn first(report: &LogReport) -> (u64, u64) {
    match report {
        LogReport::Intact { records, first, .. } => (*records, *first),
        LogReport::Broken { .. } => panic!("{report:?}"),
    }
}

#[tokio::test]
async fn each_day_has_a_segment_of_its_own() {
    let home = five_days().await;
    assert_eq!(segments::list(&home.dir().join("audit")).unwrap(), [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn old_segments_move_into_the_archive_and_the_rest_is_intact() {
    let home = five_days().await;
    let (before, _) = first(&home.verify());
    let second = fs::read(home.segment(2)).unwrap();
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(3)).await.unwrap();
    assert_eq!(compacted.records, compacted.first - 1);
    let archive = home.dir().join("audit/archive");
    assert_eq!(compacted.file.as_deref(), archive.to_str());
    assert_eq!(segments::list(&archive).unwrap(), [1, 2, 3]);
    assert_eq!(fs::read(archive.join("000002.log")).unwrap(), second);
    assert_eq!(segments::list(&home.dir().join("audit")).unwrap(), [4, 5]);
    assert_eq!(first(&store.audit().verify().await.unwrap()).1, compacted.first);

    // The list shows what is in the log.
    let rows = store.audit().activity(ActivityFilter::default(), None, 500).await.unwrap().rows;
    assert_eq!(rows.iter().filter(|row| row.what == "server_removed").count(), 20);
    assert!(rows.iter().all(|row| row.seq >= compacted.first));
    assert_eq!(rows[0].what, "log_compacted");
    let again = store.audit().compact(on_day(3)).await.unwrap();
    assert_eq!((again.records, again.file, again.first), (0, None, compacted.first));
    store.close().await;
    drop(store);

    let store = home.open().await;
    write_day(&store.audit(), 9);
    store.close().await;
    let (records, left) = first(&home.verify());
    assert!(records > before && left == compacted.first);
}

#[tokio::test]
async fn a_compacted_log_is_found_out_like_any_other() {
    let home = five_days().await;
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(2)).await.unwrap();
    store.close().await;
    drop(store);
    let log = home.dir().join("audit");
    for number in segments::list(&log).unwrap() {
        let bytes = fs::read(home.segment(number)).unwrap();
        for place in (0..bytes.len()).step_by(97) {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            fs::write(home.segment(number), changed).unwrap();
            assert!(matches!(home.verify(), LogReport::Broken { .. }), "byte {place} of segment {number}");
        }
        fs::remove_file(home.segment(number)).unwrap();
        assert!(matches!(home.verify(), LogReport::Broken { .. }), "segment {number}");
        fs::write(home.segment(number), bytes).unwrap();
    }
    assert_eq!(first(&home.verify()).1, compacted.first);
}

#[tokio::test]
async fn more_segments_cannot_be_taken_away_than_the_checkpoint_says() {
    let home = five_days().await;
    fs::remove_file(home.segment(1)).unwrap();
    assert!(matches!(home.verify(), LogReport::Broken { record: 1, .. }));
    let home = five_days().await;
    let store = home.open().await;
    store.audit().compact(on_day(2)).await.unwrap();
    store.close().await;
    drop(store);
    fs::remove_file(home.segment(3)).unwrap();
    assert!(matches!(home.verify(), LogReport::Broken { .. }));
}

#[tokio::test]
async fn what_a_crash_left_of_moving_out_is_no_harm() {
    let home = five_days().await;
    let kept: Vec<_> = (1..=2).map(|number| (number, fs::read(home.segment(number)).unwrap())).collect();
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(2)).await.unwrap();
    store.close().await;
    drop(store);
    // The second was not removed yet; then neither was.
    for (number, bytes) in kept.into_iter().rev() {
        fs::write(home.segment(number), bytes).unwrap();
        let (_, from) = first(&home.verify());
        assert_eq!(from, if number == 1 { 1 } else { compacted.first });
    }
    let store = home.open().await;
    assert_eq!(store.audit().compact(on_day(2)).await.unwrap().first, compacted.first);
    store.close().await;
    assert_eq!(first(&home.verify()).1, compacted.first);
}

#[tokio::test]
async fn an_anchor_of_before_the_cut_is_held_against_the_archive() {
    let home = Home::new();
    let store = home.open().await;
    write_day(&store.audit(), 0);
    let anchor = store.audit().export_anchor(NOW).await.unwrap();
    for day in 1..5 {
        write_day(&store.audit(), day);
    }
    let compacted = store.audit().compact(on_day(3)).await.unwrap();
    store.close().await;
    drop(store);
    let check = || elsewhere::check(home.dir(), &Heads::of_folder(home.dir(), &home.keyring()), &anchor.text).unwrap();
    assert!(matches!(check(), AnchorCheck::Continues { seq: 11, .. }), "{:?}", check());
    fs::remove_file(home.dir().join("audit/archive/000002.log")).unwrap();
    assert_eq!(check(), AnchorCheck::MovedOut { seq: 11, first: compacted.first });
}
