//! Who takes over the account later finds only the last key, and cannot write anew what is sealed.

use super::Flaw;
use super::chain::{Chain, Hash, json_of};
use super::key::SectionKey;
use super::seals;
use super::segments::Lines;
use super::signer::{self, ENTRY};
use crate::testing::{Home, absent, fill, noted};
use crate::{Durability, Entry, Event, verify_dir};
use api::{KeyPlace, LogReport, Signed};
use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

fn signed(report: &LogReport) -> &Signed {
    match report {
        LogReport::Intact {
            signed: Some(signed),
            ..
        } => signed,
        other => panic!("{other:?}"),
    }
}

fn problem(report: &LogReport) -> (u64, &str) {
    match report {
        LogReport::Broken {
            record, problem, ..
        } => (*record, problem),
        LogReport::Intact { .. } => panic!("the log was said to be intact: {report:?}"),
    }
}

/// A log of three runs, each of them sealed.
async fn three_runs() -> Home {
    let home = Home::new();
    for _ in 0..3 {
        let store = home.open().await;
        fill(&store.audit(), 10);
        store.close().await;
    }
    home
}

/// The records of a log, without what chains them, so that they can be written anew.
fn records(home: &Home) -> Vec<(Entry, Vec<u8>)> {
    let bytes = fs::read(home.segment(1)).unwrap();
    Lines::of(&bytes)
        .map(|(_, line)| (Entry::read(json_of(line)).unwrap(), line.to_vec()))
        .collect()
}

/// Writes records as a log that is chained without a fault, and tells the keyring and the database
/// of it.
fn write_anew(home: &Home, records: impl IntoIterator<Item = (Entry, Option<SectionKey>)>) {
    let (mut chain, mut line, mut bytes) = (Chain::start(), Vec::new(), Vec::new());
    for (entry, key) in records {
        chain = match key {
            Some(key) => chain
                .write_and(&entry, &mut line, |json| seals::sign(json, &key))
                .unwrap(),
            None => chain.write(&entry, &mut line).unwrap(),
        };
        bytes.extend_from_slice(&line);
    }
    fs::write(home.segment(1), bytes).unwrap();
    let mut drawer = home.drawer.0.lock().unwrap();
    let (_, head) = drawer
        .iter_mut()
        .find(|(name, _)| name.ends_with("audit-head"))
        .unwrap();
    let mut noted: serde_json::Value = serde_json::from_str(head).unwrap();
    noted["seq"] = chain.seq().into();
    noted["hash"] = chain.hash().as_str().into();
    *head = noted.to_string();
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
}

#[tokio::test]
async fn each_run_is_sealed_and_the_next_goes_on_with_the_key_that_the_seal_names() {
    let home = three_runs().await;
    let report = home.verify();
    let signed = signed(&report);
    assert_eq!(
        (signed.from, signed.sealed, signed.kept),
        (1, 34, KeyPlace::Keyring)
    );
    let names: Vec<_> = records(&home)
        .into_iter()
        .map(|(entry, _)| entry.event.name())
        .collect();
    let about_keys: Vec<_> = names
        .iter()
        .enumerate()
        .filter(|(_, name)| name.starts_with("log_"))
        .map(|(at, name)| (at + 1, *name))
        .collect();
    assert_eq!(
        about_keys,
        [
            (1, "log_keyed"),
            (12, "log_sealed"),
            (23, "log_sealed"),
            (34, "log_sealed")
        ]
    );
}

#[tokio::test]
async fn the_key_of_a_sealed_section_is_gone_from_the_keyring() {
    let home = Home::new();
    let store = home.open().await;
    let before = signer::read(&home.keyring()).unwrap();
    fill(&store.audit(), 10);
    store.close().await;
    let after = signer::read(&home.keyring()).unwrap();
    assert_eq!((before.len(), after.len()), (2, 2));
    assert_eq!(
        after[0].public(),
        before[1].public(),
        "the section that is open now has the key that the seal named"
    );
    assert!(after.iter().all(|key| key.public() != before[0].public()));
    let kept = home
        .drawer
        .0
        .lock()
        .unwrap()
        .iter()
        .find(|(name, _)| name.ends_with(ENTRY))
        .unwrap()
        .1
        .clone();
    assert!(!kept.contains(before[0].text().expose()));
}

