//! Whatever was done to the files of a log: a host starts on it, goes on writing, and goes on
//! reporting it.

use super::segments::Lines;
use crate::testing::{Home, NOW, closed, fill, noted, opened};
use crate::{Durability, Entry, Event};
use api::{ActivityFilter, LogReport, Outcome};
use proptest::prelude::*;
use protocol::CallId;
use serde_json::json;
use std::fs;
use std::time::Duration;

/// The lines of a segment.
fn lines(home: &Home, number: u32) -> Vec<Vec<u8>> {
    let bytes = fs::read(home.segment(number)).unwrap();
    Lines::of(&bytes).map(|(_, line)| line.to_vec()).collect()
}

/// A closed log of two days, and so of two segments.
async fn two_days() -> Home {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 20);
    for number in 0..20 {
        let at = NOW.plus(Duration::from_secs(25 * 60 * 60 + number));
        store
            .audit()
            .append(
                Entry {
                    at,
                    ..noted(Event::ServerRemoved)
                },
                Durability::Grouped,
            )
            .unwrap();
    }
    store.close().await;
    home
}

/// Starts a host on the log twice, and looks whether it does all it should.
async fn goes_on(home: &Home, what: &str) {
    let before = home.verify();
    assert!(
        matches!(before, LogReport::Broken { .. }),
        "{what}: {before:?}"
    );
    let mut last = 0;
    for _ in 0..2 {
        let store = home.open().await;
        let audit = store.audit();
        let call = CallId::random();
        let seq = audit
            .append(
                opened(&call, json!({"path": "/afterwards"})),
                Durability::Grouped,
            )
            .unwrap()
            .seq;
        assert!(seq > last, "{what}: numbers go on");
        audit
            .append_synced(closed(&call, Outcome::Done, None))
            .await
            .unwrap();
        let page = audit
            .activity(ActivityFilter::default(), None, 500)
            .await
            .unwrap();
        assert_eq!(
            (page.rows[0].seq, page.rows[0].outcome),
            (seq, Outcome::Done),
            "{what}: {:?}",
            page.rows[0]
        );
        assert_eq!(audit.detail(seq).await.unwrap().records.len(), 2, "{what}");
        let sought = ActivityFilter {
            text: Some("afterwards".into()),
            ..Default::default()
        };
        assert!(
            audit
                .activity(sought, None, 500)
                .await
                .unwrap()
                .rows
                .iter()
                .any(|row| row.seq == seq),
            "{what}"
        );
        assert!(audit.unknown().await.is_ok(), "{what}");
        assert!(
            matches!(audit.verify().await.unwrap(), LogReport::Broken { .. }),
            "{what}"
        );
        store.close().await;
        last = seq;
    }
    assert!(
        matches!(home.verify(), LogReport::Broken { .. }),
        "{what}: {:?}",
        home.verify()
    );
}

#[tokio::test]
async fn a_host_starts_on_a_log_that_was_tampered_with_and_goes_on_reporting_it() {
    type Tampering = fn(&mut Vec<Vec<u8>>);
    let ways: [(&str, Tampering); 9] = [
        ("an old line again at the end", |lines| {
            lines.push(lines[3].clone())
        }),
        ("the last line again", |lines| {
            lines.push(lines[lines.len() - 1].clone())
        }),
        ("an old line again in the middle", |lines| {
            lines.insert(12, lines[4].clone())
        }),
        ("two lines swapped", |lines| lines.swap(5, 6)),
        ("the last two lines swapped", |lines| {
            let last = lines.len() - 1;
            lines.swap(last - 1, last);
        }),
        ("some lines left out", |lines| drop(lines.drain(7..11))),
        ("a line cut in the middle", |lines| lines[9].truncate(40)),
        ("a byte flipped", |lines| lines[9][60] ^= 1),
        ("all lines twice", |lines| lines.extend_from_within(..)),
    ];
    for (what, tamper) in ways {
        for (number, without_index) in [(1, false), (2, false), (1, true), (2, true)] {
            let home = two_days().await;
            let mut lines = lines(&home, number);
            tamper(&mut lines);
            fs::write(home.segment(number), lines.concat()).unwrap();
            if without_index {
                fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
            }
            goes_on(
                &home,
                &format!("{what}, segment {number}, without its index: {without_index}"),
            )
            .await;
        }
    }
}

#[tokio::test]
async fn a_host_starts_on_a_log_with_lines_of_another() {
    for place in [0, 4, 20] {
        let (home, other) = (two_days().await, two_days().await);
        let (mut mine, others) = (lines(&home, 2), lines(&other, 2));
        let place = place.min(mine.len());
        mine.splice(place..place, others[2..8].to_vec());
        fs::write(home.segment(2), mine.concat()).unwrap();
        goes_on(&home, &format!("lines of another log at {place}")).await;
    }
}

#[tokio::test]
async fn a_host_starts_on_a_log_without_one_of_its_files() {
    for number in [1, 2] {
        let home = two_days().await;
        fs::remove_file(home.segment(number)).unwrap();
        goes_on(&home, &format!("without segment {number}")).await;
    }
}

#[tokio::test]
async fn a_host_starts_on_a_log_with_a_number_that_no_log_reaches() {
    for number in [u64::MAX, u64::MAX - 1, 1 << 62] {
        let home = two_days().await;
        let mut lines = lines(&home, 2);
        let text = String::from_utf8(lines[3][18..].to_vec()).unwrap();
        let json = format!(
            "{{\"seq\":{number}{}",
            text.trim_end()
                .split_once(',')
                .map(|(_, rest)| format!(",{rest}"))
                .unwrap()
        );
        lines.push(
            format!(
                "{:08x} {:08x} {json}\n",
                json.len(),
                crc32fast::hash(json.as_bytes())
            )
            .into_bytes(),
        );
        fs::write(home.segment(2), lines.concat()).unwrap();
        goes_on(&home, &format!("number {number}")).await;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_host_starts_on_any_order_of_lines(picks in proptest::collection::vec(0_usize..44, 1..60), last in any::<bool>()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let home = two_days().await;
            let all = [lines(&home, 1), lines(&home, 2)].concat();
            let picked: Vec<u8> = picks.iter().flat_map(|pick| all[pick % all.len()].clone()).collect();
            fs::write(home.segment(if last { 2 } else { 1 }), picked).unwrap();
            let store = home.open().await;
            let seq = store.audit().append_synced(noted(Event::HostStopped)).await.unwrap().seq;
            assert_eq!(store.audit().activity(ActivityFilter::default(), None, 1).await.unwrap().rows[0].seq, seq);
            store.close().await;
        });
    }
}
