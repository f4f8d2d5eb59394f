//! A call that was permitted the way every call is: decided, asked about, and answered with a yes.

use crate::{Trouble, now};
use policy::pin::Standing;
use policy::{Answer, Facts, KnownTool, PermittedCall, Places, Ruling, Setting, Verdict, decide};
use protocol::{CallId, Caller, ConversationId, Fingerprint, QuestionId, ServerId, ToolCall, ToolSpec, WorkspaceId};
use serde_json::{Map, Value, json};

/// Permits one call of a tool as its server lists it.
pub fn permit(server: &ServerId, spec: &ToolSpec, arguments: Map<String, Value>) -> Result<PermittedCall, Trouble> {
    let (tool, launch) = (KnownTool::new(spec.clone()), Fingerprint::of(&json!("conformance")));
    let (conversation, workspace, places) = (ConversationId::random(), WorkspaceId::random(), Places::default());
    let setting = Setting { conversation: &conversation, workspace: &workspace, places: &places, now: now() };
    let call = ToolCall { id: CallId::random(), caller: Caller::Terminal, server: server.clone(), tool: spec.name.clone(), arguments };
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
            let answered = pending.answer(&asked, &Answer::once(), &tool, &launch, setting, Clone::clone);
            Ok(answered.call.map_err(|refusal| format!("{refusal:?}"))?)
        }
    }
}
