//! The host: a cheap handle that every surface holds.

use crate::answers::Answers;
use crate::api::{ApproverKind, HostError, HostEvent, HostInfo, KeyringStatus, Numbered, RunningCall, Snapshot};
use crate::calls::Calls;
use crate::consent::{self, Consent};
use crate::conversations::Conversations;
use crate::events::Events;
use crate::floods::Floods;
use crate::grants::{self, Remembered};
use crate::held_secrets::HeldSecrets;
use crate::import::Folders;
use crate::kept::KeptServers;
use crate::model::Model;
use crate::options::{Browser, Options, Programs, StartServers};
use crate::pendings::Pendings;
use crate::repeats::Repeats;
use crate::restart::Restart;
use crate::roots::RootWatch;
use crate::rules::{self, HeldRules};
use crate::traced::{self, Traced};
use crate::workspaces::{self, Spaces};
use crate::{Approver, ErrorCode, builtins, clock::Clock, error, left_over, sign_in, supervise, unknown};
use connections::Limits;
use policy::{Answer, Question, Subject};
use protocol::{ConversationId, FormAnswer, QuestionId, RunId, Timestamp, WorkspaceId};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use store::{Durability, Entry, Event, OpenOptions, Store, VaultStatus};
use tokio::sync::broadcast;
use tokio_util::sync::CancellationToken;
use url::Url;

/// The one place where things happen. Cloning it gives another handle to the same host.
#[derive(Clone)]
pub struct Host(Arc<Inner>);

/// A handle that does not keep the host alive.
#[derive(Clone)]
pub(crate) struct WeakHost(std::sync::Weak<Inner>);

struct Inner {
    store: Store,
    clock: Clock,
    run: RunId,
    conversation: ConversationId,
    workspaces: Spaces,
    programs: Programs,
    approver: ApproverKind,
    limits: Limits,
    restart: Restart,
    proxy: egress::Proxy,
    browser: Browser,
    client_document: Option<Url>,
    start: StartServers,
    folders: Option<Folders>,
    model: Option<Arc<dyn Model>>,
    traced: Traced,
    events: Events,
    kept: KeptServers,
    grants: Mutex<Remembered>,
    floods: Floods,
    pendings: Pendings,
    consent: Consent,
    calls: Calls,
    answers: Answers,
    repeats: Repeats,
    rules: HeldRules,
    secrets: HeldSecrets,
    conversations: Conversations,
    roots: RootWatch,
    closing: AtomicBool,
    leaving: CancellationToken,
}

impl Host {
    /// Opens the host on its data directory and starts the servers that are on. Fails if another host has it open.
    pub async fn open(options: Options) -> Result<Self, HostError> {
        let run = RunId::random();
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let now = options.clock.now();
        let store = Store::open(OpenOptions { dir: options.data_dir, keyring: options.keyring, run: run.clone(), version, now }).await?;
        let rows = builtins::ensure(&store, now).await?;
        let grants = store.grants().live().await?;
        let kept = KeptServers::load(&store, rows, workspaces::in_use(&store, now).await?).await?;
        let rules = HeldRules::open(options.policy_file, store.rules().all().await?);
        let host = Self(Arc::new(Inner {
            store,
            clock: options.clock,
            run,
            conversation: ConversationId::random(),
            workspaces: Spaces::default(),
            programs: options.programs,
            approver: options.approver,
            limits: options.limits,
            restart: options.restart,
            proxy: options.proxy,
            browser: options.browser,
            client_document: options.client_document,
            start: options.start,
            folders: options.folders,
            model: options.model,
            traced: Traced::new(options.telemetry),
            events: Events::new(),
            kept,
            grants: Mutex::new(Remembered::new(grants)),
            floods: Floods::default(),
            pendings: Pendings::default(),
            consent: Consent::default(),
            calls: Calls::default(),
            answers: Answers::default(),
            repeats: Repeats::default(),
            rules,
            secrets: HeldSecrets::default(),
            conversations: Conversations::default(),
            roots: RootWatch::default(),
            closing: AtomicBool::new(false),
            leaving: CancellationToken::new(),
        }));
        if let Err(problem) = host.store().answers().tidy(now).await {
            tracing::warn!(%problem, "old texts of answers could not be removed");
        }
        host.watch_roots();
        host.watch_rules();
        sign_in::read_all(&host).await;
        traced::begin(&host).await;
        // Programs that only look something up open the host many times a day; that is not worth a row.
        if options.start == StartServers::AtOnce {
            let event = Event::HostStarted { version: env!("CARGO_PKG_VERSION").to_owned(), run: host.0.run.clone() };
            host.record(Entry { at: now, call: None, caller: None, approver: None, server: None, tool: None, event })?;
            rules::record_found(&host);
        }
        left_over::take_up(&host).await;
        // What is not taken up is over.
        host.store().questions().lapse(now).await?;
        if options.start == StartServers::AtOnce {
            supervise::start_all(&host);
            grants::sweep(&host).await;
            tokio::spawn(grants::sweep_on(host.weak()));
        }
        Ok(host)
    }

