//! One sign-in, from the press of the button to the tokens.
//!
//! Always true here:
//! - it ends at once when it is given up, and by itself after ten minutes;
//! - an address is opened only if a browser may be sent to it, and only after it was noted in the
//!   log;
//! - what it reports counts only while it is the sign-in that is under way.

use super::{keep, probe, problem::Trouble, record};
use crate::openable::openable;
use crate::registry::{Ongoing, Paste};
use crate::{Servers, Surface, error, rules, server_egress};
use api::{ErrorCode, HostError, SignInApprovals};
use egress::Egress;
use oauth::{
    Ask, Attempt, Challenge, Client, Code, Credentials, Discovery, Doctor, Listener, OAuthError,
    Page, Port, Preregistered, Registration, RegistrationKind, Way,
};
use protocol::{HttpLaunch, ServerId};
use std::time::Duration;
use store::{Entry, Event, OauthClientRow, VaultStatus};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use url::Url;

/// How long a person may take in the browser.
const SIGN_IN_TIMEOUT: Duration = Duration::from_secs(600);
/// How many sign-ins in a row may be for the same rights.
const STEPS: u32 = 2;
/// The name that a person sees when asked for consent.
const NAME: &str = "Majordomo";

/// One sign-in and what it is for.
pub(super) struct Flow {
    pub servers: Servers,
    pub id: ServerId,
    /// Where the person pressed "Sign in".
    pub surface: Surface,
    pub launch: HttpLaunch,
    pub url: Url,
    pub number: u64,
    pub account: String,
    pub client: Option<OauthClientRow>,
    pub approved: SignInApprovals,
    pub stop: CancellationToken,
    pub pasted: mpsc::Receiver<Paste>,
}

/// What is left to be done once nothing more is needed of the person.
enum Ready {
    /// The browser came back.
    Code(Box<Attempt>, Code),
    /// No browser is needed.
    Machine(Box<Discovery>, Client, Vec<String>),
}

/// Goes through one sign-in and notes what becomes of it.
pub(super) async fn run(mut flow: Flow) {
    let stop = flow.stop.clone();
    let mut challenge = None;
    let prepared = tokio::select! {
        biased;
        // Whoever gave it up has noted that.
        () = stop.cancelled() => return,
        prepared = flow.prepare(&mut challenge) => prepared,
    };
    let done = match prepared {
        Ok((egress, ready)) => flow.redeem(&egress, ready).await,
        Err(trouble) => Err(trouble),
    };
    if let Err(trouble) = done {
        flow.failed(&trouble, challenge.as_ref());
    }
}

