//! Old records leave the log, and what is left still proves itself.

use super::anchor::Heads;
use super::append::OLD;
use super::chain::{Chain, Hash, json_of};
use super::compact::Checkpoint;
use super::external_anchor;
use super::key::SectionKey;
use super::seals::{self, Keyed, UNSIGNED};
use super::segments::{self, Lines};
use crate::testing::{Home, NOW, called, callers, noted, opened};
use crate::{Audit, Durability, Entry, Event};
use api::AnchorCheck;
use api::{ActivityFilter, Compacted, ExportFormat, LogReport, Signed};
use protocol::{CallId, Timestamp};
use serde_json::json;
use std::fs;

fn on_day(day: i64) -> Timestamp {
    NOW.plus(OLD * u32::try_from(day).unwrap())
}

fn write_day(audit: &Audit, day: i64) {
    for _ in 0..10 {
        audit
            .append(
                Entry {
                    at: on_day(day),
                    ..noted(Event::ServerRemoved)
                },
                Durability::Grouped,
            )
            .unwrap();
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
    assert_eq!(
        segments::list(&home.dir().join("audit")).unwrap(),
        [1, 2, 3, 4, 5]
    );
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
    assert_eq!(
        first(&store.audit().verify().await.unwrap()).1,
        compacted.first
    );

    // The list shows what is in the log.
    let rows = store
        .audit()
        .activity(ActivityFilter::default(), None, 500)
        .await
        .unwrap()
        .rows;
    assert_eq!(
        rows.iter()
            .filter(|row| row.what == "server_removed")
            .count(),
        20
    );
    assert!(rows.iter().all(|row| row.seq >= compacted.first));
    assert_eq!(rows[0].what, "log_compacted");
    let again = store.audit().compact(on_day(3)).await.unwrap();
    assert_eq!(
        (again.records, again.file, again.first),
        (0, None, compacted.first)
    );
    store.close().await;
    drop(store);

    let store = home.open().await;
    write_day(&store.audit(), 9);
    store.close().await;
    let (records, left) = first(&home.verify());
    assert!(records > before && left == compacted.first);
}

#[tokio::test]
async fn who_has_asked_is_forgotten_with_the_last_record_of_it() {
    let home = Home::new();
    let store = home.open().await;
    let audit = store.audit();
    for (id, day) in [("a", 0), ("b", 0), ("b", 1), ("c", 1), ("a", 2), ("c", 3)] {
        called(&audit, (id, id), on_day(day));
    }
    assert_eq!(callers(&audit).await.len(), 3);
    let compacted = audit.compact(on_day(2)).await.unwrap();
    assert!(compacted.records > 0, "{compacted:?}");
    let left = ["c", "a"].map(|id| (id.to_owned(), id.to_owned()));
    assert_eq!(callers(&audit).await, left);
    store.close().await;
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
            assert!(
                matches!(home.verify(), LogReport::Broken { .. }),
                "byte {place} of segment {number}"
            );
        }
        fs::remove_file(home.segment(number)).unwrap();
        assert!(
            matches!(home.verify(), LogReport::Broken { .. }),
            "segment {number}"
        );
        fs::write(home.segment(number), bytes).unwrap();
    }
    assert_eq!(first(&home.verify()).1, compacted.first);
}

/// A log of which the days before `day` were moved out, without its archive and its database.
async fn without_archive(day: i64) -> (Home, Compacted) {
    let home = five_days().await;
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(day)).await.unwrap();
    store.close().await;
    drop(store);
    fs::remove_dir_all(home.dir().join("audit/archive")).unwrap();
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
    (home, compacted)
}