    /// Withdraws every call that runs or waits: the host is about to end, and whoever waits for one is told. A question about a call
    /// waits again in the next run.
    pub fn withdraw(&self) {
        self.0.leaving.cancel();
        self.0.calls.cancel_all();
    }

    /// Withdraws what waits, stops every server, closes the log. Afterwards the data directory is free.
    pub async fn close(&self) {
        if self.0.closing.swap(true, Ordering::SeqCst) {
            return;
        }
        sign_in::end_all(self);
        self.0.leaving.cancel();
        self.0.calls.cancel_but_tasks();
        supervise::stop_all(self).await;
        self.0.calls.ended(std::time::Duration::from_secs(5)).await;
        if self.0.start == StartServers::AtOnce {
            let entry =
                Entry { at: self.now(), call: None, caller: None, approver: None, server: None, tool: None, event: Event::HostStopped };
            if let Err(error) = self.record_synced(entry).await {
                tracing::error!(%error, "the end of the host could not be written to the log");
            }
        }
        self.0.traced.close().await;
        self.0.store.close().await;
    }

    /// Everything a surface needs on connecting.
    pub async fn snapshot(&self) -> Snapshot {
        // The number is taken first: what happens meanwhile is in the snapshot and comes once more as an event.
        let seq = self.0.events.last();
        Snapshot {
            seq,
            info: self.info().await,
            servers: self.0.kept.views(),
            questions: self.0.consent.waiting(),
            calls: self.0.calls.running(),
            unknown: unknown::list(self).await,
            workspaces: workspaces::views(self).await.unwrap_or_else(|problem| {
                tracing::error!(%problem, "the workspaces could not be read");
                Vec::new()
            }),
        }
    }

    /// What happens from now on, in order.
    pub fn follow(&self) -> broadcast::Receiver<Arc<Numbered>> {
        self.0.events.follow()
    }

    /// Questions that wait, oldest first.
    pub fn waiting(&self) -> Vec<Question> {
        self.0.consent.waiting()
    }

    /// Answers a question on behalf of a person. The surface vouches with `approver` for where the answer was given.
    pub async fn answer(&self, id: &QuestionId, answer: Answer, approver: Approver) -> Result<(), HostError> {
        consent::answer(self, id, answer, approver).await
    }

    /// Closes a question without an answer, as when its window is closed: a no.
    pub fn close_question(&self, id: &QuestionId) {
        consent::close(self, id);
    }

    /// Calls that run or wait.
    pub fn running(&self) -> Vec<RunningCall> {
        self.0.calls.running()
    }

    /// Who may answer questions here.
    pub fn approver(&self) -> ApproverKind {
        self.0.approver
    }

    async fn info(&self) -> HostInfo {
        let path = |path: &std::path::Path| path.to_string_lossy().into_owned();
        HostInfo {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            data_dir: path(self.0.store.dir()),
            log_dir: path(&self.0.store.audit().dir()),
            keyring: match self.0.store.vault().status().await {
                VaultStatus::Ready => KeyringStatus::Ready,
                VaultStatus::Missing { reason } => KeyringStatus::Missing { reason },
            },
            approver: self.0.approver,
        }
    }

    pub(crate) fn store(&self) -> &Store {
        &self.0.store
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.clock.now()
    }

    /// The conversation of every caller that has none of its own: one run of the application.
    pub(crate) fn conversation(&self) -> &ConversationId {
        &self.0.conversation
    }

    /// The workspace that is in use. It stays so as long as the turn of any server is held.
    pub(crate) fn workspace(&self) -> WorkspaceId {
        self.0.kept.workspace()
    }

    pub(crate) fn workspaces(&self) -> &Spaces {
        &self.0.workspaces
    }

    pub(crate) fn programs(&self) -> &Programs {
        &self.0.programs
    }

    pub(crate) fn limits(&self) -> Limits {
        self.0.limits
    }

    pub(crate) fn folders(&self) -> Option<&Folders> {
        self.0.folders.as_ref()
    }

    /// The model that answers servers.
    pub(crate) fn model(&self) -> Option<Arc<dyn Model>> {
        self.0.model.clone()
    }

    pub(crate) fn traced(&self) -> &Traced {
        &self.0.traced
    }

    pub(crate) fn kept(&self) -> &KeptServers {
        &self.0.kept
    }

    pub(crate) fn restart(&self) -> Restart {
        self.0.restart
    }

    pub(crate) fn proxy(&self) -> &egress::Proxy {
        &self.0.proxy
    }

    pub(crate) fn browser(&self) -> &Browser {
        &self.0.browser
    }

    pub(crate) fn client_document(&self) -> Option<&Url> {
        self.0.client_document.as_ref()
    }

    pub(crate) fn grants(&self) -> MutexGuard<'_, Remembered> {
        self.0.grants.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn floods(&self) -> &Floods {
        &self.0.floods
    }