impl Flow {
    async fn prepare(&mut self, seen: &mut Option<Challenge>) -> Result<(Egress, Ready), Trouble> {
        self.check_keyring().await?;
        let egress = server_egress::to(&self.servers, &self.id, &self.launch).await?;
        let (known, doubted, foreign) = self.servers.registry().now(&self.id).map(|now| {
            let sign_in_state = &now.sign_in;
            (
                sign_in_state.challenge.clone(),
                sign_in_state.learned.doubted,
                sign_in_state.learned.foreign.clone(),
            )
        })?;
        let challenge = match known {
            Some(challenge) => Some(challenge),
            None => probe::probe(&egress, &self.url).await,
        };
        seen.clone_from(&challenge);
        self.check_steps(challenge.as_ref())?;

        // What cannot be read any more is as good as nothing: the person is signing in anew.
        let earlier = record::read(&self.servers, &self.id, &self.account)
            .await
            .ok()
            .flatten()
            .map(|record| record.credentials);
        let pinned = self
            .client
            .as_ref()
            .and_then(|client| client.issuer.as_deref());
        let without_person = self
            .client
            .as_ref()
            .is_some_and(|client| client.without_person);
        let ask = Ask {
            way: if without_person {
                Way::Machine
            } else {
                Way::Person
            },
            earlier_issuer: pinned.or(earlier.as_ref().map(|earlier| earlier.issuer.as_str())),
            approved_origins: if self.approved.foreign_endpoints {
                &foreign
            } else {
                &[]
            },
            missing_proof_key_approved: self.approved.without_pkce,
            legacy_approved: self.approved.legacy_endpoints,
            ..Ask::new(&self.url, challenge.as_ref())
        };
        let mut doctor = Doctor::new();
        let discovery = oauth::discover(&egress, &ask, &mut doctor).await?;
        let earlier = earlier.filter(|earlier| earlier.belong_to(&discovery));
        let asked = earlier
            .as_ref()
            .map(|earlier| earlier.scopes.clone())
            .unwrap_or_default();
        let scopes = oauth::choose(challenge.as_ref(), &discovery, &asked);
        let preregistered = self.preregistered().await?;
        if let (true, Some(preregistered)) = (without_person, &preregistered) {
            let client = preregistered.bind(&discovery)?;
            return Ok((egress, Ready::Machine(Box::new(discovery), client, scopes)));
        }

        let kept = earlier
            .map(|earlier| earlier.client)
            .filter(|client| client.kind == RegistrationKind::Dynamic && !doubted);
        let port = kept
            .as_ref()
            .and_then(|client| client.redirect.as_ref()?.port())
            .map_or(Port::Any, Port::Rather);
        let listener = Listener::open(port, "/callback").await?;
        let redirect = listener.redirect().clone();
        let document = self.servers.client_document();
        let registration = Registration {
            preregistered: preregistered.as_ref(),
            document,
            known_client: kept.as_ref(),
            name: NAME,
            redirect: &redirect,
        };
        let client = oauth::register(&egress, &discovery, &registration, &mut doctor).await?;
        let attempt = Attempt::begin(&discovery, &client, &redirect, scopes)?;
        self.open(attempt.url())?;
        let code = self.wait(listener, &attempt).await?;
        Ok((egress, Ready::Code(Box::new(attempt), code)))
    }

    /// Before the person is sent anywhere: what they bring back must be kept somewhere.
    async fn check_keyring(&self) -> Result<(), HostError> {
        match self.servers.store().vault().status().await {
            VaultStatus::Missing { reason } if !self.approved.without_keyring => {
                let message = format!("there is no keyring to keep the sign-in in: {reason}");
                Err(error::host(ErrorCode::KeyringMissing, message))
            }
            _ => Ok(()),
        }
    }

    /// A server that asks again and again for the rights that it was given is not served a third
    /// time.
    fn check_steps(&self, challenge: Option<&Challenge>) -> Result<(), HostError> {
        let Some(challenge) = challenge.filter(|challenge| challenge.wants_more_scope()) else {
            return Ok(());
        };
        let mut wanted = challenge.scopes.clone();
        wanted.sort_unstable();
        let often = self.servers.registry().change(&self.id, |now| {
            let (scopes, times) = &mut now.sign_in.learned.stepped;
            if *scopes != wanted {
                (*scopes, *times) = (wanted.clone(), 0);
            }
            *times += 1;
            *times > STEPS
        })?;
        if often {
            let wanted = self.servers.secrets().masked(&wanted.join(", "));
            let message = format!(
                "{} keeps asking for rights that it was given already: {wanted}",
                self.id
            );
            return Err(error::host(ErrorCode::RightsRefused, message));
        }
        Ok(())
    }

    async fn preregistered(&self) -> Result<Option<Preregistered>, HostError> {
        let Some(client) = &self.client else {
            return Ok(None);
        };
        let secret = match &client.secret {
            Some(id) => {
                let value = self.servers.store().vault().get(id).await?;
                self.servers.secrets().hold(id.clone(), value.clone());
                Some(value)
            }
            None => None,
        };
        Ok(Some(Preregistered {
            id: client.client_id.clone(),
            secret,
            method: None,
            issuer: client.issuer.clone(),
        }))
    }

