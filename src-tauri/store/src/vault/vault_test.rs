//! Secrets, in a real keyring: `cargo xtask test` runs these with one that is unlocked and thrown
//! away.

use super::{Keep, Keyring, Ring, RingError, VaultStatus};
use crate::testing::{Home, absent, noted, options};
use crate::{Durability, Event, KeyringChoice, Store, StoreError, verify_dir};
use api::LogReport;
use protocol::{Secret, SecretId};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

const PLANTED: &str = "planted-7f3a9c1e5b";

async fn open(home: &Home) -> Store {
    Store::open(options(home.dir(), KeyringChoice::System))
        .await
        .unwrap()
}

async fn check_round_trip(value: String) {
    let home = Home::new();
    let store = open(&home).await;
    assert_eq!(
        store.vault().status().await,
        VaultStatus::Ready,
        "these tests need a keyring that is unlocked"
    );
    let id = store
        .vault()
        .put(&Secret::new(value.clone()), Keep::Keyring)
        .await
        .unwrap();
    store.close().await;
    drop(store);

    let store = open(&home).await;
    assert_eq!(store.vault().get(&id).await.unwrap().expose(), value);
    store.vault().remove(&id).await.unwrap();
    store.vault().remove(&id).await.unwrap();
    assert!(
        matches!(store.vault().get(&id).await, Err(StoreError::SecretLost { id: lost }) if lost == id)
    );
}

#[tokio::test]
async fn a_secret_outlives_the_host_until_it_is_removed() {
    check_round_trip("hunter2".into()).await;
}

#[tokio::test]
async fn a_secret_too_long_for_the_keyring_does_as_well() {
    check_round_trip("é".repeat(40_000)).await;
}

#[tokio::test]
async fn a_sealed_value_opens_under_its_own_id_only() {
    let home = Home::new();
    let store = open(&home).await;
    let put = async |text: &str| {
        store
            .vault()
            .put(&Secret::new(text.repeat(300)), Keep::Keyring)
            .await
            .unwrap()
    };
    let (one, two) = (put("one one ").await, put("two two ").await);
    let database = rusqlite::Connection::open(home.dir().join(crate::db::FILE)).unwrap();
    let sql = "UPDATE sealed_secrets SET (nonce, sealed) = (SELECT nonce, sealed FROM sealed_secrets WHERE id = ?1) WHERE id = ?2";
    assert_eq!(
        database.execute(sql, [one.as_str(), two.as_str()]).unwrap(),
        1
    );
    assert_eq!(
        store.vault().get(&one).await.unwrap().expose(),
        "one one ".repeat(300)
    );
    assert!(matches!(
        store.vault().get(&two).await,
        Err(StoreError::SecretLost { .. })
    ));
}

#[tokio::test]
async fn two_data_folders_do_not_share_secrets() {
    let (one, two) = (Home::new(), Home::new());
    let id = open(&one)
        .await
        .vault()
        .put(&Secret::new("hunter2".into()), Keep::Keyring)
        .await
        .unwrap();
    let store = open(&two).await;
    assert_ne!(one.keyring().prefix(), two.keyring().prefix());
    assert!(matches!(
        store.vault().get(&id).await,
        Err(StoreError::SecretLost { .. })
    ));
}

#[tokio::test]
async fn no_file_holds_a_secret() {
    let home = Home::new();
    let store = open(&home).await;
    let mut kept = Vec::new();
    for (value, keep) in [
        (PLANTED.to_owned(), Keep::Keyring),
        (format!("{PLANTED}{}", "x".repeat(5_000)), Keep::Keyring),
        (PLANTED.to_owned(), Keep::Session),
    ] {
        kept.push(store.vault().put(&Secret::new(value), keep).await.unwrap());
    }
    store
        .audit()
        .append(noted(Event::HostStopped), Durability::Synced)
        .unwrap();
    for id in &kept {
        assert!(
            store
                .vault()
                .get(id)
                .await
                .unwrap()
                .expose()
                .starts_with(PLANTED)
        );
    }
    assert!(!format!("{:?}", store.vault().get(&kept[0]).await).contains(PLANTED));
    assert!(
        files_with(home.dir(), kept[0].as_str()) > 0,
        "the search finds what is there"
    );
    assert_eq!(files_with(home.dir(), PLANTED), 0);
    store.close().await;
    assert_eq!(files_with(home.dir(), PLANTED), 0);
}

