//! Who signs the log: the key of the open section, and the next one.
//!
//! Always true here:
//! - a key is used for one section, and let go of with the record that ends it;
//! - the next key is where the next run finds it before a record names it, and the last one is
//!   erased there only after that record is on the disk: so a crash at any moment leaves the key of
//!   the open section where it is looked for.

use super::append::Log;
use super::key::{PublicKey, SectionKey};
use super::record::Event;
use super::seals::Keyed;
use crate::StoreError;
use crate::vault::{KEYRING_PROBE_TIMEOUT, Keyring, RingError};
use api::KeyPlace;
use protocol::Secret;
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long a section goes on after its first record: what lies in it can still be rewritten by who
/// takes over the account.
pub(super) const SECTION: Duration = Duration::from_secs(15 * 60);
/// The keyring entry that holds the private keys.
pub(super) const ENTRY: &str = "audit-key";

/// Signs the records that end sections.
pub(super) struct Signer {
    keyed: Keyed,
    open: SectionKey,
    next: Option<SectionKey>,
    /// Since when there is something in the open section.
    since: Option<Instant>,
}

impl Signer {
    pub(super) fn keyed(&self) -> Keyed {
        self.keyed
    }

    pub(super) fn open(&self) -> &SectionKey {
        &self.open
    }

    /// The next public key, if there is something to seal and the key is where the next run finds
    /// it.
    pub(super) fn ready(&self) -> Option<PublicKey> {
        self.since?;
        self.next.as_ref().map(SectionKey::public)
    }

    /// When the open section is to be ended, if it can be.
    pub(super) fn due(&self) -> Option<Instant> {
        self.ready()?;
        self.since.map(|since| since + SECTION)
    }

    /// A record was written into the open section.
    pub(super) fn has_more(&mut self) {
        self.since.get_or_insert_with(Instant::now);
    }

    /// The section could not be ended; it is tried again later.
    pub(super) fn postpone(&mut self) {
        self.since = Some(Instant::now());
    }

    /// Record `seq` has ended the section. The key that has signed it is overwritten in memory.
    pub(super) fn sealed(&mut self, seq: u64) {
        if let Some(next) = self.next.take() {
            self.keyed = Keyed {
                key: next.public(),
                sealed: seq,
                ..self.keyed
            };
            self.open = next;
            self.since = None;
        }
    }
}

/// With what a run begins to sign.
pub(super) struct Begun {
    /// Who signs. None if the keys lie in a keyring that cannot be read now: the section goes on,
    /// and is ended by a run that can read it.
    pub(super) signer: Option<Signer>,
    /// The record that introduces a new first key, if there is one.
    pub(super) introduced: Option<Event>,
    /// The key of the open section should be in the keyring, and is not.
    pub(super) lost: bool,
}

/// Keeps private keys where the next run finds them.
pub(super) struct Keys {
    keyring: Keyring,
    /// The keyring is writing keys.
    busy: Arc<AtomicBool>,
}

impl Keys {
    pub(super) fn new(keyring: Keyring) -> Self {
        Self {
            keyring,
            busy: Arc::default(),
        }
    }

    /// Who signs the log that `keyed` was read of and that ends with record `last`. Blocks.
    pub(super) fn signer(
        &self,
        keyed: Option<Keyed>,
        last: u64,
        readable: bool,
    ) -> Result<Begun, StoreError> {
        let found = if readable {
            self.read()
        } else {
            Err(RingError::Failed("it did not answer before".to_owned()))
        };
        match (found, keyed) {
            (Ok(found), Some(keyed)) if found.iter().any(|key| key.public() == keyed.key) => {
                let mut behind = found
                    .into_iter()
                    .skip_while(|key| key.public() != keyed.key);
                let since = (last > keyed.sealed.max(keyed.from)).then(Instant::now);
                let signer = behind.next().map(|open| Signer {
                    keyed,
                    open,
                    next: behind.next(),
                    since,
                });
                Ok(Begun {
                    signer,
                    introduced: None,
                    lost: false,
                })
            }
            (
                Err(error),
                Some(Keyed {
                    kept: KeyPlace::Keyring,
                    ..
                }),
            ) => {
                tracing::warn!(
                    ?error,
                    "the keys of the log cannot be read; it is signed again by a run that can"
                );
                Ok(Begun {
                    signer: None,
                    introduced: None,
                    lost: false,
                })
            }
            (found, _) => {
                let (open, next) = (SectionKey::random()?, SectionKey::random()?);
                let lost = keyed.is_some_and(|keyed| keyed.kept == KeyPlace::Keyring);
                let kept = match found.and_then(|_| {
                    self.keyring
                        .set(ENTRY, text(&open, &next), KEYRING_PROBE_TIMEOUT)
                }) {
                    Ok(()) => KeyPlace::Keyring,
                    Err(error) => {
                        tracing::info!(?error, "the keys of the log are kept in memory only");
                        KeyPlace::Memory
                    }
                };
                let key = open.public();
                // Where it is introduced is known when it is written.
                let keyed = Keyed {
                    root: key,
                    from: 0,
                    kept,
                    key,
                    sealed: 0,
                };
                let signer = Some(Signer {
                    keyed,
                    open,
                    next: Some(next),
                    since: None,
                });
                Ok(Begun {
                    signer,
                    introduced: Some(Event::LogKeyed { key, kept }),
                    lost,
                })
            }
        }
    }

