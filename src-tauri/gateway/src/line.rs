//! A client that speaks in lines, as over standard input and output.
//!
//! Always true here:
//! - requests are carried out side by side, and each is answered once;
//! - a client that says nothing more, or is not to be served any longer, still gets the answers that
//!   are under way; one that is gone has what it asked for given up;
//! - a line that cannot be read is answered, and is the end of nothing;
//! - who takes no answers is not read any further, and is let go of in time; what it has begun is
//!   given up.

mod lines;

use crate::batch::{self, Answers};
use crate::endpoint::Endpoint;
use crate::message::{Id, Message, Request, Unreadable, failure, reply};
use crate::notices::{Notice, Notices, Wanted};
use crate::rpc_error::RpcError;
use crate::session::{Listened, Session, Step, Work, taken_back};
use crate::visit::Visit;
use api::{ErrorCode, HostError};
use futures::future::{AbortHandle, Abortable, BoxFuture};
use futures::stream::FuturesUnordered;
use futures::{FutureExt as _, SinkExt as _, StreamExt as _};
use host::{Admitted, Host};
use lines::{Lines, Said};
use protocol::CallId;
use serde_json::value::RawValue;
use std::collections::HashMap;
use std::io;
use std::pin::{Pin, pin};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::task::JoinError;
use tokio::time::timeout;
use tokio_util::codec::{FramedRead, FramedWrite, LinesCodec, LinesCodecError};
use tokio_util::task::AbortOnDropHandle;

/// The longest line that is read, in bytes: as much as a call may hold, and what goes with it.
const LONGEST: usize = 9 * 1024 * 1024;
/// The line after which a client says nothing more: ASCII's own word for that, and no JSON. A pipe of
/// Windows has no other way to say so and still be read from.
pub const END_OF_INPUT: &str = "\u{4}";
/// How many requests of one client are carried out side by side; the next is read when one of them
/// is answered.
const AT_ONCE: usize = 64;
/// How many streams of notices one client may have open.
const STREAMS: usize = 16;
/// How long a client may leave an answer untaken.
const TAKE_TIMEOUT: Duration = Duration::from_secs(30);

type Outcome = Result<Box<RawValue>, RpcError>;

/// A request that has ended; without an outcome it was taken back.
struct Ended {
    id: Id,
    call: CallId,
    /// The batch that it came in.
    batch: Option<u64>,
    outcome: Option<Outcome>,
}

/// Serves a client until it goes, is sent away, or takes nothing any more; after `ending` only until
/// what is under way is answered.
pub async fn serve_line(
    host: Host,
    client: Admitted,
    endpoint: Endpoint,
    stream: impl AsyncRead + AsyncWrite + Send,
    ending: impl Future<Output = ()> + Send,
) {
    let mut ending = pin!(ending);
    let (read, write) = tokio::io::split(stream);
    let mut lines = FramedRead::new(read, Lines::up_to(LONGEST));
    let mut line = Line::new(Visit::new(host, client, endpoint), write);
    while let Some(happened) = line.next(&mut lines, ending.as_mut()).await {
        let answered = match happened {
            Happened::Ended(ended) => line.ended(ended).await,
            Happened::Wanted => {
                line.told.want(line.wanted.borrow_and_update().clone());
                Ok(())
            }
            Happened::Told(notice) => line.out.tell(notice).await,
            Happened::Heard(text) => line.hear(&text).await,
            Happened::SaidAll => {
                line.says_nothing_more();
                Ok(())
            }
            Happened::Unread(error) => line.out.put(failure(None, &error)).await,
        };
        if let Err(problem) = answered {
            tracing::debug!(%problem, "a client takes no answers");
            return;
        }
    }
}

/// What happens on a line.
enum Happened {
    /// A request has ended.
    Ended(Ended),
    /// The client wants to be told other things than before.
    Wanted,
    /// There is something to tell.
    Told(Notice),
    /// The client said something.
    Heard(String),
    /// It says nothing more, or is not heard any more.
    SaidAll,
    /// It said something that cannot be read, and is told so.
    Unread(RpcError),
}

/// A client on its line.
struct Line<W> {
    session: Session,
    wanted: watch::Receiver<Wanted>,
    told: Notices,
    /// Streams of notices, by the request that opened each.
    streams: Vec<OpenStream>,
    working: FuturesUnordered<BoxFuture<'static, Ended>>,
    /// The requests among these, so that they can be taken back.
    begun: HashMap<Id, AbortHandle>,
    has_said_all: bool,
    /// Answers to requests that came together.
    batches: HashMap<u64, Answers>,
    /// How many batches there were.
    batch: u64,
    out: Out<W>,
}