#[tokio::test]
async fn what_is_left_proves_itself_without_the_archive_and_can_be_moved_out_again() {
    let (home, compacted) = without_archive(2).await;
    let root = |report: &LogReport| match report {
        LogReport::Intact {
            signed:
                Some(Signed {
                    from: 1,
                    sealed: 50..,
                    root,
                    ..
                }),
            read_from,
            ..
        } => (root.clone(), *read_from),
        other => panic!("{other:?}"),
    };
    let (known_by, read_from) = root(&home.verify());
    assert_eq!(read_from, compacted.first);
    let store = home.open().await;
    let again = store.audit().compact(on_day(3)).await.unwrap();
    assert!(again.records > 0 && again.first > compacted.first);
    store.close().await;
    drop(store);
    assert_eq!(
        root(&home.verify()),
        (known_by.clone(), again.first),
        "the archive holds the third day only"
    );
    fs::remove_dir_all(home.dir().join("audit/archive")).unwrap();
    assert_eq!(root(&home.verify()), (known_by, again.first));
    let names = fs::read_dir(home.dir().join("audit"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap());
    assert_eq!(
        names
            .filter(|name| name.contains(".seals"))
            .collect::<Vec<_>>(),
        ["000004.seals"]
    );
}

#[tokio::test]
async fn the_archive_is_read_as_long_as_it_is_whole() {
    let home = five_days().await;
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(2)).await.unwrap();
    store.close().await;
    let read_from = || match home.verify() {
        LogReport::Intact {
            first, read_from, ..
        } => (first, read_from),
        broken => panic!("{broken:?}"),
    };
    assert_eq!(read_from(), (compacted.first, 1));
    let archived = home.dir().join("audit/archive/000002.log");
    let mut bytes = fs::read(&archived).unwrap();
    bytes[700] ^= 1;
    fs::write(&archived, &bytes).unwrap();
    assert!(
        matches!(home.verify(), LogReport::Broken { file, .. } if file == "archive/000002.log"),
        "{:?}",
        home.verify()
    );
    fs::remove_file(&archived).unwrap();
    assert_eq!(read_from(), (compacted.first, compacted.first));
}

#[tokio::test]
async fn what_was_moved_out_leaves_with_the_rest_and_what_is_gone_is_counted() {
    let home = five_days().await;
    let store = home.open().await;
    let audit = store.audit();
    let before = audit.export(ExportFormat::Jsonl, None).await.unwrap();
    let compacted = audit.compact(on_day(2)).await.unwrap();
    let after = audit.export(ExportFormat::Jsonl, None).await.unwrap();
    assert!(
        after.text.starts_with(&before.text)
            && after.records > before.records
            && after.missing == 0
    );
    assert!(
        audit
            .export(ExportFormat::Csv, None)
            .await
            .unwrap()
            .text
            .contains("\n2,")
    );
    fs::remove_dir_all(home.dir().join("audit/archive")).unwrap();
    let left = audit.export(ExportFormat::Jsonl, None).await.unwrap();
    assert_eq!(
        (left.records, left.missing),
        (after.records - compacted.records, compacted.records)
    );
    store.close().await;
}

#[tokio::test]
async fn rows_of_what_was_moved_out_do_not_outlive_a_crash() {
    let home = five_days().await;
    let database = fs::read(home.dir().join(crate::db::FILE)).unwrap();
    let store = home.open().await;
    let compacted = store.audit().compact(on_day(3)).await.unwrap();
    store.close().await;
    drop(store);
    // The files were removed, and the index did not learn of it.
    fs::write(home.dir().join(crate::db::FILE), database).unwrap();
    let store = home.open().await;
    let rows = store
        .audit()
        .activity(ActivityFilter::default(), None, 500)
        .await
        .unwrap()
        .rows;
    assert!(
        !rows.is_empty() && rows.iter().all(|row| row.seq >= compacted.first),
        "{rows:?}"
    );
    store.close().await;
}

