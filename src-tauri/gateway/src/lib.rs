//! Other applications' door to the same host, in the words of MCP: any client of that protocol gets
//! the tools of all servers, or of one.
//!
//! Always true here:
//! - a client is who the carrier has proven it to be; what it says of itself is shown and decides
//!   nothing;
//! - everything that it wants is asked of the host in its name, with no person's word behind it;
//! - what there is not and what it may not use are answered alike;
//! - both eras are spoken, to each client that of each of its requests.

mod asks;
mod batch;
mod endpoint;
mod http;
mod input_required;
mod line;
mod message;
mod methods;
mod names;
mod notices;
mod ongoing;
mod own_tools;
mod parked;
mod revision;
mod route;
mod rpc_error;
mod session;
mod subscriptions;
mod views;
mod visit;
mod wire;

pub use endpoint::Endpoint;
pub use http::{Gateway, Response};
pub use line::{END_OF_INPUT, serve_line};
