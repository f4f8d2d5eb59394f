//! Which addresses are reached at all, and what a name server can do about it: nothing.

#[cfg(target_os = "linux")]
use crate::support::{Authority, secure};
use crate::support::{
    ConnectProxy, Login, Reply, Scripted, direct, get, plain, serve, settings, text, told, url,
};
use egress::{Egress, EgressError, Proxy, Reach, Request, Settings};
use tokio::net::{TcpListener, TcpStream};

const PUBLIC: &str = "1.1.1.1";
const SERVER: &str = "https://server.example/mcp";

/// The first to connect is this test itself, so nobody was there before.
async fn nobody_came(listener: &TcpListener) {
    let own = TcpStream::connect(listener.local_addr().unwrap())
        .await
        .unwrap();
    let (_, first) = listener.accept().await.unwrap();
    assert_eq!(first, own.local_addr().unwrap());
}

#[tokio::test]
async fn case_21_a_told_address_on_this_machine_is_refused_before_anything_connects() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let names = Scripted::knowing("server.example", &[PUBLIC])
        .and("own.example", &["127.0.0.1"])
        .and("both.example", &["1.1.1.1 127.0.0.1"])
        .and("mapped.example", &["::ffff:127.0.0.1"]);
    let egress = direct(&names);
    for host in [
        "127.0.0.1",
        "0x7f.1",
        "0177.0.0.1",
        "2130706433",
        "127.1",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "0.0.0.0",
        "[::]",
        "localhost",
        "LOCALHOST.",
        "a.localhost",
        "own.example",
        "both.example",
        "mapped.example",
    ] {
        for scheme in ["https", "http"] {
            let error = get(&egress, &format!("{scheme}://{host}:{port}/"), told(SERVER))
                .await
                .unwrap_err();
            let refused = matches!(
                error,
                EgressError::Forbidden { .. } | EgressError::BadUrl { .. }
            );
            assert!(refused, "{scheme} {host}: {error}");
        }
    }
    nobody_came(&listener).await;
}

#[tokio::test]
async fn case_21_a_told_address_in_no_public_place_is_refused() {
    let egress = direct(&Scripted::knowing("server.example", &[PUBLIC]));
    for host in [
        "169.254.169.254",
        "[::ffff:169.254.169.254]",
        "[fd00:ec2::254]",
        "169.254.1.1",
        "[fe80::1]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.1.1",
        "100.64.0.1",
        "198.18.0.1",
        "198.19.255.255",
        "224.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "[fc00::1]",
        "[ff02::1]",
        "[2001:db8::1]",
        "[2002:0a00:0001::]",
        "[2001:0:101:101::80ff:fffe]",
        "[64:ff9b:1::10.0.0.1]",
    ] {
        let error = get(&egress, &format!("https://{host}/"), told(SERVER))
            .await
            .unwrap_err();
        assert!(
            matches!(error, EgressError::Forbidden { .. }),
            "{host}: {error}"
        );
    }
}

#[tokio::test]
async fn a_server_on_this_computer_may_name_this_computer() {
    let server = serve(|_| Reply::text("hello")).await;
    let typed = format!("http://localhost:{}/mcp", server.port);
    let answer = get(
        &plain(),
        &format!("http://127.0.0.1:{}/metadata", server.port),
        told(&typed),
    )
    .await
    .unwrap();
    assert_eq!(text(answer).await, "hello");
}

#[tokio::test]
async fn a_server_on_this_computer_may_not_name_what_is_no_computer() {
    for host in [
        "169.254.169.254",
        "0.0.0.0",
        "[fe80::1]",
        "[ff02::1]",
        "198.18.0.1",
    ] {
        let error = get(
            &plain(),
            &format!("https://{host}/"),
            told("http://localhost:1/mcp"),
        )
        .await
        .unwrap_err();
        assert!(
            matches!(error, EgressError::Forbidden { .. }),
            "{host}: {error}"
        );
    }
}

#[tokio::test]
async fn case_22_a_name_that_moves_here_after_the_server_was_reached_is_refused() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    // Out in the world for the first two questions, here from then on; and the typed server goes
    // along.
    let names = Scripted::knowing("moves.example", &[PUBLIC, PUBLIC, "127.0.0.1"]);
    let proxy = ConnectProxy::to(None, Login::Nothing).await;
    let way = Proxy::Url(url(&format!("http://127.0.0.1:{}", proxy.port)));
    let egress = Egress::new(Settings {
        proxy: way,
        ..settings(&names)
    })
    .unwrap();
    let server = format!("https://moves.example:{port}/");

    let first = get(&egress, &server, Reach::Typed).await.unwrap_err();
    assert!(matches!(first, EgressError::ProxyFailed { .. }), "{first}");
    let second = get(&egress, &server, told(&server)).await.unwrap_err();
    // The told address is still public, the typed one has moved: it stays as far away as it was.
    assert!(
        matches!(second, EgressError::ProxyFailed { .. }),
        "{second}"
    );
    let third = get(&egress, &server, told(&server)).await.unwrap_err();
    assert!(matches!(third, EgressError::Forbidden { .. }), "{third}");
    nobody_came(&listener).await;
}

