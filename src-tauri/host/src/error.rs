//! Makes what went wrong below into a code, a sentence and a hint. The only place where errors of other rooms are read.

use crate::api::{ErrorCode, HostError};
use connections::ConnectionError;
use inspect::Masker;
use policy::Refusal;
use protocol::ServerId;
use store::StoreError;

/// An error with the hint that belongs to its code.
pub(crate) fn host(code: ErrorCode, message: impl Into<String>) -> HostError {
    HostError { code, message: message.into(), hint: hint(code).to_owned(), refusal: None, runtime: None }
}

impl HostError {
    /// An error that a surface finds by itself, with the hint that belongs to its code.
    pub fn of(code: ErrorCode, message: impl Into<String>) -> Self {
        host(code, message)
    }

    /// A request that is not one. What it held is not repeated: it may be a secret.
    pub fn not_understood() -> Self {
        host(ErrorCode::BadRequest, "the request is not understood")
    }

    /// The host is about to end.
    pub fn shutting_down() -> Self {
        host(ErrorCode::ShuttingDown, "Majordomo is shutting down")
    }
}

/// A call that was not allowed.
pub(crate) fn refused(refusal: Refusal) -> HostError {
    HostError { refusal: Some(refusal.clone()), ..host(ErrorCode::Refused, refusal.to_string()) }
}

/// A call that was made and whose result is kept back.
pub(crate) fn withheld(refusal: Refusal) -> HostError {
    let message = format!("the call was carried out, and its result is kept back: {refusal}");
    HostError { refusal: Some(refusal), ..host(ErrorCode::Withheld, message) }
}

/// A refusal without values of secrets: problems of arguments quote the arguments, and people quote anything.
pub(crate) fn masked_refusal(refusal: Refusal, masker: &Masker) -> Refusal {
    let mask = |text: String| masker.mask(&text).unwrap_or(text);
    match refusal {
        Refusal::ArgumentsInvalid { problems } => Refusal::ArgumentsInvalid { problems: problems.into_iter().map(mask).collect() },
        Refusal::SchemaUnusable { problem } => Refusal::SchemaUnusable { problem: mask(problem) },
        Refusal::DeniedByPerson { reason } => Refusal::DeniedByPerson { reason: reason.map(mask) },
        Refusal::DeniedEarlier { grant, reason } => Refusal::DeniedEarlier { grant, reason: reason.map(mask) },
        Refusal::Forbidden { rules, by, reason } => Refusal::Forbidden { rules, by, reason: reason.map(mask) },
        other => other,
    }
}

/// What went wrong with a server. Texts that come from it are masked.
pub(crate) fn connection(server: &ServerId, error: &ConnectionError, masker: &Masker) -> HostError {
    let code = match error {
        ConnectionError::CommandNotFound { .. } => ErrorCode::CommandNotFound,
        ConnectionError::NotExecutable { .. } => ErrorCode::NotExecutable,
        ConnectionError::NoWorkingDirectory { .. } => ErrorCode::NoWorkingDirectory,
        ConnectionError::JailMissing { .. } => ErrorCode::ProgramIncomplete,
        ConnectionError::ExitedAtStart { .. } => ErrorCode::ExitedAtStart,
        ConnectionError::StartTimedOut { .. } => ErrorCode::StartTimedOut,
        ConnectionError::NotProtocol { .. } => ErrorCode::NotProtocol,
        ConnectionError::Unreachable { .. } => ErrorCode::Unreachable,
        ConnectionError::NeedsSignIn { status: 403, .. } => ErrorCode::NeedsMoreRights,
        ConnectionError::NeedsSignIn { .. } => ErrorCode::NeedsSignIn,
        ConnectionError::BadCertificate { .. } => ErrorCode::BadCertificate,
        ConnectionError::AddressForbidden { .. } => ErrorCode::AddressForbidden,
        ConnectionError::Redirected { .. } => ErrorCode::Redirected,
        ConnectionError::ProxyFailed { .. } => ErrorCode::ProxyFailed,
        ConnectionError::SessionLost => ErrorCode::SessionLost,
        ConnectionError::RevisionUnknown { .. } => ErrorCode::RevisionUnknown,
        ConnectionError::NotOffered { .. } => ErrorCode::NotOffered,
        ConnectionError::TooManyRounds { .. } => ErrorCode::TooManyRounds,
        ConnectionError::TaskLost { .. } => ErrorCode::TaskLost,
        ConnectionError::NotGiven { .. } => ErrorCode::InputDeclined,
        ConnectionError::Endless { .. } => ErrorCode::ListEndless,
        ConnectionError::HttpStatus { .. } => ErrorCode::HttpStatus,
        ConnectionError::BadUrl { .. } => ErrorCode::BadUrl,
        ConnectionError::ConnectionLost { .. } => ErrorCode::ConnectionLost,
        ConnectionError::TimedOut { .. } => ErrorCode::TimedOut,
        ConnectionError::MessageTooLong { .. } => ErrorCode::MessageTooLong,
        ConnectionError::Server { .. } | ConnectionError::Unreadable { .. } => ErrorCode::ServerError,
        ConnectionError::Cancelled => ErrorCode::Cancelled,
    };
    let message = error.to_string();
    let message = masker.mask(&message).unwrap_or(message);
    host(code, format!("{server}: {message}"))
}

