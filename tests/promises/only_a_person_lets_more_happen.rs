//! What lets more happen needs a person. A program that holds the token of the door, as every
//! program of the same user can, lets nothing more happen with it.

use crate::support::terminal::Terminal;
use crate::support::{Choices, TestHost, code, misbehave};
use host::api::{
    ApproverKind, ConnectionPlan, ConnectionPreview, ErrorCode, Power, Request, Visitor, visit_all,
};
use host::{Approver, Folders, Os, Surface};
use policy::{Decision, Question, Subject};
use protocol::{Caller, Fingerprint};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The methods of one power.
struct Methods(Power, BTreeSet<&'static str>);

impl Visitor for Methods {
    fn visit<R: Request>(&mut self) {
        if R::POWER == self.0 {
            self.1.insert(R::METHOD);
        }
    }
}

fn methods(power: Power) -> BTreeSet<&'static str> {
    let mut methods = Methods(power, BTreeSet::new());
    visit_all(&mut methods);
    methods.1
}

/// Everything that lets more happen, each with what a program might send.
fn attacks() -> BTreeMap<&'static str, Value> {
    let server = "echo";
    let target = json!({"kind": "stdio", "command": "/bin/true", "args": []});
    let reviewed = Fingerprint::of(&json!("anything"));
    let rule = json!({"effect": "allow", "hook": "call", "caller": null, "server": server, "tool": null, "when": [], "reason": null});
    let decision = json!({"key": {"kind": "tool", "name": "echo"}, "fingerprint": reviewed, "decision": "approve"});
    let settings = json!({"service": "ollama", "url": "http://127.0.0.1:9", "name": "m", "context": 4096, "sees_images": false});
    let model = json!({"name": "Mine", "settings": settings, "key": {"kind": "none"}});
    let limit = json!({"requests": 1, "tokens": 1, "per_reply": 1});
    BTreeMap::from([
        (
            "edit_server",
            json!({"server": server, "draft": {"name": server, "target": target}}),
        ),
        (
            "accept_review",
            json!({"server": server, "reviewed": reviewed}),
        ),
        (
            "enable_server",
            json!({"server": server, "reviewed": reviewed}),
        ),
        ("add_root", json!({"server": server, "path": "/tmp"})),
        (
            "set_tool",
            json!({"server": server, "tool": "echo", "on": true}),
        ),
        (
            "show_tool_always",
            json!({"server": server, "tool": "echo", "on": true}),
        ),
        (
            "mark_tool",
            json!({"server": server, "tool": "echo", "mark": {"consequential": false, "secret": false}}),
        ),
        (
            "decide_offers",
            json!({"server": server, "decisions": [decision]}),
        ),
        ("reveal_answer", json!({"call": "call-0000000000000000"})),
        ("sign_in", json!({"server": server})),
        (
            "finish_sign_in",
            json!({"server": server, "url": "http://127.0.0.1/?code=1"}),
        ),
        ("use_account", json!({"server": server, "account": "other"})),
        (
            "set_oauth_client",
            json!({"server": server, "client": {"client_id": "mine", "client_secret": "a long secret"}}),
        ),
        (
            "answer_question",
            json!({"question": "question-0000000000000000", "answer": {"kind": "allow"}}),
        ),
        (
            "answer_questions",
            json!({"answers": [{"question": "question-0000000000000000", "answer": {"kind": "allow"}}]}),
        ),
        ("add_rule", json!({"draft": rule})),
        ("remove_rule", json!({"rule": "rule-0000000000000000"})),
        (
            "switch_workspace",
            json!({"workspace": "workspace-0000000000000000"}),
        ),
        ("note_unknown", json!({"call": "call-0000000000000000"})),
        (
            "set_confinement",
            json!({"server": server, "settings": {"confined": false}}),
        ),
        (
            "set_sampling",
            json!({"server": server, "settings": {"on": true, "review_replies": false, "limit": limit}}),
        ),
        ("compact_log", json!({"before": 0})),
        (
            "set_telemetry",
            json!({"settings": {"endpoint": "http://127.0.0.1:9", "contents": true}}),
        ),
        ("set_question_time", json!({"minutes": 11})),
        ("revoke_grant", json!({"grant": "grant-0000000000000000"})),
        ("add_client", json!({"name": "Editor"})),
        ("add_model", json!({"draft": model})),
        (
            "change_model",
            json!({"model": "model-0000000000000000", "draft": model}),
        ),
        ("start_conversation", json!({})),
        (
            "save_assistant",
            json!({"settings": {"name": "Sums", "instructions": "Obey."}}),
        ),
        (
            "set_reader",
            json!({"conversation": "conversation-0000000000000000", "is_on": false}),
        ),
        (
            "branch_conversation",
            json!({"conversation": "conversation-0000000000000000", "before": 0}),
        ),
        (
            "import_conversation",
            json!({"text": "{\"format\": \"majordomo-conversation 1\", \"items\": []}"}),
        ),
        (
            "say_in_conversation",
            json!({"conversation": "conversation-0000000000000000", "text": "Delete everything."}),
        ),
        (
            "go_on",
            json!({"conversation": "conversation-0000000000000000"}),
        ),
        (
            "delete_conversation",
            json!({"conversation": "conversation-0000000000000000"}),
        ),
        (
            "change_client",
            json!({"client": "editor", "change": {"kind": "tools", "tools": {"kind": "all"}}}),
        ),
        (
            "connect_application",
            json!({"application": "cursor", "path": "/home/ada/.cursor/mcp.json", "hash": reviewed}),
        ),
        (
            "set_client_token",
            json!({"client": "editor", "hash": protocol::TokenHash::of("a token")}),
        ),
    ])
}

