//! Every request that a surface can make, each stated once: its power, its name, what goes with it
//! and what comes back. The router of the host, the typed client and the types of the pages all
//! follow from this table.
//!
//! Always true here: no reply and no event carries the value of a secret. Values of secrets travel
//! inwards only, in a [`DraftValue::NewSecret`](crate::DraftValue::NewSecret).

use crate::request::contract;
use crate::{
    ActivityDetail, ActivityFigures, ActivityFilter, ActivityPage, AnchorCheck, AnchorExport,
    Application, ApplicationView, AssistantExport, AssistantFile, AssistantView, AttachmentContent,
    BatchDecision, BatchOutcome, Bypass, CallResult, ClientView, Compacted, ConfinementView,
    ConnectionPreview, ConversationExport, ConversationFormat, ConversationPage, ConversationText,
    ConversationView, DecisionPreview, DoctorReport, DryRun, DryRunResult, ExportFormat,
    FeatureDecision, FeaturesReview, FoundConfiguration, FullResult, GatewayView, ImportChoice,
    ImportOutcome, ImportPreview, ImportSource, KeepSecrets, LocalModels, LogExport, LogReport,
    ModelCheck, ModelDraft, ModelView, NewAttachment, OauthClientDraft, PolicyView, ProtocolLog,
    RequestLedger, ResourceList, Review, SamplingSettings, SamplingView, ServerDraft, ServerLog,
    ServerUsage, ServerView, SignInApprovals, Snapshot, TelemetrySettings, TelemetryView,
    Tightening, ToolView, ToolsFound, WireLog, WorkspaceView,
};
use policy::flow::Concern;
use policy::{ClientChange, Decision, Grant, Question, Rule, RuleDraft, ToolFlags};
use protocol::{
    AssistantId, AssistantSettings, CallId, CallerId, Completion, CompletionOf,
    ConfinementSettings, ConversationId, EraChoice, Fingerprint, GrantId, LogLevel, ModelId,
    PromptResult, PromptSpec, QuestionId, ResourceResult, RuleId, Runs, ServerId, Timestamp,
    TokenHash, ToolName, ToolResult, WorkspaceId,
};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