    /// Has `log` signed from here on.
    pub(super) fn begin(
        log: &Log,
        signer: Option<Signer>,
        introduced: Option<u64>,
    ) -> Result<(), StoreError> {
        let signer = signer.map(|signer| Signer {
            keyed: Keyed {
                from: introduced.unwrap_or(signer.keyed.from),
                ..signer.keyed
            },
            ..signer
        });
        log.state()?.signer = signer;
        Ok(())
    }

    /// Makes the next key, some time soon, if there is none and the record that ended the section
    /// before is on the disk; and so erases the key of that section.
    pub(super) fn renew(&self, log: &Arc<Log>) {
        let Some((place, open, next)) = Self::wanted(log) else {
            return;
        };
        if place == KeyPlace::Memory {
            return install(log, &open, next);
        }
        if self.busy.swap(true, Ordering::SeqCst) {
            return;
        }
        let (busy, log, text) = (Arc::clone(&self.busy), Arc::clone(log), text(&open, &next));
        self.keyring.set_later(ENTRY, text, move |outcome| {
            match outcome {
                Ok(()) => install(&log, &open, next),
                Err(error) => tracing::warn!(?error, "the next key of the log could not be kept"),
            }
            busy.store(false, Ordering::SeqCst);
        });
    }

    /// As [`Keys::renew`], and blocks until that is done.
    pub(super) fn renew_now(&self, log: &Arc<Log>) {
        // The keyring does one thing after the other: reading waits for what it is writing.
        if self.busy.load(Ordering::SeqCst)
            && (self.read().is_err() || self.busy.load(Ordering::SeqCst))
        {
            return;
        }
        let Some((place, open, next)) = Self::wanted(log) else {
            return;
        };
        if place == KeyPlace::Keyring
            && let Err(error) = self
                .keyring
                .set(ENTRY, text(&open, &next), KEYRING_PROBE_TIMEOUT)
        {
            return tracing::warn!(
                ?error,
                "the last key of the log could not be erased; the next run does it"
            );
        }
        install(log, &open, next);
    }

    fn wanted(log: &Log) -> Option<(KeyPlace, SectionKey, SectionKey)> {
        let state = log.state().ok()?;
        let signer = state.signer.as_ref()?;
        let is_due = signer.next.is_none() && state.synced >= signer.keyed.sealed;
        is_due
            .then(|| {
                Some((
                    signer.keyed.kept,
                    signer.open.clone(),
                    SectionKey::random().ok()?,
                ))
            })
            .flatten()
    }

    /// The keys that are kept, in the order in which they are used.
    fn read(&self) -> Result<Vec<SectionKey>, RingError> {
        read(&self.keyring)
    }
}

/// The private keys that are kept, in the order in which they are used.
pub(super) fn read(keyring: &Keyring) -> Result<Vec<SectionKey>, RingError> {
    let Some(text) = keyring.get(ENTRY, KEYRING_PROBE_TIMEOUT)? else {
        return Ok(Vec::new());
    };
    let parsed: Value = serde_json::from_str(text.expose())
        .map_err(|error| RingError::Failed(error.to_string()))?;
    let key = |name: &str| {
        parsed[name]
            .as_str()
            .and_then(|text| SectionKey::parse(&Secret::new(text.to_owned())))
    };
    Ok(["open", "next"].into_iter().filter_map(key).collect())
}

/// The public halves of the keys that are kept; none if the keyring cannot be read.
pub(super) fn held(keyring: &Keyring) -> Option<Vec<PublicKey>> {
    read(keyring)
        .ok()
        .map(|keys| keys.iter().map(SectionKey::public).collect())
}

fn text(open: &SectionKey, next: &SectionKey) -> Secret {
    Secret::new(json!({"open": open.text().expose(), "next": next.text().expose()}).to_string())
}

fn install(log: &Log, open: &SectionKey, next: SectionKey) {
    if let Ok(mut state) = log.state()
        && let Some(signer) = &mut state.signer
        && signer.open.public() == open.public()
    {
        signer.next = Some(next);
    }
}
