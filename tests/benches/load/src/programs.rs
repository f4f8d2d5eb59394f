//! The programs that take part, which lie beside each other.

use crate::Failure;
use std::path::{Path, PathBuf};
use tokio::process::Command;

/// A program that lies beside this one.
///
/// Fails where it is not built.
pub fn beside(name: &str) -> Result<PathBuf, Failure> {
    let path =
        std::env::current_exe()?.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{} is not built", path.display()).into())
    }
}

/// A program that is measured, or that something measured speaks to. It ends when it is dropped.
#[expect(
    clippy::disallowed_methods,
    reason = "programs of the load are started here, no server of a person"
)]
pub fn command(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.kill_on_drop(true);
    command
}
