//! A connection to one server.
//!
//! Always true here: what is sent by somebody's wish is taken out of a permission. `call` is the
//! only way to run a tool, and it accepts nothing but a permitted call; so it is with everything
//! else that a caller chooses.

mod begin;
mod cache;
mod call;
mod guard;
mod list;
mod listen;
mod offers;
mod request;
mod rounds;
mod task;
mod watching;

pub use rounds::Round;
pub use task::Task;
pub use watching::Watch;

use crate::conversation::{Conversation, Message};
use crate::ending::{Ending, Why};
use crate::process::{Stderr, StderrTail};
use crate::wire::InitializeResult;
use crate::{ConnectionError, Follow, Limits, ServerAsks, Start, StartError, trace};
use list::Kept;
use policy::{
    Complete, GetPrompt, Permitted, PermittedCall, ReadResource, SetLogLevel, SubscribeResource,
};
use protocol::{
    Budget, CallId, Completion, Containment, Era, LogLevel, PromptResult, PromptSpec,
    ResourceResult, ResourceSpec, TemplateSpec, ToolResult, ToolSpec,
};
use std::sync::{Arc, Mutex};
use tokio::sync::watch;
use tokio::time::timeout;
use tracing::Instrument as _;
use watching::Watches;

/// A connection to a running server. Clones are the same connection; when the last one is dropped,
/// the server is stopped.
///
/// A name or an address is not enough to have something sent:
/// ```compile_fail,E0308
/// async fn read(connection: connections::Connection) {
///     let _ = connection.read("file:///etc/passwd", None).await;
/// }
/// ```
/// ```compile_fail,E0308
/// async fn watch(connection: connections::Connection) {
///     let _ = connection.watch("file:///etc/passwd").await;
/// }
/// ```
/// ```compile_fail,E0308
/// async fn prompt(connection: connections::Connection) {
///     let _ = connection.prompt("greet", None).await;
/// }
/// ```
/// ```compile_fail,E0308
/// async fn complete(connection: connections::Connection) {
///     let _ = connection.complete("greet").await;
/// }
/// ```
/// ```compile_fail,E0308
/// async fn log(connection: connections::Connection) {
///     let _ = connection.set_log_level(None).await;
/// }
/// ```
/// ```compile_fail,E0308
/// async fn call(connection: connections::Connection, call: protocol::ToolCall) {
///     let _ = connection.call(call, connections::Follow::nothing()).await;
/// }
/// ```
/// and a permission for one thing is none for another:
/// ```compile_fail,E0308
/// async fn read(
///     connection: connections::Connection,
///     permitted: policy::Permitted<policy::SubscribeResource>,
/// ) {
///     let _ = connection.read(permitted, None).await;
/// }
/// ```
/// With a permission it is:
/// ```
/// async fn read(
///     connection: connections::Connection,
///     permitted: policy::Permitted<policy::ReadResource>,
/// ) {
///     let _ = connection.read(permitted, None).await;
/// }
/// ```
#[derive(Clone)]
pub struct Connection(Arc<Inner>);

/// What a server says about itself. All of it is its claim.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// Its own name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Its name for people.
    pub title: Option<String>,
    /// What it tells models about its use.
    pub instructions: Option<String>,
    /// The protocol revision that was agreed.
    pub protocol: String,
    /// Its pictures, as it names them.
    pub icons: Option<serde_json::Value>,
}

/// What a server says that it can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// It has tools.
    pub tools: bool,
    /// It offers resources.
    pub resources: bool,
    /// It tells when a resource changes.
    pub watch: bool,
    /// It offers prompts.
    pub prompts: bool,
    /// It proposes values.
    pub completions: bool,
    /// It keeps a log.
    pub logs: bool,
    /// It makes tasks of calls that take long.
    pub tasks: bool,
    /// It tells when the list of its tools changes.
    pub tells_tools: bool,
    /// It tells when the list of its resources changes.
    pub tells_resources: bool,
    /// It tells when the list of its prompts changes.
    pub tells_prompts: bool,
}

