//! The key pair of one section of the log.
//!
//! Always true here: a private key is never printed, and is overwritten in memory when it is let go
//! of.

use crate::StoreError;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chacha20poly1305::Key;
use chacha20poly1305::aead::Generate as _;
use ed25519_dalek::{Signature, Signer as _, SigningKey, VerifyingKey};
use protocol::Secret;
use serde::{Deserialize, Serialize};
use zeroize::Zeroize as _;

/// Characters of a signature as it stands in a record or an anchor: 64 bytes in base64.
pub(crate) const SIGNATURE: usize = 86;

/// What is signed. It stands before the message, so that a signature of one kind is none of the
/// other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// A record of the log.
    Record,
    /// A head of the log that is kept elsewhere.
    Anchor,
}

/// The private key of a section, by which it is signed.
#[derive(Clone)]
pub(crate) struct SectionKey(SigningKey);

/// The public key of a section, by which its signatures are checked. As text: 43 characters of
/// base64.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PublicKey([u8; 32]);

impl SectionKey {
    /// A new key.
    pub(crate) fn random() -> Result<Self, StoreError> {
        let mut seed: [u8; 32] = Key::try_generate()
            .map_err(|_| {
                StoreError::unwritable("the system has no random numbers to make a key of")
            })?
            .into();
        let key = SigningKey::from_bytes(&seed);
        seed.zeroize();
        Ok(Self(key))
    }

    /// Reads what [`SectionKey::text`] gave.
    pub(crate) fn parse(text: &Secret) -> Option<Self> {
        let mut bytes = URL_SAFE_NO_PAD.decode(text.expose()).ok()?;
        let seed = <[u8; 32]>::try_from(bytes.as_slice());
        bytes.zeroize();
        let mut seed = seed.ok()?;
        let key = SigningKey::from_bytes(&seed);
        seed.zeroize();
        Some(Self(key))
    }

    /// The key as text, for the keyring.
    pub(crate) fn text(&self) -> Secret {
        let mut seed = self.0.to_bytes();
        let text = Secret::new(URL_SAFE_NO_PAD.encode(seed));
        seed.zeroize();
        text
    }

    /// The public half.
    pub(crate) fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key().to_bytes())
    }

    /// Signs `message`; the answer is [`SIGNATURE`] characters.
    pub(crate) fn sign(&self, purpose: Purpose, message: &[u8]) -> String {
        URL_SAFE_NO_PAD.encode(self.0.sign(&whole(purpose, message)).to_bytes())
    }
}

impl PublicKey {
    /// Whether `signature` is that of this key over `message`.
    pub(crate) fn has_signed(&self, purpose: Purpose, message: &[u8], signature: &str) -> bool {
        let signature = URL_SAFE_NO_PAD
            .decode(signature)
            .ok()
            .and_then(|bytes| Signature::from_slice(&bytes).ok());
        let key = VerifyingKey::from_bytes(&self.0);
        matches!((key, signature), (Ok(key), Some(signature)) if key.verify_strict(&whole(purpose, message), &signature).is_ok())
    }

    /// Reads a key from its text.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok().map(Self)
    }
}

impl std::fmt::Display for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&URL_SAFE_NO_PAD.encode(self.0))
    }
}

impl std::fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self}")
    }
}

impl From<PublicKey> for String {
    fn from(key: PublicKey) -> Self {
        key.to_string()
    }
}

impl TryFrom<String> for PublicKey {
    type Error = &'static str;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text).ok_or("it is no public key")
    }
}

fn whole(purpose: Purpose, message: &[u8]) -> Vec<u8> {
    let purpose: &[u8] = match purpose {
        Purpose::Record => b"majordomo log record\n",
        Purpose::Anchor => b"majordomo log anchor\n",
    };
    [purpose, message].concat()
}
