//! Reads the rules of a layer, and says where they cannot be read.
//!
//! Always true here: what does not parse, does not use the words of the language, could never
//! apply, or is not one rule with a name of its own, is a problem and not a rule that is passed
//! over.

use super::policy_request::Flags;
use super::{EnforcementPoint, Layer, Rule, RuleEffect, RuleProblem, language, text};
use cedar_policy::{
    ActionConstraint, Effect, EntityUid, Policy, PolicyId, PolicySet, ResourceConstraint,
    ValidationMode, ValidationWarning, Validator,
};
use miette::Diagnostic;
use protocol::{CallerId, CallerKind, RuleId};
use std::str::FromStr;

/// A rule that was read, with what is evaluated.
#[derive(Debug, Clone)]
pub(super) struct ReadRule {
    pub(super) rule: Rule,
    pub(super) policy: Policy,
    /// What must be true for it to say anything, as far as that is known without evaluating it.
    pub(super) needs: Flags,
    /// Where it stands, for the case that it cannot be evaluated.
    pub(super) place: RuleProblem,
}

/// Reads the rules of a text. `place` is the file, or the number of the rule, that is named in
/// problems.
pub(super) fn read(layer: Layer, place: &str, source: &str) -> Result<Vec<ReadRule>, RuleProblem> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    let at = |offset: Option<usize>, problem: String| problem_at(place, source, offset, problem);
    let set = PolicySet::from_str(source)
        .map_err(|problems| at(offset_of(&problems), problems.to_string()))?;
    if let Some(template) = set.templates().next() {
        return Err(at(
            source.find('?'),
            format!(
                "{} has a slot, and there is nothing to put into it",
                template.id()
            ),
        ));
    }
    let validator = Validator::new(language::schema().map_err(|problem| at(None, problem))?);
    let result = validator.validate(&set, ValidationMode::Strict);
    if let Some(problem) = result.validation_errors().next() {
        return Err(at(offset_of(problem), problem.to_string()));
    }
    // A rule that never applies is a mistake, and one that was meant to forbid is a dangerous one.
    if let Some(problem) = result
        .validation_warnings()
        .find(|warning| matches!(warning, ValidationWarning::ImpossiblePolicy(_)))
    {
        return Err(at(offset_of(problem), problem.to_string()));
    }

    let mut policies: Vec<(usize, &Policy)> = set
        .policies()
        .map(|policy| (number_of(policy.id()), policy))
        .collect();
    policies.sort_by_key(|(number, _)| *number);
    let (mut rules, mut from): (Vec<ReadRule>, usize) = (Vec::new(), 0);
    for (number, policy) in policies {
        let text = policy.to_cedar().unwrap_or_default().trim().to_owned();
        let start = source[from..]
            .find(&text)
            .map_or(from, |start| from + start);
        from = (start + text.len()).min(source.len());
        let position = at(Some(start), String::new());
        let id = match policy.annotation("id") {
            Some(id) if !id.is_empty() => id.to_owned(),
            // Named by its place, so that a refusal can say which one it was.
            _ => format!("{place} #{}", number + 1),
        };
        let problem = surprise(policy).or_else(|| {
            rules
                .iter()
                .any(|other| other.rule.id.as_str() == id)
                .then(|| format!("there are two rules with the name {id:?}"))
        });
        if let Some(problem) = problem {
            return Err(RuleProblem {
                problem,
                ..position
            });
        }
        rules.push(ReadRule {
            rule: rule(layer, id, text, policy),
            policy: policy.clone(),
            needs: Flags::default(),
            place: position,
        });
    }
    Ok(rules)
}

fn rule(layer: Layer, id: String, text: String, policy: &Policy) -> Rule {
    let hooks = hooks(policy);
    let effect = match policy.effect() {
        Effect::Permit => RuleEffect::Allow,
        Effect::Forbid if only_silently(policy) => RuleEffect::Ask,
        Effect::Forbid => RuleEffect::Forbid,
    };
    let reason = policy
        .annotation("reason")
        .filter(|reason| !reason.is_empty())
        .map(str::to_owned);
    Rule {
        id: RuleId::from(id),
        layer,
        effect,
        hooks,
        text,
        reason,
        draft: None,
        made_at: None,
    }
}

