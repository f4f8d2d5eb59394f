//! Decides whether a tool call may run.
//!
//! Always true here:
//! - a `PermittedCall` is made in this crate only, and a connection accepts nothing else;
//! - no clock, disk or network;
//! - the default is to ask, and what cannot be checked is refused.

use crate::flow::Concern;
use crate::grant::Fit;
use crate::pin::Standing;
use crate::schema::SchemaProblem;
use crate::{Grant, KnownTool, Pending, Permission, PermittedCall, Reason, Refusal};
use protocol::{Fingerprint, RunId, ToolCall};

/// What is known when a call is decided. All of it is read before; nothing is looked up here.
#[derive(Debug, Clone, Copy)]
pub struct Facts<'a> {
    /// The tool as its server lists it now.
    pub tool: &'a KnownTool,
    /// How the server is reached now.
    pub launch_fingerprint: &'a Fingerprint,
    /// How the tool's definition stands to what a person has approved.
    pub standing: &'a Standing,
    /// Whether the person has left the tool switched on.
    pub switched_on: bool,
    /// What speaks against the call: values of it that came from strangers. No grant covers those.
    pub concerns: &'a [Concern],
    /// What was allowed earlier, at least for this caller, server and tool.
    pub grants: &'a [Grant],
    /// The current run of the application.
    pub run: &'a RunId,
}

/// May it run?
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "the large one is the common one, and it is moved once")]
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
pub fn decide(call: ToolCall, facts: Facts<'_>) -> Verdict {
    if let Some(refusal) = facts.standing.refusal() {
        return Verdict::Deny(refusal);
    }
    if !facts.switched_on {
        return Verdict::Deny(Refusal::SwitchedOff);
    }
    match facts.tool.check_arguments(&call.arguments) {
        Ok(()) => {}
        Err(SchemaProblem::Invalid(problems)) => return Verdict::Deny(Refusal::ArgumentsInvalid { problems }),
        Err(SchemaProblem::Unusable(problem)) => return Verdict::Deny(Refusal::SchemaUnusable { problem }),
    }

    let mut reason = Reason::NotAllowedYet;
    // The newest related grant explains best why the question comes back, so the last one wins.
    for grant in facts.grants {
        match grant.fit(&call, facts.tool, facts.launch_fingerprint, facts.run) {
            Fit::Covers if !facts.concerns.is_empty() => reason = Reason::FromStrangers,
            Fit::Covers => {
                let permission = Permission::Grant { grant: grant.id.clone() };
                let (tool, launch) = (facts.tool.fingerprint().clone(), facts.launch_fingerprint.clone());
                return Verdict::Allow(PermittedCall::new(call, permission, tool, launch));
            }
            Fit::Outdated => reason = what_changed(grant, facts),
            Fit::OtherArguments => reason = Reason::OtherArguments,
            Fit::Unrelated => {}
        }
    }
    Verdict::Ask(Box::new(Pending {
        call,
        tool: facts.tool.spec().clone(),
        fingerprint: facts.tool.fingerprint().clone(),
        launch: facts.launch_fingerprint.clone(),
        reason,
        concerns: facts.concerns.to_vec(),
    }))
}

fn what_changed(grant: &Grant, facts: Facts<'_>) -> Reason {
    let parts = grant.tool.changes_to(facts.tool.spec());
    if parts.is_empty() {
        Reason::ServerChanged { allowed_at: grant.made_at }
    } else {
        Reason::ToolChanged { parts, before: Box::new(grant.tool.clone()), allowed_at: grant.made_at }
    }
}
