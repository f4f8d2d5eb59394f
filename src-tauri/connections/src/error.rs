//! What can go wrong with a server, as fields for code and a sentence for people. No value of a
//! secret, no address with one.

use crate::wire::RpcError;
use serde_json::Value;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Why a server could not be started or a request to it failed.
#[derive(Debug, thiserror::Error)]
pub enum ConnectionError {
    /// There is no such program (or its interpreter is missing).
    #[error("the command {} was not found", command.display())]
    CommandNotFound {
        /// The program.
        command: PathBuf,
    },
    /// The program is there and cannot be run.
    #[error("{} cannot be executed: {problem}", command.display())]
    NotExecutable {
        /// The program.
        command: PathBuf,
        /// The system's word.
        problem: String,
    },
    /// The working directory is not there.
    #[error("the working folder {} is not there", cwd.display())]
    NoWorkingDirectory {
        /// The directory.
        cwd: PathBuf,
    },
    /// The program that keeps servers in hand is missing; without it no server is started.
    #[error("the program {} is missing or cannot be run", jail.display())]
    JailMissing {
        /// Where it should lie.
        jail: PathBuf,
    },
    /// It cannot be confined as it should be, and was not started.
    #[error("it cannot be confined, and was not started: {problem}")]
    NotConfined {
        /// What could not be done, in the system's words.
        problem: String,
    },
    /// The process ended before it answered the first message.
    #[error("it stopped while starting{}", exit_words(*status))]
    ExitedAtStart {
        /// Its exit code; 128 and the signal's number if it was killed.
        status: Option<i32>,
    },
    /// No answer to the first message in time.
    #[error("it did not answer within {} s of being started", after.as_secs_f64())]
    StartTimedOut {
        /// The limit.
        after: Duration,
    },
    /// What it writes is not the protocol.
    #[error("it does not speak MCP{}", said(first_line))]
    NotProtocol {
        /// The first thing it wrote that is not a message, shortened.
        first_line: Option<String>,
    },
    /// No connection to the address.
    #[error("it cannot be reached: {problem}")]
    Unreachable {
        /// What the network says, without the address.
        problem: String,
    },
    /// It wants a sign-in, or another one (HTTP 401 or 403).
    #[error("it wants a sign-in (HTTP {status})")]
    NeedsSignIn {
        /// 401 or 403.
        status: u16,
        /// The values of `WWW-Authenticate`, in its words.
        challenge: Vec<String>,
    },
    /// The certificate of the address is not good.
    #[error("its certificate is not good: {problem}")]
    BadCertificate {
        /// What is wrong with it.
        problem: String,
    },
    /// The address lies where this server may not send us, or where nobody may.
    #[error("the address {host} must not be used: {problem}")]
    AddressForbidden {
        /// The host.
        host: String,
        /// Why.
        problem: String,
    },
    /// It sends us on to another origin, where nothing of ours is sent.
    #[error("it sends us on to {origin}")]
    Redirected {
        /// The other origin.
        origin: String,
    },
    /// The proxy did not connect.
    #[error("the proxy did not connect: {problem}")]
    ProxyFailed {
        /// What happened.
        problem: String,
    },
    /// It forgot the session, and a new one could not be begun.
    #[error("it forgot the session")]
    SessionLost,
    /// It speaks no revision of the protocol that is known here.
    #[error("it speaks no revision of the protocol that is known here, but {}", offered.join(", "))]
    RevisionUnknown {
        /// The revisions that it named, shortened.
        offered: Vec<String>,
    },
    /// It answered, and the answer is none.
    #[error("its answer cannot be read: {problem}")]
    Unreadable {
        /// What is wrong with it.
        problem: String,
    },
    /// It does not offer this.
    #[error("it does not offer {what}")]
    NotOffered {
        /// What was wanted.
        what: &'static str,
    },
    /// It wanted something before it answers, and did not get it.
    #[error("it wanted something that it was not given ({method})")]
    NotGiven {
        /// The method that it would have been.
        method: String,
    },
    /// It asks back again and again before it answers.
    #[error("it asked back {rounds} times and still gave no answer")]
    TooManyRounds {
        /// How often it asked.
        rounds: usize,
    },
    /// What became of its task is not known.
    #[error("what became of its task is not known: {problem}")]
    TaskLost {
        /// What happened.
        problem: String,
    },
    /// It answered with an HTTP status that is no success.
    #[error("it answered with HTTP status {status}")]
    HttpStatus {
        /// The status.
        status: u16,
    },
    /// The address or a header cannot be used.
    #[error("{problem}")]
    BadUrl {
        /// What is wrong with it.
        problem: String,
    },
    /// The connection ended. What a running call did is unknown.
    #[error("the connection was lost{}", exit_words(*status))]
    ConnectionLost {
        /// The exit code of the process, if there was one and it ended.
        status: Option<i32>,
    },
    /// No answer in time; the server was told to stop, and may still be working.
    #[error("it did not answer within {} s", after.as_secs_f64())]
    TimedOut {
        /// The limit.
        after: Duration,
    },
    /// It sent a message that is longer than the limit.
    #[error("it sent a message of more than {} MiB", limit / (1024 * 1024))]
    MessageTooLong {
        /// The limit in bytes.
        limit: usize,
    },
    /// It sent a message with more of something than any that means well.
    #[error("it sent more than {limit} {what}")]
    Oversized {
        /// Of what.
        what: &'static str,
        /// How many are read.
        limit: usize,
    },
    /// A list that takes more memory than is kept of a server.
    #[error("its list is too large: it takes more than {} MiB ({method})", limit / (1024 * 1024))]
    ListTooLarge {
        /// Which list.
        method: &'static str,
        /// The limit in bytes.
        limit: usize,
    },
    /// It answered with an error of the protocol.
    #[error("it answered with an error: {message} ({code})")]
    Server {
        /// The JSON-RPC code.
        code: i32,
        /// The server's words.
        message: String,
        /// What it added.
        data: Option<Box<Value>>,
    },
    /// It would run the tool only by another definition than the one that was approved. Nothing was
    /// run.
    #[error("the tool is not what was approved any more")]
    ToolChanged,
    /// The caller cancelled; the server was told.
    #[error("the call was cancelled")]
    Cancelled,
    /// A list that does not end.
    #[error("its list does not end: stopped after {pages} pages with {items} entries ({method})")]
    Endless {
        /// Which list.
        method: &'static str,
        /// Pages that were read.
        pages: usize,
        /// Entries on them.
        items: usize,
    },
}