#[tokio::test]
async fn a_sealed_record_cannot_be_written_anew_even_by_who_has_the_keyring_and_the_database() {
    let home = three_runs().await;
    let keys = signer::read(&home.keyring()).unwrap();
    for victim in [3, 15, 30] {
        // All is written anew from there on, chained without a fault, and signed with the keys that
        // are left.
        let forged = records(&home)
            .into_iter()
            .enumerate()
            .map(|(at, (mut entry, _))| {
                if at + 1 == victim {
                    entry.tool = Some("another".into());
                }
                let key = entry.event.name().eq("log_sealed").then(|| keys[0].clone());
                // Seals before the victim stay as they are.
                (entry, key.filter(|_| at + 1 > victim))
            });
        let forged: Vec<_> = forged.collect();
        let (log, drawer) = (
            fs::read(home.segment(1)).unwrap(),
            home.drawer.0.lock().unwrap().clone(),
        );
        let database = fs::read(home.dir().join(crate::db::FILE)).unwrap();
        write_anew(&home, forged);
        let next_seal = [12, 23, 34]
            .into_iter()
            .find(|seal| *seal > victim as u64)
            .unwrap();
        assert_eq!(
            problem(&home.verify()),
            (next_seal, Flaw::Signature.sentence(next_seal).as_str())
        );
        fs::write(home.segment(1), log).unwrap();
        fs::write(home.dir().join(crate::db::FILE), database).unwrap();
        *home.drawer.0.lock().unwrap() = drawer;
    }
    assert!(matches!(home.verify(), LogReport::Intact { .. }));
}

/// The log as it would be without the seals behind record `victim`, which is changed.
fn without_seals(home: &Home, victim: usize) -> Vec<(Entry, Option<SectionKey>)> {
    let all = records(home).into_iter().enumerate();
    let left = all.filter(|(at, (entry, _))| *at < victim || entry.event.name() != "log_sealed");
    left.map(|(at, (mut entry, _))| {
        if at + 1 == victim {
            entry.tool = Some("another".into());
        }
        (entry, None)
    })
    .collect()
}

#[tokio::test]
async fn leaving_the_seals_out_does_not_help_who_writes_a_sealed_record_anew() {
    for victim in [3, 11] {
        let home = three_runs().await;
        let forged = without_seals(&home, victim);
        write_anew(&home, forged);
        let report = home.verify();
        assert_eq!(problem(&report).0, 2, "{report:?}");
        assert!(
            problem(&report)
                .1
                .contains("the keyring does not hold the key"),
            "{report:?}"
        );
        // Nor does having a host go on with it.
        let store = home.open().await;
        fill(&store.audit(), 3);
        store.close().await;
        assert!(
            problem(&home.verify())
                .1
                .contains("the keyring does not hold the key"),
            "{:?}",
            home.verify()
        );
        assert!(matches!(
            store.audit().verify().await.unwrap(),
            LogReport::Broken { .. }
        ));
    }
}

#[tokio::test]
async fn a_log_without_its_seals_is_not_called_signed_where_the_keyring_knows_nothing_of_it() {
    let home = three_runs().await;
    let forged = without_seals(&home, 3);
    write_anew(&home, forged);
    home.drawer
        .0
        .lock()
        .unwrap()
        .retain(|name, _| !name.ends_with(ENTRY));
    assert!(
        problem(&home.verify())
            .1
            .contains("the keyring does not hold the key"),
        "a head is there, and its key is not"
    );
    home.drawer.0.lock().unwrap().clear();
    assert!(
        matches!(home.verify(), LogReport::Intact { signed: None, .. }),
        "{:?}",
        home.verify()
    );
}

#[tokio::test]
async fn a_log_without_its_seals_is_not_called_signed_for_saying_that_there_is_no_keyring() {
    let home = three_runs().await;
    let forged = without_seals(&home, 3).into_iter().map(|(mut entry, key)| {
        if let Event::LogKeyed { kept, .. } = &mut entry.event {
            *kept = KeyPlace::Memory;
        }
        (entry, key)
    });
    let forged: Vec<_> = forged.collect();
    write_anew(&home, forged);
    assert!(
        matches!(home.verify(), LogReport::Intact { signed: None, .. }),
        "{:?}",
        home.verify()
    );
}

