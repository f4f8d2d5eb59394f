//! A server that wants to use a model: refused unless the person has switched it on, asked about
//! each time, within a budget.
//!
//! Always true here:
//! - what the model gets is what the person saw, or made of it: without tools, without what other
//!   servers said, with held secrets covered, and no longer than the budget allows;
//! - the budget is taken before anyone is asked;
//! - nobody is asked about a server for which it is switched off; where it is on and there is no
//!   model, the question is shown, and can only be declined;
//! - the model is that of the client because of whose call or request the server asks, if it has one, else ours.

use super::ask;
use super::client::Client;
use super::refuse::refuse;
use crate::Calls;
use crate::model::{Model, ModelAsk, ModelReply};
use crate::sampling::settings_of;
use api::{AskRefusal, json_bytes};
use connections::During;
use policy::{Budget, Decision, Subject};
use protocol::{CallId, Fingerprint, Sample, ServerId};
use serde_json::{Map, Value, json};
use servers::Core;
use std::sync::Arc;
use store::{Entry, Event, Taken};

/// The largest request, in bytes of JSON. It may hold a picture.
const LARGEST: usize = 1024 * 1024;

/// Answers a server, or not.
pub(super) async fn sample(
    calls: &Calls,
    server: &ServerId,
    sample: Sample,
    during: During,
) -> Option<Map<String, Value>> {
    let client = Client::behind(calls, server, &during, |can| can.sampling).map(Arc::new);
    let during = during.calls;
    let row = settings_of(calls, server).await.ok()?;
    if !row.on {
        refuse(calls, server, during, AskRefusal::ModelOff);
        return None;
    }
    if json_bytes(&sample.params) > LARGEST {
        refuse(calls, server, during, AskRefusal::TooLarge);
        return None;
    }
    let model = match &client {
        Some(client) => Some(Arc::clone(client) as Arc<dyn Model>),
        None => calls.model(),
    };
    let Some(model) = model else {
        let subject = Subject::Sample {
            during,
            sample: covered(calls, sample.params),
            model: None,
            budget: Budget::default(),
        };
        // However it ends, the answer is no.
        let _ = ask(calls, server, subject).await;
        return declined(calls, server);
    };
    if wants_more(&sample.params) {
        refuse(calls, server, during, AskRefusal::ModelTools);
        return None;
    }
    let wanted = tokens(&sample.params).unwrap_or(row.per_reply);
    let Some(taken) = calls
        .store()
        .sampling()
        .take(server, row, wanted, calls.now())
        .await
        .ok()?
    else {
        refuse(calls, server, during, AskRefusal::ModelBudget);
        return None;
    };
    let left = calls
        .store()
        .sampling()
        .left(server, row, calls.now())
        .await
        .ok()?;
    let mut sample = covered(calls, tidied(sample.params, taken.tokens));
    let budget = Budget {
        requests: left.requests,
        tokens: left.tokens,
        per_reply: taken.tokens,
    };
    let subject = Subject::Sample {
        during: during.clone(),
        sample: sample.clone(),
        model: Some(model.name()),
        budget,
    };
    match ask(calls, server, subject).await {
        Ok(Decision::UseModel { params: None }) => {}
        Ok(Decision::UseModel {
            params: Some(params),
        }) => sample = covered(calls, tidied(params, taken.tokens)),
        _ => {
            note_used(calls, server, taken, 0).await;
            return declined(calls, server);
        }
    }
    let reply = reply(calls, server, &model, &sample, taken).await?;
    let text = if row.review_replies {
        reviewed(calls, server, during, &sample, &reply).await?
    } else {
        reply.text
    };
    let event = Event::SampleAnswered {
        model: reply.model.clone(),
        params_fingerprint: Fingerprint::of(&Value::Object(sample.params)),
        tokens: reply.tokens,
    };
    // What leaves no trace does not happen.
    let cause = client.as_ref().map(|client| client.cause());
    let entry = Entry {
        call: cause.and_then(|cause| cause.call().cloned()),
        caller: cause.map(|cause| cause.caller().clone()),
        ..entry(calls, server, event)
    };
    calls.record(entry).ok()?;
    let content = json!({ "type": "text", "text": text });
    json!({ "role": "assistant", "content": content, "model": reply.model, "stopReason": reply.stop_reason }).as_object().cloned()
}