impl ConnectionError {
    /// Something that confines a server failed.
    pub(crate) fn not_confined(error: io::Error) -> Self {
        Self::NotConfined {
            problem: error.to_string(),
        }
    }

    /// An answer that is none.
    pub(crate) fn unreadable(problem: serde_json::Error) -> Self {
        Self::Unreadable {
            problem: problem.to_string(),
        }
    }

    /// A word for its kind, the same for all of that kind.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::CommandNotFound { .. } => "command_not_found",
            Self::NotExecutable { .. } => "not_executable",
            Self::NoWorkingDirectory { .. } => "no_working_directory",
            Self::JailMissing { .. } => "program_incomplete",
            Self::NotConfined { .. } => "not_confined",
            Self::ExitedAtStart { .. } => "exited_at_start",
            Self::StartTimedOut { .. } => "start_timed_out",
            Self::NotProtocol { .. } => "not_protocol",
            Self::Unreachable { .. } => "unreachable",
            Self::NeedsSignIn { .. } => "needs_sign_in",
            Self::BadCertificate { .. } => "bad_certificate",
            Self::AddressForbidden { .. } => "address_forbidden",
            Self::Redirected { .. } => "redirected",
            Self::ProxyFailed { .. } => "proxy_failed",
            Self::SessionLost => "session_lost",
            Self::RevisionUnknown { .. } => "revision_unknown",
            Self::Unreadable { .. } => "unreadable",
            Self::NotOffered { .. } => "not_offered",
            Self::NotGiven { .. } => "input_declined",
            Self::TooManyRounds { .. } => "too_many_rounds",
            Self::TaskLost { .. } => "task_lost",
            Self::HttpStatus { .. } => "http_status",
            Self::BadUrl { .. } => "bad_url",
            Self::ConnectionLost { .. } => "connection_lost",
            Self::TimedOut { .. } => "timed_out",
            Self::MessageTooLong { .. } => "message_too_long",
            Self::Oversized { .. } => "message_oversized",
            Self::ListTooLarge { .. } => "list_too_large",
            Self::Server { .. } => "server_error",
            Self::ToolChanged => "tool_changed",
            Self::Cancelled => "cancelled",
            Self::Endless { .. } => "list_endless",
        }
    }

    /// The code of an error of the protocol, if it is one.
    pub(crate) fn rpc_code(&self) -> Option<i32> {
        match self {
            Self::Server { code, .. } => Some(*code),
            _ => None,
        }
    }
}

impl From<RpcError> for ConnectionError {
    fn from(error: RpcError) -> Self {
        Self::Server {
            code: error.code,
            message: error.message,
            data: error.data,
        }
    }
}

/// Why a server could not be started, and what it wrote on its standard error before.
#[derive(Debug, thiserror::Error)]
#[error("{error}")]
pub struct StartError {
    /// Why.
    #[source]
    pub error: ConnectionError,
    /// The last lines of its standard error.
    pub stderr: Vec<String>,
}

impl From<ConnectionError> for StartError {
    fn from(error: ConnectionError) -> Self {
        Self {
            error,
            stderr: Vec::new(),
        }
    }
}

fn exit_words(status: Option<i32>) -> String {
    status
        .map(|status| format!(" (exit code {status})"))
        .unwrap_or_default()
}

fn said(first_line: &Option<String>) -> String {
    first_line
        .as_ref()
        .map(|line| format!("; it wrote: {line}"))
        .unwrap_or_default()
}
