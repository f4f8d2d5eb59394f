//! Who may let more happen.
//!
//! Always true here:
//! - a request that lets more happen is carried out on a person's word only: said where it was
//!   made, or given to a question in the window;
//! - a program that holds no more than the token of the door is nobody's word;
//! - what cannot be told is taken for more.

use crate::telemetry;
use api::{
    AnyRequest, ApproverKind, ChangeClient, ConnectApplication, DisconnectApplication,
    EnableServer, ErrorCode, HostError, Power, RevokeGrant, SetQuestionTime, SetSampling,
    SetTelemetry, SetTool, ShowToolAlways,
};
use calls::Calls;
use calls::waiting;
use policy::{ChangeDetail, Decision, Effect, Question, Refusal, Subject, WantedChange};
use protocol::{Caller, ServerId};
use serde_json::Value;
use servers::{Approver, Core, Surface, connect, error};
use tokio_util::sync::CancellationToken;

/// Stands for a value that is not shown.
const COVERED: &str = "•••";

/// The surface on whose word a request is carried out: the one that it comes from or, if more can
/// happen afterwards and no person is there, the window, once a person has said yes in it.
///
/// Fails with `only_for_the_person` where nobody can be asked, and with `refused` after a no.
pub(crate) async fn on_whose_word(
    calls: &Calls,
    request: &AnyRequest,
    surface: &Surface,
) -> Result<Surface, HostError> {
    let gated = request.power() == Power::More && !has_its_own_gate(request);
    if !gated || surface.is_person(calls) || !lets_more_happen(calls, request) {
        return Ok(surface.clone());
    }
    match calls.approver() {
        ApproverKind::QuestionWindow if !is_for_the_persons_place(request) => {
            ask(calls, request, &surface.caller).await?;
            Ok(Surface {
                approver: Some(Approver::QuestionWindow),
                ..surface.clone()
            })
        }
        ApproverKind::Terminal | ApproverKind::QuestionWindow => Err(error::host(
            ErrorCode::OnlyForThePerson,
            format!("{} needs a person's word", request.method()),
        )),
    }
}

/// What is for the person only is shown where the person is, not to whoever asks for it; and words
/// that somebody else has chosen do not become the person's by a yes.
fn is_for_the_persons_place(request: &AnyRequest) -> bool {
    matches!(
        request,
        AnyRequest::RevealAnswer(_)
            | AnyRequest::StartConversation(_)
            | AnyRequest::BranchConversation(_)
            | AnyRequest::ImportConversation(_)
            | AnyRequest::SayInConversation(_)
            | AnyRequest::GoOn(_)
    )
}

/// Answers prove themselves by where they are given, and rules are a question for everybody.
fn has_its_own_gate(request: &AnyRequest) -> bool {
    matches!(
        request,
        AnyRequest::AnswerQuestion(_)
            | AnyRequest::AnswerQuestions(_)
            | AnyRequest::AddRule(_)
            | AnyRequest::RemoveRule(_)
    )
}

/// Whether this very request lets more happen: some of its kind take away.
fn lets_more_happen(calls: &Calls, request: &AnyRequest) -> bool {
    match request {
        AnyRequest::SetTool(SetTool { on, .. })
        | AnyRequest::ShowToolAlways(ShowToolAlways { on, .. }) => *on,
        AnyRequest::SetSampling(SetSampling { settings, .. }) => settings.on,
        AnyRequest::ChangeClient(ChangeClient { client, change }) => {
            let settings = calls.clients().settings(client);
            settings.is_none_or(|settings| settings.lets_more_happen(change))
        }
        AnyRequest::SetTelemetry(SetTelemetry { settings }) => {
            telemetry::lets_more_leave(&calls.traced().view().settings, settings)
        }
        AnyRequest::SetQuestionTime(SetQuestionTime { minutes }) => {
            *minutes > calls.question_time().minutes()
        }
        // A yes that is taken back lets less happen; a no that is taken back, more.
        AnyRequest::RevokeGrant(RevokeGrant { grant }) => !calls
            .grants()
            .all()
            .iter()
            .any(|known| known.id == *grant && known.effect == Effect::Allow),
        // It runs already, as it was reviewed.
        AnyRequest::EnableServer(EnableServer {
            server,
            reviewed: None,
        }) => !calls.runs_as_reviewed(server),
        _ => true,
    }
}

async fn ask(calls: &Calls, request: &AnyRequest, caller: &Caller) -> Result<(), HostError> {
    let (server, details) = shown(calls, request)?;
    let change = WantedChange {
        request: request.method().to_owned(),
        caller: caller.clone(),
        details,
    };
    let subject = Subject::Change { change };
    let question = Question::new(server, subject, calls.now(), calls.question_time());
    let id = question.id.clone();
    // When whoever wants it goes away, this future is dropped, and the question with it.
    match waiting::ask(calls, question, &CancellationToken::new()).await {
        Ok(Decision::ChangeRule) => Ok(()),
        Ok(_) => {
            let no = Refusal::DeniedByPerson { reason: None };
            let no = waiting::as_denied(calls, &id, no).await;
            Err(error::change_denied(no, &what_stays(request)))
        }
        Err(refusal) => Err(error::refused(refusal)),
    }
}

/// What is as it was after a no.
fn what_stays(request: &AnyRequest) -> String {
    match request {
        AnyRequest::ConnectApplication(ConnectApplication { application, .. })
        | AnyRequest::DisconnectApplication(DisconnectApplication { application, .. }) => {
            let name = connect::name(*application);
            format!("the configuration of {name} stays as it was")
        }
        _ => "nothing was changed".to_owned(),
    }
}

/// The server that a request is about, and everything that goes with it as it is shown: values of
/// secrets are covered.
fn shown(
    core: &Core,
    request: &AnyRequest,
) -> Result<(Option<ServerId>, Vec<ChangeDetail>), HostError> {
    let mut written: Value = serde_json::to_value(request).map_err(|problem| {
        error::host(
            ErrorCode::Internal,
            format!("a request could not be shown: {problem}"),
        )
    })?;
    cover(&mut written["params"]);
    let mut details = Vec::new();
    let mut server = None;
    if let Value::Object(params) = &written["params"] {
        for (name, value) in params {
            if name == "server"
                && let Some(known) = value.as_str().and_then(|name| ServerId::parse(name).ok())
            {
                server = Some(known);
                continue;
            }
            let text = match value {
                Value::String(text) => text.clone(),
                other => other.to_string(),
            };
            details.push(ChangeDetail {
                name: name.clone(),
                value: core.secrets().masked(&text),
            });
        }
    }
    Ok((server, details))
}

/// Covers the values of secrets in a draft.
fn cover(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            let secret = fields.get("kind").and_then(Value::as_str) == Some("new_secret");
            for (name, value) in fields {
                if (secret && name == "value") || name == "client_secret" || name == "key" {
                    if !value.is_null() {
                        *value = COVERED.into();
                    }
                } else {
                    cover(value);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(cover),
        _ => {}
    }
}