#[tokio::test]
async fn a_call_of_which_nobody_knows_the_end_is_listed_though_its_records_are_gone() {
    let home = Home::new();
    let store = home.open().await;
    let (lost, there) = (CallId::random(), CallId::random());
    store
        .audit()
        .append(opened(&lost, json!({})), Durability::Grouped)
        .unwrap();
    write_day(&store.audit(), 1);
    store
        .audit()
        .append(
            Entry {
                at: on_day(2),
                ..opened(&there, json!({"path": "/notes"}))
            },
            Durability::Grouped,
        )
        .unwrap();
    drop(store);
    home.open().await.close().await;
    fs::remove_file(home.segment(1)).unwrap();
    let store = home.open().await;
    let unknown = store.audit().unknown().await.unwrap().first;
    let listed: Vec<_> = unknown
        .iter()
        .map(|detail| (detail.call.clone().unwrap(), detail.arguments.is_some()))
        .collect();
    assert_eq!(listed, [(lost, false), (there, true)]);
    assert!(unknown.iter().all(|detail| detail.row.tool.is_some()));
}

#[tokio::test]
async fn a_checkpoint_does_not_vouch_for_itself() {
    let (home, compacted) = without_archive(3).await;
    let bytes = fs::read(home.segment(4)).unwrap();
    let mut checkpoints = Lines::of(&fs::read(home.segment(5)).unwrap())
        .filter_map(|(_, line)| Checkpoint::of(json_of(line)))
        .collect::<Vec<_>>();
    let known = checkpoints.pop().unwrap().keyed.unwrap();
    fs::remove_file(home.segment(5)).unwrap();
    // What was there is exchanged for something else, which a key of the attacker's signs and says
    // to come of the real first one.
    let (key, place) = (
        SectionKey::random().unwrap(),
        Lines::of(&bytes).count() as u64,
    );
    let keyed = Keyed {
        key: key.public(),
        sealed: compacted.first - 1,
        ..known
    };
    let last = Hash::of(b"what the attacker says was moved out");
    let cut = Event::LogCompacted {
        first: compacted.first,
        hash: last.as_str().to_owned(),
        segment: 4,
        keyed: Some(keyed),
        signature: UNSIGNED.to_owned(),
    };
    let (mut chain, mut line, mut forged) = (
        Chain::after(compacted.first - 1, last),
        Vec::new(),
        Vec::new(),
    );
    for event in (0..place).map(|_| Event::ServerRemoved).chain([cut]) {
        chain = chain
            .write_and(&noted(event), &mut line, |json| seals::sign(json, &key))
            .unwrap();
        forged.extend_from_slice(&line);
    }
    fs::write(home.segment(4), &forged).unwrap();
    let mut drawer = home.drawer.0.lock().unwrap();
    for (name, text) in drawer.iter_mut() {
        let mut noted: serde_json::Value = serde_json::from_str(text).unwrap();
        if name.ends_with("audit-head") {
            (noted["seq"], noted["hash"]) = (chain.seq().into(), chain.hash().as_str().into());
        } else {
            (noted["open"], noted["next"]) =
                (key.text().expose().into(), key.text().expose().into());
        }
        *text = noted.to_string();
    }
    drop(drawer);
    let seals = home.dir().join("audit/000004.seals");
    let real = fs::read(&seals).unwrap();
    let by_the_attacker = {
        let seal = Event::LogSealed {
            root: known.root,
            from: known.from,
            kept: known.kept,
            next: key.public(),
            signature: UNSIGNED.to_owned(),
        };
        let mut line = Vec::new();
        let before = Chain::after(compacted.first - 2, last);
        before
            .write_and(&noted(seal), &mut line, |json| seals::sign(json, &key))
            .unwrap();
        line
    };
    for row in [
        real.clone(),
        [&real[..], &by_the_attacker].concat(),
        by_the_attacker,
        Vec::new(),
    ] {
        fs::write(&seals, row).unwrap();
        assert!(
            matches!(home.verify(), LogReport::Broken { file, .. } if file == "000004.seals"),
            "{:?}",
            home.verify()
        );
    }
    fs::remove_file(&seals).unwrap();
    assert!(matches!(home.verify(), LogReport::Broken { .. }));
}

