//! A conversation with a client, whatever carries it: what it has agreed to, and what is to be done
//! with each of its messages.
//!
//! Always true here:
//! - before the handshake nothing is answered but the handshake, a ping and what says its own
//!   revision;
//! - what a client takes back is given up, and not answered.

use crate::asks::Asks;
use crate::message::{Id, Implementation, Meta, Params, Request, result};
use crate::methods::{
    Asked, Era, INSTRUCTIONS, answer, capabilities, implementation, level, watch_all,
};
use crate::notices::{Outbox, Wanted};
use crate::revision;
use crate::route::{Reach, abilities};
use crate::rpc_error::RpcError;
use crate::subscriptions::{Subscriptions, Watched};
use crate::visit::Visit;
use futures::future::BoxFuture;
use host::ClientAbilities;
use protocol::CallId;
use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use std::sync::{Arc, OnceLock};
use tokio::sync::watch;
use tokio_util::task::AbortOnDropHandle;

/// A conversation with a client.
pub(crate) struct Session {
    visit: Visit,
    /// The revision that was agreed on by a handshake.
    agreed: OnceLock<&'static str>,
    /// What the client said then that it can be asked.
    abilities: OnceLock<ClientAbilities>,
    /// What it was asked and has not answered.
    asks: Arc<Asks>,
    /// What it wants to be told.
    subscriptions: Arc<Subscriptions>,
}

/// What a request comes to.
pub(crate) enum Step {
    /// It is answered with this.
    Answer(Result<Box<RawValue>, RpcError>),
    /// It is carried out.
    Work(Work),
    /// From now on its client is told what it wants, until it ends the request.
    Listen(Listened),
}

/// What a client wants to be told on a stream of its own.
pub(crate) struct Listened {
    pub wanted: Wanted,
    /// What is watched of that by now.
    pub watched: Watched,
    /// The resources among that are watched until this is dropped.
    pub watches: AbortOnDropHandle<()>,
}

/// A request that is carried out.
pub(crate) struct Work {
    visit: Visit,
    era: Era,
    request: Request,
    abilities: ClientAbilities,
    asks: Arc<Asks>,
    subscriptions: Arc<Subscriptions>,
    /// The number of the call, if it is one, and the token under which its progress is told.
    pub call: CallId,
    pub progress: Option<serde_json::Value>,
}

impl Session {
    pub(crate) fn new(visit: Visit) -> Self {
        Self {
            visit,
            agreed: OnceLock::new(),
            abilities: OnceLock::new(),
            asks: Arc::default(),
            subscriptions: Arc::default(),
        }
    }

    pub(crate) fn visit(&self) -> &Visit {
        &self.visit
    }

