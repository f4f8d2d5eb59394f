//! From what it takes to start a server to a connection, or to the reason why there is none.

use super::Inner;
use super::cache::Cache;
use super::guard::Guard;
use super::list::Kept;
use super::watching::Watches;
use crate::carrier::Carrier;
use crate::conversation::{ClientHandler, Conversation, Dispatcher};
use crate::ending::{Ending, Why};
use crate::process::{Junk, Process, Spawned, Stderr, Stdin};
use crate::trace::Line;
use crate::wire::InitializeResult;
use crate::{
    ConnectionError, HttpStart, Limits, ServerAsks, Start, StartError, StdioStart, http, opening,
    process,
};
use protocol::{Budget, Era, ServerId};
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How long the last words of a failed server are waited for.
const LAST_WORDS: Duration = Duration::from_millis(500);
/// What a process may take beside its own time to come about.
const SPAWN: Duration = Duration::from_secs(2);
/// How long only the newer era is tried, where nothing comes back.
const HEDGE: Duration = Duration::from_secs(5);

/// What both kinds of start share.
struct Beginning {
    limits: Limits,
    budget: Budget,
    asks: Arc<dyn ServerAsks>,
}

/// A server that has begun to speak.
struct Opened {
    initialize_result: InitializeResult,
    conversation: Conversation,
    process: Option<(Process, Stdin)>,
    stderr: Arc<Stderr>,
    ending: Arc<Ending>,
}

pub(super) async fn begin(
    start: Start,
    limits: Limits,
    budget: Budget,
    asks: Arc<dyn ServerAsks>,
) -> Result<Inner, StartError> {
    tracing::debug!(server = %start.server(), "starting");
    let beginning = Beginning {
        limits,
        budget,
        asks,
    };
    let (opened, over_http) = match &start {
        Start::Stdio(start) => match beginning.stdio(start).await {
            Ok(opened) => (opened, false),
            Err(failed) => {
                // Of a process that did not become the server nobody was told yet.
                beginning.asks.wrote(failed.stderr.clone());
                return Err(failed);
            }
        },
        Start::Http(start) => (beginning.http(start).await?, true),
    };
    opened.stderr.tell(Arc::clone(&beginning.asks));
    Ok(beginning.inner(opened, over_http))
}

impl Beginning {
    /// A server of an unknown era is tried in the newer one first, in a process that serves no
    /// other. One that says nothing may be slow or deaf, so after a while the older one is tried
    /// beside it, and the first clear word counts.
    async fn stdio(&self, start: &StdioStart) -> Result<Opened, StartError> {
        // Not in the time of either try.
        process::prepare().await;
        if let Some(era) = start.era {
            return self.attempt(start, era).await;
        }
        let mut newer = pin!(self.attempt(start, Era::Modern));
        let hedge = HEDGE.min(self.limits.start / 4);
        let tried = tokio::select! {
            biased;
            tried = &mut newer => Some(tried),
            () = sleep(hedge) => None,
        };
        match tried {
            Some(tried) if decides(&tried) => tried,
            Some(_) => self.attempt(start, Era::Legacy).await,
            None => {
                let mut older = pin!(self.attempt(start, Era::Legacy));
                tokio::select! {
                    tried = &mut newer => if decides(&tried) { tried } else { older.await },
                    tried = &mut older => match tried {
                        Ok(opened) => Ok(opened),
                        // It may still be on its way to the newer one.
                        Err(error) => newer.await.or(Err(error)),
                    },
                }
            }
        }
    }

    /// One process, opened in one era. Dropped in between, nothing of it is left.
    async fn attempt(&self, start: &StdioStart, era: Era) -> Result<Opened, StartError> {
        let ending = Arc::<Ending>::default();
        let after = self.limits.start;
        // The process itself may not come about in time either; what it is given begins when it
        // runs.
        let spawning = process::spawn(start, Arc::clone(&ending), self.budget.clone());
        let spawned = timeout(after + SPAWN, spawning).await;
        let Spawned {
            process,
            stdin,
            stdout,
            junk,
            stderr,
        } = spawned.unwrap_or(Err(ConnectionError::StartTimedOut { after }))?;
        let conversation =
            self.conversation(&start.server, Arc::new(stdin.clone()), |dispatcher| {
                stdout.read(dispatcher)
            });
        let opened = tokio::select! {
            biased;
            opened = opening::open(&conversation, era) => opened,
            () = ending.over() => Err(ending.error()),
            () = sleep(after) => Err(ConnectionError::StartTimedOut { after }),
        };
        match opened {
            Ok(initialize_result) => Ok(Opened {
                initialize_result,
                conversation,
                process: Some((process, stdin)),
                stderr,
                ending,
            }),
            Err(failure) => {
                let error = why_not(failure, &ending, &process, &stdin, &junk).await;
                process.kill().await;
                // Everything that held the stream is dead by now.
                let _ = timeout(LAST_WORDS, stderr.ended()).await;
                Err(StartError {
                    error,
                    stderr: stderr.tail().lines,
                })
            }
        }
    }

