//! Answers of people.

use crate::api::{ErrorCode, HostError};
use crate::{Host, Surface, error};
use policy::Answer;
use protocol::QuestionId;

/// Answers a question, if the surface is a place from which answers may come.
pub(crate) async fn answer(host: &Host, question: &QuestionId, answer: Answer, surface: &Surface) -> Result<(), HostError> {
    let approver = surface.approver.ok_or_else(|| error::host(ErrorCode::NotAnApprover, "questions cannot be answered from here"))?;
    host.answer(question, answer, approver).await
}
