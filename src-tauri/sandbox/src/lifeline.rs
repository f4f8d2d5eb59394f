//! What the host and the jail say to each other: one connected pair of sockets, of which the server
//! sees neither end.
//!
//! The jail says once what became of the start, as one line. The host says [`TERMINATE`], or lets
//! go, which means: kill.

/// Host to jail: ask the server's process group to end.
pub const TERMINATE: u8 = b'T';

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
            None if line == "started-in-namespace" => Some(Self::Started(Hold::Namespace)),
            None if line == "not-found" => Some(Self::NotFound),
            _ => None,
        }
    }
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
            Report::NotExecutable { problem },
        ] {
            assert_eq!(Report::from_line(&report.to_line()), Some(report));
        }
        assert_eq!(Report::from_line("started x"), None);
        assert_eq!(Report::from_line(""), None);
    }
}
