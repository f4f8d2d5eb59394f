//! How the program ends. The numbers are documented in the README.

use host::{ErrorCode, HostError};
use std::process::ExitCode;

/// How the program ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done.
    Done = 0,
    /// Something else went wrong.
    Other = 1,
    /// The command was not understood, or names what is not there.
    Usage = 2,
    /// It was not allowed.
    Denied = 3,
    /// A server, or its tool, failed.
    Server = 4,
    /// The log is not intact.
    Log = 5,
}

impl Exit {
    /// What an error means for a script.
    pub(crate) fn of(error: &HostError) -> Self {
        use ErrorCode as E;
        match error.code {
            E::Refused
            | E::Withheld
            | E::ChangeDenied
            | E::NotAnApprover
            | E::OnlyForThePerson
            | E::ReviewNeeded
            | E::ProgramChanged
            | E::OfferChanged
            | E::FileChanged
            | E::ProtectedPath
            | E::InputDeclined => Self::Denied,
            E::BadRequest
            | E::TooLarge
            | E::UnreadableAttachment
            | E::UnreadableConversation
            | E::TooMany
            | E::UnknownServer
            | E::UnknownTool
            | E::UnknownQuestion
            | E::UnknownGrant
            | E::UnknownRule
            | E::BadRule
            | E::UnknownWorkspace
            | E::UnknownClient
            | E::UnknownConversation
            | E::UnknownModel
            | E::UnknownAssistant
            | E::NoModel
            | E::WorkspaceInUse
            | E::BadAnchor
            | E::NothingToTighten
            | E::UnknownCall
            | E::UnknownAnswer
            | E::WholeAnswerGone
            | E::UnknownRecord
            | E::BadName
            | E::NameTaken
            | E::BadCommand
            | E::BadUrl
            | E::LeadsHere
            | E::BadSetting
            | E::BadPath
            | E::BuiltIn
            | E::SecretTooShort
            | E::SecretElsewhere
            | E::ImportUnreadable
            | E::ImportNoServers
            | E::BadAnswer => Self::Usage,
            E::ServerOff
            | E::CommandNotFound
            | E::RuntimeMissing
            | E::NotExecutable
            | E::NoWorkingDirectory
            | E::NotConfined
            | E::ExitedAtStart
            | E::StartTimedOut
            | E::NotProtocol
            | E::Unreachable
            | E::ModelKeyRefused
            | E::ModelQuotaSpent
            | E::ModelServiceFailed
            | E::NotAModelService
            | E::NeedsSignIn
            | E::NeedsMoreRights
            | E::BadCertificate
            | E::AddressForbidden
            | E::Redirected
            | E::ProxyFailed
            | E::SessionLost
            | E::RevisionUnknown
            | E::ListEndless
            | E::ListTooLarge
            | E::NotOffered
            | E::NeedsModel
            | E::TooManyRounds
            | E::TaskLost
            | E::ServerChanged
            | E::SignInNotFound
            | E::SignInMismatch
            | E::SignInUnsafe
            | E::SignInElsewhere
            | E::SignInUnprotected
            | E::ClientIdNeeded
            | E::RegistrationRefused
            | E::SignInForged
            | E::SignInRefused
            | E::RightsRefused
            | E::SignInTimedOut
            | E::SignInExpired
            | E::HttpStatus
            | E::ConnectionLost
            | E::TimedOut
            | E::MessageTooLong
            | E::UnknownResource
            | E::ServerError => Self::Server,
            E::LogNotIntact => Self::Log,
            E::KeyringMissing
            | E::KeyringFailed
            | E::SecretLost
            | E::ProgramIncomplete
            | E::BrowserFailed
            | E::Cancelled
            | E::DiskFull
            | E::FileNotWritten
            | E::LogNotWritable
            | E::DatabaseLocked
            | E::DatabaseReadOnly
            | E::FolderNotPrivate
            | E::DatabaseNewer
            | E::DatabaseDamaged
            | E::WholeAnswerDamaged
            | E::AlreadyRunning
            | E::HostUnproven
            | E::ShuttingDown
            | E::TooSlow
            | E::Internal => Self::Other,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
