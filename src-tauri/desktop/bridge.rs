//! Requests of the main window to the host.

use crate::opening::host_of;
use host::api::Request;
use host::{HostError, Surface};
use protocol::Caller;
use serde_json::Value;
use tauri::AppHandle;

/// Does what the main window asks for. It is nobody's approver: questions are answered in their own window only.
#[tauri::command]
pub(crate) async fn rpc(app: AppHandle, request: Value) -> Result<Value, HostError> {
    // The parser quotes what it read, and that may be a secret: it is not told.
    let request: Request = serde_json::from_value(request).map_err(|_| HostError::not_understood())?;
    let surface = Surface { caller: Caller::Window, approver: None };
    host_of(&app).await?.handle(request, &surface).await
}
