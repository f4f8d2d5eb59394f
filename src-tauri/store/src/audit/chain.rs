//! A record as a line of a segment, and the chain that the lines form.
//!
//! A line is `<length, 8 hexadecimal digits> <CRC-32, 8 hexadecimal digits> <JSON>` and a newline;
//! length and checksum are those of the JSON. The JSON begins with `seq`, the record's number, and
//! `prev`, the SHA-256 of the whole line before, newline included.
//!
//! Always true here: there is exactly one way to write a record, so that any other byte anywhere is
//! an error.

use crate::StoreError;
use sha2::{Digest as _, Sha256};
use std::io::Write as _;

/// Bytes of a line that stand before its JSON.
pub(crate) const HEAD: usize = 18;
/// No log gets so far: a higher number was forged, and nothing is counted from it.
pub(crate) const HIGHEST: u64 = 1 << 53;
/// What the first record has as the hash of the line before.
pub(crate) const NOTHING_BEFORE: Hash = Hash([b'0'; 64]);

/// A SHA-256 as 64 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash([u8; 64]);

impl Hash {
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let mut text = [0; 64];
        for (byte, pair) in Sha256::digest(bytes).iter().zip(text.chunks_exact_mut(2)) {
            pair.copy_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
        }
        Self(text)
    }

    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.as_bytes().try_into().ok().map(Self)
    }

    pub(crate) fn as_str(&self) -> &str {
        // Only ASCII is ever put in; anything else, from a forged head, equals no hash.
        std::str::from_utf8(&self.0).unwrap_or("")
    }
}

impl std::fmt::Debug for Hash {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// A place in the chain: what the next record must be. Cheap to clone, so that a check can begin in
/// the middle.
#[derive(Debug, Clone)]
pub struct Chain {
    seq: u64,
    hash: Hash,
}

/// Why bytes are not the next record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// They end before the record does, and hold no newline.
    Unfinished,
    /// The length is not what its digits say, or is not written as lengths are.
    Length,
    /// The checksum is not that of the text, or is not written as checksums are.
    Checksum,
    /// It has another number than the one that is due.
    Number,
    /// It does not continue the record before it.
    Link,
    /// It is not signed with the key that is to sign it.
    Signature,
}

impl Chain {
    /// The beginning of a log.
    pub fn start() -> Self {
        Self::after(0, NOTHING_BEFORE)
    }

    pub(crate) fn after(seq: u64, hash: Hash) -> Self {
        Self { seq, hash }
    }

    /// The number of the last record; 0 at the beginning.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    pub(crate) fn hash(&self) -> Hash {
        self.hash
    }

    /// Checks that `bytes` begin with the next record, goes on behind it, and returns its length in
    /// bytes.
    pub fn take(&mut self, bytes: &[u8]) -> Result<usize, Flaw> {
        let line = line(bytes)?;
        let json = &line[HEAD..line.len() - 1];
        let link = Link::of(json).ok_or(Flaw::Number)?;
        if link.seq != self.seq + 1 || link.seq > HIGHEST {
            return Err(Flaw::Number);
        }
        if link.prev != self.hash {
            return Err(Flaw::Link);
        }
        self.seq = link.seq;
        self.hash = Hash::of(line);
        Ok(line.len())
    }

    /// Writes the next record into `line`, in place of what was there, and goes on behind it.
    ///
    /// `entry` is serialised as the members that follow `seq` and `prev`; it must be a JSON object
    /// that is not empty.
    pub(crate) fn write(
        &self,
        entry: &impl serde::Serialize,
        line: &mut Vec<u8>,
    ) -> Result<Self, StoreError> {
        self.write_and(entry, line, |_| {})
    }

    /// As [`Chain::write`], with a last change of the whole JSON that keeps its length.
    pub(crate) fn write_and(
        &self,
        entry: &impl serde::Serialize,
        line: &mut Vec<u8>,
        change: impl FnOnce(&mut [u8]),
    ) -> Result<Self, StoreError> {
        line.clear();
        line.extend_from_slice(&[b' '; HEAD]);
        let link = (self.seq + 1, self.hash.as_str());
        write!(line, r#"{{"seq":{},"prev":"{}""#, link.0, link.1).map_err(StoreError::of_log)?;
        let members = line.len();
        serde_json::to_writer(&mut *line, entry).map_err(StoreError::unwritable)?;
        // The entry's own opening brace becomes the comma between `prev` and its first member.
        line[members] = b',';
        change(&mut line[HEAD..]);
        let json = &line[HEAD..];
        let length = u32::try_from(json.len())
            .map_err(|_| StoreError::unwritable("the record is longer than 4 GiB"))?;
        let checksum = crc32fast::hash(json);
        line[..8].copy_from_slice(&hex(length));
        line[9..17].copy_from_slice(&hex(checksum));
        line.push(b'\n');
        Ok(Self {
            seq: self.seq + 1,
            hash: Hash::of(line),
        })
    }
}

