//! Everything that can go wrong with what is remembered, as sentences.

use api::{ErrorCode, HostError};
use protocol::{CallId, ConversationId, GrantId, QuestionId, SecretId, ServerId, WorkspaceId};
use std::io;
use std::path::PathBuf;

/// Why something could not be remembered or recalled.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Another host has this data folder open.
    #[error("another Majordomo is using {}", dir.display())]
    AlreadyOpen {
        /// The folder.
        dir: PathBuf,
    },
    /// The database was written by a newer version. Nothing in it was touched.
    #[error(
        "the database is from a newer version of Majordomo (format {found}, this version knows {known})"
    )]
    Newer {
        /// The format that was found.
        found: u32,
        /// The newest format that this version knows.
        known: u32,
    },
    /// Something else holds the database.
    #[error("the database is locked by another program")]
    Locked,
    /// The database or its folder cannot be written.
    #[error("the data folder or the database cannot be written: {reason}")]
    ReadOnly {
        /// In the system's words.
        reason: String,
    },
    /// Others can read or change what is in the data folder, and that cannot be taken from them.
    #[error("others can open {}, and that cannot be taken from them: {reason}", path.display())]
    NotPrivate {
        /// The file or folder.
        path: PathBuf,
        /// In the system's words.
        reason: String,
    },
    /// The disk has no room left, or none for this user. Nothing of it was kept.
    #[error("the disk is full: {reason}")]
    DiskFull {
        /// In the system's words.
        reason: String,
    },
    /// The file is not a database, or not one any more. Nothing in it was touched.
    #[error("the database is damaged: {reason}")]
    Damaged {
        /// In the database's words.
        reason: String,
    },
    /// Another server has this name, perhaps in other case.
    #[error("there is already a server named {name}")]
    NameTaken {
        /// The name that was wanted.
        name: ServerId,
    },
    /// No server has this name.
    #[error("there is no server named {name}")]
    UnknownServer {
        /// The name.
        name: ServerId,
    },
    /// Another workspace has this name, perhaps in other case.
    #[error("there is already a workspace named {name}")]
    WorkspaceNameTaken {
        /// The name that was wanted.
        name: String,
    },
    /// Another model has this name, perhaps in other case.
    #[error("there is already a model called {name}")]
    ModelNameTaken {
        /// The name that was wanted.
        name: String,
    },
    /// Another assistant has this name, perhaps in other case.
    #[error("there is already an assistant called {name}")]
    AssistantNameTaken {
        /// The name that was wanted.
        name: String,
    },
    /// No such workspace.
    #[error("there is no workspace {id}")]
    UnknownWorkspace {
        /// Its number.
        id: WorkspaceId,
    },
    /// The workspace that is in use cannot be removed.
    #[error("the workspace {id} is in use")]
    WorkspaceInUse {
        /// Its number.
        id: WorkspaceId,
    },
    /// No such grant, or it was taken back.
    #[error("there is no grant {id}, or it was taken back")]
    UnknownGrant {
        /// Its number.
        id: GrantId,
    },
    /// A call has this number already.
    #[error("there was a call {id} already")]
    CallKnown {
        /// Its number.
        id: CallId,
    },
    /// No such conversation, or it was deleted.
    #[error("there is no conversation {id}")]
    UnknownConversation {
        /// Its number.
        id: ConversationId,
    },
    /// Somebody else has added to the conversation meanwhile. Nothing was.
    #[error("the conversation {id} has gone on elsewhere meanwhile")]
    ConversationMoved {
        /// Its number.
        id: ConversationId,
    },
    /// So many tasks were given already in conversations that are still there.
    #[error(
        "there are {limit} tasks of helpers already; delete conversations that are not needed any more"
    )]
    TooManyTasks {
        /// How many there may be.
        limit: usize,
    },
    /// The conversation, or what was to be added, holds as much as it may. Nothing was added.
    #[error("the conversation {id} cannot hold any more")]
    ConversationFull {
        /// Its number.
        id: ConversationId,
    },
    /// There are as many conversations as are kept.
    #[error("there are {limit} conversations, and no more are kept")]
    TooManyConversations {
        /// How many are kept.
        limit: usize,
    },
    /// No such question, or it does not wait any more.
    #[error("there is no question {id}, or it does not wait any more")]
    UnknownQuestion {
        /// Its number.
        id: QuestionId,
    },
    /// The log has no row for this record.
    #[error("the log has no entry {seq}")]
    UnknownRecord {
        /// The number that was asked for.
        seq: u64,
    },
    /// The whole text of an answer is not kept, or not any more.
    #[error("the whole text of the answer of {call} is not kept, or not any more")]
    AnswerGone {
        /// Of which call.
        call: CallId,
    },
    /// The whole text of an answer does not read back as it was written.
    #[error("the whole text of the answer of {call} was changed or damaged on the disk")]
    AnswerDamaged {
        /// Of which call.
        call: CallId,
    },
    /// There is no keyring.
    #[error("there is no keyring to keep secrets in: {reason}")]
    KeyringMissing {
        /// In the system's words.
        reason: String,
    },
    /// The keyring is there, and it refused or did not answer.
    #[error("the keyring did not do what it was asked: {reason}")]
    KeyringFailed {
        /// In the system's words.
        reason: String,
    },
    /// A secret is not there any more.
    #[error("the secret {id} is not there any more")]
    SecretLost {
        /// Which one.
        id: SecretId,
    },
    /// A record could not be written. Nothing of it was kept.
    #[error("the log cannot be written: {reason}")]
    LogNotWritable {
        /// In the system's words.
        reason: String,
    },
    /// The log's files cannot be read.
    #[error("the log cannot be read: {reason}")]
    LogNotReadable {
        /// In the system's words.
        reason: String,
    },
    /// The log is not what it was; it stays as it is.
    #[error("the log is not intact at record {record}, and stays as it is")]
    LogNotIntact {
        /// The first bad record.
        record: u64,
    },
    /// A text is no anchor of a log.
    #[error("this is no anchor of a log: {reason}")]
    BadAnchor {
        /// Why not.
        reason: String,
    },
    /// The store was closed.
    #[error("the store was closed")]
    Closed,
    /// Another failure of the database.
    #[error("the database failed")]
    Database(#[source] rusqlite::Error),
    /// Another failure of the data folder.
    #[error("the data folder failed")]
    Folder(#[source] io::Error),
}

impl StoreError {
    pub(crate) fn of_folder(error: io::Error) -> Self {
        match error.kind() {
            _ if is_full(&error) => Self::full(error),
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly {
                reason: error.to_string(),
            },
            _ => Self::Folder(error),
        }
    }

    pub(crate) fn of_log(error: io::Error) -> Self {
        if is_full(&error) {
            Self::full(error)
        } else {
            Self::unwritable(error)
        }
    }

    pub(crate) fn full(reason: impl ToString) -> Self {
        Self::DiskFull {
            reason: reason.to_string(),
        }
    }

    pub(crate) fn unwritable(reason: impl ToString) -> Self {
        Self::LogNotWritable {
            reason: reason.to_string(),
        }
    }

    pub(crate) fn unreadable(reason: impl ToString) -> Self {
        Self::LogNotReadable {
            reason: reason.to_string(),
        }
    }
}

/// Whether there was no room for it, on the disk or for this user.
pub fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge
    )
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode;
        use rusqlite::ffi::{SQLITE_IOERR_FSYNC, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};
        let reason = error.to_string();
        match error.sqlite_error().map(|error| error.extended_code) {
            // What readers share could not be made larger, for which there is no other reason.
            Some(SQLITE_IOERR_SHMSIZE) => return Self::DiskFull { reason },
            Some(SQLITE_IOERR_WRITE | SQLITE_IOERR_FSYNC) => return Self::ReadOnly { reason },
            _ => {}
        }
        match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Self::Locked,
            Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => {
                Self::ReadOnly { reason }
            }
            Some(ErrorCode::DiskFull) => Self::DiskFull { reason },
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => Self::Damaged { reason },
            _ => match error {
                // What this crate wrote reads back; a value that does not was damaged.
                rusqlite::Error::FromSqlConversionFailure(..)
                | rusqlite::Error::InvalidColumnType(..) => Self::Damaged { reason },
                other => Self::Database(other),
            },
        }
    }
}

