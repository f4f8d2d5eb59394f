//! A server that hears requests and answers by hand.

use std::sync::{Arc, Mutex};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

/// A request as it came.
#[derive(Debug, Clone)]
pub struct Heard {
    pub head: String,
    pub body: String,
}

impl Heard {
    /// Method and path.
    pub fn line(&self) -> &str {
        self.head
            .lines()
            .next()
            .unwrap()
            .trim_end_matches(" HTTP/1.1")
    }

    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self
            .head
            .lines()
            .skip(1)
            .filter_map(|line| line.split_once(": "));
        lines
            .find(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
    }
}

/// What to say.
pub enum Reply {
    /// A whole answer, after which the connection may be used again.
    Whole(String),
    /// The beginning of one, after which nothing comes any more.
    Beginning(String),
}

impl Reply {
    /// A short text.
    pub fn text(text: &str) -> Self {
        Self::Whole(format!(
            "HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{text}",
            text.len()
        ))
    }

    /// Points elsewhere.
    pub fn redirect(status: u16, to: &str) -> Self {
        Self::Whole(format!(
            "HTTP/1.1 {status} Elsewhere\r\nlocation: {to}\r\ncontent-length: 0\r\n\r\n"
        ))
    }
}

/// A running server. It stops when it is dropped.
pub struct Server {
    pub port: u16,
    heard: Arc<Mutex<Vec<Heard>>>,
    running: JoinHandle<()>,
}

impl Server {
    /// All requests so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().unwrap().clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// Serves plain HTTP on 127.0.0.1.
pub async fn serve(answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Server {
    start(None, answer).await
}

/// Serves HTTPS on 127.0.0.1.
pub async fn secure(
    config: ServerConfig,
    answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static,
) -> Server {
    start(Some(TlsAcceptor::from(Arc::new(config))), answer).await
}

async fn start(
    tls: Option<TlsAcceptor>,
    answer: impl Fn(&Heard) -> Reply + Send + Sync + 'static,
) -> Server {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (answer, noted) = (Arc::new(answer), heard.clone());
    let running = tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(connection(
                stream,
                tls.clone(),
                answer.clone(),
                noted.clone(),
            ));
        }
    });
    Server {
        port,
        heard,
        running,
    }
}

async fn connection(
    stream: TcpStream,
    tls: Option<TlsAcceptor>,
    answer: Arc<impl Fn(&Heard) -> Reply>,
    heard: Arc<Mutex<Vec<Heard>>>,
) {
    let Some(tls) = tls else {
        return speak(stream, &*answer, &heard).await;
    };
    match tls.accept(stream).into_fallible().await {
        Ok(stream) => speak(stream, &*answer, &heard).await,
        // Closing with unread bytes would reset the connection, and the alert that says why would
        // be lost.
        Err((_, mut stream)) => {
            let _ = stream.shutdown().await;
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
    }
}

async fn speak(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: &impl Fn(&Heard) -> Reply,
    heard: &Mutex<Vec<Heard>>,
) {
    while let Some(request) = hear(&mut stream).await {
        heard.lock().unwrap().push(request.clone());
        let (said, ends) = match answer(&request) {
            Reply::Whole(said) => (said, false),
            Reply::Beginning(said) => (said, true),
        };
        if stream
            .write_all(said.as_bytes())
            .await
            .and(stream.flush().await)
            .is_err()
        {
            return;
        }
        if ends {
            // Silent until the other side goes.
            let _ = stream.read_to_end(&mut Vec::new()).await;
        }
    }
}

async fn hear(stream: &mut (impl AsyncRead + Unpin)) -> Option<Heard> {
    let mut bytes = Vec::new();
    while !bytes.ends_with(b"\r\n\r\n") {
        bytes.push(stream.read_u8().await.ok()?);
    }
    let head = String::from_utf8(bytes).ok()?;
    let length = Heard {
        head: head.clone(),
        body: String::new(),
    }
    .header("content-length")
    .map_or(0, |length| length.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Heard {
        head,
        body: String::from_utf8(body).ok()?,
    })
}
