//! A host on a folder of its own, with the conforming server approved, a rule that lets its tools
//! be called, leave for it to use a model, and an application with a token.

use crate::person;
use conformance::{LIMITS, Trouble, beside};
use host::api::{
    AddClient, AddRule, AddServer, DecideOffers, EnableServer, ListClients, ListTools, Request,
    ReviewOffers, ReviewServer, SetClientToken, SetSampling,
};
use host::{
    Approver, Browser, Clock, Host, HostError, KeyringChoice, Options, Programs, Proxy, Restart,
    Setup, StartServers, Surface, Telemetry,
};
use loopback::Serving;
use protocol::{CallId, Caller, ServerId, TokenHash};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::path::Path;
use tempfile::TempDir;

/// What the server is called here.
const SERVER: &str = "conforming";

/// A host that is served. Its folder goes with it.
pub struct Opened {
    /// Where the gateway listens: the endpoint of the one server.
    pub address: String,
    /// What the application shows there.
    pub token: String,
    host: Host,
    _serving: Serving,
    _folder: TempDir,
}

impl Opened {
    /// Opens it.
    pub async fn begin(era: &str) -> Result<Self, Trouble> {
        let folder = tempfile::tempdir()?;
        let host = open(folder.path()).await?;
        person::sits_down(&host);
        add_server(&host, era).await?;
        let token = CallId::random().to_string();
        let serving = loopback::serve(host.clone(), None, None).await?;
        let address = add_application(&host, &token).await?;
        Ok(Self {
            address: format!("{address}/{SERVER}"),
            token,
            host,
            _serving: serving,
            _folder: folder,
        })
    }

    /// Ends it, and the server with it.
    pub async fn end(self) {
        self.host.close().await;
    }
}

async fn open(folder: &Path) -> Result<Host, Trouble> {
    let opened = Host::open(Options {
        data_dir: folder.to_owned(),
        setup: Setup {
            programs: Programs {
                own: beside("majordomoctl")?,
                jail: beside("majordomo-jail")?,
            },
            limits: LIMITS,
            restart: Restart::default(),
            idle: host::api::IDLE_TIME,
            proxy: Proxy::None,
            browser: Browser::new(|_| Err(ErrorKind::Unsupported.into())),
            client_document: None,
            start: StartServers::AtOnce,
            folders: None,
        },
        approver: host::api::ApproverKind::Terminal,
        keyring: KeyringChoice::Absent("there is nothing to be kept here".to_owned()),
        clock: Clock::System,
        policy_file: None,
        telemetry: Telemetry::default(),
    });
    Ok(opened.await?)
}

/// Asks for something as the person at the terminal.
async fn ask<R: Request>(host: &Host, request: R) -> Result<R::Reply, HostError> {
    let surface = Surface::of(Caller::terminal(), Some(Approver::Terminal));
    host.ask(request, &surface).await
}

async fn add_server(host: &Host, era: &str) -> Result<(), Trouble> {
    let target =
        json!({"kind": "stdio", "command": beside("misbehave")?, "args": ["conforming", era]});
    let draft = serde_json::from_value(json!({"name": SERVER, "target": target}))?;
    let server = ask(host, AddServer { draft }).await?.id;
    let review = ask(
        host,
        ReviewServer {
            server: server.clone(),
        },
    )
    .await?;
    let reviewed = Some(review.fingerprint);
    ask(
        host,
        EnableServer {
            server: server.clone(),
            reviewed,
        },
    )
    .await?;
    ask(
        host,
        ListTools {
            server: server.clone(),
        },
    )
    .await?;
    approve(host, &server).await?;
    let limit = json!({"requests": 50, "tokens": 50_000, "per_reply": 1_000});
    let settings = json!({"on": true, "review_replies": false, "limit": limit});
    let settings = serde_json::from_value(settings)?;
    ask(
        host,
        SetSampling {
            server: server.clone(),
            settings,
        },
    )
    .await?;
    let draft = json!({"effect": "allow", "hook": "call", "caller": null, "server": server, "tool": null, "when": [], "reason": null});
    let draft = serde_json::from_value(draft)?;
    ask(host, AddRule { draft }).await?;
    Ok(())
}

/// Approves all that the server offers as it is.
async fn approve(host: &Host, server: &ServerId) -> Result<(), Trouble> {
    let review = ask(
        host,
        ReviewOffers {
            server: server.clone(),
        },
    )
    .await?;
    let decisions: Value = review
        .offers
        .iter()
        .map(|offer| {
            json!({"key": offer.key, "fingerprint": offer.fingerprint, "decision": "approve"})
        })
        .collect();
    let decisions = serde_json::from_value(decisions)?;
    let server = server.clone();
    ask(host, DecideOffers { server, decisions }).await?;
    Ok(())
}

/// Lets an application in that shows this token; where.
async fn add_application(host: &Host, token: &str) -> Result<String, Trouble> {
    let name = "Conformance".to_owned();
    let client = ask(host, AddClient { name }).await?.id;
    let hash = Some(TokenHash::of(token));
    ask(host, SetClientToken { client, hash }).await?;
    loop {
        if let Some(address) = ask(host, ListClients {}).await?.address {
            return Ok(address);
        }
        tokio::task::yield_now().await;
    }
}
