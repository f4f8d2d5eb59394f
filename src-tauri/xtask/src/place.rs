//! Where things lie: the sources, what is built, and what the tests need.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the sources.
pub fn root() -> PathBuf {
    // Read while running: with one target folder for several clones, the program may have been
    // built in another one.
    let here = env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    here.ancestors()
        .nth(2)
        .map_or_else(|| here.clone(), Path::to_path_buf)
}

/// The window's pages.
pub fn ui() -> PathBuf {
    root().join("ui")
}

/// Where Cargo puts what it builds: the folder in which this program lies, two levels up.
pub fn target() -> PathBuf {
    let beside = env::current_exe()
        .ok()
        .and_then(|program| program.ancestors().nth(2).map(Path::to_path_buf));
    beside.unwrap_or_else(|| root().join("target"))
}

/// How programs are built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Profile {
    /// To be tested.
    Debug,
    /// Optimised crate by crate.
    Release,
    /// Optimised across crates, as it is shipped. That takes much longer.
    Dist,
}

impl Profile {
    /// What chooses it among the arguments of Cargo.
    pub fn chosen(self) -> &'static [&'static str] {
        match self {
            Self::Debug => &[],
            Self::Release => &["--release"],
            Self::Dist => &["--profile", "dist"],
        }
    }

    fn folder(self) -> &'static str {
        match self {
            Self::Debug => "debug",
            Self::Release => "release",
            Self::Dist => "dist",
        }
    }
}

/// A program that was built.
pub fn built(name: &str, profile: Profile) -> PathBuf {
    target()
        .join(profile.folder())
        .join(format!("{name}{}", env::consts::EXE_SUFFIX))
}

/// Servers of others that the tests talk to; tests find the folder in `MAJORDOMO_TEST_SERVERS`.
///
/// `npm/node_modules/@modelcontextprotocol/server-*/dist/index.js` are run with `node`;
/// `python/bin/mcp-server-*` (on Windows `python/Scripts/mcp-server-*.exe`) by themselves.
pub fn test_servers() -> PathBuf {
    target().join("test-servers")
}

/// Labelled data to measure the detectors on: the folder that `MAJORDOMO_LABELLED_DATA` names, else
/// `data/guard` in a folder beside the sources. None if nobody has put any there.
pub fn labelled_data() -> Option<PathBuf> {
    if let Some(named) = env::var_os("MAJORDOMO_LABELLED_DATA") {
        return Some(named.into());
    }
    let beside = root().join("..").read_dir().ok()?;
    beside
        .filter_map(Result::ok)
        .map(|folder| folder.path().join("data/guard"))
        .find(|data| data.is_dir())
}

/// What calls cost when it was last written down, beside their floors.
pub fn recorded_ratios() -> PathBuf {
    root().join("tests/benches/ratios.json")
}

/// What official clients of services for models judge, and how.
pub fn judges() -> PathBuf {
    root().join("tests/servers/judges")
}

/// Our requests to each service for models, word for word.
pub fn model_requests() -> PathBuf {
    root().join("src-tauri/agent/tests/wire")
}

/// What goes with the official conformance suite: the versions to install, and how it is run.
pub fn conformance() -> PathBuf {
    root().join("tests/servers/conformance")
}
