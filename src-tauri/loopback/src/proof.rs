//! How a host proves to a program that it is the one whose note the program has read.
//!
//! Always true here:
//! - no secret travels: what is sent is a fresh number, and what comes back is an HMAC of it;
//! - how long a comparison takes says nothing about what was expected.

use crate::random_token;
use ring::hmac;

/// What is proven: no other use of the key can be taken for this one.
const LABEL: &str = "majordomo: the host of this note\n";

/// Where a proof is asked for; the number follows.
pub(crate) const PATH: &str = "/proof/";

/// How long a proof is, in bytes.
pub(crate) const LENGTH: usize = 32;

/// What a host must answer to be believed; a new one for each connection.
pub(crate) struct Challenge(String);

impl Challenge {
    /// One that nobody has seen before.
    pub(crate) fn fresh() -> Self {
        Self(random_token())
    }

    /// Where it is asked.
    pub(crate) fn path(&self) -> String {
        format!("{PATH}{}", self.0)
    }

    /// Whether this answer is of somebody who knows the token.
    pub(crate) fn is_met(&self, token: &str, proof: &[u8]) -> bool {
        hmac::verify(&key(token), message(&self.0).as_bytes(), proof).is_ok()
    }
}

/// The answer to a challenge; `None` if it is not one.
pub(crate) fn prove(token: &str, number: &str) -> Option<Vec<u8>> {
    let is_number = number.len() == 64 && number.bytes().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| {
        hmac::sign(&key(token), message(number).as_bytes())
            .as_ref()
            .to_vec()
    })
}

fn key(token: &str) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, token.as_bytes())
}

fn message(number: &str) -> String {
    format!("{LABEL}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(token: &str, challenge: &Challenge) -> Vec<u8> {
        prove(token, &challenge.0).unwrap()
    }

    #[test]
    fn only_who_knows_the_token_meets_a_challenge_and_only_that_one() {
        let (one, other) = (Challenge::fresh(), Challenge::fresh());
        let proof = answered("t", &one);
        assert_eq!(proof.len(), LENGTH);
        assert!(one.is_met("t", &proof));
        assert!(!other.is_met("t", &proof), "an old proof");
        assert!(!one.is_met("t", &answered("u", &one)), "another token");
        assert!(!one.is_met("t", &proof[1..]) && !one.is_met("t", b""));
    }

    #[test]
    fn nothing_but_a_number_is_signed() {
        for text in ["", "t", &"g".repeat(64), &"0".repeat(63), &"0".repeat(65)] {
            assert!(prove("t", text).is_none(), "{text:?}");
        }
    }
}
