//! What the rules say: promises of the language, and that clicks mean what they say whatever
//! strangers write.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use policy::pin::ApprovalStatus;
use policy::{
    AdministratorRules, CheckedCall, Condition, Context, Covered, Effect, EnforcementPoint, Facts,
    FoundWhat, Grant, GrantOrigin, KnownTool, Layer, Places, PolicyDecision, PolicyRequest,
    Refusal, Rule, RuleDraft, RuleEffect, Rules, Scope, Setting, Target, Verdict, decide,
};
use proptest::prelude::*;
use protocol::{
    CallId, Caller, CallerFilter, ConversationId, Fingerprint, GrantId, QuestionId, RuleId,
    ServerId, Timestamp, ToolCall, ToolName, ToolSpec, WorkspaceId,
};
use serde_json::{Map, json};
use std::sync::LazyLock;

fn server(name: &str) -> ServerId {
    ServerId::parse(name).unwrap()
}

fn administrator(text: &str) -> AdministratorRules {
    AdministratorRules {
        file: "policy.cedar".to_owned(),
        text: Some(text.to_owned()),
        broken: None,
    }
}

fn forbid(hook: EnforcementPoint) -> RuleDraft {
    RuleDraft {
        effect: RuleEffect::Forbid,
        hook,
        caller: None,
        server: None,
        tool: None,
        when: Vec::new(),
        reason: None,
    }
}

fn kept(id: &str, draft: &RuleDraft) -> Rule {
    draft.rule(RuleId::from(id), Timestamp(0))
}

/// What the rules say about `files/delete`, called on a terminal.
fn said(rules: &Rules, hook: EnforcementPoint, known: &Context) -> PolicyDecision {
    let (server, tool) = (server("files"), ToolName::from("delete"));
    let request = PolicyRequest {
        caller: Some(&Caller::terminal()),
        server: &server,
        target: Target::Tool(&tool),
        context: known,
    };
    rules.ruling(hook, &request)
}

fn problem(text: &str) -> String {
    let rules = Rules::new(&administrator(text), &[]);
    let ruling = said(&rules, EnforcementPoint::Call, &Context::default());
    ruling
        .broken
        .map(|problem| {
            format!(
                "{}:{}:{} {}",
                problem.place,
                problem.line.unwrap_or(0),
                problem.column.unwrap_or(0),
                problem.problem
            )
        })
        .unwrap_or_default()
}

#[test]
fn without_rules_everything_is_left_to_a_person() {
    let rules = Rules::new(&AdministratorRules::default(), &[]);
    for hook in [
        EnforcementPoint::Discover,
        EnforcementPoint::Call,
        EnforcementPoint::Return,
        EnforcementPoint::Egress,
    ] {
        let ruling = said(&rules, hook, &Context::default());
        assert_eq!(ruling, PolicyDecision::default(), "{hook:?}");
    }
}

#[test]
fn an_empty_file_of_an_administrator_forbids_everything() {
    for text in ["", "  \n"] {
        assert_eq!(
            problem(text),
            "policy.cedar:0:0 it is empty; if there are to be no rules, say so in a comment",
            "{text:?}"
        );
    }
    assert_eq!(problem("// Nothing is forbidden.\n"), "");
}

#[test]
fn arguments_that_name_more_than_is_looked_at_are_refused_where_a_rule_asks() {
    let known = Context {
        too_many: true,
        ..Context::default()
    };
    let draft = RuleDraft {
        server: Some(server("files")),
        when: vec![Condition::ToHosts {
            hosts: vec!["a.example".into()],
        }],
        ..forbid(EnforcementPoint::Call)
    };
    let asks = Rules::new(&AdministratorRules::default(), &[kept("rule-1", &draft)]);
    assert!(asks.looks_at_hosts() && !asks.looks_at_folders());
    assert!(said(&asks, EnforcementPoint::Call, &known).broken.is_some());
    let without = Rules::new(&AdministratorRules::default(), &[]);
    assert!(!without.looks_at_hosts());
    assert_eq!(
        said(&without, EnforcementPoint::Call, &known),
        PolicyDecision::default()
    );
}

