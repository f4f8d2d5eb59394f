//! A protected server and its authorization server, each at an address of its own on this computer,
//! that follow a script.
//!
//! Always true here:
//! - unless its script says otherwise, everything is as the specification has it;
//! - every request is kept, so that a test can also say what was not sent;
//! - a third address, `elsewhere`, takes whatever comes: nothing should.

mod grants;
mod issuer;
mod mcp;
mod script;
mod seen;
mod server;

pub use mcp::answer_message;
pub use script::{Back, Challenge, MetadataAt, Registration, ResourceAt, Script, Token};
pub use seen::{Place, Seen};

use axum::{Router, body::Bytes, extract::Request, response::Response};
use grants::Grants;
use std::{
    io,
    net::Ipv4Addr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};
use tokio::{net::TcpListener, task::JoinHandle};

/// The three of them, until this is dropped.
pub struct Authority {
    shared: Arc<Shared>,
    tasks: Vec<JoinHandle<()>>,
}

/// What the three of them know.
pub(crate) struct Shared {
    pub(crate) server: String,
    pub(crate) authority: String,
    pub(crate) elsewhere: String,
    inside: Mutex<Inside>,
}

#[derive(Default)]
pub(crate) struct Inside {
    pub(crate) script: Script,
    pub(crate) seen: Vec<Seen>,
    pub(crate) grants: Grants,
}

impl Authority {
    /// Starts them, following the script as it comes; change it with [`Authority::script`].
    pub async fn start() -> io::Result<Self> {
        let mut listeners = Vec::new();
        let mut origins = Vec::new();
        for _ in 0..3 {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
            origins.push(format!("http://{}", listener.local_addr()?));
            listeners.push(listener);
        }
        let [server, authority, elsewhere] =
            <[String; 3]>::try_from(origins).map_err(|_| io::Error::other("three addresses"))?;
        let shared = Arc::new(Shared {
            server,
            authority,
            elsewhere,
            inside: Mutex::default(),
        });
        let places = [Place::Server, Place::Authority, Place::Elsewhere];
        let tasks = listeners
            .into_iter()
            .zip(places)
            .map(|(listener, place)| tokio::spawn(serve(listener, place, shared.clone())))
            .collect();
        Ok(Self { shared, tasks })
    }

    /// Changes the script, from the next request on.
    pub fn script(&self, change: impl FnOnce(&mut Script)) {
        change(&mut self.shared.inside().script);
    }

    /// The protected server's address.
    pub fn server(&self) -> String {
        format!("{}/mcp", self.shared.server)
    }

    /// The authorization server's name.
    pub fn issuer(&self) -> String {
        self.shared.issuer(&self.shared.inside().script)
    }

    /// An address that belongs to neither.
    pub fn elsewhere(&self) -> &str {
        &self.shared.elsewhere
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.inside().seen.clone()
    }

    /// The requests at one place whose path ends like this.
    pub fn seen_at(&self, place: Place, path: &str) -> Vec<Seen> {
        self.seen()
            .into_iter()
            .filter(|seen| seen.place == place && seen.path.ends_with(path))
            .collect()
    }

    /// Lets an access token in with these scopes, as if it had been given out.
    pub fn grant(&self, token: &str, scopes: &[&str]) {
        self.shared.inside().grants.access.insert(
            token.to_owned(),
            scopes.iter().map(|scope| (*scope).to_owned()).collect(),
        );
    }

    /// Ends all access tokens that were given out, as time would.
    pub fn expire(&self) {
        self.shared.inside().grants.access.clear();
    }
}

impl Drop for Authority {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.abort();
        }
    }
}

impl Shared {
    pub(crate) fn inside(&self) -> MutexGuard<'_, Inside> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Where the authorization server is: in the older way it is at the server's own address.
    pub(crate) fn home(&self, script: &Script) -> &str {
        if script.at_home {
            &self.server
        } else {
            &self.authority
        }
    }

    pub(crate) fn issuer(&self, script: &Script) -> String {
        format!("{}{}", self.home(script), script.issuer_path)
    }
}

async fn serve(listener: TcpListener, place: Place, shared: Arc<Shared>) {
    let app =
        Router::new().fallback(move |request: Request| answer(place, shared.clone(), request));
    // It ends when its task is aborted.
    drop(axum::serve(listener, app).await);
}

async fn answer(place: Place, shared: Arc<Shared>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body: Bytes = axum::body::to_bytes(body, 1024 * 1024)
        .await
        .unwrap_or_default();
    let seen = Seen::of(place, &parts, &body);
    let mut inside = shared.inside();
    inside.seen.push(seen.clone());
    match place {
        Place::Server => server::answer(&shared, &mut inside, &seen),
        Place::Authority => issuer::answer(&shared, &mut inside, &seen),
        Place::Elsewhere => script::json(
            200,
            &serde_json::json!({ "access_token": "stolen", "token_type": "Bearer" }),
        ),
    }
}
