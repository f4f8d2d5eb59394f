//! Configurations of other applications are found in their usual places, and no other file is ever
//! read.

use crate::support::import::line;
use crate::support::{Choices, TestHost, code};
use host::api::{Application, ErrorCode, FoundConfiguration, ImportOutcome, ImportPreview};
use host::{Folders, Os};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

const ONE: &str = r#"{"mcpServers": {"a": {"command": "x"}}}"#;

async fn host_of(home: &TempDir, os: Os) -> TestHost {
    TestHost::with(Choices {
        folders: Some(Folders::below(os, home.path().to_owned())),
        ..Choices::default()
    })
    .await
}

fn write(home: &Path, place: &str, text: impl AsRef<[u8]>) -> String {
    let path = home.join(place);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn found(test: &TestHost) -> Vec<FoundConfiguration> {
    test.get("find_configurations", Value::Null).await
}

fn by(application: Application, path: &str) -> Value {
    json!({"kind": "found", "application": application, "path": path})
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_there_is_listed_with_its_number_of_servers() {
    let home = tempfile::tempdir().unwrap();
    let test = host_of(&home, Os::Linux).await;
    assert_eq!(found(&test).await, []);
    write(home.path(), ".cursor/mcp.json", ONE);
    write(
        home.path(),
        ".codex/config.toml",
        "[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.b]\nurl = \"https://example.com\"\n",
    );
    write(
        home.path(),
        ".config/goose/config.yaml",
        "extensions:\n  a: {cmd: x}\n",
    );
    write(
        home.path(),
        ".config/zed/settings.json",
        "{ // nothing here\n \"theme\": \"One\" }",
    );
    let listed: Vec<_> = found(&test)
        .await
        .into_iter()
        .map(|found| (found.application, found.servers, found.problem))
        .collect();
    assert_eq!(
        listed,
        [
            (Application::Cursor, 1, None),
            (Application::Codex, 2, None),
            (Application::Zed, 0, None),
            (Application::Goose, 1, None)
        ]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn every_system_has_its_own_places() {
    for (os, place) in [
        (Os::Linux, ".config/Code/User/mcp.json"),
        (Os::Mac, "Library/Application Support/Code/User/mcp.json"),
        (Os::Windows, "AppData/Roaming/Code/User/mcp.json"),
    ] {
        let home = tempfile::tempdir().unwrap();
        write(
            home.path(),
            place,
            r#"{"servers": {"a": {"command": "x"}}}"#,
        );
        let listed = found(&host_of(&home, os).await).await;
        assert_eq!(
            listed
                .iter()
                .map(|found| (found.application, found.servers))
                .collect::<Vec<_>>(),
            [(Application::VsCode, 1)],
            "{os:?}"
        );
    }
    let home = tempfile::tempdir().unwrap();
    write(
        home.path(),
        "AppData/Local/Packages/Claude_pzs8sxrjxfjjc/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ONE,
    );
    write(
        home.path(),
        "AppData/Local/Packages/Other_1/LocalCache/Roaming/Claude/claude_desktop_config.json",
        ONE,
    );
    let listed = found(&host_of(&home, Os::Windows).await).await;
    assert_eq!(
        listed
            .iter()
            .map(|found| found.application)
            .collect::<Vec<_>>(),
        [Application::ClaudeDesktop]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn the_projects_of_claude_code_are_looked_into() {
    let home = tempfile::tempdir().unwrap();
    let project = home.path().join("work");
    let own = write(&project, ".mcp.json", ONE);
    let elsewhere = write(home.path(), "unknown/.mcp.json", ONE);
    let config = json!({"mcpServers": {}, "projects": {project.to_str().unwrap(): {}, "relative": {}, "//server/share": {}, "\\\\server\\share": {}}});
    write(home.path(), ".claude.json", config.to_string());
    let test = host_of(&home, Os::Linux).await;
    let paths: Vec<_> = found(&test)
        .await
        .into_iter()
        .map(|found| found.path)
        .collect();
    assert_eq!(paths.len(), 2, "{paths:?}");
    assert_eq!(paths[1], own);
    assert!(!paths.contains(&elsewhere));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_found_configuration_is_previewed_and_kept_by_its_place() {
    let home = tempfile::tempdir().unwrap();
    let text = r#"{"mcpServers": {"a": {"command": "x"}, "a": {"command": "second"}}}"#;
    let path = write(home.path(), ".cursor/mcp.json", text);
    let test = host_of(&home, Os::Linux).await;
    let from = by(Application::Cursor, &path);
    let preview: ImportPreview = test.get("preview_import", json!({"from": from})).await;
    assert_eq!(line(&preview.entries[1]), "second");
    let second = json!([{"place": 1, "source_name": "a", "name": "a"}, {"place": 1, "source_name": "a", "name": "again"}]);
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": from, "choices": second, "keep": "keyring"}),
        )
        .await;
    assert_eq!((outcome.added.len(), outcome.failed.len()), (1, 1));
    assert_eq!(
        serde_json::to_value(&outcome.added[0].launch).unwrap()["command"],
        "second"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn an_entry_that_was_exchanged_since_the_preview_is_not_kept() {
    let home = tempfile::tempdir().unwrap();
    let path = write(home.path(), ".cursor/mcp.json", ONE);
    let test = host_of(&home, Os::Linux).await;
    let from = by(Application::Cursor, &path);
    test.ask("preview_import", json!({"from": from}))
        .await
        .unwrap();
    write(
        home.path(),
        ".cursor/mcp.json",
        r#"{"mcpServers": {"b": {"command": "other"}, "a": {"command": "x"}}}"#,
    );
    let choice = json!([{"place": 0, "source_name": "a", "name": "a"}]);
    let outcome: ImportOutcome = test
        .get(
            "import_servers",
            json!({"from": from, "choices": choice, "keep": "keyring"}),
        )
        .await;
    assert_eq!((outcome.added.len(), outcome.failed.len()), (0, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_cannot_have_any_other_file_read() {
    let home = tempfile::tempdir().unwrap();
    let path = write(home.path(), ".cursor/mcp.json", ONE);
    let secret = write(home.path(), "private.json", ONE);
    let test = host_of(&home, Os::Linux).await;
    let around = format!("{}/.cursor/../private.json", home.path().display());
    let attempts = [
        (Application::Cursor, secret.as_str()),
        (Application::Cursor, &around),
        (Application::Cursor, "/etc/passwd"),
        (Application::Cursor, ".cursor/mcp.json"),
        (Application::Cursor, ""),
        (Application::Windsurf, &path),
    ];
    for (application, wanted) in attempts {
        let from = by(application, wanted);
        assert_eq!(
            code(test.ask("preview_import", json!({"from": from})).await),
            ErrorCode::BadPath,
            "{wanted}"
        );
        let import = json!({"from": from, "choices": [], "keep": "keyring"});
        assert_eq!(
            code(test.ask("import_servers", import).await),
            ErrorCode::BadPath,
            "{wanted}"
        );
    }
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_read_is_listed_with_the_reason() {
    let home = tempfile::tempdir().unwrap();
    write(home.path(), ".cursor/mcp.json", "{ broken");
    write(home.path(), ".codex/config.toml", "[mcp_servers.a\n");
    write(
        home.path(),
        ".lmstudio/mcp.json",
        vec![b' '; 4 * 1024 * 1024 + 1],
    );
    write(home.path(), ".kiro/settings/mcp.json", [0xff, 0xfe, 0x00]);
    fs::create_dir_all(home.path().join(".gemini/settings.json")).unwrap();
    fs::create_dir_all(home.path().join(".copilot")).unwrap();
    std::os::unix::fs::symlink(
        "/nowhere/at/all",
        home.path().join(".copilot/mcp-config.json"),
    )
    .unwrap();
    fs::create_dir_all(home.path().join(".codeium/windsurf")).unwrap();
    let pipe = home.path().join(".codeium/windsurf/mcp_config.json");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let listed = found(&host_of(&home, Os::Linux).await).await;
    let problem = |application: Application| {
        let found = listed
            .iter()
            .find(|found| found.application == application)
            .unwrap_or_else(|| panic!("{application:?} is not listed"));
        assert_eq!(found.servers, 0);
        found.problem.clone().unwrap()
    };
    assert!(problem(Application::Cursor).contains("not JSON"));
    assert!(problem(Application::Codex).contains("not TOML"));
    assert!(problem(Application::LmStudio).contains("4 MiB"));
    assert!(problem(Application::Kiro).contains("UTF-8"));
    assert!(problem(Application::GeminiCli).contains("not a file"));
    assert!(problem(Application::Copilot).contains("cannot be read"));
    assert!(problem(Application::Windsurf).contains("not a file"));
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_to_a_configuration_is_followed() {
    let home = tempfile::tempdir().unwrap();
    let target = write(home.path(), "dotfiles/cursor.json", ONE);
    fs::create_dir_all(home.path().join(".cursor")).unwrap();
    std::os::unix::fs::symlink(target, home.path().join(".cursor/mcp.json")).unwrap();
    let listed = found(&host_of(&home, Os::Linux).await).await;
    assert_eq!(
        listed
            .iter()
            .map(|found| (found.servers, found.problem.as_deref()))
            .collect::<Vec<_>>(),
        [(1, None)]
    );
}
