//! An authority that signs certificates for tests.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use egress::{Identity, Pem};
use protocol::Secret;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair, date_time_ymd,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

static MADE: AtomicUsize = AtomicUsize::new(1);

/// An authority of our own.
pub struct Authority(CertifiedIssuer<'static, KeyPair>);

/// A certificate with its key, both as PEM.
pub struct Leaf {
    pub certificate: String,
    pub key: String,
}

impl Leaf {
    /// As a client shows it.
    pub fn identity(&self) -> Identity {
        Identity {
            certificates: Pem::new(&self.certificate),
            key: Secret::new(self.key.clone()),
        }
    }

    fn chain(&self) -> Vec<CertificateDer<'static>> {
        vec![CertificateDer::from_pem_slice(self.certificate.as_bytes()).unwrap()]
    }

    fn private(&self) -> PrivateKeyDer<'static> {
        PrivateKeyDer::from_pem_slice(self.key.as_bytes()).unwrap()
    }
}

impl Authority {
    pub fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        // Authorities are told apart by name, and so these have one each.
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        params
            .distinguished_name
            .push(DnType::CommonName, format!("authority {number}"));
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// The authority itself, to be trusted.
    pub fn pem(&self) -> Pem {
        Pem::new(self.0.pem())
    }

    /// A certificate for a server of this name.
    pub fn server(&self, name: &str) -> Leaf {
        self.sign(name, ExtendedKeyUsagePurpose::ServerAuth, false)
    }

    /// A certificate for a server of this name, which has expired.
    pub fn expired(&self, name: &str) -> Leaf {
        self.sign(name, ExtendedKeyUsagePurpose::ServerAuth, true)
    }

    /// A certificate for a client.
    pub fn client(&self) -> Leaf {
        self.client_named("client.example")
    }

    /// A certificate for a client, with a name as a server has it.
    pub fn client_named(&self, name: &str) -> Leaf {
        self.sign(name, ExtendedKeyUsagePurpose::ClientAuth, false)
    }

    fn sign(&self, name: &str, purpose: ExtendedKeyUsagePurpose, expired: bool) -> Leaf {
        let mut params = CertificateParams::new(vec![name.to_owned()]).unwrap();
        params.extended_key_usages = vec![purpose];
        if expired {
            params.not_before = date_time_ymd(2001, 1, 1);
            params.not_after = date_time_ymd(2002, 1, 1);
        }
        let key = KeyPair::generate().unwrap();
        Leaf {
            certificate: params.signed_by(&key, &self.0).unwrap().pem(),
            key: key.serialize_pem(),
        }
    }

    /// A server's configuration with this certificate.
    pub fn config(&self, leaf: &Leaf) -> ServerConfig {
        builder()
            .with_no_client_auth()
            .with_single_cert(leaf.chain(), leaf.private())
            .unwrap()
    }

    /// The same, for a server that lets in only clients with a certificate of this authority.
    pub fn strict(&self, leaf: &Leaf) -> ServerConfig {
        let mut roots = RootCertStore::empty();
        roots.add(self.0.der().clone()).unwrap();
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
            .build()
            .unwrap();
        builder()
            .with_client_cert_verifier(verifier)
            .with_single_cert(leaf.chain(), leaf.private())
            .unwrap()
    }
}

fn builder()
-> tokio_rustls::rustls::ConfigBuilder<ServerConfig, tokio_rustls::rustls::WantsVerifier> {
    ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
}

/// The key of a leaf in the older form of elliptic curves, which is wrapped by the newer one.
pub fn sec1(leaf: &Leaf) -> String {
    let der = leaf.private().secret_der().to_vec();
    // A sequence of a version, a kind and these bytes as a string; the inner key has its length in
    // one byte.
    let start = der
        .windows(5)
        .position(|window| window[0] == 0x30 && window[2..] == [2, 1, 1])
        .unwrap();
    let inner = &der[start..start + 2 + usize::from(der[start + 1])];
    format!(
        "-----BEGIN EC PRIVATE KEY-----\n{}\n-----END EC PRIVATE KEY-----\n",
        STANDARD.encode(inner)
    )
}
