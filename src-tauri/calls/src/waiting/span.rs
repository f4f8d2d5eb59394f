//! The span of a question to a person.

use super::Waited;
use policy::{Decision, Question, Refusal, Subject};
use protocol::{FormResult, ServerId};
use servers::Core;
use tracing::field::Empty;
use tracing::{Instrument as _, Span, info_span};

/// Waits for the answer to a question, and notes how long that took and what it was, also on the
/// span of the call.
pub(crate) async fn asked(
    core: &Core,
    question: &Question,
    answer: impl Future<Output = Waited>,
) -> Waited {
    let (call, since) = (Span::current(), core.now());
    let span = info_span!(
        target: "telemetry",
        "host.consent",
        host.question.kind = subject(&question.subject),
        host.server = question.server.as_ref().map(ServerId::as_str),
        host.consent.answer = Empty,
    );
    let answer = answer.instrument(span.clone()).await;
    let word = word(&answer);
    span.record("host.consent.answer", word);
    call.record("host.consent.answer", word)
        .record("host.consent.waited", core.now().since(since).as_secs_f64());
    answer
}

fn word(waited: &Waited) -> &'static str {
    match waited {
        Waited::Answered(Decision::Deny { .. } | Decision::Decline) => "deny",
        Waited::Answered(Decision::Form {
            answer: FormResult::Decline | FormResult::Cancel,
        }) => "deny",
        Waited::Answered(_) => "allow",
        Waited::Allowed(..) => "superseded",
        Waited::Refused(Refusal::Cancelled) | Waited::LeftToNextRun => "withdrawn",
        Waited::Refused(Refusal::NobodyAnswered | Refusal::NobodyThere) => "unanswered",
        Waited::Refused(Refusal::QuestionClosed) => "closed",
        Waited::Refused(_) => "failed",
    }
}

fn subject(subject: &Subject) -> &'static str {
    match subject {
        Subject::Call { .. } => "call",
        Subject::Form { .. } => "form",
        Subject::Url { .. } => "url",
        Subject::Sample { .. } => "sample",
        Subject::SampleReply { .. } => "sample_reply",
        Subject::Request { .. } => "request",
        Subject::Rule { .. } => "rule",
        Subject::Change { .. } => "change",
    }
}
