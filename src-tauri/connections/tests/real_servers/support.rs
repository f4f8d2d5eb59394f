//! Starts servers for tests, makes permitted calls, and hears what servers ask.

use connections::{
    Connection, ConnectionError, During, Follow, Limits, ServerAsks, Start, StartError, StdioStart,
};
use futures::future::BoxFuture;
use policy::pin::ApprovalStatus;
use policy::{
    CheckedCall, Decision, Facts, KnownTool, PermittedCall, PermittedRoots, Places, PolicyDecision,
    Setting, Verdict, decide, permit_roots,
};
use protocol::{
    Budget, CallId, Caller, Content, ConversationId, Fingerprint, Form, FormResult, LogLine,
    QuestionId, Root, Sample, Secret, ServerId, Timestamp, ToolCall, ToolName, ToolResult,
    ToolSpec, UrlAsk, UrlResult, WorkspaceId,
};
use serde_json::{Map, Value, json};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinHandle;

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
    let path = test
        .ancestors()
        .nth(2)
        .unwrap()
        .join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
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
        env: vec![(
            "TOKEN".to_owned(),
            Secret::new("hunter2-of-the-test".to_owned()),
        )],
        cwd: std::env::temp_dir(),
        jail: program("majordomo-jail"),
        confinement: None,
        era: None,
    }
}

/// Nothing is too much to be kept.
pub fn no_bound() -> Budget {
    Budget::new(usize::MAX)
}

/// A server that starts, and the handler that hears it.
pub async fn started(start: StdioStart) -> (Connection, Arc<TestHandler>) {
    started_with(start, LIMITS).await
}

pub async fn started_with(start: StdioStart, limits: Limits) -> (Connection, Arc<TestHandler>) {
    let handler = Arc::new(TestHandler::default());
    let connection =
        Connection::start(Start::Stdio(start), limits, no_bound(), handler.clone()).await;
    (
        connection.unwrap_or_else(|failure| panic!("{failure}: {:#?}", failure.stderr)),
        handler,
    )
}

/// A server that does not start.
pub async fn not_started(start: StdioStart) -> StartError {
    not_started_with(start, LIMITS).await
}

pub async fn not_started_with(start: StdioStart, limits: Limits) -> StartError {
    Connection::start(
        Start::Stdio(start),
        limits,
        no_bound(),
        Arc::new(TestHandler::default()),
    )
    .await
    .expect_err("it should not start")
}

/// A call of a tool of any arguments, with a person's yes.
pub fn permitted(tool: &str, arguments: Value) -> PermittedCall {
    let spec = ToolSpec {
        input_schema: Map::from_iter([("type".to_owned(), json!("object"))]),
        ..ToolSpec::named(ToolName::from(tool))
    };
    permitted_of(spec, arguments)
}

/// A call with a person's yes to this definition.
pub fn permitted_of(spec: ToolSpec, arguments: Value) -> PermittedCall {
    let Value::Object(arguments) = arguments else {
        panic!("arguments are an object")
    };
    let (tool, launch) = (KnownTool::new(spec), Fingerprint::of(&json!("launch")));
    let (conversation, workspace, places) = (
        ConversationId::random(),
        WorkspaceId::random(),
        Places::default(),
    );
    let setting = Setting {
        conversation: &conversation,
        workspace: &workspace,
        places: &places,
        now: Timestamp(0),
    };
    let server = ServerId::parse("test").unwrap();
    let call = ToolCall {
        id: CallId::random(),
        caller: Caller::window(),
        conversation: Caller::window().conversation(),
        by_hand: false,
        server,
        tool: tool.spec().name.clone(),
        arguments,
    };
    let facts = Facts {
        tool: &tool,
        launch_fingerprint: &launch,
        standing: &ApprovalStatus::Approved,
        concerns: &[],
        switched_on: true,
        grants: &[],
        ruling: &PolicyDecision::default(),
        setting,
    };
    let Verdict::Ask(pending) = decide(CheckedCall::new(call, &tool, &tool.compile_input()), facts)
    else {
        panic!("it should be asked about")
    };
    pending
        .answer(
            &QuestionId::random(),
            &Decision::once(),
            None,
            &tool,
            &launch,
            setting,
            Clone::clone,
        )
        .call
        .unwrap()
}

/// Calls a tool and waits for the end.
pub async fn call(
    connection: &Connection,
    tool: &str,
    arguments: Value,
) -> Result<ToolResult, ConnectionError> {
    connection
        .call(permitted(tool, arguments), Follow::nothing())
        .await
}

/// Makes a call that goes on by itself, and its id.
pub fn running(
    connection: &Connection,
    tool: &str,
    arguments: Value,
    follow: Follow,
) -> (CallId, Running) {
    let (connection, call) = (connection.clone(), permitted(tool, arguments));
    (
        call.call().id.clone(),
        tokio::spawn(async move { connection.call(call, follow).await }),
    )
}

/// A call that goes on by itself.
pub type Running = JoinHandle<Result<ToolResult, ConnectionError>>;

/// The text of an answer that is one text, read as JSON.
pub fn told(answer: Result<ToolResult, ConnectionError>) -> Value {
    serde_json::from_str(&text(answer.unwrap())).unwrap()
}

/// The answer to a form with one field.
pub fn named(name: &str) -> FormResult {
    FormResult::Accept {
        content: Map::from_iter([("name".to_owned(), name.into())]),
    }
}

/// The text of an answer that is one text.
pub fn text(answer: ToolResult) -> String {
    match answer.content.into_iter().next() {
        Some(Content::Text { text, .. }) => text,
        other => panic!("no text: {other:?}"),
    }
}

