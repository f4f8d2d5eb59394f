//! `majordomoctl serve` as a process of its own, and the door by which its connections come.

use api::HostError;
use host::{Door, Note};
use load::Failure;
use load::line::{Http, Speech};
use load::programs::{beside, command};
use load::setup::Asks;
use loopback::Client;
use protocol::CallerId;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use tokio::process::Child;

/// Under which name programs speak to it.
const NAME: &str = "localhost";

#[cfg(unix)]
pub type Stream = tokio::net::UnixStream;
#[cfg(windows)]
pub type Stream = tokio::net::windows::named_pipe::NamedPipeClient;

/// A folder for a host's data, which goes when this is dropped.
pub struct Folder(TempDir);

impl Folder {
    /// An empty one.
    pub fn fresh() -> Result<Self, Failure> {
        Ok(Self(tempfile::tempdir()?))
    }

    /// Where the data lies.
    pub fn data(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn token_file(&self) -> PathBuf {
        self.0.path().join("approver-token")
    }
}

/// A running host. It ends when this is dropped.
pub struct HostProgram {
    child: Child,
    client: Client,
    approver_token: String,
    data: PathBuf,
}

impl HostProgram {
    /// Starts it on this folder, and waits until it can be reached.
    pub async fn start(folder: &Folder) -> Result<Self, Failure> {
        let child = spawn(folder)?;
        Self::of(child, folder).await
    }

    /// One that was started on this folder, once it can be reached.
    pub async fn of(mut child: Child, folder: &Folder) -> Result<Self, Failure> {
        let data = folder.data();
        let client = loop {
            match Client::find(&data).await? {
                Some(client) => break client,
                None => look_again(&mut child).await?,
            }
        };
        Ok(Self {
            child,
            client,
            approver_token: std::fs::read_to_string(folder.token_file())?,
            data,
        })
    }

    /// Its process; none if it has ended.
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// What lets a program answer in a person's place.
    pub fn approver_token(&self) -> &str {
        &self.approver_token
    }

    /// A connection that stays open.
    pub async fn line(&self) -> Result<Http<Stream>, Failure> {
        line(&self.data).await?.ok_or("the host is gone".into())
    }

    /// Asks it to end, as a system does that shuts down, and waits until it has.
    pub async fn end(mut self) -> Result<(), Failure> {
        #[cfg(unix)]
        if let Some(pid) = self
            .child
            .id()
            .and_then(|pid| rustix::process::Pid::from_raw(i32::try_from(pid).ok()?))
        {
            rustix::process::kill_process(pid, rustix::process::Signal::TERM)?;
        }
        #[cfg(not(unix))]
        self.child.start_kill()?;
        self.child.wait().await?;
        Ok(())
    }
}

impl Asks for HostProgram {
    async fn ask<R: api::Request>(&self, request: R) -> Result<R::Reply, HostError> {
        self.client.ask(request, Some(&self.approver_token)).await
    }
}

/// Starts it on this folder.
pub fn spawn(folder: &Folder) -> Result<Child, Failure> {
    let child = command(&beside("majordomoctl")?)
        .arg("--data-dir")
        .arg(folder.data())
        .args(["serve", "--approver-token-file"])
        .arg(folder.token_file())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}

/// Starts the bridge of an application to the host of this folder.
pub fn bridge(folder: &Folder, client: &CallerId) -> Result<Child, Failure> {
    let child = command(&beside("majordomoctl")?)
        .arg("--data-dir")
        .arg(folder.data())
        .args(["bridge", "--client", client.as_str()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    Ok(child)
}

/// A connection to the host of a data folder; none while nobody can be reached there.
pub async fn line(data: &Path) -> Result<Option<Http<Stream>>, Failure> {
    let Some(Note { door, token, .. }) = Note::read(data) else {
        return Ok(None);
    };
    let stream = connect(data, &door).await.ok();
    Ok(stream.map(|stream| Http::new(stream, NAME, Speech::Host { token })))
}

/// Waits a moment for a host that is starting. Fails if it has ended.
pub async fn look_again(child: &mut Child) -> Result<(), Failure> {
    if let Some(status) = child.try_wait()? {
        return Err(format!("the host ended before it could be reached: {status}").into());
    }
    tokio::time::sleep(std::time::Duration::from_millis(1)).await;
    Ok(())
}

#[cfg(unix)]
async fn connect(data: &Path, door: &Door) -> std::io::Result<Stream> {
    let Door::Socket(path) = door else {
        return Err(std::io::ErrorKind::Unsupported.into());
    };
    Stream::connect(data.join(path)).await
}

#[cfg(windows)]
async fn connect(_data: &Path, door: &Door) -> std::io::Result<Stream> {
    let Door::Pipe(name) = door else {
        return Err(std::io::ErrorKind::Unsupported.into());
    };
    tokio::net::windows::named_pipe::ClientOptions::new().open(name)
}
