//! How long questions wait, as the person chose.

use api::{ErrorCode, HostError};
use calls::Calls;
use policy::QuestionTime;
use servers::{Surface, error};
use store::Event;

/// Has questions wait so many minutes that are asked from now on. The choice is in the log before
/// it counts.
///
/// # Errors
/// `bad_request` if they cannot wait so long.
pub(crate) async fn set(calls: &Calls, minutes: u32, surface: &Surface) -> Result<u32, HostError> {
    let time = QuestionTime::of_minutes(minutes).ok_or_else(|| {
        let (least, most) = (QuestionTime::MINUTES.start(), QuestionTime::MINUTES.end());
        let problem = format!("questions wait from {least} to {most} minutes, not {minutes}");
        error::host(ErrorCode::BadRequest, problem)
    })?;
    let chosen = surface.decided(calls, Event::QuestionTimeSet { minutes });
    calls.record_synced(chosen).await?;
    calls.set_question_time(time).await?;
    Ok(time.minutes())
}
