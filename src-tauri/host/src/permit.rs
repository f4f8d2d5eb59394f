//! The permission for a call: from what was decided earlier, or from a person who is asked now.
//!
//! Always true here:
//! - what was decided is decided once more when the person has answered, with everything as it is by then;
//! - what comes too fast is refused before anything is looked up for it.

use crate::api::{ErrorCode, HostError, ServerState, Supposed};
use crate::grants::Used;
use crate::pendings::Listed;
use crate::reconsider::{Ended, wait};
use crate::repeats::{Again, Same};
use crate::{Host, consent, error, floods, grants, left_over, past, pins, places, rules, spans, supervise, touches};
use connections::Connection;
use policy::flow::{Concern, Source, Why};
use policy::pin::Standing;
use policy::{
    Answer, Effect, Facts, Grant, GrantOrigin, Hook, KnownTool, Mark, Pending, Permission, PermittedCall, Places, Reason, Refusal, Ruling,
    Setting, Shown, Verdict, decide,
};
use protocol::{CallId, Fingerprint, GrantId, Origin, QuestionId, ServerId, ToolCall, ToolName, WorkspaceId};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// What the catalogue holds about the tool of a call.
pub(crate) struct Found {
    pub server: ServerId,
    pub tool: Arc<KnownTool>,
    pub launch: Fingerprint,
    pub standing: Standing,
    pub mark: Mark,
    /// The workspace in use then. What is decided about the call is decided there.
    pub workspace: WorkspaceId,
    pub on: bool,
    pub connection: Connection,
}

/// Looks the tool of a call up.
pub(crate) fn find(host: &Host, server: &ServerId, tool: &ToolName) -> Result<Found, HostError> {
    host.kept().with(server, |kept| {
        let known = kept.tool(tool).cloned();
        match (&kept.state, &kept.connection) {
            (ServerState::Ready, Some(connection)) => Ok(Found {
                server: kept.row.id.clone(),
                tool: known.ok_or_else(|| error::host(ErrorCode::UnknownTool, format!("{} has no tool called {tool}", kept.row.id)))?,
                launch: kept.row.launch.fingerprint(),
                standing: kept.offered.standing(&pins::key_of(tool)),
                mark: kept.mark(tool),
                workspace: kept.workspace.clone(),
                on: !kept.place.off.contains(tool),
                connection: connection.clone(),
            }),
            (ServerState::Failed { error, .. } | ServerState::Waiting { error, .. }, _) => Err(error.clone()),
            _ => Err(error::host(ErrorCode::ServerOff, format!("{} is switched off", kept.row.id))),
        }
    })?
}

/// Gets the permission, from a grant or from a person, with the tool as it is by then.
pub(crate) async fn permit(host: &Host, call: ToolCall, found: Found, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let same = Same::of(&call);
    let again = host.repeats().again(&same, host.now());
    let (verdict, used) = judge(host, call, &found, &[], again == Again::Usual).await;
    spans::decided(&verdict);
    let noted = grants::note(host, used).await;
    match (verdict, again) {
        (Verdict::Deny(refusal), _) => Err(refusal),
        (_, Again::Refuse) => Err(Refusal::TooOften),
        (Verdict::Allow(permitted), _) if noted => Ok((permitted, found)),
        (Verdict::Allow(_), _) => Err(Refusal::NoTrace),
        (Verdict::Ask(pending), Again::Usual) => ask(host, pending.marked(found.mark), stop).await,
        (Verdict::Ask(pending), Again::Ask(times)) => {
            let pending = pending.marked(found.mark).because(Reason::Repeated { times });
            let answer = ask(host, pending, stop).await;
            if answer.is_ok() || matches!(answer, Err(Refusal::DeniedByPerson { .. })) {
                host.repeats().answered(&same, answer.is_ok(), host.now());
            }
            answer
        }
    }
}

/// Decides with everything as it is now. If a grant decides, that is counted in the same moment. What spoke against the call `before`
/// still does. What was allowed before, by grants or by rules, has a say only if `by_earlier`; what was refused always has.
pub(crate) async fn judge(host: &Host, call: ToolCall, found: &Found, before: &[Concern], by_earlier: bool) -> (Verdict, Option<Used>) {
    let concerns = concerns_of(host, &call, found, before);
    let ruling = heeded_rules(host, &call, &concerns, by_earlier).await;
    let places = places_for(host, &call).await;
    let mut remembered = host.grants();
    let grants = heeded_grants(remembered.of(&call), by_earlier);
    let about = call.clone();
    let verdict = weigh(host, call, found, Weighed { concerns: &concerns, ruling: &ruling, grants: &grants, places: &places });
    drop(grants);
    let by = match &verdict {
        Verdict::Allow(permitted) => match permitted.permission() {
            Permission::Grant { grant } => Some(grant.clone()),
            Permission::Answer { .. } | Permission::Rules { .. } => None,
        },
        Verdict::Deny(Refusal::DeniedEarlier { grant, .. }) => Some(grant.clone()),
        Verdict::Deny(_) | Verdict::Ask(_) => None,
    };
    let used = by.and_then(|grant| remembered.count(&about, &grant, host.now()));
    (verdict, used)
}

