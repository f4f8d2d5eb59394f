//! Hears what a server asks and tells, and has the host answer. The same for both eras: an older
//! server sends requests, a newer one lets its answers to a call wait for input.

use super::codex;
use crate::wire::{self, RpcError};
use crate::{During, ServerAsks};
use protocol::{Budget, CallId, Form, FormResult, Ring, Root, Sample, UrlAsk, UrlResult};
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;

const METHOD_NOT_FOUND: i32 = -32_601;
const INVALID_PARAMS: i32 = -32_602;
/// What the specification's own examples answer for a person who says no.
const REJECTED: i32 = -1;

/// How many finished addresses are remembered, and how many bytes of their ids.
const REMEMBERED: usize = 100;
const REMEMBERED_BYTES: usize = 64 * 1024;
/// The longest address of a resource that is told of, in bytes.
const LONGEST_URI: usize = 8 * 1024;

/// The client handler of one connection.
pub(crate) struct ClientHandler {
    asks: Arc<dyn ServerAsks>,
    /// How many questions to a person are open; the clocks of calls stand still meanwhile.
    open: watch::Sender<usize>,
    /// The last addresses of which the server said that all is done there.
    finished: watch::Sender<Ring<String>>,
    /// Called when something that is listed has changed, before the host hears of it.
    changed: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

impl ClientHandler {
    /// Of a server of which no more is kept than `budget` says.
    pub(crate) fn new(asks: Arc<dyn ServerAsks>, budget: Budget) -> Self {
        Self {
            asks,
            open: watch::Sender::new(0),
            finished: watch::Sender::new(Ring::new(REMEMBERED, REMEMBERED_BYTES, budget)),
            changed: OnceLock::new(),
        }
    }

    /// Has `changed` called when something that is listed has changed.
    pub(crate) fn on_change(&self, changed: impl Fn() + Send + Sync + 'static) {
        // There is one who keeps lists.
        let _ = self.changed.set(Box::new(changed));
    }

    /// Waits until the server has said of all these addresses that all is done there.
    pub(crate) async fn finished(&self, ids: &[String]) {
        // The sender lives in self.
        let _ = self
            .finished
            .subscribe()
            .wait_for(|finished| {
                ids.iter()
                    .all(|id| finished.iter().any(|other| other == id))
            })
            .await;
    }

    /// How many questions to a person are open.
    pub(crate) fn open(&self) -> watch::Receiver<usize> {
        self.open.subscribe()
    }

    /// Whether a model is there that can answer because of this call, or of anything.
    pub(crate) fn has_model(&self, call: Option<&CallId>) -> bool {
        self.asks.has_model(call)
    }

    /// Answers one request of the server. `during` is what it may be about.
    pub(crate) async fn reply(
        &self,
        method: &str,
        params: Option<Value>,
        during: Option<During>,
    ) -> Result<Value, RpcError> {
        match method {
            "ping" => Ok(json!({})),
            "roots/list" => {
                let roots = self.asks.roots(during).await.into_roots();
                Ok(json!({ "roots": roots.iter().map(root).collect::<Vec<_>>() }))
            }
            "elicitation/create" => {
                let during = self.bidden(during)?;
                self.elicit(params, during).await
            }
            "sampling/createMessage" => {
                let during = self.bidden(during)?;
                let _open = Open::new(&self.open);
                let reply = self
                    .asks
                    .sample(
                        Sample {
                            params: object(params),
                        },
                        during,
                    )
                    .await;
                reply
                    .map(Value::Object)
                    .ok_or_else(|| error(REJECTED, "the use of a model was declined"))
            }
            _ => Err(error(METHOD_NOT_FOUND, "there is no such method here")),
        }
    }

    /// A person is not asked for anything on the word of a server of which nobody wants anything.
    fn bidden(&self, during: Option<During>) -> Result<During, RpcError> {
        during.ok_or_else(|| {
            self.asks.asked_unbidden();
            error(
                INVALID_PARAMS,
                "ask while you answer a call, the reading of a resource or a prompt, and not by yourself",
            )
        })
    }

