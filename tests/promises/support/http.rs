//! HTTP as any program on this computer can speak it, byte by byte.

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

/// Where a host is served, and the token that lets one in.
#[derive(Debug, Clone)]
pub struct Address {
    pub port: u16,
    pub token: String,
}

impl Address {
    /// Reads `http://127.0.0.1:PORT/#token=TOKEN`.
    pub fn of(text: &str) -> Self {
        let (place, token) = text.split_once("/#token=").unwrap();
        Self {
            port: place.rsplit_once(':').unwrap().1.parse().unwrap(),
            token: token.to_owned(),
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
        let place = format!("127.0.0.1:{}", self.port);
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

    /// Sends a request and leaves the answer to be read.
    pub async fn open(&self, line: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).await.unwrap();
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