/// What speaks against a call: what does now, and what did when it was asked about. What a caller was told is forgotten when the
/// application ends; a question outlives it.
pub(crate) fn concerns_of(host: &Host, call: &ToolCall, found: &Found, before: &[Concern]) -> Vec<Concern> {
    let mut concerns = host.conversations().check(call, found.tool.spec(), found.mark);
    for concern in before {
        if !concerns.contains(concern) {
            concerns.push(concern.clone());
        }
    }
    concerns
}

/// What the rules say about a call; without what they allow if that has no say.
pub(crate) async fn heeded_rules(host: &Host, call: &ToolCall, concerns: &[Concern], by_earlier: bool) -> Ruling {
    let mut ruling = rules::on_call(host, call, concerns).await;
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
    grants.iter().filter(|grant| grant.effect != Effect::Allow).cloned().collect()
}

/// Where the paths of a call lead, if a grant that may cover it asks for that.
async fn places_for(host: &Host, call: &ToolCall) -> Places {
    let needed = host.grants().of(call).iter().any(|grant| grant.arguments.needs_places());
    if needed { places::of(&call.arguments).await } else { Places::default() }
}

/// What has a say about a call beside the tool.
pub(crate) struct Weighed<'a> {
    pub(crate) concerns: &'a [Concern],
    pub(crate) ruling: &'a Ruling,
    pub(crate) grants: &'a [Grant],
    pub(crate) places: &'a Places,
}

pub(crate) fn weigh(host: &Host, call: ToolCall, found: &Found, weighed: Weighed<'_>) -> Verdict {
    let facts = Facts {
        tool: &found.tool,
        launch_fingerprint: &found.launch,
        standing: &found.standing,
        concerns: weighed.concerns,
        switched_on: found.on,
        grants: weighed.grants,
        ruling: weighed.ruling,
        setting: setting(host, &found.workspace, weighed.places),
    };
    decide(call, facts)
}

/// What would become of a call that nobody makes, and what it would become of.
pub(crate) struct Supposing {
    /// What the rules say at each point.
    pub(crate) hooks: Vec<(Hook, Ruling)>,
    pub(crate) verdict: Verdict,
    /// The remembered answers for this caller and tool.
    pub(crate) grants: Vec<Grant>,
}

/// Decides about a call that nobody makes. Nothing is written or counted, and nobody is asked.
pub(crate) async fn suppose(host: &Host, supposed: Supposed) -> Result<Supposing, HostError> {
    let Supposed { caller, server, tool, arguments, from_strangers } = supposed;
    supervise::started(host, &server).await;
    let found = find(host, &server, &tool)?;
    let call = ToolCall { id: CallId::random(), caller, server: found.server.clone(), tool, arguments };
    let mut concerns = host.conversations().check(&call, found.tool.spec(), found.mark);
    if from_strangers && concerns.is_empty() {
        let source = Source { origin: Origin::Unknown, message: None, at: None };
        concerns.push(Concern { argument: None, value: String::new(), act: None, source, why: Why::Steered });
    }
    let mut hooks = rules::at_hooks(host, &call, &concerns).await;
    let ruling = rules::joined(&hooks);
    hooks.insert(hooks.len().min(2), (Hook::Return, rules::on_return(host, &call, &[]).await));
    let places = places_for(host, &call).await;
    let grants = host.grants().of(&call).to_vec();
    let verdict = weigh(host, call, &found, Weighed { concerns: &concerns, ruling: &ruling, grants: &grants, places: &places });
    Ok(Supposing { hooks, verdict, grants })
}

