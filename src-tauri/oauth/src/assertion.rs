//! Assertions that a private key signs, by which a client proves to be itself (RFC 7523).

use crate::OAuthError;
use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use protocol::{Secret, Timestamp};
use ring::{
    rand::SystemRandom,
    signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RSA_PKCS1_SHA256, RsaKeyPair},
};
use rustls_pki_types::{PrivatePkcs8KeyDer, pem::PemObject};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// How long an assertion is good for, in seconds. It is used at once.
const LIFETIME: i64 = 120;

/// A private key and how it signs.
#[derive(Debug, Clone)]
pub struct SigningKey {
    /// The key: PKCS#8 in PEM, unencrypted.
    pub pem: Secret,
    /// How it signs.
    pub algorithm: Algorithm,
    /// The key's name, if the authorization server knows several.
    pub key_id: Option<String>,
}

/// How a key signs (RFC 7518, section 3.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Algorithm {
    /// ECDSA on P-256.
    ES256,
    /// RSA with PKCS#1 padding.
    RS256,
}

impl SigningKey {
    /// Checks that the key can sign, so that a person hears it when they enter it.
    pub fn check(&self) -> Result<(), OAuthError> {
        self.sign(b"").map(drop)
    }

    /// An assertion that `client` is itself, for this audience only.
    pub(crate) fn assertion(
        &self,
        client: &str,
        audience: &str,
        now: Timestamp,
    ) -> Result<Secret, OAuthError> {
        let seconds = now.0.div_euclid(1000);
        let mut header = json!({ "alg": self.algorithm, "typ": "JWT" });
        if let Some(key_id) = &self.key_id {
            header["kid"] = json!(key_id);
        }
        let claims = json!({
            "iss": client,
            "sub": client,
            "aud": audience,
            "iat": seconds,
            "exp": seconds + LIFETIME,
            "jti": uuid::Uuid::new_v4(),
        });
        let encode = |value: &serde_json::Value| URL_SAFE_NO_PAD.encode(value.to_string());
        let signed = format!("{}.{}", encode(&header), encode(&claims));
        let signature = URL_SAFE_NO_PAD.encode(self.sign(signed.as_bytes())?);
        Ok(Secret::new(format!("{signed}.{signature}")))
    }

    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, OAuthError> {
        let bad = |problem| OAuthError::BadKey { problem };
        let key = PrivatePkcs8KeyDer::from_pem_slice(self.pem.expose().as_bytes())
            .map_err(|_| bad("it is not an unencrypted PKCS#8 key in PEM form"))?;
        let random = SystemRandom::new();
        match self.algorithm {
            Algorithm::ES256 => {
                let pair = EcdsaKeyPair::from_pkcs8(
                    &ECDSA_P256_SHA256_FIXED_SIGNING,
                    key.secret_pkcs8_der(),
                    &random,
                )
                .map_err(|_| bad("it is not a P-256 key"))?;
                pair.sign(&random, message)
                    .map(|signature| signature.as_ref().to_vec())
                    .map_err(|_| bad("it does not sign"))
            }
            Algorithm::RS256 => {
                let pair = RsaKeyPair::from_pkcs8(key.secret_pkcs8_der())
                    .map_err(|_| bad("it is not an RSA key of 2048 to 4096 bits"))?;
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature)
                    .map_err(|_| bad("it does not sign"))?;
                Ok(signature)
            }
        }
    }
}
