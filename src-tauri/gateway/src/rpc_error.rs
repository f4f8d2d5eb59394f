//! What went wrong, as JSON-RPC says it.

use api::{ErrorCode, HostError};
use serde::Serialize;
use serde_json::{Value, json};

/// An error of JSON-RPC 2.0, with the codes of MCP.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct RpcError {
    pub code: i64,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl RpcError {
    /// The message is no JSON.
    pub const NOT_JSON: i64 = -32700;
    /// The message is no request, or not one of this state of the conversation.
    pub const INVALID_REQUEST: i64 = -32600;
    /// There is no such method in this era.
    pub const UNKNOWN_METHOD: i64 = -32601;
    /// What goes with the request does not fit it, or names something that is not there.
    pub const INVALID_PARAMS: i64 = -32602;
    /// Something failed here or at the server.
    pub const INTERNAL: i64 = -32603;
    /// There is no such resource, in the words of the era before 2026.
    pub const NO_RESOURCE: i64 = -32002;
    /// A header contradicts the body.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The request needs something of its client that the client does not say it has.
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// The revision of the protocol is not spoken here.
    pub const UNSUPPORTED_REVISION: i64 = -32022;

    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            data: None,
        }
    }

    pub(crate) fn unknown_method(method: &str) -> Self {
        Self::new(Self::UNKNOWN_METHOD, format!("There is no method {method}"))
    }

    /// Another request that is not answered yet has its id.
    pub(crate) fn id_in_use() -> Self {
        let message = "Another request that is not answered yet has this id";
        Self::new(Self::INVALID_REQUEST, message)
    }

    pub(crate) fn invalid_params(problem: impl std::fmt::Display) -> Self {
        Self::new(Self::INVALID_PARAMS, format!("Invalid params: {problem}"))
    }

    /// The server needs the model of its client, in the words of 2026.
    pub(crate) fn needs_model(error: &HostError) -> Self {
        Self {
            data: Some(json!({"requiredCapabilities": {"sampling": {}}})),
            ..Self::new(Self::MISSING_CAPABILITY, error.message.clone())
        }
    }

    /// What the host says about a request that is no call of a tool.
    pub(crate) fn of_host(error: &HostError) -> Self {
        let code = match error.code {
            ErrorCode::BadRequest
            | ErrorCode::TooLarge
            | ErrorCode::NotOffered
            | ErrorCode::UnknownServer => Self::INVALID_PARAMS,
            _ => Self::INTERNAL,
        };
        Self {
            data: Some(json!({ "code": error.code })),
            ..Self::new(code, error.message.clone())
        }
    }
}
