//! A service for models that follows a script, in the words of five real ones.
//!
//! Always true here:
//! - it refuses what the real ones refuse: calls without their results and results without their
//!   calls, a conversation that does not begin with the person, names and schemas that are none, also
//!   in calls that go back, no bound on what is to be written, thoughts that were changed;
//! - every request is kept, so that a test can also say what was not sent;
//! - which service it is, the path of a request says;
//! - it answers with the steps of a list in their order, or with what a function makes of each request.

mod anthropic;
mod chat;
mod gemini;
mod http;
mod ollama;
mod received;
mod responses;
mod script;

pub use script::{Answer, Part, SENT_AT, Step, Stop};

use received::ReceivedRequest;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::net::Ipv4Addr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, UNIX_EPOCH};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// The service, until this is dropped.
pub struct Model {
    shared: Arc<Mutex<Shared>>,
    port: u16,
    running: JoinHandle<()>,
    /// Somebody has gone before the end.
    departures: watch::Sender<()>,
}

/// A request, as it came.
#[derive(Debug, Clone)]
pub struct Seen {
    /// Path and query.
    pub path: String,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Value,
    /// Why it was refused, if it was.
    pub refused: Option<String>,
    /// Whoever asked has gone before the end.
    pub was_left: bool,
    /// When all of its answer was written, since 1970.
    pub answered_at: Option<Duration>,
}

struct Shared {
    script: Script,
    key: Option<String>,
    seen: Vec<Seen>,
}

/// What is answered next.
enum Script {
    Steps(VecDeque<Step>),
    Answers(Box<dyn FnMut(&Value) -> Step + Send>),
}

impl Script {
    fn next(&mut self, body: &Value) -> Option<Step> {
        match self {
            Self::Steps(steps) => steps.pop_front(),
            Self::Answers(answers) => Some(answers(body)),
        }
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Model {
    /// Starts it on this computer. Requests are answered by the steps, in their order; a request too
    /// many is refused.
    ///
    /// # Errors
    /// Where nothing can be bound.
    pub async fn start(steps: impl IntoIterator<Item = Step>) -> io::Result<Self> {
        Self::follow(Script::Steps(steps.into_iter().collect())).await
    }

    /// Starts it on this computer. Each request is answered by what this makes of its body.
    ///
    /// # Errors
    /// Where nothing can be bound.
    pub async fn start_answering(
        answers: impl FnMut(&Value) -> Step + Send + 'static,
    ) -> io::Result<Self> {
        Self::follow(Script::Answers(Box::new(answers))).await
    }

    async fn follow(script: Script) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let port = listener.local_addr()?.port();
        let shared = Arc::new(Mutex::new(Shared {
            script,
            key: None,
            seen: Vec::new(),
        }));
        let departures = watch::Sender::new(());
        let running = tokio::spawn(serve(listener, shared.clone(), departures.clone()));
        Ok(Self {
            shared,
            port,
            running,
            departures,
        })
    }

    /// Lets in only who shows this key, as the service wants it shown.
    pub fn ask_for(&self, key: &str) {
        lock(&self.shared).key = Some(key.to_owned());
    }

    /// Its address, without a path.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    /// Returns as soon as whoever made this request, counted from 0, has gone before the end.
    pub async fn left(&self, request: usize) {
        let has_gone = |seen: &[Seen]| seen.get(request).is_some_and(|seen| seen.was_left);
        let mut departures = self.departures.subscribe();
        // The other end of this channel is held here: it does not close.
        let _open = departures
            .wait_for(|()| has_gone(&lock(&self.shared).seen))
            .await;
    }

    /// Every request so far.
    pub fn seen(&self) -> Vec<Seen> {
        lock(&self.shared).seen.clone()
    }
}

impl Drop for Model {
    fn drop(&mut self) {
        self.running.abort();
    }
}

/// Which of the five is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Service {
    Anthropic,
    Chat,
    Gemini,
    Ollama,
    Responses,
}

impl Service {
    fn at(path: &str) -> Option<Self> {
        let path = path.split('?').next().unwrap_or_default();
        Some(match path {
            _ if path.ends_with("/v1/messages") => Self::Anthropic,
            _ if path.ends_with("/chat/completions") => Self::Chat,
            _ if path.ends_with(":streamGenerateContent") => Self::Gemini,
            _ if path.ends_with("/api/chat") => Self::Ollama,
            _ if path.ends_with("/responses") => Self::Responses,
            _ => return None,
        })
    }

