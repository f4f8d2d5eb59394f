//! What the authorization server gave out.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use sha2::{Digest, Sha256};
use std::collections::HashMap;

#[derive(Default)]
pub(crate) struct Grants {
    /// Codes that wait to be redeemed, each good for once.
    pub(crate) codes: HashMap<String, Pending>,
    /// Access tokens and their scopes.
    pub(crate) access: HashMap<String, Vec<String>>,
    /// Refresh tokens and their scopes.
    pub(crate) refresh: HashMap<String, Vec<String>>,
    /// Secrets of the clients that have one.
    pub(crate) secrets: HashMap<String, String>,
}

pub(crate) struct Pending {
    pub(crate) challenge: String,
    pub(crate) redirect: String,
    pub(crate) resource: String,
    pub(crate) scopes: Vec<String>,
}

impl Pending {
    /// Whether a request for a token fits the one that the browser made.
    pub(crate) fn fits(&self, form: &HashMap<String, String>) -> bool {
        let proof = form
            .get("code_verifier")
            .map(|verifier| URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes())));
        proof.as_deref() == Some(&self.challenge)
            && form.get("redirect_uri") == Some(&self.redirect)
            && form.get("resource") == Some(&self.resource)
    }
}

/// A new value of its kind.
pub(crate) fn random(kind: &str) -> String {
    format!("{kind}-{}", uuid::Uuid::new_v4().simple())
}

pub(crate) fn scopes(text: Option<&String>) -> Vec<String> {
    text.map(|text| {
        text.split(' ')
            .filter(|scope| !scope.is_empty())
            .map(str::to_owned)
            .collect()
    })
    .unwrap_or_default()
}
