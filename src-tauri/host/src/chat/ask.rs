//! One request to a model, and its reply as it comes in.
//!
//! Always true here:
//! - the key is read for this request and put in by the line; what builds requests never has it;
//! - the same bytes are sent again only before anything of a reply has come.

use super::covered::{self, KeyCover};
use crate::models::Line;
use agent::model::{self, Failure, Incoming, LONGEST_PROBLEM, StreamEvent};
use agent::{Reply, Request};
use api::{ErrorCode, HostError};
use calls::Calls;
use egress::{EgressError, Response, header};
use inspect::{StreamMask, reveal};
use protocol::{ModelService, ModelSettings, Secret};
use servers::error;
use std::time::Duration;
use store::ModelRow;

/// How long a service is waited for that says nothing.
const IDLE: Duration = Duration::from_secs(120);
/// The same for the first words of a model on this computer, which may have to be loaded.
const LOADING: Duration = Duration::from_secs(600);

/// What is told while a reply comes in.
pub(super) enum Coming {
    /// Words.
    Grew {
        /// The words.
        text: String,
        /// Whether the model thinks them, and they are no part of its answer.
        is_reasoning: bool,
    },
    /// The same is sent again after so many seconds.
    Retrying(u32),
}

/// Asks a model. All that is told and answered is covered.
pub(super) async fn ask(
    calls: &Calls,
    request: &Request,
    tell: &mut (dyn FnMut(Coming) + Send),
) -> Result<Reply, Failure> {
    let asked = asked(calls, request, tell).await;
    let masker = calls.secrets().masker();
    match asked {
        Ok(mut reply) => {
            covered::reply(&masker, &mut reply);
            Ok(reply)
        }
        Err(failure) => Err(covered::failure(&masker, failure)),
    }
}

async fn asked(
    calls: &Calls,
    request: &Request,
    tell: &mut (dyn FnMut(Coming) + Send),
) -> Result<Reply, Failure> {
    let (row, key) = known(calls, request).await?;
    let line = Line::to(calls, &row.settings, key.clone()).map_err(connection)?;
    let first_wait = first_wait(&row.settings);
    let mut again = 0;
    loop {
        let (outgoing, incoming) = model::ask(request)?;
        let posted = line
            .post(&outgoing.path, outgoing.headers, outgoing.body, first_wait)
            .await;
        let response = posted.map_err(connection)?.map_err(of_egress)?;
        let cover = KeyCover::of(key.clone());
        if response.status.is_success() {
            return read(calls, response, incoming, cover, first_wait, tell).await;
        }
        let failure = refused(response, cover).await;
        let Some(wait) = failure.retry(again) else {
            return Err(failure);
        };
        again += 1;
        tell(Coming::Retrying(
            u32::try_from(wait.as_secs()).unwrap_or(u32::MAX),
        ));
        tokio::time::sleep(wait).await;
    }
}

/// The model as it is set up now, with its key.
async fn known(calls: &Calls, request: &Request) -> Result<(ModelRow, Option<Secret>), Failure> {
    let rows = calls.store().models().all().await;
    let rows = rows.map_err(|error| connection(error.into()))?;
    let row = rows.into_iter().find(|row| row.id == request.model.id);
    let unknown = |problem: &str| connection(error::host(ErrorCode::UnknownModel, problem));
    let row = row.ok_or_else(|| unknown("this model is not set up any more"))?;
    if row.settings.service != request.model.wire {
        return Err(unknown("this model was set up in another way meanwhile"));
    }
    let key = match &row.key {
        None => None,
        Some(secret) => {
            let value = calls.store().vault().get(secret).await;
            let value = value.map_err(|error| connection(error.into()))?;
            calls.secrets().hold(secret.clone(), value.clone());
            Some(value)
        }
    };
    Ok((row, key))
}

fn first_wait(settings: &ModelSettings) -> Duration {
    // Over plain http: none but what runs here or in the next room is reached.
    let is_near = settings.service == ModelService::Ollama || settings.url.starts_with("http:");
    if is_near { LOADING } else { IDLE }
}

fn connection(error: HostError) -> Failure {
    Failure::Connection {
        problem: error.message,
        code: Some(error.code.word()),
    }
}

fn of_egress(error: EgressError) -> Failure {
    connection(error::model_service(&error))
}

async fn refused(mut response: Response, mut cover: KeyCover) -> Failure {
    let status = response.status.as_u16();
    let after = response.headers.get(header::RETRY_AFTER);
    let after = after.and_then(|value| value.to_str().ok().map(str::to_owned));
    let mut body = Vec::new();
    while body.len() < LONGEST_PROBLEM {
        match response.chunk(Some(IDLE)).await {
            Ok(Some(piece)) => body.extend(cover.push(&piece)),
            // What it said until then is all that is known.
            Ok(None) | Err(_) => break,
        }
    }
    body.extend(cover.finish());
    Failure::of_status(status, after.as_deref(), &body)
}

async fn read(
    calls: &Calls,
    mut response: Response,
    mut incoming: Incoming,
    mut cover: KeyCover,
    first_wait: Duration,
    tell: &mut (dyn FnMut(Coming) + Send),
) -> Result<Reply, Failure> {
    let masker = calls.secrets().masker();
    let mut masks = [StreamMask::default(), StreamMask::default()];
    let mut wait = first_wait;
    while !incoming.is_whole() {
        let piece = match response.chunk(Some(wait)).await {
            Ok(piece) => piece,
            Err(error @ EgressError::TimedOut { .. }) => return Err(of_egress(error)),
            Err(_) => return Err(Failure::CutOff),
        };
        let mut events = Vec::new();
        let (bytes, is_over) = match &piece {
            Some(piece) => (cover.push(piece), false),
            None => (cover.finish(), true),
        };
        let pushed = incoming.push(&bytes, &mut events);
        for event in together(events) {
            wait = IDLE;
            let (mut text, is_reasoning) = match event {
                StreamEvent::Text(text) => (text, false),
                StreamEvent::Reasoning(text) => (text, true),
                StreamEvent::CallBegan { .. } => continue,
            };
            let [said, thought] = &mut masks;
            masker.mask_next(&mut text, if is_reasoning { thought } else { said });
            let text = reveal(&text).map_or(text, |(shown, _)| shown);
            tell(Coming::Grew { text, is_reasoning });
        }
        pushed?;
        if is_over {
            break;
        }
    }
    incoming.finish()
}

/// Pieces of the same kind, one behind the other, as one.
fn together(events: Vec<StreamEvent>) -> Vec<StreamEvent> {
    let mut joined: Vec<StreamEvent> = Vec::new();
    for event in events {
        match (joined.last_mut(), event) {
            (Some(StreamEvent::Text(text)), StreamEvent::Text(more))
            | (Some(StreamEvent::Reasoning(text)), StreamEvent::Reasoning(more)) => {
                text.push_str(&more);
            }
            (_, event) => joined.push(event),
        }
    }
    joined
}
