//! What is kept of a token: enough to know it again, and nothing to use it with.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::str::FromStr;
use ts_rs::TS;

/// The SHA-256 of a token that was drawn at random: 64 hexadecimal digits, small.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(try_from = "String", into = "String")]
#[ts(type = "string")]
pub struct TokenHash(String);

/// A text is no hash of a token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the hash of a token is the SHA-256 of it: 64 hexadecimal digits, small")]
pub struct NoTokenHash;

impl TokenHash {
    /// The hash of a token.
    pub fn of(token: &str) -> Self {
        let digest = Sha256::digest(token.as_bytes());
        let mut text = String::with_capacity(64);
        for byte in digest {
            // Writing to a String cannot fail.
            let _ = write!(text, "{byte:02x}");
        }
        Self(text)
    }

    /// The hash as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for TokenHash {
    type Err = NoTokenHash;

    fn from_str(text: &str) -> Result<Self, NoTokenHash> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        if text.len() == 64 && text.bytes().all(is_digit) {
            Ok(Self(text.to_owned()))
        } else {
            Err(NoTokenHash)
        }
    }
}

impl TryFrom<String> for TokenHash {
    type Error = NoTokenHash;

    fn try_from(text: String) -> Result<Self, NoTokenHash> {
        text.parse()
    }
}

impl From<TokenHash> for String {
    fn from(hash: TokenHash) -> Self {
        hash.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_hash_is_read_as_one() {
        let hash = TokenHash::of("a token");
        assert_eq!(hash.as_str().parse(), Ok(hash.clone()));
        assert_ne!(hash, TokenHash::of("another token"));
        for text in ["", "a token", &"A".repeat(64), &"a".repeat(63)] {
            assert_eq!(text.parse::<TokenHash>(), Err(NoTokenHash), "{text}");
        }
    }
}
