//! Folders that a server is told.

/// A folder that a server is given (MCP `Root`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    /// A `file:` address.
    pub uri: String,
    /// A name for people.
    pub name: Option<String>,
}