/// What a surface is told of it.
impl From<StoreError> for HostError {
    fn from(error: StoreError) -> Self {
        let code = match &error {
            StoreError::AlreadyOpen { .. } => ErrorCode::AlreadyRunning,
            StoreError::NameTaken { .. } => ErrorCode::NameTaken,
            StoreError::WorkspaceNameTaken { .. } => ErrorCode::NameTaken,
            StoreError::ModelNameTaken { .. } | StoreError::AssistantNameTaken { .. } => {
                ErrorCode::NameTaken
            }
            StoreError::UnknownWorkspace { .. } => ErrorCode::UnknownWorkspace,
            StoreError::WorkspaceInUse { .. } => ErrorCode::WorkspaceInUse,
            StoreError::UnknownServer { .. } => ErrorCode::UnknownServer,
            StoreError::UnknownQuestion { .. } => ErrorCode::UnknownQuestion,
            StoreError::CallKnown { .. } => ErrorCode::BadRequest,
            StoreError::UnknownGrant { .. } => ErrorCode::UnknownGrant,
            StoreError::UnknownConversation { .. } => ErrorCode::UnknownConversation,
            StoreError::ConversationFull { .. } => ErrorCode::TooLarge,
            StoreError::TooManyConversations { .. } | StoreError::TooManyTasks { .. } => {
                ErrorCode::TooMany
            }
            StoreError::UnknownRecord { .. } => ErrorCode::UnknownRecord,
            StoreError::AnswerGone { .. } => ErrorCode::WholeAnswerGone,
            StoreError::AnswerDamaged { .. } => ErrorCode::WholeAnswerDamaged,
            StoreError::Newer { .. } => ErrorCode::DatabaseNewer,
            StoreError::Locked => ErrorCode::DatabaseLocked,
            StoreError::ReadOnly { .. } => ErrorCode::DatabaseReadOnly,
            StoreError::DiskFull { .. } => ErrorCode::DiskFull,
            StoreError::Damaged { .. } => ErrorCode::DatabaseDamaged,
            StoreError::NotPrivate { .. } => ErrorCode::FolderNotPrivate,
            StoreError::KeyringMissing { .. } => ErrorCode::KeyringMissing,
            StoreError::KeyringFailed { .. } => ErrorCode::KeyringFailed,
            StoreError::SecretLost { .. } => ErrorCode::SecretLost,
            StoreError::BadAnchor { .. } => ErrorCode::BadAnchor,
            StoreError::LogNotIntact { .. } => ErrorCode::LogNotIntact,
            StoreError::LogNotWritable { .. } => ErrorCode::LogNotWritable,
            StoreError::Closed => ErrorCode::ShuttingDown,
            StoreError::ConversationMoved { .. }
            | StoreError::LogNotReadable { .. }
            | StoreError::Database(_)
            | StoreError::Folder(_) => ErrorCode::Internal,
        };
        Self::of(code, error.to_string())
    }
}
