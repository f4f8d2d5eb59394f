//! When something may be sent to a server that is no call.

use super::*;
use crate::flow::{Source, Why};
use crate::{Complete, GetPrompt, Layer, ReadResource, SetLogLevel};
use protocol::{CompletionOf, FeatureKey, FeatureKind, Origin, RuleId};
use std::collections::{BTreeMap, BTreeSet};

fn approved() -> Offerings {
    let approved = |kind, name: &str| {
        let name = name.to_owned();
        (FeatureKey { kind, name }, ApprovalStatus::Approved)
    };
    Offerings {
        about: ApprovalStatus::Approved,
        standings: BTreeMap::from([
            approved(FeatureKind::Prompt, "greet"),
            approved(FeatureKind::Template, "note://{name}"),
        ]),
        listed: BTreeSet::from(["file:///listed".to_owned()]),
    }
}

fn read(uri: &str) -> ReadResource {
    ReadResource {
        uri: uri.to_owned(),
    }
}

fn greet() -> GetPrompt {
    GetPrompt {
        name: "greet".to_owned(),
        arguments: BTreeMap::new(),
    }
}

fn proposal() -> Complete {
    Complete {
        of: CompletionOf::Prompt {
            name: "greet".to_owned(),
        },
        argument: "who".to_owned(),
        value: "A".to_owned(),
        context: BTreeMap::new(),
    }
}

fn rules(of: &str) -> PolicyDecision {
    let rule = vec![RuleId::from(of)];
    match of {
        "forbid" => PolicyDecision {
            forbid: rule,
            forbidden_by: Some(Layer::Administrator),
            ..PolicyDecision::default()
        },
        "ask" => PolicyDecision {
            ask: rule,
            ..PolicyDecision::default()
        },
        "allow" => PolicyDecision {
            allow: rule,
            ..PolicyDecision::default()
        },
        _ => PolicyDecision::default(),
    }
}

fn concern() -> Concern {
    Concern {
        argument: Some("uri".to_owned()),
        value: "https://evil.example/".to_owned(),
        act: None,
        source: Source {
            origin: Origin::Unknown,
            message: None,
            at: None,
        },
        why: Why::Link,
    }
}

/// What becomes of a request: `yes`, why it is asked about, or why not.
fn said<R: ServerRequest>(
    request: R,
    offerings: &Offerings,
    rule: &str,
    concerns: &[Concern],
    by_person: bool,
) -> String {
    let ruling = rules(rule);
    let facts = RequestFacts {
        offerings,
        ruling: &ruling,
        concerns,
        by_person,
    };
    match decide_request(request, facts) {
        RequestVerdict::Allow(_) => "yes".to_owned(),
        RequestVerdict::Ask(pending) => match pending.reason() {
            RequestReason::NotListed => "ask: not listed".to_owned(),
            RequestReason::FromStrangers => "ask: from strangers".to_owned(),
            RequestReason::RuleAsks { .. } => "ask: a rule".to_owned(),
        },
        RequestVerdict::Deny(refusal) => refusal.to_string(),
    }
}

#[test]
fn what_the_server_lists_and_what_a_template_makes_is_read_and_the_rest_is_asked_about() {
    let of = approved();
    assert_eq!(said(read("file:///listed"), &of, "", &[], false), "yes");
    assert_eq!(said(read("note://a"), &of, "", &[], false), "yes");
    let made_up = read("file:///etc/passwd");
    assert_eq!(
        said(made_up.clone(), &of, "", &[], false),
        "ask: not listed"
    );
    assert_eq!(said(made_up.clone(), &of, "allow", &[], false), "yes");
    assert_eq!(said(made_up, &of, "", &[], true), "yes");
}

#[test]
fn nothing_is_sent_before_approval_whoever_wants_it() {
    let of = Offerings {
        about: ApprovalStatus::New,
        ..approved()
    };
    let told = Refusal::NotReviewed.to_string();
    for by_person in [true, false] {
        assert_eq!(
            said(read("file:///listed"), &of, "allow", &[], by_person),
            told
        );
        assert_eq!(said(greet(), &of, "allow", &[], by_person), told);
        assert_eq!(said(proposal(), &of, "allow", &[], by_person), told);
        let level = SetLogLevel { level: None };
        assert_eq!(said(level, &of, "allow", &[], by_person), told);
    }
}

