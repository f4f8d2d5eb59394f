//! May this be sent to a server? One gate for everything that is sent by somebody's wish.
//!
//! | message to a server | what it needs |
//! |---|---|
//! | `tools/call` | [`PermittedCall`](crate::PermittedCall) |
//! | `tools/call` again, with the input that its server wanted | the same; after a restart one made of the [`PausedCall`](crate::PausedCall) that was written down |
//! | `resources/read` | [`Permitted`]`<`[`ReadResource`](crate::ReadResource)`>` |
//! | `resources/subscribe`, an address in `subscriptions/listen` | [`Permitted`]`<`[`SubscribeResource`](crate::SubscribeResource)`>` |
//! | `prompts/get` | [`Permitted`]`<`[`GetPrompt`](crate::GetPrompt)`>` |
//! | `completion/complete` | [`Permitted`]`<`[`Complete`](crate::Complete)`>` |
//! | `logging/setLevel`, the level in `_meta` | [`Permitted`]`<`[`SetLogLevel`](crate::SetLogLevel)`>` |
//! | the answer to `roots/list` | [`PermittedRoots`], of which the folders of the client because of whose request it is asked may leave less |
//! | `initialize`, `server/discover`, `notifications/initialized`, `ping` | nothing: they say who we are, and nothing that a caller chose. Whether a server is started at all is decided by its review. |
//! | `tools/list`, `resources/list`, `resources/templates/list`, `prompts/list`, lists in `subscriptions/listen` | nothing: no caller puts a word in them, and without them there would be nothing to review. |
//! | `resources/unsubscribe` | nothing: it names an address for which there was a permission. |
//! | `notifications/roots/list_changed` | nothing: it says only that there is something to ask for. |
//! | `notifications/cancelled`, `tasks/get`, `tasks/result`, `tasks/update`, `tasks/cancel` | nothing: they name a request that was permitted, or what its server called it. |
//! | answers to `elicitation/create` and `sampling/createMessage`, as answers and as `inputResponses` | a person's answer to the server's own question, which goes to that question and nowhere else; without one, a refusal. |
//! | answers to `ping`, and that something is not known | nothing: there is nothing in them. |
//!
//! Always true here:
//! - a [`Permitted`] and a [`PermittedRoots`] are made in this file only, and what is sent is taken
//!   out of them: a permission for one address cannot send another;
//! - nothing is sent before a person has approved what the server says about itself;
//! - what a rule forbids is not sent, whoever wants it and whatever was approved;
//! - what a caller has made up is a person's to allow.

use crate::flow::Concern;
use crate::offerings::{Offerings, RequestOrigin};
use crate::pin::ApprovalStatus;
use crate::{Decision, PolicyDecision, Refusal, RequestKind, RequestReason, ServerRequest};
use protocol::Root;

/// A request that may be sent, once.
///
/// It cannot be made elsewhere:
/// ```compile_fail,E0451
/// fn forge(request: policy::ReadResource) -> policy::Permitted<policy::ReadResource> {
///     policy::Permitted { request }
/// }
/// ```
/// ```compile_fail,E0451
/// fn forge(request: policy::SubscribeResource) -> policy::Permitted<policy::SubscribeResource> {
///     policy::Permitted { request }
/// }
/// ```
/// ```compile_fail,E0451
/// fn forge(request: policy::GetPrompt) -> policy::Permitted<policy::GetPrompt> {
///     policy::Permitted { request }
/// }
/// ```
/// ```compile_fail,E0451
/// fn forge(request: policy::Complete) -> policy::Permitted<policy::Complete> {
///     policy::Permitted { request }
/// }
/// ```
/// ```compile_fail,E0451
/// fn forge(request: policy::SetLogLevel) -> policy::Permitted<policy::SetLogLevel> {
///     policy::Permitted { request }
/// }
/// ```
/// it is for one request, and not for another:
/// ```compile_fail,E0616
/// fn turn(mut permitted: policy::Permitted<policy::ReadResource>) {
///     permitted.request.uri = "file:///etc/passwd".to_owned();
/// }
/// ```
/// and it cannot be cloned, so one permission is one request:
/// ```compile_fail,E0599
/// fn twice(permitted: policy::Permitted<policy::ReadResource>) {
///     let _ = (permitted.clone(), permitted);
/// }
/// ```
/// Whoever has one may look at it and send it:
/// ```
/// fn send(permitted: policy::Permitted<policy::ReadResource>) -> String {
///     permitted.into_request().uri
/// }
/// ```
#[derive(Debug)]
pub struct Permitted<R> {
    request: R,
}

impl<R> Permitted<R> {
    /// What may be sent.
    pub fn request(&self) -> &R {
        &self.request
    }

    /// Takes the request out, to be sent.
    pub fn into_request(self) -> R {
        self.request
    }
}

