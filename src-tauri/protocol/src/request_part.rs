//! What a request to a model held, put together by what it is and from whom.

use crate::{Confidentiality, ServerId, Trust};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What a request held of one kind, from one source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct RequestPart {
    /// What it is.
    pub kind: RequestPartKind,
    /// How many there are of these.
    pub count: u32,
    /// How many of them were shortened: sent without their pictures, or only named.
    #[serde(default)]
    pub shortened: u32,
    /// How many of them were not sent at all.
    #[serde(default)]
    pub left_out: u32,
    /// About how many tokens were sent of them.
    #[ts(type = "number")]
    pub tokens: u64,
    /// How far they may be believed at the worst.
    pub trust: Trust,
    /// Who may read them at the most.
    pub confidentiality: Confidentiality,
}

/// What a part of a request is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum RequestPartKind {
    /// Words of this application on how to go about it.
    Instructions,
    /// The definitions of a server's tools.
    Definitions {
        /// Which server.
        server: ServerId,
    },
    /// The definitions of tools of this application.
    OwnDefinitions,
    /// What the person said. In a request of an earlier version, with what they attached.
    Said,
    /// What another model gives it to do.
    Task,
    /// What the person attached.
    Attached,
    /// That the person has let a turn go on.
    LetGoOn,
    /// What was imported from a file.
    Imported,
    /// What models answered.
    Replies,
    /// What calls came to.
    Results {
        /// Of which server; none where there was no such tool.
        server: Option<ServerId>,
    },
}
