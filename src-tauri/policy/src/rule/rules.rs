//! All rules, read, and what they say.
//!
//! Always true here:
//! - the rules are never changed; other rules are another [`Rules`];
//! - a layer that cannot be read, or a rule that cannot be evaluated, forbids everything that it
//!   has a say about;
//! - what is looked up faster says the same as asking every rule.

use super::policy_request::{Flags, Parties, PolicyRequest};
use super::read::{ReadRule, is_about, read};
use super::slices::Slices;
use super::text::SILENTLY;
use super::{EnforcementPoint, Layer, PolicyDecision, Rule, RuleProblem};
use cedar_policy::{
    Authorizer, Context as CedarContext, Decision, PrincipalConstraint, Request, ResourceConstraint,
};
use protocol::RuleId;
use serde_json::Value;
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;

/// All rules. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Rules(Arc<Compiled>);

#[derive(Debug)]
struct Compiled {
    layers: Vec<LayerRules>,
    rules: Vec<ReadRule>,
    looks_at_hosts: bool,
    looks_at_folders: bool,
    folders: Vec<String>,
    slices: Slices,
    /// Actions of which it is known without a look at who and what whether they are permitted.
    settled: HashMap<&'static str, bool>,
}

/// The rules of one who may make rules.
#[derive(Debug, Clone)]
pub struct LayerRules {
    /// Who.
    pub layer: Layer,
    /// Why they cannot be read, if so.
    pub broken: Option<RuleProblem>,
    /// The rules.
    pub rules: Vec<Rule>,
}

/// The administrator's rules as they were found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdministratorRules {
    /// The file, as it is named in problems.
    pub file: String,
    /// Its text; none where there is no such file.
    pub text: Option<String>,
    /// Why it cannot be relied upon, if so.
    pub broken: Option<RuleProblem>,
}

impl Rules {
    /// Reads all rules. Those of the person come as they are kept; their texts are read anew.
    pub fn new(administrator: &AdministratorRules, person: &[Rule]) -> Self {
        let built_in = read(Layer::BuiltIn, "built-in", include_str!("built_in.cedar"));
        let administrators = match (&administrator.broken, &administrator.text) {
            (Some(problem), _) => Err(problem.clone()),
            // As a file is in the moment in which it is written anew.
            (None, Some(text)) if text.trim().is_empty() => Err(RuleProblem {
                place: administrator.file.clone(),
                line: None,
                column: None,
                problem: "it is empty; if there are to be no rules, say so in a comment".to_owned(),
            }),
            (None, Some(text)) => read(Layer::Administrator, &administrator.file, text),
            (None, None) => Ok(Vec::new()),
        };
        let person = person
            .iter()
            .map(read_kept)
            .collect::<Result<Vec<ReadRule>, RuleProblem>>();
        let (mut layers, mut rules) = (Vec::new(), Vec::new());
        for (layer, read) in [
            (Layer::BuiltIn, built_in),
            (Layer::Administrator, administrators),
            (Layer::Person, person),
        ] {
            let broken = read.as_ref().err().cloned();
            let read = read.unwrap_or_default();
            layers.push(LayerRules {
                layer,
                broken,
                rules: read.iter().map(|read| read.rule.clone()).collect(),
            });
            rules.extend(read);
        }
        // A text that says the word for another reason costs a look and nothing else.
        let says = |word: &str| {
            rules
                .iter()
                .any(|rule: &ReadRule| rule.rule.text.to_ascii_lowercase().contains(word))
        };
        let (looks_at_hosts, looks_at_folders) = (says("hosts"), says("folders"));
        let mut folders = BTreeSet::new();
        if looks_at_folders {
            for policy in rules.iter().filter_map(|rule| rule.policy.to_json().ok()) {
                folders_in(&policy, &mut folders);
            }
        }
        let folders = folders.into_iter().collect();
        let settled = EnforcementPoint::ALL
            .map(EnforcementPoint::action)
            .into_iter()
            .chain([SILENTLY])
            .filter_map(|action| Some((action, settled(&rules, action)?)))
            .collect();
        Self(Arc::new(Compiled {
            layers,
            rules,
            looks_at_hosts,
            looks_at_folders,
            folders,
            slices: Slices::default(),
            settled,
        }))
    }