/// A stream of notices.
struct OpenStream {
    id: Id,
    notices: Notices,
    /// What is watched for it.
    _watches: AbortOnDropHandle<()>,
}

impl<W: AsyncWrite + Unpin> Line<W> {
    fn new(visit: Visit, write: W) -> Self {
        let session = Session::new(visit.clone());
        let mut told = Notices::of(visit);
        told.watch(session.watched());
        Self {
            wanted: session.wanted(),
            session,
            told,
            streams: Vec::new(),
            working: FuturesUnordered::new(),
            begun: HashMap::new(),
            has_said_all: false,
            batches: HashMap::new(),
            batch: 0,
            out: Out(FramedWrite::new(write, LinesCodec::new())),
        }
    }

    /// What happens next; nothing any more where the client is gone or is sent away, or has said all
    /// and been answered.
    async fn next(
        &mut self,
        lines: &mut FramedRead<impl AsyncRead + Unpin, Lines>,
        ending: Pin<&mut impl Future<Output = ()>>,
    ) -> Option<Happened> {
        if self.has_said_all && self.working.is_empty() {
            return None;
        }
        let has_room = self.working.len() < AT_ONCE || self.has_said_all;
        tokio::select! {
            biased;
            () = self.session.visit().client().sent_away() => None,
            () = ending, if !self.has_said_all => Some(Happened::SaidAll),
            Some(ended) = self.working.next(), if !self.working.is_empty() => {
                Some(Happened::Ended(ended))
            }
            Ok(()) = self.wanted.changed() => Some(Happened::Wanted),
            notice = self.told.next() => Some(Happened::Told(notice)),
            notice = of_streams(&mut self.streams) => Some(Happened::Told(notice)),
            said = lines.next(), if has_room => match said?.ok()? {
                Said::Line(text) if text == END_OF_INPUT => Some(Happened::SaidAll),
                Said::Line(text) => Some(Happened::Heard(text)),
                Said::TooLong => Some(Happened::Unread(too_long())),
                Said::NoText => Some(Happened::Unread(no_text())),
            },
        }
    }

    async fn ended(&mut self, ended: Ended) -> io::Result<()> {
        let Ended {
            id,
            call,
            batch,
            outcome,
        } = ended;
        self.begun.remove(&id);
        // What was told before the end comes before it.
        for notice in self.told.drain() {
            self.out.tell(notice).await?;
        }
        self.told.forget_call(&call);
        self.answer(batch, outcome.map(|outcome| reply(&id, outcome)))
            .await
    }

    /// Answers a request, or gathers the answer with the others of its batch.
    async fn answer(&mut self, batch: Option<u64>, answer: Option<String>) -> io::Result<()> {
        let Some(batch) = batch else {
            return match answer {
                Some(answer) => self.out.put(answer).await,
                None => Ok(()),
            };
        };
        let Some(answers) = self.batches.get_mut(&batch) else {
            return Ok(());
        };
        let (ready, is_last) = answers.take(answer);
        if is_last {
            self.batches.remove(&batch);
        }
        match ready {
            Some(ready) => self.out.put(ready).await,
            None => Ok(()),
        }
    }

    /// From now on only what is under way is answered, and the client is asked nothing.
    fn says_nothing_more(&mut self) {
        self.has_said_all = true;
        self.session.asks().close();
    }

    async fn hear(&mut self, text: &str) -> io::Result<()> {
        if self.has_said_all || text.trim().is_empty() {
            return Ok(());
        }
        if !batch::is_batch(text) {
            return self.take(Message::read(text), None).await;
        }
        let messages = match batch::read(text, self.session.agreed()) {
            Ok(messages) => messages,
            Err(error) => return self.out.put(failure(None, &error)).await,
        };
        let is_answered =
            |one: &&Result<Message, Unreadable>| matches!(one, Ok(Message::Request(_)) | Err(_));
        let answered = messages.iter().filter(is_answered).count();
        self.batch += 1;
        let number = self.batch;
        self.batches.insert(number, Answers::to(answered));
        for message in messages {
            self.take(message, Some(number)).await?;
        }
        if answered == 0 {
            self.batches.remove(&number);
        }
        Ok(())
    }

    /// Takes a message, which may have come in a batch.
    async fn take(
        &mut self,
        message: Result<Message, Unreadable>,
        batch: Option<u64>,
    ) -> io::Result<()> {
        match message {
            Ok(Message::Request(request)) => self.request(request, batch).await,
            Ok(Message::Notification { method, params }) => {
                if let Some(id) = taken_back(&method, &params) {
                    if let Some(handle) = self.begun.get(&id) {
                        handle.abort();
                    }
                    self.streams.retain(|stream| stream.id != id);
                }
                Ok(())
            }
            Ok(Message::Reply { id, result }) => {
                let asks = self.session.asks();
                asks.answered(id.as_ref(), result.as_deref());
                Ok(())
            }
            Err(unreadable) => {
                let text = failure(unreadable.id.as_ref(), &unreadable.error);
                self.answer(batch, Some(text)).await
            }
        }
    }

