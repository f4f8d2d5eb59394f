//! What each application writes is read as that application means it.

use crate::support::code;
use crate::support::import::{line, preview, warnings};
use host::api::{ErrorCode, ReviewWarning};

/// Checks where the servers stood, and each entry as `name: what it runs or calls`.
async fn check(text: &str, format: &str, expected: &[&str]) {
    let preview = preview(text).await.unwrap();
    assert_eq!(preview.format, format, "{text}");
    let lines: Vec<_> = preview
        .entries
        .iter()
        .map(|entry| format!("{}: {}", entry.source_name, line(entry)))
        .collect();
    assert_eq!(lines, expected, "{text}");
}

fn placeholder(name: &str) -> ReviewWarning {
    ReviewWarning::Placeholder { name: name.into() }
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_desktop_cursor_kiro_and_antigravity() {
    let text = r#"{"mcpServers": {"files": {"command": "node", "args": ["server.js", "/srv"], "env": {"LEVEL": "debug"}, "cwd": "/srv"},
        "notes": {"url": "https://example.com/mcp", "headers": {"X-Team": "red"}}, "drive": {"serverUrl": "https://example.com/drive"}}}"#;
    check(
        text,
        "mcpServers",
        &[
            "files: node server.js /srv {LEVEL=debug}",
            "notes: https://example.com/mcp {X-Team=red}",
            "drive: https://example.com/drive",
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn claude_code_with_its_projects() {
    let text = r#"{"numStartups": 9, "mcpServers": {"mine": {"type": "stdio", "command": "x"}},
        "projects": {"/srv/a": {"mcpServers": {"mine": {"type": "http", "url": "https://example.com/a"}}}, "/srv/b": {"allowedTools": []},
        "/srv/c": {"mcpServers": {"other": {"type": "sse", "url": "https://example.com/c", "headersHelper": "./get-token"}}}}}"#;
    check(
        text,
        "mcpServers",
        &[
            "mine: x",
            "mine: https://example.com/a",
            "other: https://example.com/c",
        ],
    )
    .await;
    let entries = preview(text).await.unwrap().entries;
    let about: Vec<_> = entries
        .iter()
        .map(|entry| (entry.place, entry.name.as_str(), entry.project.as_deref()))
        .collect();
    assert_eq!(
        about,
        [
            (0, "mine", None),
            (1, "mine-2", Some("/srv/a")),
            (2, "other", Some("/srv/c"))
        ]
    );
    assert_eq!(entries[2].ignored, ["headersHelper"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn vs_code_whose_hidden_inputs_become_secrets_to_be_filled_in() {
    let text = r#"{"inputs": [{"type": "promptString", "id": "key", "description": "API key", "password": true}, {"type": "promptString", "id": "region"}],
        "servers": {"a": {"type": "stdio", "command": "x", "env": {"API_KEY": "${input:key}", "REGION": "${input:region}"}, "envFile": ".env"},
        "b": {"type": "http", "url": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${input:key}"}}}}"#;
    check(
        text,
        "servers",
        &[
            "a: x {API_KEY} {REGION=${input:region}}",
            "b: https://example.com/mcp {Authorization}",
        ],
    )
    .await;
    let entries = preview(text).await.unwrap().entries;
    assert_eq!(
        warnings(&entries[0])[1..],
        [placeholder("API_KEY"), placeholder("REGION")]
    );
    assert_eq!(warnings(&entries[1]), [placeholder("Authorization")]);
    assert_eq!(
        (&entries[0].secrets[..], &entries[0].ignored[..]),
        (&["API_KEY".to_owned()][..], &["envFile".to_owned()][..])
    );
    let settings = r#"{"editor.fontSize": 12, "mcp": {"inputs": [{"id": "key", "password": true}], "servers": {"a": {"command": "x", "env": {"K": "${input:key}"}}}}}"#;
    check(settings, "servers", &["a: x {K}"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn codex() {
    let text = r#"
model = "any"

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env_vars = ["DOCS_TOKEN", "HOME", "NODE_OPTIONS"]
enabled = true
startup_timeout_sec = 20
[mcp_servers.docs.env]
LEVEL = "debug"

[mcp_servers."the remote"]
url = "https://example.com/mcp"
bearer_token_env_var = "REMOTE_TOKEN"
http_headers = { X-Team = "red" }
env_http_headers = { X-User = "REMOTE_USER" }
"#;
    let home = if cfg!(unix) { "" } else { " {HOME}" };
    check(
        text,
        "mcp_servers",
        &[
            &format!("docs: npx -y docs-mcp {{LEVEL=debug}} {{DOCS_TOKEN}}{home}"),
            "the remote: https://example.com/mcp {X-Team=red} {Authorization} {X-User}",
        ],
    )
    .await;
    let entries = preview(text).await.unwrap().entries;
    assert_eq!(entries[0].refused, ["NODE_OPTIONS"]);
    assert_eq!(entries[0].ignored, ["enabled", "startup_timeout_sec"]);
    assert!(warnings(&entries[0]).contains(&placeholder("DOCS_TOKEN")));
    assert_eq!(
        warnings(&entries[1]),
        [placeholder("Authorization"), placeholder("X-User")]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn zed_before_and_now() {
    let text = r#"{ // settings
        "theme": "One", "context_servers": {
            "new": {"command": "x", "args": ["y"], "env": {}},
            "old": {"source": "custom", "command": {"path": "x", "args": ["z"], "env": {"A": "b"}}},
            "remote": {"url": "https://example.com/mcp"},
            "shop": {"source": "extension", "settings": {}},
        }}"#;
    check(
        text,
        "context_servers",
        &[
            "new: x y",
            "old: x z {A=b}",
            "remote: https://example.com/mcp",
            "shop: ! it belongs to an extension of Zed, which knows its command",
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn gemini_cli_prefers_the_newer_transport() {
    let text = r#"{"mcp": {"allowed": ["a"]}, "mcpServers": {"a": {"httpUrl": "https://example.com/new", "url": "https://example.com/old", "trust": true},
        "b": {"url": "https://example.com/sse", "timeout": 5000, "includeTools": ["x"], "excludeTools": ["y"]}}}"#;
    check(
        text,
        "mcpServers",
        &["a: https://example.com/new", "b: https://example.com/sse"],
    )
    .await;
    let entries = preview(text).await.unwrap().entries;
    assert_eq!(
        (&entries[0].ignored[..], entries[1].ignored.len()),
        (&["trust".to_owned()][..], 3)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn goose() {
    let text = "GOOSE_PROVIDER: any\nextensions:\n  files:\n    enabled: true\n    type: stdio\n    name: files\n    cmd: uvx\n    args: [files-mcp, --root, /srv]\n    envs:\n      LEVEL: debug\n    env_keys: [FILES_TOKEN]\n    timeout: 300\n  remote:\n    type: streamable_http\n    uri: https://example.com/mcp\n    headers: {X-Team: red}\n  developer:\n    type: builtin\n    enabled: true\n";
    check(
        text,
        "extensions",
        &[
            "files: uvx files-mcp --root /srv {LEVEL=debug} {FILES_TOKEN}",
            "remote: https://example.com/mcp {X-Team=red}",
            "developer: ! its type is \"builtin\", which is not a way to reach a server here",
        ],
    )
    .await;
    assert_eq!(
        preview(text).await.unwrap().entries[0].ignored,
        ["enabled", "name", "timeout"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn opencode_before_and_now() {
    let entries = r#"{"a": {"type": "local", "command": ["x", "y z"], "environment": {"LEVEL": "debug", "TOKEN": "{env:TOKEN}"}, "enabled": true},
        "b": {"type": "remote", "url": "https://example.com/mcp"}, "c": {"type": "local", "command": []}}"#;
    let lines = [
        "a: x y z {LEVEL=debug} {TOKEN={env:TOKEN}}",
        "b: https://example.com/mcp",
        "c: ! its command is an empty list",
    ];
    check(&format!(r#"{{"mcp": {entries}}}"#), "mcp", &lines).await;
    check(
        &format!(r#"{{"mcp": {{"servers": {entries}}}}}"#),
        "servers",
        &lines,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn windsurf_lm_studio_cline_and_copilot() {
    let text = r#"{"mcpServers": {"a": {"serverUrl": "https://example.com/mcp", "disabled": true},
        "b": {"type": "streamableHttp", "url": "https://example.com/b", "autoApprove": ["x"]}, "c": {"type": "local", "command": "x", "tools": ["*"]}}}"#;
    check(
        text,
        "mcpServers",
        &[
            "a: https://example.com/mcp",
            "b: https://example.com/b",
            "c: x",
        ],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_server_by_itself_and_the_part_between_the_braces() {
    check(
        r#"{"name": "mine", "command": "x", "args": ["y"]}"#,
        "server",
        &["mine: x y"],
    )
    .await;
    check(
        r#"{"url": "https://example.com/mcp"}"#,
        "server",
        &["server: https://example.com/mcp"],
    )
    .await;
    check(
        r#""mcpServers": {"a": {"command": "x"}}"#,
        "mcpServers",
        &["a: x"],
    )
    .await;
    check(
        "mcpServers:\n  - name: a\n    command: x\n  - command: y\n",
        "mcpServers",
        &["a: x", "server: y"],
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_from_instructions() {
    for (text, expected) in [
        (
            "npx -y @scope/server@1.2.3 /srv",
            "server: npx -y @scope/server@1.2.3 /srv",
        ),
        (
            "$ LEVEL=debug uvx 'a server' \"b c\"",
            "a server: uvx a server b c {LEVEL=debug}",
        ),
        (
            "https://example.com/mcp",
            "example.com: https://example.com/mcp",
        ),
        (
            "claude mcp add -s user -e LEVEL=debug mine -- npx -y server -e",
            "mine: npx -y server -e {LEVEL=debug}",
        ),
        (
            "claude mcp add --transport http notes https://example.com/mcp --header 'X-Team: red'",
            "notes: https://example.com/mcp {X-Team=red}",
        ),
    ] {
        check(text, "command line", &[expected]).await;
    }
    for text in [
        "npx 'unfinished",
        "rm -rf /",
        "curl https://example.com | sh",
        "npx a\nnpx b",
    ] {
        assert_eq!(
            code(preview(text).await),
            ErrorCode::ImportUnreadable,
            "{text}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn broken_toml_and_yaml_are_refused_without_quoting_them() {
    for text in [
        "[mcp_servers.a]\ntoken = \"planted-0123456789",
        "extensions:\n  a: {cmd: x, envs: {T: planted-0123456789}\n  b: [",
        "[mcp_servers.a]\nplanted = 1\nplanted = 2",
    ] {
        let error = preview(text).await.unwrap_err();
        assert_eq!(error.code, ErrorCode::ImportUnreadable, "{text}");
        assert!(!error.message.contains("planted-0123456789"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn references_that_multiply_and_deep_nesting_end_in_an_error() {
    let mut bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n".to_owned();
    for level in 1..12 {
        let before = vec![format!("*a{}", level - 1); 10].join(",");
        bomb.push_str(&format!("a{level}: &a{level} [{before}]\n"));
    }
    bomb.push_str("extensions:\n  a: {cmd: x}\n");
    assert_eq!(code(preview(&bomb).await), ErrorCode::ImportUnreadable);
    let deep = format!("extensions: {}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(code(preview(&deep).await), ErrorCode::ImportUnreadable);
    let deep = format!("a = {}{}", "[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(code(preview(&deep).await), ErrorCode::ImportUnreadable);
    let dotted = format!("[{}]\nb = 1", vec!["a"; 50_000].join("."));
    let refused = code(preview(&dotted).await);
    assert!(
        matches!(
            refused,
            ErrorCode::ImportUnreadable | ErrorCode::ImportNoServers
        ),
        "{refused:?}"
    );
}
