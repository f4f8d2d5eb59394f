//! Finds the rules that can have a say, so that not every rule is evaluated every time.
//!
//! Always true here: a rule is left out only if what it says about who, what and which tool cannot
//! hold; what it says about hosts, folders and results is not looked at. Rules never change, so
//! what was found once is right as long as they are.

use super::Layer;
use super::language;
use super::policy_request::{Flags, Parties, PolicyRequest, Target};
use super::read::ReadRule;
use cedar_policy::{
    ActionConstraint, EntityUid, PolicyId, PolicySet, PrincipalConstraint, ResourceConstraint,
};
use protocol::{Caller, ServerId, ToolName};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found is kept for so many, then all of it is forgotten. More than anyone has tools.
const MOST: usize = 8192;

#[derive(Debug, Default)]
pub(super) struct Slices(Mutex<HashMap<Key, Arc<Slice>>>);

#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    action: &'static str,
    caller: Option<Caller>,
    server: ServerId,
    tool: Option<ToolName>,
    flags: Flags,
}

/// The rules that can have a say about one action of one caller on one tool, with these things true
/// and the others not.
#[derive(Debug)]
pub(super) struct Slice {
    pub(super) action: EntityUid,
    pub(super) parties: Parties,
    pub(super) policies: PolicySet,
    /// Whether nothing but what Majordomo permits without a condition has a say.
    pub(super) is_plain: bool,
}

impl Slices {
    /// The rules of `rules` that can have a say. Each is named by its place in `rules`.
    pub(super) fn of(
        &self,
        rules: &[ReadRule],
        action: &'static str,
        request: &PolicyRequest<'_>,
    ) -> Result<Arc<Slice>, String> {
        let tool = match request.target {
            Target::Server => None,
            Target::Tool(tool) => Some(tool.clone()),
            // Whoever asks chooses their names, and there is no end to them.
            Target::Resource(_) | Target::Prompt(_) => {
                return Slice::new(rules, action, request).map(Arc::new);
            }
        };
        let caller = request.caller.cloned();
        let key = Key {
            action,
            caller,
            server: request.server.clone(),
            tool,
            flags: Flags::of(request.context),
        };
        if let Some(known) = self
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get(&key)
        {
            return Ok(Arc::clone(known));
        }
        let slice = Arc::new(Slice::new(rules, action, request)?);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(key, Arc::clone(&slice));
        Ok(slice)
    }
}

impl Slice {
    fn new(rules: &[ReadRule], action: &str, request: &PolicyRequest<'_>) -> Result<Self, String> {
        let (action, parties) = (language::entity("Action", action)?, Parties::of(request)?);
        let given = Flags::of(request.context);
        let concerned =
            |rule: &ReadRule| rule.needs.hold_in(given) && rule.concerns(&action, &parties);
        let concerned: Vec<(usize, &ReadRule)> = rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| concerned(rule))
            .collect();
        let is_plain = matches!(concerned[..], [(_, rule)] if rule.rule.layer == Layer::BuiltIn && !rule.policy.has_non_scope_constraint());
        let policies = concerned
            .into_iter()
            .map(|(number, rule)| rule.policy.new_id(PolicyId::new(number.to_string())));
        let policies = PolicySet::from_policies(policies).map_err(|problem| problem.to_string())?;
        Ok(Self {
            action,
            parties,
            policies,
            is_plain,
        })
    }
}

impl ReadRule {
    /// Whether what it says about who, what and which tool holds.
    fn concerns(&self, action: &EntityUid, parties: &Parties) -> bool {
        let about_action = match self.policy.action_constraint() {
            ActionConstraint::Any => true,
            ActionConstraint::Eq(entity) => entity == *action,
            ActionConstraint::In(entities) => entities.contains(action),
        };
        let (who, what) = (&parties.principal, &parties.resource);
        // A caller is one of its kind and no part of another; all else is a part of its server.
        let one_of = |entity: &EntityUid| entity == who || parties.kind.as_ref() == Some(entity);
        let part_of =
            |entity: &EntityUid| entity == what || parties.server.as_ref() == Some(entity);
        about_action
            && match self.policy.principal_constraint() {
                PrincipalConstraint::Any => true,
                PrincipalConstraint::Eq(entity) => entity == *who,
                PrincipalConstraint::In(entity) => one_of(&entity),
                PrincipalConstraint::Is(kind) => kind == *who.type_name(),
                PrincipalConstraint::IsIn(kind, entity) => {
                    kind == *who.type_name() && one_of(&entity)
                }
            }
            && match self.policy.resource_constraint() {
                ResourceConstraint::Any => true,
                ResourceConstraint::Eq(entity) => entity == *what,
                ResourceConstraint::In(entity) => part_of(&entity),
                ResourceConstraint::Is(kind) => kind == *what.type_name(),
                ResourceConstraint::IsIn(kind, entity) => {
                    kind == *what.type_name() && part_of(&entity)
                }
            }
    }
}
