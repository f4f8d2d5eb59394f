//! A call that was permitted the way every call is: decided, asked about, and answered with a yes.

use crate::{Trouble, now};
use policy::pin::ApprovalStatus;
use policy::{
    CheckedCall, Decision, Facts, GetPrompt, KnownTool, Offerings, Permitted, PermittedCall,
    Places, PolicyDecision, ReadResource, RequestFacts, RequestVerdict, ServerRequest, Setting,
    Verdict, decide, decide_request,
};
use protocol::{
    CallId, Caller, ConversationId, FeatureKey, FeatureKind, Fingerprint, QuestionId, ServerId,
    ToolCall, ToolSpec, WorkspaceId,
};
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Permits one call of a tool as its server lists it.
pub fn permit(
    server: &ServerId,
    spec: &ToolSpec,
    arguments: Map<String, Value>,
) -> Result<PermittedCall, Trouble> {
    let (tool, launch) = (
        KnownTool::new(spec.clone()),
        Fingerprint::of(&json!("conformance")),
    );
    let (conversation, workspace, places) = (
        ConversationId::random(),
        WorkspaceId::random(),
        Places::default(),
    );
    let setting = Setting {
        conversation: &conversation,
        workspace: &workspace,
        places: &places,
        now: now(),
    };
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::terminal(),
        conversation: Caller::terminal().conversation(),
        by_hand: false,
        server: server.clone(),
        tool: spec.name.clone(),
        arguments,
    };
    let facts = Facts {
        tool: &tool,
        launch_fingerprint: &launch,
        standing: &ApprovalStatus::Approved,
        concerns: &[],
        switched_on: true,
        grants: &[],
        ruling: &PolicyDecision::default(),
        setting,
    };
    match decide(CheckedCall::new(call, &tool, &tool.compile_input()), facts) {
        Verdict::Allow(permitted) => Ok(permitted),
        Verdict::Deny(refusal) => Err(format!("{refusal:?}").into()),
        Verdict::Ask(pending) => {
            let asked = QuestionId::random();
            let answered = pending.answer(
                &asked,
                &Decision::once(),
                None,
                &tool,
                &launch,
                setting,
                Clone::clone,
            );
            Ok(answered.call.map_err(|refusal| format!("{refusal:?}"))?)
        }
    }
}

/// Permits the reading of an address that its server lists.
pub fn permit_read(uri: String) -> Result<Permitted<ReadResource>, Trouble> {
    let listed = BTreeSet::from([uri.clone()]);
    allowed(ReadResource { uri }, BTreeMap::new(), listed)
}

/// Permits the filling in of a prompt that its server lists, without arguments.
pub fn permit_prompt(name: String) -> Result<Permitted<GetPrompt>, Trouble> {
    let key = FeatureKey {
        kind: FeatureKind::Prompt,
        name: name.clone(),
    };
    let request = GetPrompt {
        name,
        arguments: BTreeMap::new(),
    };
    allowed(
        request,
        BTreeMap::from([(key, ApprovalStatus::Approved)]),
        BTreeSet::new(),
    )
}

fn allowed<R: ServerRequest>(
    request: R,
    standings: BTreeMap<FeatureKey, ApprovalStatus>,
    listed: BTreeSet<String>,
) -> Result<Permitted<R>, Trouble> {
    let offerings = Offerings {
        about: ApprovalStatus::Approved,
        standings,
        listed,
    };
    let facts = RequestFacts {
        offerings: &offerings,
        ruling: &PolicyDecision::default(),
        concerns: &[],
        by_person: true,
    };
    match decide_request(request, facts) {
        RequestVerdict::Allow(permitted) => Ok(permitted),
        RequestVerdict::Ask(_) => Err("a person would be asked about it".into()),
        RequestVerdict::Deny(refusal) => Err(format!("{refusal:?}").into()),
    }
}
