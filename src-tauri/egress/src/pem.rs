//! Reads certificates and keys as people paste them.
//!
//! Always true here: what is wrong is said in plain words; nothing of a key is in them.

use crate::Pem;
use protocol::Secret;
use rustls::pki_types::pem::{self, PemObject, SectionKind};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};

/// Longer texts are not read: thousands of certificates, or something else.
const LONGEST: usize = 4 * 1024 * 1024;

/// The certificates of a text; at least one.
pub(crate) fn certificates(text: &Pem) -> Result<Vec<CertificateDer<'static>>, String> {
    let mut found = Vec::new();
    for section in sections(&text.0)? {
        match section {
            (SectionKind::Certificate, der) => found.push(CertificateDer::from(der)),
            (
                SectionKind::PrivateKey | SectionKind::RsaPrivateKey | SectionKind::EcPrivateKey,
                _,
            ) => {
                return Err("there is a private key where only certificates belong".to_owned());
            }
            _ => {}
        }
    }
    if found.is_empty() {
        return Err(
            "there is no certificate in it; one begins with -----BEGIN CERTIFICATE-----".to_owned(),
        );
    }
    Ok(found)
}

/// The one private key of a text.
pub(crate) fn key(text: &Secret) -> Result<PrivateKeyDer<'static>, String> {
    let text = text.expose();
    if text.contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
        || text.contains("Proc-Type: 4,ENCRYPTED")
    {
        return Err("the key is locked with a passphrase; give it unlocked".to_owned());
    }
    if text.contains("-----BEGIN OPENSSH PRIVATE KEY-----") {
        return Err("this is a key for SSH, not one of a certificate".to_owned());
    }
    let mut keys = sections(text)?
        .into_iter()
        .filter_map(|(kind, der)| PrivateKeyDer::from_pem(kind, der));
    match (keys.next(), keys.next()) {
        (Some(key), None) => Ok(key),
        (Some(_), Some(_)) => Err("there is more than one private key in it".to_owned()),
        (None, _) => Err(
            "there is no private key in it; one begins with -----BEGIN PRIVATE KEY-----".to_owned(),
        ),
    }
}

fn sections(text: &str) -> Result<Vec<(SectionKind, Vec<u8>)>, String> {
    if text.len() > LONGEST {
        return Err("it is too long".to_owned());
    }
    <(SectionKind, Vec<u8>)>::pem_slice_iter(text.as_bytes())
        .map(|section| section.map_err(words))
        .collect()
}

fn words(error: pem::Error) -> String {
    match error {
        pem::Error::MissingSectionEnd { .. } => "it breaks off before its -----END line",
        pem::Error::IllegalSectionStart { .. } => "its -----BEGIN line is broken",
        pem::Error::Base64Decode(_) => {
            "what stands between its -----BEGIN and -----END lines is damaged"
        }
        _ => "it is not in PEM form",
    }
    .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(label: &str) -> String {
        let text = format!("-----BEGIN {label}-----\naGVsbG8=\n-----END {label}-----\n");
        match key(&Secret::new(text)) {
            Ok(PrivateKeyDer::Pkcs1(_)) => "PKCS#1".to_owned(),
            Ok(PrivateKeyDer::Sec1(_)) => "SEC1".to_owned(),
            Ok(PrivateKeyDer::Pkcs8(_)) => "PKCS#8".to_owned(),
            Ok(_) => "another".to_owned(),
            Err(problem) => problem,
        }
    }

    #[test]
    fn keys_are_read_in_three_forms_and_refused_with_a_reason_in_others() {
        assert_eq!(kind("RSA PRIVATE KEY"), "PKCS#1");
        assert_eq!(kind("EC PRIVATE KEY"), "SEC1");
        assert_eq!(kind("PRIVATE KEY"), "PKCS#8");
        assert_eq!(
            kind("ENCRYPTED PRIVATE KEY"),
            "the key is locked with a passphrase; give it unlocked"
        );
        assert_eq!(
            kind("OPENSSH PRIVATE KEY"),
            "this is a key for SSH, not one of a certificate"
        );
        assert!(kind("PUBLIC KEY").starts_with("there is no private key in it"));
    }
}