async fn ask(host: &Host, pending: Pending, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
    // Before anything is looked up or written: whoever floods takes nobody's time, and no turn at the disk.
    let _room = host.floods().enter(floods::Source::of_call(&call), host.now()).ok_or(Refusal::TooManyQuestions)?;
    let masker = host.secrets().masker();
    let mut concerns = pending.concerns().to_vec();
    for concern in &mut concerns {
        masker.mask_text(&mut concern.value);
    }
    let findings = pins::findings(host, &call.server, pending.tool());
    let (mut touches, _) = touches::of(host, &call.server, &call.arguments).await;
    for file in &mut touches.files {
        masker.mask_text(&mut file.of);
        masker.mask_text(&mut file.path);
    }
    let last_time = past::last_time(host, &call.caller, &call.server, &call.tool).await;
    let arguments = shown(host, &call.arguments);
    let question = pending.question(Shown { arguments, concerns, findings, touches, last_time }, host.now());
    let id = question.id.clone();
    let listed = Listed::new(host, &id, &pending);
    left_over::keep(host, &pending, &question).await?;
    crate::call_tool::tell_waiting(host, &call, true);
    let ended = match consent::put(host, question).await {
        Ok(showing) => wait(host, &pending, &id, consent::wait(showing, stop)).await,
        Err(refusal) => Ended::Answered(Err(refusal)),
    };
    crate::call_tool::tell_waiting(host, &call, false);
    match ended {
        Ended::Answered(answer) => apply(host, pending, &id, answer, Some(&listed)).await,
        Ended::Settled(settled) => settled.map(|(permitted, found)| (*permitted, found)),
    }
}

/// Makes of an answer what it says, with the tool as it is now.
pub(crate) async fn apply(
    host: &Host,
    pending: Pending,
    id: &QuestionId,
    answer: Result<Answer, Refusal>,
    listed: Option<&Listed>,
) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
    // Looked up again: while the person was thinking the tool may have changed, or the server gone or been started anew.
    let now = find(host, &call.server, &call.tool).map_err(|_| Refusal::ChangedWhileAsking);
    let answer = answer?;
    let now = now?;
    if !now.on {
        return Err(Refusal::SwitchedOff);
    }
    if now.standing.refusal().is_some() {
        return Err(Refusal::ChangedWhileAsking);
    }
    let concerns = pending.concerns().to_vec();
    let places = Places::default();
    let setting = setting(host, &now.workspace, &places);
    let answered = pending.answer(id, &answer, &now.tool, &now.launch, setting, |arguments| shown(host, arguments));
    if let Ok(permitted) = &answered.call
        && let Some(refusal) = rules::on_call(host, permitted.call(), &concerns).await.refusal()
    {
        // What the person changed may be what is forbidden.
        return Err(refusal);
    }
    if let Some(grant) = answered.grant {
        let made = grant.id.clone();
        let approver = host.store().audit().answered_by(id).await.map_err(|_| Refusal::NoTrace)?;
        for grant in with_others(host, grant, &answer) {
            // An earlier run may have made it, and ended before the call was sent. One answer makes it once.
            if host.store().grants().knows(&grant.id).await.map_err(|_| Refusal::NoTrace)? {
                continue;
            }
            grants::make(host, grant, approver.clone()).await.map_err(|_| Refusal::NoTrace)?;
        }
        if let Some(listed) = listed {
            listed.made(&made);
        }
    }
    let permitted = answered.call?;
    host.conversations().settle(&call.caller, &concerns);
    Ok((permitted, now))
}

/// A grant, and the same for the other tools that the answer names. What cannot be used now, or does something that matters, is left
/// out: it is asked about by itself.
pub(crate) fn with_others(host: &Host, grant: Grant, answer: &Answer) -> Vec<Grant> {
    let (Answer::Allow { remember: Some(remember), .. } | Answer::Deny { remember: Some(remember), .. }) = answer else {
        return vec![grant];
    };
    let number = |tool: &ToolName| match &grant.origin {
        GrantOrigin::Question { question } => policy::grant_number(question, tool),
        GrantOrigin::Narrowed { .. } => GrantId::random(),
    };
    let other = |name: &ToolName| {
        let found = find(host, &grant.server, name).ok()?;
        let usable = found.on && found.standing.refusal().is_none() && !found.mark.consequential && *name != grant.tool.name;
        usable.then(|| Grant { id: number(name), ..grant.also_for(&found.tool) })
    };
    let others: Vec<Grant> = remember.also.iter().filter_map(other).collect();
    std::iter::once(grant).chain(others).collect()
}

/// Arguments as they are shown: values of held secrets are covered.
pub(crate) fn shown(host: &Host, arguments: &Map<String, Value>) -> Map<String, Value> {
    let mut shown = arguments.clone();
    host.secrets().masker().mask_map(&mut shown);
    shown
}

/// Where and when something is decided.
pub(crate) fn setting<'a>(host: &'a Host, workspace: &'a WorkspaceId, places: &'a Places) -> Setting<'a> {
    Setting { conversation: host.conversation(), workspace, places, now: host.now() }
}
