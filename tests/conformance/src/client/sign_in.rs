//! Signs in where a server asks for it: as a person does, as a machine, or by an enterprise's
//! identity provider, whichever the scenario is about.

use crate::{Scenario, browser};
use conformance::{Trouble, egress, now};
use connections::Authorization;
use egress::{Egress, HeaderMap, HeaderValue, StatusCode, Url, header};
use futures::future::BoxFuture;
use oauth::{
    Algorithm, Ask, Attempt, Challenge, Client, ClientAuth, Credentials, Discovery, Doctor,
    IdentityProvider, Listener, Port, Preregistered, Registration, SigningKey, Subject, Way,
    choose, client_credentials, discover, enterprise, register,
};
use protocol::Secret;
use std::io::Write as _;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The address that the suite expects our metadata document at.
const DOCUMENT: &str = "https://conformance-test.local/client-metadata.json";

/// Who we are at the tested server.
pub struct SignIn {
    egress: Egress,
    server: Url,
    scenario: Arc<Scenario>,
    credentials: Mutex<Option<Credentials>>,
}

impl SignIn {
    pub fn new(url: &str, scenario: Arc<Scenario>) -> Result<Self, Trouble> {
        Ok(Self {
            egress: egress()?,
            server: Url::parse(url)?,
            scenario,
            credentials: Mutex::default(),
        })
    }

    async fn sign_in(&self, challenge: &Challenge) -> Result<(), Trouble> {
        let mut kept = self.credentials.lock().await;
        let mut doctor = Doctor::new();
        let mut ask = Ask::new(&self.server, Some(challenge));
        ask.legacy_approved = self.scenario.name.contains("2025-03-26");
        if self.is_about("client-credentials") || self.is_about("enterprise") {
            ask.way = Way::Machine;
        }
        let found = discover(&self.egress, &ask, &mut doctor).await?;
        let door = Listener::open(Port::Any, "/callback").await?;
        let preregistered = self.preregistered();
        let registration = Registration {
            preregistered: preregistered.as_ref(),
            document: Some(&Url::parse(DOCUMENT)?),
            known_client: kept.as_ref().map(|credentials| &credentials.client),
            name: "Majordomo",
            redirect: door.redirect(),
        };
        let client = register(&self.egress, &found, &registration, &mut doctor).await?;
        let client = match self.key() {
            Some(key) => client.with_key(key),
            None => client,
        };
        let earlier = kept
            .as_ref()
            .filter(|credentials| credentials.belong_to(&found))
            .map(|credentials| credentials.scopes.clone());
        let scopes = choose(Some(challenge), &found, &earlier.unwrap_or_default());
        let credentials = self
            .credentials(&found, &client, door.redirect(), scopes)
            .await?;
        // As they are kept: only what survives that counts.
        *kept = Some(Credentials::from_secret_json(
            &credentials.to_secret_json()?,
        )?);
        Ok(())
    }

    async fn credentials(
        &self,
        found: &Discovery,
        client: &Client,
        redirect: &Url,
        scopes: Vec<String>,
    ) -> Result<Credentials, Trouble> {
        if self.is_about("client-credentials") {
            return Ok(client_credentials(&self.egress, found, client, scopes, now()).await?);
        }
        if self.is_about("enterprise") {
            let (provider, subject) = self.provider()?;
            return Ok(enterprise(
                &self.egress,
                found,
                client,
                &provider,
                &subject,
                scopes,
                now(),
            )
            .await?);
        }
        let attempt = Attempt::begin(found, client, redirect, scopes)?;
        let code = attempt.pasted(&browser::agree(&self.egress, attempt.url()).await?)?;
        Ok(attempt.redeem(&self.egress, code, now()).await?)
    }

    fn preregistered(&self) -> Option<Preregistered> {
        Some(Preregistered {
            id: self.told("client_id")?,
            secret: self.told("client_secret").map(Secret::new),
            method: None,
            issuer: None,
        })
    }

    fn key(&self) -> Option<SigningKey> {
        Some(SigningKey {
            pem: Secret::new(self.told("private_key_pem")?),
            algorithm: Algorithm::ES256,
            key_id: None,
        })
    }

    fn provider(&self) -> Result<(IdentityProvider, Subject), Trouble> {
        let told = |key: &str| {
            self.told(key)
                .ok_or_else(|| format!("the suite does not say {key}"))
        };
        let provider = IdentityProvider {
            issuer: told("idp_issuer")?,
            token_endpoint: Url::parse(&told("idp_token_endpoint")?)?,
            client_id: told("idp_client_id")?,
            auth: self
                .told("idp_client_secret")
                .map_or(ClientAuth::None, |secret| {
                    ClientAuth::Basic(Secret::new(secret))
                }),
        };
        Ok((
            provider,
            Subject::IdToken(Secret::new(told("idp_id_token")?)),
        ))
    }

    fn is_about(&self, words: &str) -> bool {
        self.scenario.name.contains(words)
    }

    fn told(&self, key: &str) -> Option<String> {
        self.scenario.context[key].as_str().map(str::to_owned)
    }
}

impl Authorization for SignIn {
    fn token(&self) -> BoxFuture<'_, Option<Secret>> {
        Box::pin(async {
            self.credentials
                .lock()
                .await
                .as_ref()
                .map(|credentials| credentials.tokens.access.clone())
        })
    }

    fn refused(&self, status: u16, challenge: Vec<String>) -> BoxFuture<'_, bool> {
        Box::pin(async move {
            let Some(challenge) = parse(status, &challenge) else {
                return false;
            };
            match self.sign_in(&challenge).await {
                Ok(()) => true,
                Err(trouble) => {
                    // The suite shows it where a scenario fails.
                    let _ = writeln!(std::io::stderr(), "no sign-in: {trouble}");
                    false
                }
            }
        })
    }
}

fn parse(status: u16, challenge: &[String]) -> Option<Challenge> {
    let values = challenge
        .iter()
        .filter_map(|value| Some((header::WWW_AUTHENTICATE, HeaderValue::try_from(value).ok()?)));
    let mut headers = HeaderMap::new();
    values.for_each(|(name, value)| _ = headers.append(name, value));
    Challenge::parse(StatusCode::from_u16(status).ok()?, &headers)
}
