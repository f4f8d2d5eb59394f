//! Rules: shown, made and taken back by a person, and tried out.

use crate::commands::clients;
use api::{
    DryRun, DryRunResult, DryRunVerdict, EnforcementPointVerdict, ErrorCode, HostError, MOST_RULES,
    PolicyView, room_for_one,
};
use calls::Calls;
use calls::permit::{self, DryRunDecision};
use calls::{places, waiting};
use policy::{
    AdministratorRules, Condition, Decision, Permission, Question, Refusal, Rule, RuleDraft,
    RuleEffect, Rules, Subject, Verdict,
};
use protocol::RuleId;
use servers::{Servers, Surface, error, rules};
use std::path::{Path, PathBuf};
use store::{Entry, Event};
use tokio_util::sync::CancellationToken;

/// A rule as it would be written.
pub(crate) fn preview(servers: &Servers, draft: RuleDraft) -> Result<Rule, HostError> {
    let bad = |problem: String| error::host(ErrorCode::BadRule, problem);
    let draft = as_kept(servers, draft)?;
    draft.check().map_err(|problem| bad(problem.to_string()))?;
    let rule = draft.rule(RuleId::random(), servers.now());
    // Read back as it will be: what does not read would forbid everything.
    let read = Rules::new(&AdministratorRules::default(), std::slice::from_ref(&rule));
    match read.layers().iter().find_map(|layer| layer.broken.clone()) {
        Some(problem) => Err(bad(problem.to_string())),
        None => Ok(rule),
    }
}

/// Makes a rule. One that lets more happen is made only after a person's yes.
pub(crate) async fn add(
    calls: &Calls,
    draft: RuleDraft,
    surface: &Surface,
) -> Result<PolicyView, HostError> {
    let rule = preview(calls, draft)?;
    let there_are = calls.rules().number_of_person();
    room_for_one("rules", there_are, MOST_RULES)?;
    let asked = if rule.effect == RuleEffect::Allow {
        approved(calls, &rule, false).await?
    } else {
        None
    };
    let entry = about(
        &rule,
        asked,
        surface.decided(
            calls,
            Event::RuleMade {
                rule: rule.id.clone(),
                text: rule.text.clone(),
            },
        ),
    );
    calls.record_synced(entry).await?;
    calls.store().rules().insert(rule.clone()).await?;
    calls.rules().change(|kept| kept.push(rule));
    rules::changed(calls);
    Ok(calls.rules().view())
}

/// Takes a rule of the person back. Where more could happen afterwards, only after a person's yes.
pub(crate) async fn remove(
    calls: &Calls,
    id: &RuleId,
    surface: &Surface,
) -> Result<PolicyView, HostError> {
    let unknown = || {
        error::host(
            ErrorCode::UnknownRule,
            format!("there is no rule {id} that a person has made"),
        )
    };
    let rule = calls.rules().of_person(id.as_str()).ok_or_else(unknown)?;
    let asked = if rule.effect == RuleEffect::Allow {
        None
    } else {
        approved(calls, &rule, true).await?
    };
    let entry = about(
        &rule,
        asked,
        surface.decided(
            calls,
            Event::RuleRemoved {
                rule: id.clone(),
                text: rule.text.clone(),
            },
        ),
    );
    calls.record_synced(entry).await?;
    // Meanwhile somebody else may have taken it back.
    if !calls.store().rules().remove(id).await? {
        return Err(unknown());
    }
    calls
        .rules()
        .change(|kept| kept.retain(|kept| kept.id != *id));
    rules::changed(calls);
    Ok(calls.rules().view())
}

/// What would become of a call, by the very way that a call goes. Nothing is written, counted or
/// sent. Fails with `unknown_client` for an application that may not come in.
pub(crate) async fn suppose(calls: &Calls, dry_run: DryRun) -> Result<DryRunResult, HostError> {
    clients::check_known(calls, &dry_run.caller)?;
    let DryRunDecision {
        hooks,
        verdict,
        grants,
    } = permit::suppose(calls, dry_run).await?;
    let hooks = hooks
        .into_iter()
        .map(|(hook, ruling)| EnforcementPointVerdict {
            hook,
            forbid: ruling.forbid,
            ask: ruling.ask,
            allow: ruling.allow,
        });
    let (verdict, grant) = match verdict {
        Verdict::Allow(permitted) => {
            let grant = match permitted.permission() {
                Permission::Grant { grant } => grants.into_iter().find(|kept| kept.id == *grant),
                Permission::Rules { .. } | Permission::Answer { .. } => None,
            };
            (DryRunVerdict::Allow, grant)
        }
        Verdict::Ask(pending) => (
            DryRunVerdict::Ask {
                reason: pending.reason().clone(),
            },
            None,
        ),
        Verdict::Deny(refusal) => (DryRunVerdict::Deny { refusal }, None),
    };
    Ok(DryRunResult {
        verdict,
        hooks: hooks.collect(),
        grant,
    })
}

/// The draft with names as they are kept: of a server that there is, of a folder where it really
/// lies.
fn as_kept(servers: &Servers, mut draft: RuleDraft) -> Result<RuleDraft, HostError> {
    if let Some(server) = &draft.server {
        draft.server = Some(servers.registry().now(server)?.row.id.clone());
    }
    for condition in &mut draft.when {
        if let Condition::InFolder { folder } = condition {
            let real = places::real(Path::new(folder.as_str())).filter(|real| real.is_absolute());
            let straight: PathBuf =
                real.unwrap_or_else(|| Path::new(folder.as_str()).components().collect());
            *folder = straight.to_string_lossy().into_owned();
        }
    }
    Ok(draft)
}

/// Asks a person whether more may happen. After a yes, who said it.
async fn approved(calls: &Calls, rule: &Rule, removing: bool) -> Result<Option<String>, HostError> {
    let server = rule.draft.as_ref().and_then(|draft| draft.server.clone());
    let subject = Subject::Rule {
        rule: Box::new(rule.clone()),
        removing,
    };
    let question = Question::new(server, subject, calls.now(), calls.question_time());
    let id = question.id.clone();
    // When whoever wants it goes away, this future is dropped, and the question with it.
    match waiting::ask(calls, question, &CancellationToken::new()).await {
        Ok(Decision::ChangeRule) => Ok(calls.store().audit().answered_by(&id).await?),
        Ok(_) => {
            let no = Refusal::DeniedByPerson { reason: None };
            let no = waiting::as_denied(calls, &id, no).await;
            Err(error::change_denied(no, "nothing was changed"))
        }
        Err(refusal) => Err(error::refused(refusal)),
    }
}

/// What is decided about a rule, on the word of whoever was asked, if somebody was.
fn about(rule: &Rule, asked: Option<String>, decided: Entry) -> Entry {
    let draft = rule.draft.as_ref();
    let (server, tool) = (
        draft.and_then(|draft| draft.server.clone()),
        draft.and_then(|draft| draft.tool.clone()),
    );
    Entry {
        server,
        tool,
        approver: asked.or(decided.approver),
        ..decided
    }
}
