//! How this computer's way out looks: proxy, trust, and who we are to servers.

use crate::{Resolver, SystemResolver};
use protocol::Secret;
use std::sync::Arc;
use url::Url;

/// How to get out. The default is what the system says.
#[derive(Clone)]
pub struct Settings {
    /// The way to other computers.
    pub proxy: Proxy,
    /// Certificate authorities that are trusted besides the system's.
    pub authorities: Vec<Pem>,
    /// The certificate that is shown to a server that asks for one.
    pub identity: Option<Identity>,
    /// Who turns names into addresses.
    pub resolver: Arc<dyn Resolver>,
    /// What else must agree before anything leaves; nothing if nobody has a say.
    pub consent: Option<Consent>,
}

/// Says whether a request may go to an address; if not, why not. It is asked before every request,
/// and before a name is resolved.
pub type Consent = Arc<dyn Fn(&Url) -> Result<(), String> + Send + Sync>;

impl Default for Settings {
    fn default() -> Self {
        Self {
            proxy: Proxy::System,
            authorities: Vec::new(),
            identity: None,
            resolver: Arc::new(SystemResolver),
            consent: None,
        }
    }
}

/// The way to other computers. This computer is always reached directly.
#[derive(Clone)]
pub enum Proxy {
    /// As `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` say in either case, else as the system's
    /// settings say. `HTTP_PROXY` has no say, because plain `http:` never goes through a proxy.
    System,
    /// As these variables say, and nothing else: name and value, the names as for `System`.
    Variables(Vec<(String, String)>),
    /// Directly.
    None,
    /// Through this proxy, always. `http:`, `https:`, `socks5:` or `socks5h:`; a name and password
    /// may be in it.
    Url(Url),
}

/// Who we are to a server that asks for a client certificate. Shown only to servers that the person
/// typed.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The certificate, then those that vouch for it.
    pub certificates: Pem,
    /// Its key, as PKCS#8, PKCS#1 or SEC1, unencrypted.
    pub key: Secret,
}

/// Certificates in PEM form. They are public; a key does not belong here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pem(pub(crate) String);

impl Pem {
    /// Takes the text over. It is read by [`crate::Egress::new`].
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}
