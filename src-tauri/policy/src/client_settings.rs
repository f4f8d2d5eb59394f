//! What a person gives to another application, and how it is shown it.
//!
//! Always true here: what an application is not given, it is refused, whatever rules and grants say.

use crate::{Refusal, Target, ToolSelection};
use protocol::{ServerId, WorkspaceId};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What an application is given, and how it is shown it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct ClientSettings {
    /// How it is shown its tools.
    pub mode: ToolMode,
    /// Which servers and tools it has.
    pub tools: ToolSelection,
    /// In which workspace it works; none means the one in use. While another one is in use it is
    /// given nothing.
    pub workspace: Option<WorkspaceId>,
    /// Whether it is offered Majordomo's own tools, by which it sees what of its own waits and what
    /// it did.
    pub own_tools: bool,
}

/// How an application is shown its tools at the joint endpoint.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ToolMode {
    /// Each is listed.
    #[default]
    Direct,
    /// It looks for them: three tools that find, describe and call are listed in their place.
    Search,
}

/// What a person changes of that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ClientChange {
    /// How it is shown its tools.
    Mode {
        /// How.
        mode: ToolMode,
    },
    /// Which servers and tools it has.
    Tools {
        /// Which.
        tools: ToolSelection,
    },
    /// In which workspace it works.
    Workspace {
        /// Which one; none means the one in use.
        workspace: Option<WorkspaceId>,
    },
    /// Whether it is offered Majordomo's own tools.
    OwnTools {
        /// On?
        on: bool,
    },
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            mode: ToolMode::default(),
            tools: ToolSelection::default(),
            workspace: None,
            own_tools: true,
        }
    }
}

impl ClientSettings {
    /// The same with something changed.
    #[must_use]
    pub fn changed(mut self, change: ClientChange) -> Self {
        match change {
            ClientChange::Mode { mode } => self.mode = mode,
            ClientChange::Tools { tools } => self.tools = tools,
            ClientChange::Workspace { workspace } => self.workspace = workspace,
            ClientChange::OwnTools { on } => self.own_tools = on,
        }
        self
    }

    /// Whether more may happen after a change.
    pub fn lets_more_happen(&self, change: &ClientChange) -> bool {
        match change {
            ClientChange::Mode { .. } => false,
            ClientChange::Tools { tools } => !tools.is_within(&self.tools),
            // Who works in one workspace only is given nothing while another is in use.
            ClientChange::Workspace { workspace } => {
                self.workspace.is_some() && self.workspace != *workspace
            }
            ClientChange::OwnTools { on } => *on && !self.own_tools,
        }
    }

    /// Why it is given nothing at all while this workspace is in use, if so.
    pub fn elsewhere(&self, in_use: &WorkspaceId) -> Option<Refusal> {
        let is_its_own = self.workspace.as_ref().is_none_or(|own| own == in_use);
        (!is_its_own).then_some(Refusal::WorkspaceNotInUse)
    }

    /// Why it is not given this while this workspace is in use, if so.
    pub fn withholds(
        &self,
        in_use: &WorkspaceId,
        server: &ServerId,
        target: Target<'_>,
    ) -> Option<Refusal> {
        let is_selected = self.tools.has(server, target);
        self.elsewhere(in_use)
            .or_else(|| (!is_selected).then_some(Refusal::NotSelected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Selected;

    fn workspace(name: &str) -> Option<WorkspaceId> {
        Some(WorkspaceId::from(name))
    }

    #[test]
    fn a_change_that_only_takes_away_lets_nothing_more_happen() {
        let files = || Selected {
            server: ServerId::parse("files").unwrap(),
            tools: None,
        };
        let only = || ToolSelection::Only {
            parts: vec![files()],
        };
        let at = |settings: ClientSettings, change| settings.lets_more_happen(&change);
        let of = |tools| ClientChange::Tools { tools };
        let usual = ClientSettings::default;
        let few = || usual().changed(of(only()));
        let bound = || ClientSettings {
            workspace: workspace("home"),
            ..usual()
        };
        let into = |workspace| ClientChange::Workspace { workspace };
        assert!(!at(usual(), of(only())));
        assert!(at(few(), of(ToolSelection::All)));
        assert!(!at(few(), of(only())));
        assert!(!at(usual(), into(workspace("home"))));
        assert!(!at(bound(), into(workspace("home"))));
        assert!(at(bound(), into(workspace("work"))));
        assert!(at(bound(), into(None)));
        let mode = ToolMode::Search;
        assert!(!at(usual(), ClientChange::Mode { mode }));
        assert!(!at(usual(), ClientChange::OwnTools { on: false }));
        let without = usual().changed(ClientChange::OwnTools { on: false });
        assert!(at(without, ClientChange::OwnTools { on: true }));
    }

    #[test]
    fn who_works_in_another_workspace_is_given_nothing() {
        let files = ServerId::parse("files").unwrap();
        let bound = ClientSettings {
            workspace: workspace("home"),
            ..ClientSettings::default()
        };
        let withheld = |in_use: &str| {
            let in_use = WorkspaceId::from(in_use);
            bound.withholds(&in_use, &files, Target::Server)
        };
        assert_eq!(withheld("home"), None);
        assert_eq!(withheld("work"), Some(Refusal::WorkspaceNotInUse));
    }
}
