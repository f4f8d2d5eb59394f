//! What is sent to a server by somebody's wish, beside calls of tools.
//!
//! Always true here:
//! - everything that the caller chose is in [`ServerRequest::chosen`], so that rules, flow and the
//!   log see all of it;
//! - a request that names something that the server offers is judged by how that stands.

use crate::offerings::{Offerings, RequestOrigin};
use crate::rule::Target;
use crate::{Refusal, RequestKind};
use protocol::{CompletionOf, FeatureKey, FeatureKind, LogLevel};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A request that a caller wants to have sent to a server.
pub trait ServerRequest: Clone + sealed::Sealed {
    /// Its method in MCP.
    const METHOD: &'static str;
    /// As what a person is asked about it, if that can be: nobody is asked about each key that is
    /// pressed.
    const ASKED_AS: Option<RequestKind>;

    /// What it is about, as rules name it.
    fn target(&self) -> Target<'_>;

    /// Everything in it that the caller chose.
    fn chosen(&self) -> Map<String, Value>;

    /// Where what it names comes from, among what the server offers; why it may not be sent, if
    /// what it names is not approved.
    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::ReadResource {}
    impl Sealed for super::SubscribeResource {}
    impl Sealed for super::GetPrompt {}
    impl Sealed for super::Complete {}
    impl Sealed for super::SetLogLevel {}
    impl<R: Sealed> Sealed for super::FilledIn<R> {}
}

/// Read a resource (`resources/read`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadResource {
    /// Its address.
    pub uri: String,
}

/// Tell when a resource changes (`resources/subscribe`, or an address in
/// `subscriptions/listen`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubscribeResource {
    /// Its address.
    pub uri: String,
}

/// Fill in a prompt (`prompts/get`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GetPrompt {
    /// Its name.
    pub name: String,
    /// What to fill in.
    pub arguments: BTreeMap<String, String>,
}

/// Propose a value (`completion/complete`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complete {
    /// What a value is proposed for.
    pub of: CompletionOf,
    /// The argument or gap that is typed.
    pub argument: String,
    /// What is typed so far.
    pub value: String,
    /// The other values as they are known.
    pub context: BTreeMap<String, String>,
}

/// From which gravity on a server should log (`logging/setLevel`, or `_meta` of every request).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetLogLevel {
    /// None: as it likes.
    pub level: Option<LogLevel>,
}

/// What was filled in because a server asked for it before it answered a request. It is judged like
/// the request.
#[derive(Debug, Clone)]
pub struct FilledIn<R> {
    /// The request.
    pub of: R,
    /// What was filled in.
    pub content: Map<String, Value>,
}

impl<R: ServerRequest> ServerRequest for FilledIn<R> {
    const METHOD: &'static str = R::METHOD;
    const ASKED_AS: Option<RequestKind> = R::ASKED_AS;

    fn target(&self) -> Target<'_> {
        self.of.target()
    }

    fn chosen(&self) -> Map<String, Value> {
        self.content.clone()
    }

    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        self.of.origin(offerings)
    }
}

impl ServerRequest for ReadResource {
    const METHOD: &'static str = "resources/read";
    const ASKED_AS: Option<RequestKind> = Some(RequestKind::Read);

    fn target(&self) -> Target<'_> {
        Target::Resource(&self.uri)
    }

    fn chosen(&self) -> Map<String, Value> {
        Map::from_iter([("uri".to_owned(), self.uri.clone().into())])
    }

    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        offerings.of_address(&self.uri)
    }
}

impl ServerRequest for SubscribeResource {
    const METHOD: &'static str = "resources/subscribe";
    const ASKED_AS: Option<RequestKind> = Some(RequestKind::Subscribe);

    fn target(&self) -> Target<'_> {
        Target::Resource(&self.uri)
    }

    fn chosen(&self) -> Map<String, Value> {
        Map::from_iter([("uri".to_owned(), self.uri.clone().into())])
    }

    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        offerings.of_address(&self.uri)
    }
}

impl ServerRequest for GetPrompt {
    const METHOD: &'static str = "prompts/get";
    const ASKED_AS: Option<RequestKind> = Some(RequestKind::Prompt);

    fn target(&self) -> Target<'_> {
        Target::Prompt(&self.name)
    }

    fn chosen(&self) -> Map<String, Value> {
        let named = [
            ("name", json!(self.name)),
            ("arguments", json!(self.arguments)),
        ];
        named
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        offerings.of_key(FeatureKey {
            kind: FeatureKind::Prompt,
            name: self.name.clone(),
        })
    }
}

impl ServerRequest for Complete {
    const METHOD: &'static str = "completion/complete";
    const ASKED_AS: Option<RequestKind> = None;

    fn target(&self) -> Target<'_> {
        match &self.of {
            CompletionOf::Prompt { name } => Target::Prompt(name),
            CompletionOf::Template { uri_template } => Target::Resource(uri_template),
        }
    }

    fn chosen(&self) -> Map<String, Value> {
        let of = match &self.of {
            CompletionOf::Prompt { name } => name,
            CompletionOf::Template { uri_template } => uri_template,
        };
        let named = [
            ("ref", json!(of)),
            ("argument", json!(self.argument)),
            ("value", json!(self.value)),
            ("context", json!(self.context)),
        ];
        named
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect()
    }

    fn origin(&self, offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        offerings.of_key(match &self.of {
            CompletionOf::Prompt { name } => FeatureKey {
                kind: FeatureKind::Prompt,
                name: name.clone(),
            },
            CompletionOf::Template { uri_template } => FeatureKey {
                kind: FeatureKind::Template,
                name: uri_template.clone(),
            },
        })
    }
}

impl ServerRequest for SetLogLevel {
    const METHOD: &'static str = "logging/setLevel";
    const ASKED_AS: Option<RequestKind> = Some(RequestKind::LogLevel);

    fn target(&self) -> Target<'_> {
        Target::Server
    }

    fn chosen(&self) -> Map<String, Value> {
        Map::from_iter([("level".to_owned(), json!(self.level))])
    }

    fn origin(&self, _offerings: &Offerings) -> Result<RequestOrigin, Refusal> {
        Ok(RequestOrigin::Approved)
    }
}
