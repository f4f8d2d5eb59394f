//! What the log says of a question.

use api::HostError;
use policy::{Decision, Question, Subject};
use protocol::FormResult;
use servers::{Approver, Core};
use store::{Entry, Event};

pub(super) fn record_about(
    core: &Core,
    question: &Question,
    event: Event,
) -> Result<u64, HostError> {
    core.record(entry_about(core, question, event))
}

pub(super) async fn record_decision(
    core: &Core,
    question: &Question,
    answer: &Decision,
    approver: Approver,
) -> Result<u64, HostError> {
    let (word, reason) = match answer {
        Decision::Allow { remember: None, .. } => ("allow_once", None),
        Decision::Allow {
            remember: Some(_), ..
        } => ("allow_remembered", None),
        Decision::Deny {
            reason,
            remember: None,
        } => ("deny", reason.clone()),
        Decision::Deny {
            reason,
            remember: Some(_),
        } => ("deny_remembered", reason.clone()),
        Decision::UseModel { .. } => ("use_model", None),
        Decision::SendReply { .. } => ("send_reply", None),
        Decision::ChangeRule => ("change_rule", None),
        Decision::OpenUrl => ("open_url", None),
        Decision::Decline => ("decline", None),
        Decision::Form {
            answer: FormResult::Accept { .. },
        } => ("form_accept", None),
        Decision::Form {
            answer: FormResult::Decline,
        } => ("form_decline", None),
        Decision::Form {
            answer: FormResult::Cancel,
        } => ("form_cancel", None),
    };
    let event = Event::QuestionAnswered {
        question: question.id.clone(),
        answer: word.to_owned(),
        reason: reason.map(|reason| core.secrets().masked(&reason)),
    };
    core.record_synced(Entry {
        approver: Some(approver.key().to_owned()),
        ..entry_about(core, question, event)
    })
    .await
}

pub(super) fn entry_about(core: &Core, question: &Question, event: Event) -> Entry {
    let (call, who, tool) = match &question.subject {
        Subject::Call {
            call,
            caller,
            conversation,
            tool,
            ..
        } => (
            Some(call.clone()),
            Some((caller, conversation.as_ref())),
            Some(tool.name.clone()),
        ),
        Subject::Form { during, .. }
        | Subject::Url { during, .. }
        | Subject::Sample { during, .. }
        | Subject::SampleReply { during, .. } => (during.first().cloned(), None, None),
        Subject::Change { change } => (None, Some((&change.caller, None)), None),
        Subject::Request {
            caller,
            conversation,
            ..
        } => (None, Some((caller, Some(conversation))), None),
        Subject::Rule { .. } => (None, None, None),
    };
    let (caller, conversation) = who.unzip();
    Entry {
        at: core.now(),
        call,
        caller: caller.cloned(),
        conversation: conversation.flatten().cloned(),
        approver: None,
        server: question.server.clone(),
        tool,
        event,
    }
}
