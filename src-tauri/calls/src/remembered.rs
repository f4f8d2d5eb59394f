//! What was answered for later calls, at hand for every call.
//!
//! Always true here:
//! - a lookup looks at the grants of one caller, server and tool, however many there are;
//! - one of a number of calls is counted in the moment in which it is decided.

use policy::Grant;
use protocol::{Caller, GrantId, ServerId, Timestamp, ToolCall, ToolName};
use std::collections::{HashMap, HashSet};
use store::Use;

/// All grants that hold, by whom, where and what they are for.
#[derive(Debug, Default)]
pub struct Remembered {
    grants: HashMap<GrantKey, Vec<Grant>>,
    /// Those of which a use is counted here only.
    unnoted: HashSet<GrantId>,
}

/// Whom and what a grant is for: a caller and one tool of a server.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GrantKey {
    caller: Caller,
    server: String,
    tool: ToolName,
}

impl GrantKey {
    /// What a grant would have to be for that has a say about this call.
    pub fn of_call(call: &ToolCall) -> Self {
        Self::of(&call.caller, &call.server, &call.tool)
    }

    fn of(caller: &Caller, server: &ServerId, tool: &ToolName) -> Self {
        Self {
            caller: caller.clone(),
            server: server.key(),
            tool: tool.clone(),
        }
    }
}

/// A grant has decided about a call, and is counted in the memory.
#[derive(Debug)]
#[must_use = "what is counted in the memory only is forgotten in a crash"]
pub struct Used {
    /// Which one.
    pub grant: GrantId,
    pub(crate) used: u32,
    pub(crate) counted: bool,
    pub(crate) over: bool,
}

impl Remembered {
    pub(crate) fn new(grants: Vec<Grant>) -> Self {
        let mut remembered = Self::default();
        for grant in grants {
            remembered.insert(grant);
        }
        remembered
    }

    /// Those for this caller, server and tool, oldest first.
    pub fn of(&self, key: &GrantKey) -> &[Grant] {
        self.grants.get(key).map_or(&[], Vec::as_slice)
    }

    /// All of them, in no order.
    pub fn iter(&self) -> impl Iterator<Item = &Grant> {
        self.grants.values().flatten()
    }

    /// All of them, oldest first.
    pub fn all(&self) -> Vec<Grant> {
        let mut all: Vec<Grant> = self.iter().cloned().collect();
        all.sort_by(|a, b| (a.made_at, a.id.as_str()).cmp(&(b.made_at, b.id.as_str())));
        all
    }

    /// From now on this one has a say.
    pub(crate) fn insert(&mut self, grant: Grant) {
        let key = GrantKey::of(&grant.caller, &grant.server, &grant.tool.name);
        self.grants.entry(key).or_default().push(grant);
    }

    /// From now on this one has no say. None if it had none.
    pub fn remove(&mut self, id: &GrantId) -> Option<Grant> {
        let of_it = self
            .grants
            .values_mut()
            .find(|grants| grants.iter().any(|grant| grant.id == *id))?;
        let position = of_it.iter().position(|grant| grant.id == *id)?;
        let removed = of_it.remove(position);
        self.grants.retain(|_, grants| !grants.is_empty());
        Some(removed)
    }

    /// Only those that `keep` names go on having a say.
    pub fn retain(&mut self, keep: impl Fn(&Grant) -> bool) {
        for grants in self.grants.values_mut() {
            grants.retain(&keep);
        }
        self.grants.retain(|_, grants| !grants.is_empty());
    }

    /// Counts that a grant has decided about a call. The lock under which it was decided is
    /// still held.
    pub(crate) fn count(&mut self, key: &GrantKey, id: &GrantId, now: Timestamp) -> Option<Used> {
        let grants = self.grants.get_mut(key)?;
        let grant = grants.iter_mut().find(|grant| grant.id == *id)?;
        grant.used = grant.used.saturating_add(1);
        grant.last_used_at = Some(now);
        Some(Used {
            grant: id.clone(),
            used: grant.used,
            counted: grant.is_counted(),
            over: !grant.holds(now),
        })
    }

    /// Has a use noted on the disk with the next ones. Whether it is the first of them.
    pub(crate) fn note_later(&mut self, used: Used) -> bool {
        let is_first = self.unnoted.is_empty();
        self.unnoted.insert(used.grant);
        is_first
    }

    /// What is to be noted on the disk by now.
    pub(crate) fn take_unnoted(&mut self) -> Vec<Use> {
        let unnoted = std::mem::take(&mut self.unnoted);
        let used = self.iter().filter(|grant| unnoted.contains(&grant.id));
        let uses = used.filter_map(|grant| {
            Some(Use {
                grant: grant.id.clone(),
                used: grant.used,
                last_at: grant.last_used_at?,
            })
        });
        uses.collect()
    }

    /// Takes a count back that had no effect and is not on the disk.
    pub(crate) fn uncount(&mut self, used: &Used) {
        for grant in self
            .grants
            .values_mut()
            .flatten()
            .filter(|grant| grant.id == used.grant)
        {
            grant.used = grant.used.saturating_sub(1);
        }
    }
}
