//! Connections for what somebody else says, such as a confined server to a host that is listed for
//! it: directly, or through the proxy.
//!
//! Always true here: of what comes after a proxy's yes no byte is lost. With many a protocol it is
//! the other side that speaks first.

use crate::EgressError;
use crate::clients::Route;
use crate::failure::no_connection;
use futures::future::{Ready, ready};
use hyper::Uri;
use hyper_util::client::legacy::connect::proxy::{SocksV4, SocksV5, Tunnel};
use hyper_util::client::proxy::matcher::Matcher;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{self, Poll};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tower_service::Service;
use url::Url;

/// A connection. Nothing of ours is said on it.
pub type Stream = Box<dyn Duplex>;

/// What can be read from and written to.
pub trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// Opens one by a checked route.
pub(crate) async fn open(
    route: &Route,
    port: u16,
    tls: impl FnOnce() -> ClientConfig,
) -> Result<Stream, EgressError> {
    match &route.proxy {
        Some((proxy, addresses)) => {
            let failed = |error: Box<dyn Error + Send + Sync>| no_connection(&*error, true);
            let stream = reach_proxy(proxy, addresses, tls).await.map_err(failed)?;
            through(proxy, stream, route, port).await.map_err(failed)
        }
        None => {
            let stream = dial(route.addresses.addresses(), port).await;
            Ok(Box::new(
                stream.map_err(|error| no_connection(&error, false))?,
            ))
        }
    }
}

/// Connects to the first of these that answers.
async fn dial(addresses: &[IpAddr], port: u16) -> io::Result<TcpStream> {
    let addresses = addresses
        .iter()
        .map(|address| SocketAddr::new(*address, port));
    let stream = TcpStream::connect(addresses.collect::<Vec<_>>().as_slice()).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

async fn reach_proxy(
    proxy: &Url,
    addresses: &[IpAddr],
    tls: impl FnOnce() -> ClientConfig,
) -> Result<Stream, Box<dyn Error + Send + Sync>> {
    const SOCKS: u16 = 1080;
    let stream = dial(addresses, proxy.port_or_known_default().unwrap_or(SOCKS)).await?;
    if proxy.scheme() != "https" {
        return Ok(Box::new(stream));
    }
    let name = ServerName::try_from(proxy.host_str().unwrap_or_default().to_owned())?;
    let secured = TlsConnector::from(Arc::new(tls())).connect(name, stream);
    Ok(Box::new(secured.await?))
}

/// Asks the proxy for the host.
async fn through(
    proxy: &Url,
    stream: Stream,
    route: &Route,
    port: u16,
) -> Result<Stream, Box<dyn Error + Send + Sync>> {
    let host = match (proxy.scheme(), route.addresses.addresses().first()) {
        // These leave it to us to know the address.
        ("socks4" | "socks5", Some(IpAddr::V6(address))) => format!("[{address}]"),
        ("socks4" | "socks5", Some(IpAddr::V4(address))) => address.to_string(),
        _ => route.host.clone(),
    };
    let to: Uri = format!("https://{host}:{port}/").parse()?;
    // It knows how a name and password stand in an address.
    let login = Matcher::builder()
        .all(proxy.as_str())
        .build()
        .intercept(&to);
    let login = login.ok_or("the proxy's address cannot be read")?;
    let (at, stream) = (login.uri().clone(), Connected(Some(stream)));
    let opened = match proxy.scheme() {
        "http" | "https" => {
            let tunnel = Tunnel::new(at, stream);
            let mut tunnel = match login.basic_auth() {
                Some(login) => tunnel.with_auth(login.clone()),
                None => tunnel,
            };
            tunnel.call(to).await?
        }
        "socks4" | "socks4a" => SocksV4::new(at, stream).call(to).await?,
        _ => {
            let socks = SocksV5::new(at, stream);
            let mut socks = match login.raw_auth() {
                Some((name, password)) => socks.with_auth(name.to_owned(), password.to_owned()),
                None => socks,
            };
            socks.call(to).await?
        }
    };
    Ok(opened.into_inner().0)
}

/// A connection that is there already, for what would make one.
struct Connected(Option<Stream>);

impl Service<Uri> for Connected {
    type Response = TokioIo<ByteByByte>;
    type Error = io::Error;
    type Future = Ready<io::Result<Self::Response>>;

    fn poll_ready(&mut self, _: &mut task::Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, _: Uri) -> Self::Future {
        let stream = self.0.take().map(|stream| TokioIo::new(ByteByByte(stream)));
        ready(stream.ok_or_else(|| io::ErrorKind::NotConnected.into()))
    }
}

/// A connection of which nobody reads more than they look at: what a proxy says is read into a
/// buffer that is thrown away, with whatever else is in it.
struct ByteByByte(Stream);

impl AsyncRead for ByteByByte {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let mut byte = [0];
        let mut one = ReadBuf::new(&mut byte);
        let read = Pin::new(&mut self.0).poll_read(context, &mut one);
        buffer.put_slice(one.filled());
        read
    }
}

impl AsyncWrite for ByteByByte {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut task::Context<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
