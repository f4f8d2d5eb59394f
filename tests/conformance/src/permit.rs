//! A call that was permitted the way every call is: decided, asked about, and answered with a yes.

use crate::{Trouble, now};
use policy::pin::Standing;
use policy::{
    Answer, Facts, GetPrompt, KnownTool, Offerings, Permitted, PermittedCall, Places, ReadResource,
    RequestFacts, RequestVerdict, Ruling, ServerRequest, Setting, Verdict, decide, decide_request,
};
use protocol::{
    CallId, Caller, ConversationId, Fingerprint, OfferKey, OfferKind, QuestionId, ServerId,
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
        standing: &Standing::Approved,
        concerns: &[],
        switched_on: true,
        grants: &[],
        ruling: &Ruling::default(),
        setting,
    };
    match decide(call, facts) {
        Verdict::Allow(permitted) => Ok(permitted),
        Verdict::Deny(refusal) => Err(format!("{refusal:?}").into()),
        Verdict::Ask(pending) => {
            let asked = QuestionId::random();
            let answered = pending.answer(
                &asked,
                &Answer::once(),
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
    let key = OfferKey {
        kind: OfferKind::Prompt,
        name: name.clone(),
    };
    let request = GetPrompt {
        name,
        arguments: BTreeMap::new(),
    };
    allowed(
        request,
        BTreeMap::from([(key, Standing::Approved)]),
        BTreeSet::new(),
    )
}

fn allowed<R: ServerRequest>(
    request: R,
    standings: BTreeMap<OfferKey, Standing>,
    listed: BTreeSet<String>,
) -> Result<Permitted<R>, Trouble> {
    let offerings = Offerings {
        about: Standing::Approved,
        standings,
        listed,
    };
    let facts = RequestFacts {
        offerings: &offerings,
        ruling: &Ruling::default(),
        concerns: &[],
        by_person: true,
    };
    match decide_request(request, facts) {
        RequestVerdict::Allow(permitted) => Ok(permitted),
        RequestVerdict::Ask(_) => Err("a person would be asked about it".into()),
        RequestVerdict::Deny(refusal) => Err(format!("{refusal:?}").into()),
    }
}
