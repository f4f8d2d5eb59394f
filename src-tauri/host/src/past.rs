//! Calls of earlier, as the log has them. Values of held secrets are covered in them.

use crate::Host;
use crate::api::{ActivityFilter, HostError};
use inspect::MASK;
use policy::Permission;
use protocol::{CallId, Caller, ServerId, Timestamp, ToolName};
use serde_json::{Map, Value};

/// So many of a tool's calls are looked at.
const MOST: u32 = 200;

/// A call that ran, or was sent.
pub(crate) struct Ran {
    pub call: CallId,
    pub at: Timestamp,
    pub caller: Caller,
    pub arguments: Map<String, Value>,
    pub permission: Permission,
}

/// Calls of a tool that ran since a time, newest first, the newest few hundred.
pub(crate) async fn calls(host: &Host, server: &ServerId, tool: &ToolName, since: Timestamp) -> Result<Vec<Ran>, HostError> {
    let filter = ActivityFilter { server: Some(server.clone()), tool: Some(tool.clone()), ..ActivityFilter::default() };
    let page = host.store().audit().activity(filter, None, MOST).await?;
    let mut calls = Vec::new();
    for row in page.rows.into_iter().filter(|row| row.what == "call" && row.at >= since) {
        calls.extend(ran(host, row.seq, row.caller).await?);
    }
    Ok(calls)
}

/// What was sent the last time when a caller used a tool.
pub(crate) async fn last_time(host: &Host, caller: &Caller, server: &ServerId, tool: &ToolName) -> Option<Map<String, Value>> {
    let filter = ActivityFilter { server: Some(server.clone()), tool: Some(tool.clone()), ..ActivityFilter::default() };
    let page = host.store().audit().activity(filter, None, 20).await.ok()?;
    for row in page.rows.into_iter().filter(|row| row.what == "call" && row.caller.as_ref() == Some(caller)) {
        if let Ok(Some(ran)) = ran(host, row.seq, row.caller).await {
            return Some(ran.arguments);
        }
    }
    None
}

async fn ran(host: &Host, seq: u64, caller: Option<Caller>) -> Result<Option<Ran>, HostError> {
    let detail = host.store().audit().detail(seq).await?;
    Ok(match (detail.call, caller, detail.arguments, detail.permission) {
        (Some(call), Some(caller), Some(arguments), Some(permission)) => {
            Some(Ran { call, at: detail.row.at, caller, arguments, permission })
        }
        _ => None,
    })
}

/// Whether a part of a value is covered, so that nobody knows it whole.
pub(crate) fn is_covered(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains(MASK),
        Value::Array(items) => items.iter().any(is_covered),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains(MASK) || is_covered(value)),
        _ => false,
    }
}