/// Folders that a server may be told.
///
/// Others cannot be made of them:
/// ```compile_fail,E0451
/// fn forge(roots: Vec<protocol::Root>) -> policy::PermittedRoots {
///     policy::PermittedRoots { roots }
/// }
/// ```
/// Telling none needs nobody:
/// ```
/// assert!(policy::PermittedRoots::none().into_roots().is_empty());
/// ```
#[derive(Debug)]
pub struct PermittedRoots {
    roots: Vec<Root>,
}

impl PermittedRoots {
    /// No folder.
    #[must_use]
    pub fn none() -> Self {
        Self { roots: Vec::new() }
    }

    /// Takes the folders out, to be told.
    pub fn into_roots(self) -> Vec<Root> {
        self.roots
    }
}

/// What is known when a request is decided. All of it is read before; nothing is looked up here.
#[derive(Debug, Clone, Copy)]
pub struct RequestFacts<'a> {
    /// What the server offers.
    pub offerings: &'a Offerings,
    /// What the rules say about the request.
    pub ruling: &'a PolicyDecision,
    /// What speaks against it: values in it that came from strangers.
    pub concerns: &'a [Concern],
    /// Whether a person wants it, by hand.
    pub by_person: bool,
}

/// May it be sent?
#[derive(Debug)]
pub enum RequestVerdict<R> {
    /// Yes.
    Allow(Permitted<R>),
    /// A person must say.
    Ask(PendingRequest<R>),
    /// No.
    Deny(Refusal),
}

/// A request that waits for a person.
#[derive(Debug, Clone)]
pub struct PendingRequest<R> {
    request: R,
    kind: RequestKind,
    reason: RequestReason,
    concerns: Vec<Concern>,
}

/// Decides about one request.
pub fn decide_request<R: ServerRequest>(request: R, facts: RequestFacts<'_>) -> RequestVerdict<R> {
    if let Some(refusal) = facts.ruling.refusal() {
        return RequestVerdict::Deny(refusal);
    }
    if let Some(refusal) = facts.offerings.about.refusal() {
        return RequestVerdict::Deny(refusal);
    }
    let origin = match request.origin(facts.offerings) {
        Ok(origin) => origin,
        Err(refusal) => return RequestVerdict::Deny(refusal),
    };
    // What its own server lists carries nothing to it that it does not know.
    let concerns = if origin == RequestOrigin::Listed {
        &[]
    } else {
        facts.concerns
    };
    let reason = if !concerns.is_empty() {
        RequestReason::FromStrangers
    } else if !facts.ruling.ask.is_empty() {
        RequestReason::RuleAsks {
            rules: facts.ruling.ask.clone(),
        }
    } else if origin == RequestOrigin::MadeUp && !facts.by_person && facts.ruling.allow.is_empty() {
        RequestReason::NotListed
    } else {
        return RequestVerdict::Allow(Permitted { request });
    };
    let Some(kind) = R::ASKED_AS else {
        return RequestVerdict::Deny(Refusal::NeedsPerson);
    };
    RequestVerdict::Ask(PendingRequest {
        request,
        kind,
        reason,
        concerns: concerns.to_vec(),
    })
}

impl<R: ServerRequest> PendingRequest<R> {
    /// What waits.
    pub fn request(&self) -> &R {
        &self.request
    }

    /// As what a person is asked about it.
    pub fn kind(&self) -> RequestKind {
        self.kind
    }

    /// Why a person is asked.
    pub fn reason(&self) -> &RequestReason {
        &self.reason
    }

    /// What speaks against it, gravest first.
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// Makes of a person's answer what it says, with everything as it is now.
    pub fn answer(
        self,
        answer: &Decision,
        facts: RequestFacts<'_>,
    ) -> Result<Permitted<R>, Refusal> {
        match answer {
            Decision::Allow {
                arguments: None,
                remember: None,
            } => {}
            Decision::Deny { reason, .. } => {
                return Err(Refusal::DeniedByPerson {
                    reason: reason.clone(),
                });
            }
            _ => return Err(Refusal::DeniedByPerson { reason: None }),
        }
        match decide_request(self.request, facts) {
            RequestVerdict::Allow(permitted) => Ok(permitted),
            RequestVerdict::Ask(now)
                if now.reason == self.reason && now.concerns == self.concerns =>
            {
                Ok(Permitted {
                    request: now.request,
                })
            }
            RequestVerdict::Ask(_) => Err(Refusal::ChangedWhileAsking),
            RequestVerdict::Deny(refusal) => Err(refusal),
        }
    }
}

/// The folders of these that a server may be told: all that no rule speaks about, once a person has
/// approved what the server says about itself. Nobody is asked about them, since a person has chosen
/// each.
pub fn permit_roots(about: &ApprovalStatus, roots: Vec<(Root, PolicyDecision)>) -> PermittedRoots {
    if about.refusal().is_some() {
        return PermittedRoots::none();
    }
    let may = |ruling: &PolicyDecision| ruling.refusal().is_none() && ruling.ask.is_empty();
    PermittedRoots {
        roots: roots
            .into_iter()
            .filter(|(_, ruling)| may(ruling))
            .map(|(root, _)| root)
            .collect(),
    }
}

#[cfg(test)]
#[path = "permit_test.rs"]
mod tests;
