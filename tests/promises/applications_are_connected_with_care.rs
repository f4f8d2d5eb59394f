//! Other applications are connected by one entry in their configurations: shown before, to the line,
//! taken back byte for byte, and never at the cost of what somebody else wrote.

use crate::support::import::{keep_all, pasted};
use crate::support::mcp_client::MODERN;
use crate::support::terminal::{Ran, Terminal};
use crate::support::{Choices, TestHost, code, misbehave, programs};
use host::api::{
    Application, ApplicationView, Bypass, ConnectionChange, ConnectionPlan, ConnectionPreview,
    ConnectionState, ErrorCode, FileFate, GatewayView, ImportPreview, LineKind,
};
use host::{Folders, Os};
use protocol::{Fingerprint, TokenHash};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What each application's file looks like after a while: comments, line ends of Windows, a byte
/// order mark, other settings, other servers.
const FILES: [(Application, &str, &str); 22] = [
    (
        Application::ClaudeDesktop,
        ".config/Claude/claude_desktop_config.json",
        "{\r\n  \"mcpServers\": {\r\n    \"files\": {\r\n      \"command\": \"npx\"\r\n    }\r\n  }\r\n}\r\n",
    ),
    (
        Application::ClaudeCode,
        ".claude.json",
        "{\n  \"numStartups\": 9,\n  \"projects\": {\n    \"/srv\": {}\n  }\n}",
    ),
    (
        Application::Cursor,
        ".cursor/mcp.json",
        "{\n\t// my servers\n\t\"mcpServers\": {\n\t\t\"a\": { \"command\": \"x\" }, // one\n\t}\n}\n",
    ),
    (
        Application::VsCode,
        ".config/Code/User/mcp.json",
        "{\n    \"inputs\": [],\n    \"servers\": {}\n}\n",
    ),
    (
        Application::VsCode,
        ".config/VSCodium/User/mcp.json",
        "{\"servers\": {\"a\": {\"command\": \"x\"}}}",
    ),
    (
        Application::Cline,
        ".config/Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
        "{\n  \"mcpServers\": {}\n}",
    ),
    (
        Application::RooCode,
        ".config/Code/User/globalStorage/rooveterinaryinc.roo-cline/settings/mcp_settings.json",
        "\u{feff}{\"mcpServers\": {}}",
    ),
    (
        Application::Codex,
        ".codex/config.toml",
        "# mine\r\nmodel = \"x\"\r\n\r\n[mcp_servers.files] # why\r\ncommand = \"npx\"\r\n\r\n[tui]\r\ntheme = 'one'\r\n",
    ),
    (
        Application::Windsurf,
        ".codeium/windsurf/mcp_config.json",
        "{}",
    ),
    (
        Application::Windsurf,
        ".config/devin/mcp_config.json",
        "{\n  \"mcpServers\": {}\n}\n",
    ),
    (
        Application::Zed,
        ".config/zed/settings.json",
        "// Zed\n{\n  \"theme\": \"One\", // dark\n  \"context_servers\": {\n    \"a\": {\"command\": \"x\"},\n  },\n}\n",
    ),
    (
        Application::GeminiCli,
        ".gemini/settings.json",
        "{ \"theme\": \"Default\" }\n",
    ),
    (Application::LmStudio, ".lmstudio/mcp.json", ""),
    (
        Application::Goose,
        ".config/goose/config.yaml",
        "# mine\nGOOSE_MODEL: x\nextensions:\n  developer: # built in\n    enabled: true\n    type: builtin\n# last\n",
    ),
    (
        Application::Opencode,
        ".config/opencode/opencode.jsonc",
        "{\n  \"$schema\": \"https://opencode.ai/config.json\", // s\n  \"mcp\": {}\n}\n",
    ),
    (
        Application::Copilot,
        ".copilot/mcp-config.json",
        "{\n  \"mcpServers\": {\n  }\n}\n",
    ),
    (
        Application::Kiro,
        ".kiro/settings/mcp.json",
        "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"disabled\": true\n    }\n  }\n}\n",
    ),
    (
        Application::Antigravity,
        ".gemini/config/mcp_config.json",
        "{\n  \"mcpServers\": {}\n}\n",
    ),
    (Application::Junie, ".junie/mcp/mcp.json", "{}\n"),
    (
        Application::Warp,
        ".warp/.mcp.json",
        "{\n  \"mcpServers\": {}\n}\n",
    ),
    (
        Application::Amp,
        ".config/amp/settings.json",
        "{\n  // keys\n  \"amp.url\": \"x\"\n}\n",
    ),
    (
        Application::Continue,
        ".continue/config.yaml",
        "name: mine\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: a # one\n    command: x\n\nmodels: []\n",
    ),
];