    /// Opens the address. A browser that does not open is no end: the address is shown, and can be
    /// opened by hand.
    fn open(&self, url: &Url) -> Result<(), HostError> {
        let servers = &self.servers;
        // A secret of ours in the address would leave with it.
        if openable(url.as_str()).is_none()
            || servers.secrets().masker().mask(url.as_str()).is_some()
        {
            return Err(error::host(
                ErrorCode::SignInUnsafe,
                "the sign-in service names an address that must not be opened",
            ));
        }
        rules::may_leave(servers, &self.id, url.host_str().unwrap_or_default())?;
        let event = Event::UrlOpened {
            origin: url.origin().ascii_serialization(),
        };
        servers.record(Entry {
            server: Some(self.id.clone()),
            ..self.surface.decided(servers, event)
        })?;
        if let Err(problem) = servers.browser().open(url) {
            tracing::warn!(server = %self.id, %problem, "the browser could not be opened; the address is shown");
        }
        servers
            .registry()
            .change(&self.id, |now| match &mut now.sign_in.ongoing {
                Some(Ongoing {
                    number, waiting, ..
                }) if *number == self.number => *waiting = Some(url.clone()),
                _ => {}
            })?;
        servers.tell_changed(&self.id);
        Ok(())
    }

    /// Waits for the browser, or for the address that the person pastes.
    async fn wait(&mut self, listener: Listener, attempt: &Attempt) -> Result<Code, OAuthError> {
        let back = listener.wait(attempt, page(), SIGN_IN_TIMEOUT);
        tokio::pin!(back);
        loop {
            let paste = tokio::select! {
                code = &mut back => return code,
                Some(paste) = self.pasted.recv() => paste,
            };
            match attempt.pasted(paste.text.expose()) {
                Ok(code) => {
                    // Whoever asked may have gone; the sign-in goes on.
                    let _ = paste.heard.send(Ok(()));
                    return Ok(code);
                }
                // Another address is a slip of the hand, and no answer.
                Err(problem @ OAuthError::NotOurs) => {
                    _ = paste
                        .heard
                        .send(Err(super::problem::told(&self.servers, &problem)))
                }
                Err(problem) => {
                    let _ = paste
                        .heard
                        .send(Err(super::problem::told(&self.servers, &problem)));
                    return Err(problem);
                }
            }
        }
    }

    async fn redeem(&self, egress: &Egress, ready: Ready) -> Result<(), Trouble> {
        let now = self.servers.now();
        let credentials: Credentials = match ready {
            Ready::Code(attempt, code) => attempt.redeem(egress, code, now).await?,
            Ready::Machine(discovery, client, scopes) => {
                oauth::client_credentials(egress, &discovery, &client, scopes, now).await?
            }
        };
        Ok(keep::keep(self, credentials).await?)
    }

    fn failed(&self, trouble: &Trouble, challenge: Option<&Challenge>) {
        let named = challenge.is_some_and(|challenge| challenge.resource_metadata.is_some());
        let (error, approvable) = (
            trouble.told(&self.servers),
            trouble.approvable(self.approved, named),
        );
        tracing::warn!(server = %self.id, code = ?error.code, "a sign-in did not work");
        let noted = self.servers.registry().change(&self.id, |now| {
            let sign_in_state = &mut now.sign_in;
            if !sign_in_state.is_ongoing(self.number) {
                return false;
            }
            sign_in_state.ongoing = None;
            sign_in_state.failed = Some((error, approvable));
            sign_in_state.learned.doubted = true;
            if !self.approved.foreign_endpoints {
                sign_in_state.learned.foreign.clear();
            }
            sign_in_state.learned.foreign =
                oauth::union(&sign_in_state.learned.foreign, trouble.foreign());
            true
        });
        if noted.unwrap_or(false) {
            self.servers.tell_changed(&self.id);
        }
    }
}

fn page() -> Page {
    Page {
        language: "en".into(),
        title: NAME.into(),
        done: "You are signed in. You can close this page and go back to Majordomo.".into(),
        failed: "The sign-in did not work. Majordomo says why.".into(),
        nothing: "No sign-in waits here.".into(),
    }
}
