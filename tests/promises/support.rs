//! A host on a folder of its own, with real servers and a person who answers as a test says.

pub mod alone;
pub mod collector;
mod event_recorder;
pub mod evidence;
pub mod http;
pub mod import;
pub mod killable;
pub mod labs;
pub mod mcp_client;
pub mod mcp_http;
pub mod person;
#[cfg(target_os = "linux")]
pub mod processes;
pub mod remote;
pub mod servers;
pub mod sign_in;
#[cfg(target_os = "linux")]
pub mod small_disk;
pub mod talk;
pub mod terminal;
pub mod trial;

pub use event_recorder::EventRecorder;
pub use person::Person;

use host::api::{AnyRequest, ApproverKind, ErrorCode, HostEvent, ServerState, ServerView};
use host::{
    Approver, Browser, Clock, Folders, Host, HostError, KeyringChoice, Limits, Options, Programs,
    Proxy, Restart, Setup, StartServers, Surface, Telemetry,
};
use protocol::{CallId, Caller, ToolResult};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// How long a test waits for something that should happen at once on an idle machine. It only
/// bounds a failure.
pub const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// A host on a folder of its own. The folder goes with it.
pub struct TestHost {
    pub host: Host,
    dir: Arc<TempDir>,
}

/// What a test chooses about its host.
pub struct Choices {
    pub approver: ApproverKind,
    pub keyring: KeyringChoice,
    pub clock: Clock,
    pub limits: Limits,
    /// How patient the host is with servers that fail; not at all, so that a test sees each
    /// failure.
    pub restart: Restart,
    /// How long nobody uses a server before it is ended, if it runs when it is used.
    pub idle: Duration,
    /// What opens addresses; nothing does, so that no test opens a browser.
    pub browser: Browser,
    /// The address of the document that tells who this application is; there is none.
    pub client_document: Option<url::Url>,
    /// Where configurations of other applications are looked for; nowhere, so that no test reads
    /// those of who runs it.
    pub folders: Option<Folders>,
    /// The file with the administrator's rules; none, so that no test obeys those of the computer
    /// it runs on.
    pub policy_file: Option<PathBuf>,
    /// What hears the spans of this program; nothing does.
    pub telemetry: Telemetry,
}

impl Default for Choices {
    fn default() -> Self {
        let limits = Limits {
            start: Duration::from_secs(30),
            call: Duration::from_secs(30),
            call_maximum: Duration::from_secs(120),
            list: Duration::from_secs(30),
        };
        Self {
            approver: ApproverKind::Terminal,
            keyring: KeyringChoice::System,
            clock: Clock::System,
            limits,
            restart: Restart {
                times: 0,
                ..Restart::default()
            },
            idle: host::api::IDLE_TIME,
            browser: Browser::new(|_| Err(std::io::ErrorKind::Unsupported.into())),
            client_document: None,
            folders: None,
            policy_file: None,
            telemetry: Telemetry::default(),
        }
    }
}

impl TestHost {
    /// A host on an empty folder.
    pub async fn new() -> Self {
        Self::with(Choices::default()).await
    }

    /// A host on an empty folder, with something chosen.
    pub async fn with(choices: Choices) -> Self {
        let dir = Arc::new(tempfile::tempdir().unwrap());
        let host = open(dir.path(), choices).await.unwrap();
        Self { host, dir }
    }

    /// The folder where it keeps everything.
    pub fn dir(&self) -> &Path {
        self.dir.path()
    }

    /// Ends it and opens it again on the same folder.
    pub async fn again(self) -> Self {
        self.again_with(Choices::default()).await
    }

    /// Ends it and opens it again on the same folder, with something chosen.
    pub async fn again_with(self, choices: Choices) -> Self {
        let dir = self.end().await;
        let host = open(dir.path(), choices).await.unwrap();
        Self { host, dir }
    }

