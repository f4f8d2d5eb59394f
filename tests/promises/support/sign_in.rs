//! A protected server, the service that it is signed in to at, and a browser that does as a person
//! would who agrees.

use super::{Choices, TestHost, WAIT_TIMEOUT};
use host::Browser;
use host::api::{HostError, ServerState, ServerView, SignInApprovals, SignInStatus};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use test_servers::authority::{Authority, Place, Script};
use url::Url;

/// The name of the protected server.
pub const SERVER: &str = "remote";

/// A host, a protected server that it knows, and a browser.
pub struct SigningIn {
    pub test: TestHost,
    pub authority: Authority,
    pub browser: Addresses,
}

/// What the browser was sent to.
#[derive(Clone, Default)]
pub struct Addresses(Arc<Mutex<Vec<Url>>>);

impl Addresses {
    /// The addresses so far.
    pub fn opened(&self) -> Vec<Url> {
        self.0.lock().unwrap().clone()
    }

    /// A browser in which somebody agrees at once.
    pub fn agreeing(&self) -> Browser {
        let opened = self.clone();
        Browser::new(move |url| {
            opened.0.lock().unwrap().push(url.clone());
            let url = url.clone();
            std::thread::spawn(move || visit(&url));
            Ok(())
        })
    }

    /// A browser in which nobody does anything.
    pub fn waiting(&self) -> Browser {
        let opened = self.clone();
        Browser::new(move |url| {
            opened.0.lock().unwrap().push(url.clone());
            Ok(())
        })
    }
}

impl SigningIn {
    /// A person who agrees in the browser.
    pub async fn new(script: impl FnOnce(&mut Script)) -> Self {
        Self::with(script, Addresses::agreeing, Choices::default()).await
    }

    /// A person who does nothing in the browser.
    pub async fn waiting(script: impl FnOnce(&mut Script)) -> Self {
        Self::with(script, Addresses::waiting, Choices::default()).await
    }

    /// Everything chosen. The server is added and switched on, and turns us away.
    pub async fn with(
        script: impl FnOnce(&mut Script),
        browser: impl FnOnce(&Addresses) -> Browser,
        choices: Choices,
    ) -> Self {
        let addresses = Addresses::default();
        let test = TestHost::with(Choices {
            browser: browser(&addresses),
            ..choices
        })
        .await;
        let authority = Authority::start().await.unwrap();
        authority.script(script);
        test.add_with(SERVER, json!({"kind": "http", "url": authority.server()}))
            .await;
        Self {
            test,
            authority,
            browser: addresses,
        }
    }

    /// A request about the server that must succeed.
    pub async fn ask(&self, method: &str, more: Value) -> Value {
        self.try_ask(method, more).await.unwrap()
    }

    /// A request about the server.
    pub async fn try_ask(&self, method: &str, more: Value) -> Result<Value, HostError> {
        let mut params = json!({"server": SERVER});
        for (name, value) in more.as_object().into_iter().flatten() {
            params[name] = value.clone();
        }
        self.test.ask(method, params).await
    }

    /// The server as surfaces see it.
    pub async fn view(&self) -> ServerView {
        view(&self.test).await
    }

    /// What is shown of signing in.
    pub async fn state(&self) -> SignInStatus {
        self.view().await.sign_in.unwrap().state
    }

    /// Presses "Sign in" and waits until that has come to an end and the server has started again
    /// or failed.
    pub async fn sign_in(&self) -> SignInStatus {
        self.sign_in_approving(json!({})).await
    }

    /// As [`SigningIn::sign_in`], with something approved.
    pub async fn sign_in_approving(&self, approved: Value) -> SignInStatus {
        self.ask("sign_in", json!({"approved": approved})).await;
        self.ended().await
    }

    /// Waits until no sign-in is under way and the server is not being started, and approves what
    /// it offers then.
    pub async fn ended(&self) -> SignInStatus {
        let over = |view: &ServerView| {
            let over = !matches!(
                view.sign_in.as_ref().unwrap().state,
                SignInStatus::Preparing | SignInStatus::Waiting { .. }
            );
            // After a sign-in the server is started again; what it fails with is seen then.
            over && view.state != ServerState::Starting
                && !(view.on && view.state == ServerState::Off)
        };
        let state = self.until(over).await;
        if self.view().await.state == ServerState::Ready {
            self.test.decide_all(SERVER, "approve").await;
        }
        state
    }