#[test]
fn whoever_asks_is_named_in_a_rule_as_it_is_known_or_the_rule_is_no_rule() {
    let about = |who: &str| format!("forbid(principal {who}, action, resource);");
    for who in [
        r#"== Client::"editor-1""#,
        r#"== Caller::"orchestrator/night-7""#,
        r#"in Kind::"view""#,
        r#"in Kind::"orchestrator""#,
        r#"is Caller in Kind::"server""#,
    ] {
        assert_eq!(problem(&about(who)), "", "{who}");
    }
    for (who, why) in [
        (r#"== Caller::"client/a""#, r#"write Client::"a" for"#),
        (r#"== Caller::"night-7""#, "is no caller"),
        (r#"== Caller::"x/a b""#, "is no id of a caller"),
        (r#"in Kind::"Client""#, "is no kind of caller"),
        (r#"== Person::"""#, "is no id of a caller"),
        (r#"== Terminal::"a terminal""#, "is no id of a caller"),
        (r#"== Client::"Editor one""#, "is no id of a caller"),
        (r#"== Client::"client:a""#, "is no id of a caller"),
        (r#"== Agent::"-a""#, "is no id of a caller"),
        (r#"== View::"files/view""#, "is no id of a caller"),
        (r#"is Client in Client::"a b""#, "is no id of a caller"),
    ] {
        let said = problem(&about(who));
        assert!(said.contains(why), "{who}: {said}");
    }
    let said = problem(
        r#"forbid(principal, action, resource) unless { principal == Client::"Editor one" };"#,
    );
    assert!(said.contains("is no id of a caller"), "{said}");
}

#[test]
fn a_rule_of_before_there_were_more_kinds_of_callers_means_what_it_meant() {
    let as_clicked = r#"@id("a")
forbid (
    principal == Terminal::"terminal",
    action == Action::"call",
    resource == Tool::"files/delete"
)
when {
    context.hosts.containsAny(["a.example"])
};"#;
    let before = [
        r#"forbid(principal == Person::"window", action, resource);"#,
        r#"forbid(principal is Terminal, action == Action::"call", resource in Server::"files");"#,
        as_clicked,
        r#"forbid(principal, action == Action::"egress", resource) unless { principal is Majordomo };"#,
    ];
    let known = Context {
        hosts: vec!["a.example".to_owned()],
        ..Context::default()
    };
    let forbidden: Vec<bool> = before
        .iter()
        .map(|text| {
            let rules = Rules::new(&administrator(text), &[]);
            let ruling = said(&rules, EnforcementPoint::Call, &known);
            assert_eq!(ruling.broken, None, "{text}");
            !ruling.forbid.is_empty()
        })
        .collect();
    assert_eq!(forbidden, [false, true, true, false]);
}

#[test]
fn a_forbid_wins_over_every_permit_whoever_wrote_it() {
    let allow = RuleDraft {
        effect: RuleEffect::Allow,
        server: Some(server("files")),
        ..forbid(EnforcementPoint::Call)
    };
    let text = "@id(\"no-deleting\") @reason(\"backups first\") forbid(principal, action == Action::\"call\", resource == Tool::\"files/delete\");\n";
    let rules = Rules::new(&administrator(text), &[kept("rule-1", &allow)]);
    let ruling = said(&rules, EnforcementPoint::Call, &Context::default());
    assert_eq!(ruling.forbid, [RuleId::from("no-deleting")]);
    assert_eq!(
        (ruling.forbidden_by, ruling.reason.as_deref()),
        (Some(Layer::Administrator), Some("backups first"))
    );

    let permits = Rules::new(
        &administrator("permit(principal, action, resource);"),
        &[kept("rule-1", &forbid(EnforcementPoint::Call))],
    );
    let ruling = said(&permits, EnforcementPoint::Call, &Context::default());
    assert_eq!(
        (ruling.forbid, ruling.forbidden_by),
        (vec![RuleId::from("rule-1")], Some(Layer::Person))
    );
}

#[test]
fn a_rule_without_a_name_is_named_by_where_it_stands() {
    let rules = Rules::new(
        &administrator("// first\nforbid(principal, action == Action::\"return\", resource);"),
        &[],
    );
    assert_eq!(
        said(&rules, EnforcementPoint::Return, &Context::default()).forbid,
        [RuleId::from("policy.cedar #1")]
    );
}

#[test]
fn what_cannot_be_read_is_a_no_that_says_where() {
    let cases = [
        "forbid(principal, action, resource);\n\nforbid(principal, action resource);\n",
        "\nforbid(principal, action == Action::\"calls\", resource);",
        "forbid(principal, action == Action::\"call\", resource)\nwhen { context.secrets };",
        "forbid(principal == Person::\"window\", action == Action::\"call\", resource == Server::\"files\");",
        "forbid(principal == Majordomo::\"majordomo\", action == Action::\"discover\", resource);",
        "forbid(principal, action, resource == Server::\"files\");",
        "forbid(principal, action, resource in Server::\"Files\");",
        "forbid(principal, action, resource == Tool::\"delete\");",
        "forbid(principal, action, resource == Prompt::\"Files/greet\");",
        "forbid(principal, action, resource == Resource::\"note:a\");",
        "@id(\"a\") forbid(principal, action, resource);\n@id(\"a\") permit(principal, action, resource);",
        "forbid(principal == ?principal, action, resource);",
        "\n  forbid(principal, action == Action::\"call\", resource) when { 9223372036854775807 + 1 == 0 };",
        "forbid(principal, action == Action::\"discover\", resource) when { context.hosts.contains(1) };",
    ];
    let said: Vec<String> = cases.iter().map(|text| problem(text)).collect();
    expect_test::expect![[r#"
        policy.cedar:3:26 unexpected token `resource`
        policy.cedar:2:29 for policy `policy0`, unrecognized action `Action::"calls"`
        policy.cedar:2:8 for policy `policy0`, attribute `secrets` in context for Action::"call" not found
        policy.cedar:1:1 write `resource in Server::"files"`: `==` reaches the server as such, and none of its tools
        policy.cedar:1:1 for policy `policy0`, policy is impossible: the policy expression evaluates to false for all valid requests
        policy.cedar:1:1 write `resource in Server::"files"`: `==` reaches the server as such, and none of its tools
        policy.cedar:1:1 write the name of the server in Server::"Files" in lower case; as it stands it is no server's
        policy.cedar:1:1 Tool::"delete" is no tool: write Tool::"server/tool"
        policy.cedar:1:1 write the name of the server in Prompt::"Files/greet" in lower case; as it stands it is no server's
        policy.cedar:1:1 Resource::"note:a" is no resource: write Resource::"server/address"
        policy.cedar:2:1 there are two rules with the name "a"
        policy.cedar:1:21 policy0 has a slot, and there is nothing to put into it
        policy.cedar:2:3 integer overflow while attempting to add the values `9223372036854775807` and `1`
        policy.cedar:1:66 the types Long and String are not compatible"#]]
    .assert_eq(&said.join("\n"));
}

#[test]
fn a_rule_that_cannot_be_evaluated_is_a_no_and_not_passed_over() {
    let text = "permit(principal, action, resource);\nforbid(principal, action == Action::\"call\", resource) when { context.secret && 9223372036854775807 + 1 == 0 };";
    let rules = Rules::new(&administrator(text), &[]);
    assert_eq!(
        said(&rules, EnforcementPoint::Call, &Context::default()).broken,
        None
    );
    let ruling = said(
        &rules,
        EnforcementPoint::Call,
        &Context {
            secret: true,
            ..Context::default()
        },
    );
    assert_eq!(ruling.broken.and_then(|problem| problem.line), Some(2));
}

#[test]
fn an_allowing_rule_about_hosts_or_folders_needs_all_of_them() {
    let allow = |condition| RuleDraft {
        effect: RuleEffect::Allow,
        when: vec![condition],
        ..forbid(EnforcementPoint::Call)
    };
    let hosts = Rules::new(
        &AdministratorRules::default(),
        &[kept(
            "rule-1",
            &allow(Condition::ToHosts {
                hosts: vec!["example.org".into()],
            }),
        )],
    );
    let to = |hosts: &[&str]| Context {
        hosts: hosts.iter().map(|host| (*host).to_owned()).collect(),
        ..Context::default()
    };
    let allowed = |rules: &Rules, known: &Context| {
        !said(rules, EnforcementPoint::Call, known).allow.is_empty()
    };
    assert!(allowed(&hosts, &to(&["www.example.org"])));
    assert!(!allowed(&hosts, &to(&["www.example.org", "evil.example"])));
    assert!(!allowed(&hosts, &to(&["notexample.org"])));
    assert!(!allowed(&hosts, &to(&[])));

    let folder = if cfg!(windows) { r"C:\data" } else { "/data" };
    let folders = Rules::new(
        &AdministratorRules::default(),
        &[kept(
            "rule-2",
            &allow(Condition::InFolder {
                folder: folder.into(),
            }),
        )],
    );
    let at = |paths: &[&str], other_paths| Context {
        paths: paths.iter().map(|path| format!("{folder}{path}")).collect(),
        other_paths,
        ..Context::default()
    };
    assert!(allowed(&folders, &at(&["/a", "/b/c"], false)));
    assert!(!allowed(&folders, &at(&["/a", "base/c"], false)));
    assert!(!allowed(&folders, &at(&["/a"], true)));
}

fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[\"\\\\(){};@:/*\n\r\t ?a-z]{0,24}",
        Just("\"); permit(principal, action, resource); //".to_owned()),
        Just("\\\"); permit(principal, action, resource); //".to_owned()),
        Just("\u{202e}\u{3164}\u{0}\u{200d}".to_owned()),
    ]
}

fn conditions() -> impl Strategy<Value = Condition> {
    prop_oneof![
        Just(Condition::Consequential),
        Just(Condition::Secret),
        Just(Condition::FromStrangers),
        Just(Condition::Remote),
        Just(Condition::Unconfined),
        proptest::collection::vec(prop_oneof![texts(), Just("example.org".to_owned())], 1..3)
            .prop_map(|hosts| Condition::ToHosts { hosts }),
        prop_oneof![texts(), Just("/data".to_owned())]
            .prop_map(|folder| Condition::InFolder { folder }),
        prop_oneof![Just(FoundWhat::Instructions), Just(FoundWhat::Credentials)]
            .prop_map(|what| Condition::Found { what }),
    ]
}

/// Callers of kinds with a word of their own in the language of rules, and of others.
fn callers() -> impl Strategy<Value = Caller> {
    let of = |kind: &str, id: &str| Caller::new(kind.parse().unwrap(), id.parse().unwrap(), id);
    prop_oneof![
        Just(Caller::window()),
        Just(Caller::terminal()),
        Just(of("client", "a")),
        Just(of("client", "b")),
        Just(of("view", "a")),
        Just(of("server", "files")),
        Just(of("orchestrator", "a")),
        Just(of("orchestrator", "b")),
    ]
}

fn drafts() -> impl Strategy<Value = RuleDraft> {
    let hooks = prop_oneof![
        Just(EnforcementPoint::Discover),
        Just(EnforcementPoint::Call),
        Just(EnforcementPoint::Return),
        Just(EnforcementPoint::Egress)
    ];
    let effects = prop_oneof![
        Just(RuleEffect::Forbid),
        Just(RuleEffect::Ask),
        Just(RuleEffect::Allow)
    ];
    let callers = proptest::option::of((callers(), any::<bool>()).prop_map(|(caller, one)| {
        let filter = CallerFilter::from(&caller);
        CallerFilter {
            id: filter.id.filter(|_| one),
            ..filter
        }
    }));
    let servers = proptest::option::of(prop_oneof![
        Just(server("files")),
        Just(server("Mail.box-2"))
    ]);
    let tools = proptest::option::of(
        prop_oneof![texts(), Just("delete".to_owned())].prop_map(ToolName::from),
    );
    let reasons = proptest::option::of(texts());
    (
        hooks,
        effects,
        callers,
        servers,
        tools,
        proptest::collection::vec(conditions(), 0..4),
        reasons,
    )
        .prop_map(|(hook, effect, caller, server, tool, when, reason)| {
            let hook = if effect == RuleEffect::Forbid {
                hook
            } else {
                EnforcementPoint::Call
            };
            RuleDraft {
                effect,
                hook,
                caller,
                tool: tool.filter(|_| server.is_some()),
                server,
                when,
                reason,
            }
        })
}

fn context() -> impl Strategy<Value = Context> {
    let hosts = proptest::collection::vec(
        prop_oneof![
            Just("www.example.org".to_owned()),
            Just("evil.example".to_owned())
        ],
        0..3,
    );
    let paths = proptest::collection::vec(
        prop_oneof![Just("/data/a".to_owned()), Just("/etc/b".to_owned())],
        0..3,
    );
    let named = proptest::option::of(Just("/data/link".to_owned()));
    (any::<[bool; 6]>(), hosts, paths, named, any::<[bool; 2]>()).prop_map(
        |(flags, hosts, paths, named, found)| Context {
            named: named.into_iter().collect(),
            consequential: flags[0],
            secret: flags[1],
            remote: flags[2],
            unconfined: flags[3],
            from_untrusted: flags[4],
            hosts,
            named_hosts: Vec::new(),
            paths,
            other_paths: flags[5],
            too_many: false,
            found: [FoundWhat::Instructions, FoundWhat::Credentials]
                .into_iter()
                .zip(found)
                .filter_map(|(what, found)| found.then_some(what))
                .collect(),
        },
    )
}

/// What a draft means, said without the language.
fn holds(
    draft: &RuleDraft,
    hook: EnforcementPoint,
    caller: &Caller,
    server: &ServerId,
    tool: &ToolName,
    known: &Context,
) -> bool {
    let enough = |count: usize, of: usize| {
        if draft.effect == RuleEffect::Allow {
            count == of && of > 0
        } else {
            count > 0
        }
    };
    let is_part = |host: &str, of: &str| {
        let of = of.to_ascii_lowercase();
        !of.is_empty() && (host == of || host.ends_with(&format!(".{of}")))
    };
    let holds = |condition: &Condition| match condition {
        Condition::Consequential => known.consequential,
        Condition::Secret => known.secret,
        Condition::FromStrangers => known.from_untrusted,
        Condition::Remote => known.remote,
        Condition::Unconfined => known.unconfined,
        Condition::ToHosts { hosts } if draft.effect == RuleEffect::Allow => {
            hosts.iter().any(|of| {
                enough(
                    known.hosts.iter().filter(|host| is_part(host, of)).count(),
                    known.hosts.len(),
                )
            })
        }
        Condition::ToHosts { hosts } => known
            .hosts
            .iter()
            .any(|host| hosts.iter().any(|of| is_part(host, of))),
        Condition::InFolder { folder } => {
            let is_inside = |path: &&String| {
                std::path::Path::new(path)
                    .ancestors()
                    .any(|place| place.as_os_str() == folder.as_str())
            };
            let inside = known.paths.iter().filter(is_inside).count();
            let by_name = draft.effect != RuleEffect::Allow
                && known.named.iter().any(|path| is_inside(&path));
            let sure = draft.effect != RuleEffect::Allow || !known.other_paths;
            !folder.is_empty() && (by_name || enough(inside, known.paths.len()) && sure)
        }
        Condition::Found { what } => known.found.contains(what),
    };
    draft.hook == hook
        && draft
            .caller
            .as_ref()
            .is_none_or(|only| only.holds_for(caller))
        && draft
            .server
            .as_ref()
            .is_none_or(|only| only.key() == server.key())
        && draft.tool.as_ref().is_none_or(|only| only == tool)
        && draft.when.iter().all(holds)
}

/// A tool that says of itself that it does no harm.
static TOOL: LazyLock<KnownTool> = LazyLock::new(|| {
    KnownTool::new(ToolSpec {
        input_schema: json!({"type": "object"}).as_object().cloned().unwrap(),
        annotations: json!({"readOnlyHint": true}).as_object().cloned(),
        ..ToolSpec::named("delete")
    })
});

/// A grant of everything, for ever.
fn granted(call: &ToolCall, tool: &KnownTool, launch: &Fingerprint) -> Grant {
    Grant {
        id: GrantId::from("grant-1"),
        effect: Effect::Allow,
        caller: call.caller.clone(),
        server: call.server.clone(),
        launch_fingerprint: launch.clone(),
        tool: tool.spec().clone(),
        tool_fingerprint: tool.fingerprint().clone(),
        arguments: Covered::Any,
        scope: Scope::Always,
        workspace: None,
        origin: GrantOrigin::Question {
            question: QuestionId::from("question-1"),
        },
        made_at: Timestamp(0),
        used: 1,
        last_used_at: Some(Timestamp(0)),
        revoked_at: None,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn whatever_else_is_allowed_an_administrators_forbid_is_a_no(
        drafts_of_administrator in proptest::collection::vec(drafts(), 1..4),
        drafts_of_person in proptest::collection::vec(drafts(), 0..6),
        permits_all in any::<bool>(),
        known in context(),
        caller in callers(),
    ) {
        let texts: Vec<String> = drafts_of_administrator.iter().enumerate().map(|(number, draft)| draft.text(&RuleId::from(format!("admin-{number}")))).collect();
        let everything = if permits_all { "permit(principal, action, resource);\n" } else { "" };
        let text = format!("{everything}{}", texts.join("\n"));
        let person: Vec<Rule> = drafts_of_person.iter().enumerate().map(|(number, draft)| kept(&format!("rule-{number}"), draft)).collect();
        let rules = Rules::new(&administrator(&text), &person);
        prop_assert!(rules.layers().iter().all(|layer| layer.broken.is_none()));

        let call = ToolCall { id: CallId::from("call-0000000000000000"), conversation: caller.conversation(), by_hand: false, caller, server: server("files"), tool: "delete".into(), arguments: Map::new() };
        let (tool, launch) = (&*TOOL, Fingerprint::of(&json!("launch")));
        let request = PolicyRequest { caller: Some(&call.caller), server: &call.server, target: Target::Tool(&call.tool), context: &known };
        let ruling = rules.ruling(EnforcementPoint::Call, &request);
        let (places, grants) = (Places::default(), [granted(&call, tool, &launch)]);
        let facts = Facts {
            tool,
            launch_fingerprint: &launch,
            standing: &ApprovalStatus::Approved,
            switched_on: true,
            concerns: &[],
            grants: &grants,
            ruling: &ruling,
            setting: Setting { conversation: &ConversationId::from("c"), workspace: &WorkspaceId::from("w"), places: &places, now: Timestamp(1) },
        };
        let applies = |draft: &&RuleDraft| holds(draft, EnforcementPoint::Call, &call.caller, &call.server, &call.tool, &known);
        let forbidden = drafts_of_administrator.iter().filter(applies).any(|draft| draft.effect == RuleEffect::Forbid);
        let asked = drafts_of_administrator.iter().filter(applies).any(|draft| draft.effect == RuleEffect::Ask);
        let checked = CheckedCall::new(call.clone(), tool, &tool.compile_input());
        let verdict = decide(checked, facts);
        if forbidden {
            let is_administrators = matches!(&verdict, Verdict::Deny(Refusal::Forbidden { by: Layer::Administrator, .. }));
            prop_assert!(is_administrators, "{verdict:?}\n{text}");
        } else if asked {
            prop_assert!(!matches!(&verdict, Verdict::Allow(_)), "{verdict:?}\n{text}");
        }
    }

    #[test]
    fn whatever_stands_in_a_draft_its_text_is_one_rule_that_means_it(draft in drafts(), known in context(), own in any::<bool>(), caller in callers()) {
        let rule = kept("rule-1", &draft);
        let rules = Rules::new(&AdministratorRules::default(), std::slice::from_ref(&rule));
        let person = &rules.layers()[2];
        prop_assert!(person.broken.is_none(), "{:?}\n{}", person.broken, rule.text);
        prop_assert_eq!(&person.rules, &[rule]);

        let (server, tool) = match (&draft.server, &draft.tool) {
            (Some(server), tool) if own => (server.clone(), tool.clone().unwrap_or("delete".into())),
            _ => (self::server("files"), "delete".into()),
        };
        for hook in [EnforcementPoint::Discover, EnforcementPoint::Call, EnforcementPoint::Return, EnforcementPoint::Egress] {
            let request = PolicyRequest { caller: Some(&caller), server: &server, target: Target::Tool(&tool), context: &known };
            let ruling = rules.ruling(hook, &request);
            prop_assert!(ruling.broken.is_none());
            let meant = holds(&draft, hook, &caller, &server, &tool, &known);
            let is = |effect| meant && draft.effect == effect;
            prop_assert_eq!(!ruling.forbid.is_empty(), is(RuleEffect::Forbid));
            prop_assert_eq!(!ruling.ask.is_empty(), is(RuleEffect::Ask));
            prop_assert_eq!(!ruling.allow.is_empty(), is(RuleEffect::Allow));
            prop_assert_eq!(ruling.reason, draft.reason.clone().filter(|reason| is(RuleEffect::Forbid) && !reason.is_empty()));
        }
    }
}

#[test]
fn a_rule_about_a_server_a_host_or_a_folder_binds_what_is_no_call_too() {
    let known = Context {
        hosts: vec!["evil.example".to_owned()],
        paths: vec!["/srv/secret/a".to_owned()],
        ..Context::default()
    };
    let person = Caller::window();
    let forbids = |rule: &str, target: Target<'_>, caller: Option<&Caller>| {
        let rules = Rules::new(&administrator(rule), &[]);
        let server = server("files");
        let request = PolicyRequest {
            caller,
            server: &server,
            target,
            context: &known,
        };
        let ruling = rules.ruling(EnforcementPoint::Call, &request);
        assert_eq!(ruling.broken, None, "{rule}");
        !ruling.forbid.is_empty()
    };
    let binding = [
        "forbid(principal, action, resource in Server::\"files\");",
        "forbid(principal, action == Action::\"call\", resource in Server::\"files\");",
        "forbid(principal, action == Action::\"call\", resource) when { context.hosts.contains(\"evil.example\") };",
        "forbid(principal, action == Action::\"call\", resource) when { context.folders.contains(\"/srv/secret\") };",
    ];
    let uri = "https://evil.example/\"a\" \\ b";
    for rule in binding {
        for target in [
            Target::Resource(uri),
            Target::Prompt("greet"),
            Target::Server,
        ] {
            assert!(forbids(rule, target, Some(&person)), "{rule} {target:?}");
        }
        assert!(forbids(rule, Target::Server, None), "{rule}");
    }
    let one = "forbid(principal, action, resource == Prompt::\"files/greet\");";
    assert!(forbids(one, Target::Prompt("greet"), Some(&person)));
    assert!(!forbids(one, Target::Prompt("other"), Some(&person)));
    // A name is only itself, whatever it is the name of.
    assert!(!forbids(one, Target::Resource("greet"), Some(&person)));
    assert!(!forbids(
        one,
        Target::Tool(&ToolName::from("greet")),
        Some(&person)
    ));
}
