//! The tools that a model is shown, and the names by which it knows them.
//!
//! Always true here: a name means one tool; a name that a model makes up means none.

use crate::ToolDefinition;
use protocol::{ServerId, ToolName, ToolSpec, joint_name, name_distance};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// How many names are said to be near one that is none.
const NEAR: usize = 3;
/// The longest name for which near ones are looked for, in bytes.
const LONGEST_NAME: usize = 64;

/// One tool of one server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ToolRef {
    /// Which server, by our name.
    pub server: ServerId,
    /// Which of its tools.
    pub tool: ToolName,
}

/// A tool that a model may be shown: approved, on, and not hidden from it.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedTool {
    /// Of which server.
    pub server: ServerId,
    /// Its definition as it was approved.
    pub spec: ToolSpec,
    /// Whether it is known to change nothing. It decides only about which calls run beside each
    /// other.
    pub reads: bool,
    /// Whether it is shown also where tools are looked for.
    pub always_shown: bool,
}

impl OfferedTool {
    /// Its definition, by the name that a model knows.
    pub(crate) fn shown_as(&self, name: &str) -> ToolDefinition {
        ToolDefinition {
            name: name.to_owned(),
            description: self.spec.description.clone().unwrap_or_default(),
            schema: self.spec.input_schema.clone(),
        }
    }

    /// Which one it is.
    pub(crate) fn tool_ref(&self) -> ToolRef {
        ToolRef {
            server: self.server.clone(),
            tool: self.spec.name.clone(),
        }
    }
}

/// The tools of one conversation by their names, in the order of which they are shown: in whatever
/// order servers came in, the same tools make the same request.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ToolTable {
    named: BTreeMap<String, OfferedTool>,
    /// About how many tokens all of their definitions take.
    tokens: u64,
}

impl ToolTable {
    /// Gives each tool its name. Of two that would have the same one, the greater is left out.
    pub fn of(tools: impl IntoIterator<Item = OfferedTool>) -> Self {
        let mut named = BTreeMap::new();
        for tool in tools {
            let name = joint_name(&tool.server, tool.spec.name.as_str());
            match named.entry(name) {
                Entry::Vacant(free) => {
                    free.insert(tool);
                }
                Entry::Occupied(mut taken) => {
                    if tool.tool_ref() < taken.get().tool_ref() {
                        taken.insert(tool);
                    }
                }
            }
        }
        let tokens = named
            .iter()
            .map(|(name, tool)| tool.shown_as(name).tokens());
        Self {
            tokens: tokens.sum(),
            named,
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.named.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty()
    }

    /// About how many tokens all of their definitions take.
    pub fn tokens(&self) -> u64 {
        self.tokens
    }

    /// All of them, each with the name by which a model knows it.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &OfferedTool)> {
        self.named.iter().map(|(name, tool)| (name.as_str(), tool))
    }

    /// The tool of this name.
    pub fn by_name(&self, name: &str) -> Option<&OfferedTool> {
        self.named.get(name)
    }

    /// A tool with its name, if it is one of them.
    pub(crate) fn named(&self, tool: &ToolRef) -> Option<(&str, &OfferedTool)> {
        let name = joint_name(&tool.server, tool.tool.as_str());
        let (name, offered) = self.named.get_key_value(&name)?;
        (offered.tool_ref() == *tool).then_some((name.as_str(), offered))
    }

    /// Whether a tool is known to change nothing.
    pub fn reads(&self, tool: &ToolRef) -> bool {
        self.named(tool).is_some_and(|(_, named)| named.reads)
    }

    /// The names nearest to one that is none, best first; at most three, and none that has nothing
    /// to do with it.
    pub fn near(&self, name: &str) -> Vec<String> {
        if name.len() > LONGEST_NAME {
            return Vec::new();
        }
        let mut near: Vec<(usize, &str)> = self
            .named
            .iter()
            .filter_map(|(other, tool)| {
                let known = [other.as_str(), tool.spec.name.as_str()];
                let distances = known.map(|known| name_distance(name, known));
                Some((distances.into_iter().flatten().min()?, other.as_str()))
            })
            .collect();
        near.sort_unstable();
        near.into_iter()
            .take(NEAR)
            .map(|(_, name)| name.to_owned())
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::world::tool;

    #[test]
    fn a_name_that_is_none_is_told_the_near_ones_and_no_others() {
        let table = ToolTable::of([
            tool("everything", "get-tiny-image"),
            tool("everything", "get-sum"),
            tool("files", "read_text"),
        ]);
        assert_eq!(table.near("getTinyImage"), ["everything__get-tiny-image"]);
        assert_eq!(table.near("everything__get_sum"), ["everything__get-sum"]);
        assert!(table.near("launch_rockets").is_empty());
        assert!(table.near(&"x".repeat(10_000)).is_empty());
        assert!(table.near("").is_empty());
    }

    #[test]
    fn a_name_means_one_tool() {
        let table = ToolTable::of([tool("a", "b__c"), tool("a__b", "c"), tool("a", "b__c")]);
        let names: Vec<_> = table.iter().map(|(name, _)| name.to_owned()).collect();
        assert_eq!(names.len(), 2);
        for (name, tool) in table.iter() {
            assert_eq!(table.by_name(name), Some(tool));
        }
    }

    #[test]
    fn tools_are_shown_in_one_order_in_whatever_order_they_came() {
        let mut tools = ["b", "c", "a", "c"].map(|name| tool("files", name));
        let table = ToolTable::of(tools.clone());
        tools.reverse();
        assert_eq!(ToolTable::of(tools), table);
    }
}
