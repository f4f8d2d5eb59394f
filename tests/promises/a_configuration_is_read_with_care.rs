//! Another application's configuration is read as it was meant, whatever state it is in, and
//! nothing of it runs by itself.

use crate::support::import::{choices, pasted, preview};
use crate::support::{TestHost, code};
use host::api::{ErrorCode, ImportOutcome, ImportPreview, ReviewWarning};
use serde_json::json;

async fn names(text: &str) -> Vec<String> {
    preview(text)
        .await
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| entry.source_name)
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_known_shape_is_found() {
    for (text, format) in [
        (
            r#"{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://example.com/mcp"}}}"#,
            "mcpServers",
        ),
        (
            r#"{"servers": {"a": {"type": "stdio", "command": "x"}, "b": {"type": "http", "url": "https://example.com/mcp"}}, "inputs": []}"#,
            "servers",
        ),
        (
            r#"{"mcp": {"servers": {"a": {"command": "x"}, "b": {"command": "y"}}}, "editor.fontSize": 12}"#,
            "servers",
        ),
        (
            r#"{"a": {"command": "x"}, "b": {"url": "https://example.com/mcp"}}"#,
            "mcpServers",
        ),
    ] {
        let preview = preview(text).await.unwrap();
        assert_eq!(preview.format, format);
        let found: Vec<_> = preview
            .entries
            .iter()
            .map(|entry| (entry.source_name.as_str(), entry.review.is_some()))
            .collect();
        assert_eq!(found, [("a", true), ("b", true)], "{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_that_is_not_json_is_refused_with_line_and_column() {
    let error =
        preview("{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\" \"args\": []}\n  }\n}")
            .await
            .unwrap_err();
    assert_eq!(error.code, ErrorCode::ImportUnreadable);
    assert!(
        error.message.contains("line 3") && error.message.contains("column"),
        "{error}"
    );
    for text in [
        "",
        "   ",
        "not json",
        "{\"mcpServers\": {",
        "{'mcpServers': {}}",
        "{\"mcpServers\": {\"a\": {\"command\": \"x}}}",
    ] {
        let code = code(preview(text).await);
        assert!(
            matches!(
                code,
                ErrorCode::ImportUnreadable | ErrorCode::ImportNoServers
            ),
            "{text:?}: {code:?}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn json_without_servers_is_refused_as_that() {
    for text in [
        "[]",
        "7",
        "null",
        "\"mcpServers\"",
        "{}",
        r#"{"theme": "dark"}"#,
        r#"{"mcpServers": []}"#,
        r#"{"mcpServers": "none"}"#,
    ] {
        assert_eq!(
            code(preview(text).await),
            ErrorCode::ImportNoServers,
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn comments_trailing_commas_and_a_byte_order_mark_are_fine() {
    let text = "\u{feff}// my servers\n{\n  \"mcpServers\": { /* the first */ \"a\": {\"command\": \"x\", \"args\": [\"-y\", \"// no comment\",],},\n },\n}\n";
    let preview = preview(text).await.unwrap();
    let launch = serde_json::to_value(&preview.entries[0].review.as_ref().unwrap().launch).unwrap();
    assert_eq!(launch["args"], json!(["-y", "// no comment"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn five_hundred_servers_are_read_and_kept() {
    let servers: serde_json::Map<_, _> = (0..500)
        .map(|n| {
            (
                format!("server {n}"),
                json!({"command": "x", "args": [n.to_string()]}),
            )
        })
        .collect();
    let text = json!({"mcpServers": servers}).to_string();
    let test = TestHost::new().await;
    let preview: ImportPreview = test
        .get("preview_import", json!({"from": pasted(&text)}))
        .await;
    let all: Vec<_> = preview
        .entries
        .iter()
        .map(|entry| json!({"source_name": entry.source_name, "name": entry.name}))
        .collect();
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": pasted(&text), "choices": all, "keep": "keyring"}),
        )
        .await;
    assert_eq!(
        (outcome.added.len(), outcome.failed.len()),
        (500, 0),
        "{:?}",
        outcome.failed
    );
    assert_eq!(test.again().await.host.snapshot().await.servers.len(), 502);
}

#[tokio::test(flavor = "multi_thread")]
async fn entries_of_one_name_are_all_shown_each_under_a_free_name() {
    let text = r#"{"mcpServers": {"Files": {"command": "one"}, "files": {"command": "two"}, "Files": {"command": "three"}, "currency": {"command": "four"}}}"#;
    let preview = preview(text).await.unwrap();
    let mut names: Vec<_> = preview
        .entries
        .iter()
        .map(|entry| entry.name.key())
        .collect();
    assert_eq!(names, ["files", "files-2", "files-3", "currency-2"]);
    names.dedup();
    assert_eq!(names.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn imported_servers_are_off_and_not_reviewed_and_a_taken_name_does_not_lose_the_others() {
    let test = TestHost::new().await;
    let text = r#"{"mcpServers": {"a": {"command": "x"}, "b": {"command": "y"}, "c": {}, "d": 7}}"#;
    let wanted = choices(&[
        ("a", "kept"),
        ("b", "Kept"),
        ("b", "other"),
        ("c", "c"),
        ("d", "d"),
        ("nobody", "n"),
        ("b", "not a name!"),
    ]);
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": pasted(text), "choices": wanted, "keep": "keyring"}),
        )
        .await;
    let added: Vec<_> = outcome
        .added
        .iter()
        .map(|server| (server.id.as_str(), server.on, server.reviewed))
        .collect();
    assert_eq!(added[0], ("kept", false, false));
    assert!(
        outcome
            .failed
            .iter()
            .any(|failure| failure.error.code == ErrorCode::NameTaken)
    );
    assert!(
        outcome
            .failed
            .iter()
            .any(|failure| failure.source_name == "c")
    );
    assert!(
        outcome
            .failed
            .iter()
            .any(|failure| failure.source_name == "d")
    );
    assert!(
        outcome
            .failed
            .iter()
            .any(|failure| failure.source_name == "nobody")
    );
    assert_eq!(
        code(
            test.ask("enable_server", json!({"server": "kept", "reviewed": null}))
                .await
        ),
        ErrorCode::ReviewNeeded
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn one_broken_entry_is_shown_as_such_beside_the_good_ones() {
    let text = r#"{"mcpServers": {"good": {"command": "x"}, "both": {"command": "x", "url": "https://example.com"}, "args": {"command": "x", "args": "one two"},
        "plain": {"url": "http://example.com/mcp"}, "env": {"command": "x", "env": {"A=B": "c"}}, "number": 3, "object": {"command": {"program": "x"}}, "last": {"command": "y"}}}"#;
    let entries = preview(text).await.unwrap().entries;
    let usable: Vec<_> = entries
        .iter()
        .filter(|entry| entry.review.is_some())
        .map(|entry| entry.source_name.as_str())
        .collect();
    assert_eq!(usable, ["good", "last"]);
    assert!(
        entries
            .iter()
            .all(|entry| entry.review.is_some() != entry.problem.is_some())
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn approvals_given_elsewhere_are_ignored_and_named() {
    let text = r#"{"mcpServers": {"a": {"command": "x", "alwaysAllow": ["delete"], "autoApprove": ["*"], "trust": true, "disabled": false}}}"#;
    let entry = &preview(text).await.unwrap().entries[0];
    assert_eq!(
        entry.ignored,
        ["alwaysAllow", "autoApprove", "trust", "disabled"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn values_that_look_secret_go_to_the_keyring_and_are_not_shown() {
    let test = TestHost::new().await;
    let text = r#"{"mcpServers": {"a": {"command": "x", "env": {"GITHUB_TOKEN": "ghp_0123456789abcdefghij", "LOG_LEVEL": "debug", "PORT": 8080}},
        "b": {"url": "https://example.com/mcp", "headers": {"Authorization": "Bearer 0123456789abcdef"}}}}"#;
    let preview: ImportPreview = test
        .get("preview_import", json!({"from": pasted(text)}))
        .await;
    assert_eq!(
        (
            &preview.entries[0].secrets[..],
            &preview.entries[1].secrets[..]
        ),
        (
            &["GITHUB_TOKEN".to_owned()][..],
            &["Authorization".to_owned()][..]
        )
    );
    let outcome: ImportOutcome =
        test.get("import_servers", json!({"from": pasted(text), "choices": choices(&[("a", "a"), ("b", "b")]), "keep": "keyring"})).await;
    let shown = json!([preview, outcome, test.host.snapshot().await]).to_string();
    assert!(shown.contains("GITHUB_TOKEN") && shown.contains("debug") && shown.contains("8080"));
    assert!(
        !shown.contains("ghp_0123456789abcdefghij") && !shown.contains("0123456789abcdef"),
        "{shown}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_characters_are_pointed_out_before_anything_is_kept() {
    let text =
        "{\"mcpServers\": {\"a\u{200b}b\": {\"command\": \"x\", \"args\": [\"safe\u{202e}exe\"]}}}";
    let entry = &preview(text).await.unwrap().entries[0];
    assert_eq!(entry.name.as_str(), "a-b");
    assert!(
        entry
            .review
            .as_ref()
            .unwrap()
            .warnings
            .contains(&ReviewWarning::HiddenCharacters {
                place: "argument 1".into()
            })
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn deep_nesting_and_endless_text_are_refused_without_harm() {
    let deep = format!(
        "{{\"mcpServers\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(code(preview(&deep).await), ErrorCode::ImportUnreadable);
    let open = "[".repeat(1_000_000);
    assert_eq!(code(preview(&open).await), ErrorCode::ImportUnreadable);
    let hidden_in_a_comment = format!("{{/* \" */ \"mcpServers\": {}}}", "{\"a\":".repeat(50_000));
    assert_eq!(
        code(preview(&hidden_in_a_comment).await),
        ErrorCode::ImportUnreadable
    );
    let long = format!(
        "{{\"mcpServers\": {{\"a\": {{\"command\": \"{}\"}}}}}}",
        "x".repeat(5 * 1024 * 1024)
    );
    assert_eq!(code(preview(&long).await), ErrorCode::ImportUnreadable);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_in_any_language_become_allowed_names() {
    let text = r#"{"mcpServers": {"文件": {"command": "x"}, "My Files (work)": {"command": "x"}, "": {"command": "x"}, "../../etc": {"command": "x"}}}"#;
    assert_eq!(
        names(text).await,
        ["文件", "My Files (work)", "", "../../etc"]
    );
    let kept: Vec<_> = preview(text)
        .await
        .unwrap()
        .entries
        .into_iter()
        .map(|entry| entry.name.as_str().to_owned())
        .collect();
    assert_eq!(kept, ["server", "My-Files-work", "server-2", "etc"]);
}