    /// A host on a folder that another one left.
    pub async fn on(dir: Arc<TempDir>) -> Self {
        let host = open(dir.path(), Choices::default()).await.unwrap();
        Self { host, dir }
    }

    /// A host on a folder that another one left, with something chosen.
    pub async fn on_with(dir: Arc<TempDir>, choices: Choices) -> Self {
        let host = open(dir.path(), choices).await.unwrap();
        Self { host, dir }
    }

    /// Ends it and leaves its folder.
    pub async fn end(self) -> Arc<TempDir> {
        self.host.close().await;
        self.dir
    }

    /// Hears everything that is told from now on.
    pub fn listen(&self) -> EventRecorder {
        EventRecorder::new(&self.host)
    }

    /// A request of a person at the terminal; of a person at the window's side while one runs.
    pub async fn ask(&self, method: &str, params: Value) -> Result<Value, HostError> {
        let approver = match self.host.approver() {
            ApproverKind::Terminal => Approver::Terminal,
            ApproverKind::QuestionWindow => Approver::QuestionWindow,
        };
        let surface = Surface::of(Caller::terminal(), Some(approver));
        self.ask_on(&surface, method, params).await
    }

    /// A request of a program that holds the token of the door and nothing else.
    pub async fn ask_as_program(&self, method: &str, params: Value) -> Result<Value, HostError> {
        self.ask_as(method, params, Caller::terminal()).await
    }

    /// A request in somebody's name; at the window a person is there. Nobody who asks this way may
    /// answer questions.
    pub async fn ask_as(
        &self,
        method: &str,
        params: Value,
        caller: Caller,
    ) -> Result<Value, HostError> {
        let approver = (caller == Caller::window()).then_some(Approver::Window);
        let surface = Surface::of(caller, approver);
        self.ask_on(&surface, method, params).await
    }

    /// A request from a chosen place.
    pub async fn ask_on(
        &self,
        surface: &Surface,
        method: &str,
        params: Value,
    ) -> Result<Value, HostError> {
        let reply = self.host.handle(request(method, &params), surface).await?;
        Ok(serde_json::from_str(reply.get()).unwrap())
    }

    /// A request that must succeed, with its answer in its type.
    pub async fn get<T: DeserializeOwned>(&self, method: &str, params: Value) -> T {
        serde_json::from_value(self.ask(method, params).await.unwrap()).unwrap()
    }

    /// Adds a server by its command, reviews it and switches it on.
    pub async fn add(&self, name: &str, command: &[&str]) {
        self.add_with(
            name,
            json!({"kind": "stdio", "command": command[0], "args": command[1..]}),
        )
        .await;
        assert_eq!(
            self.state(name).await,
            ServerState::Ready,
            "{name} does not run"
        );
    }

    /// Adds a server called `web` whose tool `read_page` returns this page.
    pub async fn add_web(&self, page: &str) {
        let tool = json!({"name": "read_page", "description": "Reads a web page", "inputSchema": {"type": "object"}});
        let script = json!({"tools": [tool], "answers": {"read_page": page}});
        let file = self.dir().join("web.json");
        std::fs::write(&file, script.to_string()).unwrap();
        self.add("web", &[&misbehave(), "scripted", file.to_str().unwrap()])
            .await;
    }

    /// Adds a real server as it is added by itself, so in a sandbox where that was tried, reviews it
    /// and switches it on.
    pub async fn add_real(&self, name: &str, command: &[String]) {
        let target = json!({"kind": "stdio", "command": command[0], "args": command[1..]});
        let confinement = if cfg!(target_os = "linux") {
            Value::Null
        } else {
            json!({"confined": false})
        };
        self.add_confined(name, target, confinement).await;
        assert_eq!(
            self.state(name).await,
            ServerState::Ready,
            "{name} does not run"
        );
    }

    /// Gives a server a folder, and waits until it runs with it.
    pub async fn give(&self, name: &str, folder: &Path) {
        let root = json!({"server": name, "path": folder});
        self.ask("add_root", root).await.unwrap();
        self.ask("list_tools", json!({"server": name}))
            .await
            .unwrap();
    }

