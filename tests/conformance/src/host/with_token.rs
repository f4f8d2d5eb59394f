//! A door before the gateway that adds the application's token: the suite sends none.
//!
//! Always true here: of what comes, nothing else is changed but the port where it is this door's
//! own. Which names and pages are turned away is the gateway's to say.

use conformance::Trouble;
use std::io;
use std::net::Ipv4Addr;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, copy, sink};
use tokio::net::{TcpListener, TcpStream};

/// The longest header of a request that is passed on, in bytes.
const LONGEST: usize = 64 * 1024;

/// A door that is open as long as the program runs.
pub struct WithToken {
    /// Its address in place of the gateway's.
    pub address: String,
}

/// What is changed of every request.
#[derive(Clone)]
struct Change {
    token: String,
    own: u16,
    gateway: u16,
}

impl WithToken {
    /// Opens one before the gateway at this address.
    pub async fn before(gateway: &str, token: &str) -> Result<Self, Trouble> {
        let place = gateway
            .strip_prefix("http://127.0.0.1:")
            .and_then(|rest| rest.split_once('/'));
        let (port, path) = place.ok_or("the gateway is not on this computer")?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let own = listener.local_addr()?.port();
        let change = Change {
            token: token.to_owned(),
            own,
            gateway: port.parse()?,
        };
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(pass_on(stream, change.clone()));
            }
        });
        Ok(Self {
            address: format!("http://localhost:{own}/{path}"),
        })
    }
}

/// Passes one request on, and its answer back. Each has a connection of its own.
async fn pass_on(mut from: TcpStream, change: Change) -> io::Result<()> {
    let mut came = Vec::new();
    let end = loop {
        if let Some(at) = came.windows(4).position(|four| four == b"\r\n\r\n") {
            break at;
        }
        if came.len() > LONGEST || from.read_buf(&mut came).await? == 0 {
            return Ok(());
        }
    };
    let mut to = TcpStream::connect((Ipv4Addr::LOCALHOST, change.gateway)).await?;
    let header = change.header(&String::from_utf8_lossy(&came[..end]));
    let (mut asked, mut answer) = from.split();
    let (mut answered, mut request) = to.split();
    {
        let there = async {
            request.write_all(header.as_bytes()).await?;
            request.write_all(&came[end + 4..]).await?;
            copy(&mut asked, &mut request).await?;
            request.shutdown().await
        };
        let back = async {
            copy(&mut answered, &mut answer).await?;
            answer.shutdown().await
        };
        tokio::pin!(there, back);
        tokio::select! {
            back = &mut back => back?,
            // A gateway that turns a request away need not read it to its end: the answer counts.
            _ = &mut there => back.await?,
        }
    }
    // What is left unread here would take the answer along.
    copy(&mut asked, &mut sink()).await.map(drop)
}

impl Change {
    /// The header of a request as the gateway gets it.
    fn header(&self, came: &str) -> String {
        let lines = came.split("\r\n").filter_map(|line| self.line(line));
        let added = [
            format!("Authorization: Bearer {}", self.token),
            // The next request has a header of its own to be changed.
            "Connection: close".to_owned(),
        ];
        let all: Vec<String> = lines.chain(added).collect();
        format!("{}\r\n\r\n", all.join("\r\n"))
    }

    fn line(&self, line: &str) -> Option<String> {
        let name = line.split(':').next().unwrap_or_default();
        match name.to_ascii_lowercase().as_str() {
            "connection" | "keep-alive" => None,
            "host" | "origin" => Some(match line.strip_suffix(&format!(":{}", self.own)) {
                Some(rest) => format!("{rest}:{}", self.gateway),
                None => line.to_owned(),
            }),
            _ => Some(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_the_token_and_the_port_of_this_door_is_changed() {
        let change = Change {
            token: "t".to_owned(),
            own: 7,
            gateway: 9,
        };
        assert_eq!(
            change.header("POST /mcp HTTP/1.1\r\nHost: localhost:7\r\nOrigin: http://evil.example:7\r\nconnection: keep-alive\r\nX: a:7"),
            "POST /mcp HTTP/1.1\r\nHost: localhost:9\r\nOrigin: http://evil.example:9\r\nX: a:7\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(
            change.header("GET / HTTP/1.1\r\nHost: evil.example"),
            "GET / HTTP/1.1\r\nHost: evil.example\r\nAuthorization: Bearer t\r\nConnection: close\r\n\r\n"
        );
    }
}
