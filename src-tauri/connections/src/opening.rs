//! The first words to a server, in each era. Never those of both to one process.

use crate::ConnectionError;
use crate::conversation::{Ask, Conversation, value};
use crate::wire::{self, InitializeResult, LEGACY, MODERN};
use protocol::Era;
use serde_json::{Map, Value, json};

/// `HeaderMismatch`, `MissingRequiredClientCapability` and `UnsupportedProtocolVersion`: only a
/// newer server has these.
const MODERN_ERRORS: std::ops::RangeInclusive<i32> = -32_022..=-32_020;

/// Opens in the given era.
pub(crate) async fn open(
    conversation: &Conversation,
    era: Era,
) -> Result<InitializeResult, ConnectionError> {
    match era {
        Era::Modern => discover(conversation).await,
        Era::Legacy => initialize(conversation).await,
    }
}

/// `UnsupportedProtocolVersion` of 2026-07-28.
const UNSUPPORTED: i32 = -32_022;

async fn discover(conversation: &Conversation) -> Result<InitializeResult, ConnectionError> {
    conversation.be_modern();
    let ask = || {
        Ask::new(
            "server/discover",
            Map::from_iter([(
                "_meta".to_owned(),
                Value::Object(wire::request_meta(
                    None,
                    conversation.handler().has_model(None),
                )),
            )]),
        )
    };
    let reply = match first(conversation, ask()).await {
        // It names what it speaks. If that is spoken here too, it is asked for once more.
        Err(ConnectionError::Server {
            code: UNSUPPORTED,
            data,
            ..
        }) => {
            let supported = data.as_ref().and_then(|data| data.get("supported"));
            if !supported
                .and_then(Value::as_array)
                .is_some_and(|all| all.iter().any(|one| one == MODERN[0]))
            {
                return Err(unknown(supported));
            }
            first(conversation, ask()).await
        }
        reply => reply,
    };
    let reply = reply.map_err(|error| match error {
        ConnectionError::Server {
            code: UNSUPPORTED,
            data,
            ..
        } => unknown(data.as_ref().and_then(|data| data.get("supported"))),
        other => other,
    })?;
    let offered = reply.get("supportedVersions").cloned();
    let initialize_result = wire::discovered(reply).map_err(ConnectionError::unreadable)?;
    if initialize_result.server_info.protocol.is_empty() {
        return Err(unknown(offered.as_ref()));
    }
    conversation.agreed(MODERN[0]);
    Ok(initialize_result)
}

async fn initialize(conversation: &Conversation) -> Result<InitializeResult, ConnectionError> {
    let mut capabilities = wire::capabilities(Era::Legacy, conversation.handler().has_model(None));
    // The map of extensions is younger than these revisions, and empty.
    capabilities
        .as_object_mut()
        .map(|map| map.remove("extensions"));
    let params = json!({ "protocolVersion": LEGACY[0], "capabilities": capabilities, "clientInfo": wire::client_info() });
    let Value::Object(params) = params else {
        return Err(ConnectionError::SessionLost);
    };
    let reply = first(conversation, Ask::new("initialize", params)).await?;
    let initialize_result = wire::initialized(reply).map_err(ConnectionError::unreadable)?;
    if !LEGACY.contains(&initialize_result.server_info.protocol.as_str()) {
        return Err(unknown(Some(&json!([initialize_result
            .server_info
            .protocol]))));
    }
    conversation.agreed(&initialize_result.server_info.protocol);
    conversation
        .notify("notifications/initialized", Map::new())
        .await?;
    Ok(initialize_result)
}

async fn first(conversation: &Conversation, ask: Ask<'_>) -> Result<Value, ConnectionError> {
    let reply = conversation.request(ask).reply().await;
    value(&reply.unwrap_or(Err(ConnectionError::ConnectionLost { status: None }))?)
}

/// Whether a failure to open in the newer era still shows that the server is of it. One that knows
/// the newer era's words and names only older revisions is to be spoken to in those.
pub(crate) fn is_modern(error: &ConnectionError) -> bool {
    match error {
        ConnectionError::RevisionUnknown { offered } => !offered
            .iter()
            .any(|revision| LEGACY.contains(&revision.as_str())),
        error => error
            .rpc_code()
            .is_some_and(|code| MODERN_ERRORS.contains(&code)),
    }
}

fn unknown(offered: Option<&Value>) -> ConnectionError {
    let shorten = |version: &Value| {
        version
            .as_str()
            .map(|version| version.chars().take(40).collect())
    };
    let offered = offered
        .and_then(Value::as_array)
        .map(|all| all.iter().take(10).filter_map(shorten).collect());
    ConnectionError::RevisionUnknown {
        offered: offered.unwrap_or_default(),
    }
}