    /// Waits until the server looks as wanted.
    pub async fn until(&self, fits: impl Fn(&ServerView) -> bool) -> SignInStatus {
        let mut events = self.test.host.follow();
        let wait = async {
            loop {
                let view = self.view().await;
                if fits(&view) {
                    return view.sign_in.unwrap().state;
                }
                events.next().await.unwrap();
            }
        };
        tokio::time::timeout(WAIT_TIMEOUT, wait)
            .await
            .expect("it did not come to that")
    }

    /// Presses "Sign in" and waits until the browser was opened: the address.
    pub async fn open(&self) -> Url {
        self.ask("sign_in", json!({})).await;
        let waits = |view: &ServerView| {
            matches!(
                view.sign_in.as_ref().unwrap().state,
                SignInStatus::Waiting { .. }
            )
        };
        match self.until(waits).await {
            SignInStatus::Waiting { url } => url.parse().unwrap(),
            other => panic!("{other:?}"),
        }
    }

    /// How often tokens were asked for in one way.
    pub fn grants(&self, kind: &str) -> usize {
        self.authority
            .seen_at(Place::Authority, "/token")
            .iter()
            .filter(|seen| seen.form.get("grant_type").is_some_and(|it| it == kind))
            .count()
    }

    /// Every token and secret that the service has seen or given out.
    pub fn tokens(&self) -> Vec<String> {
        let seen = self.authority.seen();
        let sent = seen
            .iter()
            .filter_map(|seen| seen.bearer().map(str::to_owned));
        let fields = ["refresh_token", "code", "code_verifier", "client_secret"];
        let forms = seen.iter().flat_map(|seen| {
            fields
                .iter()
                .filter_map(|field| seen.form.get(*field).cloned())
        });
        sent.chain(forms).collect()
    }
}

/// The protected server as surfaces see it.
pub async fn view(test: &TestHost) -> ServerView {
    let servers = test.host.snapshot().await.servers;
    servers
        .into_iter()
        .find(|server| server.id.as_str() == SERVER)
        .expect("the server is gone")
}

/// Follows an address as a browser does, over the page of the service and back to us. The last
/// status, and where it led.
pub fn visit(url: &Url) -> (u16, Url) {
    let mut url = url.clone();
    loop {
        match get(&url) {
            (_, Some(next)) => url = next,
            (status, None) => return (status, url),
        }
    }
}

/// Where the service sends a browser back to, without going there.
pub fn way_back(url: &Url) -> Url {
    get(url).1.expect("the service sends nobody back")
}

/// One request as a browser makes it: the status, and where to go on.
pub fn get(url: &Url) -> (u16, Option<Url>) {
    let place = (url.host_str().unwrap(), url.port().unwrap());
    let Ok(mut stream) = TcpStream::connect(place) else {
        return (0, None);
    };
    let path = &url[url::Position::BeforePath..url::Position::AfterQuery];
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {}:{}\r\nConnection: close\r\n\r\n",
        place.0, place.1
    )
    .unwrap();
    let mut answer = Vec::new();
    // A door that closes in the middle has said what it had to say.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let status = answer
        .split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    let location = answer.lines().find_map(|line| {
        line.split_once(": ")
            .filter(|(name, _)| name.eq_ignore_ascii_case("location"))
    });
    (status, location.map(|(_, to)| url.join(to.trim()).unwrap()))
}

/// Whether that is how somebody is shown who is signed in.
pub fn is_signed_in(state: &SignInStatus) -> bool {
    matches!(state, SignInStatus::SignedIn { .. })
}

/// Why a sign-in did not work, and what can be approved.
pub fn failed(state: SignInStatus) -> (HostError, Option<SignInApprovals>) {
    match state {
        SignInStatus::Failed { error, approvable } => (error, approvable),
        other => panic!("it did not fail: {other:?}"),
    }
}

/// What was shown to the service when the browser went there.
pub fn asked(url: &Url, name: &str) -> String {
    url.query_pairs()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}
