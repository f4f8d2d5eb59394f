//! The package to which a file that runs belongs, by where the file lies.

use super::packages;
use super::{command_line, environment, node_modules};
use protocol::{PackageIdentity, UnreadReason};
use std::path::Path;

/// A package that was found, and what of it could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Installed {
    pub package: PackageIdentity,
    pub unread: Option<UnreadReason>,
}

/// The package to which a file belongs: the one called `asked` if it lies with it, or the one that
/// brought the file.
pub(super) fn around(file: &Path, asked: Option<&str>) -> Option<Installed> {
    if let Some((root, owner)) = node_modules::around(file) {
        // A link in `.bin` leads to the package.
        let owner = match owner.as_str() {
            ".bin" => file
                .canonicalize()
                .ok()
                .and_then(|file| node_modules::around(&file))
                .map(|(_, owner)| owner),
            owner => Some(owner.to_owned()),
        };
        let asked = asked.filter(|name| root.join("node_modules").join(name).is_dir());
        return node_modules::of(&root, asked.or(owner.as_deref()));
    }
    let script = file.file_name()?.to_str()?;
    environment::of(
        &environment::around(file)?,
        asked,
        Some(script.strip_suffix(".exe").unwrap_or(script)),
    )
}

/// Whether a file is a package runner, which may be installed as a package itself.
pub(super) fn is_runner(file: &Path) -> bool {
    let owner = node_modules::around(file).map(|(_, owner)| owner);
    packages::is_runner(&command_line::program(&file.to_string_lossy()))
        || owner.as_deref().is_some_and(packages::is_runner)
}
