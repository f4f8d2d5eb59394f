//! Whom we trust, and to whom we show who we are.

use crate::support::{Authority, Leaf, Reply, Scripted, Server, get, secure, settings, text, told};
use egress::{Egress, EgressError, Identity, Pem, Reach, Settings};
use protocol::Secret;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::rustls::ServerConfig;

async fn hello(config: ServerConfig) -> Server {
    secure(config, |_| Reply::text("hello")).await
}

fn names() -> std::sync::Arc<Scripted> {
    Scripted::knowing("server.example", &["127.0.0.1"]).and("other.example", &["127.0.0.1"])
}

fn trusting(authority: &Authority, identity: Option<Identity>) -> Egress {
    Egress::new(Settings {
        authorities: vec![authority.pem()],
        identity,
        ..settings(&names())
    })
    .unwrap()
}

/// What comes of asking a server for this name.
async fn asked(egress: &Egress, server: &Server, reach: Reach) -> String {
    match get(
        egress,
        &format!("https://server.example:{}/", server.port),
        reach,
    )
    .await
    {
        Ok(answer) => text(answer).await,
        Err(error) => error.to_string(),
    }
}

fn unusable(authority: Option<String>, identity: Option<Identity>) -> EgressError {
    let authorities = authority.into_iter().map(Pem::new).collect();
    Egress::new(Settings {
        authorities,
        identity,
        ..settings(&names())
    })
    .err()
    .unwrap()
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_when_it_was_given() {
    let authority = Authority::new();
    let server = hello(authority.config(&authority.server("server.example"))).await;
    assert_eq!(
        asked(&trusting(&authority, None), &server, Reach::Typed).await,
        "hello"
    );
}

#[tokio::test]
async fn a_certificate_that_is_not_right_is_refused_in_plain_words() {
    let (ours, theirs) = (Authority::new(), Authority::new());
    let egress = trusting(&ours, None);
    for (config, words) in [
        (
            theirs.config(&theirs.server("server.example")),
            "the server's certificate is from an authority that this computer does not trust",
        ),
        (
            ours.config(&ours.server("other.example")),
            "the server's certificate is for another name",
        ),
        (
            ours.config(&ours.expired("server.example")),
            "the server's certificate has expired",
        ),
        (
            ours.config(&ours.client_named("server.example")),
            "the server's certificate was not accepted",
        ),
    ] {
        let server = hello(config).await;
        assert_eq!(
            asked(&egress, &server, Reach::Typed).await,
            format!("no secure connection: {words}")
        );
        assert!(server.heard().is_empty());
    }
}

#[tokio::test]
async fn a_server_that_speaks_no_tls_is_said_not_to() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        stream
            .write_all(b"HTTP/1.1 400 What\r\ncontent-length: 0\r\n\r\n")
            .await
            .unwrap();
        let _ = stream.read_to_end(&mut Vec::new()).await;
    });
    let error = get(
        &trusting(&Authority::new(), None),
        &format!("https://server.example:{port}/"),
        Reach::Typed,
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "no secure connection: it does not speak TLS"
    );
    serving.await.unwrap();
}

#[tokio::test]
async fn a_client_certificate_opens_the_server_that_wants_one() {
    let authority = Authority::new();
    let server = hello(authority.strict(&authority.server("server.example"))).await;
    let egress = trusting(&authority, Some(authority.client().identity()));
    assert_eq!(asked(&egress, &server, Reach::Typed).await, "hello");
}

#[tokio::test]
async fn without_a_client_certificate_the_server_that_wants_one_says_so() {
    let authority = Authority::new();
    let server = hello(authority.strict(&authority.server("server.example"))).await;
    let words = asked(&trusting(&authority, None), &server, Reach::Typed).await;
    assert_eq!(
        words,
        "no secure connection: the server wants a client certificate"
    );
}

#[tokio::test]
async fn a_client_certificate_of_an_authority_that_the_server_does_not_know_does_not_open_it() {
    let authority = Authority::new();
    let server = hello(authority.strict(&authority.server("server.example"))).await;
    let egress = trusting(&authority, Some(Authority::new().client().identity()));
    let words = asked(&egress, &server, Reach::Typed).await;
    assert_eq!(
        words,
        "no secure connection: the server does not accept our client certificate"
    );
}

