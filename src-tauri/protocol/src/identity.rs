//! What runs when a launch is started, as far as it could be found out. The launch itself has its
//! own fingerprint; this is about the files and packages that it leads to, which change without a
//! word of the launch changing.

mod differences;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What runs. A piece that is missing was not found out, or does not belong to this kind of launch.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Identity {
    /// The program that is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub program: Option<ProgramIdentity>,
    /// The file that an interpreter is told to run, or another program that only starts it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub script: Option<FileIdentity>,
    /// The code that the script can load: modules beside it, and what is installed for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub modules: Option<ModulesIdentity>,
    /// The package that a package runner (`npx`, `uvx`, …) is told to run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub package: Option<PackageIdentity>,
    /// The image of a container.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub image: Option<ImageIdentity>,
    /// Code that could not be read. It is told to the person, and compared with nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unread: Vec<Unread>,
}

/// The program that is started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ProgramIdentity {
    /// Its absolute path: the file itself, with links followed. Of a runtime, the path by which it
    /// is found.
    pub path: String,
    /// 64 hexadecimal digits over its content. None for a runtime: the system renews it, and what
    /// counts is what it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sha256: Option<String>,
}

/// A file that is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct FileIdentity {
    /// Its absolute path, with links followed.
    pub path: String,
    /// 64 hexadecimal digits over its content; none if it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub sha256: Option<String>,
}

/// Code that a script can load.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ModulesIdentity {
    /// 64 hexadecimal digits over the paths and contents of all files.
    pub sha256: String,
    /// How many files that covers.
    pub files: u32,
}

/// A package with all it depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct PackageIdentity {
    /// Its name, as its makers publish it.
    pub name: String,
    /// The version that is installed. None while nothing is downloaded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub version: Option<String>,
    /// 64 hexadecimal digits over the names, versions and digests of everything that is installed
    /// with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub lock_sha256: Option<String>,
    /// How many packages that covers, itself included; 0 if they are not counted.
    pub parts: u32,
}

/// The image of a container.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ImageIdentity {
    /// As it is written in the launch.
    pub reference: String,
    /// Whether it names one content (`name@sha256:…`). A name or a tag can mean another image
    /// tomorrow.
    pub pinned: bool,
}

/// A piece that could not be read: what it holds is not known, and nobody has reviewed it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Unread {
    /// Which one.
    pub piece: IdentityPiece,
    /// Where it is named or would lie: words of the launch, or a path. Empty where the piece says
    /// it all.
    #[serde(default)]
    pub at: String,
    /// Why.
    pub reason: UnreadReason,
}

/// Why a piece could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum UnreadReason {
    /// The system did not let us, or the disk failed.
    Unreadable,
    /// It is larger than what is read.
    TooLarge,
    /// It is not in the form that was expected.
    Malformed,
    /// It changed while it was read.
    Changing,
    /// There are more files of code than are read.
    TooMany,
    /// It is not where it would be looked for.
    NotFound,
    /// What is started or loaded there is decided only when it runs.
    NotFollowed,
}

/// What of an identity may differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum IdentityPiece {
    /// Where the program lies.
    ProgramPath,
    /// The content of the program.
    Program,
    /// The file that is run, or its content.
    Script,
    /// The code that the script can load.
    Modules,
    /// The version of the package, or the package.
    PackageVersion,
    /// What is installed with the package, or a package of the same version with another content.
    PackageContents,
    /// The image of a container.
    Image,
}

/// One piece that is not what it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct IdentityChange {
    /// Which one.
    pub piece: IdentityPiece,
    /// What it was: a path, a version, or the beginning of a digest.
    pub before: String,
    /// What it is; empty if it could not be found out.
    pub now: String,
}

/// When it was looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Looked {
    /// Before the start. A package that is not there will be downloaded, so that its absence means
    /// nothing yet.
    BeforeStart,
    /// While it runs. What cannot be found out now will not be found out later.
    Running,
}