contract! {
    /// Everything a surface needs on connecting.
    Look snapshot(TakeSnapshot {}) -> Snapshot;

    /// What would be run or called, before it is kept.
    Look review_draft(ReviewDraft {
        /// The form as filled in.
        draft: ServerDraft,
    }) -> Review;

    /// Keeps a new server, off and not reviewed.
    Less add_server(AddServer {
        /// The form as filled in.
        draft: ServerDraft,
    }) -> ServerView;

    /// Replaces how a server is reached. It is switched off and must be reviewed again if that
    /// changes its fingerprint.
    More edit_server(EditServer {
        /// Which one.
        server: ServerId,
        /// The form as filled in; `DraftValue::KeptSecret` keeps what is there.
        draft: ServerDraft,
    }) -> ServerView;

    /// What a kept server would run or call.
    Look review_server(ReviewServer {
        /// Which one.
        server: ServerId,
    }) -> Review;

    /// Notes that a person has seen the review of a server as it is now.
    More accept_review(AcceptReview {
        /// Which one.
        server: ServerId,
        /// The fingerprint of the review that was shown.
        reviewed: Fingerprint,
    }) -> ServerView;

    /// Switches a server on. The first time, and after each change, `reviewed` must be the
    /// fingerprint of the review that the person has just accepted.
    More enable_server(EnableServer {
        /// Which one.
        server: ServerId,
        /// The review that was accepted, if one was shown.
        reviewed: Option<Fingerprint>,
    }) -> ServerView;

    /// Switches a server off and stops it.
    Less disable_server(DisableServer {
        /// Which one.
        server: ServerId,
    }) -> ServerView;

    /// Stops a server that is on and starts it again.
    Less restart_server(RestartServer {
        /// Which one.
        server: ServerId,
    }) -> ServerView;

    /// Removes a server with its credentials, roots and grants.
    Less remove_server(RemoveServer {
        /// Which one.
        server: ServerId,
    }) -> ();

    /// What a server wrote on its standard error, the newest lines.
    Look server_log(ReadServerLog {
        /// Which one.
        server: ServerId,
    }) -> ServerLog;

    /// What the servers that run as processes use of this computer. It looks at every process, so
    /// it is asked for while somebody looks.
    Look server_usage(ReadServerUsage {}) -> Vec<ServerUsage>;

    /// Looks for configurations of other applications in their usual places.
    Look find_configurations(FindConfigurations {}) -> Vec<FoundConfiguration>;

    /// Reads another application's configuration without keeping anything.
    Look preview_import(PreviewImport {
        /// Which one.
        from: ImportSource,
    }) -> ImportPreview;

    /// Keeps the chosen entries of a configuration, all of them off.
    Less import_servers(ImportServers {
        /// The same as in the preview.
        from: ImportSource,
        /// Which entries, by their name in the text, and under which name to keep them.
        choices: Vec<ImportChoice>,
        /// What to do with secrets where there is no keyring.
        keep: KeepSecrets,
    }) -> ImportOutcome;

    /// Gives a server a folder. Fails with `protected_path` if it is protected, or holds something
    /// that is, and that was not accepted.
    More add_root(AddRoot {
        /// Which server.
        server: ServerId,
        /// An absolute path of a folder.
        path: String,
        /// Whether the person accepts that it is protected, or holds something that is.
        #[serde(default)]
        accept_protected: bool,
    }) -> ServerView;

    /// Takes a folder from a server.
    Less remove_root(RemoveRoot {
        /// Which server.
        server: ServerId,
        /// The path as listed.
        path: String,
    }) -> ServerView;

    /// The tools of a server.
    Look list_tools(ListTools {
        /// Which server.
        server: ServerId,
    }) -> Vec<ToolView>;

    /// Looks for tools that whoever asks can use now, by what they are to do. Fails with
    /// `bad_request` for no query or more than five.
    Look search_tools(SearchTools {
        /// What each is to do, in a few words, or its name; one to five.
        queries: Vec<String>,
    }) -> Vec<ToolsFound>;

    /// Switches one tool on or off.
    More set_tool(SetTool {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// On?
        on: bool,
    }) -> ToolView;

    /// Always shows a tool to models in the workspace in use, also where there are so many that they
    /// look for them; or not any more. It holds from the next turn on. Nothing is allowed by it, and
    /// a tool that a rule or its switch keeps from a model stays kept from it. Fails with
    /// `unknown_tool`.
    More show_tool_always(ShowToolAlways {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// Always?
        on: bool,
    }) -> ToolView;

    /// Keeps what a person says about a tool.
    More mark_tool(MarkTool {
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// What they say.
        mark: ToolFlags,
    }) -> ToolView;

    /// What a server offers, compared with what was approved.
    Look review_offers(ReviewOffers {
        /// Which server.
        server: ServerId,
    }) -> FeaturesReview;

    /// Keeps a person's decisions about what a server offers. All are kept or, if something changed
    /// since it was shown, none.
    More decide_offers(DecideOffers {
        /// Which server.
        server: ServerId,
        /// The decisions.
        decisions: Vec<FeatureDecision>,
    }) -> FeaturesReview;

    /// Calls a tool and waits for the end, the question to a person included.
    Look call_tool(CallTool {
        /// Chosen by the surface (`call-` and 16 hexadecimal digits), so that it can follow and
        /// cancel the call.
        call: Option<CallId>,
        /// Which server.
        server: ServerId,
        /// Which tool.
        tool: ToolName,
        /// The arguments.
        #[ts(type = "Record<string, unknown>")]
        arguments: Map<String, Value>,
    }) -> CallResult;

    /// Cancels a call, or withdraws it while its question waits.
    Less cancel_call(CancelCall {
        /// Which call.
        call: CallId,
    }) -> ();

    /// A result with the marks for credentials and personal numbers taken off, for the person only;
    /// it is written to the log.
    More reveal_answer(RevealAnswer {
        /// Of which call.
        call: CallId,
    }) -> ToolResult;

    /// All of a result of which only a part was passed on, or for which nobody waited.
    Look full_answer(ReadFullAnswer {
        /// Of which call.
        call: CallId,
    }) -> FullResult;

    /// What a server offers to read.
    Look list_resources(ListResources {
        /// Which server.
        server: ServerId,
    }) -> ResourceList;

    /// Reads a resource.
    Look read_resource(ReadResource {
        /// Which server.
        server: ServerId,
        /// Its address.
        uri: String,
    }) -> ResourceResult;

    /// Asks a server to tell when a resource changes, or not to any more.
    Look watch_resource(WatchResource {
        /// Which server.
        server: ServerId,
        /// Its address.
        uri: String,
        /// Tell?
        on: bool,
    }) -> ResourceList;

    /// The prompts of a server.
    Look list_prompts(ListPrompts {
        /// Which server.
        server: ServerId,
    }) -> Vec<PromptSpec>;

    /// Has a prompt filled in.
    Look get_prompt(GetPrompt {
        /// Which server.
        server: ServerId,
        /// Its name.
        prompt: String,
        /// What to fill in.
        #[ts(type = "Record<string, string>")]
        arguments: BTreeMap<String, String>,
    }) -> PromptResult;

    /// Proposals for a value that is being typed.
    Look complete(Complete {
        /// Which server.
        server: ServerId,
        /// What it is typed into.
        of: CompletionOf,
        /// The argument or gap.
        argument: String,
        /// What is typed so far.
        value: String,
        /// The other arguments that are filled in already.
        #[ts(type = "Record<string, string>")]
        #[serde(default)]
        context: BTreeMap<String, String>,
    }) -> Completion;

    /// What a server logged by the protocol, the newest lines.
    Look list_logs(ListLogs {
        /// Which server.
        server: ServerId,
    }) -> ProtocolLog;

    /// Which lines a server should log.
    Look set_log_level(SetLogLevel {
        /// Which server.
        server: ServerId,
        /// From which gravity on; none leaves it to the server.
        level: Option<LogLevel>,
    }) -> ProtocolLog;

    /// The newest messages between Majordomo and a server.
    Look list_exchange(ListExchange {
        /// Which server.
        server: ServerId,
        /// Only those of one call.
        call: Option<CallId>,
    }) -> WireLog;

    /// In which era a server is spoken to. It is started again if it runs.
    Less set_era(SetEra {
        /// Which server.
        server: ServerId,
        /// Which era.
        era: EraChoice,
    }) -> ServerView;

    /// When a server that is on runs. One that is to run always is started if it does not.
    Less set_runs(SetRuns {
        /// Which server.
        server: ServerId,
        /// When.
        runs: Runs,
    }) -> ServerView;

    /// What a server on this computer may touch, and by what that is enforced. Fails with
    /// `bad_request` for a server with an address.
    Look review_confinement(ReviewConfinement {
        /// Which server.
        server: ServerId,
    }) -> ConfinementView;

    /// What a server on this computer may touch, from its next start on; it is started again if it
    /// runs. Fails with `protected_path` if it would be given something protected, or a folder that
    /// holds such a thing, and that was not accepted.
    More set_confinement(SetConfinement {
        /// Which server.
        server: ServerId,
        /// What the person chose.
        settings: ConfinementSettings,
        /// Whether the person accepts that something protected is among it.
        #[serde(default)]
        accept_protected: bool,
    }) -> ConfinementView;

    /// Signs in to a remote server: finds out where, and opens the browser there. What becomes of
    /// it is told as events.
    More sign_in(SignIn {
        /// Which server.
        server: ServerId,
        /// What the person has approved on the way, such as an address elsewhere.
        #[serde(default)]
        approved: SignInApprovals,
    }) -> ServerView;

    /// The address to which the browser was sent back, pasted by the person.
    More finish_sign_in(FinishSignIn {
        /// Which server.
        server: ServerId,
        /// The whole address.
        url: String,
    }) -> ServerView;

    /// Stops waiting for the browser.
    Less cancel_sign_in(CancelSignIn {
        /// Which server.
        server: ServerId,
    }) -> ServerView;

    /// Forgets an account and its tokens.
    Less sign_out(SignOut {
        /// Which server.
        server: ServerId,
        /// Which account; none means the one in use.
        account: Option<String>,
    }) -> ServerView;

    /// Uses another of the accounts that are kept.
    More use_account(UseAccount {
        /// Which server.
        server: ServerId,
        /// Which account; a new name begins without tokens.
        account: String,
    }) -> ServerView;

    /// Keeps how Majordomo is known to a server's sign-in.
    More set_oauth_client(SetOauthClient {
        /// Which server.
        server: ServerId,
        /// How; none goes back to registering by itself.
        client: Option<OauthClientDraft>,
    }) -> ServerView;

    /// Goes through every step of finding out how to sign in, without signing in.
    Look diagnose(Diagnose {
        /// Which server.
        server: ServerId,
    }) -> DoctorReport;

    /// Questions that wait.
    Look list_questions(ListQuestions {}) -> Vec<Question>;

    /// Answers a question. Only an approver may.
    More answer_question(AnswerQuestion {
        /// Which one.
        question: QuestionId,
        /// The answer.
        answer: Decision,
    }) -> ();

    /// Answers several questions at once. Only an approver may.
    More answer_questions(AnswerQuestions {
        /// The answers.
        answers: Vec<BatchDecision>,
    }) -> BatchOutcome;

    /// What an answer to a question about a call would do.
    Look preview_answer(PreviewAnswer {
        /// Which question.
        question: QuestionId,
        /// The answer.
        answer: Decision,
    }) -> DecisionPreview;

    /// Everything that is remembered of answers and still holds, in all workspaces.
    Look list_grants(ListGrants {}) -> Vec<Grant>;

    /// Grants that are wider than what they were used for.
    Look list_tightenings(ListTightenings {}) -> Vec<Tightening>;

    /// Makes a grant as narrow as was proposed.
    Less tighten(Tighten {
        /// Which one.
        grant: GrantId,
    }) -> Grant;

    /// Other applications that may come in by the gateway, and where.
    Look list_clients(ListClients {}) -> GatewayView;

    /// Lets another application come in. Nothing is allowed to it yet.
    More add_client(AddClient {
        /// What to call it.
        name: String,
    }) -> ClientView;

    /// Gives an application a token for HTTP in place of the one before, or takes it away. The
    /// surface draws the token and shows it once; only its hash comes here.
    More set_client_token(SetClientToken {
        /// Which one.
        client: CallerId,
        /// The hash of the token; none takes it away.
        hash: Option<TokenHash>,
    }) -> ClientView;

    /// Changes what an application is given, or how it is shown it. It holds at once.
    More change_client(ChangeClient {
        /// Which one.
        client: CallerId,
        /// What of it.
        change: ClientChange,
    }) -> ClientView;

    /// Ends all connections of an application. It may come back.
    Less disconnect_client(DisconnectClient {
        /// Which one.
        client: CallerId,
    }) -> ClientView;

    /// Lets an application in no more, ends its connections, and takes back what it was allowed.
    Less remove_client(RemoveClient {
        /// Which one.
        client: CallerId,
    }) -> ();

    /// Models that were set up.
    Look list_models(ListModels {}) -> Vec<ModelView>;

    /// Programs on this computer that serve models. They are looked for when this is asked, and at no
    /// other time.
    Look find_models(FindModels {}) -> Vec<LocalModels>;

    /// Sets a model up. Nothing is sent to it yet.
    More add_model(AddModel {
        /// The form as filled in.
        draft: ModelDraft,
    }) -> ModelView;

    /// Changes how a model is reached, what it can do, or its key.
    More change_model(ChangeModel {
        /// Which one.
        model: ModelId,
        /// The form as filled in; `DraftKey::Kept` keeps the key that is there.
        draft: ModelDraft,
    }) -> ModelView;

    /// Asks the service of a model which models it has: whether the address is right, whether it
    /// takes the key, and whether it has the model. It costs nothing there.
    Look test_model(TestModel {
        /// Which one.
        model: ModelId,
    }) -> ModelCheck;

    /// Removes a model and its key.
    Less remove_model(RemoveModel {
        /// Which one.
        model: ModelId,
    }) -> ();

    /// Assistants that were made.
    Look list_assistants(ListAssistants {}) -> Vec<AssistantView>;

    /// Makes an assistant, or changes one. What it may do is never more than what models may do
    /// without one. Fails with `name_taken`, `bad_name`, and `bad_request` where a text is too long,
    /// or names something that there is not.
    More save_assistant(SaveAssistant {
        /// Which one; none makes a new one.
        #[serde(default)]
        assistant: Option<AssistantId>,
        /// How it is set up.
        settings: AssistantSettings,
    }) -> AssistantView;

    /// Removes an assistant. Its conversations stay, and can be read.
    Less remove_assistant(RemoveAssistant {
        /// Which one.
        assistant: AssistantId,
    }) -> ();

    /// An assistant as a text, without what only this computer knows: its model, and other assistants.
    Look export_assistant(ExportAssistant {
        /// Which one.
        assistant: AssistantId,
    }) -> AssistantExport;

    /// How the assistant is set up that such a text says. Nothing is kept; whoever wrote it is a
    /// stranger. Fails with `bad_request` where it says none.
    Look read_assistant(ReadAssistant {
        /// The text.
        file: AssistantFile,
    }) -> AssistantSettings;

    /// Conversations with models: those at the top first, then the last changed. With `text`, those
    /// that hold all its words, the best first.
    Look list_conversations(ListConversations {
        /// Words that they hold.
        #[serde(default)]
        text: Option<String>,
    }) -> Vec<ConversationView>;

    /// What was said in a conversation, at most 200 things at once: the last ones, or those before.
    Look read_conversation(ReadConversation {
        /// Which one.
        conversation: ConversationId,
        /// Only what comes before this one of the page before.
        #[serde(default)]
        before: Option<u32>,
        /// How many things, at most 200.
        limit: u32,
    }) -> ConversationPage;

    /// What is in something that a person attached. Fails with `bad_request` where nothing of this
    /// number is attached.
    Look read_attachment(ReadAttachment {
        /// In which conversation.
        conversation: ConversationId,
        /// The number of what they said. What waits for the next request is numbered behind all that
        /// was said.
        item: u32,
        /// Which one of what is attached to it, from 0.
        attachment: u32,
    }) -> AttachmentContent;

    /// Begins a conversation in which nothing is said yet. Fails with `no_model` where no model was
    /// set up.
    More start_conversation(StartConversation {
        /// The model that answers; none means that of the assistant, or the one that was set up last.
        #[serde(default)]
        model: Option<ModelId>,
        /// The assistant that answers, if it is one.
        #[serde(default)]
        assistant: Option<AssistantId>,
    }) -> ConversationView;

    /// Says whether what speaks to the model is read for it, and not shown to it. It holds from the
    /// next turn on.
    More set_reader(SetReader {
        /// In which conversation.
        conversation: ConversationId,
        /// Whether it is read for it.
        is_on: bool,
    }) -> ConversationView;

    /// Begins a conversation with all that was said in another one before a turn: the other one
    /// stays as it is. Fails with `bad_request` where no turn begins.
    More branch_conversation(BranchConversation {
        /// Which one.
        conversation: ConversationId,
        /// The number of what the person said, with which the turn begins.
        before: u32,
    }) -> ConversationView;

    /// What the request to the model held that a reply answers, and what was left out of it. Fails
    /// with `bad_request` where there is none, or it was asked for by an earlier version.
    Look read_ledger(ReadLedger {
        /// In which conversation.
        conversation: ConversationId,
        /// The number of the reply.
        reply: u32,
    }) -> RequestLedger;

    /// What speaks against the opening of an address that a model has written, gravest first: who
    /// wrote it before the model, and whether it may carry something out. Nothing is opened. Fails
    /// with `unknown_conversation`.
    Look check_link(CheckLink {
        /// In which conversation it was written.
        conversation: ConversationId,
        /// The address.
        address: String,
    }) -> Vec<Concern>;

    /// Says something: a turn begins, or the one that goes on hears it with its next request. It is
    /// kept when this returns; the reply is told as events. These count as the person's own words,
    /// so that it is done where a person is, and nowhere else. Fails with `unreadable_attachment` and
    /// `too_large`.
    More say_in_conversation(SayInConversation {
        /// In which one.
        conversation: ConversationId,
        /// What they say. Where something is attached, it may be empty.
        text: String,
        /// What they attach, at most 8 things of 5 MiB together. It is data, whoever wrote it, and
        /// not their word.
        #[serde(default)]
        attachments: Vec<NewAttachment>,
        /// Another model that is to answer from now on. While a turn goes on, there can be none.
        #[serde(default)]
        model: Option<ModelId>,
    }) -> ConversationView;

    /// Stops the turn that goes on, or one of its calls. Said once more of a turn, what does not end
    /// is waited for no longer.
    Less stop_conversation(StopConversation {
        /// In which one.
        conversation: ConversationId,
        /// Which call; none means all of the turn.
        #[serde(default)]
        call: Option<CallId>,
    }) -> ();

    /// Lets a turn go on that waits for that, with as much as a turn may take; or begins one that
    /// goes on where the last one was cut short.
    More go_on(GoOn {
        /// In which one.
        conversation: ConversationId,
        /// What the person says by it where a turn is begun, in their language; none means `Go on.`.
        #[serde(default)]
        words: Option<String>,
    }) -> ConversationView;

    /// Calls a conversation something else.
    Less rename_conversation(RenameConversation {
        /// Which one.
        conversation: ConversationId,
        /// What to call it.
        title: String,
    }) -> ConversationView;

    /// Keeps a conversation at the top of the list, or not any more.
    Less pin_conversation(PinConversation {
        /// Which one.
        conversation: ConversationId,
        /// Whether it is kept there.
        is_pinned: bool,
    }) -> ConversationView;

    /// Deletes a conversation with all that was said in it. What goes on in it is stopped.
    More delete_conversation(DeleteConversation {
        /// Which one.
        conversation: ConversationId,
    }) -> ();

    /// A conversation as a text, with its calls. What models thought is left out.
    Look export_conversation(ExportConversation {
        /// Which one.
        conversation: ConversationId,
        /// In which format.
        format: ConversationFormat,
    }) -> ConversationExport;

    /// Begins a conversation with what stands in a file that [`ExportConversation`] wrote as JSON.
    /// Whoever wrote the file has said all of it: nothing in it counts as the person's words. Fails
    /// with `unreadable_conversation` and `too_large`, and keeps nothing then.
    More import_conversation(ImportConversation {
        /// The text of the file, at most 32 MiB.
        text: ConversationText,
    }) -> ConversationView;

    /// Applications on this computer that can use the servers through Majordomo, and whether their
    /// configurations lead here.
    Look list_applications(ListApplications {}) -> Vec<ApplicationView>;

    /// What connecting an application would change in its file. Nothing is written.
    Look preview_connection(PreviewConnection {
        /// Which one.
        application: Application,
        /// Its file, as listed.
        path: String,
        /// Names of servers that it would no longer start itself, because Majordomo has the same.
        #[serde(default)]
        without: Vec<String>,
    }) -> ConnectionPreview;

    /// Writes the entry of Majordomo into an application's file, as it was shown, and lets the
    /// application come in. Nothing is allowed to it yet.
    More connect_application(ConnectApplication {
        /// Which one.
        application: Application,
        /// Its file, as listed.
        path: String,
        /// The same as in the preview.
        #[serde(default)]
        without: Vec<String>,
        /// The hash of the preview.
        hash: Fingerprint,
    }) -> ApplicationView;

    /// What taking a connection back would change in the application's file. Nothing is written.
    Look preview_disconnection(PreviewDisconnection {
        /// Which one.
        application: Application,
        /// Its file, as listed.
        path: String,
    }) -> ConnectionPreview;

    /// Gives an application's file back as it was, or takes the entry out of it if it has changed
    /// since. A client that was made for it may come in no more.
    Less disconnect_application(DisconnectApplication {
        /// Which one.
        application: Application,
        /// Its file, as listed.
        path: String,
        /// The hash of the preview.
        hash: Fingerprint,
    }) -> ApplicationView;

    /// Servers that applications on this computer start or call themselves, past Majordomo.
    Look list_bypasses(ListBypasses {}) -> Vec<Bypass>;

    /// All rules.
    Look show_policy(ShowPolicy {}) -> PolicyView;

    /// A rule as it would be written.
    Look preview_rule(PreviewRule {
        /// What was clicked together.
        draft: RuleDraft,
    }) -> Rule;

    /// Makes a rule. One that lets more happen is a question first, and this waits for the answer.
    More add_rule(AddRule {
        /// What was clicked together.
        draft: RuleDraft,
    }) -> PolicyView;

    /// Takes a rule of the person back. Where more could happen afterwards this is a question
    /// first.
    More remove_rule(RemoveRule {
        /// Which one.
        rule: RuleId,
    }) -> PolicyView;

    /// What would become of a call.
    Look test_policy(TestPolicy {
        /// The call.
        call: DryRun,
    }) -> DryRunResult;

    /// All workspaces, by name.
    Look list_workspaces(ListWorkspaces {}) -> Vec<WorkspaceView>;

    /// Makes a workspace; it is not in use yet.
    Less add_workspace(AddWorkspace {
        /// What to call it.
        name: String,
        /// Begins with the servers, folders and tool switches of this one, but never with its
        /// grants; none begins empty.
        like: Option<WorkspaceId>,
    }) -> WorkspaceView;

    /// Calls a workspace something else.
    Less rename_workspace(RenameWorkspace {
        /// Which one.
        workspace: WorkspaceId,
        /// What to call it.
        name: String,
    }) -> WorkspaceView;

    /// Removes a workspace with its grants. The one in use, and with it the last one, cannot be
    /// removed.
    Less remove_workspace(RemoveWorkspace {
        /// Which one.
        workspace: WorkspaceId,
    }) -> ();

    /// Uses another workspace: stops what is not in it, starts what is.
    More switch_workspace(SwitchWorkspace {
        /// Which one.
        workspace: WorkspaceId,
    }) -> WorkspaceView;

    /// Notes that a person has seen that the outcome of a call is not known.
    More note_unknown(NoteUnknown {
        /// Which call.
        call: CallId,
    }) -> ();

    /// Whether a server may ask for a model, and how much.
    Look show_sampling(ShowSampling {
        /// Which server.
        server: ServerId,
    }) -> SamplingView;

    /// Lets a server ask for a model, or not.
    More set_sampling(SetSampling {
        /// Which server.
        server: ServerId,
        /// How much.
        settings: SamplingSettings,
    }) -> SamplingView;

    /// The head of the log, to be kept elsewhere.
    Look export_anchor(ExportAnchor {}) -> AnchorExport;

    /// How the log stands to an anchor that was kept elsewhere.
    Look check_anchor(CheckAnchor {
        /// The anchor's line of text.
        text: String,
    }) -> AnchorCheck;

    /// Moves old records out of the log, behind a signed checkpoint.
    More compact_log(CompactLog {
        /// Only whole segments of which every record is older.
        before: Timestamp,
    }) -> Compacted;

    /// Where traces and metrics are sent.
    Look show_telemetry(ShowTelemetry {}) -> TelemetryView;

    /// Chooses where traces and metrics are sent.
    More set_telemetry(SetTelemetry {
        /// Where.
        settings: TelemetrySettings,
    }) -> TelemetryView;

    /// How many minutes questions wait before the answer is no.
    Look question_time(ReadQuestionTime {}) -> u32;

    /// Chooses how many minutes questions wait that are asked from now on.
    More set_question_time(SetQuestionTime {
        /// From 1 to 1,440.
        minutes: u32,
    }) -> u32;

    /// Takes a grant back. Calls already running finish; the next one asks again.
    More revoke_grant(RevokeGrant {
        /// Which one.
        grant: GrantId,
    }) -> Grant;

    /// What happened, newest first.
    Look list_activity(ListActivity {
        /// Which rows.
        filter: ActivityFilter,
        /// Continue after this row of the page before.
        before: Option<u64>,
        /// Rows, at most 500.
        limit: u32,
    }) -> ActivityPage;

    /// The calls that fit, in figures.
    Look count_activity(CountActivity {
        /// Which rows; of these only calls are counted.
        filter: ActivityFilter,
    }) -> ActivityFigures;

    /// One call in full.
    Look show_activity(ShowActivity {
        /// Its first record.
        seq: u64,
    }) -> ActivityDetail;

    /// The same of a call by its number: on whose word it ran or did not, and its records. Fails with
    /// `unknown_record` where none of it stands in the log, or not any more.
    Look show_call(ShowCall {
        /// Which one.
        call: CallId,
    }) -> ActivityDetail;

    /// Reads the whole log and checks it.
    Look verify_log(VerifyLog {}) -> LogReport;

    /// The log as text.
    Look export_log(ExportLog {
        /// In which format.
        format: ExportFormat,
        /// Only what belongs to the rows that fit; absent for all of it.
        #[serde(default)]
        filter: Option<ActivityFilter>,
    }) -> LogExport;
}
