//! Starts servers for tests, makes permitted calls, and hears what servers ask.

use connections::{Connection, ConnectionError, Follow, Limits, Root, ServerAsks, Start, StartError, StdioStart};
use futures::future::BoxFuture;
use policy::{Answer, Facts, KnownTool, PermittedCall, Verdict, decide};
use protocol::{
    CallId, Caller, Content, Fingerprint, Form, FormAnswer, QuestionId, RunId, Secret, ServerId, Timestamp, ToolAnswer, ToolCall, ToolName,
    ToolSpec,
};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, watch};

/// Generous, so that a slow machine fails no test that is not about time.
pub const LIMITS: Limits = Limits {
    start: Duration::from_secs(30),
    call: Duration::from_secs(30),
    call_maximum: Duration::from_secs(60),
    list: Duration::from_secs(30),
};

/// A program that was built beside this test.
pub fn program(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.ancestors().nth(2).unwrap().join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(
        path.is_file(),
        "{} is missing; run `cargo build -p test-servers -p majordomo --no-default-features --bins` first",
        path.display()
    );
    path
}

/// `misbehave` in one of its modes.
pub fn misbehave(words: &[&str]) -> StdioStart {
    run(program("misbehave"), words)
}

/// Any program.
pub fn run(command: PathBuf, args: &[&str]) -> StdioStart {
    StdioStart {
        server: ServerId::parse("test").unwrap(),
        command,
        args: args.iter().map(|arg| (*arg).to_owned()).collect(),
        env: vec![("TOKEN".to_owned(), Secret::new("hunter2-of-the-test".to_owned()))],
        cwd: std::env::temp_dir(),
        jail: program("majordomo-jail"),
    }
}

/// A server that starts, and the ear that hears it.
pub async fn started(start: StdioStart) -> (Connection, Arc<Ear>) {
    started_with(start, LIMITS).await
}

pub async fn started_with(start: StdioStart, limits: Limits) -> (Connection, Arc<Ear>) {
    let ear = Arc::new(Ear::default());
    let connection = Connection::start(Start::Stdio(start), limits, ear.clone()).await;
    (connection.unwrap_or_else(|failure| panic!("{failure}: {:#?}", failure.stderr)), ear)
}

/// A server that does not start.
pub async fn not_started(start: StdioStart) -> StartError {
    not_started_with(start, LIMITS).await
}

pub async fn not_started_with(start: StdioStart, limits: Limits) -> StartError {
    Connection::start(Start::Stdio(start), limits, Arc::new(Ear::default())).await.expect_err("it should not start")
}

/// A call with a person's yes.
pub fn permitted(tool: &str, arguments: Value) -> PermittedCall {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let spec = ToolSpec {
        name: ToolName::from(tool),
        title: None,
        description: None,
        input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
        output_schema: None,
        annotations: None,
        meta: None,
    };
    let (tool, launch, run) = (KnownTool::new(spec), Fingerprint::of(&json!("launch")), RunId::random());
    let server = ServerId::parse("test").unwrap();
    let call = ToolCall { id: CallId::random(), caller: Caller::Window, server, tool: tool.spec().name.clone(), arguments };
    let facts = Facts { tool: &tool, launch_fingerprint: &launch, switched_on: true, grants: &[], run: &run };
    let Verdict::Ask(pending) = decide(call, facts) else { panic!("it should be asked about") };
    let now = Timestamp(0);
    pending.answer(&QuestionId::random(), &Answer::AllowOnce, tool.fingerprint(), &launch, &run, now).unwrap().0
}

/// Calls a tool and waits for the end.
pub async fn call(connection: &Connection, tool: &str, arguments: Value) -> Result<ToolAnswer, ConnectionError> {
    connection.call(permitted(tool, arguments), Follow::nothing()).await
}

/// The text of an answer that is one text.
pub fn text(answer: ToolAnswer) -> String {
    match answer.content.into_iter().next() {
        Some(Content::Text { text }) => text,
        other => panic!("no text: {other:?}"),
    }
}

/// A form, and where its answer goes.
type Asked = (Form, tokio::sync::oneshot::Sender<FormAnswer>);

/// Hears what a server asks and tells.
pub struct Ear {
    pub roots: Mutex<Vec<Root>>,
    pub forms: mpsc::UnboundedSender<Asked>,
    pub asked: Mutex<Option<mpsc::UnboundedReceiver<Asked>>>,
    pub tools_changed: watch::Sender<u32>,
    pub lines: watch::Sender<Vec<String>>,
    pub ended: watch::Sender<Option<String>>,
}

impl Default for Ear {
    fn default() -> Self {
        let (forms, asked) = mpsc::unbounded_channel();
        Self {
            roots: Mutex::default(),
            forms,
            asked: Mutex::new(Some(asked)),
            tools_changed: watch::Sender::new(0),
            lines: watch::Sender::new(Vec::new()),
            ended: watch::Sender::new(None),
        }
    }
}

impl Ear {
    /// Waits for a line of standard error with these words.
    pub async fn line(&self, words: &str) {
        self.lines.subscribe().wait_for(|lines| lines.iter().any(|line| line.contains(words))).await.unwrap();
    }

    /// Waits until the connection has ended by itself.
    pub async fn end(&self) -> String {
        self.ended.subscribe().wait_for(Option::is_some).await.unwrap().clone().unwrap()
    }
}

impl ServerAsks for Ear {
    fn roots(&self) -> BoxFuture<'_, Vec<Root>> {
        Box::pin(async { self.roots.lock().unwrap().clone() })
    }

    fn form(&self, form: Form) -> BoxFuture<'_, FormAnswer> {
        Box::pin(async move {
            let (answer, answered) = tokio::sync::oneshot::channel();
            self.forms.send((form, answer)).unwrap();
            answered.await.unwrap_or(FormAnswer::Cancel)
        })
    }

    fn tools_changed(&self) {
        self.tools_changed.send_modify(|count| *count += 1);
    }

    fn wrote(&self, lines: Vec<String>) {
        self.lines.send_modify(|all| all.extend(lines));
    }

    fn ended(&self, why: ConnectionError) {
        self.ended.send_replace(Some(why.to_string()));
    }
}

/// Whether a process is there. One that has ended and only waits to be reaped is not.
#[cfg(target_os = "linux")]
pub fn lives(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ").is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// Waits until none of these processes is there.
#[cfg(target_os = "linux")]
pub async fn gone(pids: &[u32]) {
    while pids.iter().any(|pid| lives(*pid)) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The numbers in a text.
#[cfg(target_os = "linux")]
pub fn numbers(text: &str) -> Vec<u32> {
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}