    pub(crate) fn pendings(&self) -> &Pendings {
        &self.0.pendings
    }

    pub(crate) fn consent(&self) -> &Consent {
        &self.0.consent
    }

    pub(crate) fn calls(&self) -> &Calls {
        &self.0.calls
    }

    pub(crate) fn answers(&self) -> &Answers {
        &self.0.answers
    }

    pub(crate) fn repeats(&self) -> &Repeats {
        &self.0.repeats
    }

    pub(crate) fn rules(&self) -> &HeldRules {
        &self.0.rules
    }

    pub(crate) fn secrets(&self) -> &HeldSecrets {
        &self.0.secrets
    }

    pub(crate) fn conversations(&self) -> &Conversations {
        &self.0.conversations
    }

    pub(crate) fn roots(&self) -> &RootWatch {
        &self.0.roots
    }

    /// Cancelled when the host is about to end.
    pub(crate) fn leaving(&self) -> &CancellationToken {
        &self.0.leaving
    }

    /// Whether servers that are on run by themselves, and not only when somebody needs them.
    pub(crate) fn keeps_servers_running(&self) -> bool {
        self.0.start == StartServers::AtOnce
    }

    pub(crate) fn weak(&self) -> WeakHost {
        WeakHost(Arc::downgrade(&self.0))
    }

    pub(crate) fn tell(&self, event: HostEvent) {
        self.0.consent.notice(&event);
        self.0.events.tell(event);
    }

    pub(crate) fn still_open(&self) -> Result<(), HostError> {
        if self.0.closing.load(Ordering::SeqCst) { Err(error::host(ErrorCode::ShuttingDown, "Majordomo is shutting down")) } else { Ok(()) }
    }

    /// Writes a record. The row that it makes or changes is told to every surface.
    pub(crate) fn record(&self, entry: Entry) -> Result<u64, HostError> {
        let seq = self.0.store.audit().append(entry, Durability::Grouped)?.seq;
        self.tell_row(seq);
        Ok(seq)
    }

    /// Writes a record about something that a person decided, and waits until it is on the disk.
    pub(crate) async fn record_synced(&self, entry: Entry) -> Result<u64, HostError> {
        let seq = self.0.store.audit().append_synced(entry).await?.seq;
        self.tell_row(seq);
        Ok(seq)
    }

    pub(crate) fn record_about(&self, question: &Question, event: Event) -> Result<u64, HostError> {
        self.record(self.entry_about(question, event))
    }

    pub(crate) async fn record_decision(&self, question: &Question, answer: &Answer, approver: Approver) -> Result<u64, HostError> {
        let (word, reason) = match answer {
            Answer::Allow { remember: None, .. } => ("allow_once", None),
            Answer::Allow { remember: Some(_), .. } => ("allow_remembered", None),
            Answer::Deny { reason, remember: None } => ("deny", reason.clone()),
            Answer::Deny { reason, remember: Some(_) } => ("deny_remembered", reason.clone()),
            Answer::UseModel { .. } => ("use_model", None),
            Answer::SendReply { .. } => ("send_reply", None),
            Answer::ChangeRule => ("change_rule", None),
            Answer::OpenUrl => ("open_url", None),
            Answer::Decline => ("decline", None),
            Answer::Form { answer: FormAnswer::Accept { .. } } => ("form_accept", None),
            Answer::Form { answer: FormAnswer::Decline } => ("form_decline", None),
            Answer::Form { answer: FormAnswer::Cancel } => ("form_cancel", None),
        };
        let event = Event::QuestionAnswered {
            question: question.id.clone(),
            answer: word.to_owned(),
            reason: reason.map(|reason| self.secrets().masked(&reason)),
        };
        self.record_synced(Entry { approver: Some(approver.key().to_owned()), ..self.entry_about(question, event) }).await
    }

    fn entry_about(&self, question: &Question, event: Event) -> Entry {
        let (call, caller, tool) = match &question.subject {
            Subject::Call { call, caller, tool, .. } => (Some(call.clone()), Some(caller.clone()), Some(tool.name.clone())),
            Subject::Form { during, .. }
            | Subject::Url { during, .. }
            | Subject::Sample { during, .. }
            | Subject::SampleReply { during, .. } => (during.first().cloned(), None, None),
            Subject::Rule { .. } => (None, None, None),
        };
        Entry { at: self.now(), call, caller, approver: None, server: question.server.clone(), tool, event }
    }

    fn tell_row(&self, seq: u64) {
        let host = self.clone();
        // Reading the row waits for the index; the one who wrote the record does not.
        tokio::spawn(async move {
            if let Ok(row) = host.store().audit().row_of(seq).await {
                host.tell(HostEvent::ActivityChanged { row });
            }
        });
    }
}

impl WeakHost {
    pub(crate) fn upgrade(&self) -> Option<Host> {
        self.0.upgrade().map(Host)
    }
}
