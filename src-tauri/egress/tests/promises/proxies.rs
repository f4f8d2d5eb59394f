//! The way through a proxy.

use crate::support::{
    Authority, ConnectProxy, Login, Reply, Scripted, Server, get, secure, serve, settings, text,
    told, url,
};
use egress::{Egress, Proxy, Reach, Settings};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};

/// A server for this name, reachable through the proxy only: by name it is out in the world.
struct World {
    authority: Authority,
    server: Server,
    names: Arc<Scripted>,
}

impl World {
    async fn new() -> Self {
        let authority = Authority::new();
        let server = secure(
            authority.config(&authority.server("server.example")),
            |_| Reply::text("hello"),
        )
        .await;
        Self {
            authority,
            server,
            names: Scripted::knowing("server.example", &["1.1.1.1"])
                .and("typed.example", &["1.1.1.1"]),
        }
    }

    async fn get(&self, proxy: Proxy, reach: Reach) -> String {
        let authorities = vec![self.authority.pem()];
        let egress = match Egress::new(Settings {
            proxy,
            authorities,
            ..settings(&self.names)
        }) {
            Ok(egress) => egress,
            Err(error) => return error.to_string(),
        };
        match get(
            &egress,
            &format!("https://server.example:{}/", self.server.port),
            reach,
        )
        .await
        {
            Ok(answer) => text(answer).await,
            Err(error) => error.to_string(),
        }
    }
}

fn through(port: u16) -> Proxy {
    Proxy::Url(url(&format!("http://127.0.0.1:{port}")))
}

fn variables(given: &[(&str, String)]) -> Proxy {
    Proxy::Variables(
        given
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect(),
    )
}

#[tokio::test]
async fn a_proxy_is_asked_for_the_server_by_name() {
    let world = World::new().await;
    let proxy = ConnectProxy::to(Some(world.server.port), Login::Nothing).await;
    assert_eq!(world.get(through(proxy.port), Reach::Typed).await, "hello");
    assert_eq!(
        world
            .get(
                variables(&[("HTTPS_PROXY", format!("127.0.0.1:{}", proxy.port))]),
                told("https://typed.example")
            )
            .await,
        "hello"
    );
    let line = format!("CONNECT server.example:{} HTTP/1.1", world.server.port);
    assert_eq!(proxy.asked(), [line.clone(), line]);
}

#[tokio::test]
async fn a_proxy_is_told_the_name_and_password_that_stand_in_its_address() {
    let world = World::new().await;
    // me:hunter2
    let proxy = ConnectProxy::to(
        Some(world.server.port),
        Login::Basic("Basic bWU6aHVudGVyMg=="),
    )
    .await;
    let with = |login: &str| Proxy::Url(url(&format!("http://{login}127.0.0.1:{}", proxy.port)));
    assert_eq!(world.get(with("me:hunter2@"), Reach::Typed).await, "hello");
    for login in ["", "me:hunter3@"] {
        assert_eq!(
            world.get(with(login), Reach::Typed).await,
            "the proxy cannot be used: it wants another name and password"
        );
    }
    assert!(
        world
            .server
            .heard()
            .iter()
            .all(|heard| heard.header("proxy-authorization").is_none())
    );
}

#[tokio::test]
async fn a_socks5_proxy_is_given_the_address_that_was_checked_and_a_socks5h_proxy_the_name() {
    let world = World::new().await;
    let port = world.server.port.to_be_bytes();
    for (scheme, wanted) in [
        ("socks5", vec![1, 1, 1, 1, 1]),
        ("socks5h", [&[3, 14], &b"server.example"[..]].concat()),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Proxy::Url(url(&format!(
            "{scheme}://{}",
            listener.local_addr().unwrap()
        )));
        let target = world.server.port;
        let serving = tokio::spawn(async move {
            let (mut stream, _) = listener.accept().await.unwrap();
            let (mut hello, mut asked) = ([0; 3], vec![0; 3 + wanted.len() + 2]);
            stream.read_exact(&mut hello).await.unwrap();
            stream.write_all(&[5, 0]).await.unwrap();
            stream.read_exact(&mut asked).await.unwrap();
            assert_eq!(asked, [&[5, 1, 0], &wanted[..], &port[..]].concat());
            stream
                .write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])
                .await
                .unwrap();
            let mut server = TcpStream::connect(("127.0.0.1", target)).await.unwrap();
            let _ = copy_bidirectional(&mut stream, &mut server).await;
        });
        assert_eq!(world.get(proxy, Reach::Typed).await, "hello");
        serving.await.unwrap();
    }
}

