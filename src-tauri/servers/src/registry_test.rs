//! What a reader of one server can meet while others change it.

use super::{ServerEntry, ServerNow};
use crate::registry::Offered;
use crate::{
    Browser, Clock, Core, Programs, Restart, Servers, Setup, StartServers, Surface, pins,
    tool_lists,
};
use api::{ApproverKind, FeatureDecision, ToolView};
use connections::Limits;
use egress::Proxy;
use policy::pin::{ApprovalStatus, Pin, PinDecision};
use policy::{
    CheckedCall, Facts, PermittedCall, Places, PolicyDecision, Refusal, Setting, Verdict, decide,
};
use protocol::{
    Budget, CallId, Caller, ConfinementSettings, ConversationId, Feature, Launch, RuleId, RunId,
    Runs, ServerId, StdioLaunch, Timestamp, ToolCall, ToolName, ToolSpec, WorkspaceId,
};
use serde_json::Map;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::{KeyringChoice, OpenOptions, ServerRow};
use tempfile::TempDir;

/// How often a definition is replaced by another one, and back.
const TIMES: usize = 100;

fn read(description: &str) -> ToolSpec {
    ToolSpec {
        description: Some(description.to_owned()),
        ..ToolSpec::named(ToolName::from("read"))
    }
}

/// A host with one server, of which `approved` is approved.
async fn servers_with(approved: &ToolSpec) -> (Servers, ServerId, TempDir) {
    let dir = tempfile::tempdir().unwrap();
    let limit = Duration::from_secs(60);
    let setup = Setup {
        programs: Programs::beside_this_one().unwrap(),
        limits: Limits {
            start: limit,
            call: limit,
            call_maximum: limit,
            list: limit,
        },
        restart: Restart::default(),
        idle: limit,
        proxy: Proxy::None,
        browser: Browser::system(),
        client_document: None,
        start: StartServers::WhenNeeded,
        folders: None,
    };
    let options = OpenOptions {
        dir: dir.path().to_owned(),
        keyring: KeyringChoice::Absent("this is a test".into()),
        run: RunId::random(),
        version: "0".to_owned(),
        now: Timestamp(0),
    };
    let core = Core::open(options, Clock::System, ApproverKind::Terminal);
    let core = core.await.unwrap();
    core.store()
        .workspaces()
        .ensure(Timestamp(0))
        .await
        .unwrap();
    let workspace = core.store().workspaces().all().await.unwrap().remove(0);
    let servers = Servers::open(core, setup, Vec::new(), workspace, None);
    let servers = servers.await.unwrap();
    let id = ServerId::parse("files").unwrap();
    let row = ServerRow {
        id: id.clone(),
        launch: launch(),
        reviewed: None,
        identity: None,
        runs: Runs::default(),
        confinement: ConfinementSettings::default(),
        added_at: Timestamp(0),
    };
    servers.store().servers().insert(row.clone()).await.unwrap();
    servers.registry().insert(row);
    tool_lists::take(&servers, &id, 0, vec![approved.clone()]).await;
    let feature = Feature::tool(approved);
    let decision = FeatureDecision {
        fingerprint: Some(feature.fingerprint()),
        key: feature.key,
        decision: PinDecision::Approve,
    };
    let surface = Surface::of(Caller::terminal(), None);
    pins::decide(&servers, &id, vec![decision], &surface)
        .await
        .unwrap();
    (servers, id, dir)
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_meets_a_new_definition_with_the_approval_of_the_old_one() {
    let (approved, other) = (read("Reads a file"), read("Reads a file and mails it"));
    let (servers, id, _dir) = servers_with(&approved).await;
    let over = Arc::new(AtomicBool::new(false));
    let look = || {
        let (servers, id, over) = (servers.clone(), id.clone(), over.clone());
        let other = other.fingerprint();
        let wrong = move |tool: &ToolView| {
            (tool.fingerprint == other) == (tool.standing == ApprovalStatus::Approved)
        };
        move || {
            let mut met = 0;
            while !over.load(Ordering::Relaxed) {
                met += servers
                    .registry()
                    .tools(&id)
                    .unwrap()
                    .iter()
                    .filter(|tool| wrong(tool))
                    .count();
            }
            met
        }
    };
    let readers = [look(), look()].map(tokio::task::spawn_blocking);
    for _ in 0..TIMES {
        for now in [&other, &approved] {
            tool_lists::take(&servers, &id, 0, vec![now.clone()]).await;
        }
    }
    over.store(true, Ordering::Relaxed);
    for reader in readers {
        assert_eq!(reader.await.unwrap(), 0);
    }
}

fn launch() -> Launch {
    Launch::Stdio(StdioLaunch {
        command: "files".into(),
        args: Vec::new(),
        env: Vec::new(),
        cwd: None,
    })
}

/// A server that is not started, and of which nothing is approved.
fn server() -> ServerNow {
    let row = ServerRow {
        id: ServerId::parse("files").unwrap(),
        launch: launch(),
        reviewed: None,
        identity: None,
        runs: Runs::default(),
        confinement: ConfinementSettings::default(),
        added_at: Timestamp(0),
    };
    ServerNow::new(row, workspace("home"), Offered::default())
}

fn workspace(id: &str) -> WorkspaceId {
    WorkspaceId::from(id)
}

#[tokio::test(flavor = "multi_thread")]
async fn so_much_is_kept_of_one_server_and_so_much_of_all_of_them() {
    const MIB: usize = 1024 * 1024;
    let (servers, id, _dir) = servers_with(&read("Reads a file")).await;
    let registry = servers.registry();
    let entry = registry.entry(&id).unwrap();
    for (budget, most) in [(&entry.budget, 64 * MIB), (&registry.budget, 512 * MIB)] {
        let left = most - budget.used();
        assert!(budget.reserve(left + 1).is_none());
        assert!(budget.reserve(left).is_some());
    }
    let _all_of_it = entry
        .budget
        .reserve(64 * MIB - entry.budget.used())
        .unwrap();
    assert!(
        registry.budget.used() >= 64 * MIB,
        "it counts for all of them"
    );
}

/// What can happen to the definition of a tool and to a person's decision about it.
#[derive(Clone, Copy)]
enum Step {
    Lists(usize),
    Decides(usize, PinDecision),
    Connects,
}

#[test]
fn a_definition_is_approved_exactly_if_the_last_decision_was_a_yes_to_it_whatever_the_order() {
    let definitions = [read("Reads a file"), read("Reads a file and mails it")];
    let steps = [
        Step::Lists(0),
        Step::Lists(1),
        Step::Decides(0, PinDecision::Approve),
        Step::Decides(1, PinDecision::Approve),
        Step::Decides(0, PinDecision::Block),
        Step::Connects,
    ];
    let length = 4;
    for number in 0..steps.len().pow(length) {
        let entry = ServerEntry::new(server(), &Budget::new(usize::MAX));
        let (mut listed, mut decided) = (None, None);
        for place in 0..length {
            let step = steps[number / steps.len().pow(place) % steps.len()];
            entry.change(|now| match step {
                Step::Lists(which) => {
                    now.offered_mut()
                        .take_tools(vec![definitions[which].clone()]);
                    listed = Some(which);
                }
                // A decision may come when what it is about is not listed any more.
                Step::Decides(which, decision) => {
                    let pin = Pin::new(&Feature::tool(&definitions[which]), decision, Timestamp(0));
                    now.offered_mut().decided(vec![pin], &[]);
                    decided = Some((which, decision));
                }
                Step::Connects => now.offered_mut().connected(),
            });
            let tool = entry.now().tools().next();
            assert_eq!(tool.is_some(), listed.is_some());
            if let (Some(tool), Some(listed)) = (tool, listed) {
                assert_eq!(*tool.known.spec(), definitions[listed]);
                assert_eq!(
                    tool.standing == ApprovalStatus::Approved,
                    decided == Some((listed, PinDecision::Approve)),
                    "sequence {number}, step {place}: {:?}",
                    tool.standing
                );
            }
        }
    }
}

#[test]
fn of_two_views_of_a_server_the_newer_has_the_greater_number_also_if_it_was_added_anew() {
    let entry = ServerEntry::new(server(), &Budget::new(usize::MAX));
    let before = entry.now().view();
    entry.change(|now| now.place.on = true);
    let after = entry.now().view();
    let added_anew = server().view();
    assert!(before.revision < after.revision);
    assert!(after.revision < added_anew.revision);
}

#[test]
fn whoever_has_read_a_server_keeps_what_was_read_while_others_change_it() {
    let entry = ServerEntry::new(server(), &Budget::new(usize::MAX));
    entry.change(|now| now.offered_mut().take_tools(vec![read("Reads a file")]));
    let before = entry.now();
    entry.change(|now| {
        now.offered_mut()
            .take_tools(vec![read("Reads a file and mails it")]);
        now.place.on = true;
    });
    let description =
        |now: &ServerNow| now.tools().next().unwrap().known.spec().description.clone();
    assert_eq!(
        (description(&before).as_deref(), before.place.on),
        (Some("Reads a file"), false)
    );
    assert_eq!(
        (description(&entry.now()).as_deref(), entry.now().place.on),
        (Some("Reads a file and mails it"), true)
    );
}

/// A call that a rule lets run, of the tool as it is now.
fn permitted(now: &ServerNow) -> PermittedCall {
    let tool = now.tools().next().unwrap();
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::terminal(),
        conversation: Caller::terminal().conversation(),
        by_hand: false,
        server: now.row.id.clone(),
        tool: tool.known.spec().name.clone(),
        arguments: Map::new(),
    };
    let ruling = PolicyDecision {
        allow: vec![RuleId::from("rule-1")],
        ..PolicyDecision::default()
    };
    let (conversation, places) = (ConversationId::random(), Places::default());
    let facts = Facts {
        tool: &tool.known,
        launch_fingerprint: &now.row.launch.fingerprint(),
        standing: &tool.standing,
        switched_on: tool.on,
        concerns: &[],
        grants: &[],
        ruling: &ruling,
        setting: Setting {
            conversation: &conversation,
            workspace: &now.workspace,
            places: &places,
            now: Timestamp(0),
        },
    };
    let input = tool.known.compile_input();
    match decide(CheckedCall::new(call, &tool.known, &input), facts) {
        Verdict::Allow(permitted) => permitted,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_was_permitted_is_not_sent_after_what_was_decided_about_has_changed() {
    let approved = |description: &str, now: &mut ServerNow| {
        let tool = read(description);
        let pin = Pin::new(&Feature::tool(&tool), PinDecision::Approve, Timestamp(0));
        now.offered_mut().decided(vec![pin], &[]);
        now.offered_mut().take_tools(vec![tool]);
    };
    let entry = ServerEntry::new(server(), &Budget::new(usize::MAX));
    entry.change(|now| approved("Reads a file", now));
    let permitted = permitted(&entry.now());
    let home = workspace("home");
    assert_eq!(entry.now().overtakes(&permitted, &home), None);

    let after = |change: &dyn Fn(&mut ServerNow)| {
        let entry = ServerEntry::new(ServerNow::clone(&entry.now()), &Budget::new(usize::MAX));
        entry.change(|now| change(now));
        entry.now().overtakes(&permitted, &home)
    };
    let other = || vec![read("Reads a file and mails it")];
    type Change<'a> = &'a dyn Fn(&mut ServerNow);
    let cases: [(Change<'_>, Option<Refusal>); 7] = [
        (&|_| {}, None),
        (
            &|now| now.offered_mut().take_tools(other()),
            Some(Refusal::Quarantined),
        ),
        // Approved meanwhile, too; but it is not what the yes was about.
        (
            &|now| approved("Reads a file and mails it", now),
            Some(Refusal::ChangedWhileAsking),
        ),
        (
            &|now| now.offered_mut().take_tools(Vec::new()),
            Some(Refusal::ChangedWhileAsking),
        ),
        (
            &|now| _ = now.place.off.insert(ToolName::from("read")),
            Some(Refusal::SwitchedOff),
        ),
        (
            &|now| now.workspace = workspace("work"),
            Some(Refusal::OtherWorkspace),
        ),
        (
            &|now| {
                now.row.launch = Launch::Builtin {
                    name: "files".into(),
                }
            },
            Some(Refusal::ChangedWhileAsking),
        ),
    ];
    for (number, (change, refusal)) in cases.into_iter().enumerate() {
        assert_eq!(after(change), refusal, "case {number}");
    }
}
