//! HTTP as any program on this computer can speak it, byte by byte.

use host::{Door, Note};
use std::path::{Path, PathBuf};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// A door to a host, and the token that opens it.
#[derive(Debug, Clone)]
pub struct Address {
    way: Way,
    pub token: String,
}

#[derive(Debug, Clone)]
enum Way {
    /// The door of programs, as the note in this data folder says.
    Programs(PathBuf),
    /// The door of a browser, or of other applications.
    Page(u16),
}

/// A connection by whatever way.
pub trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}

impl<Stream: AsyncRead + AsyncWrite + Send + Unpin> Connection for Stream {}

impl Address {
    /// The door of programs to the host that has a data folder open.
    pub fn of_programs(data_dir: &Path) -> Self {
        Self {
            way: Way::Programs(data_dir.to_owned()),
            token: Note::read(data_dir).unwrap().token,
        }
    }

    /// The door of a browser: reads `http://127.0.0.1:PORT/#token=TOKEN`.
    pub fn of_page(text: &str) -> Self {
        let (place, token) = text.split_once("/#token=").unwrap();
        Self {
            way: Way::Page(place.rsplit_once(':').unwrap().1.parse().unwrap()),
            token: token.to_owned(),
        }
    }

    /// The door of other applications: reads `http://127.0.0.1:PORT/mcp`.
    pub fn of_gateway(address: &str, token: &str) -> Self {
        let port = address
            .strip_suffix("/mcp")
            .unwrap()
            .rsplit_once(':')
            .unwrap()
            .1;
        Self {
            way: Way::Page(port.parse().unwrap()),
            token: token.to_owned(),
        }
    }

    /// The name under which the host is spoken to there.
    pub fn place(&self) -> String {
        match self.way {
            Way::Programs(_) => "localhost".to_owned(),
            Way::Page(port) => format!("127.0.0.1:{port}"),
        }
    }

    /// A request in the JSON of the interface, with the token and further headers. The status and
    /// the body of the answer.
    pub async fn rpc(
        &self,
        request: &serde_json::Value,
        headers: &[(&str, &str)],
    ) -> (u16, String) {
        let bearer = format!("Bearer {}", self.token);
        let place = self.place();
        let usual = [("Host", place.as_str()), ("Authorization", bearer.as_str())];
        let usual = usual
            .into_iter()
            .filter(|(name, _)| headers.iter().all(|(given, _)| given != name));
        let headers: Vec<_> = usual
            .chain(headers.iter().copied())
            .filter(|(_, value)| !value.is_empty())
            .collect();
        self.send("POST /rpc", &headers, &request.to_string()).await
    }

    /// A request, with these headers and no others of any meaning.
    pub async fn send(&self, line: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = self.open(line, headers, body).await;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (
            head.split(' ').nth(1).unwrap().parse().unwrap(),
            body.to_owned(),
        )
    }

    /// The head of the answer to a request.
    pub async fn head(&self, line: &str, headers: &[(&str, &str)], body: &str) -> String {
        let mut answer = Vec::new();
        self.open(line, headers, body)
            .await
            .read_to_end(&mut answer)
            .await
            .unwrap();
        String::from_utf8(answer)
            .unwrap()
            .split("\r\n\r\n")
            .next()
            .unwrap_or_default()
            .to_owned()
    }

    /// A connection on which nothing was said yet.
    pub async fn connect(&self) -> Box<dyn Connection> {
        match &self.way {
            Way::Page(port) => Box::new(TcpStream::connect(("127.0.0.1", *port)).await.unwrap()),
            Way::Programs(data_dir) => match Note::read(data_dir).unwrap().door {
                #[cfg(unix)]
                Door::Socket(path) => {
                    let path = data_dir.join(path);
                    Box::new(tokio::net::UnixStream::connect(path).await.unwrap())
                }
                #[cfg(windows)]
                Door::Pipe(name) => {
                    use tokio::net::windows::named_pipe::ClientOptions;
                    Box::new(ClientOptions::new().open(name).unwrap())
                }
                other => panic!("{other:?} is of another system"),
            },
        }
    }

    /// Sends a request and leaves the answer to be read.
    pub async fn open(
        &self,
        line: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Box<dyn Connection> {
        let mut stream = self.connect().await;
        let headers: String = headers
            .iter()
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let length = body.len();
        let text = format!(
            "{line} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        stream.write_all(text.as_bytes()).await.unwrap();
        stream
    }
}
