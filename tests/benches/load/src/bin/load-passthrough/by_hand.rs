//! The passthrough without any SDK: what there must be to read a message, and no more.
//!
//! Always true here: each message is told apart by its id and its method, as whoever decides about
//! calls has to, and nothing else of it is decoded.

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use load::Failure;
use load::call::{Dialect, WITH_HANDSHAKE};
use load::programs::command;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// How much is read at once.
const READ: usize = 64 * 1024;

/// What is known of a message.
#[derive(Deserialize)]
struct Message<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow, default)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    params: Option<&'a RawValue>,
    #[serde(borrow, default)]
    result: Option<&'a RawValue>,
}

fn start(server: &Path) -> Result<Child, Failure> {
    let mut command = command(server);
    let command = command.as_std_mut();
    Ok(command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()?)
}

/// Over standard input and output, with a thread for each direction.
#[expect(
    clippy::disallowed_methods,
    reason = "the protocol comes by standard input, and no person types here"
)]
pub fn over_stdio(server: &Path) -> Result<(), Failure> {
    let mut child = start(server)?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (into, out) = pipes.ok_or("a process has no pipes")?;
    std::thread::spawn(move || pass(out, io::stdout()));
    pass(io::stdin(), into)?;
    child.wait()?;
    Ok(())
}

/// Passes messages on until there are no more.
fn pass(from: impl Read, mut to: impl Write) -> Result<(), Failure> {
    let (mut from, mut line) = (BufReader::with_capacity(READ, from), Vec::new());
    while from.read_until(b'\n', &mut line)? > 0 {
        let message: Message<'_> = serde_json::from_slice(&line)?;
        if message.id.is_none() && message.method.is_none() {
            return Err("a message is none".into());
        }
        to.write_all(&line)?;
        to.flush()?;
        line.clear();
    }
    Ok(())
}

/// One child for all that come over HTTP.
struct Shared {
    into: Mutex<std::process::ChildStdin>,
    next: AtomicU64,
    waiting: Mutex<HashMap<u64, oneshot::Sender<Vec<u8>>>>,
}

/// Over Streamable HTTP. `listens` is told where.
pub async fn over_http(server: &Path, listens: impl Fn(String)) -> Result<(), Failure> {
    use axum::serve::ListenerExt as _;
    let mut child = start(server)?;
    let pipes = child.stdin.take().zip(child.stdout.take());
    let (mut into, out) = pipes.ok_or("a process has no pipes")?;
    let hello = json!({
        "protocolVersion": WITH_HANDSHAKE,
        "capabilities": {},
        "clientInfo": {"name": "by hand", "version": "0"},
    });
    let hello = Dialect::default().request(0, "initialize", hello);
    writeln!(into, "{hello}")?;
    let shared = Arc::new(Shared {
        into: Mutex::new(into),
        next: AtomicU64::new(1),
        waiting: Mutex::default(),
    });
    let answers = Arc::clone(&shared);
    std::thread::spawn(move || answers.hear(out));
    let listener = TcpListener::bind((std::net::Ipv4Addr::LOCALHOST, 0)).await?;
    listens(listener.local_addr()?.to_string());
    let listener = listener.tap_io(|stream| {
        // Without it the next answer would wait for word of the one before.
        let _ = stream.set_nodelay(true);
    });
    let routes = Router::new().fallback(ask).with_state(shared);
    axum::serve(listener, routes).await?;
    Ok(())
}

async fn ask(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    match shared.ask(&body).await {
        Ok(answer) => ([(header::CONTENT_TYPE, "application/json")], answer).into_response(),
        Err(problem) => (StatusCode::BAD_GATEWAY, problem.to_string()).into_response(),
    }
}

impl Shared {
    /// Asks under a number of its own, and answers under that of whoever asks.
    async fn ask(&self, body: &[u8]) -> Result<Vec<u8>, Failure> {
        let message: Message<'_> = serde_json::from_slice(body)?;
        let (id, method) = message.id.zip(message.method).ok_or("no request")?;
        let params = message.params.map_or("{}", RawValue::get);
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let line = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{number},\"method\":\"{method}\",\"params\":{params}}}\n"
        );
        let (reply, replied) = oneshot::channel();
        lock(&self.waiting).insert(number, reply);
        lock(&self.into).write_all(line.as_bytes())?;
        let answer = replied.await?;
        let message: Message<'_> = serde_json::from_slice(&answer)?;
        let result = message.result.ok_or("it was refused")?.get();
        Ok(format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{result}}}").into_bytes())
    }

    /// Hands each answer to whoever waits for it.
    fn hear(&self, out: impl Read) -> Result<(), Failure> {
        let (mut out, mut line) = (BufReader::with_capacity(READ, out), Vec::new());
        while out.read_until(b'\n', &mut line)? > 0 {
            let message: Message<'_> = serde_json::from_slice(&line)?;
            let number = message.id.and_then(|id| id.get().parse().ok());
            let waits = number.and_then(|number: u64| lock(&self.waiting).remove(&number));
            // Whoever has gone does not wait for it any more.
            let _ = waits.map(|waits| waits.send(std::mem::take(&mut line)));
            line.clear();
        }
        Ok(())
    }
}

fn lock<T>(shared: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
