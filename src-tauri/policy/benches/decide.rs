//! How long a call is decided with 200 rules and 2,000 grants: the ruling and the decision
//! together, as the host does it.
//!
//! Beside criterion's means it prints percentiles, because a promise about the slowest of a hundred
//! is about those.

#![expect(
    clippy::print_stderr,
    reason = "percentiles are for whoever runs the benchmark"
)]

use criterion::{Criterion, criterion_group, criterion_main};
use policy::pin::ApprovalStatus;
use policy::{
    AdministratorRules, CheckedCall, Condition, Context, Covered, Effect, EnforcementPoint, Facts,
    Grant, GrantOrigin, KnownTool, Places, PolicyRequest, Rule, RuleDraft, RuleEffect, Rules,
    Schema, Scope, Setting, Target, Verdict, decide,
};
use protocol::{
    CallId, Caller, ConversationId, Fingerprint, GrantId, QuestionId, RuleId, ServerId, Timestamp,
    ToolCall, ToolName, ToolSpec, WorkspaceId,
};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

const RULES: usize = 200;
const GRANTS: usize = 2_000;
const SERVERS: usize = 20;
const TOOLS: usize = 25;
const NOW: Timestamp = Timestamp(1_700_000_000_000);

fn server(number: usize) -> ServerId {
    ServerId::nearest(&format!("server-{}", number % SERVERS))
}

fn tool(number: usize) -> ToolName {
    ToolName::from(format!("tool_{}", number % TOOLS))
}

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

fn known(name: &ToolName) -> KnownTool {
    let schema = json!({"type": "object", "properties": {"path": {"type": "string"}, "url": {"type": "string"}}});
    KnownTool::new(ToolSpec {
        description: Some("Does something with a file and sends it somewhere.".to_owned()),
        input_schema: map(schema),
        ..ToolSpec::named(name.clone())
    })
}

/// A condition in the manner of those that people click together.
fn condition(number: usize) -> Condition {
    match number % 6 {
        0 => Condition::ToHosts {
            hosts: vec![
                format!("host{number}.example"),
                format!("other{number}.example"),
            ],
        },
        1 => Condition::InFolder {
            folder: format!("/home/person/folder{number}"),
        },
        2 => Condition::Consequential,
        3 => Condition::Secret,
        4 => Condition::FromStrangers,
        _ => Condition::Unconfined,
    }
}

/// One rule of so many; every `general`th is for all servers.
fn rule(number: usize, general: usize) -> Rule {
    let is_general = number.is_multiple_of(general);
    let effect = match number % 3 {
        0 => RuleEffect::Forbid,
        1 => RuleEffect::Ask,
        _ => RuleEffect::Allow,
    };
    let hook = if effect == RuleEffect::Forbid {
        [
            EnforcementPoint::Call,
            EnforcementPoint::Egress,
            EnforcementPoint::Return,
            EnforcementPoint::Discover,
        ][number % 4]
    } else {
        EnforcementPoint::Call
    };
    let draft = RuleDraft {
        effect,
        hook,
        caller: None,
        server: (!is_general).then(|| server(number)),
        tool: (!is_general && !number.is_multiple_of(5)).then(|| tool(number)),
        when: if is_general || number.is_multiple_of(2) {
            vec![condition(number), Condition::Remote]
        } else {
            Vec::new()
        },
        reason: Some("Because it was decided so.".to_owned()),
    };
    draft.rule(RuleId::from(format!("rule-{number}")), NOW)
}

/// One rule of the worst kind: for every server and tool, about calls, with conditions that hold
/// until the last one.
fn general(number: usize) -> Rule {
    let effect = [RuleEffect::Forbid, RuleEffect::Ask][number % 2];
    let when = vec![
        Condition::ToHosts {
            hosts: vec![format!("host{number}.example")],
        },
        Condition::InFolder {
            folder: format!("/no/{number}"),
        },
    ];
    let draft = RuleDraft {
        effect,
        hook: EnforcementPoint::Call,
        caller: None,
        server: None,
        tool: None,
        when,
        reason: None,
    };
    draft.rule(RuleId::from(format!("rule-{number}")), NOW)
}

fn grant(number: usize, launch: &Fingerprint) -> Grant {
    let tool = known(&tool(number / SERVERS));
    Grant {
        id: GrantId::from(format!("grant-{number}")),
        effect: Effect::Allow,
        caller: if number.is_multiple_of(2) {
            Caller::window()
        } else {
            Caller::terminal()
        },
        server: server(number),
        launch_fingerprint: launch.clone(),
        tool: tool.spec().clone(),
        tool_fingerprint: tool.fingerprint().clone(),
        arguments: Covered::Exactly {
            fingerprint: Fingerprint::of(&json!(number)),
            shown: Map::new(),
        },
        scope: Scope::Always,
        workspace: None,
        origin: GrantOrigin::Question {
            question: QuestionId::from("question-1"),
        },
        made_at: NOW,
        used: 1,
        last_used_at: Some(NOW),
        revoked_at: None,
    }
}

