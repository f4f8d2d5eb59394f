//! Which servers and tools an application has, as a person has chosen.
//!
//! Always true here:
//! - what goes with a server as a whole (its resources, prompts, proposals, logs) belongs to whoever
//!   has the whole server;
//! - whether one selection holds no more than another is answered with no where it is not certain.

use crate::Target;
use protocol::{ServerId, ToolName};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use ts_rs::TS;

/// Which servers and tools an application has.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ToolSelection {
    /// All that there are, also those that come later.
    #[default]
    All,
    /// These and no others.
    Only {
        /// Which.
        parts: Vec<Selected>,
    },
    /// All but these.
    Except {
        /// Which.
        parts: Vec<Selected>,
    },
}

/// A server, or some of its tools.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Selected {
    /// Which server.
    pub server: ServerId,
    /// Which of its tools; none means the whole server.
    pub tools: Option<BTreeSet<ToolName>>,
}

impl ToolSelection {
    /// Whether it holds this. A server as such is held where anything of it may be.
    pub fn has(&self, server: &ServerId, target: Target<'_>) -> bool {
        match self {
            Self::All => true,
            Self::Only { parts } => parts
                .iter()
                .any(|part| part.is_of(server) && (target == Target::Server || part.holds(target))),
            Self::Except { parts } => !parts
                .iter()
                .any(|part| part.is_of(server) && part.holds(target)),
        }
    }

    /// Whether it certainly holds nothing that `other` does not.
    pub fn is_within(&self, other: &Self) -> bool {
        match (self, other) {
            (_, Self::All) => true,
            (Self::Only { parts }, Self::Only { parts: wider }) => {
                parts.iter().all(|part| part.is_in(wider))
            }
            (Self::Only { parts }, Self::Except { parts: lacks }) => {
                !parts.iter().any(|part| part.meets(lacks))
            }
            (Self::Except { parts }, Self::Except { parts: lacks }) => {
                lacks.iter().all(|lacking| lacking.is_in(parts))
            }
            (Self::All, Self::Only { .. } | Self::Except { .. })
            | (Self::Except { .. }, Self::Only { .. }) => false,
        }
    }

    /// A server is gone: another one that is called the same later is not the one that was chosen.
    pub fn forget(&mut self, server: &ServerId) {
        if let Self::Only { parts } = self {
            parts.retain(|part| !part.is_of(server));
        }
    }

    /// A tool goes by another name now: who lacked it still does.
    pub fn follow(&mut self, server: &ServerId, from: &ToolName, to: &ToolName) {
        let Self::Except { parts } = self else { return };
        for part in parts.iter_mut().filter(|part| part.is_of(server)) {
            if let Some(tools) = &mut part.tools
                && tools.contains(from)
            {
                tools.insert(to.clone());
            }
        }
    }
}

impl Selected {
    fn is_of(&self, server: &ServerId) -> bool {
        let (own, other) = (self.server.as_str(), server.as_str());
        own.eq_ignore_ascii_case(other)
    }

    /// Whether this of its server is among what is meant.
    fn holds(&self, target: Target<'_>) -> bool {
        match (&self.tools, target) {
            (None, _) => true,
            (Some(tools), Target::Tool(tool)) => tools.contains(tool),
            (Some(_), Target::Server | Target::Resource(_) | Target::Prompt(_)) => false,
        }
    }

