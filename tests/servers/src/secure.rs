//! A small MCP server behind TLS, with an authority of its own, that may ask for a client
//! certificate.
//!
//! Always true here: nobody trusts this authority who was not told to.

use crate::authority::answer_message;
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, ExtendedKeyUsagePurpose, IsCa,
    KeyPair,
};
use std::error::Error;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::server::WebPkiClientVerifier;
use tokio_rustls::rustls::{RootCertStore, ServerConfig};

type Fallible<T> = Result<T, Box<dyn Error + Send + Sync>>;

/// An authority of our own, and who it vouches for.
pub struct Secure {
    issuer: CertifiedIssuer<'static, KeyPair>,
    heard: Arc<Mutex<usize>>,
    port: u16,
    running: JoinHandle<()>,
}

/// A certificate with its key, both as PEM.
pub struct Leaf {
    /// The certificate.
    pub certificate: String,
    /// Its key.
    pub key: String,
}

/// Whom the server lets in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Clients {
    /// Everybody.
    All,
    /// Who shows a certificate of the same authority.
    WithCertificate,
}

impl Secure {
    /// Starts a server at `https://localhost`.
    pub async fn start(clients: Clients) -> Fallible<Self> {
        let mut params = CertificateParams::new(Vec::new())?;
        params
            .distinguished_name
            .push(DnType::CommonName, "an authority for tests");
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate()?)?;
        let tls = TlsAcceptor::from(Arc::new(config(&issuer, clients)?));
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let (port, heard) = (listener.local_addr()?.port(), Arc::new(Mutex::new(0)));
        let running = tokio::spawn(serve(listener, tls, heard.clone()));
        Ok(Self {
            issuer,
            heard,
            port,
            running,
        })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("https://localhost:{}/mcp", self.port)
    }

    /// The certificate of its authority.
    pub fn authority(&self) -> String {
        self.issuer.pem()
    }

    /// A certificate for a client.
    pub fn client(&self) -> Fallible<Leaf> {
        sign(
            &self.issuer,
            "client.example",
            ExtendedKeyUsagePurpose::ClientAuth,
        )
    }

    /// How many requests have come through.
    pub fn heard(&self) -> usize {
        *self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Secure {
    fn drop(&mut self) {
        self.running.abort();
    }
}

fn sign(
    issuer: &CertifiedIssuer<'static, KeyPair>,
    name: &str,
    purpose: ExtendedKeyUsagePurpose,
) -> Fallible<Leaf> {
    let mut params = CertificateParams::new(vec![name.to_owned()])?;
    params.extended_key_usages = vec![purpose];
    let key = KeyPair::generate()?;
    Ok(Leaf {
        certificate: params.signed_by(&key, issuer)?.pem(),
        key: key.serialize_pem(),
    })
}

fn config(issuer: &CertifiedIssuer<'static, KeyPair>, clients: Clients) -> Fallible<ServerConfig> {
    let leaf = sign(issuer, "localhost", ExtendedKeyUsagePurpose::ServerAuth)?;
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(provider.clone())
        .with_safe_default_protocol_versions()?;
    let builder = match clients {
        Clients::All => builder.with_no_client_auth(),
        Clients::WithCertificate => {
            let mut roots = RootCertStore::empty();
            roots.add(issuer.der().clone())?;
            builder.with_client_cert_verifier(
                WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider).build()?,
            )
        }
    };
    let chain = vec![CertificateDer::from_pem_slice(leaf.certificate.as_bytes())?];
    Ok(builder.with_single_cert(chain, PrivateKeyDer::from_pem_slice(leaf.key.as_bytes())?)?)
}

async fn serve(listener: TcpListener, tls: TlsAcceptor, heard: Arc<Mutex<usize>>) {
    while let Ok((stream, _)) = listener.accept().await {
        let (tls, heard) = (tls.clone(), heard.clone());
        tokio::spawn(async move {
            match tls.accept(stream).into_fallible().await {
                // A client that goes away in the middle is no concern of this server.
                Ok(stream) => drop(speak(BufReader::new(stream), &heard).await),
                // Closing with unread bytes would reset the connection, and the alert that says why
                // would be lost.
                Err((_, mut stream)) => {
                    let _ = stream.shutdown().await;
                    let _ = stream.read_to_end(&mut Vec::new()).await;
                }
            }
        });
    }
}

async fn speak(
    mut stream: BufReader<tokio_rustls::server::TlsStream<tokio::net::TcpStream>>,
    heard: &Mutex<usize>,
) -> std::io::Result<()> {
    loop {
        let (mut post, mut length) = (false, 0);
        loop {
            let mut line = String::new();
            if stream.read_line(&mut line).await? == 0 {
                return Ok(());
            }
            let line = line.trim_end().to_ascii_lowercase();
            match line.split_once(": ") {
                _ if line.is_empty() => break,
                Some(("content-length", value)) => length = value.parse().unwrap_or(0),
                _ => post |= line.starts_with("post "),
            }
        }
        let mut body = vec![0; length];
        stream.read_exact(&mut body).await?;
        *heard.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        let answer = post.then(|| answer_message(&String::from_utf8_lossy(&body), "nothing"));
        let (status, body) = match answer {
            Some(Some(answer)) => ("200 OK", answer.to_string()),
            Some(None) => ("202 Accepted", String::new()),
            None => ("405 Method Not Allowed", String::new()),
        };
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        stream.write_all(text.as_bytes()).await?;
        stream.flush().await?;
    }
}
