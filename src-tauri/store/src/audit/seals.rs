//! The signatures in the log, followed from record to record.
//!
//! The log is a row of sections. Each has a key of its own; the record that ends one is signed with
//! that key and names the next section's public key, and the private key is erased then. Who takes
//! over the account later finds only the last private key.
//!
//! Always true here:
//! - all of a signed record that stands before its signature is signed, and so, by the chain, are
//!   all records before it;
//! - a key that no seal has named begins a new row of sections, and is reported as such.

use super::chain::Link;
use super::key::{PublicKey, Purpose, SIGNATURE, SectionKey};
use super::record::{Entry, Event};
use api::KeyPlace;
use serde::{Deserialize, Serialize};

/// Stands in a record until it is signed.
pub(super) const UNSIGNED: &str =
    "00000000000000000000000000000000000000000000000000000000000000000000000000000000000000";
/// How the signature stands at the end of a record.
const BEFORE: &[u8] = b",\"signature\":\"";
const BEHIND: &[u8] = b"\"}";

/// The key that is to sign next, and the first of its row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keyed {
    /// The first key of the row.
    pub root: PublicKey,
    /// The record that introduced the first key.
    pub from: u64,
    /// Where the private keys of the row are kept.
    pub kept: KeyPlace,
    /// The public key of the open section.
    pub key: PublicKey,
    /// The last record that is sealed; 0 if none is.
    pub sealed: u64,
}

/// What reading a log has shown of its signatures.
#[derive(Debug, Clone, Default)]
pub(crate) struct Seals {
    /// The key that is to sign next; none before the first.
    pub(crate) keyed: Option<Keyed>,
    /// The first keys of all rows that were met.
    pub(crate) roots: Vec<PublicKey>,
}

impl Seals {
    /// Goes on behind record `seq`. `false` if it should be signed with the open section's key and
    /// is not.
    pub(crate) fn take(&mut self, seq: u64, json: &[u8]) -> bool {
        if !is_marked(json) {
            return true;
        }
        let Ok(entry) = Entry::read(json) else {
            return false;
        };
        match entry.event {
            Event::LogKeyed { key, kept } => {
                self.keyed = Some(Keyed {
                    root: key,
                    from: seq,
                    kept,
                    key,
                    sealed: 0,
                });
                self.roots.push(key);
                true
            }
            Event::LogSealed {
                root,
                from,
                kept,
                next,
                ..
            } => {
                let Some(keyed) = self
                    .keyed
                    .filter(|keyed| keyed.root == root && keyed.from == from && keyed.kept == kept)
                else {
                    return false;
                };
                self.keyed = Some(Keyed {
                    key: next,
                    sealed: seq,
                    ..keyed
                });
                is_signed(json, &keyed.key)
            }
            Event::LogCompacted { .. } => {
                self.keyed.is_some_and(|keyed| is_signed(json, &keyed.key))
            }
            _ => true,
        }
    }

    /// Goes on without checking, as far as one record tells: for finding the end of a log that is
    /// gone on with. What a record about old ones that were moved out says of the key there counts
    /// only where nothing newer is known.
    pub(super) fn follow(keyed: Option<Keyed>, seq: u64, json: &[u8]) -> Option<Keyed> {
        if !is_marked(json) {
            return keyed;
        }
        match Entry::read(json).ok()?.event {
            Event::LogKeyed { key, kept } => Some(Keyed {
                root: key,
                from: seq,
                kept,
                key,
                sealed: 0,
            }),
            Event::LogSealed {
                root,
                from,
                kept,
                next,
                ..
            } => Some(Keyed {
                root,
                from,
                kept,
                key: next,
                sealed: seq,
            }),
            Event::LogCompacted {
                keyed: at_the_cut, ..
            } => keyed
                .into_iter()
                .chain(at_the_cut)
                .max_by_key(|keyed| keyed.sealed.max(keyed.from)),
            _ => keyed,
        }
    }
}

/// Whether a record may be one that is about the log's own keys. They are written in one way only.
pub(super) fn is_marked(json: &[u8]) -> bool {
    let behind_the_number = json.strip_prefix(b"{\"seq\":").and_then(|rest| {
        rest.iter()
            .position(|byte| *byte == b',')
            .map(|at| &rest[at..])
    });
    let at = behind_the_number
        .and_then(|rest| rest.get(Link::PREV..))
        .and_then(|rest| rest.strip_prefix(b",\"at\":"));
    let event = at.map(|rest| {
        &rest[rest
            .iter()
            .take_while(|byte| byte.is_ascii_digit() || **byte == b'-')
            .count()..]
    });
    event.is_some_and(|rest| rest.starts_with(b",\"event\":\"log_"))
}

/// Signs a record's JSON that ends with [`UNSIGNED`].
pub(super) fn sign(json: &mut [u8], key: &SectionKey) {
    let Some(start) = start_of_signature(json) else {
        return;
    };
    let signature = key.sign(Purpose::Record, &json[..start]);
    json[start..start + SIGNATURE].copy_from_slice(signature.as_bytes());
}

/// Whether a record's JSON ends with the signature of `key` over all before it.
pub(super) fn is_signed(json: &[u8], key: &PublicKey) -> bool {
    let Some(start) = start_of_signature(json) else {
        return false;
    };
    let signature = std::str::from_utf8(&json[start..start + SIGNATURE]);
    signature.is_ok_and(|signature| key.has_signed(Purpose::Record, &json[..start], signature))
}

fn start_of_signature(json: &[u8]) -> Option<usize> {
    let start = json.len().checked_sub(BEHIND.len() + SIGNATURE)?;
    (json[..start].ends_with(BEFORE) && json.ends_with(BEHIND)).then_some(start)
}