#[cfg(target_os = "linux")] // Elsewhere 127.0.0.2 is not an address of this computer.
#[tokio::test]
async fn case_22_every_request_goes_to_the_address_that_was_checked_for_it() {
    let authority = Authority::new();
    let server = secure(authority.config(&authority.server("moves.example")), |_| {
        Reply::text("the first")
    })
    .await;
    let names = Scripted::knowing("moves.example", &["127.0.0.1", "127.0.0.2"]);
    let egress = Egress::new(Settings {
        authorities: vec![authority.pem()],
        ..settings(&names)
    })
    .unwrap();
    let address = format!("https://moves.example:{}/", server.port);

    assert_eq!(
        text(get(&egress, &address, Reach::Typed).await.unwrap()).await,
        "the first"
    );
    assert_eq!(names.asked("moves.example"), 1);
    // The name has moved to where nobody answers: the open connection to the old place is not used
    // for it.
    let moved = get(&egress, &address, Reach::Typed).await.unwrap_err();
    assert!(matches!(moved, EgressError::Unreachable { .. }), "{moved}");
    assert_eq!((names.asked("moves.example"), server.heard().len()), (2, 1));
}

#[tokio::test]
async fn localhost_is_this_computer_whatever_a_name_server_says() {
    let server = serve(|_| Reply::text("hello")).await;
    let names = Scripted::knowing("localhost", &[PUBLIC]).and("a.localhost", &[PUBLIC]);
    let egress = direct(&names);
    for host in ["localhost", "a.localhost"] {
        assert_eq!(
            text(
                get(
                    &egress,
                    &format!("http://{host}:{}/", server.port),
                    Reach::Typed
                )
                .await
                .unwrap()
            )
            .await,
            "hello"
        );
        assert_eq!(names.asked(host), 0);
    }
}

#[tokio::test]
async fn an_address_is_https_or_here_and_holds_no_password() {
    let names = Scripted::knowing("server.example", &["127.0.0.1"]);
    let egress = direct(&names);
    for bad in [
        "http://server.example/",
        "http://10.0.0.1/",
        "http://[64:ff9b::7f00:1]/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:,x",
        "https://me:hunter2@server.example/",
        "https://me@server.example/",
        "https://127.0.0.1:0/",
    ] {
        let error = get(&egress, bad, Reach::Typed).await.unwrap_err();
        assert!(
            matches!(error, EgressError::BadUrl { .. }) && !error.to_string().contains("hunter2"),
            "{bad}: {error}"
        );
    }
    assert_eq!(names.asked("server.example"), 0);
}

#[tokio::test]
async fn case_29_an_address_that_is_none_is_refused_even_when_it_was_typed() {
    let egress = direct(&Scripted::knowing("nowhere.example", &["0.0.0.0"]));
    for host in [
        "0.0.0.0",
        "[::]",
        "nowhere.example",
        "224.0.0.1",
        "169.254.169.254",
    ] {
        let error = get(&egress, &format!("https://{host}/"), Reach::Typed)
            .await
            .unwrap_err();
        assert!(
            matches!(error, EgressError::Forbidden { .. }),
            "{host}: {error}"
        );
    }
}

#[tokio::test]
async fn case_27_the_headers_of_the_connection_are_not_the_callers() {
    let server = serve(|_| Reply::text("hello")).await;
    for name in [
        "Host",
        "Content-Length",
        "Transfer-Encoding",
        "Connection",
        "Upgrade",
        "Proxy-Authorization",
    ] {
        let mut request = Request::get(
            url(&format!("http://127.0.0.1:{}/", server.port)),
            Reach::Typed,
        );
        request.headers.insert(
            egress::HeaderName::try_from(name).unwrap(),
            egress::HeaderValue::from_static("hunter2"),
        );
        let error = plain().send(request).await.unwrap_err();
        assert!(
            matches!(error, EgressError::BadHeader { .. })
                && !error.to_string().contains("hunter2"),
            "{error}"
        );
    }
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn a_name_that_nobody_knows_is_said_to_be_unknown() {
    let error = get(
        &plain(),
        "https://unknown.example/secret?token=hunter2",
        Reach::Typed,
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot be reached: nobody knows the address of this name"
    );
}

#[tokio::test]
async fn nothing_is_sent_that_nobody_asked_for() {
    let server = serve(|_| {
        Reply::Whole("HTTP/1.1 200 OK\r\nset-cookie: a=b\r\ncontent-length: 0\r\n\r\n".to_owned())
    })
    .await;
    let egress = plain();
    for _ in 0..2 {
        text(
            get(
                &egress,
                &format!("http://127.0.0.1:{}/", server.port),
                Reach::Typed,
            )
            .await
            .unwrap(),
        )
        .await;
    }
    for heard in server.heard() {
        let mut names: Vec<_> = heard
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "))
            .map(|(name, _)| name.to_owned())
            .collect();
        names.sort();
        assert_eq!(names, ["accept", "host", "user-agent"]);
    }
}
