//! What went wrong: a code, fields, and a sentence that names the particulars.

use super::Runtime;
use policy::Refusal;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What went wrong: a code for the machine and a sentence that names the particulars.
///
/// Surfaces branch on `code`, and take the title, the text and the next step that belong to it from
/// the message catalogues; `message` is English, for the log and for details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS, thiserror::Error)]
#[error("{message}")]
pub struct HostError {
    /// What went wrong.
    pub code: ErrorCode,
    /// One sentence.
    pub message: String,
    /// Why a call was not allowed, where that is what went wrong.
    pub refusal: Option<Refusal>,
    /// What has to be installed, where that is what is missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub runtime: Option<Runtime>,
}

impl HostError {
    /// An error of this code.
    pub fn of(code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            code,
            message: message.into(),
            refusal: None,
            runtime: None,
        }
    }

    /// A request that is not one. What it held is not repeated: it may be a secret.
    pub fn not_understood() -> Self {
        Self::of(ErrorCode::BadRequest, "the request is not understood")
    }

    /// The host is about to end.
    pub fn shutting_down() -> Self {
        Self::of(ErrorCode::ShuttingDown, "Majordomo is shutting down")
    }
}

/// What went wrong. Every code has a title, a sentence and an action in every message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The request itself is malformed.
    BadRequest,
    /// A field of the request holds more than it may.
    TooLarge,
    /// There are as many of these as are kept.
    TooMany,
    /// No server of this name.
    UnknownServer,
    /// No such tool on this server.
    UnknownTool,
    /// No such question, or it was answered or lapsed.
    UnknownQuestion,
    /// No such grant, or it was taken back.
    UnknownGrant,
    /// No such rule, or it is not the person's.
    UnknownRule,
    /// A rule cannot be made like this.
    BadRule,
    /// The call was made, and a rule keeps its result back.
    Withheld,
    /// No such workspace.
    UnknownWorkspace,
    /// No such application among those that may come in by the gateway.
    UnknownClient,
    /// No such conversation with a model, or it was deleted.
    UnknownConversation,
    /// No such model.
    UnknownModel,
    /// There is no such assistant.
    UnknownAssistant,
    /// No model was set up.
    NoModel,
    /// What is attached is neither a text nor a picture that models read.
    UnreadableAttachment,
    /// What is to be imported is no conversation that was saved as JSON.
    UnreadableConversation,
    /// The service of a model does not take the key, or wants one.
    ModelKeyRefused,
    /// The service of a model gives nothing more for now: too many requests, or no credit.
    ModelQuotaSpent,
    /// The service of a model failed, or has too much to do.
    ModelServiceFailed,
    /// What answers is not the service of a model that it should be.
    NotAModelService,
    /// The workspace is in use.
    WorkspaceInUse,
    /// The anchor cannot be read.
    BadAnchor,
    /// There is nothing to make narrower.
    NothingToTighten,
    /// No such call, or it has ended.
    UnknownCall,
    /// What was covered in this answer is not known any more, or nothing was.
    UnknownAnswer,
    /// The whole text of this answer is not kept, or not any more.
    WholeAnswerGone,
    /// The whole text of this answer was changed or damaged on the disk.
    WholeAnswerDamaged,
    /// Only the person may see what was covered.
    OnlyForThePerson,
    /// No such record.
    UnknownRecord,
    /// The name cannot be used.
    BadName,
    /// Another server, or another workspace, has this name.
    NameTaken,
    /// The command is empty or holds a character that no command can.
    BadCommand,
    /// The address cannot be used.
    BadUrl,
    /// The server would be Majordomo itself.
    LeadsHere,
    /// The name of a setting cannot be used.
    BadSetting,
    /// The path is not an absolute path of a folder.
    BadPath,
    /// A built-in server cannot be edited or removed.
    BuiltIn,
    /// A secret is too short to be covered in texts.
    SecretTooShort,
    /// There is no keyring.
    KeyringMissing,
    /// The keyring refused or did not answer.
    KeyringFailed,
    /// A secret that a server or a model needs is not there any more.
    SecretLost,
    /// A secret that is kept would go to another command, package or origin than it was given for.
    SecretElsewhere,
    /// The configuration cannot be read.
    ImportUnreadable,
    /// The configuration holds no servers.
    ImportNoServers,
    /// A person must review the server first.
    ReviewNeeded,
    /// The server is off.
    ServerOff,
    /// The command was not found.
    CommandNotFound,
    /// The command belongs to a runtime that is not installed.
    RuntimeMissing,
    /// The file cannot be executed.
    NotExecutable,
    /// The working directory is not there.
    NoWorkingDirectory,
    /// A part of the program is missing from where it was installed.
    ProgramIncomplete,
    /// The server is to be confined, and cannot be as it should be here.
    NotConfined,
    /// What a server would be given is protected, or holds something that is.
    ProtectedPath,
    /// The process ended before it answered the first message.
    ExitedAtStart,
    /// The server did not answer the first message in time.
    StartTimedOut,
    /// The server wrote something that is not the protocol and no answer.
    NotProtocol,
    /// The address cannot be reached.
    Unreachable,
    /// The server wants to know who is asking.
    NeedsSignIn,
    /// The server wants more rights than Majordomo was given there.
    NeedsMoreRights,
    /// The certificate of the address is not good.
    BadCertificate,
    /// The address lies where this server may not send Majordomo.
    AddressForbidden,
    /// The server sends Majordomo on to another address.
    Redirected,
    /// The proxy did not connect.
    ProxyFailed,
    /// The server forgot the session and a new one could not be begun.
    SessionLost,
    /// The server speaks no revision of the protocol that is known here.
    RevisionUnknown,
    /// A list of the server does not end.
    ListEndless,
    /// One of its lists takes more memory than is kept of a server.
    ListTooLarge,
    /// The server does not offer this.
    NotOffered,
    /// The server needs a model for this, and whoever asked has none for it.
    NeedsModel,
    /// The server wants rounds of questions without end.
    TooManyRounds,
    /// The server asked for something before it answers, and was not given it.
    InputDeclined,
    /// What became of a task on the server is not known.
    TaskLost,
    /// The server was changed since it began a task; what became of that is not known.
    ServerChanged,
    /// It was not found out where to sign in.
    SignInNotFound,
    /// The server's description of its sign-in belongs to something else.
    SignInMismatch,
    /// The sign-in service names an address that must not be opened or called.
    SignInUnsafe,
    /// The sign-in service names addresses elsewhere.
    SignInElsewhere,
    /// The sign-in service does not say that it protects the answer (PKCE).
    SignInUnprotected,
    /// The sign-in service wants a client id that its owner gives out.
    ClientIdNeeded,
    /// The sign-in service did not register Majordomo.
    RegistrationRefused,
    /// The answer of the browser does not belong to this sign-in.
    SignInForged,
    /// The sign-in was refused.
    SignInRefused,
    /// The server keeps asking for rights that it was given already.
    RightsRefused,
    /// Nobody came back from the browser in time.
    SignInTimedOut,
    /// The tokens are not valid any more.
    SignInExpired,
    /// The browser could not be opened.
    BrowserFailed,
    /// The server answered with an HTTP status that is not the protocol's.
    HttpStatus,
    /// The server ended, or the connection was lost, in the middle.
    ConnectionLost,
    /// The server did not answer in time.
    TimedOut,
    /// The server sent a message that is too long.
    MessageTooLong,
    /// The server has no such resource.
    UnknownResource,
    /// The server answered with a protocol error.
    ServerError,
    /// The call was cancelled.
    Cancelled,
    /// The call was not allowed.
    Refused,
    /// Somebody who was asked said no to a change, and nothing was changed.
    ChangeDenied,
    /// What runs, or would, is not what was reviewed.
    ProgramChanged,
    /// What a decision is about is not what was shown any more.
    OfferChanged,
    /// A file of another application is not what was shown any more.
    FileChanged,
    /// A file of another application cannot be written, and stays as it was.
    FileNotWritten,
    /// Only an approver may answer questions.
    NotAnApprover,
    /// This answer does not fit this question.
    BadAnswer,
    /// The disk is full.
    DiskFull,
    /// The log cannot be written.
    LogNotWritable,
    /// The log was changed from outside.
    LogNotIntact,
    /// The database is locked by something else.
    DatabaseLocked,
    /// The database or its folder cannot be written.
    DatabaseReadOnly,
    /// Others can open what is in the data folder, and that cannot be taken from them.
    FolderNotPrivate,
    /// The database is from a newer version.
    DatabaseNewer,
    /// The database is damaged.
    DatabaseDamaged,
    /// Another Majordomo runs on this data directory.
    AlreadyRunning,
    /// What answers in the place of the Majordomo that runs could not prove to be it.
    HostUnproven,
    /// The host is shutting down.
    ShuttingDown,
    /// The request took too long.
    TooSlow,
    /// Something that should not happen.
    Internal,
}

impl ErrorCode {
    /// The word by which it travels.
    pub fn word(self) -> String {
        serde_json::to_value(self)
            .ok()
            .and_then(|code| code.as_str().map(str::to_owned))
            .unwrap_or_default()
    }

    /// The code that travels by this word; `None` of a word that this version does not know.
    pub fn of_word(word: &str) -> Option<Self> {
        serde_json::from_value(word.into()).ok()
    }
}
