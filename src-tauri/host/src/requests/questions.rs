//! Questions that wait.

use crate::commands::{preview, question_time, questions};
use api::{
    AnswerQuestion, AnswerQuestions, BatchOutcome, DecisionPreview, HostError, ListQuestions,
    PreviewAnswer, ReadQuestionTime, SetQuestionTime,
};
use calls::Calls;
use policy::Question;
use servers::Surface;

pub(crate) async fn list_questions(
    calls: &Calls,
    _: ListQuestions,
    _: &Surface,
) -> Result<Vec<Question>, HostError> {
    Ok(calls.pending_calls().questions())
}

pub(crate) async fn answer_question(
    calls: &Calls,
    AnswerQuestion {
        question,
        answer: given,
    }: AnswerQuestion,
    surface: &Surface,
) -> Result<(), HostError> {
    questions::answer(calls, &question, given, surface).await
}

pub(crate) async fn answer_questions(
    calls: &Calls,
    AnswerQuestions { answers }: AnswerQuestions,
    surface: &Surface,
) -> Result<BatchOutcome, HostError> {
    questions::answer_all(calls, answers, surface).await
}

pub(crate) async fn preview_answer(
    calls: &Calls,
    PreviewAnswer {
        question,
        answer: given,
    }: PreviewAnswer,
    _: &Surface,
) -> Result<DecisionPreview, HostError> {
    preview::preview(calls, &question, given).await
}

pub(crate) async fn question_time(
    calls: &Calls,
    ReadQuestionTime {}: ReadQuestionTime,
    _: &Surface,
) -> Result<u32, HostError> {
    Ok(calls.question_time().minutes())
}

pub(crate) async fn set_question_time(
    calls: &Calls,
    SetQuestionTime { minutes }: SetQuestionTime,
    surface: &Surface,
) -> Result<u32, HostError> {
    question_time::set(calls, minutes, surface).await
}
