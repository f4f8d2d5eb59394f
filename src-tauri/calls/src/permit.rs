//! The permission for a call: from what was decided earlier, or from a person who is asked now.
//!
//! Always true here:
//! - what was decided is decided once more when the person has answered, with everything as it is
//!   by then;
//! - what comes too fast is refused before anything is looked up for it.

use crate::found::{Found, find};
use crate::judge::{Weighed, checked, judge, places_for, setting, shown, weigh};
use crate::remembered::GrantKey;
use crate::repeats::Again;
use crate::waiting::{self, PendingGuard, Waited};
use crate::{Calls, affected_resources, call_history, conversations, floods, grants, rules, spans};
use api::{DryRun, HostError};
use futures::FutureExt as _;
use futures::future::BoxFuture;
use policy::flow::{Concern, Source, Why};
use policy::{
    CheckedCall, Decision, EnforcementPoint, Grant, GrantOrigin, Pending, PermittedCall, Places,
    PolicyDecision, Refusal, Shown, Verdict,
};
use protocol::{CallId, GrantId, Origin, QuestionId, ToolCall, ToolName};
use servers::{Servers, error, pins, supervise};
use tokio_util::sync::CancellationToken;

/// Why a call does not run.
pub(crate) enum NotPermitted {
    /// It is refused.
    Refused(Refusal),
    /// The application ends, and the question about it does not: the next run takes it up.
    LeftToNextRun,
}

impl From<Refusal> for NotPermitted {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// A permission with the tool as it was found for it, or why there is none.
pub(crate) type Permit = Result<(PermittedCall, Found), NotPermitted>;

/// Gets the permission, from a grant or from a person, with the tool as it is by then. If a person
/// was asked, what waited for them is to be told of the end of the call.
pub(crate) async fn permit(
    calls: &Calls,
    call: ToolCall,
    found: Found,
    stop: &CancellationToken,
) -> (Permit, Option<PendingGuard>) {
    let again = calls.repeats().again(&call, calls.now());
    let (verdict, used) = judge(calls, call, &found, &[], again == Again::Usual).await;
    spans::decided(&verdict);
    let noted = grants::note(calls, used).await;
    match (verdict, again) {
        (Verdict::Deny(refusal), _) => (Err(refusal.into()), None),
        (_, Again::Refuse) => (Err(Refusal::TooOften.into()), None),
        (Verdict::Allow(permitted), _) => match noted {
            Ok(()) => (Ok((permitted, found)), None),
            Err(refusal) => (Err(refusal.into()), None),
        },
        (Verdict::Ask(pending), Again::Usual) => {
            ask(calls, pending.marked(found.tool.mark), &found, stop).await
        }
        (Verdict::Ask(pending), Again::Ask(why)) => {
            let pending = pending.marked(found.tool.mark).because(why.clone());
            let about = pending.call().clone();
            let (answer, guard) = ask(calls, pending, &found, stop).await;
            if matches!(
                answer,
                Ok(_)
                    | Err(NotPermitted::Refused(
                        Refusal::DeniedByPerson { .. } | Refusal::DeniedByToken { .. }
                    ))
            ) {
                calls
                    .repeats()
                    .answered(&about, &why, answer.is_ok(), calls.now());
            }
            (answer, guard)
        }
    }
}

/// What would become of a call that nobody makes, and what it would become of.
pub struct DryRunDecision {
    /// What the rules say at each point.
    pub hooks: Vec<(EnforcementPoint, PolicyDecision)>,
    /// What is decided.
    pub verdict: Verdict,
    /// The remembered answers for this caller and tool.
    pub grants: Vec<Grant>,
}

/// Decides about a call that nobody makes. Nothing is written or counted, and nobody is asked.
pub async fn suppose(calls: &Calls, dry_run: DryRun) -> Result<DryRunDecision, HostError> {
    let DryRun {
        caller,
        server,
        tool,
        arguments,
        from_strangers,
    } = dry_run;
    let _in_use = supervise::started(calls, &server).await?;
    let found = find(calls, &server, &tool)?;
    let call = ToolCall {
        id: CallId::random(),
        conversation: caller.conversation(),
        by_hand: false,
        caller,
        server: found.server().clone(),
        tool,
        arguments,
    };
    let mut concerns = calls
        .conversations()
        .check(&call, &found.tool.known, found.tool.mark);
    if from_strangers && concerns.is_empty() {
        let source = Source {
            origin: Origin::Unknown,
            message: None,
            at: None,
        };
        concerns.push(Concern {
            argument: None,
            value: String::new(),
            act: None,
            source,
            why: Why::Steered,
        });
    }
    let mut hooks = rules::at_hooks(calls, &found.now, &call, &concerns).await;
    let ruling = rules::joined(&hooks);
    hooks.insert(
        hooks.len().min(2),
        (
            EnforcementPoint::Return,
            rules::on_return(calls, &call, &[]).await,
        ),
    );
    let key = GrantKey::of_call(&call);
    let places = places_for(calls, &call, &key).await;
    let grants = calls.grants().of(&key).to_vec();
    let verdict = weigh(
        calls,
        checked(calls, call, &found).await,
        &found,
        Weighed {
            concerns: &concerns,
            ruling: &ruling,
            grants: &grants,
            places: &places,
        },
    );
    Ok(DryRunDecision {
        hooks,
        verdict,
        grants,
    })
}

/// Asks a person. Few calls come here; without the box each would carry the room for it about.
fn ask<'a>(
    calls: &'a Calls,
    pending: Pending,
    found: &'a Found,
    stop: &'a CancellationToken,
) -> BoxFuture<'a, (Permit, Option<PendingGuard>)> {
    asked(calls, pending, found, stop).boxed()
}