    /// Whether all of it is in one of these.
    fn is_in(&self, others: &[Self]) -> bool {
        let holds_all = |other: &Self| match (&self.tools, &other.tools) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(own), Some(theirs)) => own.is_subset(theirs),
        };
        others
            .iter()
            .any(|other| other.is_of(&self.server) && holds_all(other))
    }

    /// Whether anything of it is in one of these.
    fn meets(&self, others: &[Self]) -> bool {
        let shares = |other: &Self| match (&self.tools, &other.tools) {
            (None, _) | (_, None) => true,
            (Some(own), Some(theirs)) => !own.is_disjoint(theirs),
        };
        others
            .iter()
            .any(|other| other.is_of(&self.server) && shares(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn part(server: &str, tools: &[&str]) -> Selected {
        let named = |tools: &[&str]| tools.iter().map(|tool| ToolName::from(*tool)).collect();
        Selected {
            server: ServerId::parse(server).unwrap(),
            tools: (!tools.is_empty()).then(|| named(tools)),
        }
    }

    fn only(parts: &[Selected]) -> ToolSelection {
        let parts = parts.to_vec();
        ToolSelection::Only { parts }
    }

    fn except(parts: &[Selected]) -> ToolSelection {
        let parts = parts.to_vec();
        ToolSelection::Except { parts }
    }

    #[test]
    fn what_is_not_a_tool_goes_with_the_whole_server() {
        let files = ServerId::parse("Files").unwrap();
        let (read, write) = (ToolName::from("read"), ToolName::from("write"));
        let of = |selection: &ToolSelection| {
            [
                Target::Server,
                Target::Tool(&read),
                Target::Tool(&write),
                Target::Prompt("p"),
                Target::Resource("r"),
            ]
            .map(|target| selection.has(&files, target))
        };
        assert_eq!(of(&ToolSelection::All), [true; 5]);
        assert_eq!(of(&only(&[])), [false; 5]);
        assert_eq!(of(&only(&[part("other", &[])])), [false; 5]);
        assert_eq!(of(&only(&[part("files", &[])])), [true; 5]);
        let some = only(&[part("files", &["read"])]);
        assert_eq!(of(&some), [true, true, false, false, false]);
        let most = except(&[part("files", &["write"])]);
        assert_eq!(of(&most), [true, true, false, true, true]);
        assert_eq!(of(&except(&[part("files", &[])])), [false; 5]);
    }

    #[test]
    fn who_lacked_a_tool_lacks_it_under_its_new_name_and_a_new_server_is_not_the_old_one() {
        let files = ServerId::parse("files").unwrap();
        let (write, save) = (ToolName::from("write"), ToolName::from("save"));
        let mut lacks = except(&[part("files", &["write"])]);
        lacks.follow(&files, &write, &save);
        assert_eq!(lacks, except(&[part("files", &["save", "write"])]));
        lacks.forget(&files);
        assert!(!lacks.has(&files, Target::Tool(&save)));
        let mut has = only(&[part("FILES", &[]), part("other", &[])]);
        has.forget(&files);
        assert_eq!(has, only(&[part("other", &[])]));
    }

    fn any_selection() -> impl Strategy<Value = ToolSelection> {
        let tools = prop::collection::btree_set(
            prop::sample::select(vec!["x", "y", "z"]).prop_map(ToolName::from),
            1..3,
        );
        let server = prop::sample::select(vec!["a", "A", "b"])
            .prop_map(|name| ServerId::parse(name).unwrap());
        let part = (server, prop::option::of(tools))
            .prop_map(|(server, tools)| Selected { server, tools });
        (0..3_u8, prop::collection::vec(part, 0..3)).prop_map(|(kind, parts)| match kind {
            0 => ToolSelection::All,
            1 => ToolSelection::Only { parts },
            _ => ToolSelection::Except { parts },
        })
    }

    proptest! {
        #[test]
        fn what_is_within_another_holds_nothing_that_the_other_does_not(
            one in any_selection(), other in any_selection(),
        ) {
            prop_assert!(one.is_within(&one));
            if one.is_within(&other) {
                for server in ["a", "b", "c"].map(|name| ServerId::parse(name).unwrap()) {
                    for tool in ["x", "y", "z", "new"].map(ToolName::from) {
                        for target in [Target::Tool(&tool), Target::Prompt("p")] {
                            prop_assert!(!one.has(&server, target) || other.has(&server, target));
                        }
                    }
                }
            }
        }
    }
}
