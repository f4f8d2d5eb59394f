//! Calls of earlier, as the log has them. Values of held secrets are covered in them.

use api::ActivityFilter;
use api::HostError;
use inspect::MASK;
use policy::Permission;
use protocol::{CallId, Caller, ServerId, Timestamp, ToolName};
use serde_json::{Map, Value};
use servers::Core;

/// So many of a tool's calls are looked at.
const MOST: u32 = 200;

/// A call that ran, or was sent.
pub struct Ran {
    /// Its number.
    pub call: CallId,
    /// When it was made.
    pub at: Timestamp,
    /// Who made it.
    pub caller: Caller,
    /// What was sent, secrets covered.
    pub arguments: Map<String, Value>,
    /// On whose word.
    pub permission: Permission,
}

/// Calls of a tool that ran since a time, newest first, the newest few hundred.
pub async fn calls(
    core: &Core,
    server: &ServerId,
    tool: &ToolName,
    since: Timestamp,
) -> Result<Vec<Ran>, HostError> {
    let filter = ActivityFilter {
        server: Some(server.clone()),
        tool: Some(tool.clone()),
        ..ActivityFilter::default()
    };
    let page = core.store().audit().activity(filter, None, MOST).await?;
    let mut found = Vec::new();
    for row in page
        .rows
        .into_iter()
        .filter(|row| row.what == "call" && row.at >= since)
    {
        found.extend(ran(core, row.seq, row.caller).await?);
    }
    Ok(found)
}

/// What was sent the last time when a caller used a tool.
pub(crate) async fn last_time(
    core: &Core,
    caller: &Caller,
    server: &ServerId,
    tool: &ToolName,
) -> Option<Map<String, Value>> {
    let filter = ActivityFilter {
        server: Some(server.clone()),
        tool: Some(tool.clone()),
        ..ActivityFilter::default()
    };
    let page = core.store().audit().activity(filter, None, 20).await.ok()?;
    for row in page
        .rows
        .into_iter()
        .filter(|row| row.what == "call" && row.caller.as_ref() == Some(caller))
    {
        if let Ok(Some(ran)) = ran(core, row.seq, row.caller).await {
            return Some(ran.arguments);
        }
    }
    None
}

async fn ran(core: &Core, seq: u64, caller: Option<Caller>) -> Result<Option<Ran>, HostError> {
    let detail = core.store().audit().detail(seq).await?;
    Ok(
        match (detail.call, caller, detail.arguments, detail.permission) {
            (Some(call), Some(caller), Some(arguments), Some(permission)) => Some(Ran {
                call,
                at: detail.row.at,
                caller,
                arguments,
                permission,
            }),
            _ => None,
        },
    )
}

/// Whether a part of a value is covered, so that nobody knows it whole.
pub fn is_covered(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(is_covered),
        Value::Object(fields) => fields
            .iter()
            .any(|(name, value)| name.contains(MASK) || is_covered(value)),
        _ => false,
    }
}