    /// The newer era first, then a session, then the oldest transport. Only what says that it is
    /// something else leads on: an outage or a missing sign-in says nothing about the era.
    async fn http(&self, start: &HttpStart) -> Result<Opened, ConnectionError> {
        let ways: &[http::Way] = match start.era {
            Some(Era::Modern) => &[http::Way::Modern],
            Some(Era::Legacy) => &[http::Way::Session, http::Way::Oldest],
            None => &[http::Way::Modern, http::Way::Session, http::Way::Oldest],
        };
        let mut first = None;
        for way in ways {
            match self.attempt_http(start, *way).await {
                Ok(opened) => return Ok(opened),
                Err(error) if Some(way) != ways.last() && way.leads_on(&error) => {
                    first = first.or((*way != http::Way::Modern).then_some(error));
                }
                // The oldest transport was a last try; the error before it says more.
                Err(error) => {
                    return Err(first.filter(|_| *way == http::Way::Oldest).unwrap_or(error));
                }
            }
        }
        Err(first.unwrap_or(ConnectionError::NotProtocol { first_line: None }))
    }

    async fn attempt_http(
        &self,
        start: &HttpStart,
        way: http::Way,
    ) -> Result<Opened, ConnectionError> {
        let ending = Arc::<Ending>::default();
        let dispatcher = self.dispatcher();
        let carrier = http::carrier(start, way, Arc::clone(&dispatcher), Arc::clone(&ending))?;
        let conversation = Conversation::new(carrier, dispatcher, Line::http(start));
        let era = if way == http::Way::Modern {
            Era::Modern
        } else {
            Era::Legacy
        };
        let opened = tokio::select! {
            biased;
            opened = opening::open(&conversation, era) => opened,
            () = ending.over() => Err(ending.error()),
            () = sleep(self.limits.start) => Err(ConnectionError::StartTimedOut { after: self.limits.start }),
        };
        match opened {
            Ok(initialize_result) => Ok(Opened {
                initialize_result,
                conversation,
                process: None,
                stderr: Stderr::none(),
                ending,
            }),
            Err(error) => {
                conversation.close().await;
                Err(error)
            }
        }
    }

    fn dispatcher(&self) -> Arc<Dispatcher> {
        let handler = ClientHandler::new(Arc::clone(&self.asks), self.budget.clone());
        Dispatcher::new(Arc::new(handler), self.budget.clone())
    }

    fn conversation(
        &self,
        server: &ServerId,
        carrier: Arc<dyn Carrier>,
        read: impl FnOnce(Arc<Dispatcher>),
    ) -> Conversation {
        let dispatcher = self.dispatcher();
        let conversation = Conversation::new(carrier, Arc::clone(&dispatcher), Line::pipe(server));
        read(dispatcher);
        conversation
    }

    fn inner(self, opened: Opened, over_http: bool) -> Inner {
        let Opened {
            initialize_result,
            conversation,
            process,
            stderr,
            ending,
        } = opened;
        let pid = process.as_ref().and_then(|(process, _)| process.pid());
        let containment = process.as_ref().map(|(process, _)| process.containment());
        let guard = Guard {
            conversation: conversation.clone(),
            process,
            stderr: Arc::clone(&stderr),
            ending: Arc::clone(&ending),
            asks: self.asks,
            session: conversation.line().session(),
        };
        let cache = Arc::new(Cache::new(self.budget.clone()));
        // What is told to have changed is read anew.
        let heard = Arc::clone(&cache);
        conversation.handler().on_change(move || heard.clear());
        Inner {
            pid,
            containment,
            initialize_result,
            limits: self.limits,
            lists: Kept::new(self.budget),
            open: conversation.open_questions(),
            conversation,
            watches: Watches::default(),
            cache,
            log_level: Mutex::default(),
            over_http,
            ending,
            stderr,
            gone: guard.watch(),
        }
    }
}

/// Whether this attempt in the newer era settles the matter. A program that cannot be run cannot be
/// run in any era.
fn decides(tried: &Result<Opened, StartError>) -> bool {
    match tried {
        Ok(_) => true,
        Err(failed) => {
            opening::is_modern(&failed.error)
                || matches!(
                    failed.error,
                    ConnectionError::CommandNotFound { .. }
                        | ConnectionError::NotExecutable { .. }
                        | ConnectionError::NoWorkingDirectory { .. }
                        | ConnectionError::JailMissing { .. }
                        | ConnectionError::NotConfined { .. }
                )
        }
    }
}

/// Why a child process did not become a server.
async fn why_not(
    failure: ConnectionError,
    ending: &Ending,
    process: &Process,
    stdin: &Stdin,
    junk: &Junk,
) -> ConnectionError {
    match failure {
        ConnectionError::StartTimedOut { .. } => match junk.first() {
            Some(line) => {
                return ConnectionError::NotProtocol {
                    first_line: Some(line),
                };
            }
            None => return failure,
        },
        ConnectionError::ConnectionLost { .. } => {}
        other => return other,
    }
    if let Some(Why::TooLong { .. } | Why::Oversized { .. }) = ending.why() {
        return ending.error();
    }
    stdin.close().await;
    match timeout(LAST_WORDS, process.ended()).await {
        // A program that prints something and is content is no server.
        Ok(exit) if !(exit.status == Some(0) && junk.first().is_some()) => {
            ConnectionError::ExitedAtStart {
                status: exit.status,
            }
        }
        _ => ConnectionError::NotProtocol {
            first_line: junk.first(),
        },
    }
}
