//! The one way out to the network.
//!
//! Everything that leaves by HTTP leaves through [`Egress::send`]: the protocol itself, signing in,
//! the registry, icons. A caller says what to send ([`Request`]) and who named the address
//! ([`Reach`]); the rest is decided here, once, for all. What a confined server says to the hosts
//! that are listed for it leaves through [`Egress::connect`].
//!
//! Always true here:
//! - `https:` only; plain `http:` for this computer, and for a private network where the person
//!   chose that for this very address; no name or password in an address;
//! - a name is resolved once, every address it has is checked, and a connection goes to one of
//!   those addresses or nowhere;
//! - an address that a server named is never nearer to this computer than the server that the
//!   person typed;
//! - nothing is sent again to another origin: not the body, not a header, not a client certificate;
//! - no cookies, no referer, no decompression, no redirect that was not asked for and looked at;
//! - everything has a bound in time and size, and dropping a future ends what it was doing;
//! - an error holds no path, no query, no header and no secret.
//!
//! One limit is known: behind a proxy it is the proxy that resolves the name when it connects. The
//! name is still resolved and checked here first, and a name that cannot be resolved here may be
//! reached only when the person typed it.
//!
//! This crate knows no protocol, no sign-in, no store and no window.

mod address;
mod clients;
mod connect;
mod egress;
mod error;
mod failure;
mod gate;
mod pem;
mod place;
mod proxy;
mod reach;
mod redirect;
mod request;
mod resolve;
mod response;
mod settings;
mod tls;

pub use address::check as check_address;
pub use bytes::Bytes;
pub use connect::{Duplex, Stream};
pub use egress::Egress;
pub use error::EgressError;
pub use place::Place;
pub use reach::Reach;
pub use redirect::Redirects;
pub use request::Request;
pub use reqwest::header;
pub use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
pub use reqwest::{Method, StatusCode};
pub use resolve::{Resolver, SystemResolver};
pub use response::Response;
pub use settings::{Consent, Identity, Pem, Proxy, Settings};
pub use url::Url;