/// What a rule says that whoever wrote it can hardly have meant.
fn surprise(policy: &Policy) -> Option<String> {
    let actions = actions(policy);
    let is_egress_only = !actions.is_empty()
        && actions
            .iter()
            .all(|action| action == EnforcementPoint::Egress.action());
    if let ResourceConstraint::Eq(entity) = policy.resource_constraint()
        && entity.type_name().to_string() == "Server"
        && !is_egress_only
    {
        return Some(format!(
            "write `resource in {entity}`: `==` reaches the server as such, and none of its tools"
        ));
    }
    let large = |entity: &EntityUid| match entity.type_name().to_string().as_str() {
        "Server" => entity
            .id()
            .unescaped()
            .chars()
            .any(|c| c.is_ascii_uppercase()),
        "Tool" | "Resource" | "Prompt" => entity
            .id()
            .unescaped()
            .split('/')
            .next()
            .is_some_and(|server| server.chars().any(|c| c.is_ascii_uppercase())),
        _ => false,
    };
    if let Some(entity) = policy.entity_literals().into_iter().find(large) {
        return Some(format!(
            "write the name of the server in {entity} in lower case; as it stands it is no server's"
        ));
    }
    if let Some(surprise) = policy.entity_literals().iter().find_map(unknown_caller) {
        return Some(surprise);
    }
    policy.entity_literals().into_iter().find_map(|entity| {
        let kind = entity.type_name().to_string();
        let (what, name) = match kind.as_str() {
            "Tool" => ("tool", "tool"),
            "Resource" => ("resource", "address"),
            "Prompt" => ("prompt", "prompt"),
            _ => return None,
        };
        let is_nameless = !entity.id().unescaped().contains('/');
        is_nameless.then(|| format!("{entity} is no {what}: write {kind}::\"server/{name}\""))
    })
}

/// Why something named in a rule is no caller, or not as callers are named.
fn unknown_caller(entity: &EntityUid) -> Option<String> {
    let id = entity.id().unescaped();
    match entity.type_name().to_string().as_str() {
        "Kind" => CallerKind::from_str(id)
            .err()
            .map(|problem| problem.to_string()),
        "Person" | "Terminal" | "Browser" | "Client" | "Agent" | "View" => CallerId::from_str(id)
            .err()
            .map(|problem| problem.to_string()),
        "Caller" => {
            let Some((kind, id)) = id.split_once('/') else {
                return Some(format!("{entity} is no caller: write Caller::\"kind/id\""));
            };
            match (kind.parse(), id.parse()) {
                (Ok(kind), Ok(id)) => match text::caller_entity(&kind, &id) {
                    ("Caller", _) => None,
                    (word, id) => Some(format!("write {word}::{id:?} for {entity}")),
                },
                (Err(problem), _) | (_, Err(problem)) => Some(problem.to_string()),
            }
        }
        _ => None,
    }
}

/// The names of the actions that a rule is about; none means all.
fn actions(policy: &Policy) -> Vec<String> {
    let names = |entities: &[EntityUid]| {
        entities
            .iter()
            .map(|entity| entity.id().unescaped().to_owned())
            .collect()
    };
    match policy.action_constraint() {
        ActionConstraint::Any => Vec::new(),
        ActionConstraint::Eq(entity) => names(&[entity]),
        ActionConstraint::In(entities) => names(&entities),
    }
}

/// Whether a rule has a say about an action.
pub(super) fn is_about(policy: &Policy, action: &str) -> bool {
    policy.action_constraint() == ActionConstraint::Any
        || actions(policy).iter().any(|name| name == action)
}

fn only_silently(policy: &Policy) -> bool {
    let actions = actions(policy);
    !actions.is_empty() && actions.iter().all(|name| name == text::SILENTLY)
}

fn hooks(policy: &Policy) -> Vec<EnforcementPoint> {
    let all = [
        EnforcementPoint::Discover,
        EnforcementPoint::Call,
        EnforcementPoint::Return,
        EnforcementPoint::Egress,
    ];
    let about = |hook: &EnforcementPoint| {
        is_about(policy, hook.action())
            || *hook == EnforcementPoint::Call && is_about(policy, text::SILENTLY)
    };
    all.into_iter().filter(about).collect()
}

/// Which rule of its text it is, from 0: the reader counts them.
fn number_of(id: &PolicyId) -> usize {
    let id: &str = id.as_ref();
    id.strip_prefix("policy")
        .and_then(|number| number.parse().ok())
        .unwrap_or(usize::MAX)
}

fn offset_of(problem: &dyn Diagnostic) -> Option<usize> {
    problem.labels()?.next().map(|label| label.offset())
}

fn problem_at(place: &str, source: &str, offset: Option<usize>, problem: String) -> RuleProblem {
    let before = offset.and_then(|offset| source.get(..offset));
    let count = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    RuleProblem {
        place: place.to_owned(),
        line: before.map(|before| count(before.matches('\n').count() + 1)),
        column: before.map(|before| {
            count(
                before
                    .rsplit('\n')
                    .next()
                    .map_or(0, |line| line.chars().count())
                    + 1,
            )
        }),
        problem,
    }
}
