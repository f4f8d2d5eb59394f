//! The host, as a program of its own.

use crate::Failure;
use api::{
    AddServer, DecideOffers, EnableServer, HostError, ListTools, ReviewOffers, ReviewServer,
};
use loopback::Client;
use protocol::{CallId, ServerId};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// A running host on a data folder of its own. Both go when this is dropped.
pub struct Program {
    child: Child,
    client: Client,
    approver_token: String,
    mark: String,
    folder: TempDir,
}

/// A host that has ended, and its folder.
pub struct Ended {
    /// What it left with; none if it was killed.
    pub exit_code: Option<i32>,
    _folder: TempDir,
}

/// A program that lies beside this one.
pub fn beside(name: &str) -> Result<PathBuf, Failure> {
    let path =
        std::env::current_exe()?.with_file_name(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.exists() {
        Ok(path)
    } else {
        Err(format!("{} is not built", path.display()).into())
    }
}

impl Program {
    /// Starts it on an empty folder.
    pub async fn start() -> Result<Self, Failure> {
        let folder = tempfile::tempdir()?;
        let data = folder.path().join("data");
        let token_file = folder.path().join("approver-token");
        let mut child = host_command(&beside("majordomoctl")?)
            .arg("--data-dir")
            .arg(&data)
            .args(["--json", "serve", "--approver-token-file"])
            .arg(&token_file)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let out = child.stdout.take().ok_or("it has no standard output")?;
        let mut lines = BufReader::new(out).lines();
        // It says where it is once it can be reached, and nothing after that.
        let mut said = String::new();
        while serde_json::from_str::<Value>(&said).is_err() {
            let line = lines.next_line().await?;
            said += &line.ok_or("the host ended before it could be reached")?;
        }
        let client = Client::find(&data).await?.ok_or("the host is not found")?;
        Ok(Self {
            child,
            client,
            approver_token: std::fs::read_to_string(&token_file)?,
            mark: format!("soak-{}", CallId::random().as_str()),
            folder,
        })
    }

    /// The way to it, for whoever needs one of their own.
    pub fn client(&self) -> Client {
        self.client.clone()
    }

    /// What lets a program answer in a person's place.
    pub fn approver_token(&self) -> &str {
        &self.approver_token
    }

    /// Its data folder.
    pub fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// What stands on the command line of every server, and of no other process.
    pub fn mark(&self) -> &str {
        &self.mark
    }

    /// Its process number; none if it has ended.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Asks it something, as a person would.
    pub async fn ask<R: api::Request>(&self, request: R) -> Result<R::Reply, HostError> {
        ask(&self.client, &self.approver_token, request).await
    }

    /// Adds a server that misbehaves in a chosen way, reviews it and switches it on. Whether it
    /// comes to run is its own affair.
    pub async fn add(&self, name: &str, words: &[&str]) -> Result<ServerId, Failure> {
        let misbehave = beside("misbehave")?;
        let words: Vec<&str> = words.iter().copied().chain([self.mark()]).collect();
        let draft =
            json!({"name": name, "target": {"kind": "stdio", "command": misbehave, "args": words}});
        let draft = serde_json::from_value(draft)?;
        let server = self.ask(AddServer { draft }).await?.id;
        self.switch_on(&server).await?;
        Ok(server)
    }

    async fn switch_on(&self, server: &ServerId) -> Result<(), Failure> {
        let server = server.clone();
        let review = self
            .ask(ReviewServer {
                server: server.clone(),
            })
            .await?;
        self.ask(EnableServer {
            server,
            reviewed: Some(review.fingerprint),
        })
        .await?;
        Ok(())
    }

    /// Waits until a server has said what it offers, and approves all of it as it is.
    pub async fn approve(&self, server: &ServerId) -> Result<(), Failure> {
        let server = server.clone();
        self.ask(ListTools {
            server: server.clone(),
        })
        .await?;
        let review = self
            .ask(ReviewOffers {
                server: server.clone(),
            })
            .await?;
        let decisions = review
            .offers
            .iter()
            .map(|offer| {
                json!({"key": offer.key, "fingerprint": offer.fingerprint, "decision": "approve"})
            })
            .collect();
        let decisions = serde_json::from_value(Value::Array(decisions))?;
        self.ask(DecideOffers { server, decisions }).await?;
        Ok(())
    }

    /// Asks it to end, as a system does that shuts down, and waits until it has.
    pub async fn end(mut self) -> Result<Ended, Failure> {
        #[cfg(unix)]
        if let Some(pid) = self
            .child
            .id()
            .and_then(|pid| rustix::process::Pid::from_raw(i32::try_from(pid).unwrap_or_default()))
        {
            rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
        }
        #[cfg(not(unix))]
        self.child.start_kill()?;
        let status = self.child.wait().await?;
        Ok(Ended {
            exit_code: status.code(),
            _folder: self.folder,
        })
    }
}

/// Asks a host something with the approver token.
pub async fn ask<R: api::Request>(
    client: &Client,
    approver_token: &str,
    request: R,
) -> Result<R::Reply, HostError> {
    client.ask(request, Some(approver_token)).await
}

#[expect(
    clippy::disallowed_methods,
    reason = "the host itself is started here, not a server"
)]
fn host_command(program: &Path) -> Command {
    Command::new(program)
}