impl From<StoreError> for HostError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::AlreadyOpen { .. } => ErrorCode::AlreadyRunning,
            StoreError::NameTaken { .. } => ErrorCode::NameTaken,
            StoreError::WorkspaceNameTaken { .. } => ErrorCode::NameTaken,
            StoreError::UnknownWorkspace { .. } => ErrorCode::UnknownWorkspace,
            StoreError::WorkspaceInUse { .. } => ErrorCode::WorkspaceInUse,
            StoreError::UnknownServer { .. } => ErrorCode::UnknownServer,
            StoreError::UnknownQuestion { .. } => ErrorCode::UnknownQuestion,
            StoreError::UnknownGrant { .. } => ErrorCode::UnknownGrant,
            StoreError::UnknownRecord { .. } => ErrorCode::UnknownRecord,
            StoreError::AnswerGone { .. } => ErrorCode::WholeAnswerGone,
            StoreError::AnswerDamaged { .. } => ErrorCode::WholeAnswerDamaged,
            StoreError::Newer { .. } => ErrorCode::DatabaseNewer,
            StoreError::Locked => ErrorCode::DatabaseLocked,
            StoreError::ReadOnly { .. } => ErrorCode::DatabaseReadOnly,
            StoreError::Damaged { .. } => ErrorCode::DatabaseDamaged,
            StoreError::KeyringMissing { .. } => ErrorCode::KeyringMissing,
            StoreError::KeyringFailed { .. } => ErrorCode::KeyringFailed,
            StoreError::SecretLost { .. } => ErrorCode::SecretLost,
            StoreError::BadAnchor { .. } => ErrorCode::BadAnchor,
            StoreError::LogNotWritable { .. } => ErrorCode::LogNotWritable,
            StoreError::Closed => ErrorCode::ShuttingDown,
            StoreError::LogNotReadable { .. } | StoreError::Database(_) | StoreError::Folder(_) => ErrorCode::Internal,
        };
        host(code, error.to_string())
    }
}

