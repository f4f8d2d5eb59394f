//! Where npx would look for a package, before it downloads anything. The rules are those of npm's
//! own `libnpmexec`: a package in the project around the working directory comes first, then one
//! that is installed for everyone, then npx's own cache.

use super::installed::Installed;
use super::node_modules;
use super::packages::Asked;
use super::{Surroundings, digest};
use sha2::{Digest, Sha512};
use std::path::{Path, PathBuf};

/// The largest configuration file, in bytes.
const LARGEST: u64 = 1 << 20;

/// What npx would run, if it is there and it can be told without asking a registry.
pub(super) fn of(asked: &Asked, at: &Surroundings<'_>) -> Option<Installed> {
    let [spec] = asked.specs.as_slice() else {
        return None;
    };
    if let Some(name) = asked.name() {
        let project = project(at.cwd);
        if project.join("node_modules").join(name).is_dir() {
            // With a version, npx compares it with what is there.
            return asked
                .is_bare()
                .then(|| node_modules::of(&project, Some(name)))
                .flatten();
        }
        let bin = |folder: &Path| folder.join("node_modules").join(".bin").join(spec).exists();
        if at.cwd.ancestors().any(bin) || for_everyone(at.program, name) {
            return None;
        }
    }
    let cache = cache(asked, at)?;
    // A folder is called by its absolute path, which is not worked out here.
    let folder = cache.join("_npx").join(key(spec));
    node_modules::of(&folder, asked.name())
}

/// The name of a folder in npx's cache.
fn key(spec: &str) -> String {
    digest::hexadecimal(&Sha512::digest(spec.as_bytes())[..8])
}

/// The nearest folder that npm takes for a project.
fn project(cwd: &Path) -> PathBuf {
    let is_one = |folder: &&Path| {
        folder.join("package.json").exists() || folder.join("node_modules").is_dir()
    };
    cwd.ancestors().find(is_one).unwrap_or(cwd).to_owned()
}

/// Whether it is installed beside Node.js itself: then that one runs.
fn for_everyone(npx: &Path, name: &str) -> bool {
    let beside = |npx: &Path| {
        let bin = npx.parent()?;
        let folders = [
            bin.parent()?.join("lib").join("node_modules"),
            bin.join("node_modules"),
        ];
        Some(folders.iter().any(|folder| folder.join(name).exists()))
    };
    beside(npx).unwrap_or(false)
}

/// npm's cache: as the command line, the environment, the project or the person says, or where it
/// usually is.
fn cache(asked: &Asked, at: &Surroundings<'_>) -> Option<PathBuf> {
    let home = at.home()?;
    let project = project(at.cwd).join(".npmrc");
    let person = at
        .variable("npm_config_userconfig")
        .map_or_else(|| home.join(".npmrc"), PathBuf::from);
    let said = asked
        .cache
        .clone()
        .or_else(|| at.variable("npm_config_cache"))
        .map(Ok);
    let said = said
        .or_else(|| configured(&project))
        .or_else(|| configured(&person));
    match said {
        Some(Ok(said)) => match said.strip_prefix("~/") {
            Some(rest) => Some(home.join(rest)),
            None => Some(at.cwd.join(said)),
        },
        // Something is said that is not understood: better nothing than another folder.
        Some(Err(())) => None,
        None if cfg!(windows) => {
            Some(PathBuf::from(at.variable("LOCALAPPDATA")?).join("npm-cache"))
        }
        None => Some(home.join(".npm")),
    }
}

/// What a configuration file says of the cache.
fn configured(file: &Path) -> Option<Result<String, ()>> {
    if !file.exists() {
        return None;
    }
    let Ok(text) = digest::text(file, LARGEST) else {
        return Some(Err(()));
    };
    let mut values = text
        .lines()
        .filter_map(|line| line.split_once('='))
        .filter(|(key, _)| key.trim() == "cache");
    values.next_back().map(|(_, value)| {
        let value = value.trim().trim_matches(['"', '\'']);
        if value.is_empty() || value.contains("${") {
            Err(())
        } else {
            Ok(value.to_owned())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_the_cache_is_called_as_npm_calls_it() {
        assert_eq!(
            key("@modelcontextprotocol/server-everything"),
            "5b2dd62b9d0bddd4"
        );
    }
}