#[tokio::test]
async fn the_head_of_the_log_is_noted_in_the_keyring() {
    let home = Home::new();
    let store = open(&home).await;
    crate::testing::fill(&store.audit(), 6);
    store.close().await;
    drop(store);
    let report = verify_dir(home.dir(), KeyringChoice::System).unwrap();
    let LogReport::Intact {
        records: 8,
        anchor: api::AnchorPlace::Keyring,
        after_anchor: 0,
        signed: Some(signed),
        ..
    } = report
    else {
        panic!("{report:?}")
    };
    assert_eq!(
        (signed.from, signed.sealed, signed.kept),
        (1, 8, api::KeyPlace::Keyring)
    );
    fs::remove_dir_all(home.dir().join("audit")).unwrap();
    fs::remove_file(home.dir().join(crate::db::FILE)).unwrap();
    assert!(matches!(
        verify_dir(home.dir(), KeyringChoice::System).unwrap(),
        LogReport::Broken { record: 1, .. }
    ));
}

#[tokio::test]
async fn without_a_keyring_a_secret_is_refused_or_kept_for_the_session_as_asked() {
    let home = Home::new();
    let store = Store::open(options(home.dir(), absent())).await.unwrap();
    let missing = VaultStatus::Missing {
        reason: "there is none in this test".into(),
    };
    assert_eq!(store.vault().status().await, missing);
    for value in ["hunter2".to_owned(), "x".repeat(5_000)] {
        let refused = store
            .vault()
            .put(&Secret::new(value.clone()), Keep::Keyring)
            .await;
        assert!(
            matches!(refused, Err(StoreError::KeyringMissing { reason }) if reason.contains("none in this test"))
        );
        let id = store
            .vault()
            .put(&Secret::new(value.clone()), Keep::Session)
            .await
            .unwrap();
        assert_eq!(store.vault().get(&id).await.unwrap().expose(), value);
    }
}

#[tokio::test]
async fn what_was_kept_for_the_session_is_lost_with_it() {
    let home = Home::new();
    let store = Store::open(options(home.dir(), absent())).await.unwrap();
    let id = store
        .vault()
        .put(&Secret::new(PLANTED.into()), Keep::Session)
        .await
        .unwrap();
    store.close().await;
    drop(store);
    let store = Store::open(options(home.dir(), absent())).await.unwrap();
    for lost in [id, SecretId::random()] {
        assert!(
            matches!(store.vault().get(&lost).await, Err(StoreError::SecretLost { id }) if id == lost)
        );
    }
}

/// A keyring that shows a prompt for as long as the sender lives, and counts what it did.
struct Prompting(mpsc::Receiver<()>, Arc<AtomicUsize>);

impl Prompting {
    fn prompt(&mut self) {
        let _ = self.0.recv();
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

impl Ring for Prompting {
    fn get(&mut self, _: &str) -> Result<Option<Secret>, RingError> {
        self.prompt();
        Ok(None)
    }
    fn set(&mut self, _: &str, _: &Secret) -> Result<(), RingError> {
        self.prompt();
        Ok(())
    }
    fn remove(&mut self, _: &str) -> Result<(), RingError> {
        self.prompt();
        Ok(())
    }
}

#[test]
fn a_prompt_that_nobody_answers_holds_nobody_up_and_does_nothing_later() {
    let home = Home::new();
    let (prompt, answered) = mpsc::channel();
    let done = Arc::new(AtomicUsize::new(0));
    let keyring = Keyring::over(Prompting(answered, Arc::clone(&done)), home.dir()).unwrap();
    let briefly = Duration::from_millis(20);
    for _ in 0..3 {
        let refused = keyring.set("token", Secret::new(PLANTED.into()), briefly);
        assert!(
            matches!(refused, Err(RingError::Failed(reason)) if reason.contains("did not answer"))
        );
    }
    drop(prompt);
    assert_eq!(
        keyring
            .get("token", Duration::from_secs(60))
            .unwrap()
            .map(|_| ()),
        None
    );
    assert_eq!(
        done.load(Ordering::SeqCst),
        2,
        "the one that had begun, and the last"
    );
}

fn files_with(dir: &Path, text: &str) -> usize {
    let holds = |path: &Path| {
        fs::read(path)
            .unwrap()
            .windows(text.len())
            .any(|bytes| bytes == text.as_bytes())
    };
    let files = fs::read_dir(dir).unwrap().map(|file| file.unwrap().path());
    files
        .map(|path| {
            if path.is_dir() {
                files_with(&path, text)
            } else {
                usize::from(holds(&path))
            }
        })
        .sum()
}