    /// Adds a server as a form would, reviews it and switches it on; it need not come to run.
    /// Nothing confines it: servers of tests are to do whatever a test needs.
    pub async fn add_with(&self, name: &str, target: Value) {
        self.add_confined(name, target, unconfined()).await;
    }

    /// The same with what it may touch.
    pub async fn add_confined(&self, name: &str, target: Value, confinement: Value) {
        self.ask(
            "add_server",
            json!({"draft": {"name": name, "target": target, "confinement": confinement}}),
        )
        .await
        .unwrap();
        self.switch_on(name).await;
    }

    /// Reviews a server and switches it on, waits until it runs or has failed, and approves what it
    /// offers.
    pub async fn switch_on(&self, name: &str) {
        self.only_switch_on(name).await;
        self.decide_all(name, "approve").await;
    }

    /// Decides in the same way about everything of a server that waits for it.
    pub async fn decide_all(&self, name: &str, decision: &str) {
        let review = self
            .ask("review_offers", json!({"server": name}))
            .await
            .unwrap();
        let waits = |offer: &&Value| {
            matches!(
                offer["standing"]["kind"].as_str(),
                Some("new" | "changed" | "renamed" | "gone")
            )
        };
        let decision = |offer: &Value| json!({"key": offer["key"], "fingerprint": offer["fingerprint"], "decision": decision});
        let decisions: Vec<Value> = review["offers"]
            .as_array()
            .unwrap()
            .iter()
            .filter(waits)
            .map(decision)
            .collect();
        self.ask(
            "decide_offers",
            json!({"server": name, "decisions": decisions}),
        )
        .await
        .unwrap();
    }

    /// Reviews how a server is reached and switches it on, and waits until it runs or has failed.
    /// What it offers is still to be reviewed.
    pub async fn only_switch_on(&self, name: &str) {
        let review = self
            .ask("review_server", json!({"server": name}))
            .await
            .unwrap();
        self.ask(
            "enable_server",
            json!({"server": name, "reviewed": review["fingerprint"]}),
        )
        .await
        .unwrap();
        self.ask("list_tools", json!({"server": name}))
            .await
            .unwrap();
    }

    /// What a server is doing.
    pub async fn state(&self, name: &str) -> ServerState {
        self.server(name).await.state
    }

    /// One server as it is shown.
    pub async fn server(&self, name: &str) -> ServerView {
        self.host
            .snapshot()
            .await
            .servers
            .into_iter()
            .find(|server| server.id.as_str() == name)
            .unwrap_or_else(|| panic!("no server {name}"))
    }

    /// Why a server does not run.
    pub async fn failure(&self, name: &str) -> HostError {
        match self.state(name).await {
            ServerState::Failed { error, .. } => error,
            other => panic!("{name} has not failed: {other:?}"),
        }
    }

    /// Calls a tool as the terminal.
    pub async fn call(
        &self,
        server: &str,
        tool: &str,
        arguments: Value,
    ) -> Result<ToolResult, HostError> {
        self.call_as(Caller::terminal(), server, tool, arguments)
            .await
    }

    /// Calls a tool in somebody's name.
    pub async fn call_as(
        &self,
        caller: Caller,
        server: &str,
        tool: &str,
        arguments: Value,
    ) -> Result<ToolResult, HostError> {
        let params = json!({"call": null, "server": server, "tool": tool, "arguments": arguments});
        self.ask_as("call_tool", params, caller)
            .await
            .map(|answer| serde_json::from_value(answer).unwrap())
    }