    /// Has a form filled in. `beside` is what was said with it.
    async fn form(
        &self,
        mut form: Form,
        beside: Map<String, Value>,
        during: During,
    ) -> Result<Value, RpcError> {
        // What a person would not see as a field may ask for anything.
        if !form.is_flat() {
            return Err(error(
                INVALID_PARAMS,
                "a form has fields of texts, numbers, yes or no, and choices, and nothing deeper",
            ));
        }
        // Under fields a person would send what they fill in, and not only a yes.
        if form.fields().next().is_none() {
            form.codex = codex::approval(beside).map_err(|_| {
                error(
                    INVALID_PARAMS,
                    "what Codex wants to be allowed is unreadable",
                )
            })?;
        }
        let is_codex = form.codex.is_some();
        let result = self.asks.form(form, during).await;
        let mut answer = match &result {
            FormResult::Accept { content } => json!({ "action": "accept", "content": content }),
            FormResult::Decline => json!({ "action": "decline" }),
            FormResult::Cancel => json!({ "action": "cancel" }),
        };
        if is_codex {
            codex::decide(&mut answer, &result);
        }
        Ok(answer)
    }

    async fn elicit(&self, params: Option<Value>, during: During) -> Result<Value, RpcError> {
        let mut params = object(params);
        let Some(Value::String(message)) = params.remove("message") else {
            return Err(error(INVALID_PARAMS, "a question needs a message"));
        };
        let _open = Open::new(&self.open);
        match params.get("mode").and_then(Value::as_str).unwrap_or("form") {
            "form" => match params.remove("requestedSchema") {
                Some(Value::Object(schema)) => {
                    let form = Form {
                        message,
                        schema,
                        codex: None,
                    };
                    self.form(form, params, during).await
                }
                _ => Err(error(INVALID_PARAMS, "a form needs a requestedSchema")),
            },
            "url" => match params.remove("url") {
                Some(Value::String(url)) => {
                    let id = params
                        .get("elicitationId")
                        .and_then(Value::as_str)
                        .map(str::to_owned);
                    Ok(
                        match self.asks.url(UrlAsk { message, url, id }, during).await {
                            UrlResult::Opened => json!({ "action": "accept" }),
                            UrlResult::Decline => json!({ "action": "decline" }),
                            UrlResult::Cancel => json!({ "action": "cancel" }),
                        },
                    )
                }
                _ => Err(error(INVALID_PARAMS, "an address to open needs a url")),
            },
            _ => Err(error(INVALID_PARAMS, "a question is a form or an address")),
        }
    }

    /// Hears one notification. Progress is heard elsewhere.
    pub(crate) fn on_event(&self, method: &str, params: Option<Value>) {
        if let (Some(changed), true) = (self.changed.get(), method.ends_with("list_changed")) {
            changed();
        }
        match method {
            "notifications/tools/list_changed" => self.asks.tools_changed(),
            "notifications/prompts/list_changed" | "notifications/resources/list_changed" => {
                self.asks.offers_changed()
            }
            "notifications/resources/updated" => {
                if let Some(Value::String(uri)) = object(params).remove("uri")
                    && uri.len() <= LONGEST_URI
                {
                    self.asks.resource_updated(uri);
                }
            }
            "notifications/message" => {
                if let Some(line) = params.and_then(wire::log_line) {
                    self.asks.logged(line);
                }
            }
            "notifications/elicitation/complete" => {
                if let Some(Value::String(id)) = object(params).remove("elicitationId") {
                    self.asks.url_done(&id);
                    self.finished.send_modify(|finished| finished.push(id));
                }
            }
            _ => tracing::debug!(method, "a server told something that nobody here knows"),
        }
    }

    /// The host hears that tools are not what it knows them as.
    pub(crate) fn tools_changed(&self) {
        self.asks.tools_changed();
    }

    /// The host hears that messages were exchanged.
    pub(crate) fn exchanged(&self) {
        self.asks.exchanged();
    }
}

fn object(params: Option<Value>) -> Map<String, Value> {
    match params {
        Some(Value::Object(map)) => map,
        _ => Map::new(),
    }
}

fn root(root: &Root) -> Value {
    match &root.name {
        Some(name) => json!({ "uri": root.uri, "name": name }),
        None => json!({ "uri": root.uri }),
    }
}

fn error(code: i32, message: &str) -> RpcError {
    RpcError {
        code,
        message: message.to_owned(),
        data: None,
    }
}

/// One open question. It is closed however it ends.
struct Open<'a>(&'a watch::Sender<usize>);

impl<'a> Open<'a> {
    fn new(open: &'a watch::Sender<usize>) -> Self {
        open.send_modify(|count| *count += 1);
        Self(open)
    }
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        self.0.send_modify(|count| *count = count.saturating_sub(1));
    }
}
