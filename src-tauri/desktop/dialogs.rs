//! The system's own dialogs, and links. All of them begin with a click in the main window.

use host::{ErrorCode, HostError};
use serde::Serialize;
use std::path::PathBuf;
use tauri::{AppHandle, WebviewWindow};
use tauri_plugin_dialog::{DialogExt as _, FilePath};
use tokio::sync::oneshot;

/// The largest configuration that is read, in bytes.
const MAX_CONFIG: u64 = 4 * 1024 * 1024;

/// A configuration file that was picked.
#[derive(Debug, Serialize)]
pub(crate) struct PickedFile {
    name: String,
    text: String,
}

/// Lets the person pick a folder. `None` if they did not.
#[tauri::command]
pub(crate) async fn pick_folder(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Option<String>, HostError> {
    let (sender, picked) = oneshot::channel();
    app.dialog()
        .file()
        .set_parent(&window)
        .pick_folder(move |path| _ = sender.send(path));
    let path = path(picked.await.ok().flatten())?;
    Ok(path.map(|path| path.to_string_lossy().into_owned()))
}

/// Lets the person pick a configuration file of another application, and reads it.
#[tauri::command]
pub(crate) async fn pick_config_file(
    app: AppHandle,
    window: WebviewWindow,
) -> Result<Option<PickedFile>, HostError> {
    let (sender, picked) = oneshot::channel();
    app.dialog()
        .file()
        .set_parent(&window)
        .add_filter(
            "JSON, TOML, YAML",
            &["json", "jsonc", "json5", "toml", "yaml", "yml"],
        )
        .pick_file(move |path| _ = sender.send(path));
    let Some(path) = path(picked.await.ok().flatten())? else {
        return Ok(None);
    };
    let unread = |problem: String| {
        HostError::of(
            ErrorCode::BadPath,
            format!("{} cannot be read: {problem}", path.display()),
        )
    };
    let size = tokio::fs::metadata(&path)
        .await
        .map_err(|problem| unread(problem.to_string()))?
        .len();
    if size > MAX_CONFIG {
        return Err(unread("it is longer than 4 MiB".into()));
    }
    let text = tokio::fs::read_to_string(&path)
        .await
        .map_err(|problem| unread(problem.to_string()))?;
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default();
    Ok(Some(PickedFile { name, text }))
}

/// Lets the person choose where to save a text. Gives the path, or `None` if they did not.
#[tauri::command]
pub(crate) async fn save_text(
    app: AppHandle,
    window: WebviewWindow,
    file_name: String,
    text: String,
) -> Result<Option<String>, HostError> {
    let (sender, picked) = oneshot::channel();
    app.dialog()
        .file()
        .set_parent(&window)
        .set_file_name(file_name)
        .save_file(move |path| _ = sender.send(path));
    let Some(path) = path(picked.await.ok().flatten())? else {
        return Ok(None);
    };
    let unwritten = |problem: std::io::Error| {
        HostError::of(
            ErrorCode::BadPath,
            format!("{} cannot be written: {problem}", path.display()),
        )
    };
    tokio::fs::write(&path, text).await.map_err(unwritten)?;
    Ok(Some(path.to_string_lossy().into_owned()))
}

/// Opens a web address in the system's browser. Anything but `http:` and `https:` is turned away.
#[tauri::command]
pub(crate) async fn open_link(url: String) -> Result<(), HostError> {
    let bad = |problem: String| HostError::of(ErrorCode::BadUrl, problem);
    let parsed: tauri::Url = url
        .parse()
        .map_err(|_| bad("this is not an address".into()))?;
    if !matches!(parsed.scheme(), "http" | "https")
        || !parsed.username().is_empty()
        || parsed.password().is_some()
    {
        return Err(bad(format!(
            "{} is not opened: only http: and https:, without a name or password",
            parsed.scheme()
        )));
    }
    open::that_detached(parsed.as_str())
        .map_err(|problem| bad(format!("no browser could be opened: {problem}")))
}

fn path(picked: Option<FilePath>) -> Result<Option<PathBuf>, HostError> {
    picked
        .map(|path| {
            path.into_path()
                .map_err(|problem| HostError::of(ErrorCode::BadPath, problem.to_string()))
        })
        .transpose()
}
