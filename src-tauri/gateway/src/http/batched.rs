//! Messages of a session that came together: what is told while they are carried out, and their
//! answers, each as it comes.

use super::sessions::HttpSession;
use super::streams::{told_and_answered, until_given_up};
use crate::batch::Batch;
use crate::message::{self, Message, Request, failure};
use crate::notices::Notices;
use crate::rpc_error::RpcError;
use crate::session::Step;
use futures::future::Abortable;
use futures::stream::BoxStream;
use futures::{StreamExt as _, stream};
use std::sync::Arc;

/// How many of them are carried out side by side.
pub(super) const AT_ONCE: usize = 4;

/// What is said to each message that wants an answer, or cannot be read.
pub(super) fn answers(
    session: &Arc<HttpSession>,
    messages: Batch,
) -> Vec<BoxStream<'static, String>> {
    let said = messages.into_iter().filter_map(|message| match message {
        Ok(Message::Request(request)) => Some(answer(session, request)),
        Ok(told) => {
            session.heard(told);
            None
        }
        Err(unreadable) => Some(ready(failure(unreadable.id.as_ref(), &unreadable.error))),
    });
    said.collect()
}

fn answer(session: &Arc<HttpSession>, request: Request) -> BoxStream<'static, String> {
    let id = request.id.clone();
    let work = match session.conversation().step(request, false) {
        Step::Answer(outcome) => return ready(message::reply(&id, outcome)),
        Step::Listen(_) => {
            let error = RpcError::unknown_method("subscriptions/listen");
            return ready(message::reply(&id, Err(error)));
        }
        Step::Work(work) => work,
    };
    let (registration, begun) = match session.begin(&id) {
        Ok(begun) => begun,
        Err(error) => return ready(failure(Some(&id), &error)),
    };
    let mut told = Notices::of(session.conversation().visit().clone());
    if let Some(token) = &work.progress {
        told.follow_call(work.call.clone(), token.clone());
    }
    let out = Some(told.outbox());
    let visit = session.conversation().visit();
    let doing = until_given_up(visit, Abortable::new(work.done(out), registration));
    told_and_answered(doing, told, id, (begun, visit.busy())).boxed()
}

fn ready(text: String) -> BoxStream<'static, String> {
    stream::iter([text]).boxed()
}