    fn parse(self, body: &Value) -> Result<ReceivedRequest, String> {
        match self {
            Self::Anthropic => anthropic::parse(body),
            Self::Chat => chat::parse(body),
            Self::Gemini => gemini::parse(body),
            Self::Ollama => ollama::parse(body),
            Self::Responses => responses::parse(body),
        }
    }

    /// The bytes of an answer, event by event.
    fn write(self, answer: &Answer, number: usize) -> Vec<String> {
        match self {
            Self::Anthropic => anthropic::write(answer, number),
            Self::Chat => chat::write(answer, number),
            Self::Gemini => gemini::write(answer),
            Self::Ollama => ollama::write(answer),
            Self::Responses => responses::write(answer, number),
        }
    }

    /// What is said beside a status that says no.
    fn refusal(self, status: u16, retry_after: Option<u32>, message: &str) -> Value {
        match self {
            Self::Anthropic => anthropic::refusal(status, message),
            Self::Chat | Self::Responses => chat::refusal(status, message),
            Self::Gemini => gemini::refusal(status, retry_after, message),
            Self::Ollama => ollama::refusal(message),
        }
    }

    fn shows_key(self, headers: &[(String, String)], key: &str) -> bool {
        let (name, value) = match self {
            Self::Anthropic => ("x-api-key", key.to_owned()),
            Self::Gemini => ("x-goog-api-key", key.to_owned()),
            Self::Chat | Self::Ollama | Self::Responses => {
                ("authorization", format!("Bearer {key}"))
            }
        };
        headers
            .iter()
            .any(|(other, shown)| other == name && *shown == value)
    }
}

async fn serve(listener: TcpListener, shared: Arc<Mutex<Shared>>, departures: watch::Sender<()>) {
    while let Ok((stream, _)) = listener.accept().await {
        tokio::spawn(answer(stream, shared.clone(), departures.clone()));
    }
}

async fn answer(
    mut stream: TcpStream,
    shared: Arc<Mutex<Shared>>,
    departures: watch::Sender<()>,
) -> io::Result<()> {
    let request = http::read(&mut stream).await?;
    let service = Service::at(&request.path);
    let body: Value = serde_json::from_slice(&request.body).unwrap_or_default();
    let (number, step) = {
        let mut shared = lock(&shared);
        let step = judge(service, &request, &body, &mut shared);
        let refused = match &step {
            Err((_, why)) => Some(why.clone()),
            Ok(_) => None,
        };
        shared.seen.push(Seen {
            path: request.path,
            headers: request.headers,
            body,
            refused,
            was_left: false,
            answered_at: None,
        });
        (shared.seen.len(), step)
    };
    let refuse = async |stream: &mut TcpStream, status, retry_after, message: &str| {
        let body = service.map_or_else(
            || json!({"error": message}),
            |service| service.refusal(status, retry_after, message),
        );
        // Only in its body says this one when it wants to be asked again.
        let header = retry_after.filter(|_| service != Some(Service::Gemini));
        http::refuse(stream, status, header, &body).await
    };
    let sent = match (service, step) {
        (Some(service), Ok(Step::Answer(answer))) => {
            let kind = match service {
                Service::Ollama => "application/x-ndjson",
                _ => "text/event-stream",
            };
            let events = service.write(&answer, number);
            http::stream(&mut stream, kind, events, answer.pace, answer.cut_at).await
        }
        (
            _,
            Ok(Step::Status {
                status,
                retry_after,
                message,
            }),
        ) => refuse(&mut stream, status, retry_after, &message).await,
        (None, Ok(Step::Answer(_))) => {
            refuse(&mut stream, 404, None, "there is nothing here").await
        }
        (_, Err((status, why))) => refuse(&mut stream, status, None, &why).await,
    };
    if let Some(seen) = lock(&shared).seen.get_mut(number - 1) {
        match sent {
            Ok(()) => seen.answered_at = UNIX_EPOCH.elapsed().ok(),
            Err(_) => seen.was_left = true,
        }
    }
    if sent.is_err() {
        departures.send_replace(());
    }
    sent
}

/// What is to be answered, or why nothing is.
fn judge(
    service: Option<Service>,
    request: &http::Request,
    body: &Value,
    shared: &mut Shared,
) -> Result<Step, (u16, String)> {
    let service = service.ok_or((404, "there is nothing here".to_owned()))?;
    if let Some(key) = &shared.key
        && !service.shows_key(&request.headers, key)
    {
        return Err((401, "invalid api key".to_owned()));
    }
    let received = service.parse(body).map_err(|why| (400, why))?;
    received.check().map_err(|why| (400, why))?;
    let step = shared.script.next(body);
    step.ok_or((400, "the script has ended".to_owned()))
}