#[tokio::test]
async fn the_key_of_the_open_section_is_found_while_sections_are_ended() {
    let home = Home::new();
    let store = home.open().await;
    let audit = store.audit();
    let looks = Arc::new(AtomicU32::new(0));
    let looked = Arc::clone(&looks);
    let sealing = std::thread::spawn(move || {
        for _ in 0..40 {
            // Sections that ended faster than anyone can look would be another test.
            let before = looked.load(Ordering::Acquire);
            while looked.load(Ordering::Acquire) == before {
                std::thread::yield_now();
            }
            fill(&audit, 2);
            audit.inner.log.seal().unwrap();
            // Only of a seal that is on the disk the key is erased.
            audit
                .append(noted(Event::HostStopped), Durability::Synced)
                .unwrap();
            audit.inner.keys.renew_now(&audit.inner.log);
        }
    });
    while !sealing.is_finished() {
        looks.fetch_add(1, Ordering::Release);
        let report = home.verify();
        assert!(
            matches!(
                report,
                LogReport::Intact {
                    signed: Some(_),
                    ..
                }
            ),
            "{report:?}"
        );
    }
    sealing.join().unwrap();
    store.close().await;
    assert!(signed(&home.verify()).sealed > 10, "{:?}", home.verify());
}

#[tokio::test]
async fn a_log_that_was_exchanged_for_another_is_noticed_by_its_keys() {
    let (home, other) = (three_runs().await, three_runs().await);
    fs::copy(other.segment(1), home.segment(1)).unwrap();
    let last = records(&other).pop().unwrap().1;
    let mut drawer = home.drawer.0.lock().unwrap();
    let (_, head) = drawer
        .iter_mut()
        .find(|(name, _)| name.ends_with("audit-head"))
        .unwrap();
    // Even if the noted head were moved along, without the root of the keys.
    let mut noted: serde_json::Value = serde_json::from_str(head).unwrap();
    noted["hash"] = Hash::of(&last).as_str().into();
    *head = noted.to_string();
    drop(drawer);
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
    assert!(
        problem(&home.verify())
            .1
            .contains("the keys were exchanged"),
        "{:?}",
        home.verify()
    );
}

#[tokio::test]
async fn a_log_of_before_is_chained_only_up_to_the_record_that_brings_the_first_key() {
    let home = three_runs().await;
    let unsigned = records(&home)
        .into_iter()
        .filter(|(entry, _)| !entry.event.name().starts_with("log_"))
        .map(|(entry, _)| (entry, None));
    let unsigned: Vec<_> = unsigned.collect();
    write_anew(&home, unsigned);
    home.drawer.0.lock().unwrap().clear();
    assert!(matches!(
        home.verify(),
        LogReport::Intact {
            records: 30,
            signed: None,
            ..
        }
    ));
    let store = home.open().await;
    store
        .audit()
        .append_synced(noted(Event::HostStopped))
        .await
        .unwrap();
    store.close().await;
    let report = home.verify();
    assert!(
        matches!(report, LogReport::Intact { records: 33, .. }),
        "{report:?}"
    );
    assert_eq!((signed(&report).from, signed(&report).sealed), (31, 33));
}

#[tokio::test]
async fn without_a_keyring_each_run_has_keys_of_its_own_and_the_report_says_so() {
    let home = Home::new();
    for _ in 0..2 {
        let store = home.open_without_keyring().await.unwrap();
        fill(&store.audit(), 5);
        store.close().await;
    }
    let report = verify_dir(home.dir(), absent()).unwrap();
    assert_eq!(
        (
            signed(&report).from,
            signed(&report).sealed,
            signed(&report).kept
        ),
        (8, 15, KeyPlace::Memory)
    );
}

#[tokio::test]
async fn a_run_that_was_killed_is_sealed_by_the_next() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 10);
    drop(store);
    assert_eq!(signed(&home.verify()).sealed, 0);
    home.open().await.close().await;
    assert_eq!(
        (signed(&home.verify()).from, signed(&home.verify()).sealed),
        (1, 12)
    );
}

#[tokio::test]
async fn a_lost_keyring_begins_a_new_row_and_the_report_names_the_record() {
    let home = three_runs().await;
    home.drawer.0.lock().unwrap().clear();
    assert!(
        matches!(home.verify(), LogReport::Intact { signed: None, .. }),
        "{:?}",
        home.verify()
    );
    let store = home.open().await;
    fill(&store.audit(), 10);
    store.close().await;
    assert_eq!(
        (signed(&home.verify()).from, signed(&home.verify()).sealed),
        (35, 46)
    );
}
