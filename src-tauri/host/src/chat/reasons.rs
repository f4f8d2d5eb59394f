//! Why a call, a task or a reply did not come to what was wanted, for surfaces: they say it in the
//! person's language, and the words for the model stay its own.

use agent::model::{Failure, RetryAfter};
use agent::{HelperEnd, NotRun, Outcome, Unknown};
use api::{ErrorCode, NoAnswerReason, NotRunReason, UnknownReason};
use protocol::TurnEnd;
use servers::error;

/// Why a call was not carried out; `None` of one that was, may have been, or was denied by a person.
pub(super) fn not_run(outcome: &Outcome) -> Option<NotRunReason> {
    let why = match outcome {
        Outcome::Refused { .. } => return Some(NotRunReason::Refused),
        Outcome::NotRun { why } => why,
        _ => return None,
    };
    Some(match why {
        NotRun::Stopped => NotRunReason::Stopped,
        NotRun::ReplyCut => NotRunReason::ReplyCut,
        NotRun::Arguments { .. } => NotRunReason::Arguments,
        NotRun::Unavailable { .. } => NotRunReason::Unavailable,
        NotRun::NoSuchTool { .. } => NotRunReason::NoSuchTool,
        NotRun::PurseSpent => NotRunReason::PurseSpent,
        NotRun::Repeated => NotRunReason::Repeated,
        NotRun::ApplicationEnded => NotRunReason::ApplicationEnded,
    })
}

/// Why nobody knows whether a call was carried out.
pub(super) fn unknown(why: Unknown) -> UnknownReason {
    match why {
        Unknown::ApplicationEnded => UnknownReason::ApplicationEnded,
        Unknown::ServerStopped => UnknownReason::ServerStopped,
        Unknown::NoAnswer => UnknownReason::NoAnswer,
        Unknown::Stopped => UnknownReason::Stopped,
    }
}

/// Why a task has no answer; `None` where it has one.
pub(super) fn no_answer(end: &HelperEnd) -> Option<NoAnswerReason> {
    let why = match end {
        HelperEnd::Answered { .. } => return None,
        HelperEnd::CannotTell => return Some(NoAnswerReason::CannotTell),
        HelperEnd::OtherKind => return Some(NoAnswerReason::OtherKind),
        HelperEnd::Unfinished { why } => why,
    };
    Some(match why {
        TurnEnd::Done => NoAnswerReason::Silent,
        TurnEnd::Stopped => NoAnswerReason::Stopped,
        TurnEnd::Broke => NoAnswerReason::Broke,
        TurnEnd::Cut => NoAnswerReason::Cut,
        TurnEnd::Refused => NoAnswerReason::Refused,
        TurnEnd::PurseSpent => NoAnswerReason::PurseSpent,
        TurnEnd::Loops => NoAnswerReason::Loops,
        TurnEnd::ContextFull => NoAnswerReason::ContextFull,
        TurnEnd::ModelChanged => NoAnswerReason::ModelChanged,
    })
}

/// What kind of failure kept a reply from its end; `None` of one that says all in its own words.
pub(super) fn failure(failure: &Failure) -> Option<ErrorCode> {
    match failure {
        Failure::Connection { code, .. } => {
            let code = code.as_deref().and_then(ErrorCode::of_word);
            Some(code.unwrap_or(ErrorCode::Unreachable))
        }
        Failure::Status {
            retry_after: RetryAfter::Spent,
            ..
        } => Some(ErrorCode::ModelQuotaSpent),
        // A request that the service does not take is told by what it says about that.
        Failure::Status {
            status: 400 | 405..=407 | 409..=428,
            ..
        } => None,
        Failure::Status { status, .. } => Some(error::model_status(*status).code),
        Failure::Service { .. } => Some(ErrorCode::ModelServiceFailed),
        _ => None,
    }
}