    /// The rules of each who may make rules.
    pub fn layers(&self) -> &[LayerRules] {
        &self.0.layers
    }

    /// Whether any rule asks which hosts are named.
    pub fn looks_at_hosts(&self) -> bool {
        self.0.looks_at_hosts
    }

    /// Whether any rule asks where files and folders lie.
    pub fn looks_at_folders(&self) -> bool {
        self.0.looks_at_folders
    }

    /// The folders that rules name, for what may mean any of many, as `/home/*` does.
    pub fn folders(&self) -> &[String] {
        &self.0.folders
    }

    /// What the rules say.
    pub fn ruling(&self, hook: EnforcementPoint, request: &PolicyRequest<'_>) -> PolicyDecision {
        if let Some(problem) = self.0.layers.iter().find_map(|layer| layer.broken.clone()) {
            return PolicyDecision {
                broken: Some(problem),
                ..PolicyDecision::default()
            };
        }
        self.said(hook, request)
            .unwrap_or_else(|problem| PolicyDecision {
                broken: Some(problem),
                ..PolicyDecision::default()
            })
    }

    fn said(
        &self,
        hook: EnforcementPoint,
        request: &PolicyRequest<'_>,
    ) -> Result<PolicyDecision, RuleProblem> {
        let mut context = None;
        let at_hook = self.ask(hook.action(), request, &mut context)?;
        if !at_hook.permitted && at_hook.forbid.is_empty() {
            return Err(unspeakable("no rule permits it".to_owned()));
        }
        let first = at_hook
            .forbid
            .first()
            .map(|number| &self.0.rules[*number].rule);
        let mut ruling = PolicyDecision {
            forbidden_by: first.map(|rule| rule.layer),
            reason: first.and_then(|rule| rule.reason.clone()),
            forbid: self.names(&at_hook.forbid),
            ..PolicyDecision::default()
        };
        if hook == EnforcementPoint::Call {
            let silently = self.ask(SILENTLY, request, &mut context)?;
            // What is forbidden anyway is not asked about.
            let ask: Vec<usize> = silently
                .forbid
                .into_iter()
                .filter(|number| !at_hook.forbid.contains(number))
                .collect();
            ruling.ask = self.names(&ask);
            ruling.allow = self.names(&silently.permit);
        }
        Ok(ruling)
    }

    /// `context` is made when the first rule needs it, and used again.
    fn ask(
        &self,
        action: &'static str,
        request: &PolicyRequest<'_>,
        context: &mut Option<CedarContext>,
    ) -> Result<Said, RuleProblem> {
        if let Some(permitted) = self.0.settled.get(action) {
            return Ok(Said {
                permitted: *permitted,
                ..Said::default()
            });
        }
        let slice = self
            .0
            .slices
            .of(&self.0.rules, action, request)
            .map_err(unspeakable)?;
        if slice.policies.is_empty() {
            return Ok(Said::default());
        }
        if slice.is_plain {
            return Ok(Said {
                permitted: true,
                permit: Vec::new(),
                forbid: Vec::new(),
            });
        }
        let context = match context {
            Some(context) => context.clone(),
            None => context
                .insert(request.context().map_err(unspeakable)?)
                .clone(),
        };
        let Parties {
            principal,
            resource,
            entities,
            ..
        } = &slice.parties;
        let request = Request::new(
            principal.clone(),
            slice.action.clone(),
            resource.clone(),
            context,
            None,
        )
        .map_err(|problem| unspeakable(problem.to_string()))?;
        let response = Authorizer::new().is_authorized(&request, &slice.policies, entities);
        // The language passes over a rule that it cannot evaluate. Here nothing happens then.
        if let Some(cedar_policy::AuthorizationError::PolicyEvaluationError(error)) =
            response.diagnostics().errors().next()
        {
            let rule = number(error.policy_id()).and_then(|number| self.0.rules.get(number));
            let place = rule.map_or_else(|| unspeakable(String::new()), |rule| rule.place.clone());
            return Err(RuleProblem {
                problem: error.inner().to_string(),
                ..place
            });
        }
        let mut numbers: Vec<usize> = response.diagnostics().reason().filter_map(number).collect();
        // In the order of the layers, and within a layer as written.
        numbers.sort_unstable();
        let permitted = response.decision() == Decision::Allow;
        Ok(if permitted {
            Said {
                permitted,
                permit: numbers,
                forbid: Vec::new(),
            }
        } else {
            Said {
                permitted,
                permit: Vec::new(),
                forbid: numbers,
            }
        })
    }

