//! The value of a secret is in the keyring and in the server that it was given to, and nowhere
//! else.

use crate::support::evidence::{Evidence, secret};
use crate::support::remote::Remote;
use crate::support::terminal::{Ran, Terminal};
use crate::support::{Choices, TestHost, code, misbehave, unconfined};
use host::KeyringChoice;
use host::api::{ErrorCode, HostEvent, ServerState};
use policy::Decision;
use protocol::FormResult;
use serde_json::{Value, json};
#[cfg(target_os = "linux")]
use sha2::{Digest as _, Sha256};
use std::path::{Path, PathBuf};

fn without_a_keyring() -> Choices {
    Choices {
        keyring: KeyringChoice::Absent("there is none here".into()),
        ..Choices::default()
    }
}

fn draft(name: &str, secret: &str, file: &Path, keep: &str) -> Value {
    let env = json!([{"name": "SECRET", "value": {"kind": "new_secret", "value": secret}}]);
    let target =
        json!({"kind": "stdio", "command": misbehave(), "args": ["leaks", file], "env": env});
    json!({"draft": {"name": name, "target": target, "keep": keep, "confinement": unconfined()}})
}

/// A file that the server writes its secret into, outside of everything that is searched.
fn outside() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("arrived");
    (folder, file)
}

/// A server that gives its secret away in every place there is, with everything that came out of
/// the host meanwhile.
async fn given_away(secret: &str) {
    let test = TestHost::new().await;
    let mut evidence = Evidence::gather(&test).await;
    let (_folder, arrived) = outside();
    evidence
        .rpc("review_draft", draft("leaks", secret, &arrived, "keyring"))
        .await;
    evidence
        .rpc("add_server", draft("leaks", secret, &arrived, "keyring"))
        .await;
    test.switch_on("leaks").await;
    assert_eq!(test.state("leaks").await, ServerState::Ready);
    assert_eq!(
        std::fs::read_to_string(&arrived).unwrap(),
        secret,
        "the server was not given its secret"
    );

    let form = Decision::Form {
        answer: FormResult::Accept {
            content: json!({"note": "a note"}).as_object().cloned().unwrap(),
        },
    };
    let person = test.person(
        [
            vec![Decision::always(); 4],
            vec![form],
            vec![Decision::always(); 2],
        ]
        .concat(),
    );
    let arguments = json!({"note": format!("with {secret} inside")});
    for tool in ["tells", "fails", "steps", "asks", "loud", "dies"] {
        let answer = test
            .call(
                "leaks",
                tool,
                if tool == "asks" {
                    json!({})
                } else {
                    arguments.clone()
                },
            )
            .await;
        assert_eq!(
            answer.is_err(),
            matches!(tool, "fails" | "loud" | "dies"),
            "{tool}: {answer:?}"
        );
        evidence.keep(tool, &answer);
    }
    // Refused, and quoted in the reason.
    let bad = json!({"server": "leaks", "tool": "loud", "arguments": {secret: 7, "other": secret}, "call": null});
    evidence.rpc("call_tool", bad).await;
    evidence.keep("questions", &person.asked());
    evidence.ask_everything(&["leaks"]).await;
    test.ask("restart_server", json!({"server": "leaks"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "leaks"}))
        .await
        .unwrap();
    evidence.ask_everything(&["leaks"]).await;
    // The note of the running host goes with it.
    evidence.collect(&test);
    test.host.close().await;
    evidence.collect(&test);

    for place in [
        "event",
        "majordomo.db",
        ".log",
        "host.json",
        "answer to",
        "tells",
        "questions",
        "about itself",
    ] {
        assert!(
            evidence.amount(place) > 0,
            "nothing was gathered of {place}"
        );
    }
    evidence.must_not_hold(secret);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_planted_secret_is_found_nowhere_although_its_server_gives_it_away_everywhere() {
    given_away(&secret(32)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_one_is_sealed_and_found_nowhere_either() {
    given_away(&secret(3_000)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_in_the_name_of_an_argument_of_a_prompt_is_covered_wherever_it_goes() {
    let (test, secret, (_folder, arrived)) = (TestHost::new().await, secret(32), outside());
    let mut evidence = Evidence::gather(&test).await;
    evidence
        .rpc("add_server", draft("leaks", &secret, &arrived, "keyring"))
        .await;
    test.only_switch_on("leaks").await;
    // Refused, and written down.
    let named = json!({"server": "leaks", "prompt": "sum-up", "arguments": {&secret: &secret}});
    evidence.rpc("get_prompt", named.clone()).await;
    test.decide_all("leaks", "approve").await;
    evidence.ask_everything(&["leaks"]).await;
    let prompts = test
        .ask("list_prompts", json!({"server": "leaks"}))
        .await
        .unwrap();
    assert_eq!(prompts[0]["arguments"][0]["name"], "•••", "{prompts}");
    let made = evidence.rpc("get_prompt", named).await;
    assert!(made.to_string().contains("•••"), "{made}");
    let prompt = json!({"kind": "prompt", "name": "sum-up"});
    let template = json!({"kind": "template", "uri_template": format!("note://{{{secret}}}")});
    for of in [prompt, template] {
        let typed = json!({"server": "leaks", "of": of, "argument": &secret, "value": &secret, "context": {&secret: &secret}});
        evidence.rpc("complete", typed).await;
    }
    let uri = json!({"server": "leaks", "uri": format!("note://{secret}")});
    evidence.rpc("read_resource", uri).await;
    evidence.ask_everything(&["leaks"]).await;
    test.host.close().await;
    evidence.collect(&test);
    for place in ["the answer to get_prompt", "the answer to complete", ".log"] {
        assert!(
            evidence.amount(place) > 0,
            "nothing was gathered of {place}"
        );
    }
    evidence.must_not_hold(&secret);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_header_is_sent_with_every_request_and_found_nowhere() {
    let (test, remote, secret) = (
        TestHost::new().await,
        Remote::new("X-Key").await,
        secret(40),
    );
    let mut evidence = Evidence::gather(&test).await;
    let headers = json!([{"name": "X-Key", "value": {"kind": "new_secret", "value": secret}}]);
    let target = json!({"kind": "http", "url": remote.url, "headers": headers});
    evidence
        .rpc(
            "add_server",
            json!({"draft": {"name": "remote", "target": target, "confinement": unconfined()}}),
        )
        .await;
    test.switch_on("remote").await;
    assert_eq!(test.state("remote").await, ServerState::Ready);
    let person = test.person([Decision::once()]);
    let answer = test.call("remote", "tells", json!({})).await.unwrap();
    assert!(crate::support::text(&answer).contains("you are •••"));
    evidence.keep("answer", &answer);
    evidence.keep("questions", &person.asked());
    evidence.ask_everything(&["remote"]).await;
    test.host.close().await;
    evidence.collect(&test);
    assert!(
        remote.seen().len() >= 3 && remote.seen().iter().all(|seen| *seen == secret),
        "{:?}",
        remote.seen()
    );
    evidence.must_not_hold(&secret);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_secret_survives_a_restart_and_goes_with_its_server() {
    let (test, secret, (_folder, arrived)) = (TestHost::new().await, secret(32), outside());
    test.ask("add_server", draft("leaks", &secret, &arrived, "keyring"))
        .await
        .unwrap();
    test.switch_on("leaks").await;
    let test = test.again().await;
    std::fs::remove_file(&arrived).unwrap();
    test.ask("restart_server", json!({"server": "leaks"}))
        .await
        .unwrap();
    test.ask("list_tools", json!({"server": "leaks"}))
        .await
        .unwrap();
    assert_eq!(std::fs::read_to_string(&arrived).unwrap(), secret);

    let id = secret_of(&test, "leaks").await;
    assert!(in_keyring(&test, &id), "it is not where this test looks");
    test.ask("remove_server", json!({"server": "leaks"}))
        .await
        .unwrap();
    assert!(!in_keyring(&test, &id), "it is still there");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn an_edited_secret_replaces_the_old_one_and_a_kept_one_stays() {
    let (test, (_folder, arrived)) = (TestHost::new().await, outside());
    let (first, second) = (secret(32), secret(32));
    test.ask("add_server", draft("leaks", &first, &arrived, "keyring"))
        .await
        .unwrap();
    test.switch_on("leaks").await;
    let old = secret_of(&test, "leaks").await;
    let mut edit = draft("leaks", &second, &arrived, "keyring");
    edit["server"] = json!("leaks");
    test.ask("edit_server", edit.clone()).await.unwrap();
    test.ask("list_tools", json!({"server": "leaks"}))
        .await
        .unwrap();
    assert_eq!(
        std::fs::read_to_string(&arrived).unwrap(),
        second,
        "a renewed secret is the same server: it goes on"
    );
    assert!(!in_keyring(&test, &old));
    edit["draft"]["target"]["env"][0]["value"] = json!({"kind": "kept_secret"});
    test.ask("edit_server", edit).await.unwrap();
    assert!(in_keyring(&test, &secret_of(&test, "leaks").await));
}

#[cfg(target_os = "linux")]
async fn secret_of(test: &TestHost, server: &str) -> String {
    let review = test
        .ask("review_server", json!({"server": server}))
        .await
        .unwrap();
    review
        .pointer("/launch/env/0/value/secret")
        .unwrap()
        .as_str()
        .unwrap()
        .to_owned()
}

/// Whether the keyring has this secret of a host. Asked by another program than ours, and with one
/// question: the keyring of GNOME ends when a program ends that still waits for its answer, and a
/// busy one makes many wait.
#[cfg(target_os = "linux")]
fn in_keyring(test: &TestHost, id: &str) -> bool {
    let folder = Sha256::digest(
        test.dir()
            .canonicalize()
            .unwrap()
            .as_os_str()
            .as_encoded_bytes(),
    );
    let folder: String = folder
        .iter()
        .take(8)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let mut search = std::process::Command::new("dbus-send");
    search.args([
        "--session",
        "--print-reply",
        "--dest=org.freedesktop.secrets",
        "/org/freedesktop/secrets",
    ]);
    search.arg("org.freedesktop.Secret.Service.SearchItems");
    let found = Ran::of(search.arg(format!(
        "dict:string:string:service,majordomo,username,{folder}/{id}"
    )));
    assert_eq!(found.code, 0, "{found:?}");
    found.out.contains("object path")
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_keyring_a_secret_is_refused_or_kept_for_the_session_only() {
    let (test, secret, (_folder, arrived)) = (
        TestHost::with(without_a_keyring()).await,
        secret(32),
        outside(),
    );
    let refused = test
        .ask("add_server", draft("leaks", &secret, &arrived, "keyring"))
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::KeyringMissing);
    assert!(refused.message.contains("there is none here"), "{refused}");
    assert_eq!(
        test.host.snapshot().await.servers.len(),
        2,
        "half a server was kept"
    );

    test.ask("add_server", draft("leaks", &secret, &arrived, "session"))
        .await
        .unwrap();
    test.switch_on("leaks").await;
    assert_eq!(std::fs::read_to_string(&arrived).unwrap(), secret);
    let test = test.again_with(without_a_keyring()).await;
    test.ask("review_offers", json!({"server": "leaks"}))
        .await
        .unwrap();
    assert_eq!(test.failure("leaks").await.code, ErrorCode::SecretLost);
    for (path, bytes) in crate::support::terminal::files(test.dir()) {
        assert!(
            !bytes
                .windows(secret.len())
                .any(|window| window == secret.as_bytes()),
            "{}",
            path.display()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_is_too_short_to_be_covered_is_refused_and_not_repeated() {
    let (test, (_folder, arrived)) = (TestHost::new().await, outside());
    let refused = test
        .ask("add_server", draft("leaks", "Zq7", &arrived, "keyring"))
        .await
        .unwrap_err();
    assert_eq!(refused.code, ErrorCode::SecretTooShort);
    assert!(!format!("{refused:?}").contains("Zq7"));
    test.ask("add_server", draft("leaks", "Zq7!", &arrived, "keyring"))
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_asks_for_a_password_is_declined_without_a_question() {
    let test = TestHost::new().await;
    test.add("elicits", &[&misbehave(), "elicits"]).await;
    let person = test.person([Decision::once()]);
    let answer = test.call("elicits", "secret", json!({})).await.unwrap();
    assert!(
        crate::support::text(&answer).contains("decline"),
        "{answer:?}"
    );
    assert_eq!(person.asked().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_sees_nothing_of_the_hosts_own_environment() {
    let test = TestHost::new().await;
    test.add("ok", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    let env = async |name: &str| test.call("ok", "env", json!({"name": name})).await.unwrap();
    assert!(!env("PATH").await.is_error);
    for name in [
        "DBUS_SESSION_BUS_ADDRESS",
        "CARGO_TARGET_DIR",
        "CARGO_MANIFEST_DIR",
        "MAJORDOMO_TEST_SERVERS",
        "XDG_RUNTIME_DIR",
    ] {
        assert!(env(name).await.is_error, "{name} reached a server");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn secrets_are_not_told_to_a_server_that_they_do_not_belong_to() {
    let (test, secret, (_folder, arrived)) = (TestHost::new().await, secret(32), outside());
    test.ask("add_server", draft("leaks", &secret, &arrived, "keyring"))
        .await
        .unwrap();
    test.add("ok", &[&misbehave(), "ok"]).await;
    let _person = test.person([Decision::always()]);
    assert!(
        test.call("ok", "env", json!({"name": "SECRET"}))
            .await
            .unwrap()
            .is_error
    );
}

#[test]
fn the_terminal_shows_no_secret_however_much_it_is_asked_to_say() {
    let (terminal, secret, (_folder, arrived)) = (Terminal::new(), secret(32), outside());
    let mut said = Vec::new();
    let mut run = |words: &[&str]| {
        let ran = Ran::of(
            terminal
                .command(words)
                .env("MAJORDOMO_LOG", "trace")
                .env("SECRET", &secret),
        );
        said.push((words.join(" "), format!("{}{}", ran.out, ran.err)));
        ran.code
    };
    let misbehave = misbehave();
    let leaks = [&misbehave, "leaks", arrived.to_str().unwrap()];
    assert_eq!(
        run(&[
            &[
                "servers",
                "add",
                "leaks",
                "--no-sandbox",
                "--secret-env",
                "SECRET",
                "--"
            ],
            &leaks[..]
        ]
        .concat()),
        0
    );
    assert_eq!(run(&["servers", "review", "leaks", "--accept", "--yes"]), 0);
    assert_eq!(run(&["servers", "enable", "leaks", "--yes"]), 0);
    for words in [
        &["servers", "list"][..],
        &["tools", "list", "leaks"],
        &["tools", "show", "leaks", "loud"],
        &["servers", "logs", "leaks"],
        &["audit", "export"],
    ] {
        assert_eq!(run(words), 0, "{words:?}");
        run(&[&["--json"], words].concat());
    }
    assert_eq!(std::fs::read_to_string(&arrived).unwrap(), secret);
    for (words, text) in said {
        assert!(!text.contains(&secret[..12]), "{words}: {text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tool_that_is_called_by_a_secret_is_left_out() {
    let (test, secret, (_folder, arrived)) = (TestHost::new().await, secret(32), outside());
    test.ask("add_server", draft("leaks", &secret, &arrived, "keyring"))
        .await
        .unwrap();
    let mut recorder = test.listen();
    test.switch_on("leaks").await;
    recorder
        .until(|event| matches!(event, HostEvent::ToolsChanged { .. }))
        .await;
    let tools = test
        .ask("list_tools", json!({"server": "leaks"}))
        .await
        .unwrap();
    let names: Vec<_> = tools
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["spec"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["loud", "tells", "fails", "asks", "steps", "dies"]);
    assert_eq!(
        code(
            test.call("leaks", &format!("tool-{secret}"), json!({}))
                .await
        ),
        ErrorCode::UnknownTool
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_is_covered_in_whatever_notation_a_server_answers_with_it() {
    let test = TestHost::new().await;
    let secret = secret(24);
    let env = json!([{"name": "SECRET", "value": {"kind": "new_secret", "value": secret}}]);
    test.add_with(
        "says",
        json!({"kind": "stdio", "command": misbehave(), "args": ["says"], "env": env}),
    )
    .await;
    let _person = test.person([Decision::always()]);
    let each = |write: fn(char) -> String| secret.chars().map(write).collect::<String>();
    let spaced: Vec<String> = secret.chars().map(String::from).collect();
    for form in [
        secret.to_uppercase(),
        secret.to_lowercase(),
        each(|c| format!("%{:02x}", u32::from(c))),
        each(|c| format!("&#{};", u32::from(c))),
        each(|c| format!("&#x{:X};", u32::from(c))),
        each(|c| format!("\\u{:04x}", u32::from(c))),
        each(|c| format!("\\x{:02X}", u32::from(c))),
        spaced.join(" "),
        spaced.join("-"),
        spaced.join("\u{200B}"),
        spaced.join("\n").to_uppercase(),
    ] {
        let result = json!({ "content": [{ "type": "text", "text": format!("it is {form} so") }] });
        let answer = test
            .call("says", "say", json!({ "result": result }))
            .await
            .unwrap();
        assert_eq!(crate::support::text(&answer), "it is ••• so", "{form}");
    }
}
