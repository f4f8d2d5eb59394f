//! What is to become of a call, with everything as it is now.

use crate::conversations::Conversations;
use crate::found::Found;
use crate::remembered::{GrantKey, Used};
use crate::{Calls, places, rules};
use policy::flow::Concern;
use policy::{
    CheckedCall, Effect, Facts, Grant, Permission, Places, PolicyDecision, Refusal, Setting,
    Verdict, decide,
};
use protocol::{ConversationId, ToolCall, WorkspaceId};
use serde_json::{Map, Value};
use servers::{Core, Servers};
use std::borrow::Cow;

/// Decides with everything as it is now. If a grant decides, that is counted in the same moment.
/// What spoke against the call `before` still does. What was allowed before, by grants or by rules,
/// has a say only if `by_earlier`; what was refused always has.
pub(crate) async fn judge(
    calls: &Calls,
    call: ToolCall,
    found: &Found,
    before: &[Concern],
    by_earlier: bool,
) -> (Verdict, Option<Used>) {
    let concerns = concerns_of(calls.conversations(), &call, found, before);
    let ruling = heeded_rules(calls, &call, found, &concerns, by_earlier).await;
    let key = GrantKey::of_call(&call);
    let places = places_for(calls, &call, &key).await;
    // Before the grants are looked at: whoever looks at them keeps all others waiting.
    let checked = checked(calls, call, found).await;
    let mut remembered = calls.grants();
    let grants = heeded_grants(remembered.of(&key), by_earlier);
    let verdict = weigh(
        calls,
        checked,
        found,
        Weighed {
            concerns: &concerns,
            ruling: &ruling,
            grants: &grants,
            places: &places,
        },
    );
    drop(grants);
    let by = match &verdict {
        Verdict::Allow(permitted) => match permitted.permission() {
            Permission::Grant { grant } => Some(grant.clone()),
            Permission::Answer { .. } | Permission::Rules { .. } => None,
        },
        Verdict::Deny(Refusal::DeniedEarlier { grant, .. }) => Some(grant.clone()),
        Verdict::Deny(_) | Verdict::Ask(_) => None,
    };
    let used = by.and_then(|grant| remembered.count(&key, &grant, calls.now()));
    (verdict, used)
}

/// What speaks against a call: what does now, and what did when it was asked about. What a caller
/// was told is forgotten when the application ends; a question outlives it.
pub(crate) fn concerns_of(
    conversations: &Conversations,
    call: &ToolCall,
    found: &Found,
    before: &[Concern],
) -> Vec<Concern> {
    let mut concerns = conversations.check(call, &found.tool.known, found.tool.mark);
    for concern in before {
        if !concerns.contains(concern) {
            concerns.push(concern.clone());
        }
    }
    concerns
}

/// What the rules say about a call; without what they allow if that has no say.
pub(crate) async fn heeded_rules(
    calls: &Calls,
    call: &ToolCall,
    found: &Found,
    concerns: &[Concern],
    by_earlier: bool,
) -> PolicyDecision {
    let mut ruling = rules::on_call(calls, &found.now, call, concerns).await;
    if !by_earlier {
        ruling.allow.clear();
    }
    ruling
}

/// The grants that have a say.
pub(crate) fn heeded_grants(grants: &[Grant], by_earlier: bool) -> Cow<'_, [Grant]> {
    if by_earlier {
        return grants.into();
    }
    grants
        .iter()
        .filter(|grant| grant.effect != Effect::Allow)
        .cloned()
        .collect()
}

/// Where the paths of a call lead, if a grant that may cover it asks for that.
pub(crate) async fn places_for(calls: &Calls, call: &ToolCall, key: &GrantKey) -> Places {
    let needed = calls
        .grants()
        .of(key)
        .iter()
        .any(|grant| grant.arguments.needs_places());
    if needed {
        places::of(&call.arguments).await
    } else {
        Places::default()
    }
}

/// What has a say about a call beside the tool.
pub(crate) struct Weighed<'a> {
    pub(crate) concerns: &'a [Concern],
    pub(crate) ruling: &'a PolicyDecision,
    pub(crate) grants: &'a [Grant],
    pub(crate) places: &'a Places,
}

/// A call with its arguments checked. Nothing is checked for a tool that may not be used at all.
pub async fn checked(servers: &Servers, call: ToolCall, found: &Found) -> CheckedCall {
    let tool = &found.tool.known;
    if found.tool.refusal().is_some() {
        return CheckedCall::unchecked(call, tool);
    }
    servers.schemas().check_call(call, tool).await
}

pub(crate) fn weigh(
    core: &Core,
    call: CheckedCall,
    found: &Found,
    weighed: Weighed<'_>,
) -> Verdict {
    let conversation = call.call().conversation.clone();
    let facts = Facts {
        tool: &found.tool.known,
        launch_fingerprint: &found.launch,
        standing: &found.tool.standing,
        concerns: weighed.concerns,
        switched_on: found.tool.on,
        grants: weighed.grants,
        ruling: weighed.ruling,
        setting: setting(core, &conversation, found.workspace(), weighed.places),
    };
    decide(call, facts)
}

/// Arguments as they are shown: values of held secrets are covered.
pub fn shown(core: &Core, arguments: &Map<String, Value>) -> Map<String, Value> {
    let mut shown = arguments.clone();
    core.secrets().masker().mask_map(&mut shown);
    shown
}

/// Where and when something is decided.
pub fn setting<'a>(
    core: &Core,
    conversation: &'a ConversationId,
    workspace: &'a WorkspaceId,
    places: &'a Places,
) -> Setting<'a> {
    Setting {
        conversation,
        workspace,
        places,
        now: core.now(),
    }
}