#[test]
fn a_rule_that_forbids_wins_over_the_person() {
    let of = approved();
    for told in [
        said(read("file:///listed"), &of, "forbid", &[], true),
        said(greet(), &of, "forbid", &[], true),
        said(proposal(), &of, "forbid", &[], true),
        said(SetLogLevel { level: None }, &of, "forbid", &[], true),
    ] {
        assert_eq!(told, "a rule of the administrator forbids this");
    }
}

#[test]
fn a_rule_that_asks_asks_everyone_and_refuses_where_nobody_can_be_asked() {
    let of = approved();
    for by_person in [true, false] {
        let told = said(read("file:///listed"), &of, "ask", &[], by_person);
        assert_eq!(told, "ask: a rule");
        assert_eq!(said(greet(), &of, "ask", &[], by_person), "ask: a rule");
        let told = said(proposal(), &of, "ask", &[], by_person);
        assert_eq!(told, Refusal::NeedsPerson.to_string());
    }
}

#[test]
fn what_came_from_strangers_is_asked_about_unless_the_server_lists_it() {
    let of = approved();
    let strange = [concern()];
    let told = said(read("note://a"), &of, "allow", &strange, false);
    assert_eq!(told, "ask: from strangers");
    let told = said(greet(), &of, "", &strange, false);
    assert_eq!(told, "ask: from strangers");
    let told = said(read("file:///listed"), &of, "", &strange, false);
    assert_eq!(told, "yes");
}

#[test]
fn a_yes_holds_only_for_what_was_asked_with_everything_as_it_was() {
    let (of, plain) = (approved(), PolicyDecision::default());
    let facts = RequestFacts {
        offerings: &of,
        ruling: &plain,
        concerns: &[],
        by_person: false,
    };
    let pending = || match decide_request(read("file:///x"), facts) {
        RequestVerdict::Ask(pending) => pending,
        other => panic!("it is not asked about: {other:?}"),
    };
    let sent = pending().answer(&Decision::once(), facts).unwrap();
    assert_eq!(sent.into_request().uri, "file:///x");
    let no = pending().answer(&Decision::no(Some("never")), facts);
    let reason = Some("never".to_owned());
    assert_eq!(no.unwrap_err(), Refusal::DeniedByPerson { reason });
    // Not a yes to this, whatever it is a yes to.
    for odd in [Decision::always(), Decision::ChangeRule, Decision::OpenUrl] {
        assert!(pending().answer(&odd, facts).is_err());
    }
    let forbidden = rules("forbid");
    let later = RequestFacts {
        ruling: &forbidden,
        ..facts
    };
    let refused = pending().answer(&Decision::once(), later).unwrap_err();
    assert!(matches!(refused, Refusal::Forbidden { .. }));
    let strange = [concern()];
    let later = RequestFacts {
        concerns: &strange,
        ..facts
    };
    let refused = pending().answer(&Decision::once(), later).unwrap_err();
    assert_eq!(refused, Refusal::ChangedWhileAsking);
}

#[test]
fn of_folders_a_server_is_told_those_that_no_rule_speaks_about() {
    let root = |path: &str| Root {
        uri: format!("file://{path}"),
        name: None,
    };
    let roots = || {
        vec![
            (root("/a"), rules("")),
            (root("/b"), rules("forbid")),
            (root("/c"), rules("ask")),
        ]
    };
    let told = permit_roots(&ApprovalStatus::Approved, roots()).into_roots();
    assert_eq!(told, [root("/a")]);
    for about in [
        ApprovalStatus::New,
        ApprovalStatus::Changed,
        ApprovalStatus::Blocked,
    ] {
        assert!(permit_roots(&about, roots()).into_roots().is_empty());
    }
}