struct Inner {
    /// The process at the top, of a server that is one.
    pid: Option<u32>,
    /// What ends that process when the host cannot any more.
    containment: Option<Containment>,
    initialize_result: InitializeResult,
    limits: Limits,
    /// What is kept of its lists, by the requests that they were read with.
    lists: Kept,
    conversation: Conversation,
    watches: Watches,
    /// Lists that are current for a while. Shared with the handler, which hears of changes.
    cache: Arc<cache::Cache>,
    /// From which gravity on the server should log (newer era: said with every request).
    log_level: Mutex<Option<LogLevel>>,
    /// Whether messages travel over HTTP, where some arguments are headers too.
    over_http: bool,
    /// How many questions to a person are open on this connection.
    open: watch::Receiver<usize>,
    ending: Arc<Ending>,
    stderr: Arc<Stderr>,
    /// Becomes true when nothing of the server is left.
    gone: watch::Receiver<bool>,
}

impl Connection {
    /// Starts a server and begins to speak with it. No more is kept of it than `budget` says. When
    /// this fails, or is dropped, nothing of the server is left.
    pub async fn start(
        start: Start,
        limits: Limits,
        budget: Budget,
        asks: Arc<dyn ServerAsks>,
    ) -> Result<Self, StartError> {
        let connection = begin::begin(start, limits, budget, asks)
            .await
            .map(|inner| Self(Arc::new(inner)))?;
        listen::begin(&connection);
        watching::begin(&connection);
        Ok(connection)
    }

    /// What the server says about itself.
    pub fn server_info(&self) -> ServerInfo {
        self.0.initialize_result.server_info.clone()
    }

    /// What the server says that it can do.
    pub fn capabilities(&self) -> Capabilities {
        self.0.initialize_result.capabilities
    }

    /// The era in which it is spoken to.
    pub fn era(&self) -> Era {
        self.0.initialize_result.era
    }

    /// Whether it is over. Nothing more can be sent on it.
    pub fn is_over(&self) -> bool {
        self.0.ending.is_over()
    }

    /// The tools as the server lists them now, all pages of the list.
    pub async fn tools(&self) -> Result<Vec<ToolSpec>, ConnectionError> {
        list::tools(&self.0).await
    }

    /// Whether the server has said for how long its list of tools is current, and that time is
    /// over.
    pub fn tools_are_stale(&self) -> bool {
        self.0.cache.is_stale("tools/list")
    }

    /// Whether the server still answers anything at all, asked within `limits.list`.
    pub async fn is_alive(&self) -> bool {
        request::is_alive(&self.0).await
    }

    /// The resources as the server lists them now, all pages of the list.
    pub async fn resources(&self) -> Result<Vec<ResourceSpec>, ConnectionError> {
        list::resources(&self.0).await
    }

    /// The templates of resources as the server lists them now, all pages of the list.
    pub async fn templates(&self) -> Result<Vec<TemplateSpec>, ConnectionError> {
        list::templates(&self.0).await
    }

    /// The prompts as the server lists them now, all pages of the list.
    pub async fn prompts(&self) -> Result<Vec<PromptSpec>, ConnectionError> {
        list::prompts(&self.0).await
    }

    /// Reads a resource. By the number who wants it is found, should the server ask something first.
    pub async fn read(
        &self,
        read: Permitted<ReadResource>,
        number: Option<CallId>,
    ) -> Result<ResourceResult, ConnectionError> {
        offers::read(&self.0, read.into_request(), number).await
    }

    /// Has the server tell when a resource changes, as long as the answer or another one of the
    /// resource is held.
    pub async fn watch(
        &self,
        watch: Permitted<SubscribeResource>,
    ) -> Result<Watch, ConnectionError> {
        watching::watch(&self.0, watch.into_request()).await
    }

    /// Watches a resource until that is taken back.
    pub fn keep_watching(&self, watch: Watch) {
        self.0.watches.keep(watch);
    }

