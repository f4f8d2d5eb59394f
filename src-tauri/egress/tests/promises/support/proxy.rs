//! A proxy that tunnels to one server, whatever is asked for.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncReadExt, AsyncWriteExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What the proxy wants before it tunnels.
#[derive(Clone, Copy)]
pub enum Login {
    Nothing,
    /// This `Proxy-Authorization`.
    Basic(&'static str),
}

/// A running proxy. It stops when it is dropped.
pub struct ConnectProxy {
    pub port: u16,
    asked: Arc<Mutex<Vec<String>>>,
    running: JoinHandle<()>,
}

impl ConnectProxy {
    /// Tunnels to this port of this computer; to none, it refuses.
    pub async fn to(port: Option<u16>, login: Login) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let own = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = asked.clone();
        let running = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(tunnel(stream, port, login, noted.clone()));
            }
        });
        Self {
            port: own,
            asked,
            running,
        }
    }

    /// What was asked for, line by line.
    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().unwrap().clone()
    }
}

impl Drop for ConnectProxy {
    fn drop(&mut self) {
        self.running.abort();
    }
}

async fn tunnel(
    mut stream: TcpStream,
    port: Option<u16>,
    login: Login,
    asked: Arc<Mutex<Vec<String>>>,
) {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        let Ok(byte) = stream.read_u8().await else {
            return;
        };
        bytes.push(byte);
    }
    let head = String::from_utf8(bytes).unwrap();
    asked
        .lock()
        .unwrap()
        .push(head.lines().next().unwrap().to_owned());
    if let Login::Basic(wanted) = login
        && !head
            .to_lowercase()
            .contains(&format!("proxy-authorization: {wanted}\r\n").to_lowercase())
    {
        let _ = stream
            .write_all(b"HTTP/1.1 407 Who are you\r\ncontent-length: 0\r\n\r\n")
            .await;
        return;
    }
    let Some(port) = port else {
        let _ = stream
            .write_all(b"HTTP/1.1 403 No\r\ncontent-length: 0\r\n\r\n")
            .await;
        return;
    };
    let mut target = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    stream.write_all(b"HTTP/1.1 200 Go\r\n\r\n").await.unwrap();
    let _ = copy_bidirectional(&mut stream, &mut target).await;
}
