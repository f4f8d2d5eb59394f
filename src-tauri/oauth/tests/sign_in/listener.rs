//! The door that the browser comes back to.

use crate::support::{door, page, url, world};
use egress::{Reach, Request};
use oauth::{Attempt, Listener, OAuthError, Port};
use std::{net::Ipv4Addr, time::Duration};
use test_servers::authority::{Back, Place};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

const LONG: Duration = Duration::from_secs(60);

#[tokio::test]
async fn the_browser_comes_back_to_a_small_page_without_anything_of_the_server() {
    for (back, sentence) in [
        (Back::Right, "You are signed in."),
        (
            Back::Error("access_denied".into(), "<script>x</script>".into()),
            "It did not work.",
        ),
    ] {
        let mut world = world(|script| script.back = back).await;
        let listener = door().await;
        let discovery = world.discover().await.unwrap();
        let client = world.register_as(&discovery, |_| {}).await.unwrap();
        let attempt = Attempt::begin(&discovery, &client, listener.redirect(), vec![]).unwrap();
        let to = world.browse(attempt.url()).await;
        let visit = async {
            let answer = world
                .egress
                .send(Request::get(to, Reach::Typed))
                .await
                .unwrap();
            let policy = answer.headers["content-security-policy"]
                .to_str()
                .unwrap()
                .to_owned();
            assert!(policy.starts_with("default-src 'none'"));
            assert_eq!(answer.headers["cache-control"], "no-store");
            String::from_utf8(answer.bytes(10_000).await.unwrap().to_vec()).unwrap()
        };
        let (answer, html) = tokio::join!(listener.wait(&attempt, page(), LONG), visit);
        assert_eq!(answer.is_ok(), sentence == "You are signed in.");
        assert!(
            html.contains(sentence)
                && html.contains("lang=\"en\"")
                && html.contains("Majordomo &lt;&amp;&gt;")
        );
        assert!(!html.contains("script") && !html.contains("access_denied"));
    }
}

#[tokio::test]
async fn a_request_to_another_name_than_the_doors_is_turned_away() {
    let mut world = world(|_| {}).await;
    let listener = door().await;
    let discovery = world.discover().await.unwrap();
    let client = world.register_as(&discovery, |_| {}).await.unwrap();
    let attempt = Attempt::begin(&discovery, &client, listener.redirect(), vec![]).unwrap();
    let to = world.browse(attempt.url()).await;
    let port = to.port().unwrap();
    let visits = async {
        let path = &to[url::Position::BeforePath..];
        for (method, host) in [
            ("GET", "evil.example".to_owned()),
            ("GET", format!("evil.example:{port}")),
            ("GET", format!("localhost:{port}")),
            ("GET", "127.0.0.1".to_owned()),
            ("POST", format!("127.0.0.1:{port}")),
        ] {
            let head = raw(
                port,
                &format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n"),
            )
            .await;
            assert!(head.starts_with("HTTP/1.1 404"), "{method} {host}: {head}");
        }
        raw(port, "nonsense\r\n\r\n").await;
        let head = raw(
            port,
            &format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"),
        )
        .await;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
    };
    let (answer, ()) = tokio::join!(listener.wait(&attempt, page(), LONG), visits);
    answer.unwrap();
}

async fn raw(port: u16, request: &str) -> String {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))
        .await
        .unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[tokio::test]
async fn the_door_closes_when_someone_came_when_nobody_comes_and_when_nobody_waits_any_more() {
    let mut world = world(|_| {}).await;
    let attempt = world.attempt().await.unwrap();
    let listener = door().await;
    let port = listener.redirect().port().unwrap();
    let error = listener
        .wait(&attempt, page(), Duration::ZERO)
        .await
        .unwrap_err();
    assert!(matches!(error, OAuthError::TimedOut { .. }));
    free(port).await;

    let listener = door().await;
    let port = listener.redirect().port().unwrap();
    {
        let waiting = listener.wait(&attempt, page(), LONG);
        tokio::pin!(waiting);
        assert!(futures_poll_once(&mut waiting).await);
    }
    free(port).await;
    assert_eq!(world.seen(Place::Authority, "/token"), 0);
}

/// Whether a future is still waiting after it was looked at once.
async fn futures_poll_once<F: Future>(future: &mut std::pin::Pin<&mut F>) -> bool {
    std::future::poll_fn(|context| {
        std::task::Poll::Ready(future.as_mut().poll(context).is_pending())
    })
    .await
}

/// Waits until the port can be had again; the test's own time limit ends a wait that is in vain.
async fn free(port: u16) {
    while TcpListener::bind((Ipv4Addr::LOCALHOST, port))
        .await
        .is_err()
    {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_port_that_was_wished_for_is_taken_if_it_is_free() {
    let first = door().await;
    let taken = first.redirect().port().unwrap();
    assert!(matches!(
        Listener::open(Port::Only(taken), "/callback").await,
        Err(OAuthError::NoListener { .. })
    ));
    let other = Listener::open(Port::Rather(taken), "/callback")
        .await
        .unwrap();
    assert_ne!(other.redirect().port().unwrap(), taken);
    drop(first);
    let again = Listener::open(Port::Rather(taken), "/x y").await.unwrap();
    assert_eq!(
        again.redirect(),
        &url(&format!("http://127.0.0.1:{taken}/x%20y"))
    );
}
