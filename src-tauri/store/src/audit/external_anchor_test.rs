//! An anchor that was kept elsewhere tells what became of the log.

use super::anchor::Heads;
use super::anchor_text::Anchor;
use super::external_anchor;
use super::verify_test::cut_last_record;
use crate::testing::{Home, NOW, fill, noted};
use crate::{Event, StoreError};
use api::{AnchorCheck, AnchorExport};
use proptest::prelude::*;
use std::fs;

fn check(home: &Home, anchor: &AnchorExport) -> AnchorCheck {
    external_anchor::check(
        home.dir(),
        &Heads::of_folder(home.dir(), &home.keyring()),
        &anchor.text,
    )
    .unwrap()
}

async fn home_and_anchor() -> (Home, AnchorExport) {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 20);
    let anchor = store.audit().export_anchor(NOW).await.unwrap();
    store.close().await;
    (home, anchor)
}

#[tokio::test]
async fn a_log_that_has_only_grown_continues_its_anchor() {
    let (home, anchor) = home_and_anchor().await;
    assert_eq!(anchor.seq, 21);
    assert_eq!(
        check(&home, &anchor),
        AnchorCheck::Continues {
            seq: 21,
            at: NOW,
            since: 1
        }
    );
    let store = home.open().await;
    fill(&store.audit(), 9);
    let asked = store
        .audit()
        .check_anchor(anchor.text.clone())
        .await
        .unwrap();
    assert!(
        matches!(
            asked,
            AnchorCheck::Continues {
                seq: 21,
                since: 10..,
                ..
            }
        ),
        "{asked:?}"
    );
    store.close().await;
    // As a person would type it from paper.
    let wrapped = AnchorExport {
        text: format!("  {}\n{} ", &anchor.text[..60], &anchor.text[60..]),
        ..anchor
    };
    assert!(matches!(
        check(&home, &wrapped),
        AnchorCheck::Continues { .. }
    ));
}

#[tokio::test]
async fn an_older_copy_of_folder_database_and_keyring_together_is_found_by_the_anchor() {
    let home = Home::new();
    let store = home.open().await;
    fill(&store.audit(), 20);
    store.close().await;
    drop(store);
    let keep = |name: &str| fs::read(home.dir().join(name)).unwrap();
    let (log, database, drawer) = (
        keep("audit/000001.log"),
        keep(crate::db::FILE),
        home.drawer.0.lock().unwrap().clone(),
    );
    let store = home.open().await;
    fill(&store.audit(), 9);
    let anchor = store.audit().export_anchor(NOW).await.unwrap();
    store.close().await;
    drop(store);
    fs::write(home.segment(1), log).unwrap();
    fs::write(home.dir().join(crate::db::FILE), database).unwrap();
    *home.drawer.0.lock().unwrap() = drawer;
    assert!(
        matches!(home.verify(), api::LogReport::Intact { .. }),
        "inside, nothing tells"
    );
    assert_eq!(
        check(&home, &anchor),
        AnchorCheck::RolledBack {
            anchor: anchor.seq,
            records: 22
        }
    );
    // Going on does not heal it.
    let store = home.open().await;
    store
        .audit()
        .append_synced(noted(Event::HostStopped))
        .await
        .unwrap();
    fill(&store.audit(), 40);
    store.close().await;
    assert_eq!(
        check(&home, &anchor),
        AnchorCheck::Differs { seq: anchor.seq }
    );
}

#[tokio::test]
async fn a_changed_cut_or_other_log_is_not_that_of_the_anchor() {
    let (home, anchor) = home_and_anchor().await;
    let (other, _) = home_and_anchor().await;
    assert_eq!(check(&other, &anchor), AnchorCheck::OtherLog);
    let log = fs::read(home.segment(1)).unwrap();
    let mut changed = log.clone();
    changed[2_000] ^= 1;
    fs::write(home.segment(1), changed).unwrap();
    assert_eq!(check(&home, &anchor), AnchorCheck::Differs { seq: 21 });
    fs::write(home.segment(1), &log).unwrap();
    cut_last_record(&home.segment(1));
    assert!(
        matches!(
            check(&home, &anchor),
            AnchorCheck::Continues { since: 0, .. }
        ),
        "what the anchor covers is there"
    );
    cut_last_record(&home.segment(1));
    assert_eq!(
        check(&home, &anchor),
        AnchorCheck::RolledBack {
            anchor: 21,
            records: 20
        }
    );
    fs::remove_dir_all(home.dir().join("audit")).unwrap();
    assert_eq!(
        check(&home, &anchor),
        AnchorCheck::RolledBack {
            anchor: 21,
            records: 0
        }
    );
}

#[tokio::test]
async fn no_changed_character_passes_for_an_anchor() {
    let (_, anchor) = home_and_anchor().await;
    assert_eq!(
        Anchor::parse(&anchor.text).unwrap().to_string(),
        anchor.text
    );
    for place in 0..anchor.text.len() {
        for by in [1, 2, 4, 16] {
            let mut bytes = anchor.text.clone().into_bytes();
            bytes[place] ^= by;
            let Ok(text) = String::from_utf8(bytes) else {
                continue;
            };
            assert!(
                matches!(Anchor::parse(&text), Err(StoreError::BadAnchor { .. })),
                "{text}"
            );
        }
        assert!(Anchor::parse(&anchor.text[..place]).is_err());
    }
    // A checksum can be made anew by anybody; the signature cannot.
    let (signed, _) = anchor.text.rsplit_once('.').unwrap();
    let forged = signed.replacen(".21.", ".22.", 1);
    let forged = format!("{forged}.{:08x}", crc32fast::hash(forged.as_bytes()));
    assert!(
        Anchor::parse(&forged)
            .unwrap_err()
            .to_string()
            .contains("signature")
    );
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in any::<String>(), bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        prop_assert!(Anchor::parse(&text).is_err());
        let tail = String::from_utf8_lossy(&bytes);
        let begun = format!("majordomo-log-anchor-1.{tail}");
        prop_assert!(Anchor::parse(&begun).is_err());
    }
}
