//! What a server offers to read. All of it is the server's claim; nothing is fetched by showing it.

use crate::{Content, ResultNote};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// Something a server offers to read (MCP `Resource`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ResourceSpec {
    /// Its address, by which it is read. Not necessarily one that anything but its server
    /// understands.
    pub uri: String,
    /// The server's name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Media type as the server says.
    pub mime_type: Option<String>,
    /// Its length in bytes as the server says.
    #[ts(type = "number | null")]
    pub size: Option<u64>,
    /// Every other field, as it came.
    #[ts(type = "Record<string, unknown>")]
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// A kind of resources with gaps in their address (MCP `ResourceTemplate`, RFC 6570).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct TemplateSpec {
    /// The address with its gaps: `file:///{path}`.
    pub uri_template: String,
    /// The server's name for it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it is.
    pub description: Option<String>,
    /// Media type as the server says.
    pub mime_type: Option<String>,
    /// Every other field, as it came.
    #[ts(type = "Record<string, unknown>")]
    #[serde(default)]
    pub extra: Map<String, Value>,
}

/// What was read, bounded and masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ResourceResult {
    /// The parts, in the server's order.
    pub contents: Vec<Content>,
    /// What this host did to them or found in them.
    pub notes: Vec<ResultNote>,
    /// Every other field, as it came, for programs that pass it on.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[ts(skip)]
    pub extra: Map<String, Value>,
}
