//! What a server on this computer may touch, as every surface shows it.

use protocol::{ConfinementSettings, ConfinementTier};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a server on this computer may touch, and by what that is enforced.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ConfinementView {
    /// What the person chose.
    pub settings: ConfinementSettings,
    /// The strongest that this computer has; none means that a server which is to be confined does
    /// not start.
    pub tier: Option<ConfinementTier>,
    /// What it could touch if it were started now, beside the system's own programs and libraries.
    pub paths: Vec<ReachablePath>,
    /// What its command or its variables name and it is not given by the way, because it is
    /// protected or holds everything of the person.
    pub withheld: Vec<String>,
    /// What is kept from it although it lies in something that it is given.
    pub hidden: Vec<String>,
    /// The folder that is its home; absent while it is not kept as a server.
    pub home: Option<String>,
    /// Hosts that it asked for since it was started last, and did not reach.
    pub refused: Vec<RefusedHost>,
    /// Files that its calls named since it was started last, and that lie outside what it was given.
    pub refused_files: Vec<RefusedFile>,
}

/// A file or folder that a server may touch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ReachablePath {
    /// Its absolute path.
    pub path: String,
    /// Whether it may be changed.
    pub change: bool,
    /// Why.
    pub because: PathReason,
}

/// Why a server may touch something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum PathReason {
    /// It is its program, or the runtime of that.
    Program,
    /// It is the code that the program runs.
    Code,
    /// It stands in its command or in one of its variables.
    Argument,
    /// It is its working directory.
    WorkingFolder,
    /// It is one of its folders.
    Root,
    /// The person gave it besides.
    Chosen,
}

/// A host that a server asked for and did not reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedHost {
    /// Its name, as the server asked for it. A claim.
    pub name: String,
    /// How often.
    pub times: u32,
    /// Why it was not reached.
    pub because: RefusedBecause,
    /// What the system says about that. English.
    pub problem: Option<String>,
}

/// Why a host was not reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum RefusedBecause {
    /// Nobody listed it, or not this port of it.
    NotListed,
    /// It is listed, and leads to where this server may not go, such as a private network of which
    /// the address is not listed.
    Forbidden,
    /// It is listed, and could not be reached.
    Unreachable,
}

/// A file that calls of a server named, and that lies outside what it was given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RefusedFile {
    /// Where it really lies.
    pub path: String,
    /// How often.
    pub times: u32,
}
