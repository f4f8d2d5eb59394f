//! `majordomoctl workspaces …`

use clap::Subcommand;

/// A workspace is named by its name or by its number; the first one is `home` as long as it has no
/// name.
#[derive(Debug, Subcommand)]
pub(crate) enum Workspaces {
    /// All workspaces.
    List,
    /// Make a workspace. It is not in use yet, and nothing is allowed in it.
    Add {
        /// What to call it.
        name: String,
        /// Begin with the servers, folders and switched-off tools of this one.
        #[arg(long, value_name = "WORKSPACE")]
        like: Option<String>,
    },
    /// Call a workspace something else.
    Rename {
        /// Which one.
        workspace: String,
        /// What to call it.
        name: String,
    },
    /// Remove a workspace with everything that was allowed in it. The one in use cannot be removed.
    Remove {
        /// Which one.
        workspace: String,
    },
    /// Use another workspace: servers that are not on there stop, those that are start.
    Use {
        /// Which one.
        workspace: String,
    },
}
