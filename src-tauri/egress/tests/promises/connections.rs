//! Connections on which somebody else speaks: to hosts that are listed for a confined server.

use crate::support::{Authority, Scripted, settings, url};
use egress::{Egress, EgressError, Proxy, Reach, Settings, Stream};
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

/// What the other side says before anything was said to it.
const GREETING: &[u8] = b"220 it speaks first\r\n";

fn listed(addresses: &[&str]) -> Reach {
    let addresses = addresses.iter().map(|address| address.parse().unwrap());
    Reach::Listed {
        addresses: addresses.collect(),
    }
}

/// A name that leads out into the world, and one that leads here.
fn names() -> Arc<Scripted> {
    Scripted::knowing("mail.example", &["1.1.1.1"]).and("here.example", &["127.0.0.1"])
}

fn through(proxy: String, settings: Settings) -> Egress {
    Egress::new(Settings {
        proxy: Proxy::Url(url(&proxy)),
        ..settings
    })
    .unwrap()
}

async fn greeting(stream: Result<Stream, EgressError>) -> Vec<u8> {
    let mut heard = vec![0; GREETING.len()];
    stream.unwrap().read_exact(&mut heard).await.unwrap();
    heard
}

/// Reads this, says that, as often as there is something, and greets in the same breath.
async fn talk(mut stream: impl AsyncRead + AsyncWrite + Unpin, steps: Vec<(Vec<u8>, Vec<u8>)>) {
    for (at, (wanted, mut answer)) in steps.iter().cloned().enumerate() {
        let mut heard = vec![0; wanted.len()];
        stream.read_exact(&mut heard).await.unwrap();
        assert_eq!(
            String::from_utf8_lossy(&heard),
            String::from_utf8_lossy(&wanted)
        );
        if at + 1 == steps.len() {
            answer.extend_from_slice(GREETING);
        }
        stream.write_all(&answer).await.unwrap();
    }
}

async fn proxy(tls: Option<TlsAcceptor>, steps: Vec<(Vec<u8>, Vec<u8>)>) -> (u16, JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let running = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.unwrap();
        match tls {
            Some(tls) => talk(tls.accept(stream).await.unwrap(), steps).await,
            None => talk(stream, steps).await,
        }
    });
    (port, running)
}

fn asked(login: &str) -> Vec<(Vec<u8>, Vec<u8>)> {
    let head = format!("CONNECT mail.example:25 HTTP/1.1\r\nHost: mail.example:25\r\n{login}\r\n");
    vec![(head.into_bytes(), b"HTTP/1.1 200 Go\r\n\r\n".to_vec())]
}

#[tokio::test]
async fn a_listed_host_is_reached_directly_and_may_speak_first() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            stream.write_all(GREETING).await.unwrap();
        }
    });
    let egress = Egress::new(settings(&names())).unwrap();
    for (host, addresses) in [
        ("here.example", &["127.0.0.1"][..]),
        ("127.0.0.1", &["127.0.0.1"]),
        ("localhost", &[]),
    ] {
        let stream = egress.connect(host, port, &listed(addresses)).await;
        assert_eq!(greeting(stream).await, GREETING, "{host}");
    }
    let refused = egress.connect("here.example", port, &listed(&[])).await;
    assert!(matches!(refused, Err(EgressError::Forbidden { .. })));
}

#[tokio::test]
async fn a_proxy_is_asked_for_the_host_and_no_byte_behind_its_yes_is_lost() {
    // me:hunter2
    let login = "Proxy-Authorization: Basic bWU6aHVudGVyMg==\r\n";
    for (user, login) in [("", ""), ("me:hunter2@", login)] {
        let (port, running) = proxy(None, asked(login)).await;
        let egress = through(format!("http://{user}127.0.0.1:{port}"), settings(&names()));
        let stream = egress.connect("mail.example", 25, &listed(&[])).await;
        assert_eq!(greeting(stream).await, GREETING);
        running.await.unwrap();
    }
}

#[tokio::test]
async fn a_proxy_may_be_reached_by_a_secure_connection() {
    let authority = Authority::new();
    let config = authority.config(&authority.server("localhost"));
    let tls = TlsAcceptor::from(Arc::new(config));
    let (port, running) = proxy(Some(tls), asked("")).await;
    let trusting = Settings {
        authorities: vec![authority.pem()],
        ..settings(&names())
    };
    let egress = through(format!("https://localhost:{port}"), trusting);
    let stream = egress.connect("mail.example", 25, &listed(&[])).await;
    assert_eq!(greeting(stream).await, GREETING);
    running.await.unwrap();
}

#[tokio::test]
async fn a_socks_proxy_is_given_what_it_asks_for() {
    let yes = vec![5, 0, 0, 1, 127, 0, 0, 1, 0, 0];
    let address = [&[5, 1, 0, 1][..], &[1, 1, 1, 1], &[0, 25]].concat();
    let name = [&[5, 1, 0, 3, 12][..], b"mail.example", &[0, 25]].concat();
    let login = [&[1, 2][..], b"me", &[7], b"hunter2"].concat();
    for (scheme, user, steps) in [
        (
            "socks5",
            "",
            vec![(vec![5, 1, 0], vec![5, 0]), (address, yes.clone())],
        ),
        (
            "socks5h",
            "me:hunter2@",
            vec![
                (vec![5, 1, 2], vec![5, 2]),
                (login, vec![1, 0]),
                (name, yes),
            ],
        ),
        (
            "socks4",
            "",
            vec![(
                vec![4, 1, 0, 25, 1, 1, 1, 1, 0],
                vec![0, 90, 0, 0, 0, 0, 0, 0],
            )],
        ),
    ] {
        let (port, running) = proxy(None, steps).await;
        let egress = through(
            format!("{scheme}://{user}127.0.0.1:{port}"),
            settings(&names()),
        );
        let stream = egress.connect("mail.example", 25, &listed(&[])).await;
        assert_eq!(greeting(stream).await, GREETING, "{scheme}");
        running.await.unwrap();
    }
}

#[tokio::test]
async fn a_proxy_that_refuses_is_said_to_have_refused() {
    let steps = vec![(b"CONNECT ".to_vec(), b"HTTP/1.1 403 No\r\n\r\n".to_vec())];
    let (port, _running) = proxy(None, steps).await;
    let egress = through(format!("http://127.0.0.1:{port}"), settings(&names()));
    let refused = egress.connect("mail.example", 25, &listed(&[])).await;
    assert_eq!(
        refused.err().map(|error| error.to_string()).as_deref(),
        Some("the proxy cannot be used: it refused to connect there")
    );
    let nobody = Egress::new(settings(&names())).unwrap();
    let nobody = nobody.connect("localhost", 1, &listed(&[])).await;
    assert_eq!(
        nobody.err().map(|error| error.to_string()).as_deref(),
        Some("cannot be reached: nothing answers at this address")
    );
}

#[tokio::test]
async fn what_may_not_leave_is_not_even_looked_up() {
    let names = names();
    let egress = Egress::new(Settings {
        consent: Some(Arc::new(|to| Err(format!("not to {to}")))),
        ..settings(&names)
    });
    let refused = egress
        .unwrap()
        .connect("mail.example", 25, &listed(&[]))
        .await;
    assert_eq!(
        refused.err().map(|error| error.to_string()).as_deref(),
        Some("mail.example is not reached: not to https://mail.example:25/")
    );
    assert_eq!(names.asked("mail.example"), 0);
}
