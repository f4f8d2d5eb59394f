//! The permission for a call: from what was decided earlier, or from a person who is asked now.
//!
//! Always true here:
//! - what was decided is decided once more when the person has answered, with everything as it is by then;
//! - while a question waits, whatever changes is taken into account: what is forbidden by then is refused, and what a person has
//!   allowed meanwhile runs;
//! - a question that is being answered is settled by nothing else.

use crate::api::{ErrorCode, HostError, ServerState, Supposed};
use crate::grants::Used;
use crate::pendings::Listed;
use crate::repeats::{Again, Same};
use crate::{Host, consent, error, grants, left_over, past, pins, places, rules, spans, supervise, touches};
use connections::Connection;
use policy::flow::{Concern, Source, Why};
use policy::pin::Standing;
use policy::{
    Answer, Effect, Facts, Grant, Hook, KnownTool, Mark, Pending, Permission, PermittedCall, Places, Reason, Refusal, Ruling, Setting,
    Shown, Verdict, decide,
};
use protocol::{CallId, Fingerprint, Origin, QuestionId, ServerId, ToolCall, ToolName, WorkspaceId};
use serde_json::{Map, Value};
use std::sync::Arc;
use store::{Entry, Event};
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
    let (verdict, used) = judge(host, call, &found, again == Again::Usual).await;
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

/// Decides with everything as it is now. If a grant decides, that is counted in the same moment. What was allowed before, by grants
/// or by rules, has a say only if `by_earlier`; what was refused always has.
async fn judge(host: &Host, call: ToolCall, found: &Found, by_earlier: bool) -> (Verdict, Option<Used>) {
    let concerns = host.conversations().check(&call, found.tool.spec(), found.mark);
    let mut ruling = rules::on_call(host, &call, &concerns).await;
    if !by_earlier {
        ruling.allow.clear();
    }
    let places = places_for(host, &call).await;
    let mut remembered = host.grants();
    let refusals: Vec<Grant>;
    let grants = if by_earlier {
        remembered.of(&call)
    } else {
        refusals = remembered.of(&call).iter().filter(|grant| grant.effect != Effect::Allow).cloned().collect();
        &refusals
    };
    let about = call.clone();
    let verdict = weigh(host, call, found, Weighed { concerns: &concerns, ruling: &ruling, grants, places: &places });
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

/// Where the paths of a call lead, if a grant that may cover it asks for that.
async fn places_for(host: &Host, call: &ToolCall) -> Places {
    let needed = host.grants().of(call).iter().any(|grant| grant.arguments.needs_places());
    if needed { places::of(&call.arguments).await } else { Places::default() }
}

/// What has a say about a call beside the tool.
struct Weighed<'a> {
    concerns: &'a [Concern],
    ruling: &'a Ruling,
    grants: &'a [Grant],
    places: &'a Places,
}

fn weigh(host: &Host, call: ToolCall, found: &Found, weighed: Weighed<'_>) -> Verdict {
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

/// How a question about a call has ended.
enum Ended {
    /// A person has answered, or nobody has.
    Answered(Result<Answer, Refusal>),
    /// Something else has changed so that it is settled.
    Settled(Result<(Box<PermittedCall>, Found), Refusal>),
}

async fn ask(host: &Host, pending: Pending, stop: &CancellationToken) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
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
    let ended = wait(host, &pending, &id, consent::ask(host, question, stop)).await;
    crate::call_tool::tell_waiting(host, &call, false);
    match ended {
        Ended::Answered(answer) => apply(host, pending, &id, answer, Some(&listed)).await,
        Ended::Settled(settled) => settled.map(|(permitted, found)| (*permitted, found)),
    }
}

/// Waits for the answer, and for whatever makes it needless.
pub(crate) async fn wait_settled(
    host: &Host,
    pending: &Pending,
    id: &QuestionId,
    answer: impl Future<Output = Result<Answer, Refusal>>,
) -> Result<Answer, Refusal> {
    match wait(host, pending, id, answer).await {
        Ended::Answered(answer) => answer,
        Ended::Settled(Err(refusal)) => Err(refusal),
        // A grant that a person has made meanwhile says yes to this call as well.
        Ended::Settled(Ok(_)) => Ok(Answer::once()),
    }
}

