//! What another application was told to trust, this one shows to a person first. Numbers are those
//! of the cases in which a real application did not.

use crate::support::import::{choices, dangers, keep_all, line, only, pasted, preview, warnings};
use crate::support::{TestHost, code, misbehave};
use host::api::{ErrorCode, ImportOutcome, ReviewWarning, Runtime, ServerState};
use protocol::{Launch, SettingValue};
use serde_json::{Value, json};

fn config(entry: &Value) -> String {
    json!({"mcpServers": {"a": entry}}).to_string()
}

fn command(line: &[&str]) -> String {
    config(&json!({"command": line[0], "args": line[1..]}))
}

#[tokio::test(flavor = "multi_thread")]
async fn case_07_an_imported_command_never_runs_unseen_and_never_through_a_shell() {
    let test = TestHost::new().await;
    let marker = test.dir().join("marker");
    let touch = format!("touch {}", marker.display());
    let words = [
        format!("$({touch})"),
        format!("; {touch}"),
        format!("`{touch}`"),
        format!("&& {touch} |"),
        "%PATH% ^& \"".to_owned(),
    ];
    let args: Vec<_> = std::iter::once("ok".to_owned()).chain(words).collect();
    let outcome = keep_all(
        &test,
        &config(&json!({"command": misbehave(), "args": args})),
    )
    .await;
    let Launch::Stdio(run) = &outcome.added[0].launch else {
        panic!("it is a command")
    };
    assert_eq!(run.args, args);
    for reviewed in [Value::Null, json!(format!("sha256:{}", "0".repeat(64)))] {
        assert_eq!(
            code(
                test.ask(
                    "enable_server",
                    json!({"server": "a", "reviewed": reviewed})
                )
                .await
            ),
            ErrorCode::ReviewNeeded
        );
    }
    assert_eq!(test.state("a").await, ServerState::Off);
    test.switch_on("a").await;
    assert_eq!(test.state("a").await, ServerState::Ready);
    assert!(!marker.exists(), "an argument was run by a shell");
}

