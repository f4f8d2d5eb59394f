//! The head of the log as it is kept elsewhere: made of the log, and held against it later.

use super::anchor::Heads;
use super::anchor_text::Anchor;
use super::append::Waiter;
use super::segments::FOLDER;
use super::verify::{self, Walk};
use super::{Audit, signer};
use crate::StoreError;
use crate::vault::{Keyring, KeyringChoice};
use api::{AnchorCheck, AnchorExport};
use protocol::Timestamp;
use std::path::Path;
use tokio::sync::oneshot;

impl Audit {
    /// The head of the log as it is now, on the disk, to be kept elsewhere. Its `qr` is empty.
    pub async fn export_anchor(&self, now: Timestamp) -> Result<AnchorExport, StoreError> {
        let anchor = {
            let state = self.inner.log.state()?;
            let (seq, hash) = (state.chain.seq(), state.chain.hash());
            match (&state.signer, self.inner.root) {
                (Some(signer), _) => Anchor::new(
                    signer.keyed().root,
                    signer.keyed().key,
                    Some(signer.open()),
                    seq,
                    hash,
                    now,
                ),
                (None, Some(root)) => Anchor::new(root, root, None, seq, hash, now),
                (None, None) => return Err(not_signed_yet()),
            }
        };
        let (tell, told) = oneshot::channel();
        let waiter: Waiter = Box::new(move |outcome| {
            let _ = tell.send(outcome);
        });
        self.inner.log.wait_for_sync(waiter)?;
        told.await.map_err(|_| StoreError::Closed)??;
        Ok(exported(&anchor))
    }

    /// How the log stands to an anchor.
    pub async fn check_anchor(&self, text: String) -> Result<AnchorCheck, StoreError> {
        let (dir, keyring) = (self.inner.dir.clone(), self.inner.keyring.clone());
        super::off_the_runtime(move || check(&dir, &Heads::of_folder(&dir, &keyring), &text)).await
    }
}

/// As [`Audit::export_anchor`], of the log of the data folder `dir`, while a host runs on it or
/// not. Blocks.
pub fn export_anchor_dir(
    dir: &Path,
    keyring: KeyringChoice,
    now: Timestamp,
) -> Result<AnchorExport, StoreError> {
    let keyring = Keyring::new(keyring, dir)?;
    let (walk, heads, held) = verify::look(dir, &keyring)?;
    if let Some(broken) = walk.problem(&heads, held.as_deref()) {
        return Err(StoreError::LogNotIntact {
            record: broken.record,
        });
    }
    let keyed = walk.seals.keyed.ok_or_else(not_signed_yet)?;
    let keys = signer::read(&keyring).unwrap_or_default();
    let key = keys.iter().find(|key| key.public() == keyed.key);
    Ok(exported(&Anchor::new(
        keyed.root,
        keyed.key,
        key,
        walk.chain.seq(),
        walk.chain.hash(),
        now,
    )))
}

/// As [`Audit::check_anchor`], of the log of the data folder `dir`, while a host runs on it or not.
/// Blocks.
pub fn check_anchor_dir(
    dir: &Path,
    keyring: KeyringChoice,
    text: &str,
) -> Result<AnchorCheck, StoreError> {
    let keyring = Keyring::new(keyring, dir)?;
    check(dir, &Heads::of_folder(dir, &keyring), text)
}

/// Holds an anchor against the log of `dir`.
pub(super) fn check(dir: &Path, heads: &Heads, text: &str) -> Result<AnchorCheck, StoreError> {
    let anchor = Anchor::parse(text)?;
    let folder = dir.join(FOLDER);
    let walk = Walk::patiently(&folder, heads, Some(anchor.seq))?;
    let Anchor { seq, at, .. } = anchor;
    let records = walk.chain.seq();
    if anchor.seq < walk.first.saturating_sub(1) {
        return Ok(AnchorCheck::MovedOut {
            seq,
            first: walk.first,
        });
    }
    Ok(match &walk.watched {
        Some((hash, key))
            if *hash == anchor.hash
                && key.is_none_or(|key| key == anchor.key || anchor.key == anchor.root) =>
        {
            AnchorCheck::Continues {
                seq,
                at,
                since: records - seq,
            }
        }
        _ if !walk.seals.roots.contains(&anchor.root) && !walk.seals.roots.is_empty() => {
            AnchorCheck::OtherLog
        }
        Some(_) => AnchorCheck::Differs { seq },
        // What follows a break is not looked at: the record may be there, but not as the end of
        // what was.
        None if walk.broken.is_some() && walk.flaw.is_some() => AnchorCheck::Differs { seq },
        None => AnchorCheck::RolledBack {
            anchor: seq,
            records,
        },
    })
}

fn exported(anchor: &Anchor) -> AnchorExport {
    let file_name = format!("majordomo-log-anchor-{}.txt", anchor.seq);
    AnchorExport {
        text: anchor.to_string(),
        qr: String::new(),
        file_name,
        seq: anchor.seq,
        at: anchor.at,
    }
}

fn not_signed_yet() -> StoreError {
    StoreError::unreadable("it has no key yet, and gets one when Majordomo is started")
}
