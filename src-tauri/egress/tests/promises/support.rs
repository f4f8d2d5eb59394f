//! Servers, names and certificates of our own making.

mod authority;
mod proxy;
mod resolver;
mod server;

pub use authority::{Authority, Leaf, sec1};
pub use proxy::{ConnectProxy, Login};
pub use resolver::Scripted;
pub use server::{Reply, Server, secure, serve};

use egress::{Egress, EgressError, Proxy, Reach, Request, Response, Settings, Url};
use std::sync::Arc;

/// An address that a test wrote down.
pub fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

/// What a server named that the person reached at this address.
pub fn told(typed: &str) -> Reach {
    Reach::Told { typed: url(typed) }
}

/// Settings without a proxy, whose names are these.
pub fn settings(names: &Arc<Scripted>) -> Settings {
    Settings {
        proxy: Proxy::None,
        resolver: names.clone(),
        ..Settings::default()
    }
}

/// A way out without a proxy, whose names are these.
pub fn direct(names: &Arc<Scripted>) -> Egress {
    Egress::new(settings(names)).unwrap()
}

/// A way out that needs no names.
pub fn plain() -> Egress {
    direct(&Scripted::new())
}

/// Gets an address.
pub async fn get(egress: &Egress, address: &str, reach: Reach) -> Result<Response, EgressError> {
    egress.send(Request::get(url(address), reach)).await
}

/// Reads a short answer.
pub async fn text(answer: Response) -> String {
    String::from_utf8(answer.bytes(64 * 1024).await.unwrap().to_vec()).unwrap()
}
