//! Answers that point elsewhere.

use crate::support::{Reply, Server, plain, serve, told, url};
use egress::{EgressError, HeaderValue, Method, Reach, Redirects, Request, Response, header};

/// A server whose `/from` points to this address, and which answers all else with what it heard.
async fn pointing(status: u16, to: impl Into<String>) -> Server {
    let to = to.into();
    serve(move |heard| match heard.line() {
        line if line.ends_with("/from") => Reply::redirect(status, &to),
        line => Reply::text(&format!("{line} {}", heard.body)),
    })
    .await
}

async fn ask(
    server: &Server,
    method: Method,
    redirects: Redirects,
) -> Result<Response, EgressError> {
    let address = url(&format!("http://127.0.0.1:{}/from", server.port));
    let mut request = Request {
        method,
        redirects,
        ..Request::get(address, Reach::Typed)
    };
    request.headers.insert(
        header::AUTHORIZATION,
        HeaderValue::from_static("Bearer hunter2"),
    );
    request
        .headers
        .insert("x-key", HeaderValue::from_static("hunter2"));
    if request.method == Method::POST {
        request.body = Some("secret".into());
    }
    plain().send(request).await
}

const FOLLOW: Redirects = Redirects::SameOrigin { hops: 3 };

#[tokio::test]
async fn a_redirect_is_an_answer_like_any_other_unless_it_is_to_be_followed() {
    let server = pointing(307, "/to").await;
    let answer = ask(&server, Method::GET, Redirects::None).await.unwrap();
    assert_eq!(
        (
            answer.status.as_u16(),
            answer.headers["location"].to_str().unwrap()
        ),
        (307, "/to")
    );
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn case_20_a_redirect_of_the_token_endpoint_to_an_inner_host_is_not_sent_the_secret() {
    let inner = serve(|_| Reply::text("inner")).await;
    let inside = format!("http://127.0.0.1:{}/", inner.port);
    for (redirects, status) in [
        (Redirects::None, 307),
        (FOLLOW, 307),
        (FOLLOW, 308),
        (FOLLOW, 302),
        (FOLLOW, 303),
    ] {
        let server = pointing(status, inside.clone()).await;
        match ask(&server, Method::POST, redirects).await {
            Ok(answer) => assert_eq!(
                (redirects, answer.status.as_u16()),
                (Redirects::None, status)
            ),
            Err(error) => assert_eq!(
                error,
                EgressError::Redirected {
                    to_origin: inside.trim_end_matches('/').to_owned()
                }
            ),
        }
    }
    assert!(inner.heard().is_empty());
}

#[tokio::test]
async fn case_25_a_redirect_to_another_origin_carries_nothing_there() {
    let other = serve(|_| Reply::text("other")).await;
    for to in [
        format!("http://127.0.0.1:{}/", other.port),
        format!("//127.0.0.1:{}/", other.port),
        format!("http://localhost:{}/", other.port),
    ] {
        for status in [301, 302, 303, 307, 308] {
            let error = ask(&pointing(status, to.clone()).await, Method::GET, FOLLOW)
                .await
                .unwrap_err();
            assert!(
                matches!(error, EgressError::Redirected { .. }),
                "{status} {to}: {error}"
            );
        }
    }
    assert!(other.heard().is_empty());
}

#[tokio::test]
async fn case_27_another_host_port_or_scheme_is_another_origin() {
    let server = serve(|_| Reply::text("")).await;
    let port = server.port;
    for to in [
        format!("https://127.0.0.1:{port}/"),
        format!("http://localhost:{port}/"),
        "http://127.0.0.1/".into(),
        "file:///etc/passwd".into(),
    ] {
        let error = ask(&pointing(307, to.clone()).await, Method::GET, FOLLOW)
            .await
            .unwrap_err();
        assert!(
            matches!(error, EgressError::Redirected { .. }),
            "{to}: {error}"
        );
    }
}

#[tokio::test]
async fn at_the_same_origin_method_body_and_headers_stay() {
    for status in [307, 308] {
        let server = pointing(status, "/to").await;
        let answer = ask(&server, Method::POST, FOLLOW).await.unwrap();
        assert_eq!(answer.url.path(), "/to");
        assert_eq!(crate::support::text(answer).await, "POST /to secret");
        let heard = server.heard();
        assert_eq!(
            (heard[1].header("authorization"), heard[1].header("x-key")),
            (Some("Bearer hunter2"), Some("hunter2"))
        );
    }
}

#[tokio::test]
async fn a_redirect_that_would_turn_a_post_into_a_get_is_not_followed() {
    for status in [301, 302, 303] {
        let server = pointing(status, "/to").await;
        assert!(matches!(
            ask(&server, Method::POST, FOLLOW).await.unwrap_err(),
            EgressError::Redirected { .. }
        ));
        assert_eq!(server.heard().len(), 1);
        assert_eq!(
            ask(&server, Method::GET, FOLLOW).await.unwrap().url.path(),
            "/to"
        );
        assert_eq!(
            ask(&server, Method::HEAD, FOLLOW).await.unwrap().url.path(),
            "/to"
        );
    }
}

#[tokio::test]
async fn a_circle_ends_after_the_hops_that_were_allowed() {
    let server = pointing(302, "/from").await;
    let error = ask(&server, Method::GET, FOLLOW).await.unwrap_err();
    assert_eq!(
        (error, server.heard().len()),
        (EgressError::TooManyRedirects { hops: 3 }, 4)
    );
}

#[tokio::test]
async fn a_redirect_to_nowhere_or_with_a_password_in_it_is_refused() {
    let missing =
        serve(|_| Reply::Whole("HTTP/1.1 302 Elsewhere\r\ncontent-length: 0\r\n\r\n".to_owned()))
            .await;
    let unreadable = pointing(302, "http://[").await;
    let password = serve(|heard| {
        Reply::redirect(
            302,
            &format!("http://me:hunter2@{}/", heard.header("host").unwrap()),
        )
    })
    .await;
    for server in [missing, unreadable, password] {
        let error = ask(&server, Method::GET, FOLLOW).await.unwrap_err();
        assert!(
            matches!(error, EgressError::BadUrl { .. }) && !error.to_string().contains("hunter2"),
            "{error}"
        );
        assert_eq!(server.heard().len(), 1);
    }
}

#[tokio::test]
async fn an_error_says_the_origin_and_never_the_path() {
    let server = pointing(302, "http://127.0.0.1:1/hunter2?hunter2=hunter2").await;
    let error = ask(&server, Method::GET, FOLLOW).await.unwrap_err();
    assert!(
        !format!("{error} {error:?}").contains("hunter2"),
        "{error:?}"
    );
    let request = Request::get(
        url("https://a.example/hunter2?hunter2"),
        told("https://b.example"),
    );
    assert_eq!(
        format!("{request:?}"),
        "Request { method: GET, origin: \"https://a.example\", .. }"
    );
}
