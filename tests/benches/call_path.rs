//! What a call costs: the path through decide, trace and clean alone, and the same call through a
//! real stdio server.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on has failed, and nobody calls it"
)]

use api::Outcome;
use criterion::{Criterion, criterion_group, criterion_main};
use host::api::ApproverKind;
use host::{
    Approver, Browser, Clock, Host, KeyringChoice, Limits, Options, Programs, Proxy, Restart,
    Setup, StartServers, Surface, Telemetry,
};
use inspect::{Masker, clean};
use policy::pin::ApprovalStatus;
use policy::{
    CheckedCall, Covered, Effect, Facts, Grant, GrantOrigin, KnownTool, Places, PolicyDecision,
    Scope, Setting, Verdict, decide,
};
use protocol::{
    CallId, Caller, Content, ConversationId, Fingerprint, GrantId, QuestionId, RunId, ServerId,
    Timestamp, ToolCall, ToolResult, ToolSpec, WorkspaceId,
};
use serde_json::{Map, Value, json};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;
use store::{CallClosed, CallOpened, Durability, Entry, Event, OpenOptions, Store};

fn map(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap()
}

/// A tool that was allowed always, and a call of it.
fn allowed_call() -> (KnownTool, Vec<Grant>, ToolCall, Fingerprint, WorkspaceId) {
    let spec = ToolSpec {
        description: Some("Gives back what it gets".into()),
        input_schema: map(
            json!({"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}),
        ),
        ..ToolSpec::named("echo")
    };
    let (launch, workspace, server) = (
        Fingerprint::of(&json!("misbehave ok")),
        WorkspaceId::random(),
        ServerId::parse("echo").unwrap(),
    );
    let grant = Grant {
        id: GrantId::random(),
        effect: Effect::Allow,
        caller: Caller::terminal(),
        server: server.clone(),
        launch_fingerprint: launch.clone(),
        tool_fingerprint: spec.fingerprint(),
        tool: spec.clone(),
        arguments: Covered::Any,
        scope: Scope::Workspace,
        workspace: Some(workspace.clone()),
        origin: GrantOrigin::Question {
            question: QuestionId::random(),
        },
        made_at: Timestamp(0),
        used: 1,
        last_used_at: None,
        revoked_at: None,
    };
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::terminal(),
        conversation: Caller::terminal().conversation(),
        by_hand: false,
        server,
        tool: "echo".into(),
        arguments: map(json!({"text": "hello"})),
    };
    (KnownTool::new(spec), vec![grant], call, launch, workspace)
}

fn entry(call: &ToolCall, event: Event) -> Entry {
    Entry {
        at: Timestamp(1),
        call: Some(call.id.clone()),
        caller: Some(call.caller.clone()),
        conversation: Some(call.conversation.clone()),
        approver: None,
        server: Some(call.server.clone()),
        tool: Some(call.tool.clone()),
        event,
    }
}

/// Decide, open the trace, a server that answers at once, clean, close the trace.
fn in_process(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let dir = tempfile::tempdir().unwrap();
    let options = OpenOptions {
        dir: dir.path().to_owned(),
        keyring: KeyringChoice::Absent("a benchmark keeps no secrets".into()),
        run: RunId::random(),
        version: "bench".into(),
        now: Timestamp(0),
    };
    let store = runtime.block_on(Store::open(options)).unwrap();
    let (tool, grants, call, launch, workspace) = allowed_call();
    let input = tool.compile_input();
    let (conversation, places, ruling) = (
        ConversationId::random(),
        Places::default(),
        PolicyDecision::default(),
    );
    let masker = Masker::new(["a secret that is held", "and another one"]);
    let _inside = runtime.enter();
    c.bench_function(
        "call path without a server: decide, trace, clean",
        |bench| {
            bench.iter(|| {
                let facts = Facts {
                    tool: &tool,
                    launch_fingerprint: &launch,
                    standing: &ApprovalStatus::Approved,
                    concerns: &[],
                    switched_on: true,
                    grants: &grants,
                    ruling: &ruling,
                    setting: Setting {
                        conversation: &conversation,
                        workspace: &workspace,
                        places: &places,
                        now: Timestamp(1),
                    },
                };
                let Verdict::Allow(permitted) =
                    decide(CheckedCall::new(call.clone(), &tool, &input), facts)
                else {
                    unreachable!("it is allowed")
                };
                let opened = Event::CallOpened(CallOpened {
                    arguments: call.arguments.clone(),
                    arguments_fingerprint: Fingerprint::of_object(&call.arguments),
                    tool_fingerprint: permitted.tool_fingerprint().clone(),
                    launch_fingerprint: permitted.launch_fingerprint().clone(),
                    permission: permitted.permission().clone(),
                });
                store
                    .audit()
                    .append(entry(&call, opened), Durability::Grouped)
                    .unwrap();
                let answer = ToolResult {
                    content: vec![Content::text("hello")],
                    ..ToolResult::default()
                };
                let answer = clean(answer, &masker);
                let closed = Event::CallClosed(CallClosed {
                    outcome: Outcome::Done,
                    duration_ms: 0,
                    waited_ms: Some(0),
                    ran_ms: Some(0),
                    error: None,
                });
                store
                    .audit()
                    .append(entry(&call, closed), Durability::Grouped)
                    .unwrap();
                black_box(answer)
            });
        },
    );
    runtime.block_on(store.close());
}

/// The same call through `host` and a real server on standard input and output, and how long such a
/// server takes until it has stopped, started again and said what it offers: without a sandbox and in
/// one.
fn through_stdio(c: &mut Criterion) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    for (place, confined) in [("", false), (" in its sandbox", true)] {
        if confined && !cfg!(target_os = "linux") {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let host = runtime.block_on(ready(dir.path(), confined));
        let surface = Surface::of(Caller::terminal(), Some(Approver::Terminal));
        let ask = async |request: Value| {
            let request = serde_json::from_str(&request.to_string()).unwrap();
            host.handle(request, &surface).await.unwrap()
        };
        let count = std::sync::atomic::AtomicU64::new(0);
        c.bench_function(&format!("call through a real stdio server{place}"), |bench| {
            bench.to_async(&runtime).iter(|| {
                // The same call over and over would be asked about.
                let text = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string();
                ask(json!({"method": "call_tool", "params": {"call": null, "server": "echo", "tool": "echo", "arguments": {"text": text}}}))
            });
        });
        let mut starts = c.benchmark_group("start");
        starts.sample_size(50);
        starts.bench_function(format!("restart of a real stdio server{place}"), |bench| {
            bench.to_async(&runtime).iter(async || {
                let server = json!({"server": "echo"});
                ask(json!({"method": "restart_server", "params": server})).await;
                ask(json!({"method": "list_tools", "params": server})).await
            });
        });
        starts.finish();
        runtime.block_on(host.close());
    }
}

/// A host with a server on which `echo` is allowed always.
async fn ready(dir: &Path, confined: bool) -> Host {
    let jail: std::path::PathBuf = env!("CARGO_BIN_EXE_majordomo-jail").into();
    let server = jail.with_file_name(format!("misbehave{}", std::env::consts::EXE_SUFFIX));
    let limit = Duration::from_secs(30);
    let options = Options {
        data_dir: dir.to_owned(),
        setup: Setup {
            programs: Programs {
                own: env!("CARGO_BIN_EXE_majordomoctl").into(),
                jail,
            },
            limits: Limits {
                start: limit,
                call: limit,
                call_maximum: limit,
                list: limit,
            },
            restart: Restart::default(),
            idle: limit,
            proxy: Proxy::None,
            client_document: None,
            browser: Browser::system(),
            start: StartServers::AtOnce,
            folders: None,
        },
        approver: ApproverKind::Terminal,
        keyring: KeyringChoice::Absent("a benchmark keeps no secrets".into()),
        clock: Clock::System,
        policy_file: None,
        telemetry: Telemetry::default(),
    };
    let host = Host::open(options).await.unwrap();
    let surface = Surface::of(Caller::terminal(), Some(Approver::Terminal));
    let ask = async |request: Value| {
        let request = serde_json::from_str(&request.to_string()).unwrap();
        let reply = host.handle(request, &surface).await.unwrap();
        serde_json::from_str::<Value>(reply.get()).unwrap()
    };
    let target = json!({"kind": "stdio", "command": server, "args": ["ok"]});
    let server = json!({"server": "echo"});
    ask(json!({"method": "add_server", "params": {"draft": {"name": "echo", "target": target, "confinement": {"confined": confined}}}}))
        .await;
    let review = ask(json!({"method": "review_server", "params": server})).await;
    ask(json!({"method": "enable_server", "params": {"server": "echo", "reviewed": review["fingerprint"]}})).await;
    let review = ask(json!({"method": "review_offers", "params": server})).await;
    let approve = |offer: &Value| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": "approve"});
    let decisions: Vec<Value> = review["offers"]
        .as_array()
        .unwrap()
        .iter()
        .map(approve)
        .collect();
    ask(json!({"method": "decide_offers", "params": {"server": "echo", "decisions": decisions}}))
        .await;
    let call = ask(
        json!({"method": "call_tool", "params": {"call": null, "server": "echo", "tool": "echo", "arguments": {"text": "x"}}}),
    );
    let yes = async {
        while host.waiting().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        host.answer(
            &host.waiting()[0].id,
            policy::Decision::always(),
            Approver::Terminal,
        )
        .await
        .unwrap();
    };
    tokio::join!(call, yes);
    host
}

criterion_group!(benches, in_process, through_stdio);
criterion_main!(benches);