/// Everything that is there when calls are decided.
struct Scene {
    rules: Rules,
    /// By whom, where and what they are for, as the host keeps them.
    grants: HashMap<(Caller, ServerId, ToolName), Vec<Grant>>,
    tools: Vec<KnownTool>,
    inputs: Vec<Schema>,
    launch: Fingerprint,
    conversation: ConversationId,
    workspace: WorkspaceId,
}

impl Scene {
    fn new(rules: &[Rule]) -> Self {
        let launch = Fingerprint::of(&json!("launch"));
        let mut grants: HashMap<_, Vec<Grant>> = HashMap::new();
        for grant in (0..GRANTS).map(|number| grant(number, &launch)) {
            grants
                .entry((
                    grant.caller.clone(),
                    grant.server.clone(),
                    grant.tool.name.clone(),
                ))
                .or_default()
                .push(grant);
        }
        let rules = Rules::new(&AdministratorRules::default(), rules);
        assert!(rules.layers().iter().all(|layer| layer.broken.is_none()));
        let tools: Vec<_> = (0..TOOLS).map(|number| known(&tool(number))).collect();
        let inputs = tools.iter().map(KnownTool::compile_input).collect();
        let (conversation, workspace) = (
            ConversationId::from("conversation-1"),
            WorkspaceId::from("workspace-1"),
        );
        Self {
            rules,
            grants,
            tools,
            inputs,
            launch,
            conversation,
            workspace,
        }
    }

    /// Decides one of many calls, each with arguments of its own.
    fn decide(&self, number: usize) -> Verdict {
        let caller = if number.is_multiple_of(3) {
            Caller::window()
        } else {
            Caller::terminal()
        };
        let call = ToolCall {
            id: CallId::from("call-0000000000000000"),
            conversation: caller.conversation(),
            by_hand: false,
            caller,
            server: server(number),
            tool: tool(number / SERVERS),
            arguments: map(
                json!({"path": format!("/home/person/project/{number}.txt"), "url": format!("https://www.site{number}.example/x")}),
            ),
        };
        let context = Context {
            remote: number.is_multiple_of(2),
            hosts: vec![format!("www.site{number}.example")],
            paths: vec![format!("/home/person/project/{number}.txt")],
            ..Context::default()
        };
        let started = PolicyRequest {
            caller: Some(&call.caller),
            server: &call.server,
            target: Target::Tool(&call.tool),
            context: &context,
        };
        let discover = self.rules.ruling(EnforcementPoint::Discover, &started);
        let ruling = discover.and(self.rules.ruling(EnforcementPoint::Call, &started));
        let places = Places::default();
        let facts = Facts {
            tool: &self.tools[number / SERVERS % TOOLS],
            launch_fingerprint: &self.launch,
            standing: &ApprovalStatus::Approved,
            switched_on: true,
            concerns: &[],
            grants: self
                .grants
                .get(&(call.caller.clone(), call.server.clone(), call.tool.clone()))
                .map_or(&[], Vec::as_slice),
            ruling: &ruling,
            setting: Setting {
                conversation: &self.conversation,
                workspace: &self.workspace,
                places: &places,
                now: NOW,
            },
        };
        let (tool, input) = (facts.tool, &self.inputs[number / SERVERS % TOOLS]);
        decide(CheckedCall::new(call.clone(), tool, input), facts)
    }

    fn percentiles(&self, name: &str) {
        let calls = 20_000;
        // Once for every tool, so that what is found once is found.
        for number in 0..SERVERS * TOOLS * 3 {
            black_box(self.decide(number));
        }
        let mut times: Vec<Duration> = (0..calls)
            .map(|number| {
                let from = Instant::now();
                black_box(self.decide(black_box(number)));
                from.elapsed()
            })
            .collect();
        times.sort_unstable();
        let at = |share: f64| times[((calls as f64 * share) as usize).min(calls - 1)];
        eprintln!(
            "{name}: p50 {:?}, p90 {:?}, p99 {:?}, p99.9 {:?}, longest {:?}",
            at(0.5),
            at(0.9),
            at(0.99),
            at(0.999),
            at(1.0)
        );
    }
}

fn deciding(criterion: &mut Criterion) {
    let mixed: Vec<Rule> = (0..RULES).map(|number| rule(number, 10)).collect();
    let worst: Vec<Rule> = (0..RULES).map(general).collect();
    for (name, rules) in [
        ("200 rules, 20 of them general", mixed),
        ("200 general rules", worst),
    ] {
        let scene = Scene::new(&rules);
        scene.percentiles(name);
        let mut number = 0;
        criterion.bench_function(&format!("decide with 2,000 grants and {name}"), |bencher| {
            bencher.iter(|| {
                number += 1;
                black_box(scene.decide(black_box(number)))
            });
        });
    }
}

criterion_group!(benches, deciding);
criterion_main!(benches);