#[tokio::test]
async fn case_27_a_client_certificate_is_not_shown_to_a_server_that_was_only_named() {
    let authority = Authority::new();
    let server = hello(authority.strict(&authority.server("server.example"))).await;
    let egress = trusting(&authority, Some(authority.client().identity()));
    let elsewhere = asked(&egress, &server, told("https://other.example/")).await;
    assert_eq!(
        elsewhere,
        "no secure connection: the server wants a client certificate"
    );
    // An open connection that was made with the certificate is not lent to a request that may not
    // show it.
    assert_eq!(
        asked(
            &egress,
            &server,
            told(&format!("https://server.example:{}/mcp", server.port))
        )
        .await,
        "hello"
    );
    assert_eq!(
        asked(&egress, &server, told("https://other.example/")).await,
        elsewhere
    );
}

#[tokio::test]
async fn an_authority_that_cannot_be_used_is_said_to_be_unusable_and_how() {
    let leaf = Authority::new().client();
    let half = leaf.certificate.replace("-----END CERTIFICATE-----", "");
    for (pem, words) in [
        (
            String::new(),
            "there is no certificate in it; one begins with -----BEGIN CERTIFICATE-----",
        ),
        (
            "C:\\ca.pem".to_owned(),
            "there is no certificate in it; one begins with -----BEGIN CERTIFICATE-----",
        ),
        (half, "it breaks off before its -----END line"),
        (
            leaf.certificate.replace("MII", "M!!"),
            "what stands between its -----BEGIN and -----END lines is damaged",
        ),
        (
            "-----BEGIN CERTIFICATE-----\naGVsbG8=\n-----END CERTIFICATE-----\n".to_owned(),
            "it holds something that is not a certificate",
        ),
        (
            leaf.key.clone(),
            "there is a private key where only certificates belong",
        ),
    ] {
        assert_eq!(
            unusable(Some(pem), None),
            EgressError::BadAuthority {
                problem: words.to_owned()
            }
        );
    }
}

#[tokio::test]
async fn an_identity_that_cannot_be_used_is_said_to_be_unusable_and_how() {
    let authority = Authority::new();
    let (leaf, other) = (authority.client(), authority.client());
    let locked = leaf.key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    let rubbish = "-----BEGIN PRIVATE KEY-----\naGVsbG8=\n-----END PRIVATE KEY-----\n";
    let identity = |certificate: &str, key: &str| Identity {
        certificates: Pem::new(certificate),
        key: Secret::new(key.to_owned()),
    };
    for (identity, words) in [
        (
            identity("", &leaf.key),
            "there is no certificate in it; one begins with -----BEGIN CERTIFICATE-----",
        ),
        (
            identity(&leaf.certificate, ""),
            "there is no private key in it; one begins with -----BEGIN PRIVATE KEY-----",
        ),
        (
            identity(&leaf.certificate, &leaf.certificate),
            "there is no private key in it; one begins with -----BEGIN PRIVATE KEY-----",
        ),
        (
            identity(&leaf.certificate, &locked),
            "the key is locked with a passphrase; give it unlocked",
        ),
        (
            identity(&leaf.certificate, &(leaf.key.clone() + &other.key)),
            "there is more than one private key in it",
        ),
        (
            identity(&leaf.certificate, rubbish),
            "this kind of key is not known",
        ),
        (
            identity(&leaf.certificate, &other.key),
            "the key belongs to another certificate",
        ),
    ] {
        assert_eq!(
            unusable(None, Some(identity)),
            EgressError::BadIdentity {
                problem: words.to_owned()
            }
        );
    }
}

#[tokio::test]
async fn a_key_in_the_older_form_of_elliptic_curves_is_read_too() {
    let authority = Authority::new();
    let leaf = authority.client();
    let older = Leaf {
        key: crate::support::sec1(&leaf),
        ..leaf
    };
    let server = hello(authority.strict(&authority.server("server.example"))).await;
    assert_eq!(
        asked(
            &trusting(&authority, Some(older.identity())),
            &server,
            Reach::Typed
        )
        .await,
        "hello"
    );
}
