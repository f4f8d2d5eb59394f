//! As much of HTTP/1.1 as is needed: one request of a connection, and an answer that ends with it.

use super::script::SENT_AT;
use serde_json::Value;
use std::io;
use std::time::{Duration, UNIX_EPOCH};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::time::{Instant, interval_at};

/// A request.
pub(super) struct Request {
    pub(super) path: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

pub(super) async fn read(stream: &mut TcpStream) -> io::Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line).await?;
    let path = line.split(' ').nth(1).unwrap_or_default().to_owned();
    let mut headers = Vec::new();
    loop {
        line.clear();
        reader.read_line(&mut line).await?;
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, length)| length.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).await?;
    Ok(Request {
        path,
        headers,
        body,
    })
}

/// Sends events one by one. Fails where whoever asked has gone.
pub(super) async fn stream(
    stream: &mut TcpStream,
    kind: &str,
    events: Vec<String>,
    pace: Duration,
    cut_at: Option<usize>,
) -> io::Result<()> {
    let head = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    let mut left = cut_at.unwrap_or(usize::MAX);
    let mut times = (!pace.is_zero()).then(|| interval_at(Instant::now() + pace, pace));
    for event in events {
        if let Some(times) = &mut times {
            times.tick().await;
        }
        let event = match event.contains(SENT_AT) {
            true => event.replace(SENT_AT, &now().to_string()),
            false => event,
        };
        let bytes = event.as_bytes();
        let sent = bytes.get(..left).unwrap_or(bytes);
        stream.write_all(sent).await?;
        stream.flush().await?;
        left -= sent.len();
        if left == 0 {
            break;
        }
    }
    stream.shutdown().await
}

/// The milliseconds since 1970.
fn now() -> u128 {
    UNIX_EPOCH.elapsed().unwrap_or_default().as_millis()
}

pub(super) async fn refuse(
    stream: &mut TcpStream,
    status: u16,
    retry_after: Option<u32>,
    body: &Value,
) -> io::Result<()> {
    let body = body.to_string();
    let retry = retry_after
        .map(|seconds| format!("retry-after: {seconds}\r\n"))
        .unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {status} No\r\ncontent-type: application/json\r\ncontent-length: {}\r\n{retry}connection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