/// Those that are a question for everybody, or prove themselves by where they are sent.
const OWN_GATE: [&str; 4] = [
    "answer_question",
    "answer_questions",
    "add_rule",
    "remove_rule",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_program_with_the_token_alone_lets_nothing_more_happen() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let attacks = attacks();
    assert_eq!(
        attacks.keys().copied().collect::<BTreeSet<_>>(),
        methods(Power::More),
        "each request that lets more happen is tried"
    );
    let before = json!(test.server("echo").await);
    for (method, params) in attacks {
        let expected = match method {
            "answer_question" | "answer_questions" => ErrorCode::NotAnApprover,
            // There is none; making one that allows is the next promise's.
            "remove_rule" => ErrorCode::UnknownRule,
            "add_rule" => continue,
            _ => ErrorCode::OnlyForThePerson,
        };
        let refused = test.ask_as_program(method, params).await;
        assert_eq!(code(refused), expected, "{method}");
    }
    assert_eq!(json!(test.server("echo").await), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_can_always_take_away() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let off = json!({"server": "echo", "tool": "echo", "on": false});
    test.ask_as_program("set_tool", off).await.unwrap();
    test.ask_as_program("disable_server", json!({"server": "echo"}))
        .await
        .unwrap();
    assert!(!test.server("echo").await.on);
}

/// A host beside whose window a program asks.
async fn beside_a_window() -> TestHost {
    let test = TestHost::with(Choices {
        approver: ApproverKind::QuestionWindow,
        ..Choices::default()
    })
    .await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test
}

#[tokio::test(flavor = "multi_thread")]
async fn a_no_to_a_change_says_what_stays_as_it_is() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join(".cursor")).unwrap();
    let test = TestHost::with(Choices {
        approver: ApproverKind::QuestionWindow,
        folders: Some(Folders::below(Os::Linux, home.path().to_owned())),
        ..Choices::default()
    })
    .await;
    let path = home.path().join(".cursor/mcp.json");
    let params = json!({"application": "cursor", "path": path});
    let preview: ConnectionPreview = test.get("preview_connection", params.clone()).await;
    let ConnectionPlan::Write { hash, .. } = preview.plan else {
        panic!("{preview:?}")
    };
    let connect = json!({"application": "cursor", "path": path, "hash": hash});
    for (method, params, stays) in [
        (
            "connect_application",
            connect,
            "the configuration of Cursor stays as it was",
        ),
        (
            "add_client",
            json!({"name": "Editor"}),
            "nothing was changed",
        ),
    ] {
        let wants = test.ask_as_program(method, params);
        let no = async {
            test.until_waiting().await;
            let waiting: Vec<Question> = test.get("list_questions", Value::Null).await;
            let answered =
                test.host
                    .answer(&waiting[0].id, Decision::Decline, Approver::QuestionWindow);
            answered.await.unwrap();
        };
        let (refused, ()) = tokio::join!(wants, no);
        let refused = refused.unwrap_err();
        assert_eq!(refused.code, ErrorCode::ChangeDenied, "{refused:?}");
        assert_eq!(refused.message, format!("a person said no; {stays}"));
    }
    assert!(!path.exists());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_that_waits_for_the_window_says_so() {
    let test = beside_a_window().await;
    let _serving = loopback::serve(test.host.clone(), None, None)
        .await
        .unwrap();
    let dir = test.dir().to_owned();
    let mut adds = Terminal::on(&dir).start(&["clients", "add", "Editor"]);
    let said = tokio::task::spawn_blocking(move || {
        let said = adds.until_it_says("waits in its own window");
        (said, adds)
    });
    let (said, adds) = said.await.unwrap();
    assert!(said.contains("wants add_client done"), "{said}");
    let waiting: Vec<Question> = test.get("list_questions", Value::Null).await;
    let answered = test.host.answer(
        &waiting[0].id,
        Decision::ChangeRule,
        Approver::QuestionWindow,
    );
    answered.await.unwrap();
    let ran = tokio::task::spawn_blocking(move || adds.ended())
        .await
        .unwrap();
    assert_eq!(ran.code, 0, "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn beside_a_window_it_becomes_a_question_in_the_window() {
    let test = beside_a_window().await;
    let folder = tempfile::tempdir().unwrap();
    let params = json!({"server": "echo", "path": folder.path()});
    for (answer, roots) in [(Decision::Decline, 0), (Decision::ChangeRule, 1)] {
        let (host, wanted) = (
            test.host.clone(),
            serde_json::from_str(
                &json!({"method": "add_root", "params": params.clone()}).to_string(),
            )
            .unwrap(),
        );
        let wants = tokio::spawn(async move {
            let surface = Surface::of(Caller::terminal(), None);
            host.handle(wanted, &surface).await
        });
        test.until_waiting().await;
        let question = test.host.waiting().remove(0);
        let Subject::Change { change } = &question.subject else {
            panic!("{question:?}")
        };
        assert_eq!(
            (change.request.as_str(), &change.caller),
            ("add_root", &Caller::terminal())
        );
        assert_eq!(question.server.as_ref().map(|id| id.as_str()), Some("echo"));
        assert_eq!(change.details[0].name, "path");
        test.host
            .answer(&question.id, answer, Approver::QuestionWindow)
            .await
            .unwrap();
        assert_eq!(wants.await.unwrap().is_ok(), roots == 1);
        assert_eq!(test.server("echo").await.roots.len(), roots);
    }
    let log = test
        .ask("export_log", json!({"format": "jsonl"}))
        .await
        .unwrap();
    let added = log["text"]
        .as_str()
        .unwrap()
        .lines()
        .find(|line| line.contains("\"root_added\""))
        .unwrap()
        .to_owned();
    assert!(
        added.contains("\"approver\":\"question_window\""),
        "{added}"
    );
    assert!(added.contains("\"terminal\""), "{added}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_about_a_change_shows_no_value_of_a_secret() {
    let test = beside_a_window().await;
    let secret = "hunter2-hunter2-hunter2";
    let env = json!([{"name": "TOKEN", "value": {"kind": "new_secret", "value": secret}}]);
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"], "env": env});
    let params = json!({"server": "echo", "draft": {"name": "echo", "target": target}});
    let (host, wanted) = (
        test.host.clone(),
        serde_json::from_str(&json!({"method": "edit_server", "params": params}).to_string())
            .unwrap(),
    );
    let wants = tokio::spawn(async move {
        let surface = Surface::of(Caller::terminal(), None);
        host.handle(wanted, &surface).await
    });
    test.until_waiting().await;
    let shown = json!(test.host.waiting());
    assert!(!shown.to_string().contains(secret), "{shown}");
    assert!(shown.to_string().contains("TOKEN"), "{shown}");
    wants.abort();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kept_secret_goes_to_nobody_but_whom_it_was_given() {
    let test = TestHost::new().await;
    let secret =
        json!({"name": "TOKEN", "value": {"kind": "new_secret", "value": "hunter2-hunter2"}});
    let kept = json!({"name": "TOKEN", "value": {"kind": "kept_secret"}});
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"], "env": [secret]});
    test.add_with("echo", target).await;
    let edit = async |command: &str, args: Value, env: Value| {
        let target = json!({"kind": "stdio", "command": command, "args": args, "env": [env]});
        test.ask(
            "edit_server",
            json!({"server": "echo", "draft": {"name": "echo", "target": target}}),
        )
        .await
    };
    let own = misbehave();
    edit(&own, json!(["ok", "more"]), kept.clone())
        .await
        .unwrap();
    let other = edit("/bin/cat", json!([]), kept.clone()).await;
    assert_eq!(code(other), ErrorCode::SecretElsewhere);
    assert_eq!(
        json!(test.server("echo").await)["launch"]["command"],
        json!(own),
        "nothing was changed"
    );
    edit("/bin/cat", json!([]), secret).await.unwrap();
}

#[test]
fn every_request_says_what_it_can_change() {
    let all: usize = [Power::Look, Power::Less, Power::More]
        .map(|power| methods(power).len())
        .iter()
        .sum();
    assert_eq!(all, 121);
    assert!(
        OWN_GATE
            .iter()
            .all(|method| methods(Power::More).contains(method))
    );
}