/// A home of nobody, and a host that looks there.
struct Home {
    dir: TempDir,
    test: TestHost,
}

impl Home {
    async fn new() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let test = TestHost::with(Choices {
            folders: Some(Folders::below(Os::Linux, dir.path().to_owned())),
            ..Choices::default()
        })
        .await;
        Self { dir, test }
    }

    fn path(&self, place: &str) -> PathBuf {
        self.dir.path().join(place)
    }

    fn write(&self, place: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    fn read(&self, place: &str) -> String {
        fs::read_to_string(self.path(place)).unwrap()
    }

    async fn found(&self) -> Vec<ApplicationView> {
        self.test.get("list_applications", Value::Null).await
    }

    async fn one(&self, place: &str) -> ApplicationView {
        let path = self.path(place);
        let mut all = self.found().await.into_iter();
        all.find(|one| Path::new(&one.path) == path).unwrap()
    }

    async fn preview(&self, application: Application, place: &str) -> ConnectionPreview {
        let params = json!({"application": application, "path": self.path(place)});
        self.test.get("preview_connection", params).await
    }

    async fn try_connect(
        &self,
        application: Application,
        place: &str,
        hash: &Fingerprint,
    ) -> Result<Value, host::HostError> {
        let params = json!({"application": application, "path": self.path(place), "hash": hash});
        self.test.ask("connect_application", params).await
    }

    async fn connect(&self, application: Application, place: &str) -> ApplicationView {
        let preview = self.preview(application, place).await;
        let hash = written(&preview).1;
        let view = self.try_connect(application, place, &hash).await.unwrap();
        serde_json::from_value(view).unwrap()
    }

    async fn undo(&self, application: Application, place: &str) -> FileFate {
        let params = json!({"application": application, "path": self.path(place)});
        let preview: ConnectionPreview = self.test.get("preview_disconnection", params).await;
        let (file, hash) = written(&preview);
        let params = json!({"application": application, "path": self.path(place), "hash": hash});
        let view: ApplicationView = self.test.get("disconnect_application", params).await;
        assert_eq!(view.connection, ConnectionState::NotConnected);
        file
    }

    /// Where applications come in over HTTP, once this one may.
    async fn address_over_http(&self, name: &str) -> String {
        let client = self.test.add_client(name).await;
        let params = json!({"client": client, "hash": TokenHash::of("a token")});
        self.test.ask("set_client_token", params).await.unwrap();
        loop {
            let view: GatewayView = self.test.get("list_clients", json!({})).await;
            match view.address {
                Some(address) => return address,
                None => tokio::task::yield_now().await,
            }
        }
    }

    async fn clients(&self) -> Vec<String> {
        let view: GatewayView = self.test.get("list_clients", json!({})).await;
        let ids = view.clients.iter().map(|client| client.id.to_string());
        ids.collect()
    }
}

fn written(preview: &ConnectionPreview) -> (FileFate, Fingerprint) {
    match &preview.plan {
        ConnectionPlan::Write { file, hash, .. } => (*file, hash.clone()),
        ConnectionPlan::Paste { problem, .. } => panic!("{}: {problem}", preview.path),
    }
}

