//! The host: a cheap handle that every surface holds.
//!
//! Always true here: what is waited for is a boxed future, so that all that stands behind it is
//! compiled here, once, and not again in each crate that waits for it.

use crate::commands::calls::Number;
use crate::commands::{self, clients, tools};
use crate::options::Options;
use crate::rooms::Rooms;
use crate::{chat, snapshot, telemetry, workspaces};
use api::{
    AnyRequest, ApproverKind, CallResult, CallTool, ClientCarrier, HostError, HostEvent,
    RunningCall, Snapshot, UsableTool, WatchResource,
};
use calls::{
    Admitted, Calls, ClientRoute, Clients, RouteGuard, catch_up, grants, leftovers, offers,
    recovery, waiting,
};
use connections::Watch;
use futures::future::BoxFuture;
use policy::{Decision, Question};
use protocol::{
    CallId, Caller, CallerId, Fingerprint, HeaderParameters, QuestionId, RunId, ServerId,
    Timestamp, ToolName,
};
use servers::{
    Approver, Core, Follower, Servers, Surface, builtins, memory, roots, rules, sign_in, supervise,
};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use store::{Entry, Event, Note, OpenOptions};
use tokio::sync::watch;

/// How long the end of calls is waited for when the host ends.
const LAST_CALLS: Duration = Duration::from_secs(5);

/// The one place where things happen. Cloning it gives another handle to the same host.
#[derive(Clone)]
pub struct Host(Rooms);