#[tokio::test(flavor = "multi_thread")]
async fn case_08_code_on_the_command_line_is_the_highest_warning_whatever_the_program_is_called() {
    for line in [
        &["node", "-e", "1"][..],
        &["node", "-p", "1"],
        &["/tmp/elsewhere/node", "--eval", "1"],
        &["npx", "-c", "id"],
        &["python3", "-c", "1"],
        &["bash", "-c", "id"],
        &["deno", "eval", "1"],
        &["bun", "-e", "1"],
        &["ruby", "-e", "1"],
        &["perl", "-e", "1"],
        &["php", "-r", "1"],
        &["pwsh", "-EncodedCommand", "AA=="],
        &["powershell.exe", "-Command", "id"],
        &["cmd", "/c", "id"],
        &["osascript", "-e", "1"],
        &["uv", "run", "python", "-c", "1"],
    ] {
        assert_eq!(
            dangers(&only(&command(line)).await).first(),
            Some(&ReviewWarning::InlineCode),
            "{line:?}"
        );
    }
    for line in [
        &["docker", "run", "--privileged", "image"][..],
        &["docker", "run", "-v", "/:/host", "image"],
        &["docker", "run", "--volume=/var/run/docker.sock:/s", "image"],
        &[
            "docker",
            "run",
            "--mount",
            "type=bind,src=/,dst=/host",
            "image",
        ],
    ] {
        assert_eq!(
            dangers(&only(&command(line)).await).first(),
            Some(&ReviewWarning::WholeComputer),
            "{line:?}"
        );
    }
    for line in [
        &["npx", "-y", "server", "-e", "production"][..],
        &["uvx", "server", "-c", "file"],
        &["docker", "run", "-i", "--rm", "image"],
    ] {
        assert_eq!(dangers(&only(&command(line)).await), [], "{line:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_09_variables_that_load_code_are_refused_from_an_import() {
    let test = TestHost::new().await;
    let loading = [
        "NODE_OPTIONS",
        "node_options",
        "LD_PRELOAD",
        "LD_LIBRARY_PATH",
        "BASH_ENV",
        "ENV",
        "PYTHONSTARTUP",
        "PYTHONPATH",
        "DYLD_INSERT_LIBRARIES",
        "PATH",
        "PERL5OPT",
        "RUBYOPT",
        "JAVA_TOOL_OPTIONS",
        "GIT_SSH_COMMAND",
        "NODE_PATH",
    ];
    let mut env: serde_json::Map<_, _> = loading
        .iter()
        .map(|name| ((*name).to_owned(), json!("/tmp/evil")))
        .collect();
    env.insert("LEVEL".into(), json!("debug"));
    let text = config(&json!({"command": misbehave(), "args": ["ok"], "env": env}));
    let entry = only(&text).await;
    assert_eq!(entry.refused, loading);
    assert!(line(&entry).ends_with("{LEVEL=debug}") && !line(&entry).contains("evil"));
    let outcome = keep_all(&test, &text).await;
    assert_eq!(outcome.added[0].launch.settings().len(), 1);
    // The notations that name variables instead of setting them are no way around it.
    let codex =
        only("[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"LD_PRELOAD\", \"OTHER\"]\n").await;
    let goose =
        only("extensions:\n  a: {cmd: x, env_keys: [LD_PRELOAD], envs: {PATH: /tmp}}\n").await;
    assert_eq!(
        (&codex.refused[..], line(&codex)),
        (&["LD_PRELOAD".to_owned()][..], "x {OTHER}".to_owned())
    );
    assert_eq!((goose.refused.len(), line(&goose)), (2, "x".to_owned()));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_09_a_person_may_set_them_by_hand_and_is_warned_of_a_danger() {
    let test = TestHost::new().await;
    let env = json!([{"name": "LD_PRELOAD", "value": {"kind": "plain", "text": "/srv/mine.so"}}]);
    let draft = json!({"name": "mine", "target": {"kind": "stdio", "command": "x", "env": env}});
    let review: host::api::Review = test.get("review_draft", json!({"draft": draft})).await;
    assert_eq!(
        (review.dangers, &review.warnings[0]),
        (
            1,
            &ReviewWarning::DangerousEnvironment {
                name: "LD_PRELOAD".into()
            }
        )
    );
    let wrapped = only(&command(&[
        "env",
        "LD_PRELOAD=/tmp/evil.so",
        "node",
        "server.js",
    ]))
    .await;
    assert!(
        dangers(&wrapped).contains(&ReviewWarning::DangerousEnvironment {
            name: "LD_PRELOAD".into()
        })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_10_a_name_that_a_shell_would_read_becomes_a_plain_one() {
    for name in [
        "a&calc", "a|b", "\"a\"", "%PATH%", "a;b", "$(id)", "../../a", "a\nb", "-rf",
    ] {
        let entry = only(&json!({"mcpServers": {name: {"command": "x"}}}).to_string()).await;
        assert_eq!(entry.source_name, name);
        assert!(
            entry
                .name
                .as_str()
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "._-".contains(c)),
            "{}",
            entry.name
        );
        assert!(
            entry
                .name
                .as_str()
                .starts_with(|c: char| c.is_ascii_alphanumeric()),
            "{}",
            entry.name
        );
    }
    let test = TestHost::new().await;
    let import = json!({"from": pasted(&command(&["x"])), "choices": choices(&[("a", "a&calc|\"%PATH%")]), "keep": "keyring"});
    let outcome: ImportOutcome = test.get("import_servers", import).await;
    assert_eq!(outcome.failed[0].error.code, ErrorCode::BadName);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_12_the_review_holds_every_argument_variable_header_and_address_untruncated() {
    let long = "x".repeat(20_000);
    let lines = format!("first\n{}last", "\n".repeat(500));
    let bidi = "safe\u{202e}exe";
    let entry =
        only(&config(&json!({"command": long, "args": [long, lines, bidi], "env": {"LONG": long, "LINES": lines, "BIDI": bidi}}))).await;
    let Launch::Stdio(run) = &entry.review.as_ref().unwrap().launch else {
        panic!("it is a command")
    };
    assert_eq!(
        (&run.command, &run.args),
        (&long, &vec![long.clone(), lines.clone(), bidi.to_owned()])
    );
    let values: Vec<_> = run.env.iter().map(|setting| &setting.value).collect();
    assert_eq!(
        values,
        [&long, &lines, &bidi.to_owned()]
            .map(|text| SettingValue::Plain { text: text.clone() })
            .iter()
            .collect::<Vec<_>>()
    );
    for place in ["argument 3", "BIDI"] {
        assert!(
            warnings(&entry).contains(&ReviewWarning::HiddenCharacters {
                place: place.into()
            }),
            "{place}"
        );
    }
    let url = format!("https://example.com/{long}");
    let remote = only(&config(&json!({"url": url, "headers": {"X-Long": long}}))).await;
    assert_eq!(line(&remote), format!("{url} {{X-Long={long}}}"));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_13_imported_servers_arrive_off_whatever_they_say_about_themselves() {
    let test = TestHost::new().await;
    let claims = json!({"command": misbehave(), "args": ["ok"], "enabled": true, "disabled": false, "autostart": true, "alwaysLoad": true,
        "trust": true, "alwaysAllow": ["*"], "autoApprove": ["*"], "reviewed": "sha256:0", "on": true});
    let outcome = keep_all(&test, &config(&claims)).await;
    assert_eq!(
        (outcome.added[0].on, outcome.added[0].reviewed),
        (false, false)
    );
    let entry = only(&config(&claims)).await;
    let said = claims
        .as_object()
        .unwrap()
        .keys()
        .skip(2)
        .cloned()
        .collect::<Vec<_>>();
    assert_eq!(entry.ignored, said);
    let test = test.again().await;
    assert_eq!(test.state("a").await, ServerState::Off);
    assert_eq!(
        test.ask("list_grants", Value::Null).await.unwrap(),
        json!([])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_26_what_stands_for_another_value_stays_literal_and_is_pointed_out() {
    let test = TestHost::new().await;
    let references = [
        "${HOME}",
        "$HOME",
        "{env:HOME}",
        "{{HOME}}",
        "%HOME%",
        "${input:home}",
        "${env:HOME}",
    ];
    for reference in references {
        let text = config(
            &json!({"command": misbehave(), "args": ["ok", reference], "env": {"VALUE": reference, "API_TOKEN": reference}}),
        );
        let entry = only(&text).await;
        assert!(
            line(&entry).ends_with(&format!(
                " ok {reference} {{VALUE={reference}}} {{API_TOKEN={reference}}}"
            )),
            "{}",
            line(&entry)
        );
        for name in ["argument 2", "VALUE", "API_TOKEN"] {
            assert!(
                warnings(&entry).contains(&ReviewWarning::Placeholder { name: name.into() }),
                "{reference} {name}"
            );
        }
        let remote =
            only(&config(&json!({"url": "https://example.com/mcp", "headers": {"Authorization": format!("Bearer {reference}")}}))).await;
        assert_eq!(
            line(&remote),
            format!("https://example.com/mcp {{Authorization=Bearer {reference}}}")
        );
        assert_eq!(
            warnings(&remote),
            [ReviewWarning::Placeholder {
                name: "Authorization".into()
            }]
        );
    }
    // A secret with a placeholder in it is a secret.
    let mixed = only(&config(
        &json!({"command": "x", "env": {"DB_PASSWORD": "hunter22${MORE}"}}),
    ))
    .await;
    assert_eq!(
        (line(&mixed), &mixed.secrets[..]),
        (
            "x {DB_PASSWORD}".to_owned(),
            &["DB_PASSWORD".to_owned()][..]
        )
    );
    assert!(warnings(&mixed).contains(&ReviewWarning::Placeholder {
        name: "DB_PASSWORD".into()
    }));
    let home = std::env::var("HOME").unwrap_or_else(|_| "/root".into());
    let urls =
        preview(r#"{"mcpServers": {"a": {"url": "https://example.com/${HOME}"}, "b": {"url": "https://${HOME}/mcp"}}}"#).await.unwrap();
    assert!(
        urls.entries
            .iter()
            .all(|entry| !line(entry).contains(&home))
    );
    // What the server itself gets is the text as it was written.
    keep_all(
        &test,
        &config(&json!({"command": misbehave(), "args": ["ok"], "env": {"VALUE": "${HOME}"}})),
    )
    .await;
    test.switch_on("a").await;
    let _person = test.person([policy::Decision::once()]);
    let answer = test
        .call("a", "env", json!({"name": "VALUE"}))
        .await
        .unwrap();
    assert_eq!(crate::support::text(&answer), "${HOME}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_is_to_be_filled_in_keeps_the_server_from_starting_until_it_is() {
    let test = TestHost::new().await;
    let text = json!({"inputs": [{"id": "key", "password": true}],
        "servers": {"a": {"command": misbehave(), "args": ["ok"], "env": {"KEY": "${input:key}"}}}});
    keep_all(&test, &text.to_string()).await;
    let review: host::api::Review = test.get("review_server", json!({"server": "a"})).await;
    assert!(
        review
            .warnings
            .contains(&ReviewWarning::Placeholder { name: "KEY".into() })
    );
    let _ = test
        .ask(
            "enable_server",
            json!({"server": "a", "reviewed": review.fingerprint}),
        )
        .await
        .unwrap();
    let _ = test.ask("list_tools", json!({"server": "a"})).await;
    assert_eq!(test.failure("a").await.code, ErrorCode::SecretLost);
    let env =
        json!([{"name": "KEY", "value": {"kind": "new_secret", "value": "planted-0123456789"}}]);
    let target = json!({"kind": "stdio", "command": misbehave(), "args": ["ok"], "env": env});
    test.ask(
        "edit_server",
        json!({"server": "a", "draft": {"name": "a", "target": target, "keep": "session"}}),
    )
    .await
    .unwrap();
    let review: host::api::Review = test.get("review_server", json!({"server": "a"})).await;
    assert_eq!(review.warnings, []);
    let _ = test.ask("list_tools", json!({"server": "a"})).await;
    assert_eq!(test.state("a").await, ServerState::Ready);
}

#[tokio::test(flavor = "multi_thread")]
async fn white_space_at_the_ends_is_pointed_out_wherever_it_stands() {
    let entry =
        only(&config(&json!({"command": "x ", "args": [" y"], "env": {"PLAIN": "value ", "API_TOKEN": "0123456789\n"}, "cwd": "/srv "})))
            .await;
    let places: Vec<_> = warnings(&entry)
        .iter()
        .filter_map(|warning| match warning {
            ReviewWarning::HiddenCharacters { place } => Some(place.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        places,
        ["command", "argument 1", "folder", "PLAIN", "API_TOKEN"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_runtime_that_is_missing_is_named_with_the_way_to_get_it() {
    let test = TestHost::new().await;
    let candidates = [
        ("dnx", Runtime::Dotnet),
        ("bunx", Runtime::Bun),
        ("deno", Runtime::Deno),
        ("java", Runtime::Java),
        ("uvx", Runtime::Uv),
    ];
    let (command_name, runtime) = candidates
        .into_iter()
        .find(|(command, _)| is_missing(command))
        .expect("every known runtime is installed here");
    let entry = only(&command(&[command_name, "server"])).await;
    assert!(warnings(&entry).contains(&ReviewWarning::RuntimeMissing { runtime }));
    keep_all(&test, &command(&[command_name, "server"])).await;
    let review = test
        .ask("review_server", json!({"server": "a"}))
        .await
        .unwrap();
    test.ask(
        "enable_server",
        json!({"server": "a", "reviewed": review["fingerprint"]}),
    )
    .await
    .unwrap();
    let _ = test.ask("list_tools", json!({"server": "a"})).await;
    let error = test.failure("a").await;
    assert_eq!(
        (error.code, error.runtime),
        (ErrorCode::RuntimeMissing, Some(runtime))
    );
    assert!(error.message.contains("https://"), "{error}");
    let path = only(&command(&["/no/such/folder/npx"])).await;
    assert!(warnings(&path).contains(&ReviewWarning::NotFound));
}

/// Whether no folder of PATH has this program.
fn is_missing(command: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).all(|folder| !folder.join(command).exists())
}
