//! What the host and the jail say to each other: one connected pair of sockets, of which the server
//! sees neither end.
//!
//! The jail says once what became of the start, as one line; before it, with [`SOCKETS`], it hands
//! over those on which the host answers the server, if it is to answer at all. The host says
//! [`TERMINATE`], or lets go, which means: kill.

use crate::profile::Network;
#[cfg(unix)]
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, recvmsg};
#[cfg(unix)]
use std::io::{self, ErrorKind, IoSliceMut};
#[cfg(unix)]
use std::mem::MaybeUninit;
#[cfg(unix)]
use std::os::fd::{AsFd, OwnedFd};

/// Host to jail: ask the server's process group to end.
pub const TERMINATE: u8 = b'T';

/// Jail to host, before the report: with this line come sockets of the network that is the server's
/// own. The first is the one to which it sends questions about names, the others listen, one at each
/// port.
pub const SOCKETS: &str = "sockets\n";
/// As many come at most; [`Network::sockets`] says how many do.
pub const MOST_SOCKETS: usize = Network::MOST_PORTS + 1;

/// Nothing that is started in the same moment gets the sockets, too.
#[cfg(target_os = "linux")]
const CLOSED_ON_EXEC: RecvFlags = RecvFlags::CMSG_CLOEXEC;
/// macOS knows no such flag, and the jail has no sockets there.
#[cfg(all(unix, not(target_os = "linux")))]
const CLOSED_ON_EXEC: RecvFlags = RecvFlags::empty();

/// Exit code of the jail when there is no such command, as in a shell.
pub const NOT_FOUND: u8 = 127;
/// Exit code of the jail when the command cannot be run, as in a shell.
pub const NOT_EXECUTABLE: u8 = 126;
/// Exit code of the jail when it was called in a wrong way.
pub const MISUSED: u8 = 125;

/// What ends a server when nobody asks it to, such as after the host was killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hold {
    /// A PID namespace: the kernel ends everything in it together with its first process, which
    /// nothing in it can kill or stop.
    Namespace,
    /// The jail alone. The server can kill it, and what it started can then outlive both.
    Jail {
        /// The server's process, which leads its own process group.
        group: u32,
    },
}

/// Jail to host: what became of the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// It runs.
    Started(Hold),
    /// There is no such command, or its interpreter is missing.
    NotFound,
    /// It is there and cannot be run.
    NotExecutable {
        /// The system's word.
        problem: String,
    },
    /// It cannot be confined as it should be, and was not started.
    NotConfined {
        /// What could not be done, in the system's words.
        problem: String,
    },
}

impl Report {
    /// The report as a line, with its end.
    pub fn to_line(&self) -> String {
        match self {
            Self::Started(Hold::Namespace) => "started-in-namespace\n".to_owned(),
            Self::Started(Hold::Jail { group }) => format!("started {group}\n"),
            Self::NotFound => "not-found\n".to_owned(),
            Self::NotExecutable { problem } => {
                format!("not-executable {}\n", problem.replace(['\n', '\r'], " "))
            }
            Self::NotConfined { problem } => {
                format!("not-confined {}\n", problem.replace(['\n', '\r'], " "))
            }
        }
    }

    /// Reads a line. `None` if it is no report.
    pub fn from_line(line: &str) -> Option<Self> {
        let line = line.trim_end();
        match line.split_once(' ') {
            Some(("started", group)) => {
                let group = group.parse().ok()?;
                Some(Self::Started(Hold::Jail { group }))
            }
            Some(("not-executable", problem)) => Some(Self::NotExecutable {
                problem: problem.to_owned(),
            }),
            Some(("not-confined", problem)) => Some(Self::NotConfined {
                problem: problem.to_owned(),
            }),
            None if line == "started-in-namespace" => Some(Self::Started(Hold::Namespace)),
            None if line == "not-found" => Some(Self::NotFound),
            _ => None,
        }
    }
}

/// Reads once what the jail says, into `text`, with the sockets that come with it. Gives how many
/// bytes came: none at the end.
///
/// # Errors
/// `InvalidData` if not all sockets arrived; others if the lifeline cannot be read.
#[cfg(unix)]
pub fn receive(
    lifeline: impl AsFd,
    text: &mut Vec<u8>,
    sockets: &mut Vec<OwnedFd>,
) -> io::Result<usize> {
    let mut bytes = [0; 1024];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_SOCKETS))];
    let mut attached = RecvAncillaryBuffer::new(&mut space);
    let mut into = [IoSliceMut::new(&mut bytes)];
    let received = recvmsg(lifeline, &mut into, &mut attached, CLOSED_ON_EXEC)?;
    text.extend_from_slice(&bytes[..received.bytes]);
    // What did arrive is closed by its owners, also where the call fails below.
    for message in attached.drain() {
        if let RecvAncillaryMessage::ScmRights(more) = message {
            sockets.extend(more);
        }
    }
    if received.flags.contains(ReturnFlags::CTRUNC) {
        let problem = "not all sockets of its launcher arrived";
        return Err(io::Error::new(ErrorKind::InvalidData, problem));
    }
    Ok(received.bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_arrives_as_it_was_sent() {
        let problem = "permission denied".to_owned();
        for report in [
            Report::Started(Hold::Namespace),
            Report::Started(Hold::Jail { group: 7 }),
            Report::NotFound,
            Report::NotExecutable {
                problem: problem.clone(),
            },
            Report::NotConfined { problem },
        ] {
            assert_eq!(Report::from_line(&report.to_line()), Some(report));
        }
        assert_eq!(Report::from_line("started x"), None);
        assert_eq!(Report::from_line(""), None);
    }
}