impl Flaw {
    /// What is wrong, as a sentence about record `due`.
    pub fn sentence(self, due: u64) -> String {
        match self {
            Self::Unfinished => format!("record {due} ends in the middle"),
            Self::Length => format!("the length of record {due} is not that of its text"),
            Self::Checksum => format!("the checksum of record {due} is not that of its text"),
            Self::Number => format!("record {due} is missing, or its number was changed"),
            Self::Link => format!(
                "record {due} does not continue the record before it: one of the two was changed"
            ),
            Self::Signature => format!(
                "record {due} is not signed with the key of its section: it was forged, or a record before it was"
            ),
        }
    }
}

/// The number of a record and the hash of the line before it.
pub(crate) struct Link {
    pub(crate) seq: u64,
    pub(crate) prev: Hash,
}

impl Link {
    /// Bytes of `,"prev":"…"`.
    pub(crate) const PREV: usize = 74;

    /// Reads them from a record's JSON, which begins with them in one way only.
    pub(crate) fn of(json: &[u8]) -> Option<Self> {
        let rest = json.strip_prefix(b"{\"seq\":")?;
        let digits = rest.iter().position(|byte| !byte.is_ascii_digit())?;
        let number = std::str::from_utf8(&rest[..digits])
            .ok()
            .filter(|text| !text.starts_with('0'))?;
        let rest = rest[digits..].strip_prefix(b",\"prev\":\"")?;
        let prev = Hash(rest.get(..64)?.try_into().ok()?);
        rest[64..].starts_with(b"\",").then_some(())?;
        Some(Self {
            seq: number.parse().ok()?,
            prev,
        })
    }
}

/// The line at the beginning of `bytes`, newline included, if its form, length and checksum are
/// right.
pub(crate) fn line(bytes: &[u8]) -> Result<&[u8], Flaw> {
    let flaw = |flaw| {
        if bytes.contains(&b'\n') {
            Err(flaw)
        } else {
            Err(Flaw::Unfinished)
        }
    };
    let Some(head) = bytes.get(..HEAD) else {
        return flaw(Flaw::Length);
    };
    let (Some(length), b' ') = (unhex(&head[..8]), head[8]) else {
        return flaw(Flaw::Length);
    };
    let (Some(checksum), b' ') = (unhex(&head[9..17]), head[17]) else {
        return flaw(Flaw::Checksum);
    };
    let end = usize::try_from(length)
        .ok()
        .and_then(|length| length.checked_add(HEAD));
    let Some((end, Some(b'\n'))) = end.map(|end| (end, bytes.get(end))) else {
        return flaw(Flaw::Length);
    };
    if crc32fast::hash(&bytes[HEAD..end]) != checksum {
        return Err(Flaw::Checksum);
    }
    Ok(&bytes[..=end])
}

/// The JSON of a line, without its newline.
pub(crate) fn json_of(line: &[u8]) -> &[u8] {
    line.get(HEAD..line.len().saturating_sub(1))
        .unwrap_or_default()
}

fn hex(number: u32) -> [u8; 8] {
    let bytes = number.to_be_bytes();
    std::array::from_fn(|place| {
        digit(if place % 2 == 0 {
            bytes[place / 2] >> 4
        } else {
            bytes[place / 2] & 15
        })
    })
}

fn digit(value: u8) -> u8 {
    if value < 10 {
        b'0' + value
    } else {
        b'a' + value - 10
    }
}

/// Reads what [`hex`] writes, and nothing else: upper case is another byte.
fn unhex(text: &[u8]) -> Option<u32> {
    text.iter().try_fold(0, |number, byte| {
        let value = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        Some(number << 4 | u32::from(value))
    })
}