    /// Takes back what was kept. Of an address that is not kept the server hears nothing.
    pub async fn unwatch(&self, uri: &str) {
        self.0.watches.take_back(uri).await;
    }

    /// The addresses of the resources that are watched until that is taken back.
    pub fn kept_watches(&self) -> Vec<String> {
        self.0.watches.kept()
    }

    /// The addresses whose changes are told.
    pub fn watched(&self) -> Vec<String> {
        self.0.watches.watched()
    }

    /// Has a prompt filled in. By the number who wants it is found, should the server ask something
    /// first.
    pub async fn prompt(
        &self,
        get: Permitted<GetPrompt>,
        number: Option<CallId>,
    ) -> Result<PromptResult, ConnectionError> {
        offers::prompt(&self.0, get.into_request(), number).await
    }

    /// Proposals for a value that is being typed.
    pub async fn complete(
        &self,
        complete: Permitted<Complete>,
    ) -> Result<Completion, ConnectionError> {
        offers::complete(&self.0, complete.into_request()).await
    }

    /// From which gravity on the server should log.
    pub async fn set_log_level(&self, set: Permitted<SetLogLevel>) -> Result<(), ConnectionError> {
        offers::set_log_level(&self.0, set.into_request()).await
    }

    /// Runs a tool. A caller that stops waiting cancels the call, and the server is told.
    pub async fn call(
        &self,
        call: PermittedCall,
        follow: Follow,
    ) -> Result<ToolResult, ConnectionError> {
        let span = follow.trace.span.clone();
        let answer = call::call(&self.0, call, None, follow)
            .instrument(span.clone())
            .await;
        trace::answered(&span, &answer);
        answer
    }

    /// Goes on with a call of an earlier run at the round that was open then: the input is asked for
    /// once more.
    pub async fn resume_round(
        &self,
        call: PermittedCall,
        round: Round,
        follow: Follow,
    ) -> Result<ToolResult, ConnectionError> {
        let span = follow.trace.span.clone();
        let answer = call::call(&self.0, call, Some(round), follow)
            .instrument(span.clone())
            .await;
        trace::answered(&span, &answer);
        answer
    }

    /// Goes on waiting for a task that a call of an earlier run became.
    pub async fn resume(&self, task: Task, follow: Follow) -> Result<ToolResult, ConnectionError> {
        task::resume(&self.0, task, follow).await
    }

    /// Tells the server that its folders are not what they were. Only the older era has a word for
    /// that.
    pub async fn roots_changed(&self) {
        if self.0.initialize_result.era == Era::Legacy {
            let tell = self
                .0
                .conversation
                .notify("notifications/roots/list_changed", serde_json::Map::new());
            // A server that does not read must not hold up whoever changes folders; it asks again
            // when it needs them.
            let _ = timeout(self.0.limits.list, tell).await;
        }
    }

    /// The newest messages between us and the server. Secrets in them are not covered.
    pub fn exchange(&self) -> Vec<Message> {
        self.0.conversation.messages()
    }

    /// The number of the process of which the server is a part: itself or below it. None for a
    /// server with an address.
    pub fn pid(&self) -> Option<u32> {
        self.0.pid
    }

    /// What ends the server, and all that it started, when the host has ended. None for a server
    /// with an address.
    pub fn containment(&self) -> Option<Containment> {
        self.0.containment
    }

    /// The last lines of the server's standard error.
    pub fn stderr(&self) -> StderrTail {
        self.0.stderr.tail()
    }

    /// Stops the server: closes its input, asks it to end, kills it and everything it started.
    /// Returns when nothing of it is left, after at most about six seconds. Calls that still run
    /// fail as lost.
    pub async fn stop(&self) {
        self.0.ending.end(Why::Stopped);
        let mut gone = self.0.gone.clone();
        // Without its guard a server does not live either.
        let _ = gone.wait_for(|gone| *gone).await;
    }
}

impl std::fmt::Debug for Connection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Connection")
            .field("about", &self.0.initialize_result.server_info)
            .field("over", &self.0.ending.is_over())
            .finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.ending.end(Why::Stopped);
    }
}