    /// Begins a call and does not wait for it.
    pub fn call_later(
        &self,
        server: &str,
        tool: &str,
        arguments: Value,
    ) -> (CallId, tokio::task::JoinHandle<Result<Value, HostError>>) {
        let call = CallId::random();
        let params = json!({"call": call, "server": server, "tool": tool, "arguments": arguments});
        let request = request("call_tool", &params);
        let host = self.host.clone();
        let surface = Surface::of(Caller::terminal(), None);
        (
            call,
            tokio::spawn(async move {
                let reply = host.handle(request, &surface).await?;
                Ok(serde_json::from_str(reply.get()).unwrap())
            }),
        )
    }

    /// Waits until a question waits.
    pub async fn until_waiting(&self) {
        while self.host.waiting().is_empty() {
            tokio::task::yield_now().await;
        }
    }

    /// A person who gives these answers, one to each question, and then falls silent.
    pub fn person(&self, answers: impl IntoIterator<Item = policy::Decision>) -> Person {
        Person::new(self.host.clone(), answers)
    }

    /// The outcomes in the log, newest first, of calls only.
    pub async fn outcomes(&self) -> Vec<String> {
        let page = self
            .ask(
                "list_activity",
                json!({"filter": {}, "before": null, "limit": 100}),
            )
            .await
            .unwrap();
        let rows = page["rows"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|row| row["what"] == "call");
        rows.map(|row| row["outcome"].as_str().unwrap().to_owned())
            .collect()
    }

    /// Waits until something is told that fits.
    pub async fn until(&self, fits: impl Fn(&HostEvent) -> bool) {
        self.listen().until(fits).await;
    }
}

/// A request as it travels.
fn request(method: &str, params: &Value) -> AnyRequest {
    let text = if params.is_null() {
        json!({"method": method})
    } else {
        json!({"method": method, "params": params})
    };
    serde_json::from_str(&text.to_string()).unwrap()
}

async fn open(dir: &Path, choices: Choices) -> Result<Host, HostError> {
    Host::open(options(dir, choices)).await
}

/// How a host is opened on a folder.
pub fn options(dir: &Path, choices: Choices) -> Options {
    Options {
        data_dir: dir.to_owned(),
        setup: Setup {
            programs: programs(),
            limits: choices.limits,
            restart: choices.restart,
            idle: choices.idle,
            proxy: Proxy::None,
            browser: choices.browser,
            client_document: choices.client_document,
            start: StartServers::AtOnce,
            folders: choices.folders,
        },
        approver: choices.approver,
        keyring: choices.keyring,
        clock: choices.clock,
        policy_file: choices.policy_file,
        telemetry: choices.telemetry,
    }
}

/// The programs as cargo has built them for this test.
pub fn programs() -> Programs {
    Programs {
        own: env!("CARGO_BIN_EXE_majordomoctl").into(),
        jail: env!("CARGO_BIN_EXE_majordomo-jail").into(),
    }
}

/// Opens a host on a folder with the usual choices.
pub async fn open_on(dir: &Path) -> Result<Host, HostError> {
    open(dir, Choices::default()).await
}

/// A program that lies beside the ones that cargo has built.
pub fn beside(name: &str) -> PathBuf {
    programs()
        .jail
        .with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// A small server that misbehaves in a chosen way.
pub fn misbehave() -> String {
    let path = beside("misbehave");
    assert!(
        path.exists(),
        "build the test servers first: cargo build -p test-servers (`cargo xtask test` does)"
    );
    path.to_str().unwrap().to_owned()
}

/// The code of what must have failed.
pub fn code<T: std::fmt::Debug>(result: Result<T, HostError>) -> ErrorCode {
    result.unwrap_err().code
}

/// Nothing confines a server of a test that is to do whatever the test needs.
pub fn unconfined() -> Value {
    json!({"confined": false})
}

/// The texts of an answer.
pub fn text(answer: &ToolResult) -> String {
    let parts = answer.content.iter().filter_map(|part| match part {
        protocol::Content::Text { text, .. } => Some(text.as_str()),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// What a person at the terminal is.
pub const TERMINAL: Approver = Approver::Terminal;