#[tokio::test]
async fn exceptions_and_this_computer_are_reached_directly() {
    let world = World::new().await;
    let proxy = ConnectProxy::to(None, Login::Nothing).await;
    let names =
        Scripted::knowing("server.example", &["127.0.0.1"]).and("here.example", &["127.0.0.1"]);
    let near = World { names, ..world };
    let way = [
        ("HTTPS_PROXY", format!("http://127.0.0.1:{}", proxy.port)),
        ("NO_PROXY", "server.example".to_owned()),
    ];
    assert_eq!(near.get(variables(&way), Reach::Typed).await, "hello");
    // Not an exception, yet the name leads to this computer.
    assert_eq!(near.get(variables(&way[..1]), Reach::Typed).await, "hello");

    let plain = serve(|_| Reply::text("plain")).await;
    let egress = Egress::new(Settings {
        proxy: variables(&way[..1]),
        ..settings(&near.names)
    })
    .unwrap();
    let answer = get(
        &egress,
        &format!("http://localhost:{}/", plain.port),
        Reach::Typed,
    )
    .await
    .unwrap();
    assert_eq!(
        (text(answer).await, proxy.asked().len()),
        ("plain".to_owned(), 0)
    );
}

#[tokio::test]
async fn a_proxy_does_not_help_a_told_address_to_come_nearer() {
    let world = World::new().await;
    let proxy = ConnectProxy::to(Some(world.server.port), Login::Nothing).await;
    for place in [
        "10.0.0.1",
        "127.0.0.1",
        "169.254.169.254",
        "1.1.1.1 10.0.0.1",
    ] {
        let names =
            Scripted::knowing("server.example", &[place]).and("typed.example", &["1.1.1.1"]);
        let egress = Egress::new(Settings {
            proxy: through(proxy.port),
            ..settings(&names)
        })
        .unwrap();
        let error = get(
            &egress,
            "https://server.example/",
            told("https://typed.example"),
        )
        .await
        .unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("server.example is not reached: "),
            "{place}: {error}"
        );
    }
    assert!(proxy.asked().is_empty());
}

#[tokio::test]
async fn a_name_that_only_the_proxy_knows_must_have_been_typed() {
    let world = World {
        names: Scripted::knowing("typed.example", &["1.1.1.1"]),
        ..World::new().await
    };
    let proxy = ConnectProxy::to(Some(world.server.port), Login::Nothing).await;
    let unknown = "cannot be reached: nobody knows the address of this name";
    assert_eq!(
        world
            .get(through(proxy.port), told("https://typed.example"))
            .await,
        unknown
    );
    assert!(proxy.asked().is_empty());
    assert_eq!(world.get(through(proxy.port), Reach::Typed).await, "hello");
}

#[tokio::test]
async fn a_proxy_that_fails_is_said_to_have_failed_and_is_not_gone_around() {
    let world = World::new().await;
    let refusing = ConnectProxy::to(None, Login::Nothing).await;
    let gone = {
        TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap()
            .port()
    };
    for (proxy, words) in [
        (through(refusing.port), "it refused to connect there"),
        (through(gone), "nothing answers at this address"),
        (
            Proxy::Url(url("http://me:hunter2@unknown.example:3128")),
            "nobody knows its address",
        ),
        (
            Proxy::Url(url("ftp://me:hunter2@127.0.0.1")),
            "its address begins with http:, https: or socks5:",
        ),
        (
            variables(&[("ALL_PROXY", "http://me:hunter2@[".to_owned())]),
            "its address cannot be read",
        ),
    ] {
        assert_eq!(
            world.get(proxy, Reach::Typed).await,
            format!("the proxy cannot be used: {words}")
        );
    }
    assert!(world.server.heard().is_empty());
}
