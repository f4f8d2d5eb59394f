//! What is known of signing in to one server while the host runs. The state that surfaces see is
//! made of it, and kept nowhere else.

use api::{HostError, OauthClientView, SignInApprovals, SignInStatus, SignInView};
use oauth::{Challenge, Credentials};
use protocol::Secret;
use std::sync::Arc;
use store::{AccountRow, OauthClientRow};
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use url::Url;

/// The account that is used before a person has named one.
pub const DEFAULT: &str = "default";

/// What is known of signing in to one server.
#[derive(Clone)]
pub struct SignInState {
    /// The account in use.
    pub account: String,
    /// All accounts that are kept.
    pub accounts: Vec<String>,
    /// How we are known there, if a person said so.
    pub client: Option<OauthClientRow>,
    /// What the account in use holds, once it was read.
    pub held: Option<Held>,
    /// How the server turned a request away the last time.
    pub challenge: Option<Challenge>,
    /// The rights that it asks for, if it wants a sign-in.
    pub wanted: Option<Vec<String>>,
    /// Why the last sign-in did not work, and what the person can approve to go on.
    pub failed: Option<(HostError, Option<SignInApprovals>)>,
    /// What the sign-ins before teach the next one.
    pub learned: Learned,
    /// When a token was last replaced.
    pub replaced: Option<Instant>,
    /// The sign-in that is under way.
    pub ongoing: Option<Ongoing>,
    /// How many sign-ins have been begun.
    pub begun: u64,
}

/// What sign-ins teach the next one.
#[derive(Clone, Default)]
pub struct Learned {
    /// The origins elsewhere that the last sign-in met: what a person approves are these and no
    /// others.
    pub foreign: Vec<String>,
    /// The rights of the last step up, and how many sign-ins in a row were for them.
    pub stepped: (Vec<String>, u32),
    /// Whether the last sign-in with the kept registration led nowhere: then another one is made.
    pub doubted: bool,
}

/// What an account holds, and what may be shown of it.
#[derive(Clone)]
pub struct Held {
    /// Tokens, and where they came from.
    pub credentials: Arc<Credentials>,
    /// Who issued them, secrets covered.
    pub issuer: String,
    /// The rights that were granted, secrets covered.
    pub scopes: Vec<String>,
}

/// A sign-in that is under way.
#[derive(Clone)]
pub struct Ongoing {
    /// Which one; what an older one still reports is out of date.
    pub number: u64,
    /// Ends it.
    pub stop: CancellationToken,
    /// Takes the address that a person pastes.
    pub pastes: mpsc::Sender<Paste>,
    /// The address that was opened.
    pub waiting: Option<Url>,
}

/// An address that a person pasted, and who waits to hear whether it fits.
pub struct Paste {
    /// The address.
    pub text: Secret,
    /// Takes the answer.
    pub heard: oneshot::Sender<Result<(), HostError>>,
}

impl SignInState {
    /// What is known of a server that was just added.
    pub(crate) fn new() -> Self {
        Self {
            account: DEFAULT.to_owned(),
            accounts: Vec::new(),
            client: None,
            held: None,
            challenge: None,
            wanted: None,
            failed: None,
            learned: Learned::default(),
            replaced: None,
            ongoing: None,
            begun: 0,
        }
    }

    /// What is known of a server that is kept.
    pub fn of(rows: &[AccountRow], client: Option<OauthClientRow>) -> Self {
        let mut sign_in_state = Self {
            client,
            ..Self::new()
        };
        sign_in_state.take_accounts(rows);
        sign_in_state
    }

    /// Takes over which accounts are kept. Where none of them is in use, the one in use stays.
    pub fn take_accounts(&mut self, rows: &[AccountRow]) {
        self.accounts = rows.iter().map(|row| row.name.clone()).collect();
        if let Some(row) = rows.iter().find(|row| row.in_use) {
            self.account.clone_from(&row.name);
        }
    }

    /// Forgets what belongs to the account that was in use so far.
    pub fn clear(&mut self) {
        self.give_up();
        self.held = None;
        self.wanted = None;
        self.failed = None;
        self.learned = Learned::default();
        self.replaced = None;
    }

    /// Gives up the sign-in that is under way. Says whether there was one.
    pub fn give_up(&mut self) -> bool {
        let Some(ongoing) = self.ongoing.take() else {
            return false;
        };
        ongoing.stop.cancel();
        self.learned.doubted = true;
        true
    }

    /// Whether a sign-in is the one that is under way.
    pub fn is_ongoing(&self, number: u64) -> bool {
        self.ongoing
            .as_ref()
            .is_some_and(|ongoing| ongoing.number == number)
    }

    /// What is going on.
    pub fn state(&self) -> SignInStatus {
        match (&self.ongoing, &self.failed, &self.wanted, &self.held) {
            (
                Some(Ongoing {
                    waiting: Some(url), ..
                }),
                ..,
            ) => SignInStatus::Waiting {
                url: url.to_string(),
            },
            (Some(_), ..) => SignInStatus::Preparing,
            (None, Some((error, approvable)), ..) => SignInStatus::Failed {
                error: error.clone(),
                approvable: *approvable,
            },
            (None, None, Some(scopes), _) => SignInStatus::Wanted {
                scopes: scopes.clone(),
            },
            (None, None, None, Some(held)) => SignInStatus::SignedIn {
                issuer: held.issuer.clone(),
                scopes: held.scopes.clone(),
                expires_at: held.credentials.tokens.expires_at,
            },
            (None, None, None, None) => SignInStatus::SignedOut,
        }
    }

    /// As every surface shows it.
    pub fn view(&self) -> SignInView {
        let client = self.client.as_ref().map(|client| OauthClientView {
            client_id: client.client_id.clone(),
            has_secret: client.secret.is_some(),
            without_person: client.without_person,
        });
        SignInView {
            state: self.state(),
            account: self.account.clone(),
            accounts: self.accounts.clone(),
            client,
        }
    }
}
