//! Decides whether a tool call may run.
//!
//! Always true here:
//! - a `PermittedCall` is made in this crate only, and a connection accepts nothing else;
//! - no clock, disk or network;
//! - the default is to ask, and what cannot be checked is refused.

use crate::flow::Concern;
use crate::grant::Fit;
use crate::pin::ApprovalStatus;
use crate::{
    CheckedCall, Effect, Grant, KnownTool, Layer, Pending, Permission, PermittedCall,
    PolicyDecision, Reason, Refusal, Setting, ToolFlags, is_long,
};
use protocol::{Fingerprint, Timestamp};

/// What is known when a call is decided. All of it is read before; nothing is looked up here.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The tool as its server lists it now.
    pub tool: &'a KnownTool,
    /// How the server is reached now.
    pub launch_fingerprint: &'a Fingerprint,
    /// How the tool's definition stands to what a person has approved.
    pub standing: &'a ApprovalStatus,
    /// Whether the person has left the tool switched on.
    pub switched_on: bool,
    /// What speaks against the call: values of it that came from strangers. No grant covers those.
    pub concerns: &'a [Concern],
    /// What was allowed earlier, at least for this caller, server and tool.
    pub grants: &'a [Grant],
    /// What the rules say about the call.
    pub ruling: &'a PolicyDecision,
    /// Where and when the call is made.
    pub setting: Setting<'a>,
}

/// May it run?
#[derive(Debug)]
pub enum Verdict {
    /// Yes.
    Allow(PermittedCall),
    /// A person must say.
    Ask(Box<Pending>),
    /// No.
    Deny(Refusal),
}

/// Decides about one call.
///
/// `grants` may hold others than those of this call; they are passed over.
pub fn decide(call: CheckedCall, facts: Facts<'_>) -> Verdict {
    if let Some(refusal) = facts.standing.refusal() {
        return Verdict::Deny(refusal);
    }
    if !facts.switched_on {
        return Verdict::Deny(Refusal::SwitchedOff);
    }
    if let Some(refusal) = facts.ruling.refusal() {
        return Verdict::Deny(refusal);
    }
    let call = match call.fitting(facts.tool) {
        Ok(call) => call,
        Err(refusal) => return Verdict::Deny(refusal),
    };

    let mut reason = Reason::NotAllowedYet;
    let mut permission = (!facts.ruling.allow.is_empty()).then(|| Permission::Rules {
        rules: facts.ruling.allow.clone(),
    });
    if permission.is_some() && is_long(&call.arguments) {
        (permission, reason) = (None, Reason::LongArguments);
    }
    // When a no was given of which it is not sure that it is about something else.
    let mut doubt: Option<Timestamp> = None;
    let mut allowed_at: Option<Timestamp> = None;
    // The newest related grant explains best why the question comes back, so the last one wins.
    for grant in facts.grants {
        match (
            grant.fit(&call, facts.tool, facts.launch_fingerprint, facts.setting),
            &grant.effect,
        ) {
            // A remembered no wins over every yes.
            (Fit::Covers, Effect::Deny { reason }) => {
                return Verdict::Deny(Refusal::DeniedEarlier {
                    grant: grant.id.clone(),
                    reason: reason.clone(),
                });
            }
            (Fit::Covers, Effect::Allow) => {
                allowed_at = allowed_at.max(Some(grant.made_at));
                permission.get_or_insert_with(|| Permission::Grant {
                    grant: grant.id.clone(),
                });
            }
            (Fit::Perhaps, _) => doubt = Some(Timestamp(i64::MAX)),
            // Whoever has allowed the tool as it is now has said anew what is to become of it.
            (Fit::Outdated, Effect::Deny { .. }) => doubt = doubt.max(Some(grant.made_at)),
            (Fit::Outdated, Effect::Allow) => reason = what_changed(grant, facts),
            (Fit::OtherArguments, Effect::Allow) => reason = Reason::OtherArguments,
            (Fit::TooLong, Effect::Allow) => reason = Reason::LongArguments,
            (Fit::OtherArguments | Fit::TooLong, Effect::Deny { .. }) | (Fit::Unrelated, _) => {}
        }
    }
    match permission {
        Some(_) if doubt > allowed_at => reason = Reason::MayBeDenied,
        Some(_) if !facts.concerns.is_empty() => reason = Reason::FromStrangers,
        _ if !facts.ruling.ask.is_empty() => {
            reason = Reason::RuleAsks {
                rules: facts.ruling.ask.clone(),
            }
        }
        Some(permission) => {
            let launch = facts.launch_fingerprint.clone();
            return Verdict::Allow(PermittedCall::new(call, permission, facts.tool, launch));
        }
        None => {}
    }
    Verdict::Ask(Box::new(Pending {
        call,
        tool: facts.tool.spec().clone(),
        fingerprint: facts.tool.fingerprint().clone(),
        launch: facts.launch_fingerprint.clone(),
        reason,
        concerns: facts.concerns.to_vec(),
        mark: ToolFlags::default(),
        workspace: facts.setting.workspace.clone(),
    }))
}

impl PolicyDecision {
    /// What both say together: what one forbids is forbidden.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        let first = |rules: &mut Vec<_>, others: Vec<_>| {
            for rule in others {
                if !rules.contains(&rule) {
                    rules.push(rule);
                }
            }
        };
        if self.forbid.is_empty() {
            (self.forbidden_by, self.reason) = (other.forbidden_by, other.reason);
        }
        first(&mut self.forbid, other.forbid);
        first(&mut self.ask, other.ask);
        first(&mut self.allow, other.allow);
        self.broken = self.broken.or(other.broken);
        self.withheld = self.withheld.or(other.withheld);
        self
    }

    /// The refusal that it is, if it is one.
    pub fn refusal(&self) -> Option<Refusal> {
        if let Some(withheld) = &self.withheld {
            return Some(withheld.clone());
        }
        if let Some(problem) = &self.broken {
            return Some(Refusal::RulesBroken {
                problem: problem.clone(),
            });
        }
        let by = self.forbidden_by.unwrap_or(Layer::BuiltIn);
        (!self.forbid.is_empty()).then(|| Refusal::Forbidden {
            rules: self.forbid.clone(),
            by,
            reason: self.reason.clone(),
        })
    }
}

fn what_changed(grant: &Grant, facts: Facts<'_>) -> Reason {
    let parts = grant.tool.changes_to(facts.tool.spec());
    if parts.is_empty() {
        Reason::ServerChanged {
            allowed_at: grant.made_at,
        }
    } else {
        Reason::ToolChanged {
            parts,
            before: Box::new(grant.tool.clone()),
            allowed_at: grant.made_at,
        }
    }
}
