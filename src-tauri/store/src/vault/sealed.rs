//! Values too long for a keyring entry: XChaCha20-Poly1305 in the database, with a key that lies in
//! the keyring.
//!
//! Always true here: a nonce is random and used once, and a sealed value opens under the id it was
//! sealed for and no other.

use super::{KEYRING_TIMEOUT, Vault, VaultStatus};
use crate::StoreError;
use crate::db::Commit;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chacha20poly1305::aead::{Aead as _, Generate as _, Payload};
use chacha20poly1305::{Key, KeyInit as _, XChaCha20Poly1305, XNonce};
use protocol::{Secret, SecretId};
use rusqlite::{OptionalExtension, params};
use zeroize::{Zeroize as _, Zeroizing};

/// The keyring entry that holds the sealing key.
const KEY_ENTRY: &str = "sealing-key";

impl Vault {
    pub(super) async fn seal(&self, id: &SecretId, value: &Secret) -> Result<(), StoreError> {
        let cipher = self
            .cipher(OnMissing::Make)
            .await?
            .ok_or_else(no_randomness)?;
        let nonce = XNonce::try_generate().map_err(|_| no_randomness())?;
        let payload = Payload {
            msg: value.expose().as_bytes(),
            aad: id.as_str().as_bytes(),
        };
        let sealed = cipher
            .encrypt(&nonce, payload)
            .map_err(|_| StoreError::KeyringFailed {
                reason: "the value could not be sealed".to_owned(),
            })?;
        let id = id.clone();
        let work = move |tx: &rusqlite::Transaction<'_>| {
            let sql = "INSERT INTO sealed_secrets (id, nonce, sealed) VALUES (?1, ?2, ?3)";
            tx.execute(sql, params![id.as_str(), nonce.as_slice(), sealed])?;
            Ok(())
        };
        self.inner.db.write(Commit::Durable, work).await
    }

    pub(super) async fn unseal(&self, id: &SecretId) -> Result<Secret, StoreError> {
        let lost = || StoreError::SecretLost { id: id.clone() };
        let wanted = id.clone();
        let row: Option<(Vec<u8>, Vec<u8>)> = self
            .inner
            .db
            .read(move |db| {
                let sql = "SELECT nonce, sealed FROM sealed_secrets WHERE id = ?1";
                Ok(db
                    .query_row(sql, [wanted.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))
                    .optional()?)
            })
            .await?;
        let (nonce, sealed) = row.ok_or_else(lost)?;
        let cipher = self.cipher(OnMissing::GiveUp).await?.ok_or_else(lost)?;
        let nonce = XNonce::try_from(nonce.as_slice()).map_err(|_| lost())?;
        let payload = Payload {
            msg: &sealed,
            aad: id.as_str().as_bytes(),
        };
        let value = cipher.decrypt(&nonce, payload).map_err(|_| lost())?;
        String::from_utf8(value).map(Secret::new).map_err(|error| {
            error.into_bytes().zeroize();
            lost()
        })
    }

    /// Seals a text that lies elsewhere in the database. It opens for the same `purpose` and no
    /// other. Fails with [`StoreError::KeyringMissing`] where there is no keyring.
    pub(crate) async fn lock_up(
        &self,
        purpose: &str,
        text: &Secret,
    ) -> Result<LockedUp, StoreError> {
        if let VaultStatus::Missing { reason } = self.status().await {
            return Err(StoreError::KeyringMissing { reason });
        }
        let cipher = self
            .cipher(OnMissing::Make)
            .await?
            .ok_or_else(no_randomness)?;
        let nonce = XNonce::try_generate().map_err(|_| no_randomness())?;
        let payload = Payload {
            msg: text.expose().as_bytes(),
            aad: purpose.as_bytes(),
        };
        let sealed = cipher
            .encrypt(&nonce, payload)
            .map_err(|_| StoreError::KeyringFailed {
                reason: "the text could not be sealed".to_owned(),
            })?;
        Ok(LockedUp {
            nonce: nonce.as_slice().to_vec(),
            sealed,
        })
    }

    /// Opens what [`Vault::lock_up`] has sealed for this purpose; `None` if the key is another, or
    /// it was changed.
    pub(crate) async fn open_up(
        &self,
        purpose: &str,
        locked: &LockedUp,
    ) -> Result<Option<Secret>, StoreError> {
        let Some(cipher) = self.cipher(OnMissing::GiveUp).await? else {
            return Ok(None);
        };
        let Ok(nonce) = XNonce::try_from(locked.nonce.as_slice()) else {
            return Ok(None);
        };
        let payload = Payload {
            msg: &locked.sealed,
            aad: purpose.as_bytes(),
        };
        let Ok(text) = cipher.decrypt(&nonce, payload) else {
            return Ok(None);
        };
        Ok(String::from_utf8(text).map(Secret::new).ok())
    }

    /// The cipher with the key from the keyring.
    async fn cipher(&self, on_missing: OnMissing) -> Result<Option<XChaCha20Poly1305>, StoreError> {
        let _alone = self.inner.making_key.lock().await;
        let mut key = match self
            .inner
            .keyring
            .get_async(KEY_ENTRY, KEYRING_TIMEOUT)
            .await?
        {
            Some(text) => parse_key(&text)?,
            None if on_missing == OnMissing::GiveUp => return Ok(None),
            None => {
                let key = Key::try_generate().map_err(|_| no_randomness())?;
                let text = Secret::new(STANDARD.encode(key));
                self.inner
                    .keyring
                    .set_async(KEY_ENTRY, text, KEYRING_TIMEOUT)
                    .await?;
                key
            }
        };
        let cipher = XChaCha20Poly1305::new(&key);
        key.zeroize();
        Ok(Some(cipher))
    }
}

/// A sealed text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LockedUp {
    pub(crate) nonce: Vec<u8>,
    pub(crate) sealed: Vec<u8>,
}

/// What to do if there is no sealing key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnMissing {
    Make,
    GiveUp,
}

fn parse_key(text: &Secret) -> Result<Key, StoreError> {
    let bad = || StoreError::KeyringFailed {
        reason: "the sealing key in the keyring is not a key".to_owned(),
    };
    let bytes = Zeroizing::new(STANDARD.decode(text.expose()).map_err(|_| bad())?);
    Key::try_from(bytes.as_slice()).map_err(|_| bad())
}

fn no_randomness() -> StoreError {
    StoreError::KeyringFailed {
        reason: "the system has no random numbers to make a key of".to_owned(),
    }
}