    fn names(&self, numbers: &[usize]) -> Vec<RuleId> {
        numbers
            .iter()
            .map(|number| self.0.rules[*number].rule.id.clone())
            .collect()
    }
}

/// Whether an action is permitted, if that is the same whoever asks for what: no rule has a say, or
/// only the one by which Majordomo permits without a condition.
fn settled(rules: &[ReadRule], action: &str) -> Option<bool> {
    let mut concerned = rules.iter().filter(|rule| is_about(&rule.policy, action));
    let first = concerned.next();
    let is_plain = |rule: &ReadRule| {
        rule.rule.layer == Layer::BuiltIn
            && !rule.policy.has_non_scope_constraint()
            && rule.policy.principal_constraint() == PrincipalConstraint::Any
            && rule.policy.resource_constraint() == ResourceConstraint::Any
    };
    match (first, concerned.next()) {
        (None, _) => Some(false),
        (Some(rule), None) if is_plain(rule) => Some(true),
        _ => None,
    }
}

/// Notes the absolute paths among the texts of a rule.
fn folders_in(policy: &Value, folders: &mut BTreeSet<String>) {
    match policy {
        Value::String(text) if Path::new(text).is_absolute() => _ = folders.insert(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| folders_in(item, folders)),
        Value::Object(fields) => fields.values().for_each(|field| folders_in(field, folders)),
        _ => {}
    }
}

/// What the rules say about one action.
#[derive(Debug, Default)]
struct Said {
    permitted: bool,
    permit: Vec<usize>,
    forbid: Vec<usize>,
}

/// Reads a rule of the person. It must be exactly the one that was kept under its number.
fn read_kept(kept: &Rule) -> Result<ReadRule, RuleProblem> {
    let problem = |problem: &str| RuleProblem {
        place: kept.id.to_string(),
        line: None,
        column: None,
        problem: problem.to_owned(),
    };
    let mut read = read(Layer::Person, kept.id.as_str(), &kept.text)?;
    let Some(mut one) = read.pop().filter(|_| read.is_empty()) else {
        return Err(problem("this is not one rule"));
    };
    if one.rule.id != kept.id || one.rule.effect != kept.effect {
        return Err(problem(
            "this is not the rule that was kept under this number",
        ));
    }
    one.rule.draft = kept.draft.clone();
    // What was clicked together says what the text needs only if the text is what is written of it.
    if let Some(draft) = kept
        .draft
        .as_ref()
        .filter(|draft| draft.text(&kept.id) == kept.text)
    {
        one.needs = Flags::needed(&draft.when);
    }
    one.rule.made_at = kept.made_at;
    Ok(one)
}

fn number(id: &cedar_policy::PolicyId) -> Option<usize> {
    let id: &str = id.as_ref();
    id.parse().ok()
}

fn unspeakable(problem: String) -> RuleProblem {
    RuleProblem {
        place: "rules".to_owned(),
        line: None,
        column: None,
        problem,
    }
}