/// A form, and where its answer goes.
pub type Asked = (Form, oneshot::Sender<FormResult>);
/// An address to open, and where the answer goes.
pub type Sent = (UrlAsk, oneshot::Sender<UrlResult>);

/// Hears what a server asks and tells.
#[derive(Debug)]
pub struct TestHandler {
    pub roots: Mutex<Vec<Root>>,
    pub forms: mpsc::UnboundedSender<Asked>,
    pub asked: Mutex<Option<mpsc::UnboundedReceiver<Asked>>>,
    /// Where addresses go; without it they are declined.
    pub urls: Mutex<Option<mpsc::UnboundedSender<Sent>>>,
    /// Every question, and the call that it was said to belong to; the first of several.
    pub questions: watch::Sender<Vec<(&'static str, Option<CallId>)>>,
    /// How often it asked although nobody wanted anything.
    pub unbidden: watch::Sender<u32>,
    pub finished: watch::Sender<Vec<String>>,
    pub tools_changed: watch::Sender<u32>,
    pub offers_changed: watch::Sender<u32>,
    pub updated: watch::Sender<Vec<String>>,
    pub logged: watch::Sender<Vec<LogLine>>,
    pub lines: watch::Sender<Vec<String>>,
    pub ended: watch::Sender<Option<String>>,
}

impl Default for TestHandler {
    fn default() -> Self {
        let (forms, asked) = mpsc::unbounded_channel();
        Self {
            roots: Mutex::default(),
            forms,
            asked: Mutex::new(Some(asked)),
            urls: Mutex::default(),
            questions: watch::Sender::default(),
            unbidden: watch::Sender::new(0),
            finished: watch::Sender::default(),
            tools_changed: watch::Sender::new(0),
            offers_changed: watch::Sender::new(0),
            updated: watch::Sender::default(),
            logged: watch::Sender::default(),
            lines: watch::Sender::new(Vec::new()),
            ended: watch::Sender::new(None),
        }
    }
}

impl TestHandler {
    /// Waits for a line of standard error with these words.
    pub async fn line(&self, words: &str) {
        self.lines
            .subscribe()
            .wait_for(|lines| lines.iter().any(|line| line.contains(words)))
            .await
            .unwrap();
    }

    /// The questions, as they come; one test takes them once.
    pub fn forms(&self) -> mpsc::UnboundedReceiver<Asked> {
        self.asked.lock().unwrap().take().unwrap()
    }

    /// The addresses, as they come.
    pub fn addresses(&self) -> mpsc::UnboundedReceiver<Sent> {
        let (send, receive) = mpsc::unbounded_channel();
        *self.urls.lock().unwrap() = Some(send);
        receive
    }

    fn note(&self, what: &'static str, during: During) {
        let call = during.calls.into_iter().next();
        self.questions.send_modify(|all| all.push((what, call)));
    }

    /// Waits until the connection has ended by itself.
    pub async fn end(&self) -> String {
        self.ended
            .subscribe()
            .wait_for(Option::is_some)
            .await
            .unwrap()
            .clone()
            .unwrap()
    }
}

impl ServerAsks for TestHandler {
    fn has_model(&self, _call: Option<&CallId>) -> bool {
        true
    }

    fn roots(&self, _during: Option<During>) -> BoxFuture<'_, PermittedRoots> {
        let roots = self.roots.lock().unwrap().clone();
        let roots = roots
            .into_iter()
            .map(|root| (root, PolicyDecision::default()));
        let permitted = permit_roots(&ApprovalStatus::Approved, roots.collect());
        Box::pin(async { permitted })
    }

    fn asked_unbidden(&self) {
        self.unbidden.send_modify(|count| *count += 1);
    }

    fn url(&self, ask: UrlAsk, during: During) -> BoxFuture<'_, UrlResult> {
        self.note("url", during);
        let urls = self.urls.lock().unwrap().clone();
        Box::pin(async move {
            let Some(urls) = urls else {
                return UrlResult::Decline;
            };
            let (answer, answered) = oneshot::channel();
            urls.send((ask, answer)).unwrap();
            answered.await.unwrap_or(UrlResult::Cancel)
        })
    }

    fn sample(
        &self,
        _sample: Sample,
        during: During,
    ) -> BoxFuture<'_, Option<serde_json::Map<String, serde_json::Value>>> {
        self.note("sample", during);
        Box::pin(async { None })
    }

    fn form(&self, form: Form, during: During) -> BoxFuture<'_, FormResult> {
        self.note("form", during);
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            self.forms.send((form, answer)).unwrap();
            answered.await.unwrap_or(FormResult::Cancel)
        })
    }

    fn url_done(&self, id: &str) {
        self.finished.send_modify(|all| all.push(id.to_owned()));
    }

    fn offers_changed(&self) {
        self.offers_changed.send_modify(|count| *count += 1);
    }

    fn resource_updated(&self, uri: String) {
        self.updated.send_modify(|all| all.push(uri));
    }

    fn logged(&self, line: LogLine) {
        self.logged.send_modify(|all| all.push(line));
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

/// Whether the process with a name is there. One that has ended and only waits to be reaped is not.
#[cfg(target_os = "linux")]
pub fn lives(name: &str) -> bool {
    let Some(number) = test_servers::process_name::number_of(name) else {
        return false;
    };
    let stat = std::fs::read_to_string(format!("/proc/{number}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, state)| !state.starts_with('Z'))
}

/// Waits until none of these processes is there.
#[cfg(target_os = "linux")]
pub async fn gone(names: &[String]) {
    while names.iter().any(|name| lives(name)) {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// The words of a text.
#[cfg(target_os = "linux")]
pub fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}
