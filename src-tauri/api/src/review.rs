//! What would be run or called, in full, and what a person should look at twice.

use crate::ConfinementView;
use protocol::{Fingerprint, Identity, IdentityChange, Launch};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What would be run or called, in full. Nothing runs before a person has seen it.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct Review {
    /// The name it is or will be kept under.
    pub name: String,
    /// Everything that decides what is run or called; of secrets the names.
    pub launch: Launch,
    /// The file that `command` means now, with symbolic links followed; absent if it was not found,
    /// and for an address.
    pub resolved: Option<String>,
    /// The working directory it will have; absent for an address.
    pub cwd: Option<String>,
    /// The files and packages that it leads to, as far as they can be found out without starting
    /// it.
    pub identity: Identity,
    /// What of these is not what was reviewed before.
    pub changes: Vec<IdentityChange>,
    /// Names of the host's own environment that are passed on.
    pub inherited: Vec<String>,
    /// What a person should look at twice, dangers first.
    pub warnings: Vec<ReviewWarning>,
    /// How many of the warnings, from the first on, are dangers: what runs cannot be told from its
    /// name.
    pub dangers: u32,
    /// What it may touch; absent for an address and for what is a part of Majordomo.
    pub confinement: Option<ConfinementView>,
    /// Folders that its arguments name, so that it can use them, and that are not among its folders.
    pub folders: Vec<ArgumentFolder>,
    /// To be sent with `enable_server`.
    pub fingerprint: Fingerprint,
}

/// A folder that an argument names, and that can become one of the server's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ArgumentFolder {
    /// Which argument, from 1 on.
    pub argument: u32,
    /// The folder, as it is to be listed.
    pub path: String,
}

/// What a person should look at twice before letting something run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ReviewWarning {
    /// The command was not found or is not executable.
    NotFound,
    /// It starts a shell or passes code on the command line.
    InlineCode,
    /// It runs something with more rights (`sudo`, `doas`, `runas`).
    MoreRights,
    /// It gives a container the run of the whole computer (`--privileged`, its root folder, the
    /// container engine's socket).
    WholeComputer,
    /// It downloads what it runs (`npx`, `uvx`, …), so what runs can change.
    Downloads,
    /// An environment variable that changes which code is loaded.
    DangerousEnvironment {
        /// Its name.
        name: String,
    },
    /// A value that looks like a secret is not marked as one.
    LooksSecret {
        /// The name of the setting.
        name: String,
    },
    /// An argument holds a secret, which every program on the computer can read.
    SecretInArgument {
        /// Which one, from 1 on.
        argument: u32,
    },
    /// Leading or trailing white space, or invisible characters, in the command, an argument, the
    /// address or a setting.
    HiddenCharacters {
        /// Where: `command`, `argument N`, `folder`, `url`, or the name of a setting.
        place: String,
    },
    /// A value is still to be filled in: it is missing, or stands for another one (`${TOKEN}`).
    /// Nothing is ever put in its place.
    Placeholder {
        /// Where: the name of a setting, or as in `HiddenCharacters`.
        name: String,
    },
    /// Its name can be taken for that of another server.
    LooksLike {
        /// The other one.
        name: String,
    },
    /// The command belongs to a runtime that is not installed.
    RuntimeMissing {
        /// Which one.
        runtime: Runtime,
    },
}

/// Something that runs programs of others, and that a person may have to install first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Runtime {
    /// Node.js: `node`, `npm`, `npx`.
    Node,
    /// uv: `uv`, `uvx`.
    Uv,
    /// Python: `python`, `python3`.
    Python,
    /// Docker: `docker`.
    Docker,
    /// Deno: `deno`.
    Deno,
    /// Bun: `bun`, `bunx`.
    Bun,
    /// .NET: `dotnet`, `dnx`.
    Dotnet,
    /// Java: `java`.
    Java,
}