impl Host {
    /// Opens the host on its data directory and starts the servers that run always. Fails if another
    /// host has it open.
    pub fn open(options: Options) -> BoxFuture<'static, Result<Self, HostError>> {
        Box::pin(Self::opened(options))
    }

    async fn opened(options: Options) -> Result<Self, HostError> {
        let Options {
            data_dir,
            setup,
            approver,
            keyring,
            clock,
            policy_file,
            telemetry: tracing,
        } = options;
        let (run, now) = (RunId::random(), clock.now());
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let store = OpenOptions {
            dir: data_dir,
            keyring,
            run,
            version: version.clone(),
            now,
        };
        let core = Core::open(store, clock, approver).await?;
        let rows = builtins::ensure(core.store(), now).await?;
        let workspace = workspaces::in_use(core.store(), now).await?;
        let remembered = core.store().grants().live().await?;
        let clients = core.store().gateway_clients().all().await?;
        let servers = Servers::open(core, setup, rows, workspace, policy_file).await?;
        let calls = Calls::new(servers, remembered, clients, tracing);
        calls::attend(&calls);
        roots::watch(&calls);
        rules::watch(&calls);
        sign_in::read_all(&calls).await;
        telemetry::begin(&calls).await;
        chat::answer_servers(&calls).await;
        // Programs that only look something up open the host many times a day; that is not worth a
        // row.
        let stays = calls.keeps_servers_running();
        if stays {
            let run = calls.run().clone();
            calls.record(Entry::new(now, Event::HostStarted { version, run }))?;
            rules::record_found(&calls);
        }
        // Programs that only look something up go on with nothing.
        let left = match stays {
            true => chat::remember(&calls).await,
            false => Vec::new(),
        };
        recovery::recover(&calls).await;
        // What is not taken up is over.
        calls.store().waiting().lapse(now).await?;
        leftovers::tidy(&calls).await;
        if stays {
            supervise::start_all(&calls, &recovery::needed(&calls).await);
            grants::sweep(&calls).await;
            tokio::spawn(grants::sweep_on(calls.weak()));
            tokio::spawn(leftovers::tidy_on(calls.weak()));
            tokio::spawn(memory::give_back_on(Servers::weak(&calls)));
        }
        let rooms = Rooms::of(calls);
        chat::take_up(&rooms, rooms.chats(), left);
        Ok(Self(rooms))
    }

    /// The data directory, absolute.
    pub fn data_dir(&self) -> &Path {
        self.0.store().dir()
    }

    /// Tells other programs of this user how to reach this host. Fails if the note cannot be
    /// written, and once the host is closed.
    pub fn leave_note(&self, note: &Note) -> io::Result<()> {
        self.0.store().leave_note(note)
    }

    /// Takes that note away, with the socket that it names.
    pub fn take_note_away(&self) {
        self.0.store().take_note_away();
    }

    /// Withdraws every call that runs or waits: the host is about to end, and whoever waits for one
    /// is told. A question about a call waits again in the next run.
    pub fn withdraw(&self) {
        self.0.leaving().cancel();
        self.0.running().cancel_all();
    }

    /// Withdraws what waits, stops every server, closes the log. Afterwards the data directory is
    /// free.
    pub fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.closed())
    }

    async fn closed(&self) {
        let calls = &self.0;
        if !calls.begin_to_close() {
            return;
        }
        sign_in::end_all(calls);
        calls.leaving().cancel();
        calls.running().cancel_but_tasks();
        self.0.chats().ended(LAST_CALLS).await;
        supervise::stop_all(calls).await;
        calls.running().ended(LAST_CALLS).await;
        calls.tell_all_counted();
        if let Err(error) = catch_up::catch_up(calls).await {
            tracing::error!(%error, "the end of some calls could not be written down; the next start says that it is not known");
        }
        grants::note_uses(calls).await;
        if calls.keeps_servers_running() {
            let ended = calls
                .record_synced(Entry::new(calls.now(), Event::HostStopped))
                .await;
            if let Err(error) = ended {
                tracing::error!(%error, "the end of the host could not be written to the log");
            }
        }
        calls.traced().close().await;
        calls.store().close().await;
    }

    /// Everything a surface needs on connecting.
    pub fn snapshot(&self) -> BoxFuture<'_, Snapshot> {
        Box::pin(snapshot::snapshot(&self.0))
    }

    /// What happens from now on, in order.
    pub fn follow(&self) -> Follower {
        self.0.follow()
    }

    /// The same for who needs no rows of the log.
    pub fn follow_without_rows(&self) -> Follower {
        self.0.follow_without_rows()
    }

    /// Questions that wait, oldest first.
    pub fn waiting(&self) -> Vec<Question> {
        self.0.pending_calls().questions()
    }

    /// Lets another application in, which has proven to be this one. Fails with `unknown_client` if
    /// it may not come.
    pub fn admit<'a>(
        &'a self,
        client: &'a CallerId,
        by: ClientCarrier,
    ) -> BoxFuture<'a, Result<Admitted, HostError>> {
        Box::pin(clients::admit(&self.0, client, by))
    }

    /// The other applications: who may come in, and by which token.
    pub fn clients(&self) -> &Clients {
        self.0.clients()
    }

    /// Takes note that an application begins with a request or a stream, over a connection of which
    /// nobody hears when it ends.
    pub fn begins(&self, client: &Admitted) {
        if client.begins(self.now()) {
            self.0.publish(HostEvent::ClientsChanged);
        }
    }

    /// Takes note of which applications were here, and tells it where that has changed.
    pub fn look_for_presence(&self) -> BoxFuture<'_, ()> {
        Box::pin(clients::look_for_presence(&self.0))
    }

    /// The port at which other applications come in over HTTP, once there is one.
    pub fn gateway_port(&self) -> BoxFuture<'_, Option<u16>> {
        Box::pin(clients::port(&self.0))
    }

    /// Keeps that port for later runs, so that what is written in the applications stays true.
    pub fn keep_gateway_port(&self, port: u16) -> BoxFuture<'_, ()> {
        Box::pin(clients::keep_port(&self.0, port))
    }

    /// The tools that a caller may use now, as they were approved, of one server or of all in the
    /// order of their names. No server is started for it.
    pub fn usable_tools(&self, caller: &Caller, of: Option<&ServerId>) -> Vec<UsableTool> {
        tools::usable(&self.0, caller, of)
    }

    /// The fingerprint of these tools: another one once they have changed.
    pub fn usable_fingerprint(&self, caller: &Caller, of: Option<&ServerId>) -> Fingerprint {
        tools::usable_fingerprint(&self.0, caller, of)
    }

    /// Whether a caller may use a tool now.
    pub fn is_usable(&self, server: &ServerId, tool: &ToolName, caller: &Caller) -> bool {
        tools::is_usable(&self.0, server, tool, caller)
    }

    /// Which arguments of a tool travel as headers, too.
    pub fn header_parameters(&self, server: &ServerId, tool: &ToolName) -> HeaderParameters {
        tools::header_parameters(&self.0, server, tool)
    }

    /// Why a caller is given nothing now, if it works in another workspace than the one in use.
    pub fn elsewhere(&self, caller: &Caller) -> Option<HostError> {
        clients::elsewhere(&self.0, caller)
    }

    /// The servers that a caller can reach now, by name: those that are on in the workspace in use,
    /// and of which it was given anything.
    pub fn reachable_servers(&self, caller: &Caller) -> Vec<ServerId> {
        tools::reachable_servers(&self.0, caller)
    }

    /// Whether a caller was given anything of a server.
    pub fn is_reachable(&self, server: &ServerId, caller: &Caller) -> bool {
        tools::is_reachable(&self.0, server, caller)
    }

    /// Calls a tool, as the request of that name does, for who takes the result as it is and has drawn
    /// the call's number.
    pub fn call<'a>(
        &'a self,
        number: CallId,
        call: CallTool,
        surface: &'a Surface,
    ) -> BoxFuture<'a, Result<CallResult, HostError>> {
        Box::pin(async move {
            let calls = &self.0;
            calls.still_open()?;
            let request = AnyRequest::from(call);
            request.check()?;
            let AnyRequest::CallTool(CallTool {
                server,
                tool,
                arguments,
                ..
            }) = request
            else {
                return Err(HostError::not_understood());
            };
            let number = Number::Drawn(number);
            commands::calls::call(calls, surface, number, server, tool, arguments).await
        })
    }

    /// Has a server tell when a resource changes, as long as the answer is held.
    pub fn watch(
        &self,
        server: ServerId,
        uri: String,
        surface: Surface,
    ) -> BoxFuture<'static, Result<Watch, HostError>> {
        let calls = self.0.clone();
        Box::pin(async move {
            calls.still_open()?;
            let on = true;
            let request = AnyRequest::from(WatchResource { server, uri, on });
            request.check()?;
            let AnyRequest::WatchResource(WatchResource { server, uri, .. }) = request else {
                return Err(HostError::not_understood());
            };
            offers::watch_while_held(&calls, &server, uri, &surface).await
        })
    }

    /// Keeps the way back to the client that is about to make a call, for as long as the guard: what
    /// its server asks because of it may be asked there.
    pub fn route(&self, call: CallId, route: Arc<dyn ClientRoute>) -> RouteGuard {
        self.0.running().routes().keep(call, route)
    }

    /// Whether anybody is being asked because of a call.
    pub fn is_asking(&self, call: &CallId) -> bool {
        self.0.running().is_asking(call)
    }

    /// Moves on whenever somebody begins to be asked because of a call.
    pub fn asked(&self) -> watch::Receiver<()> {
        self.0.running().asked()
    }

    /// The time by the clock of this host.
    pub fn now(&self) -> Timestamp {
        self.0.now()
    }

    /// Answers a question on behalf of a person. The surface vouches with `approver` for where the
    /// answer was given.
    pub fn answer<'a>(
        &'a self,
        id: &'a QuestionId,
        answer: Decision,
        approver: Approver,
    ) -> BoxFuture<'a, Result<(), HostError>> {
        Box::pin(waiting::answer(&self.0, id, answer, approver))
    }

    /// Closes a question without an answer, as when its window is closed: a no.
    pub fn close_question(&self, id: &QuestionId) {
        waiting::close(&self.0, id);
    }

    /// Calls that run or wait.
    pub fn running(&self) -> Vec<RunningCall> {
        self.0.running().running()
    }

    /// Who may answer questions here.
    pub fn approver(&self) -> ApproverKind {
        self.0.approver()
    }

    pub(crate) fn rooms(&self) -> &Rooms {
        &self.0
    }
}
