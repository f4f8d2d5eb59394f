//! Where a client comes in: at the joint endpoint of all servers, or at that of one.

use api::GATEWAY_PATH;
use protocol::ServerId;

/// Where a client comes in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Endpoint {
    /// All servers. A tool is called by the name of its server and its own.
    All,
    /// One server, whose tools keep their names.
    Of(ServerId),
}

impl Endpoint {
    /// The endpoint at a path, if there is one.
    pub fn at(path: &str) -> Option<Self> {
        match path.strip_prefix(GATEWAY_PATH)? {
            "" | "/" => Some(Self::All),
            rest => {
                let server = ServerId::parse(rest.strip_prefix('/')?).ok()?;
                Some(Self::Of(server))
            }
        }
    }

    /// The one server that can be reached here, if it is the endpoint of one.
    pub(crate) fn only(&self) -> Option<&ServerId> {
        match self {
            Self::All => None,
            Self::Of(server) => Some(server),
        }
    }

    /// Whether a server can be reached here.
    pub(crate) fn has(&self, server: &ServerId) -> bool {
        self.only().is_none_or(|one| one.key() == server.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_that_of_one_endpoint_or_of_none() {
        let files = ServerId::parse("files").unwrap();
        assert_eq!(Endpoint::at("/mcp"), Some(Endpoint::All));
        assert_eq!(Endpoint::at("/mcp/files"), Some(Endpoint::Of(files)));
        for path in ["", "/", "/mcpx", "/mcp/a/b", "/mcp/../x", "/mcp/%66"] {
            assert_eq!(Endpoint::at(path), None, "{path}");
        }
    }
}