fn shown(preview: &ConnectionPreview) -> Vec<String> {
    let ConnectionPlan::Write { lines, .. } = &preview.plan else {
        panic!("{preview:?}")
    };
    let mark = |kind| match kind {
        LineKind::Same => ' ',
        LineKind::Removed => '-',
        LineKind::Added => '+',
    };
    let lines = lines.iter();
    lines
        .map(|line| format!("{}{}", mark(line.kind), line.text))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_application_is_connected_by_one_entry_and_undone_byte_for_byte() {
    let home = Home::new().await;
    for (_, place, text) in FILES {
        home.write(place, text);
    }
    let found = home.found().await;
    assert_eq!(found.len(), FILES.len(), "{found:#?}");
    let program = programs().own.to_str().unwrap().to_owned();
    for (application, place, text) in FILES {
        let before = home.one(place).await;
        assert_eq!(
            (before.application, before.connection),
            (application, ConnectionState::NotConnected),
            "{place}"
        );
        let connected = home.connect(application, place).await;
        assert_eq!(connected.connection, ConnectionState::Written, "{place}");
        let client = connected.client.unwrap().to_string();
        assert_eq!(home.clients().await, std::slice::from_ref(&client));
        let with = home.read(place);
        for part in [&program, "bridge", "--client", &client] {
            assert!(with.contains(part), "{place}: {with}");
        }
        assert!(!with.contains("mjd_"), "no token is in it: {with}");
        let comments = text.lines().filter_map(|line| line.split_once("//"));
        for (_, comment) in comments.filter(|(before, _)| !before.ends_with(':')) {
            assert!(with.contains(comment), "{place}: {with}");
        }
        let backup = fs::read_to_string(connected.backup.unwrap()).unwrap();
        assert_eq!(backup, text, "{place}");
        assert_eq!(home.undo(application, place).await, FileFate::Restored);
        assert_eq!(home.read(place), text, "{place}");
        assert_eq!(home.clients().await, Vec::<String>::new());
        let folder = home.path(place);
        let beside = fs::read_dir(folder.parent().unwrap()).unwrap();
        let leftovers: Vec<_> = beside
            .map(|one| one.unwrap().file_name())
            .filter(|name| name.to_string_lossy().ends_with(".majordomo"))
            .collect();
        assert_eq!(leftovers, Vec::<std::ffi::OsString>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_application_without_a_file_gets_one_that_goes_with_the_connection() {
    let home = Home::new().await;
    let homes = [
        (Application::Cursor, ".cursor", ".cursor/mcp.json"),
        (Application::Junie, ".junie", ".junie/mcp/mcp.json"),
        (Application::Codex, ".codex", ".codex/config.toml"),
        (
            Application::Goose,
            ".config/goose",
            ".config/goose/config.yaml",
        ),
        (Application::Continue, ".continue", ".continue/config.yaml"),
    ];
    for (application, folder, place) in homes {
        assert_eq!(home.found().await, []);
        fs::create_dir_all(home.path(folder)).unwrap();
        let preview = home.preview(application, place).await;
        assert_eq!(written(&preview).0, FileFate::Made);
        assert!(!home.path(place).exists(), "a preview writes nothing");
        home.connect(application, place).await;
        assert!(home.read(place).contains("--client"));
        assert_eq!(home.undo(application, place).await, FileFate::Removed);
        assert!(!home.path(place).exists());
        fs::remove_dir_all(home.path(folder)).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_shown_are_the_lines_that_change_without_a_secret() {
    let home = Home::new().await;
    let text = "{\n  \"mcpServers\": {\n    \"a\": {\n      \"command\": \"x\",\n      \"env\": { \"API_TOKEN\": \"hunter2-hunter2\" }\n    }\n  }\n}\n";
    home.write(".cursor/mcp.json", text);
    let preview = home.preview(Application::Cursor, ".cursor/mcp.json").await;
    let lines = shown(&preview);
    let taken = lines.iter().filter(|line| line.starts_with('-'));
    assert_eq!(taken.count(), 0, "{lines:#?}");
    assert!(
        lines.contains(&"+    \"majordomo\": {".to_owned()),
        "{lines:#?}"
    );
    assert!(
        !json!(preview).to_string().contains("hunter2"),
        "{preview:?}"
    );
    assert_eq!(home.read(".cursor/mcp.json"), text);
}

#[tokio::test(flavor = "multi_thread")]
async fn connected_is_who_has_come_in_by_the_entry() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    home.write(place, "{}");
    let _serving = loopback::serve(home.test.host.clone(), None, None)
        .await
        .unwrap();
    home.connect(Application::Cursor, place).await;
    let file: Value = serde_json::from_str(&home.read(place)).unwrap();
    let entry = &file["mcpServers"]["majordomo"];
    let args = entry["args"].as_array().unwrap().iter();
    // As the application would start it.
    let mut bridge = Command::new(entry["command"].as_str().unwrap())
        .args(args.map(|word| word.as_str().unwrap()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let ask = json!({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {}}}});
    writeln!(bridge.stdin.as_mut().unwrap(), "{ask}").unwrap();
    let mut line = String::new();
    BufReader::new(bridge.stdout.take().unwrap())
        .read_line(&mut line)
        .unwrap();
    assert!(line.contains(MODERN), "{line}");
    let connection = home.one(place).await.connection;
    assert!(
        matches!(connection, ConnectionState::Connected { .. }),
        "{connection:?}"
    );
    drop(bridge.stdin.take());
    bridge.wait().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_is_not_what_was_shown_is_left_alone() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    home.write(place, "{}");
    let hash = written(&home.preview(Application::Cursor, place).await).1;
    let theirs = "{\"mcpServers\": {\"new\": {\"command\": \"y\"}}}";
    home.write(place, theirs);
    let refused = home.try_connect(Application::Cursor, place, &hash).await;
    assert_eq!(code(refused), ErrorCode::FileChanged);
    assert_eq!(home.read(place), theirs);
    assert_eq!(home.clients().await, Vec::<String>::new());

    home.connect(Application::Cursor, place).await;
    let params = json!({"application": "cursor", "path": home.path(place)});
    let undo: ConnectionPreview = home.test.get("preview_disconnection", params).await;
    let changed = home.read(place).replace("\"y\"", "\"z\"");
    home.write(place, &changed);
    let params =
        json!({"application": "cursor", "path": home.path(place), "hash": written(&undo).1});
    let refused = home.test.ask("disconnect_application", params).await;
    assert_eq!(code(refused), ErrorCode::FileChanged);
    assert_eq!(home.read(place), changed);
    assert_eq!(home.clients().await, ["cursor"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_file_that_others_changed_since_only_the_entry_is_taken_out() {
    let home = Home::new().await;
    for (application, place, text) in [
        (
            Application::Cursor,
            ".cursor/mcp.json",
            "{\n  \"mcpServers\": {\n    \"a\": {\"command\": \"mine\"}\n  }\n}\n",
        ),
        (
            Application::Codex,
            ".codex/config.toml",
            "[mcp_servers.a]\ncommand = \"mine\"\n",
        ),
        (
            Application::Goose,
            ".config/goose/config.yaml",
            "extensions:\n  a:\n    cmd: mine\n",
        ),
    ] {
        home.write(place, text);
        home.connect(application, place).await;
        let theirs = |text: &str| text.replace("mine", "theirs");
        home.write(place, theirs(&home.read(place)));
        assert_eq!(home.undo(application, place).await, FileFate::Changed);
        assert_eq!(home.read(place), theirs(text), "{place}");
        assert_eq!(home.clients().await, Vec::<String>::new());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn drift_is_noticed_and_mended_by_connecting_again() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    home.write(place, "{}");
    home.connect(Application::Cursor, place).await;
    let with = home.read(place);
    let state = async || home.one(place).await.connection;
    let changed = |what| ConnectionState::Changed { what };
    home.write(place, "{}");
    assert_eq!(state().await, changed(ConnectionChange::Gone));
    home.write(place, with.replace("bridge", "serve"));
    assert_eq!(state().await, changed(ConnectionChange::Altered));
    home.write(place, "{ broken");
    let broken = state().await;
    assert!(
        matches!(broken, ConnectionState::Unreadable { .. }),
        "{broken:?}"
    );
    home.write(place, &with);
    home.test
        .ask("remove_client", json!({"client": "cursor"}))
        .await
        .unwrap();
    assert_eq!(state().await, changed(ConnectionChange::NotLetIn));
    let mended = home.connect(Application::Cursor, place).await;
    assert_eq!(mended.connection, ConnectionState::Written);
    assert_eq!(home.clients().await, ["cursor"]);
    assert_eq!(
        home.undo(Application::Cursor, place).await,
        FileFate::Restored
    );
    assert_eq!(home.read(place), "{}");
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_written_stays_and_there_is_something_to_paste() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new().await;
    let read_only = home.write(".kiro/settings/mcp.json", "{}");
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o444)).unwrap();
    fs::create_dir_all(home.path(".gemini/settings.json")).unwrap();
    home.write(".cursor/mcp.json", "{ broken");
    home.write(".codex/config.toml", "mcp_servers = 7\n");
    home.write(".warp/.mcp.json", [0xff, 0xfe]);
    home.write(
        ".config/goose/config.yaml",
        "extensions: {a: {cmd: x}} # one line\n",
    );
    fs::create_dir_all(home.path(".lmstudio")).unwrap();
    std::os::unix::fs::symlink("/nowhere/at/all", home.path(".lmstudio/mcp.json")).unwrap();
    for (application, place, why) in [
        (Application::Kiro, ".kiro/settings/mcp.json", "read-only"),
        (
            Application::GeminiCli,
            ".gemini/settings.json",
            "not a file",
        ),
        (Application::Cursor, ".cursor/mcp.json", "not JSON"),
        (Application::Codex, ".codex/config.toml", "mcp_servers"),
        (Application::Warp, ".warp/.mcp.json", "UTF-8"),
        (
            Application::Goose,
            ".config/goose/config.yaml",
            "lines of its own",
        ),
        (
            Application::LmStudio,
            ".lmstudio/mcp.json",
            "cannot be read",
        ),
    ] {
        let before = fs::read(home.path(place)).ok();
        let preview = home.preview(application, place).await;
        let ConnectionPlan::Paste { problem, snippet } = &preview.plan else {
            panic!("{preview:?}")
        };
        assert!(problem.contains(why), "{place}: {problem}");
        assert!(snippet.contains("--client"), "{place}: {snippet}");
        let hash = Fingerprint::of(&json!("anything"));
        let refused = home.try_connect(application, place, &hash).await;
        assert_eq!(code(refused), ErrorCode::FileNotWritten, "{place}");
        assert_eq!(fs::read(home.path(place)).ok(), before, "{place}");
    }
    assert_eq!(home.clients().await, Vec::<String>::new());
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread")]
async fn a_link_is_followed_shown_and_stays_a_link() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    let real = home.write("dotfiles/cursor.json", "{}");
    fs::create_dir_all(home.path(".cursor")).unwrap();
    std::os::unix::fs::symlink(&real, home.path(place)).unwrap();
    let preview = home.preview(Application::Cursor, place).await;
    let really = fs::canonicalize(&real).unwrap();
    assert_eq!(preview.leads_to.as_deref(), really.to_str());
    let view = home.connect(Application::Cursor, place).await;
    assert_eq!(view.leads_to, preview.leads_to);
    assert!(home.path(place).is_symlink());
    assert!(home.read("dotfiles/cursor.json").contains("--client"));
    home.undo(Application::Cursor, place).await;
    assert!(home.path(place).is_symlink());
    assert_eq!(home.read("dotfiles/cursor.json"), "{}");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_that_connect_at_once_one_does() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    home.write(place, "{}");
    let hash = written(&home.preview(Application::Cursor, place).await).1;
    let both = futures::future::join_all(
        (0..2).map(|_| home.try_connect(Application::Cursor, place, &hash)),
    );
    let (done, refused): (Vec<_>, Vec<_>) = both.await.into_iter().partition(Result::is_ok);
    assert_eq!(done.len(), 1);
    assert_eq!(
        code(refused.into_iter().next().unwrap()),
        ErrorCode::FileChanged
    );
    assert_eq!(home.read(place).matches("--client").count(), 1);
    assert_eq!(home.clients().await, ["cursor"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_other_file_is_written() {
    let home = Home::new().await;
    home.write(".cursor/mcp.json", "{}");
    let other = home.write("papers/.cursor/mcp.json", "{}");
    let around = format!(
        "{}/.cursor/../papers/.cursor/mcp.json",
        home.dir.path().display()
    );
    let listed = home.path(".cursor/mcp.json");
    for (application, path) in [
        ("cursor", other.as_str()),
        ("cursor", &around),
        ("cursor", "/etc/passwd"),
        ("windsurf", listed.to_str().unwrap()),
    ] {
        let hash = Fingerprint::of(&json!("anything"));
        let params = json!({"application": application, "path": path, "hash": hash});
        for method in ["connect_application", "disconnect_application"] {
            let refused = home.test.ask(method, params.clone()).await;
            assert_eq!(code(refused), ErrorCode::BadPath, "{path}");
        }
    }
    assert_eq!(fs::read_to_string(other).unwrap(), "{}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_goes_past_majordomo_is_told_by_what_it_is_and_can_be_taken_out() {
    let home = Home::new().await;
    let place = ".cursor/mcp.json";
    let project = home.path("papers");
    let text = json!({"mcpServers": {
        "mine": {"command": misbehave(), "args": ["ok"]},
        "other": {"command": "npx", "args": ["-y", "@acme/other", "--key=hunter2"]},
        "off": {"command": "x", "disabled": true},
    }});
    home.write(place, serde_json::to_string_pretty(&text).unwrap());
    home.write(
        ".claude.json",
        json!({"projects": {project.to_str().unwrap(): {}}}).to_string(),
    );
    let vs_code = json!({"servers": {"far": {"url": "https://example.com/mcp"}}});
    home.write("papers/.vscode/mcp.json", vs_code.to_string());
    home.test.add("echo", &[&misbehave(), "ok"]).await;
    let listed: Vec<Bypass> = home.test.get("list_bypasses", Value::Null).await;
    let about: Vec<_> = listed
        .iter()
        .map(|one| {
            let here = one.server.as_ref().map(|id| id.as_str());
            (one.source_name.as_str(), here, one.removable)
        })
        .collect();
    assert_eq!(
        about,
        [
            ("mine", Some("echo"), true),
            ("other", None, false),
            ("far", None, false)
        ]
    );
    assert_eq!(listed[2].project.as_deref(), project.to_str());

    // What is not here cannot be taken away.
    let without =
        |name: &str| json!({"application": "cursor", "path": home.path(place), "without": [name]});
    for name in ["other", "off", "far", "nobody"] {
        let refused = home.test.ask("preview_connection", without(name)).await;
        assert_eq!(code(refused), ErrorCode::BadName, "{name}");
    }
    let preview: ConnectionPreview = home.test.get("preview_connection", without("mine")).await;
    let mut params = without("mine");
    params["hash"] = json!(written(&preview).1);
    home.test.ask("connect_application", params).await.unwrap();
    let file: Value = serde_json::from_str(&home.read(place)).unwrap();
    let names: Vec<_> = file["mcpServers"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["other", "off", "majordomo"]);
    let listed: Vec<Bypass> = home.test.get("list_bypasses", Value::Null).await;
    assert_eq!(listed.len(), 2, "{listed:?}");
    home.undo(Application::Cursor, place).await;
    assert_eq!(
        home.read(place),
        serde_json::to_string_pretty(&text).unwrap()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn who_comes_in_over_http_goes_past_nobody() {
    let home = Home::new().await;
    let _serving = loopback::serve(home.test.host.clone(), None, None)
        .await
        .unwrap();
    let address = home.address_over_http("Editor").await;
    let port = address.replace("http://127.0.0.1:", "").replace("/mcp", "");
    let servers = json!({
        "all": {"url": address},
        "one": {"url": format!("http://localhost:{port}/mcp/files")},
        "other": {"url": format!("http://127.0.0.1:{port}/mcpx")},
        "far": {"url": format!("http://example.com:{port}/mcp")},
    });
    home.write(
        ".cursor/mcp.json",
        json!({"mcpServers": servers}).to_string(),
    );
    let listed: Vec<Bypass> = home.test.get("list_bypasses", Value::Null).await;
    let mut names: Vec<_> = listed.iter().map(|one| &*one.source_name).collect();
    names.sort();
    assert_eq!(names, ["far", "other"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn majordomo_never_becomes_a_server_of_itself() {
    let home = Home::new().await;
    let serving = loopback::serve(home.test.host.clone(), None, None)
        .await
        .unwrap();
    let address = home.address_over_http("Editor").await;
    let port = address.replace("http://127.0.0.1:", "").replace("/mcp", "");
    let bridge = json!({"command": "/opt/majordomoctl", "args": ["bridge", "--client=editor"]});
    let servers = json!({
        "bridge": bridge,
        "all": {"url": address},
        "one": {"url": format!("http://localhost:{port}/mcp/files")},
        "other": {"url": format!("http://127.0.0.1:{port}/other")},
    });
    let text = json!({"mcpServers": servers}).to_string();
    let sees_itself = async || {
        let preview: ImportPreview = home
            .test
            .get("preview_import", json!({"from": pasted(&text)}))
            .await;
        for entry in &preview.entries {
            let problem = entry.problem.as_deref().unwrap_or_default();
            let is_itself = problem.contains("Majordomo cannot be a server of itself");
            assert_eq!(is_itself, entry.source_name != "other", "{entry:?}");
            assert_eq!(is_itself, entry.review.is_none(), "{entry:?}");
        }
        let outcome = keep_all(&home.test, &text).await;
        assert_eq!(outcome.added.len(), 1, "{outcome:?}");
        let refused = outcome.failed.iter().map(|one| one.error.code);
        assert!(refused.eq([ErrorCode::LeadsHere; 3]), "{outcome:?}");
        for target in [
            json!({"kind": "stdio", "command": "majordomoctl", "args": ["bridge"], "env": [], "cwd": null}),
            json!({"kind": "http", "url": address, "headers": []}),
        ] {
            let draft = json!({"name": "mine", "target": target, "keep": "keyring"});
            for method in ["review_draft", "add_server"] {
                let refused = home.test.ask(method, json!({ "draft": draft })).await;
                assert_eq!(code(refused), ErrorCode::LeadsHere, "{method} {draft}");
            }
        }
    };
    sees_itself().await;
    let removed = home.test.ask("remove_server", json!({"server": "other"}));
    removed.await.unwrap();
    // Nor while nobody can come in: the address stays the same.
    serving.end().await;
    sees_itself().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_shares_a_client_or_writes_the_entry_by_hand_leads_here_and_is_not_said_to_have_come() {
    let home = Home::new().await;
    let _serving = loopback::serve(home.test.host.clone(), None, None)
        .await
        .unwrap();
    let address = home.address_over_http("Editor").await;
    let entry = |args: &[&str]| json!({"command": programs().own, "args": args});
    let of_editor = entry(&["bridge", "--client", "editor"]);
    for (place, name, entry) in [
        (".cursor/mcp.json", "majordomo", of_editor.clone()),
        (".kiro/settings/mcp.json", "majordomo", of_editor.clone()),
        (".lmstudio/mcp.json", "mine", of_editor),
        (".warp/.mcp.json", "mine", json!({"url": address})),
        (".junie/mcp/mcp.json", "other", json!({"command": "x"})),
    ] {
        home.write(place, json!({"mcpServers": {name: entry}}).to_string());
    }
    let stand = async |place: &str| json!(home.one(place).await.connection);
    let unseen = json!({"kind": "leads_here", "seen_at": null});
    let shared = [
        ".cursor/mcp.json",
        ".kiro/settings/mcp.json",
        ".lmstudio/mcp.json",
    ];
    for place in shared {
        assert_eq!(stand(place).await, unseen, "{place}");
    }
    let editor = "editor".parse().unwrap();
    let came = home
        .test
        .host
        .admit(&editor, host::api::ClientCarrier::Bridge);
    drop(came.await.unwrap());
    for place in shared {
        let stands = stand(place).await;
        assert!(
            stands["kind"] == "leads_here" && stands["seen_at"].is_i64(),
            "{stands}"
        );
    }
    assert_eq!(stand(".warp/.mcp.json").await, unseen);
    assert_eq!(stand(".junie/mcp/mcp.json").await["kind"], "not_connected");
    // Alone with its client it is the one that has come.
    for place in &shared[1..] {
        home.write(place, "{}");
    }
    assert_eq!(stand(shared[0]).await["kind"], "connected");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_terminal_shows_the_difference_and_asks() {
    let terminal = Terminal::new();
    let home = terminal.beside("home");
    let file = home.join(".cursor/mcp.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, "{}").unwrap();
    let run = |words: &[&str]| {
        let mut command = terminal.command(words);
        command.env("HOME", &home).env_remove("XDG_CONFIG_HOME");
        Ran::of(&mut command)
    };
    let found = run(&["--json", "clients", "found"]).json();
    assert_eq!(found[0]["path"], json!(file));
    let asked = run(&["clients", "connect", "cursor"]);
    assert_eq!(asked.code, 3, "nobody said yes: {asked:?}");
    assert!(asked.err.contains("+     \"majordomo\": {"), "{asked:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    let connected = run(&["--yes", "clients", "connect", "cursor"]);
    assert_eq!(connected.code, 0, "{connected:?}");
    assert!(connected.err.contains("takes it up automatically"));
    assert!(fs::read_to_string(&file).unwrap().contains("--client"));
    assert_eq!(run(&["clients", "bypass"]).code, 0);
    let undone = run(&["--yes", "clients", "undo", "cursor"]);
    assert_eq!(undone.code, 0, "{undone:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    // What a list in JSON calls an application is a word for it.
    fs::write(home.join(".claude.json"), "{}").unwrap();
    let found = run(&["--json", "clients", "found"]).json();
    assert_eq!(found[0]["application"], "claude_code");
    let asked = run(&["clients", "connect", "claude_code"]);
    assert_eq!(asked.code, 3, "it was not found: {asked:?}");
}
