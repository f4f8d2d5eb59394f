//! A head of the log as one line of text, to be kept elsewhere: on another computer, on paper, with
//! somebody else.
//!
//! Always true here: there is one way to write an anchor, and whatever else is given is refused,
//! whoever wrote it.

use super::chain::Hash;
use super::key::{PublicKey, Purpose, SectionKey};
use crate::StoreError;
use protocol::Timestamp;

/// With what each anchor begins. The number is that of the format.
const FORMAT: &str = "majordomo-log-anchor-1";
/// Longest text that is looked at, in bytes, spaces included.
const LONGEST: usize = 4 * 1024;

/// A head of the log, signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Anchor {
    /// The first key of the row with which the log is signed: by it the log is known.
    pub(crate) root: PublicKey,
    /// The key of the section that was open.
    pub(crate) key: PublicKey,
    /// The last record.
    pub(crate) seq: u64,
    /// The SHA-256 of its line.
    pub(crate) hash: Hash,
    /// When the anchor was made.
    pub(crate) at: Timestamp,
    /// By the key of the section; none if the key was not at hand.
    signature: Option<String>,
}

impl Anchor {
    /// Makes an anchor, signed if `key` is at hand.
    pub(crate) fn new(
        root: PublicKey,
        open: PublicKey,
        key: Option<&SectionKey>,
        seq: u64,
        hash: Hash,
        at: Timestamp,
    ) -> Self {
        let unsigned = Self {
            root,
            key: open,
            seq,
            hash,
            at,
            signature: None,
        };
        let signature = key.map(|key| key.sign(Purpose::Anchor, unsigned.signed().as_bytes()));
        Self {
            signature,
            ..unsigned
        }
    }

    /// Reads an anchor. Spaces and line breaks, as they come of copying, are passed over.
    pub(crate) fn parse(text: &str) -> Result<Self, StoreError> {
        let bad = |reason: &str| StoreError::BadAnchor {
            reason: reason.to_owned(),
        };
        if text.len() > LONGEST {
            return Err(bad("it is too long"));
        }
        let text: String = text.split_whitespace().collect();
        if !text.starts_with("majordomo-log-anchor-") {
            return Err(bad("it does not begin as one"));
        }
        let parts: Vec<&str> = text.split('.').collect();
        let [FORMAT, root, key, seq, hash, at, signature, _] = parts[..] else {
            return Err(bad(
                "it is of a newer version, or something of it is missing",
            ));
        };
        let read = || {
            Some(Self {
                root: PublicKey::parse(root)?,
                key: PublicKey::parse(key)?,
                seq: seq.parse().ok()?,
                hash: Hash::parse(hash)?,
                at: Timestamp(at.parse().ok()?),
                signature: (signature != "-").then(|| signature.to_owned()),
            })
        };
        let anchor = read()
            .filter(|anchor| anchor.to_string() == text)
            .ok_or_else(|| bad("a character of it is wrong or missing"))?;
        match &anchor.signature {
            Some(signature)
                if !anchor.key.has_signed(
                    Purpose::Anchor,
                    anchor.signed().as_bytes(),
                    signature,
                ) =>
            {
                Err(bad("its signature is not that of its key"))
            }
            _ => Ok(anchor),
        }
    }

    fn signed(&self) -> String {
        format!(
            "{FORMAT}.{}.{}.{}.{}.{}",
            self.root,
            self.key,
            self.seq,
            self.hash.as_str(),
            self.at.0
        )
    }
}

impl std::fmt::Display for Anchor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!(
            "{}.{}",
            self.signed(),
            self.signature.as_deref().unwrap_or("-")
        );
        write!(f, "{text}.{:08x}", crc32fast::hash(text.as_bytes()))
    }
}
