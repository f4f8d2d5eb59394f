//! Answers that come bit by bit: what is told while a request is carried out, and what a client has
//! not asked for.

use super::Outcome;
use super::body::{self, Response};
use super::sessions::{Begun, HttpSession, Room};
use crate::line::acknowledged;
use crate::message::{self, Id};
use crate::notices::Notices;
use crate::session::{Listened, Work};
use crate::visit::Visit;
use futures::future::{AbortRegistration, Abortable, BoxFuture};
use futures::{Stream, StreamExt as _, stream};
use hyper::StatusCode;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// Does what a client has asked for; nothing comes of it where it takes that back, or is sent away.
pub(super) fn until_given_up(
    visit: &Visit,
    doing: Abortable<BoxFuture<'static, Outcome>>,
) -> BoxFuture<'static, Option<Outcome>> {
    let sent_away = visit.client().ended();
    Box::pin(async move {
        tokio::select! {
            biased;
            () = sent_away.cancelled() => None,
            outcome = doing => outcome.ok(),
        }
    })
}

/// Carries a request out. What is told before its end makes the answer a stream, and so does what
/// its client is asked, where it takes one.
pub(super) async fn carried(
    visit: Visit,
    work: Work,
    takes_events: bool,
    held: (Room, Option<Begun>),
    registration: AbortRegistration,
    whole: impl Fn(&Id, Outcome) -> Response,
) -> Response {
    let mut told = Notices::of(visit.clone());
    if let Some(token) = &work.progress {
        told.follow_call(work.call.clone(), token.clone());
    }
    let id = work.id().clone();
    let out = takes_events.then(|| told.outbox());
    let mut doing = until_given_up(&visit, Abortable::new(work.done(out), registration));
    let first = tokio::select! {
        biased;
        outcome = &mut doing => match (told.drain(), outcome) {
            (_, None) => return body::empty(StatusCode::ACCEPTED),
            (before, Some(outcome)) if before.is_empty() => return whole(&id, outcome),
            (before, Some(outcome)) => {
                let texts = before.into_iter().map(|notice| notice.text());
                let last = message::reply(&id, outcome);
                return body::events(stream::iter(texts.chain([last])));
            }
        },
        notice = told.next() => notice.text(),
    };
    let rest = told_and_answered(doing, told, id, (held, visit.busy()));
    body::events(stream::iter([first]).chain(rest))
}

/// What is told while a request is carried out, and the answer to it. What is held is so to the end.
pub(super) fn told_and_answered<H: Send + 'static>(
    doing: BoxFuture<'static, Option<Outcome>>,
    told: Notices,
    id: Id,
    held: H,
) -> impl Stream<Item = String> + Send + 'static {
    let texts = stream::unfold(Some((doing, told, id, held)), async |state| {
        let (mut doing, mut told, id, held) = state?;
        tokio::select! {
            biased;
            outcome = &mut doing => {
                let mut texts: Vec<_> = told.drain().into_iter().map(|notice| notice.text()).collect();
                // One that was given up ends without an answer.
                texts.extend(outcome.map(|outcome| message::reply(&id, outcome)));
                Some((texts, None))
            }
            notice = told.next() => Some((vec![notice.text()], Some((doing, told, id, held)))),
        }
    });
    texts.flat_map(stream::iter)
}

/// A stream of what a client wants to be told, until it ends it, is sent away, or all ends.
pub(super) fn listened(
    visit: Visit,
    id: Id,
    listen: Listened,
    room: Room,
    ending: CancellationToken,
) -> Response {
    let Listened {
        wanted,
        watched,
        watches,
    } = listen;
    let mut told = Notices::of(visit.clone());
    told.watch(watched);
    told.want(wanted.clone());
    let first = acknowledged(&wanted).of_stream(&id).text();
    let held = (room, watches, visit.busy());
    let state = (visit, told, id, held);
    let rest = stream::unfold(state, async |(visit, mut told, id, held)| {
        tokio::select! {
            () = visit.client().sent_away() => None,
            notice = told.next() => {
                let text = notice.of_stream(&id).text();
                Some((text, (visit, told, id, held)))
            }
        }
    });
    let rest = rest.take_until(ending.cancelled_owned());
    body::events(stream::iter([first]).chain(rest))
}

/// What is told to the client of a session, on the newest such stream only, until all ends.
pub(super) fn followed(session: &Arc<HttpSession>, ending: CancellationToken) -> Response {
    let visit = session.conversation().visit().clone();
    let mut told = Notices::of(visit.clone());
    told.watch(session.conversation().watched());
    let mut wanted = session.conversation().wanted();
    told.want(wanted.borrow_and_update().clone());
    let following = (session.follow(), visit.busy());
    let stream = stream::unfold(
        (visit, told, wanted, following),
        async |(visit, mut told, mut wanted, following)| loop {
            tokio::select! {
                () = visit.client().sent_away() => return None,
                () = following.0.replaced.cancelled() => return None,
                changed = wanted.changed() => {
                    if changed.is_err() {
                        return None;
                    }
                    told.want(wanted.borrow_and_update().clone());
                }
                notice = told.next() => {
                    let text = notice.text();
                    return Some((text, (visit, told, wanted, following)));
                }
            }
        },
    );
    body::events(stream.take_until(ending.cancelled_owned()))
}
