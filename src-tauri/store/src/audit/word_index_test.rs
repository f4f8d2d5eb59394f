//! The index of words follows behind the rows, and holds in the end what they hold.

use super::call_end::Took;
use super::row_batch::RowBatch;
use super::{index, word_index};
use crate::testing::{Home, NOW, fill, opened};
use crate::{Entry, db};
use api::{ActivityFilter, Outcome};
use proptest::prelude::*;
use protocol::CallId;
use rusqlite::{Connection, Transaction};
use serde_json::json;

fn database() -> Connection {
    let database = Connection::open_in_memory().unwrap();
    db::take_steps(&database, 1_000);
    database
}

fn make(tx: &Transaction<'_>, seq: u64) {
    let call = CallId::from(format!("call-{seq:016x}"));
    let entry = Entry {
        at: NOW,
        ..opened(&call, json!({"path": format!("notes{seq}")}))
    };
    let what = ("call", None);
    let how = (Outcome::Running, Took::default());
    let mut batch = RowBatch::of(tx).unwrap();
    index::open(tx, &mut batch, seq, &entry, what, how).unwrap();
    batch.write(tx).unwrap();
}

fn count(tx: &Transaction<'_>, sql: &str) -> i64 {
    tx.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// Rows in which the index knows a word that all of them have.
const KNOWN: &str = "SELECT count(*) FROM activity_words WHERE activity_words MATCH '\"call\"'";
const ROWS: &str = "SELECT count(*) FROM activity";

#[test]
fn rows_are_there_before_their_words_are_and_words_come_a_step_at_a_time() {
    let mut database = database();
    let tx = database.transaction().unwrap();
    (1..=5).for_each(|seq| make(&tx, seq));
    assert_eq!((count(&tx, ROWS), count(&tx, KNOWN)), (5, 0));
    assert!(word_index::is_behind(&tx).unwrap());
    assert!(word_index::bring(&tx, 3).unwrap());
    assert_eq!(count(&tx, KNOWN), 3);
    assert!(!word_index::bring(&tx, 3).unwrap());
    assert_eq!(count(&tx, KNOWN), 5);
    assert!(!word_index::is_behind(&tx).unwrap());
}

#[tokio::test]
async fn who_looks_for_words_finds_all_that_was_appended_before() {
    let home = Home::new();
    let store = home.open().await;
    // More than are brought there at a time.
    fill(&store.audit(), 2_000);
    let text = |text: &str| ActivityFilter {
        text: Some(text.to_owned()),
        ..ActivityFilter::default()
    };
    for number in [0, 600, 1_998] {
        let (audit, sought) = (store.audit(), text(&format!("{number}.txt")));
        let rows = audit.activity(sought, None, 10).await.unwrap().rows;
        assert!(!rows.is_empty(), "{number}");
    }
    store.close().await;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn whatever_comes_between_the_index_of_words_holds_what_the_rows_hold(
        steps in prop::collection::vec((0..5_u8, 0..100_u64), 1..60),
    ) {
        let mut database = database();
        let tx = database.transaction().unwrap();
        // Numbers that are even come in their order, the others late.
        let (mut newest, mut late) = (0, std::collections::BTreeSet::new());
        for (step, chosen) in steps {
            match step {
                0 => {
                    newest += 2;
                    late.insert(newest - 1);
                    make(&tx, newest);
                }
                1 => {
                    let one = late.iter().copied().find(|seq| *seq >= chosen);
                    if let Some(seq) = one {
                        late.remove(&seq);
                        make(&tx, seq);
                    }
                }
                2 => {
                    let row = i64::try_from(chosen % (newest + 1)).unwrap();
                    word_index::add(&tx, row, &format!("more{chosen} ")).unwrap();
                }
                3 => _ = word_index::bring(&tx, 3).unwrap(),
                _ => index::forget(&tx, chosen.min(newest)).unwrap(),
            }
        }
        while word_index::bring(&tx, 3).unwrap() {}
        prop_assert!(!word_index::is_behind(&tx).unwrap());
        prop_assert_eq!(count(&tx, KNOWN), count(&tx, ROWS));
        // Compares each word of it with those of the rows.
        let check = "INSERT INTO activity_words (activity_words, rank) VALUES ('integrity-check', 1)";
        prop_assert!(tx.execute(check, []).is_ok());
    }
}
