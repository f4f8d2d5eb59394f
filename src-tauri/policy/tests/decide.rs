//! What is decided about a call, in the product's words.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]

use expect_test::{Expect, expect};
use policy::flow::{Concern, Source, Why};
use policy::pin::Standing;
use policy::{Answer, Facts, Grant, KnownTool, Pending, Reason, Refusal, Scope, Verdict, decide};
use proptest::prelude::*;
use protocol::{CallId, Caller, Fingerprint, GrantId, QuestionId, RunId, ServerId, Timestamp, ToolCall, ToolSpec};
use serde_json::{Map, Value, json};

struct Scene {
    tool: ToolSpec,
    launch: Fingerprint,
    on: bool,
    standing: Standing,
    concerns: Vec<Concern>,
    grants: Vec<Grant>,
    run: RunId,
    call: ToolCall,
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// Nothing is allowed yet; somebody in the window wants to read a file.
fn scene() -> Scene {
    let tool = ToolSpec {
        name: "read".into(),
        title: None,
        description: Some("Reads a file".into()),
        input_schema: map(json!({"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]})),
        output_schema: None,
        annotations: None,
        meta: None,
        extra: Default::default(),
    };
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::Window,
        server: ServerId::parse("files").unwrap(),
        tool: "read".into(),
        arguments: map(json!({"path": "a.txt"})),
    };
    Scene {
        tool,
        launch: Fingerprint::of(&json!("node files.js")),
        on: true,
        standing: Standing::Approved,
        concerns: vec![],
        grants: vec![],
        run: RunId::random(),
        call,
    }
}

impl Scene {
    fn allowed(mut self, scope: impl Fn(&Self) -> Scope) -> Self {
        self.grants.push(Grant {
            id: GrantId("grant-1".into()),
            caller: Caller::Window,
            server: self.call.server.clone(),
            launch_fingerprint: self.launch.clone(),
            tool: self.tool.clone(),
            tool_fingerprint: self.tool.fingerprint(),
            scope: scope(&self),
            made_at: Timestamp(0),
            last_used_at: None,
            revoked_at: None,
        });
        self
    }

    fn allowed_always(self) -> Self {
        self.allowed(|_| Scope::Tool)
    }

    fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    fn decide(&self) -> Verdict {
        let tool = KnownTool::new(self.tool.clone());
        let facts = Facts {
            tool: &tool,
            launch_fingerprint: &self.launch,
            standing: &self.standing,
            concerns: &self.concerns,
            switched_on: self.on,
            grants: &self.grants,
            run: &self.run,
        };
        decide(self.call.clone(), facts)
    }

    fn pending(&self) -> Pending {
        match self.decide() {
            Verdict::Ask(pending) => *pending,
            other => panic!("not asked: {other:?}"),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "a scene is written where it is used")]
fn check(scene: Scene, expected: Expect) {
    let said = match scene.decide() {
        Verdict::Allow(permitted) => format!("allow: {:?}", permitted.permission()),
        Verdict::Ask(pending) => match pending.question(Map::new(), vec![], vec![], Timestamp(0)).subject {
            policy::Subject::Call { reason: Reason::ToolChanged { parts, .. }, .. } => {
                format!("ask: {parts:?} changed since you allowed it")
            }
            policy::Subject::Call { reason, .. } => format!("ask: {reason:?}"),
            _ => unreachable!("a call asks about a call"),
        },
        Verdict::Deny(refusal) => format!("deny: {refusal}"),
    };
    expected.assert_eq(&said);
}

#[test]
fn a_person_is_asked_unless_they_said_otherwise() {
    check(scene(), expect!["ask: NotAllowedYet"]);
}

#[test]
fn what_was_allowed_always_is_not_asked_again() {
    check(scene().allowed_always(), expect![[r#"allow: Grant { grant: GrantId("grant-1") }"#]]);
}

#[test]
fn a_tool_that_changed_since_it_was_allowed_asks_again_and_says_what_changed() {
    let changed = |change: fn(&mut ToolSpec)| scene().allowed_always().with(|scene| change(&mut scene.tool));
    check(
        changed(|tool| tool.description = Some("Reads a file and mails it".into())),
        expect!["ask: [Description] changed since you allowed it"],
    );
    check(changed(|tool| tool.title = Some("Read".into())), expect!["ask: [Title] changed since you allowed it"]);
    check(
        changed(|tool| tool.annotations = Some(map(json!({"readOnlyHint": true})))),
        expect!["ask: [Annotations] changed since you allowed it"],
    );
    check(
        changed(|tool| {
            tool.meta = Some(Map::new());
            tool.output_schema = Some(Map::new());
        }),
        expect!["ask: [OutputSchema, Meta] changed since you allowed it"],
    );
    check(
        changed(|tool| _ = tool.input_schema.insert("title".into(), "x".into())),
        expect!["ask: [InputSchema] changed since you allowed it"],
    );
}

#[test]
fn a_server_that_is_reached_in_another_way_asks_again() {
    let moved = scene().allowed_always().with(|scene| scene.launch = Fingerprint::of(&json!("node other.js")));
    check(moved, expect!["ask: ServerChanged { allowed_at: Timestamp(0) }"]);
}

#[test]
fn a_grant_for_one_caller_says_nothing_about_another() {
    check(scene().allowed_always().with(|scene| scene.call.caller = Caller::Terminal), expect!["ask: NotAllowedYet"]);
}

#[test]
fn exactly_these_arguments_means_exactly_these() {
    let exactly = || scene().allowed(|scene| Scope::Arguments { fingerprint: scene.call.arguments_fingerprint() });
    check(exactly(), expect![[r#"allow: Grant { grant: GrantId("grant-1") }"#]]);
    check(exactly().with(|scene| scene.call.arguments = map(json!({"path": "b.txt"}))), expect!["ask: OtherArguments"]);
    check(exactly().with(|scene| scene.call.arguments = map(json!({"path": "a.txt", "more": 1}))), expect!["ask: OtherArguments"]);
}

#[test]
fn a_grant_for_this_run_ends_with_it() {
    let this_run = || scene().allowed(|scene| Scope::Run { run: scene.run.clone() });
    check(this_run(), expect![[r#"allow: Grant { grant: GrantId("grant-1") }"#]]);
    check(this_run().with(|scene| scene.run = RunId::random()), expect!["ask: NotAllowedYet"]);
}

#[test]
fn a_grant_that_was_taken_back_allows_nothing() {
    check(scene().allowed_always().with(|scene| scene.grants[0].revoked_at = Some(Timestamp(1))), expect!["ask: NotAllowedYet"]);
}

#[test]
fn a_switched_off_tool_is_denied_whatever_was_allowed() {
    check(scene().allowed_always().with(|scene| scene.on = false), expect!["deny: this tool is switched off"]);
}

#[test]
fn what_is_not_approved_as_it_is_is_denied_whatever_was_allowed() {
    let with = |standing: Standing| scene().allowed_always().with(|scene| scene.standing = standing);
    check(with(Standing::New), expect!["deny: nobody has reviewed this yet; review what its server offers first"]);
    check(with(Standing::Changed), expect!["deny: this has changed since it was approved; look at what is different first"]);
    check(
        with(Standing::Renamed { from: "cat".into() }),
        expect!["deny: this has changed since it was approved; look at what is different first"],
    );
    check(with(Standing::KeptOff), expect!["deny: this tool is switched off"]);
    check(with(Standing::Blocked), expect!["deny: this is blocked"]);
}

#[test]
fn a_value_that_came_from_a_stranger_is_asked_about_whatever_was_allowed() {
    let source = Source { origin: protocol::Origin::Unknown, message: None, at: None };
    let concern = Concern { argument: Some("/path".into()), value: "a.txt".into(), act: None, source, why: Why::Place };
    let scene = scene().allowed_always().with(|scene| scene.concerns = vec![concern]);
    check(scene, expect!["ask: FromStrangers"]);
}

#[test]
fn arguments_that_do_not_fit_are_denied_before_anyone_is_asked() {
    let with = |arguments: Value| scene().allowed_always().with(|scene| scene.call.arguments = map(arguments));
    check(with(json!({})), expect![[r#"deny: the arguments do not fit the tool's input schema: "path" is a required property"#]]);
    check(
        with(json!({"path": 5})),
        expect![[r#"deny: the arguments do not fit the tool's input schema: /path: 5 is not of type "string""#]],
    );
}

#[test]
fn a_schema_that_would_have_to_be_fetched_allows_nothing() {
    for schema in [json!({"$ref": "https://example.com/schema"}), json!({"$ref": "file:///etc/passwd"}), json!({"type": 5})] {
        let scene = scene().allowed_always().with(|scene| scene.tool.input_schema = map(schema.clone()));
        assert!(matches!(scene.decide(), Verdict::Deny(Refusal::SchemaUnusable { .. })), "{schema}");
    }
}

#[test]
fn a_schema_nested_without_end_is_refused_and_harms_nobody() {
    let mut schema = json!({});
    for _ in 0..120 {
        schema = json!({"properties": {"a": schema}});
    }
    assert!(matches!(scene().with(|scene| scene.tool.input_schema = map(schema)).decide(), Verdict::Deny(Refusal::SchemaUnusable { .. })));
}

#[test]
fn both_dialects_of_schema_are_understood() {
    // `prefixItems` is a word of 2020-12; draft-07 wrote the same as a list of `items`.
    let two = |schema: Value| {
        let schema = map(json!({"$schema": schema["$schema"], "properties": {"path": schema["path"]}}));
        scene().with(|scene| {
            scene.tool.input_schema = schema;
            scene.call.arguments = map(json!({"path": [1]}));
        })
    };
    let new = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "path": {"prefixItems": [{"type": "string"}]}});
    let old = json!({"$schema": "http://json-schema.org/draft-07/schema#", "path": {"items": [{"type": "string"}]}});
    assert!(matches!(two(new).decide(), Verdict::Deny(Refusal::ArgumentsInvalid { .. })));
    assert!(matches!(two(old).decide(), Verdict::Deny(Refusal::ArgumentsInvalid { .. })));
}

#[test]
fn what_changed_while_the_question_was_open_does_not_run() {
    let scene = scene();
    let (question, other) = (QuestionId::random(), Fingerprint::of(&json!("other")));
    let answer = |tool: &Fingerprint, launch: &Fingerprint| {
        scene
            .pending()
            .answer(&question, &Answer::AllowTool, tool, launch, &scene.run, Timestamp(0))
            .map(|(permitted, _)| permitted.into_call())
    };
    let same = scene.tool.fingerprint();
    assert_eq!(answer(&other, &scene.launch), Err(Refusal::ChangedWhileAsking));
    assert_eq!(answer(&same, &other), Err(Refusal::ChangedWhileAsking));
    assert_eq!(answer(&same, &scene.launch), Ok(scene.call.clone()));
}

#[test]
fn an_answer_covers_what_it_says() {
    let scene = scene();
    let grant = |answer: &Answer| {
        let (tool, question) = (scene.tool.fingerprint(), QuestionId::random());
        scene
            .pending()
            .answer(&question, answer, &tool, &scene.launch, &scene.run, Timestamp(7))
            .map(|(_, grant)| grant.map(|grant| grant.scope))
    };
    assert_eq!(grant(&Answer::AllowOnce), Ok(None));
    assert_eq!(grant(&Answer::AllowRun), Ok(Some(Scope::Run { run: scene.run.clone() })));
    assert_eq!(grant(&Answer::AllowArguments), Ok(Some(Scope::Arguments { fingerprint: scene.call.arguments_fingerprint() })));
    assert_eq!(grant(&Answer::AllowTool), Ok(Some(Scope::Tool)));
    assert_eq!(grant(&Answer::Deny { reason: Some("no".into()) }), Err(Refusal::DeniedByPerson { reason: Some("no".into()) }));
}

proptest! {
    /// Whatever was granted for something else, nothing is allowed by it.
    #[test]
    fn no_grant_reaches_beyond_its_bounds(
        caller in any::<bool>(), launch in 0..3_u8, tool in 0..3_u8, run in any::<bool>(), revoked in any::<bool>(), arguments in 0..3_u8, kind in 0..3_u8,
    ) {
        let base = scene();
        let scope = match kind {
            0 => Scope::Tool,
            1 => Scope::Run { run: if run { base.run.clone() } else { RunId::random() } },
            _ => Scope::Arguments { fingerprint: Fingerprint::of(&json!({"path": format!("{arguments}")})) },
        };
        let mut granted = base.tool.clone();
        granted.description = (tool != 0).then(|| format!("other {tool}")).or(granted.description);
        let scene = base.allowed(|_| scope.clone()).with(|scene| {
            scene.call.arguments = map(json!({"path": "0"}));
            let grant = &mut scene.grants[0];
            grant.caller = if caller { Caller::Window } else { Caller::Terminal };
            grant.launch_fingerprint = if launch == 0 { scene.launch.clone() } else { Fingerprint::of(&json!(launch)) };
            grant.tool_fingerprint = granted.fingerprint();
            grant.tool = granted;
            grant.revoked_at = revoked.then_some(Timestamp(1));
        });
        let in_scope = match kind { 0 => true, 1 => run, _ => arguments == 0 };
        let covered = caller && launch == 0 && tool == 0 && !revoked && in_scope;
        prop_assert_eq!(matches!(scene.decide(), Verdict::Allow(_)), covered);
    }
}
