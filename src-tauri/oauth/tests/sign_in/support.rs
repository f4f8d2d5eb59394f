//! The plumbing: a world with a protected server, its authorization server, and a person with a
//! browser.

use egress::{Egress, Proxy, Reach, Request, Settings, StatusCode, header};
use oauth::{
    Ask, Attempt, Challenge, Client, Code, Credentials, Discovery, Doctor, Listener, OAuthError,
    Page, Port, Problem, Reading, Registration, choose, discover, register,
};
use protocol::Timestamp;
use std::sync::LazyLock;
use test_servers::authority::{Authority, Place, Script};
use url::Url;

/// The time at which everything happens.
pub const NOW: Timestamp = Timestamp(1_800_000_000_000);
/// A way back for a browser that is read by the test itself.
pub const BACK: &str = "http://127.0.0.1:1/callback";

static BACK_URL: LazyLock<Url> = LazyLock::new(|| url(BACK));

pub struct World {
    pub authority: Authority,
    pub egress: Egress,
    pub doctor: Doctor,
    pub server: Url,
}

pub async fn world(script: impl FnOnce(&mut Script)) -> World {
    let authority = Authority::start().await.unwrap();
    authority.script(script);
    let egress = Egress::new(Settings {
        proxy: Proxy::None,
        ..Settings::default()
    })
    .unwrap();
    let server = url(&authority.server());
    World {
        authority,
        egress,
        doctor: Doctor::new(),
        server,
    }
}

pub fn url(text: &str) -> Url {
    Url::parse(text).unwrap()
}

pub fn page() -> Page {
    Page {
        language: "en".into(),
        title: "Majordomo <&>".into(),
        done: "You are signed in.".into(),
        failed: "It did not work.".into(),
        nothing: "Nothing waits here.".into(),
    }
}

impl World {
    /// Asks the server as it is without a token, or with one.
    pub async fn ask(&self, credentials: Option<&Credentials>) -> (StatusCode, Option<Challenge>) {
        let mut request = Request::get(self.server.clone(), Reach::Typed);
        if let Some(credentials) = credentials {
            request.headers.insert(
                header::AUTHORIZATION,
                credentials.header_for(&self.server).unwrap(),
            );
        }
        let answer = self.egress.send(request).await.unwrap();
        (
            answer.status,
            Challenge::parse(answer.status, &answer.headers),
        )
    }

    pub async fn discover(&mut self) -> Result<Discovery, OAuthError> {
        self.discover_as(|_| {}).await
    }

    pub async fn discover_as(
        &mut self,
        change: impl FnOnce(&mut Ask<'_>),
    ) -> Result<Discovery, OAuthError> {
        let (_, challenge) = self.ask(None).await;
        let mut ask = Ask::new(&self.server, challenge.as_ref());
        change(&mut ask);
        discover(&self.egress, &ask, &mut self.doctor).await
    }

    /// Discovery has to fail; this is why.
    pub async fn problem(&mut self) -> Problem {
        match self.discover().await {
            Err(OAuthError::Discovery { problem, .. }) => problem,
            other => panic!("{other:?}"),
        }
    }

    /// Finds out again, after an earlier sign-in at this authorization server.
    pub async fn discover_after(&mut self, earlier: &str) -> Result<Discovery, OAuthError> {
        let mut ask = Ask::new(&self.server, None);
        ask.earlier_issuer = Some(earlier);
        discover(&self.egress, &ask, &mut self.doctor).await
    }

    /// Finds out after the person approved these origins.
    pub async fn discover_approving(
        &mut self,
        origins: &[String],
    ) -> Result<Discovery, OAuthError> {
        let mut ask = Ask::new(&self.server, None);
        ask.approved_origins = origins;
        discover(&self.egress, &ask, &mut self.doctor).await
    }

    pub async fn register_as<'a>(
        &mut self,
        discovery: &Discovery,
        change: impl FnOnce(&mut Registration<'a>),
    ) -> Result<Client, OAuthError> {
        let mut registration = Registration {
            preregistered: None,
            document: None,
            known_client: None,
            name: "Majordomo",
            redirect: &BACK_URL,
        };
        change(&mut registration);
        register(&self.egress, discovery, &registration, &mut self.doctor).await
    }

    /// An attempt up to the moment where the browser is opened.
    pub async fn attempt(&mut self) -> Result<Attempt, OAuthError> {
        self.attempt_with(&[]).await
    }

    pub async fn attempt_with(&mut self, earlier: &[String]) -> Result<Attempt, OAuthError> {
        let (_, challenge) = self.ask(None).await;
        let discovery = self.discover().await?;
        let client = self.register_as(&discovery, |_| {}).await?;
        Attempt::begin(
            &discovery,
            &client,
            &url(BACK),
            choose(challenge.as_ref(), &discovery, earlier),
        )
    }

    /// Where the browser is sent after this address.
    pub async fn browse(&self, to: &Url) -> Url {
        let answer = self
            .egress
            .send(Request::get(to.clone(), Reach::Typed))
            .await
            .unwrap();
        assert_eq!(answer.status, StatusCode::FOUND);
        url(answer.headers[header::LOCATION].to_str().unwrap())
    }

    /// The person signs in; what comes back is read and redeemed.
    pub async fn finish(&self, attempt: Attempt) -> Result<Credentials, OAuthError> {
        let back = self.browse(attempt.url()).await;
        let code = code(&attempt, &back)?;
        attempt.redeem(&self.egress, code, NOW).await
    }

    pub async fn sign_in(&mut self) -> Result<Credentials, OAuthError> {
        let attempt = self.attempt().await?;
        self.finish(attempt).await
    }

    pub fn seen(&self, place: Place, path: &str) -> usize {
        self.authority.seen_at(place, path).len()
    }

    /// The last request for a token.
    pub fn last_token_request(&self) -> test_servers::authority::Seen {
        self.authority
            .seen_at(Place::Authority, "/token")
            .pop()
            .unwrap()
    }
}

pub fn code(attempt: &Attempt, back: &Url) -> Result<Code, OAuthError> {
    match attempt.read(back) {
        Reading::Code(code) => Ok(code),
        Reading::Refused(error) => Err(error),
        Reading::NotOurs => Err(OAuthError::NotOurs),
    }
}

pub async fn door() -> Listener {
    Listener::open(Port::Any, "/callback").await.unwrap()
}
