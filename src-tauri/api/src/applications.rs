//! Other applications on this computer, and whether their configurations lead here.

use super::Application;
use protocol::{CallerId, Fingerprint, ServerId, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// An application on this computer that can start `majordomoctl bridge`, and whether it does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ApplicationView {
    /// Which one. One of which several editions are installed is listed once for each.
    pub application: Application,
    /// The file in which it keeps its servers. It need not be there yet.
    pub path: String,
    /// Where that file really lies, if a link leads there.
    pub leads_to: Option<String>,
    /// Whether it leads here.
    pub connection: ConnectionState,
    /// As which client it comes in, if it does.
    pub client: Option<CallerId>,
    /// The copy of its file from before it was connected, if there was one.
    pub backup: Option<String>,
    /// How it takes up a change of its file.
    pub takes_up: TakesUp,
}

/// Whether an application's configuration leads here.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConnectionState {
    /// Nothing in its file leads here.
    NotConnected,
    /// The entry is in its file, and the application has not come in by it yet.
    Written,
    /// The entry is in its file, and the application has come in since.
    Connected {
        /// When it did last.
        seen_at: Timestamp,
    },
    /// An entry in its file leads here, and whether this very application has come in by it cannot
    /// be told: others name the same client, or a person wrote the entry in a way of their own.
    LeadsHere {
        /// When whoever comes in as its client did last, if that is known and was ever.
        seen_at: Option<Timestamp>,
    },
    /// It was connected, and its file is not as it was left.
    Changed {
        /// What is different.
        what: ConnectionChange,
    },
    /// Its file cannot be read, so that nothing can be said and nothing is written.
    Unreadable {
        /// Why, in a sentence.
        problem: String,
    },
}

/// What is different in the file of an application that was connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ConnectionChange {
    /// The entry is gone.
    Gone,
    /// The entry says something else, or Majordomo lies elsewhere by now.
    Altered,
    /// The client that the entry names may not come in any more.
    NotLetIn,
}

/// How an application takes up a change of its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TakesUp {
    /// It sees the change.
    ByItself,
    /// With the next session that is begun in it.
    NewSession,
    /// When it is started again.
    Restart,
}

/// What connecting an application, or taking that back, would change in its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ConnectionPreview {
    /// Which application.
    pub application: Application,
    /// Its file.
    pub path: String,
    /// Where that file really lies, if a link leads there.
    pub leads_to: Option<String>,
    /// As which client it comes in, or came in. None where nobody is known by that entry.
    pub client: Option<CallerId>,
    /// What that client is called.
    pub name: String,
    /// What would be done.
    pub plan: ConnectionPlan,
    /// How the application takes up the change.
    pub takes_up: TakesUp,
}

/// What would be done with an application's file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ConnectionPlan {
    /// It is written, made or removed.
    Write {
        /// What becomes of the file.
        file: FileFate,
        /// The difference, with the lines around it; values that look secret are covered.
        lines: Vec<DifferenceLine>,
        /// How many more lines there are than are shown.
        more: u32,
        /// Stands for the file as it was read and as it would be written. It goes with the request
        /// that carries it out.
        hash: Fingerprint,
    },
    /// The file stays as it is; a person can put the entry there, or take it out, themselves. The
    /// client that the entry names comes in once it was added under the name in the preview.
    Paste {
        /// Why it is not written, in a sentence.
        problem: String,
        /// What to put there; empty where the entry is to be taken out.
        snippet: String,
    },
}

/// What becomes of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FileFate {
    /// There is none yet, and one is made.
    Made,
    /// It is changed in place, and a copy is kept before.
    Changed,
    /// It is exactly what it was before it was connected.
    Restored,
    /// It was made here, and goes.
    Removed,
    /// It stays as it is: the entry is gone already.
    Untouched,
}

/// A line of a difference.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct DifferenceLine {
    /// Whether it stays, comes or goes.
    pub kind: LineKind,
    /// Its number before, from 1; none if it comes.
    pub before: Option<u32>,
    /// Its number after, from 1; none if it goes.
    pub after: Option<u32>,
    /// What it says, without its end. What cannot be seen is made visible, what is long is cut.
    pub text: String,
}

/// Whether a line stays, comes or goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum LineKind {
    /// It stays.
    Same,
    /// It goes.
    Removed,
    /// It comes.
    Added,
}

/// A server that an application starts or calls itself: Majordomo neither asks nor logs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Bypass {
    /// Which application.
    pub application: Application,
    /// The file in which it stands.
    pub path: String,
    /// The project that it belongs to, where it is kept for one only. Files of projects are never
    /// written.
    pub project: Option<String>,
    /// Its name there.
    pub source_name: String,
    /// What is run or called, in one line; values that look secret are covered.
    pub runs: String,
    /// The server here that runs or calls the same, whatever it is called.
    pub server: Option<ServerId>,
    /// Whether it can be taken out of the file when the application is connected.
    pub removable: bool,
}