#[tokio::test]
async fn a_crash_soon_after_moving_out_does_not_begin_a_new_row_of_keys() {
    // What is left of the log holds no seal, only the record about those that were moved out; with
    // a head and without one.
    for is_noted in [true, false] {
        let home = Home::new();
        let store = home.open().await;
        for day in 0..3 {
            write_day(&store.audit(), day);
        }
        store.audit().compact(on_day(20)).await.unwrap();
        let (log, drawer) = (
            fs::read(home.segment(3)).unwrap(),
            home.drawer.0.lock().unwrap().clone(),
        );
        let database = fs::read(home.dir().join(crate::db::FILE)).unwrap();
        store.close().await;
        drop(store);
        fs::write(home.segment(3), log).unwrap();
        fs::write(home.dir().join(crate::db::FILE), database).unwrap();
        *home.drawer.0.lock().unwrap() = drawer;
        if !is_noted {
            home.drawer
                .0
                .lock()
                .unwrap()
                .retain(|name, _| !name.ends_with("audit-head"));
            fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
        }
        for _ in 0..2 {
            home.open().await.close().await;
            assert!(
                matches!(
                    home.verify(),
                    LogReport::Intact {
                        signed: Some(Signed { from: 1, .. }),
                        ..
                    }
                ),
                "{:?}",
                home.verify()
            );
        }
    }
}

#[tokio::test]
async fn every_byte_of_the_seals_of_what_was_moved_out_counts() {
    let (home, _) = without_archive(3).await;
    let seals = home.dir().join("audit/000004.seals");
    let bytes = fs::read(&seals).unwrap();
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        fs::write(&seals, changed).unwrap();
        assert!(
            matches!(home.verify(), LogReport::Broken { .. }),
            "byte {place}"
        );
    }
    fs::write(&seals, bytes).unwrap();
    assert!(matches!(home.verify(), LogReport::Intact { .. }));
}

#[tokio::test]
async fn a_call_of_which_nobody_knows_the_end_is_not_moved_out() {
    let home = five_days().await;
    let store = home.open().await;
    let (audit, call) = (store.audit(), CallId::random());
    let sent = audit
        .append(
            Entry {
                at: on_day(6),
                ..opened(&call, json!({}))
            },
            Durability::Grouped,
        )
        .unwrap()
        .seq;
    for day in 7..10 {
        write_day(&audit, day);
    }
    let compacted = audit.compact(on_day(20)).await.unwrap();
    assert!(
        compacted.records > 0 && compacted.first <= sent,
        "it runs: {compacted:?}"
    );
    drop((audit, store));
    let store = home.open().await;
    assert_eq!(store.audit().unknown().await.unwrap().first.len(), 1);
    assert_eq!(
        store.audit().compact(on_day(20)).await.unwrap().records,
        0,
        "it was interrupted"
    );
    store.waiting().noted(&call, on_day(10)).await.unwrap();
    assert!(
        store.audit().compact(on_day(20)).await.unwrap().records > 0,
        "a person has noted it"
    );
    store.close().await;
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
    let kept: Vec<_> = (1..=2)
        .map(|number| (number, fs::read(home.segment(number)).unwrap()))
        .collect();
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
    assert_eq!(
        store.audit().compact(on_day(2)).await.unwrap().first,
        compacted.first
    );
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
    let check = || {
        external_anchor::check(
            home.dir(),
            &Heads::of_folder(home.dir(), &home.keyring()),
            &anchor.text,
        )
        .unwrap()
    };
    assert!(
        matches!(check(), AnchorCheck::Continues { seq: 11, .. }),
        "{:?}",
        check()
    );
    fs::remove_file(home.dir().join("audit/archive/000002.log")).unwrap();
    assert_eq!(
        check(),
        AnchorCheck::MovedOut {
            seq: 11,
            first: compacted.first
        }
    );
}