async fn asked(
    calls: &Calls,
    pending: Pending,
    found: &Found,
    stop: &CancellationToken,
) -> (Permit, Option<PendingGuard>) {
    let call = pending.call().clone();
    // Before anything is looked up or written: whoever floods takes nobody's time, and no turn at
    // the disk.
    let Some(_room) = calls
        .floods()
        .enter(floods::Source::of_call(&call), calls.now())
    else {
        return (Err(Refusal::TooManyQuestions.into()), None);
    };
    let masker = calls.secrets().masker();
    let concerns = conversations::shown(pending.concerns(), &masker);
    let mut sources = calls.conversations().value_sources(&call);
    for source in &mut sources {
        masker.mask_text(&mut source.value);
        masker.mask_text(&mut source.argument);
    }
    let findings = pins::findings(calls, &call.server, pending.tool());
    let (mut touches, _) = affected_resources::of(&found.now, &call.arguments).await;
    for file in &mut touches.files {
        masker.mask_text(&mut file.of);
        masker.mask_text(&mut file.path);
    }
    for unread in &mut touches.unread {
        masker.mask_text(&mut unread.at);
    }
    let last_time = call_history::last_time(calls, &call.caller, &call.server, &call.tool).await;
    let arguments = shown(calls, &call.arguments);
    let question = pending.question(
        Shown {
            arguments,
            concerns,
            sources,
            findings,
            touches,
            last_time,
        },
        calls.now(),
        calls.question_time(),
    );
    let asked = waiting::put(calls, question, Some(&pending)).await;
    let (waited, guard) = match asked {
        Ok(mut guard) => (guard.wait(stop).await, Some(guard)),
        Err(refusal) => (Waited::Refused(refusal), None),
    };
    calls.tell_waiting(&call, false);
    let permit = after(calls, pending, waited, guard.as_ref()).await;
    (permit, guard)
}

/// Makes of what came of the waiting what it says, with the tool as it is now.
pub(crate) async fn after(
    calls: &Calls,
    pending: Pending,
    waited: Waited,
    guard: Option<&PendingGuard>,
) -> Permit {
    match (waited, guard) {
        (Waited::Answered(answer), Some(guard)) => {
            match apply(calls, pending, answer, guard).await {
                Ok(permitted) => Ok(permitted),
                Err(refusal) => Err(waiting::as_denied(calls, guard.id(), refusal).await.into()),
            }
        }
        (Waited::Allowed(permitted, found), _) => Ok((*permitted, *found)),
        (Waited::Refused(refusal), _) => Err(refusal.into()),
        (Waited::LeftToNextRun, _) => Err(NotPermitted::LeftToNextRun),
        (Waited::Answered(_), None) => Err(Refusal::QuestionClosed.into()),
    }
}

