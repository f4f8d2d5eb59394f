//! What it takes to start a server. Secrets are in here by value, so none of this is stored or
//! printed.

use crate::Authorization;
use egress::Egress;
use protocol::{Era, Secret, ServerId};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// How a server is reached, with everything looked up.
#[derive(Debug, Clone)]
pub enum Start {
    /// A child process.
    Stdio(StdioStart),
    /// An address.
    Http(HttpStart),
}

/// A child process that speaks on its standard input and output.
#[derive(Debug, Clone)]
pub struct StdioStart {
    /// Our name of the server.
    pub server: ServerId,
    /// The program, resolved: an absolute path.
    pub command: PathBuf,
    /// Its arguments, each as it is passed.
    pub args: Vec<String>,
    /// Environment variables on top of the allow-list.
    pub env: Vec<(String, Secret)>,
    /// Its working directory.
    pub cwd: PathBuf,
    /// `majordomo-jail`, which keeps the server and all it starts in hand. Not used on Windows.
    pub jail: PathBuf,
    /// The era in which it is spoken to; none finds it out.
    pub era: Option<Era>,
}

/// A server at an address.
#[derive(Clone)]
pub struct HttpStart {
    /// Our name of the server.
    pub server: ServerId,
    /// `https:`, or `http:` on loopback.
    pub url: String,
    /// Headers sent with every request.
    pub headers: Vec<(String, Secret)>,
    /// The way out, with the proxy, authorities and certificate for this server.
    pub egress: Egress,
    /// Who we are there, if that is not in a header.
    pub authorization: Option<Arc<dyn Authorization>>,
    /// The era in which it is spoken to; none finds it out.
    pub era: Option<Era>,
}

/// How long a server may take.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// From the start of the process, or the first connection, to the end of the handshake.
    pub start: Duration,
    /// For a call without progress. The time in which a person is asked does not count.
    pub call: Duration,
    /// For a call in all, whatever progress it reports.
    pub call_maximum: Duration,
    /// For a whole list, of tools or anything else.
    pub list: Duration,
}

impl std::fmt::Debug for HttpStart {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("HttpStart")
            .field("server", &self.server)
            .field("era", &self.era)
            .finish_non_exhaustive()
    }
}

impl Start {
    /// Our name of the server.
    pub(crate) fn server(&self) -> &ServerId {
        match self {
            Self::Stdio(start) => &start.server,
            Self::Http(start) => &start.server,
        }
    }
}