async fn reply(
    calls: &Calls,
    server: &ServerId,
    model: &Arc<dyn Model>,
    sample: &Sample,
    taken: Taken,
) -> Option<ModelReply> {
    let max_tokens = tokens(&sample.params).unwrap_or(taken.tokens);
    match model
        .answer(ModelAsk {
            params: sample.params.clone(),
            max_tokens,
        })
        .await
    {
        Ok(mut reply) => {
            note_used(calls, server, taken, reply.tokens).await;
            let masker = calls.secrets().masker();
            for text in [&mut reply.text, &mut reply.model, &mut reply.stop_reason] {
                masker.mask_text(text);
            }
            Some(reply)
        }
        // What it has used before it failed is not known, so what was taken stays taken.
        Err(failure) => {
            tracing::warn!(%server, reason = calls.secrets().masked(&failure.reason), "a model did not answer");
            declined(calls, server);
            None
        }
    }
}

/// What the server gets of a reply, if the person lets it have it.
async fn reviewed(
    calls: &Calls,
    server: &ServerId,
    during: Vec<CallId>,
    sample: &Sample,
    reply: &ModelReply,
) -> Option<String> {
    let subject = Subject::SampleReply {
        during,
        sample: sample.clone(),
        model: reply.model.clone(),
        reply: reply.text.clone(),
    };
    match ask(calls, server, subject).await {
        Ok(Decision::SendReply { reply: None }) => Some(reply.text.clone()),
        Ok(Decision::SendReply { reply: Some(text) }) => Some(calls.secrets().masked(&text)),
        _ => {
            declined(calls, server);
            None
        }
    }
}

/// Whether a request wants the model to do more than to answer. Nothing of the kind was offered to
/// the server.
fn wants_more(params: &Map<String, Value>) -> bool {
    let tools = params
        .get("tools")
        .is_some_and(|tools| tools.as_array().is_none_or(|tools| !tools.is_empty()));
    let context = params
        .get("includeContext")
        .is_some_and(|context| context != "none");
    tools || params.contains_key("toolChoice") || context
}

/// A request of which nothing is left that goes beyond a question and an answer.
fn tidied(mut params: Map<String, Value>, at_most: u32) -> Map<String, Value> {
    for key in ["tools", "toolChoice", "includeContext", "metadata", "_meta"] {
        params.remove(key);
    }
    let max_tokens = tokens(&params).unwrap_or(at_most).min(at_most);
    params.insert("maxTokens".to_owned(), max_tokens.into());
    params
}

fn tokens(params: &Map<String, Value>) -> Option<u32> {
    let tokens = params.get("maxTokens")?;
    Some(
        tokens
            .as_u64()
            .map_or(u32::MAX, |tokens| u32::try_from(tokens).unwrap_or(u32::MAX)),
    )
}

fn covered(core: &Core, mut params: Map<String, Value>) -> Sample {
    core.secrets().masker().mask_map(&mut params);
    Sample { params }
}

async fn note_used(core: &Core, server: &ServerId, taken: Taken, tokens: u32) {
    if let Err(error) = core.store().sampling().used(taken, tokens).await {
        tracing::warn!(%server, %error, "what was used of a model could not be noted; what was taken stays taken");
    }
}

fn declined(calls: &Calls, server: &ServerId) -> Option<Map<String, Value>> {
    let (weak, id) = (calls.weak(), server.clone());
    calls.tell_recurring(server, "sample_declined", move |times| {
        let Some(calls) = weak.upgrade() else { return };
        if let Err(error) = calls.record(entry(&calls, &id, Event::SampleDeclined { times })) {
            tracing::error!(server = %id, %error, "a declined use of a model could not be written to the log");
        }
    });
    None
}

fn entry(core: &Core, server: &ServerId, event: Event) -> Entry {
    Entry {
        server: Some(server.clone()),
        ..Entry::new(core.now(), event)
    }
}
