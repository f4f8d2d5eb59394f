//! Requests that a person wants by hand, of a server all of whose offers are approved.

use policy::pin::ApprovalStatus;
use policy::{
    Complete, GetPrompt, Offerings, Permitted, PolicyDecision, ReadResource, RequestFacts,
    RequestVerdict, ServerRequest, SetLogLevel, SubscribeResource, decide_request,
};
use protocol::{CompletionOf, FeatureKey, FeatureKind, LogLevel};
use std::collections::{BTreeMap, BTreeSet};

pub fn read(uri: &str) -> Permitted<ReadResource> {
    permitted(ReadResource {
        uri: uri.to_owned(),
    })
}

pub fn watch(uri: &str) -> Permitted<SubscribeResource> {
    permitted(SubscribeResource {
        uri: uri.to_owned(),
    })
}

pub fn prompt(name: &str, arguments: BTreeMap<String, String>) -> Permitted<GetPrompt> {
    permitted(GetPrompt {
        name: name.to_owned(),
        arguments,
    })
}

pub fn complete(
    of: CompletionOf,
    argument: &str,
    value: &str,
    context: BTreeMap<String, String>,
) -> Permitted<Complete> {
    permitted(Complete {
        of,
        argument: argument.to_owned(),
        value: value.to_owned(),
        context,
    })
}

pub fn level(level: Option<LogLevel>) -> Permitted<SetLogLevel> {
    permitted(SetLogLevel { level })
}

fn permitted<R: ServerRequest>(request: R) -> Permitted<R> {
    let approved = |kind, name: &str| {
        let name = name.to_owned();
        (FeatureKey { kind, name }, ApprovalStatus::Approved)
    };
    let offerings = Offerings {
        about: ApprovalStatus::Approved,
        standings: BTreeMap::from([
            approved(FeatureKind::Prompt, "greet"),
            approved(FeatureKind::Prompt, "asks"),
            approved(FeatureKind::Prompt, "none"),
            approved(FeatureKind::Template, "note://{name}"),
        ]),
        listed: BTreeSet::new(),
    };
    let facts = RequestFacts {
        offerings: &offerings,
        ruling: &PolicyDecision::default(),
        concerns: &[],
        by_person: true,
    };
    match decide_request(request, facts) {
        RequestVerdict::Allow(permitted) => permitted,
        RequestVerdict::Ask(_) => panic!("it is asked about"),
        RequestVerdict::Deny(refusal) => panic!("{refusal}"),
    }
}