    /// The revision that was agreed on.
    pub(crate) fn agreed(&self) -> Option<&'static str> {
        self.agreed.get().copied()
    }

    /// What the client was asked and has not answered.
    pub(crate) fn asks(&self) -> &Asks {
        &self.asks
    }

    /// What the client wants to be told beside what its calls do.
    pub(crate) fn wanted(&self) -> watch::Receiver<Wanted> {
        self.subscriptions.follow()
    }

    /// The resources among that which are watched.
    pub(crate) fn watched(&self) -> Watched {
        self.subscriptions.watched()
    }

    /// What a request comes to.
    ///
    /// `is_modern` where the carrier says that the request says its own revision.
    pub(crate) fn step(&self, request: Request, is_modern: bool) -> Step {
        match self.tried(request, is_modern) {
            Ok(step) => step,
            Err(error) => Step::Answer(Err(error)),
        }
    }

    fn tried(&self, request: Request, is_modern: bool) -> Result<Step, RpcError> {
        let meta = request.params.meta()?;
        if is_modern || meta.revision.is_some() || request.method == "server/discover" {
            return self.modern(request, meta);
        }
        match request.method.as_str() {
            "initialize" => return Ok(Step::Answer(self.initialize(&request.params))),
            "ping" => {}
            _ if self.agreed().is_none() => {
                return Err(RpcError::new(
                    RpcError::INVALID_REQUEST,
                    "The conversation begins with \"initialize\"",
                ));
            }
            "logging/setLevel" => {
                let level = level(&request.params)?;
                self.subscriptions.change(|wanted| wanted.log = Some(level));
            }
            "resources/subscribe" => self.subscriptions.want(uri(&request.params)?)?,
            "resources/unsubscribe" => self.subscriptions.end(&uri(&request.params)?),
            _ => {}
        }
        Ok(self.work(Era::Handshake, request, meta))
    }

    /// A request that says its own revision.
    fn modern(&self, request: Request, meta: Meta) -> Result<Step, RpcError> {
        let missing =
            |what| RpcError::invalid_params(format!("_meta has no io.modelcontextprotocol/{what}"));
        let wanted = meta
            .revision
            .as_deref()
            .ok_or_else(|| missing("protocolVersion"))?;
        if wanted != revision::MODERN {
            return Err(RpcError {
                data: Some(revision::supported(wanted)),
                ..RpcError::new(
                    RpcError::UNSUPPORTED_REVISION,
                    "This revision of the protocol is not spoken here",
                )
            });
        }
        if !meta
            .capabilities
            .as_ref()
            .is_some_and(serde_json::Value::is_object)
        {
            return Err(missing("clientCapabilities"));
        }
        if let Some(client) = &meta.client {
            self.visit.says(client);
        }
        if request.method == "subscriptions/listen" {
            #[derive(Deserialize)]
            struct Listen {
                notifications: Wanted,
            }
            let wanted = request.params.read::<Listen>()?.notifications;
            wanted.check()?;
            // A server that is still to be started keeps nobody waiting.
            let uris = wanted.resource_subscriptions.clone();
            let watched = Watched::default();
            let watches = watch_all(self.visit.clone(), uris, watched.clone());
            return Ok(Step::Listen(Listened {
                wanted,
                watched,
                watches,
            }));
        }
        Ok(self.work(Era::Modern, request, meta))
    }

    fn work(&self, era: Era, request: Request, meta: Meta) -> Step {
        Step::Work(Work {
            visit: self.visit.clone(),
            era,
            abilities: match (era, &meta.capabilities) {
                (Era::Modern, Some(said)) => abilities(said),
                _ => self.abilities.get().copied().unwrap_or_default(),
            },
            asks: Arc::clone(&self.asks),
            subscriptions: Arc::clone(&self.subscriptions),
            call: CallId::random(),
            progress: meta
                .progress_token
                .filter(|_| request.method == "tools/call"),
            request,
        })
    }

    fn initialize(&self, params: &Params) -> Result<Box<RawValue>, RpcError> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Initialize {
            protocol_version: String,
            #[serde(default)]
            client_info: Implementation,
            #[serde(default)]
            capabilities: serde_json::Value,
        }
        let Initialize {
            protocol_version,
            client_info,
            capabilities: said,
        } = params.read()?;
        self.visit.says(&client_info);
        let agreed = revision::negotiated(&protocol_version);
        if self.agreed.set(agreed).is_err() {
            return Err(RpcError::new(
                RpcError::INVALID_REQUEST,
                "The conversation has begun already",
            ));
        }
        self.abilities.get_or_init(|| abilities(&said));
        self.subscriptions.change(|wanted| {
            wanted.tools_list_changed = true;
            wanted.prompts_list_changed = true;
            wanted.resources_list_changed = true;
        });
        result(&json!({
            "protocolVersion": agreed,
            "capabilities": capabilities(Era::Handshake),
            "serverInfo": implementation(),
            "instructions": INSTRUCTIONS,
        }))
    }
}

impl Work {
    /// The id of the request.
    pub(crate) fn id(&self) -> &Id {
        &self.request.id
    }

    /// Carries it out. Given up, a call is cancelled. What its client is asked meanwhile goes `out`,
    /// if anything does.
    pub(crate) fn done(
        self,
        out: Option<Outbox>,
    ) -> BoxFuture<'static, Result<Box<RawValue>, RpcError>> {
        Box::pin(async move {
            let reach = Reach {
                abilities: self.abilities,
                asks: self.asks,
                hears_progress: self.progress.is_some() && out.is_some(),
                out,
            };
            let asked = Asked {
                visit: &self.visit,
                era: self.era,
                method: &self.request.method,
                params: &self.request.params,
                call: self.call.clone(),
                reach: &reach,
                subscriptions: &self.subscriptions,
            };
            answer(&asked).await
        })
    }
}

/// The id of a request that a client takes back.
pub(crate) fn taken_back(method: &str, params: &Params) -> Option<Id> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Cancelled {
        request_id: Id,
    }
    if method != "notifications/cancelled" {
        return None;
    }
    let cancelled: Cancelled = params.read().ok()?;
    Some(cancelled.request_id)
}

fn uri(params: &Params) -> Result<String, RpcError> {
    #[derive(Deserialize)]
    struct Of {
        uri: String,
    }
    Ok(params.read::<Of>()?.uri)
}
