//! What the log says when everything is over.

use crate::Failure;
use crate::program::beside;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};

/// What was found in it.
#[derive(Debug)]
pub struct Log {
    /// Whether its check finds it intact.
    pub intact: bool,
    /// Records in all.
    pub records: u64,
    /// Calls of honest servers that it says were done.
    pub honest_done: usize,
    /// Bytes of all files in the data folder.
    pub bytes: u64,
}

/// Reads the log of a host that has ended, with the commands that everybody has.
pub fn read(data: &Path) -> Result<Log, Failure> {
    let majordomoctl = beside("majordomoctl")?;
    let command = |words: &[&str]| {
        let mut command = Command::new(&majordomoctl);
        command
            .arg("--data-dir")
            .arg(data)
            .args(words)
            .stdin(Stdio::null());
        command
    };
    let verified = command(&["--json", "audit", "verify"]).output()?;
    let exported = command(&["audit", "export"]).output()?;
    if !exported.status.success() {
        return Err(String::from_utf8_lossy(&exported.stderr).into());
    }
    let text = String::from_utf8(exported.stdout)?;
    let records = text
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok());
    let (mut all, mut honest_done) = (0, 0);
    for record in records {
        all += 1;
        honest_done += usize::from(is_honest_call(&record));
    }
    Ok(Log {
        intact: verified.status.success(),
        records: all,
        honest_done,
        bytes: bytes_below(data)?,
    })
}

fn is_honest_call(record: &Value) -> bool {
    record["event"] == "call_closed"
        && record["outcome"] == "done"
        && record["server"]
            .as_str()
            .is_some_and(|server| server.starts_with("honest-"))
}

fn bytes_below(folder: &Path) -> Result<u64, Failure> {
    let mut bytes = 0;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        bytes += if metadata.is_dir() {
            bytes_below(&entry.path())?
        } else {
            metadata.len()
        };
    }
    Ok(bytes)
}
