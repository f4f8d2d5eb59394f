//! Signing in at a server.

use super::{HostError, KeepSecrets};
use protocol::{Secret, ServerId, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Whether Majordomo is signed in at a server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct SignInView {
    /// What is going on.
    pub state: SignInStatus,
    /// The account in use.
    pub account: String,
    /// All accounts that are kept.
    pub accounts: Vec<String>,
    /// How Majordomo is known there, if the person said so.
    pub client: Option<OauthClientView>,
}

/// What is going on with a sign-in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum SignInStatus {
    /// Not signed in; the server may not want it.
    SignedOut,
    /// The server wants a sign-in, or more rights than were given.
    Wanted {
        /// The rights that it asks for, in its words.
        scopes: Vec<String>,
    },
    /// Being prepared.
    Preparing,
    /// The browser was opened; the person signs in there.
    Waiting {
        /// The address that was opened, to be shown whole and opened again.
        url: String,
    },
    /// Signed in.
    SignedIn {
        /// Who vouches.
        issuer: String,
        /// Which rights were given.
        scopes: Vec<String>,
        /// Until when; none where that was not said.
        expires_at: Option<Timestamp>,
    },
    /// It did not work.
    Failed {
        /// What happened and what to do.
        error: HostError,
        /// What the person can approve to go on, if that would help.
        approvable: Option<SignInApprovals>,
    },
}

/// What a person can approve for one sign-in that is otherwise refused.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(default)]
pub struct SignInApprovals {
    /// Addresses of the sign-in that lie elsewhere than the one who vouches.
    pub foreign_endpoints: bool,
    /// A sign-in service that does not say that it protects the answer (PKCE).
    pub without_pkce: bool,
    /// Addresses guessed as in 2025-03-26, where the server names none.
    pub legacy_endpoints: bool,
    /// Tokens kept in memory until the application ends, where there is no keyring.
    #[ts(as = "Option<bool>", optional)]
    pub without_keyring: bool,
}

/// How Majordomo is to be known at a server's sign-in.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct OauthClientDraft {
    /// The client id that the server's owner gave out.
    pub client_id: String,
    /// Its secret, on its only way inwards; absent keeps what is there.
    #[ts(type = "string | null")]
    #[serde(serialize_with = "crate::draft::inwards_if_any")]
    pub client_secret: Option<Secret>,
    /// Whether Majordomo signs in by itself, without a person (client credentials).
    #[serde(default)]
    pub without_person: bool,
    /// What to do with the secret where there is no keyring.
    #[serde(default)]
    pub keep: KeepSecrets,
}

/// How Majordomo is known at a server's sign-in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct OauthClientView {
    /// The client id.
    pub client_id: String,
    /// Whether a secret is kept for it.
    pub has_secret: bool,
    /// Whether Majordomo signs in by itself.
    pub without_person: bool,
}

/// Every step of finding out how to sign in.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorReport {
    /// Which server.
    pub server: ServerId,
    /// The steps, in the order they were gone.
    pub steps: Vec<DoctorStep>,
}

/// One step of finding out how to sign in.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct DoctorStep {
    /// What was done.
    pub what: DoctorWhat,
    /// With which address.
    pub url: Option<String>,
    /// Whether it went well; none if it was not needed.
    pub ok: Option<bool>,
    /// What went wrong.
    pub problem: Option<DoctorProblem>,
    /// Details for someone who knows the matter, in English.
    pub detail: Option<String>,
}

/// The steps of finding out how to sign in. Every one has a sentence in every message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DoctorWhat {
    /// Reading why the server turned a request away.
    Challenge,
    /// Fetching the server's metadata where it says that they lie.
    ResourceMetadataNamed,
    /// Looking for them under the server's path.
    ResourceMetadataPath,
    /// Looking for them at the root of its address.
    ResourceMetadataRoot,
    /// Comparing the server that they speak of with this one.
    ResourceMatches,
    /// Choosing the sign-in service.
    AuthorizationServer,
    /// Looking for the sign-in service's metadata.
    MetadataOauthPath,
    /// Looking for them as OpenID Connect has them, before the path.
    MetadataOidcPath,
    /// Looking for them as OpenID Connect has them, behind the path.
    MetadataOidcAppend,
    /// Comparing the name that the service gives itself.
    IssuerMatches,
    /// Checking the addresses that it names.
    EndpointsSameOrigin,
    /// Looking whether it protects the answer of the browser (PKCE).
    PkceAdvertised,
    /// Trying the way of 2025-03-26, where the server names no service.
    LegacyFallback,
    /// How Majordomo becomes known there.
    Registration,
    /// Which rights are asked for.
    Scopes,
}

/// What goes wrong in a step. Every one has a sentence and a remedy in every message catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum DoctorProblem {
    /// Nothing is there.
    NotFound,
    /// No connection.
    Unreachable,
    /// An address where a server may not send Majordomo.
    ForbiddenAddress,
    /// No secure connection.
    Certificate,
    /// Not the document that is expected.
    NotJson,
    /// More than is read.
    TooLong,
    /// It speaks of another server.
    WrongResource,
    /// It belongs to another sign-in service.
    WrongIssuer,
    /// An address elsewhere.
    ForeignEndpoint,
    /// An address that must not be opened or called.
    UnsafeAddress,
    /// The answer of the browser is not protected.
    NoPkce,
    /// No way to become known there.
    NoRegistration,
    /// An answer that says neither yes nor no.
    HttpStatus,
    /// Something is needed and not named.
    NoneNamed,
    /// No answer in time.
    TimedOut,
}
