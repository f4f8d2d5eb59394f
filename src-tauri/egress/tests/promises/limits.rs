//! Bounds in time and size.

use crate::support::{Reply, Server, get, plain, serve, text, url};
use egress::{EgressError, Reach, Request, Response};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

const SHORT: Duration = Duration::from_millis(50);

async fn ask(server: &Server) -> Response {
    get(
        &plain(),
        &format!("http://127.0.0.1:{}/", server.port),
        Reach::Typed,
    )
    .await
    .unwrap()
}

#[tokio::test]
async fn a_server_that_does_not_answer_is_waited_for_as_long_as_was_said() {
    let server = serve(|_| Reply::Beginning("HTTP/1.1 200 OK\r\nx-slow: ".to_owned())).await;
    let request = Request {
        wait: SHORT,
        ..Request::get(
            url(&format!("http://127.0.0.1:{}/", server.port)),
            Reach::Typed,
        )
    };
    assert_eq!(
        plain().send(request).await.unwrap_err(),
        EgressError::TimedOut { after: SHORT }
    );
}

#[tokio::test]
async fn a_body_is_read_up_to_its_limit_and_no_further() {
    let sized = serve(|_| Reply::text("12345")).await;
    let piece = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n123\r\n2\r\n45\r\n";
    let chunked = serve(move |_| Reply::Whole(format!("{piece}0\r\n\r\n"))).await;
    for server in [&sized, &chunked] {
        assert_eq!(ask(server).await.bytes(5).await.unwrap(), "12345");
        assert_eq!(
            ask(server).await.bytes(4).await.unwrap_err(),
            EgressError::TooLong { limit: 4 }
        );
    }
    // Without an end: it is refused as soon as it is too long.
    let endless = serve(move |_| Reply::Beginning(piece.to_owned())).await;
    assert_eq!(
        ask(&endless).await.bytes(4).await.unwrap_err(),
        EgressError::TooLong { limit: 4 }
    );
    let boasting = serve(|_| {
        Reply::Beginning("HTTP/1.1 200 OK\r\ncontent-length: 9999999999\r\n\r\n".to_owned())
    })
    .await;
    assert_eq!(
        ask(&boasting).await.bytes(4).await.unwrap_err(),
        EgressError::TooLong { limit: 4 }
    );
}

#[tokio::test]
async fn a_stream_is_read_piece_by_piece_and_silence_has_an_end() {
    let server = serve(|_| {
        Reply::Beginning(
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\n123\r\n".to_owned(),
        )
    })
    .await;
    let mut answer = ask(&server).await;
    assert_eq!(answer.chunk(None).await.unwrap().unwrap(), "123");
    assert_eq!(
        answer.chunk(Some(SHORT)).await.unwrap_err(),
        EgressError::TimedOut { after: SHORT }
    );
    assert_eq!(
        answer.chunk(Some(SHORT)).await.unwrap_err(),
        EgressError::TimedOut { after: SHORT }
    );
}

#[tokio::test]
async fn a_stream_that_ends_ends() {
    let server = serve(|_| Reply::text("123")).await;
    let mut answer = ask(&server).await;
    assert_eq!(answer.chunk(None).await.unwrap().unwrap(), "123");
    assert_eq!(answer.chunk(None).await.unwrap(), None);
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_an_error_and_not_its_end() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let cut = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut byte = [0; 1024];
        assert_ne!(stream.read(&mut byte).await.unwrap(), 0);
        stream
            .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123")
            .await
            .unwrap();
    });
    let answer = get(&plain(), &format!("http://127.0.0.1:{port}/"), Reach::Typed)
        .await
        .unwrap();
    assert!(matches!(
        answer.bytes(100).await.unwrap_err(),
        EgressError::Unreachable { .. }
    ));
    cut.await.unwrap();
}

#[tokio::test]
async fn a_body_is_not_unpacked() {
    let packed = "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\n123";
    let server = serve(move |_| Reply::Whole(packed.to_owned())).await;
    assert_eq!(text(ask(&server).await).await, "123");
    assert_eq!(server.heard()[0].header("accept-encoding"), None);
}

#[tokio::test]
async fn what_does_not_speak_http_is_said_not_to() {
    let server = serve(|_| Reply::Whole("SSH-2.0-OpenSSH_9.9\r\n\r\n".to_owned())).await;
    let error = get(
        &plain(),
        &format!("http://127.0.0.1:{}/", server.port),
        Reach::Typed,
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot be reached: it does not speak HTTP"
    );
}

#[tokio::test]
async fn nobody_at_the_address_is_said_to_be_nobody() {
    let port = {
        TcpListener::bind("127.0.0.1:0")
            .await
            .unwrap()
            .local_addr()
            .unwrap()
            .port()
    };
    let error = get(
        &plain(),
        &format!("http://127.0.0.1:{port}/hunter2"),
        Reach::Typed,
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "cannot be reached: nothing answers at this address"
    );
}

#[tokio::test]
async fn dropping_a_request_or_its_answer_closes_the_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let egress = plain();
    for head in ["", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n123"] {
        let asking = tokio::spawn({
            let egress = egress.clone();
            async move {
                let answer = get(&egress, &format!("http://127.0.0.1:{port}/"), Reach::Typed)
                    .await
                    .unwrap();
                std::future::pending::<()>().await;
                drop(answer);
            }
        });
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut heard = vec![0; 1024];
        assert_ne!(stream.read(&mut heard).await.unwrap(), 0);
        stream.write_all(head.as_bytes()).await.unwrap();
        asking.abort();
        // Its end, or a reset: either way nobody is there any more.
        assert!(matches!(stream.read(&mut heard).await, Ok(0) | Err(_)));
    }
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}/", listener.local_addr().unwrap());
    let egress = plain();
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        for _ in 0..2 {
            let mut heard = [0; 1024];
            assert_ne!(stream.read(&mut heard).await.unwrap(), 0);
            stream
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
                .await
                .unwrap();
        }
    });
    for _ in 0..2 {
        assert_eq!(
            text(get(&egress, &address, Reach::Typed).await.unwrap()).await,
            "ok"
        );
    }
    serving.await.unwrap();
}
