//! Rules: what an administrator forbids stays forbidden, what cannot be read forbids, and what a
//! person clicks means what it says.

use crate::support::remote::Remote;
use crate::support::terminal::Terminal;
use crate::support::{Choices, TestHost, code, misbehave};
use host::api::{DryRunResult, DryRunVerdict, ErrorCode, HostEvent, PolicyView};
use host::{Browser, HostError};
use policy::{Decision, Layer, Refusal, Subject};
use protocol::{CallId, Caller};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A host that obeys a file, which is not there yet.
async fn obeying() -> (TestHost, TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("policy.cedar");
    let test = TestHost::with(Choices {
        policy_file: Some(file.clone()),
        ..Choices::default()
    })
    .await;
    (test, dir, file)
}

/// Puts a file in its place at once, as an administrator's tools do, and waits until it holds.
async fn place(test: &TestHost, file: &Path, text: &str) {
    let mut recorder = test.listen();
    put(file, text);
    recorder
        .until(|event| matches!(event, HostEvent::PolicyChanged))
        .await;
}

fn put(file: &Path, text: &str) {
    let new = file.with_extension("new");
    std::fs::write(&new, text).unwrap();
    #[cfg(unix)]
    std::fs::set_permissions(&new, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    std::fs::rename(new, file).unwrap();
}

fn refusal<T: std::fmt::Debug>(result: Result<T, HostError>) -> Refusal {
    result
        .unwrap_err()
        .refusal
        .expect("it failed, but was not refused")
}

fn draft(effect: &str, hook: &str, more: Value) -> Value {
    let mut draft = json!({"effect": effect, "hook": hook, "caller": null, "server": null, "tool": null, "when": [], "reason": null});
    for (name, value) in more.as_object().into_iter().flatten() {
        draft[name] = value.clone();
    }
    draft
}

async fn add(
    test: &TestHost,
    effect: &str,
    hook: &str,
    more: Value,
) -> Result<PolicyView, HostError> {
    let view = test
        .ask("add_rule", json!({"draft": draft(effect, hook, more)}))
        .await?;
    Ok(serde_json::from_value(view).unwrap())
}

/// The numbers of the rules that the person made.
async fn own_rules(test: &TestHost) -> Vec<String> {
    let view: PolicyView = test.get("show_policy", json!(null)).await;
    let own = view
        .layers
        .into_iter()
        .find(|layer| layer.layer == Layer::Person)
        .unwrap();
    own.rules
        .into_iter()
        .map(|rule| rule.id.to_string())
        .collect()
}

async fn dry_run(test: &TestHost, tool: &str, arguments: Value) -> DryRunResult {
    let call = json!({"caller": {"kind": "terminal"}, "server": "echo", "tool": tool, "arguments": arguments});
    test.get("test_policy", json!({"call": call})).await
}

const NO_ECHO: &str = "@id(\"no-echo\")\n@reason(\"it echoes\")\nforbid(principal, action == Action::\"call\", resource == Tool::\"echo/echo\");\n";

#[tokio::test(flavor = "multi_thread")]
async fn no_rule_grant_answer_or_click_undoes_what_an_administrator_forbids() {
    let (test, _dir, file) = obeying().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([Decision::always(), Decision::ChangeRule]);
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    add(&test, "allow", "call", json!({"server": "echo"}))
        .await
        .unwrap();
    test.call("echo", "echo", json!({"text": "b"}))
        .await
        .unwrap();

    place(&test, &file, NO_ECHO).await;
    let forbidden = Refusal::Forbidden {
        rules: vec![protocol::RuleId::from("no-echo")],
        by: Layer::Administrator,
        reason: Some("it echoes".into()),
    };
    for caller in [Caller::terminal(), Caller::window()] {
        assert_eq!(
            refusal(
                test.call_as(caller, "echo", "echo", json!({"text": "c"}))
                    .await
            ),
            forbidden
        );
    }
    assert_eq!(
        person.asked().len(),
        2,
        "nobody is asked about what is forbidden"
    );
    assert_eq!(
        code(test.ask("remove_rule", json!({"rule": "no-echo"})).await),
        ErrorCode::UnknownRule
    );
    let verdict = dry_run(&test, "echo", json!({"text": "c"})).await.verdict;
    assert!(matches!(verdict, DryRunVerdict::Deny { refusal } if refusal == forbidden));
    // What it says nothing about goes on.
    test.call("echo", "add", json!({"a": 1, "b": 2}))
        .await
        .unwrap();

    // It holds from the first moment of the next run, too.
    let test = test
        .again_with(Choices {
            policy_file: Some(file),
            ..Choices::default()
        })
        .await;
    assert_eq!(
        refusal(test.call("echo", "echo", json!({"text": "d"})).await),
        forbidden
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_yes_to_what_was_forbidden_meanwhile_is_a_no() {
    let (test, _dir, file) = obeying().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let mut recorder = test.listen();
    let (_, call) = test.call_later("echo", "echo", json!({"text": "a"}));
    recorder
        .until(|event| matches!(event, HostEvent::QuestionAsked { .. }))
        .await;
    place(&test, &file, NO_ECHO).await;
    // The question may be gone by now; then there is nothing to answer.
    if let Some(question) = test.host.waiting().first() {
        let _ = test
            .host
            .answer(&question.id, Decision::once(), host::Approver::Terminal)
            .await;
    }
    assert!(matches!(
        refusal(call.await.unwrap()),
        Refusal::Forbidden {
            by: Layer::Administrator,
            ..
        }
    ));
    assert_eq!(test.outcomes().await, ["refused"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_cannot_be_read_forbids_everything_and_says_where() {
    let (test, _dir, file) = obeying().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    for (text, line) in [
        (
            "forbid(principal, action, resource);\n\nforbid(principal action, resource);",
            3,
        ),
        (
            "\nforbid(principal, action == Action::\"calls\", resource);",
            2,
        ),
        (
            "permit(principal, action, resource)\nwhen { context.allowed };",
            2,
        ),
    ] {
        place(&test, &file, text).await;
        let Refusal::RulesBroken { problem } =
            refusal(test.call("echo", "echo", json!({"text": "a"})).await)
        else {
            panic!("{text}")
        };
        assert_eq!(
            (problem.place.as_str(), problem.line),
            (file.to_str().unwrap(), Some(line)),
            "{text}"
        );
        let view: PolicyView = test.get("show_policy", json!(null)).await;
        assert_eq!(view.layers[0].broken, Some(problem));
    }
    place(&test, &file, "// Nothing is forbidden.\n").await;
    test.call("echo", "echo", json!({"text": "b"}))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_vanishes_goes_on_holding_until_the_next_start() {
    let (test, _dir, file) = obeying().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    place(&test, &file, NO_ECHO).await;
    let mut recorder = test.listen();
    std::fs::remove_file(&file).unwrap();
    recorder
        .until(|event| matches!(event, HostEvent::PolicyChanged))
        .await;
    assert!(matches!(
        refusal(test.call("echo", "echo", json!({"text": "a"})).await),
        Refusal::Forbidden { .. }
    ));
    let view: PolicyView = test.get("show_policy", json!(null)).await;
    assert_eq!(
        (
            view.layers[0].layer,
            view.layers[0].present,
            view.layers[0].rules.len()
        ),
        (Layer::Administrator, false, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_that_lets_more_happen_is_a_persons_decision() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    let person = test.person([
        Decision::Decline,
        Decision::ChangeRule,
        Decision::Decline,
        Decision::ChangeRule,
    ]);
    let allow = || {
        add(
            &test,
            "allow",
            "call",
            json!({"server": "echo", "tool": "echo"}),
        )
    };
    assert!(matches!(
        refusal(allow().await),
        Refusal::DeniedByPerson { .. }
    ));
    assert!(own_rules(&test).await.is_empty());
    allow().await.unwrap();
    let Subject::Rule {
        rule,
        removing: false,
    } = &person.asked()[1].subject
    else {
        panic!("it is not asked")
    };
    assert!(rule.text.contains("Tool::\"echo/echo\""), "{}", rule.text);
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();

    // Less is made to happen at once, and taken back only by a person.
    add(
        &test,
        "forbid",
        "call",
        json!({"server": "echo", "reason": "not today"}),
    )
    .await
    .unwrap();
    let told = refusal(test.call("echo", "echo", json!({"text": "b"})).await);
    assert!(
        matches!(told, Refusal::Forbidden { by: Layer::Person, reason: Some(reason), .. } if reason == "not today")
    );
    let [allowing, forbidding]: [String; 2] = own_rules(&test).await.try_into().unwrap();
    assert!(matches!(
        refusal(test.ask("remove_rule", json!({"rule": forbidding})).await),
        Refusal::DeniedByPerson { .. }
    ));
    test.ask("remove_rule", json!({"rule": forbidding}))
        .await
        .unwrap();
    assert!(matches!(
        person.asked()[3].subject,
        Subject::Rule { removing: true, .. }
    ));
    test.call("echo", "echo", json!({"text": "c"}))
        .await
        .unwrap();
    test.ask("remove_rule", json!({"rule": allowing}))
        .await
        .unwrap();
    assert_eq!(person.asked().len(), 4);
    assert!(own_rules(&test).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn rules_are_there_again_after_a_restart_and_one_that_cannot_be_made_says_why() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    add(&test, "ask", "call", json!({"server": "echo"}))
        .await
        .unwrap();
    for (effect, hook, more) in [
        ("allow", "call", json!({})),
        ("ask", "discover", json!({})),
        ("forbid", "call", json!({"tool": "echo"})),
        (
            "forbid",
            "discover",
            json!({"when": [{"kind": "in_folder", "folder": "/tmp"}]}),
        ),
        (
            "forbid",
            "call",
            json!({"when": [{"kind": "to_hosts", "hosts": ["https://a.example/x"]}]}),
        ),
    ] {
        assert_eq!(
            code(add(&test, effect, hook, more).await),
            ErrorCode::BadRule,
            "{effect} at {hook}"
        );
    }
    let before = own_rules(&test).await;
    let test = test.again().await;
    assert_eq!(own_rules(&test).await, before);
    let _person = test.person([Decision::always()]);
    test.ask("review_offers", json!({"server": "echo"}))
        .await
        .unwrap();
    test.call("echo", "echo", json!({"text": "a"}))
        .await
        .unwrap();
    let verdict = dry_run(&test, "echo", json!({"text": "a"})).await.verdict;
    assert!(
        matches!(
            verdict,
            DryRunVerdict::Ask {
                reason: policy::Reason::RuleAsks { .. }
            }
        ),
        "{verdict:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hidden_tool_is_not_there_for_the_caller_from_whom_it_is_hidden() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    add(
        &test,
        "forbid",
        "discover",
        json!({"caller": {"kind": "terminal"}, "server": "echo", "tool": "env"}),
    )
    .await
    .unwrap();
    let listed = async |caller: Caller| {
        test.ask_as("list_tools", json!({"server": "echo"}), caller)
            .await
            .unwrap()
    };
    let named = |tools: &Value| {
        tools
            .as_array()
            .unwrap()
            .iter()
            .find(|tool| tool["spec"]["name"] == "env")
            .cloned()
    };
    assert_eq!(named(&listed(Caller::terminal()).await), None);
    assert_eq!(
        named(&listed(Caller::window()).await).unwrap()["hidden_from"],
        json!([Caller::terminal()])
    );
    assert!(matches!(
        refusal(test.call("echo", "env", json!({"name": "PATH"})).await),
        Refusal::Forbidden { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_result_that_is_kept_back_is_told_as_a_deed_that_was_done() {
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    add(
        &test,
        "forbid",
        "return",
        json!({"when": [{"kind": "found", "what": "credentials"}]}),
    )
    .await
    .unwrap();
    let _person = test.person([Decision::always()]);
    test.call("echo", "echo", json!({"text": "nothing of the kind"}))
        .await
        .unwrap();
    // Put together here, so that no scanner of repositories takes it for a leak.
    let token = ["AK", "IA", "ZQ3DRSTUVWXY2345"].concat();
    let call = CallId::random();
    let params =
        json!({"call": call, "server": "echo", "tool": "echo", "arguments": {"text": token}});
    let kept_back = test.ask("call_tool", params).await.unwrap_err();
    assert_eq!(kept_back.code, ErrorCode::Withheld);
    assert!(
        kept_back.message.contains("was carried out"),
        "{}",
        kept_back.message
    );
    assert_eq!(test.outcomes().await, ["done", "done"]);
    assert_eq!(
        code(
            test.ask_as("reveal_answer", json!({"call": call}), Caller::window())
                .await
        ),
        ErrorCode::UnknownAnswer
    );
}

/// Something that a recogniser takes for a credential. Put together here, so that no scanner of
/// repositories takes it for a leak.
fn credential() -> String {
    ["AK", "IA", "ZQ3DRSTUVWXY2345"].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_result_may_not_hold_comes_by_no_other_way() {
    let test = TestHost::new().await;
    test.add("says", &[&misbehave(), "says"]).await;
    let file = test.dir().join("web.json");
    let prompts = json!([{"name": "greet"}]);
    let script = json!({"tools": [], "prompts": prompts, "answers": {"file:///plain": "nothing", "file:///keys": credential()}});
    std::fs::write(&file, script.to_string()).unwrap();
    test.add("web", &[&misbehave(), "scripted", file.to_str().unwrap()])
        .await;
    let fails = async |words: &str| {
        test.call("says", "fails", json!({"text": words}))
            .await
            .unwrap_err()
    };
    let read = async |uri: &str| {
        test.ask("read_resource", json!({"server": "web", "uri": uri}))
            .await
    };
    let prompt = async || {
        test.ask(
            "get_prompt",
            json!({"server": "web", "prompt": "greet", "arguments": {}}),
        )
        .await
    };
    // What is very long is asked about every time.
    let _person = test.person([Decision::always(), Decision::once(), Decision::always()]);
    // Without a rule it is only covered.
    let told = fails(&format!("no: {}\u{200B}", credential())).await;
    assert_eq!(told.code, ErrorCode::ServerError);
    assert!(
        told.message.contains("⟦")
            && told.message.contains("⟨U+200B⟩")
            && !told.message.contains("AKIA"),
        "{told:?}"
    );
    assert!(fails(&"x".repeat(1_000_000)).await.message.len() < 5_000);
    read("file:///keys").await.unwrap();

    add(
        &test,
        "forbid",
        "return",
        json!({"when": [{"kind": "found", "what": "credentials"}]}),
    )
    .await
    .unwrap();
    assert!(
        fails("no such order")
            .await
            .message
            .contains("no such order")
    );
    let told = fails(&format!("no: {}", credential())).await;
    assert!(
        told.code == ErrorCode::ServerError
            && told.message.contains("kept back")
            && !told.message.contains("no:"),
        "{told:?}"
    );
    let mut recorder = test.listen();
    for words in [&*credential(), "half way"] {
        test.call("says", "steps", json!({"text": words}))
            .await
            .unwrap();
    }
    let message = |event: &HostEvent| match event {
        HostEvent::CallProgress { message, .. } => Some(message.clone()),
        _ => None,
    };
    let heard: Vec<Option<String>> = recorder
        .heard()
        .iter()
        .filter_map(|told| message(&told.event))
        .collect();
    assert_eq!(heard, [None, Some("half way".to_owned())]);
    read("file:///plain").await.unwrap();
    assert_eq!(code(read("file:///keys").await), ErrorCode::Withheld);
    prompt().await.unwrap();
    add(&test, "forbid", "return", json!({"server": "web"}))
        .await
        .unwrap();
    assert_eq!(code(prompt().await), ErrorCode::Withheld);
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_leaves_for_a_host_that_a_rule_forbids() {
    let test = TestHost::new().await;
    let remote = Remote::new("authorization").await;
    test.add_with("remote", json!({"kind": "http", "url": remote.url}))
        .await;
    let _person = test.person([Decision::always()]);
    test.call("remote", "tells", json!({})).await.unwrap();
    let sent = remote.seen().len();
    add(
        &test,
        "forbid",
        "egress",
        json!({"when": [{"kind": "to_hosts", "hosts": ["127.0.0.1"]}]}),
    )
    .await
    .unwrap();
    assert!(matches!(
        refusal(test.call("remote", "tells", json!({})).await),
        Refusal::Forbidden { .. }
    ));
    test.ask("restart_server", json!({"server": "remote"}))
        .await
        .unwrap();
    // Listing waits until it runs or has failed.
    let _ = test.ask("list_tools", json!({"server": "remote"})).await;
    assert_eq!(test.failure("remote").await.code, ErrorCode::Refused);
    assert_eq!(remote.seen().len(), sent, "something was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_that_a_caller_wants_is_sent_where_it_may_send_nothing() {
    let test = TestHost::new().await;
    let remote = Remote::new("authorization").await;
    test.add_with("remote", json!({"kind": "http", "url": remote.url}))
        .await;
    let to = json!([{"kind": "to_hosts", "hosts": ["127.0.0.1"]}]);
    add(
        &test,
        "forbid",
        "egress",
        json!({"caller": {"kind": "terminal"}, "when": to}),
    )
    .await
    .unwrap();
    let sent = remote.seen().len();
    for (method, more) in [
        ("list_resources", json!({})),
        ("read_resource", json!({"uri": "file:///a"})),
        ("watch_resource", json!({"uri": "file:///a", "on": true})),
        ("list_prompts", json!({})),
        ("get_prompt", json!({"prompt": "a", "arguments": {}})),
        (
            "complete",
            json!({"of": {"kind": "prompt", "name": "a"}, "argument": "b", "value": "private", "context": {}}),
        ),
        ("set_log_level", json!({"level": "info"})),
    ] {
        let mut params = more;
        params["server"] = json!("remote");
        let told = test.ask(method, params).await.unwrap_err();
        assert!(
            matches!(told.refusal, Some(Refusal::Forbidden { .. })),
            "{method}: {told:?}"
        );
    }
    assert_eq!(remote.seen().len(), sent, "something was sent");
}

#[tokio::test(flavor = "multi_thread")]
async fn no_address_is_opened_that_a_rule_forbids() {
    let opened: Arc<Mutex<Vec<String>>> = Arc::default();
    let noted = Arc::clone(&opened);
    let browser = Browser::new(move |url| {
        noted.lock().unwrap().push(url.to_string());
        Ok(())
    });
    let test = TestHost::with(Choices {
        browser,
        ..Choices::default()
    })
    .await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    add(
        &test,
        "forbid",
        "egress",
        json!({"server": "elicits", "when": [{"kind": "to_hosts", "hosts": ["example.com"]}]}),
    )
    .await
    .unwrap();
    let person = test.person([Decision::once(), Decision::OpenUrl]);
    let answer = test.call("elicits", "url", json!({})).await.unwrap();
    assert_eq!(crate::support::text(&answer), r#"{"action":"decline"}"#);
    assert_eq!((person.asked().len(), opened.lock().unwrap().len()), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_said_about_a_call_that_nobody_makes_is_what_becomes_of_one() {
    let inside = tempfile::tempdir().unwrap();
    let path = std::fs::canonicalize(inside.path()).unwrap().join("a.txt");
    let path = path.to_str().unwrap();
    let folder = Path::new(path).parent().unwrap().to_str().unwrap();
    let drafts = [
        draft(
            "forbid",
            "call",
            json!({"when": [{"kind": "to_hosts", "hosts": ["example.org"]}]}),
        ),
        draft(
            "forbid",
            "call",
            json!({"when": [{"kind": "in_folder", "folder": folder}]}),
        ),
        draft(
            "forbid",
            "discover",
            json!({"server": "echo", "tool": "echo"}),
        ),
        draft("ask", "call", json!({"server": "echo"})),
        draft(
            "allow",
            "call",
            json!({"server": "echo", "when": [{"kind": "in_folder", "folder": folder}]}),
        ),
        draft("forbid", "call", json!({"caller": {"kind": "window"}})),
    ];
    let texts = ["plain", "see https://www.example.org/x", path];
    for granted in [false, true] {
        let test = TestHost::new().await;
        test.add("echo", &[&misbehave(), "ok"]).await;
        // Made once without rules if it is granted; later answers are no, so that a question shows
        // as one.
        let first = granted.then(Decision::always);
        let yes = std::iter::repeat_n(Decision::ChangeRule, 40);
        if let Some(first) = first {
            let _person = test.person([first]);
            test.call("echo", "echo", json!({"text": "first"}))
                .await
                .unwrap();
        }
        for draft in &drafts {
            let person = test.person(yes.clone());
            test.ask("add_rule", json!({"draft": draft})).await.unwrap();
            drop(person);
            for text in texts {
                let rows = test.outcomes().await.len();
                let said = dry_run(&test, "echo", json!({"text": text})).await.verdict;
                assert_eq!(test.outcomes().await.len(), rows, "it was written down");
                let person = test.person([Decision::no(None)]);
                let done = test.call("echo", "echo", json!({"text": text})).await;
                let what =
                    format!("{text}, granted: {granted}, with {draft}: {said:?}, then {done:?}");
                match said {
                    DryRunVerdict::Allow => {
                        assert!(done.is_ok() && person.asked().is_empty(), "{what}")
                    }
                    DryRunVerdict::Deny { refusal: told } => {
                        assert!(refusal(done) == told && person.asked().is_empty(), "{what}")
                    }
                    DryRunVerdict::Ask { .. } => {
                        assert!(
                            matches!(refusal(done), Refusal::DeniedByPerson { .. })
                                && person.asked().len() == 1,
                            "{what}"
                        );
                    }
                }
            }
            let person = test.person(yes.clone());
            for rule in own_rules(&test).await {
                test.ask("remove_rule", json!({"rule": rule}))
                    .await
                    .unwrap();
            }
            drop(person);
        }
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn rules_read_what_programs_read() {
    let dir = tempfile::tempdir().unwrap();
    let dir = std::fs::canonicalize(dir.path()).unwrap();
    let at = |name: &str| dir.join(name).to_str().unwrap().to_owned();
    let (kept, open) = (at("kept"), at("open"));
    for folder in [&kept, &open] {
        std::fs::create_dir(folder).unwrap();
    }
    let test = TestHost::new().await;
    test.add("echo", &[&misbehave(), "ok"]).await;
    test.give("echo", &dir).await;
    let person = test.person(std::iter::repeat_n(Decision::ChangeRule, 2));
    let when = json!([{"kind": "in_folder", "folder": open}]);
    let allow = json!({"server": "echo", "when": when});
    add(&test, "allow", "call", allow).await.unwrap();
    for when in [
        json!([{"kind": "in_folder", "folder": kept}]),
        json!([{"kind": "to_hosts", "hosts": ["evil.example", "evil"]}]),
    ] {
        let forbid = json!({"when": when});
        add(&test, "forbid", "call", forbid).await.unwrap();
    }
    drop(person);
    for text in [
        format!("{kept}:/mnt"),
        format!("/usr:{kept}"),
        format!("-C{kept}/a"),
        format!("@{kept}/a"),
        format!("host:{kept}/a"),
        format!("[{kept}]"),
        format!("git@host:{kept}"),
        format!("type=bind,source={kept}/a,target=/mnt"),
        format!("sqlite://{kept}/a?mode=ro"),
        format!("{{\"path\": \"{kept}/a\"}}"),
        format!("{open}/a:{kept}"),
        format!("{}/k*/a", dir.display()),
        "git@evil:x".to_owned(),
        "ssh -Jevil.example x".to_owned(),
        "jdbc:mysql://a.example,evil.example/x".to_owned(),
    ] {
        let said = dry_run(&test, "echo", json!({"text": text})).await.verdict;
        let is_refused = matches!(
            said,
            DryRunVerdict::Deny {
                refusal: Refusal::Forbidden { .. }
            }
        );
        assert!(is_refused, "{text}: {said:?}");
    }
    // What lets something happen does so only where there is no other reading.
    let sure = [format!("{open}/a"), format!("{open}/My Files (2)/a=b.txt")];
    let doubtful = [
        format!("{open}/a:{}/b", dir.display()),
        format!("{open}/a:b/x"),
        format!("-C{open}/a"),
        format!("{open}/$X"),
        format!("{open}/*"),
        format!("{open}/%2e%2e/x"),
    ];
    for text in sure {
        let said = dry_run(&test, "echo", json!({"text": text})).await.verdict;
        assert!(matches!(said, DryRunVerdict::Allow), "{text}: {said:?}");
    }
    for text in doubtful {
        let said = dry_run(&test, "echo", json!({"text": text})).await.verdict;
        assert!(
            matches!(said, DryRunVerdict::Ask { .. }),
            "{text}: {said:?}"
        );
    }
}

#[test]
fn the_terminal_shows_tries_and_makes_rules() {
    let terminal = Terminal::new();
    assert!(
        terminal
            .run(&["policy", "language"])
            .out
            .contains("action egress")
    );
    let (_running, _) = terminal.serve(&[]);
    let call = ["policy", "test", "currency", "convert"];
    for words in [
        &["servers", "review", "currency", "--accept", "--yes"][..],
        &["servers", "enable", "currency", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0);
    }
    let tools = terminal.json(&["tools", "list", "currency"]);
    let tool = tools[0]["spec"]["name"].as_str().unwrap().to_owned();
    let ran = terminal.run(&[
        "policy", "add", "forbid", "--server", "currency", "--tool", &tool, "--reason", "no money",
    ]);
    assert_eq!(ran.code, 0, "{ran:?}");
    let ran = terminal.run(&[call[0], call[1], call[2], &tool]);
    assert_eq!(ran.code, 3, "{ran:?}");
    assert!(ran.out.contains("no money"), "{ran:?}");
    let shown = terminal.json(&["policy", "show"]);
    assert_eq!(
        shown["layers"][2]["rules"][0]["draft"]["reason"],
        "no money"
    );
    let ran = terminal.run(&[
        "policy",
        "add",
        "allow",
        "--preview",
        "--server",
        "currency",
    ]);
    assert!(ran.out.contains("permit"), "{ran:?}");
    assert_eq!(
        terminal.run(&["policy", "remove", "rule-of-nobody"]).code,
        2
    );
}
