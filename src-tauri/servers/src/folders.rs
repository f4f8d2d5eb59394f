//! Folders that servers are given: whether they are there, and how servers see them.

use std::path::{Path, PathBuf};
use url::Url;

/// The person's own.
pub fn home() -> PathBuf {
    directories::BaseDirs::new().map_or_else(std::env::temp_dir, |dirs| dirs.home_dir().to_owned())
}

/// Whether the folder is there.
pub fn present(path: &str) -> bool {
    Path::new(path).is_dir()
}

/// Its `file:` address as servers see it.
pub fn uri(path: &str) -> String {
    Url::from_file_path(path)
        .map(String::from)
        .unwrap_or_default()
}

/// Its last part, for people.
pub fn name(path: &str) -> Option<String> {
    Path::new(path)
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
}