async fn wait(host: &Host, pending: &Pending, id: &QuestionId, answer: impl Future<Output = Result<Answer, Refusal>>) -> Ended {
    let mut changes = host.consent().changes();
    tokio::pin!(answer);
    loop {
        tokio::select! {
            biased;
            answer = &mut answer => return Ended::Answered(answer),
            changed = changes.changed() => {
                if changed.is_err() {
                    return Ended::Answered(answer.await);
                }
                if let Some(settled) = reconsider(host, pending, id).await {
                    return Ended::Settled(settled);
                }
            }
        }
    }
}

/// What is to become of a question, with everything as it is now; nothing, if it goes on waiting.
async fn reconsider(host: &Host, pending: &Pending, id: &QuestionId) -> Option<Result<(Box<PermittedCall>, Found), Refusal>> {
    // The application ends: what waits then is taken up by the next run.
    host.still_open().ok()?;
    let call = pending.call();
    let found = match find(host, &call.server, &call.tool) {
        Ok(found) => found,
        Err(_) if is_gone(host, &call.server) => {
            return settle(host, pending, id, "server_gone").await.then_some(Err(Refusal::ChangedWhileAsking));
        }
        Err(_) => return None,
    };
    let by_grants = !matches!(pending.reason(), Reason::Repeated { .. });
    let (verdict, used) = judge(host, call.clone(), &found, by_grants).await;
    let (how, settled) = match verdict {
        Verdict::Ask(_) => return None,
        Verdict::Deny(refusal) => ("refused", Err(refusal)),
        // Beside a repeated call a person has to look, whatever the rules say.
        Verdict::Allow(_) if !by_grants => return None,
        Verdict::Allow(permitted) => ("settled_by_permission", Ok((Box::new(permitted), found))),
    };
    if !settle(host, pending, id, how).await {
        if let Some(used) = &used {
            host.grants().uncount(used);
        }
        return None;
    }
    if !grants::note(host, used).await && settled.is_ok() {
        return Some(Err(Refusal::NoTrace));
    }
    Some(settled)
}

/// Whether these grants would settle a question that waits.
pub(crate) async fn would_settle(host: &Host, grants: &[Grant], pending: &Pending) -> bool {
    let call = pending.call();
    let Ok(found) = find(host, &call.server, &call.tool) else { return false };
    if matches!(pending.reason(), Reason::Repeated { .. }) {
        return false;
    }
    let concerns = host.conversations().check(call, found.tool.spec(), found.mark);
    let ruling = rules::on_call(host, call, &concerns).await;
    let places = places::of(&call.arguments).await;
    let verdict = weigh(host, call.clone(), &found, Weighed { concerns: &concerns, ruling: &ruling, grants, places: &places });
    !matches!(verdict, Verdict::Ask(_))
}

/// Whether a server will not run again by itself. One that is on and does not run is being started anew.
fn is_gone(host: &Host, server: &ServerId) -> bool {
    let gone = |state: &ServerState, on: bool| match state {
        ServerState::Off => !on,
        ServerState::Failed { .. } => true,
        _ => false,
    };
    host.kept().with(server, |kept| gone(&kept.state, kept.place.on)).unwrap_or(true)
}

/// Takes a question away before anyone has answered it. False if it is being answered.
async fn settle(host: &Host, pending: &Pending, id: &QuestionId, how: &str) -> bool {
    if !consent::settle(host, id, how).await {
        return false;
    }
    let call = pending.call();
    let event = Event::QuestionAnswered { question: id.clone(), answer: how.to_owned(), reason: None };
    let entry = Entry { approver: Some("majordomo".to_owned()), ..crate::call_tool::about(call, host.now(), event) };
    if let Err(error) = host.record(entry) {
        tracing::warn!(question = %id, %error, "that a question was settled could not be written to the log");
    }
    true
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
    let other = |name: &ToolName| {
        let found = find(host, &grant.server, name).ok()?;
        let usable = found.on && found.standing.refusal().is_none() && !found.mark.consequential && *name != grant.tool.name;
        usable.then(|| grant.also_for(&found.tool))
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