fn hint(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::BadRequest => "Check the request against the interface of this version.",
        ErrorCode::UnknownServer => "List the servers and use one of their names.",
        ErrorCode::UnknownTool => "List the server's tools and use one of their names.",
        ErrorCode::UnknownQuestion => "It was answered, withdrawn or ran out; make the call again to be asked anew.",
        ErrorCode::UnknownGrant => "List the grants; it may have been taken back already.",
        ErrorCode::UnknownRule => "Show the rules; only those of the person can be taken back.",
        ErrorCode::BadRule => "Say what it is about; rules that ask or allow are for calls, and a tool needs its server.",
        ErrorCode::Withheld => "Do not make the call again: it was carried out. Ask whoever made the rule.",
        ErrorCode::UnknownWorkspace => "List the workspaces.",
        ErrorCode::WorkspaceInUse => "Switch to another workspace first.",
        ErrorCode::BadAnchor => "Give the whole line as it was exported.",
        ErrorCode::NothingToTighten => "It was used for all that it covers, or too seldom to tell.",
        ErrorCode::UnknownCall => "It has ended; look at the activity.",
        ErrorCode::UnknownAnswer => "Make the call again; what was covered is kept in memory only, and only for the newest answers.",
        ErrorCode::WholeAnswerGone => "Make the call again; only long answers are kept, for a month.",
        ErrorCode::WholeAnswerDamaged => "Make the call again; the file is of no use.",
        ErrorCode::OnlyForThePerson => "Look at it in the window; without a window, on a terminal or with the approver token.",
        ErrorCode::UnknownRecord => "List the activity and use one of its numbers.",
        ErrorCode::ProgramChanged => "Review the server again and look at what is different before you go on.",
        ErrorCode::OfferChanged => "Review what the server offers again, and decide about what is shown then.",
        ErrorCode::BadName => {
            "Use 1 to 64 visible characters; for a server only letters, digits, '.', '_' and '-', beginning with a letter or digit."
        }
        ErrorCode::NameTaken => "Choose another name; names may not differ in upper and lower case only.",
        ErrorCode::BadCommand => "Give the program and each argument by itself.",
        ErrorCode::BadUrl => "Give an https: address, or an http: address on this computer.",
        ErrorCode::BadSetting => "Correct the name or value, and give each name once.",
        ErrorCode::BadPath => "Give the absolute path of a folder that is there.",
        ErrorCode::BuiltIn => "Add a server of your own instead.",
        ErrorCode::SecretTooShort => "A secret has at least 4 characters; keep this value as an ordinary setting.",
        ErrorCode::KeyringMissing => {
            "Start the system's keyring (on Linux a Secret Service such as GNOME Keyring), or keep the secret for this session only."
        }
        ErrorCode::KeyringFailed => "Unlock the keyring and try again.",
        ErrorCode::SecretLost => "Edit the server and enter the secret again.",
        ErrorCode::ImportUnreadable => "Correct it at the named place; comments and trailing commas are fine.",
        ErrorCode::ImportNoServers => "Give the part that begins with \"mcpServers\", \"servers\", [mcp_servers.NAME] or extensions:.",
        ErrorCode::ReviewNeeded => "Look at what the server would run and accept it: `majordomoctl servers review NAME`.",
        ErrorCode::ServerOff => "Switch it on: `majordomoctl servers enable NAME`.",
        ErrorCode::CommandNotFound => "Install the program, or give its full path.",
        ErrorCode::RuntimeMissing => "Install it and try again, or give the full path of the program.",
        ErrorCode::NotExecutable => "Make the file executable, or name the program that runs it.",
        ErrorCode::NoWorkingDirectory => "Create the folder, or edit the server and choose another.",
        ErrorCode::ProgramIncomplete => "Install Majordomo again; its programs belong side by side.",
        ErrorCode::ExitedAtStart => "Read what it wrote on its standard error; often an argument or a setting is missing.",
        ErrorCode::StartTimedOut => "Start the command by hand to see what it waits for; a first download can take long, so try again.",
        ErrorCode::NotProtocol => "Check that the command starts an MCP server on standard input and output.",
        ErrorCode::Unreachable => "Check the address and the network, and whether the server runs.",
        ErrorCode::NeedsSignIn => "Sign in: `majordomoctl servers sign-in NAME`; or check the secret header with which you sign in.",
        ErrorCode::NeedsMoreRights => "Sign in again to give it the rights that it names, if you want to.",
        ErrorCode::BadCertificate => "Check the address; for a certificate of your organisation add its authority to the server.",
        ErrorCode::AddressForbidden => "If this is your own server, add it by that address yourself.",
        ErrorCode::Redirected => "If you trust the other address, edit the server and use it.",
        ErrorCode::ProxyFailed => "Check the proxy of the system or of HTTPS_PROXY.",
        ErrorCode::SessionLost => "Start the server again and repeat the call; it was not carried out.",
        ErrorCode::RevisionUnknown => "Update the server, or Majordomo.",
        ErrorCode::ListEndless => "Report this to the author of the server.",
        ErrorCode::NotOffered => "Look at what the server offers.",
        ErrorCode::TooManyRounds => "Report this to the author of the server; the call was given up.",
        ErrorCode::InputDeclined => "Make the call again and give it what it asks for, if you want to.",
        ErrorCode::TaskLost => "Look at the server whether it was done; it is not repeated by itself.",
        ErrorCode::SignInNotFound => "Run `majordomoctl servers diagnose NAME` to see every step; check the address.",
        ErrorCode::SignInMismatch => "Do not sign in; check the address, and tell the owner of the server.",
        ErrorCode::SignInUnsafe => "Do not sign in; tell the owner of the server.",
        ErrorCode::SignInElsewhere => "Look at the addresses; approve them only if you know that they belong together.",
        ErrorCode::SignInUnprotected => "Approve this only if you know the service and must use it.",
        ErrorCode::ClientIdNeeded => "Ask the owner of the server for a client id and enter it.",
        ErrorCode::RegistrationRefused => "Ask the owner of the server for a client id and enter it.",
        ErrorCode::SignInForged => "Sign in again; if it happens again, tell the owner of the server.",
        ErrorCode::SignInRefused => "Sign in again, and allow it there.",
        ErrorCode::SignInTimedOut => "Sign in again, or paste the address to which the browser was sent back.",
        ErrorCode::SignInExpired => "Sign in again.",
        ErrorCode::BrowserFailed => "Open the address that is shown by hand.",
        ErrorCode::HttpStatus => "Check that the address is that of an MCP endpoint.",
        ErrorCode::ConnectionLost => "Start the server again and look at its log; what the call did is unknown.",
        ErrorCode::TimedOut => "Try again, or look at the server's log; it may still be working.",
        ErrorCode::MessageTooLong => "Ask for less at a time; a message may have 16 MiB.",
        ErrorCode::ServerError => "Look at the server's log and its documentation.",
        ErrorCode::Cancelled => "Make the call again if you still want it.",
        ErrorCode::Refused => "Read why; nothing was sent to the server.",
        ErrorCode::NotAnApprover => "Answer in the question window; without a window, on a terminal or with the approver token.",
        ErrorCode::BadAnswer => "Answer what the question asks.",
        ErrorCode::LogNotWritable => "Make room on the disk and make the data directory writable; nothing runs without a trace.",
        ErrorCode::LogNotIntact => "Keep a copy of the log as evidence and look at the named record.",
        ErrorCode::DatabaseLocked => "Close the program that holds the database open.",
        ErrorCode::DatabaseReadOnly => "Make the data directory writable for you.",
        ErrorCode::DatabaseNewer => "Use the newer version of Majordomo that wrote it, or another data directory.",
        ErrorCode::DatabaseDamaged => "Move the database file aside and start again; the log is kept in its own files.",
        ErrorCode::AlreadyRunning => "Use the one that runs, or another data directory.",
        ErrorCode::ShuttingDown => "Wait until it has ended and start it again.",
        ErrorCode::TooSlow => "Try again.",
        ErrorCode::Internal => "Please report this with what you did before.",
    }
}