/// Makes of an answer what it says, with the tool as it is now.
async fn apply(
    calls: &Calls,
    pending: Pending,
    answer: Decision,
    guard: &PendingGuard,
) -> Result<(PermittedCall, Found), Refusal> {
    let call = pending.call().clone();
    // Looked up again: while the person was thinking the tool may have changed, or the server gone
    // or been started anew.
    let now = find(calls, &call.server, &call.tool).map_err(|_| Refusal::ChangedWhileAsking)?;
    if !now.tool.on {
        return Err(Refusal::SwitchedOff);
    }
    if now.tool.standing.refusal().is_some() {
        return Err(Refusal::ChangedWhileAsking);
    }
    let concerns = pending.concerns().to_vec();
    let places = Places::default();
    let setting = setting(calls, &call.conversation, now.workspace(), &places);
    let id = guard.id();
    let edited = edited(calls, &pending, &answer, &now).await?;
    let answered = pending.answer(
        id,
        &answer,
        edited,
        &now.tool.known,
        &now.launch,
        setting,
        |arguments| shown(calls, arguments),
    );
    if let Ok(permitted) = &answered.call
        && let Some(refusal) = rules::on_call(calls, &now.now, permitted.call(), &concerns)
            .await
            .refusal()
    {
        // What the person changed may be what is forbidden.
        return Err(refusal);
    }
    let made = answered.grant.as_ref().map(|grant| grant.id.clone());
    if let Some(grant) = answered.grant {
        remember(calls, grant, id, &answer).await?;
    }
    guard.applied(made);
    let permitted = answered.call?;
    calls.conversations().settle(&call.conversation, &concerns);
    Ok((permitted, now))
}

/// The call as an answer changes it, checked.
pub async fn edited(
    calls: &Calls,
    pending: &Pending,
    answer: &Decision,
    now: &Found,
) -> Result<Option<CheckedCall>, Refusal> {
    let Decision::Allow {
        arguments: Some(arguments),
        ..
    } = answer
    else {
        return Ok(None);
    };
    let call = pending.edited(arguments, |arguments| shown(calls, arguments))?;
    let checking = calls.schemas().check_call(call, &now.tool.known);
    Ok(Some(checking.await))
}

/// Remembers an answer. An earlier run may have done that, and ended before the call was sent: one
/// answer makes one grant.
async fn remember(
    calls: &Calls,
    grant: Grant,
    question: &QuestionId,
    answer: &Decision,
) -> Result<(), Refusal> {
    let unwritten = |error: HostError| error::unwritten(&error);
    let approver = calls.store().audit().answered_by(question).await;
    let approver = approver.map_err(|error| unwritten(error.into()))?;
    for grant in with_others(calls, grant, answer) {
        if calls
            .store()
            .grants()
            .knows(&grant.id)
            .await
            .map_err(|error| unwritten(error.into()))?
        {
            continue;
        }
        grants::make(calls, grant, approver.clone())
            .await
            .map_err(unwritten)?;
    }
    Ok(())
}

/// A grant, and the same for the other tools that the answer names. What cannot be used now, or
/// does something that matters, is left out: it is asked about by itself.
pub fn with_others(servers: &Servers, grant: Grant, answer: &Decision) -> Vec<Grant> {
    let (Decision::Allow {
        remember: Some(remember),
        ..
    }
    | Decision::Deny {
        remember: Some(remember),
        ..
    }) = answer
    else {
        return vec![grant];
    };
    let number = |tool: &ToolName| match &grant.origin {
        GrantOrigin::Question { question } => policy::grant_number(question, tool),
        GrantOrigin::Narrowed { .. } => GrantId::random(),
    };
    let other = |name: &ToolName| {
        let found = find(servers, &grant.server, name).ok()?;
        let usable = found.tool.refusal().is_none()
            && !found.tool.mark.consequential
            && *name != grant.tool.name;
        usable.then(|| Grant {
            id: number(name),
            ..grant.also_for(&found.tool.known)
        })
    };
    let others: Vec<Grant> = remember.also.iter().filter_map(other).collect();
    std::iter::once(grant).chain(others).collect()
}
