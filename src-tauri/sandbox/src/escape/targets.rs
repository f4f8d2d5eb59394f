//! What the program inside needs to know of the scene around it.

use crate::profile::Limits;
use serde::{Deserialize, Serialize};
use std::io;
use std::net::IpAddr;
use std::path::PathBuf;

/// What stands in everything that must not be read.
pub(super) const SECRET: &str = "majordomo-escape-secret";

/// Everything that it could be after.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Targets {
    /// A folder that it was not given.
    pub(super) outside: PathBuf,
    /// A folder that it may read.
    pub(super) given: PathBuf,
    /// A folder that it may change.
    pub(super) root: PathBuf,
    /// Its own.
    pub(super) home: PathBuf,
    /// How much it may use.
    pub(super) limits: Limits,
    /// The handle of the secret outside, if the file system gives any.
    pub(super) handle: Option<Vec<u8>>,
    /// Another process of the same user.
    pub(super) bystander: Bystander,
    /// The name of a queue of messages.
    pub(super) queue: String,
    /// Where somebody listens on this computer.
    pub(super) port: u16,
    /// Where somebody waits for datagrams on this computer.
    pub(super) datagram_port: u16,
    /// Whom this computer asks for addresses.
    pub(super) resolver: Option<IpAddr>,
    /// A socket in the folder outside, to be connected to.
    pub(super) stream: PathBuf,
    /// A socket in the folder outside, for datagrams.
    pub(super) datagram: PathBuf,
    /// The names of two like them that lie in no folder.
    pub(super) unnamed: [String; 2],
    /// Somebody's terminal.
    pub(super) terminal: Option<PathBuf>,
    /// A disk of this computer.
    pub(super) disk: Option<PathBuf>,
    /// Where groups of processes are bounded on this computer.
    pub(super) groups: Vec<PathBuf>,
    /// The number of an open file that it should not have.
    pub(super) descriptor: i32,
    /// The processes by which it was started, 0 for whichever is its parent: said when they are
    /// known.
    #[serde(default)]
    pub(super) launchers: Vec<i32>,
}

/// Another process of the same user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Bystander {
    /// Its number outside.
    pub(super) pid: i32,
    /// Where the secret is in its memory.
    pub(super) address: u64,
    /// Its piece of shared memory.
    pub(super) shared_memory: i64,
}

impl Targets {
    /// The secret in the folder outside.
    pub(super) fn secret(&self) -> PathBuf {
        self.outside.join("secret")
    }
}

/// What was read, if it is the secret.
pub(super) fn secret_in(bytes: &[u8]) -> io::Result<String> {
    let found = bytes
        .windows(SECRET.len())
        .any(|piece| piece == SECRET.as_bytes());
    if found {
        Ok("the secret was read".to_owned())
    } else {
        Err(io::Error::other("what was read is not the secret"))
    }
}

/// What there is to try, if anything.
pub(super) fn known<T>(target: Option<T>) -> io::Result<T> {
    target.ok_or_else(|| io::Error::other("there is none on this computer"))
}
