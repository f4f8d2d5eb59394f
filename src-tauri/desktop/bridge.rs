//! Requests of the main window to the host.

use crate::opening::host_of;
use host::api::{AnyRequest, HostError};
use host::{Approver, Surface};
use protocol::Caller;
use serde_json::Value;
use serde_json::value::RawValue;
use tauri::AppHandle;

/// Does what the main window asks for. A person is there, but questions are answered in
/// their own window only.
#[tauri::command]
pub(crate) async fn rpc(app: AppHandle, request: Value) -> Result<Box<RawValue>, HostError> {
    // The parser quotes what it read, and that may be a secret: it is not told.
    let request: AnyRequest =
        serde_json::from_value(request).map_err(|_| HostError::not_understood())?;
    let surface = Surface::of(Caller::window(), Some(Approver::Window));
    host_of(&app).await?.handle(request, &surface).await
}