    async fn request(&mut self, request: Request, batch: Option<u64>) -> io::Result<()> {
        let id = request.id.clone();
        if self.begun.contains_key(&id) || self.streams.iter().any(|stream| stream.id == id) {
            return self
                .answer(batch, Some(reply(&id, Err(RpcError::id_in_use()))))
                .await;
        }
        match self.session.step(request, false) {
            Step::Answer(outcome) => self.answer(batch, Some(reply(&id, outcome))).await,
            Step::Listen(_) if batch.is_some() || self.streams.len() >= STREAMS => {
                self.answer(batch, Some(reply(&id, Err(too_many())))).await
            }
            Step::Listen(Listened {
                wanted,
                watched,
                watches,
            }) => {
                let mut notices = Notices::of(self.session.visit().clone());
                notices.watch(watched);
                notices.want(wanted.clone());
                self.streams.push(OpenStream {
                    id: id.clone(),
                    notices,
                    _watches: watches,
                });
                self.out.tell(acknowledged(&wanted).of_stream(&id)).await
            }
            Step::Work(work) => {
                self.work(id, work, batch);
                Ok(())
            }
        }
    }

    fn work(&mut self, id: Id, work: Work, batch: Option<u64>) {
        let (handle, registration) = AbortHandle::new_pair();
        self.begun.insert(id.clone(), handle);
        let (call, out) = (work.call.clone(), self.told.outbox());
        if let Some(token) = &work.progress {
            self.told.follow_call(call.clone(), token.clone());
        }
        let done = Abortable::new(work.done(Some(out)), registration);
        // Going to another task and back takes time that one request alone need not have. Several
        // side by side keep nobody waiting, and have all processor cores.
        let outcome = match self.working.is_empty() {
            true => done.map(Result::ok).boxed(),
            false => {
                let done = AbortOnDropHandle::new(tokio::spawn(done));
                done.map(|ended| {
                    ended.map_or_else(|problem| Some(Err(unexpected(&problem))), Result::ok)
                })
                .boxed()
            }
        };
        self.working
            .push(Box::pin(outcome.map(move |outcome| Ended {
                id,
                call,
                batch,
                outcome,
            })));
    }
}

/// Who opens a stream of notices hears first what will be told on it.
pub(crate) fn acknowledged(wanted: &Wanted) -> Notice {
    let told = serde_json::json!({
        "toolsListChanged": wanted.tools_list_changed,
        "promptsListChanged": wanted.prompts_list_changed,
        "resourcesListChanged": wanted.resources_list_changed,
        "resourceSubscriptions": wanted.resource_subscriptions,
    });
    Notice {
        id: None,
        method: "notifications/subscriptions/acknowledged",
        params: serde_json::json!({ "notifications": told }),
    }
}

fn unexpected(problem: &JoinError) -> RpcError {
    let message = format!("the request ended unexpectedly: {problem}");
    RpcError::of_host(&HostError::of(ErrorCode::Internal, message))
}

fn too_long() -> RpcError {
    let message = format!("A message has at most {LONGEST} bytes");
    RpcError::new(RpcError::INVALID_REQUEST, message)
}

fn no_text() -> RpcError {
    RpcError::new(RpcError::NOT_JSON, "This is no UTF-8")
}

fn too_many() -> RpcError {
    let message = format!("At most {STREAMS} streams of notices can be open");
    RpcError::new(RpcError::INVALID_REQUEST, message)
}

/// The next notice of any stream.
async fn of_streams(streams: &mut [OpenStream]) -> Notice {
    if streams.is_empty() {
        return std::future::pending().await;
    }
    let next = streams.iter_mut().map(|OpenStream { id, notices, .. }| {
        Box::pin(async { notices.next().await.of_stream(id) })
    });
    futures::future::select_all(next).await.0
}

struct Out<W>(FramedWrite<W, LinesCodec>);

impl<W: AsyncWrite + Unpin> Out<W> {
    /// Writes a message.
    async fn put(&mut self, text: String) -> io::Result<()> {
        match timeout(TAKE_TIMEOUT, self.0.send(text)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(LinesCodecError::Io(problem))) => Err(problem),
            Ok(Err(problem)) => Err(io::Error::other(problem)),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    async fn tell(&mut self, notice: Notice) -> io::Result<()> {
        self.put(notice.text()).await
    }
}
