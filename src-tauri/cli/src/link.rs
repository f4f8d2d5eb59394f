//! The way to the host: the one that has the data directory open, or one of our own.

use crate::args::Arguments;
use crate::{diagnostics, input};
use host::api::{ApproverKind, HostEvent};
use host::{Approver, ErrorCode, Follower, Host, HostError, Options, StartServers, Surface};
use loopback::{Client, Events, Serving};
use protocol::Caller;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// How long to wait for another program that has the data directory open and cannot be asked: it is
/// beginning or ending, or has something short to do itself.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(60);
/// How often is looked meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// The way to the host.
pub(crate) enum Link {
    /// Another program runs it.
    Running(Client),
    /// This program runs it until it ends.
    Own {
        host: Host,
        /// Present where a question may come that is to be answered from another terminal.
        serving: Option<Serving>,
    },
}

/// Whether other programs can reach a host that this one runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reachable {
    /// For a command that may wait for a person.
    Yes,
    /// For one that is over soon; others wait for its end.
    No,
}

/// The data directory that the arguments mean.
pub(crate) fn data_dir(arguments: &Arguments) -> Result<PathBuf, HostError> {
    arguments
        .data_dir
        .clone()
        .or_else(host::default_data_dir)
        .ok_or_else(|| {
            error(
                ErrorCode::BadPath,
                "your home folder is not known",
                "Give --data-dir DIR.",
            )
        })
}

/// An error that this surface finds by itself. It knows better what to do about it than the
/// catalogue, which knows the code only.
pub(crate) fn error(code: ErrorCode, message: impl Into<String>, hint: &str) -> HostError {
    HostError::of(code, format!("{}. {hint}", message.into()))
}

/// What the host tells.
pub(crate) enum Heard {
    /// Another program's.
    Running(Events),
    /// Our own.
    Own(Follower),
}

impl Heard {
    /// The next event; `None` if no more can be heard.
    pub(crate) async fn next(&mut self) -> Option<HostEvent> {
        match self {
            Self::Running(events) => Some(events.next().await?.event),
            Self::Own(events) => Some(events.next().await.ok()?.event.clone()),
        }
    }
}

/// How answers are given to a host that was started with an approver token.
const WITH_TOKEN_FILE: &str =
    "; this one takes answers with --approver-token-file FILE, as it was started";

impl Link {
    /// Opens the data directory, or finds the host that has it open.
    pub(crate) async fn open(data_dir: &Path, reachable: Reachable) -> Result<Self, HostError> {
        let end = Instant::now() + CONNECT_TIMEOUT;
        loop {
            // Opening comes first: only the lock says truly whether a host runs. The note of one
            // that was killed is never read.
            let taken = match Self::own(data_dir, reachable).await {
                Err(error) if error.code == ErrorCode::AlreadyRunning => error,
                opened => return opened,
            };
            if let Some(client) = Client::find(data_dir).await? {
                return Ok(Self::Running(client));
            }
            if Instant::now() >= end {
                return Err(taken);
            }
            sleep(LOOK).await;
        }
    }

    async fn own(data_dir: &Path, reachable: Reachable) -> Result<Self, HostError> {
        let mut options = Options::new(data_dir.to_owned(), ApproverKind::Terminal)?;
        options.setup.start = StartServers::WhenNeeded;
        options.telemetry = diagnostics::telemetry();
        let host = Host::open(options).await?;
        let serving = match reachable {
            Reachable::No => None,
            Reachable::Yes => Some(loopback::serve(host.clone(), None, None).await?),
        };
        Ok(Self::Own { host, serving })
    }

    /// Sends a request.
    pub(crate) async fn ask<R: api::Request>(&self, request: R) -> Result<R::Reply, HostError> {
        self.send(request, None, None).await
    }

    /// Sends a request that a person has made at this terminal.
    pub(crate) async fn ask_as_person<R: api::Request>(
        &self,
        request: R,
    ) -> Result<R::Reply, HostError> {
        // Where answers need the token in a file, a person can do here what `--yes` can.
        let token = self.of_running(|client| {
            client
                .terminal_token()
                .or_else(|| client.unattended_token())
        });
        self.send(request, token, Some(Approver::Terminal))
            .await
            .map_err(|mut error| {
                if error.code == ErrorCode::NotAnApprover && self.needs_token_file() {
                    error.message.push_str(WITH_TOKEN_FILE);
                }
                error
            })
    }

    /// Sends a request of a command that says yes by itself.
    pub(crate) async fn ask_unattended<R: api::Request>(
        &self,
        request: R,
    ) -> Result<R::Reply, HostError> {
        let token = self.of_running(Client::unattended_token);
        self.send(request, token, Some(Approver::Unattended)).await
    }

    fn of_running<'a>(&'a self, token: impl Fn(&'a Client) -> Option<&'a str>) -> Option<&'a str> {
        match self {
            Self::Running(client) => token(client),
            Self::Own { .. } => None,
        }
    }

    /// Sends a request with the approver token.
    pub(crate) async fn ask_as<R: api::Request>(
        &self,
        request: R,
        approver_token: Option<&str>,
    ) -> Result<R::Reply, HostError> {
        self.send(request, approver_token, None).await
    }

    async fn send<R: api::Request>(
        &self,
        request: R,
        token: Option<&str>,
        approver: Option<Approver>,
    ) -> Result<R::Reply, HostError> {
        match self {
            Self::Running(client) => client.ask(request, token).await,
            Self::Own { host, .. } => {
                let surface = Surface::of(Caller::terminal(), approver);
                host.ask(request, &surface).await
            }
        }
    }

    /// Hears what the host tells from now on.
    pub(crate) async fn events(&self) -> Result<Heard, HostError> {
        match self {
            Self::Running(client) => Ok(Heard::Running(client.events().await?)),
            Self::Own { host, .. } => Ok(Heard::Own(host.follow())),
        }
    }

    /// Whether a question may be asked on this terminal: a person sits here, and the host takes
    /// answers from a terminal.
    pub(crate) fn may_ask_here(&self) -> bool {
        input::interactive() && !self.window_answers() && !self.needs_token_file()
    }

    /// Whether only the question window of the running host may answer.
    pub(crate) fn window_answers(&self) -> bool {
        matches!(self, Self::Running(client) if client.unattended_token().is_none())
    }

    /// Whether other programs reach the host.
    pub(crate) fn is_served(&self) -> bool {
        match self {
            Self::Running(_) => true,
            Self::Own { serving, .. } => serving.is_some(),
        }
    }

    /// Whether only who holds the approver token of the running host may answer.
    pub(crate) fn needs_token_file(&self) -> bool {
        !self.window_answers()
            && matches!(self, Self::Running(client) if client.terminal_token().is_none())
    }

    /// Ends what was begun here. Another program whose call runs on this host is waited for.
    pub(crate) async fn close(self) {
        let Self::Own { host, serving } = self else {
            return;
        };
        if let Some(serving) = serving {
            while !host.running().is_empty() {
                sleep(LOOK).await;
            }
            // Nobody new comes in while the host ends.
            serving.end().await;
        }
        host.close().await;
    }
}
