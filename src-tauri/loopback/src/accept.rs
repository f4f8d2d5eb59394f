//! Lets connections in at a door, and serves each of them until its end.
//!
//! Always true here:
//! - who says nothing, or not all of a header, is not waited for longer than [`HEADER_TIMEOUT`];
//! - who takes nothing of an answer is let go of in time;
//! - whoever comes gets a turn before the next one is let in.

use crate::listener::Listener;
use crate::response::Response;
use crate::strangers::{Stranger, Strangers};
use crate::taken::Taken;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;
use tokio::task::{JoinSet, yield_now};

/// How long a header may take, from the connection or the last answer on.
pub(crate) const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// What answers a request of a connection, a stranger's or one that has shown its token.
pub(crate) trait Answers: Clone + Send + Sync + 'static {
    /// Answers one.
    fn answer(
        &self,
        request: Request<Incoming>,
        stranger: Arc<Stranger>,
    ) -> impl Future<Output = Response> + Send;
}

impl<A, F> Answers for A
where
    A: Fn(Request<Incoming>, Arc<Stranger>) -> F + Clone + Send + Sync + 'static,
    F: Future<Output = Response> + Send,
{
    fn answer(
        &self,
        request: Request<Incoming>,
        stranger: Arc<Stranger>,
    ) -> impl Future<Output = Response> + Send {
        self(request, stranger)
    }
}

/// Serves at a door until `ended`. Afterwards nobody new gets in, who has shown no token is sent
/// away, and this goes on until what is being answered is.
pub(crate) async fn accept<L: Listener>(
    mut door: L,
    answers: impl Answers,
    strangers: Strangers,
    ended: watch::Receiver<bool>,
) {
    let mut connections = JoinSet::new();
    let mut ending = pin!(over(ended.clone()));
    loop {
        tokio::select! {
            biased;
            () = &mut ending => break,
            Some(_) = connections.join_next() => {}
            stream = door.next() => {
                let (stranger, ended) = (strangers.enter(), ended.clone());
                connections.spawn(converse(stream, answers.clone(), stranger, ended));
                // Or a crowd of others could have it sent away before it has said a word.
                yield_now().await;
            }
        }
    }
    drop(door);
    strangers.dismiss_all();
    while connections.join_next().await.is_some() {}
}

/// Serves one connection until its end, or until it is sent away.
pub(crate) async fn converse(
    stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
    answers: impl Answers,
    stranger: Stranger,
    ended: watch::Receiver<bool>,
) {
    let stranger = Arc::new(stranger);
    let service = service_fn(|request| {
        let answer = answers.answer(request, stranger.clone());
        async { Ok::<_, Infallible>(answer.await) }
    });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .serve_connection(TokioIo::new(Taken::new(stream)), service)
        .with_upgrades();
    let mut connection = pin!(connection);
    let served = async {
        tokio::select! {
            _ = &mut connection => return,
            () = over(ended) => connection.as_mut().graceful_shutdown(),
        }
        let _ = connection.await;
    };
    tokio::select! {
        () = served => {}
        () = stranger.dismissed() => {
            tracing::debug!("a connection that had shown no token was sent away");
        }
    }
}

/// Waits until the serving ends.
pub(crate) async fn over(mut ended: watch::Receiver<bool>) {
    // A sender that is gone has ended too.
    let _ = ended.wait_for(|ended| *ended).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::{Guard, NAME};
    use crate::response;
    use crate::strangers::MOST;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};
    use tokio::sync::mpsc;
    use tokio::time::Instant;

    /// A door through which streams of memory come.
    struct Hatch(mpsc::UnboundedReceiver<DuplexStream>);

    impl Listener for Hatch {
        type Stream = DuplexStream;

        async fn next(&mut self) -> DuplexStream {
            match self.0.recv().await {
                Some(stream) => stream,
                None => std::future::pending().await,
            }
        }
    }

    struct Served {
        comers: mpsc::UnboundedSender<DuplexStream>,
        ending: watch::Sender<bool>,
        task: tokio::task::JoinHandle<()>,
    }

    fn serve() -> Served {
        let guard = Arc::new(Guard::of_programs("t".into(), Vec::new()));
        let answers = move |request: Request<Incoming>, stranger: Arc<Stranger>| {
            let guard = guard.clone();
            async move {
                match guard.check_token(request.headers()) {
                    Ok((_, admitted)) => {
                        assert!(stranger.is_known(&admitted));
                        response::bytes(b"come in".to_vec())
                    }
                    Err(status) => response::empty(status),
                }
            }
        };
        let (comers, hatch) = mpsc::unbounded_channel();
        let (ending, ended) = watch::channel(false);
        let task = tokio::spawn(accept(Hatch(hatch), answers, Strangers::default(), ended));
        Served {
            comers,
            ending,
            task,
        }
    }

    impl Served {
        fn connect(&self) -> DuplexStream {
            let (ours, theirs) = duplex(4096);
            self.comers.send(theirs).unwrap();
            ours
        }
    }

    async fn ask(stream: &mut DuplexStream, token: &str) {
        let text =
            format!("GET / HTTP/1.1\r\nHost: {NAME}\r\nAuthorization: Bearer {token}\r\n\r\n");
        stream.write_all(text.as_bytes()).await.unwrap();
    }

    /// What came back first; nothing if the connection was closed.
    async fn answer(stream: &mut DuplexStream) -> String {
        let mut bytes = [0; 1024];
        let length = stream.read(&mut bytes).await.unwrap_or(0);
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn who_does_not_say_a_whole_header_is_let_go_of_in_time() {
        for said in ["", "GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "] {
            let served = serve();
            let (begun, mut stream) = (Instant::now(), served.connect());
            stream.write_all(said.as_bytes()).await.unwrap();
            assert_eq!(answer(&mut stream).await, "", "{said:?}");
            assert_eq!(
                begun.elapsed().as_secs(),
                HEADER_TIMEOUT.as_secs(),
                "{said:?}"
            );
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_header_that_comes_drop_by_drop_has_no_more_time_than_another() {
        let served = serve();
        let (begun, stream) = (Instant::now(), served.connect());
        let (mut reading, mut writing) = tokio::io::split(stream);
        let dripping = tokio::spawn(async move {
            while writing.write_all(b"G").await.is_ok() {
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
        });
        let mut bytes = [0; 16];
        assert_eq!(reading.read(&mut bytes).await.unwrap(), 0);
        assert_eq!(begun.elapsed().as_secs(), HEADER_TIMEOUT.as_secs());
        dripping.abort();
    }

    #[tokio::test(start_paused = true)]
    async fn one_too_many_sends_the_oldest_away_and_who_came_last_is_served() {
        let (served, begun) = (serve(), Instant::now());
        let mut silent: Vec<_> = (0..1100).map(|_| served.connect()).collect();
        let gone = silent.len() - MOST;
        for stream in &mut silent[..gone] {
            assert_eq!(answer(stream).await, "");
        }
        for stream in &mut silent[gone..] {
            ask(stream, "t").await;
            assert!(answer(stream).await.ends_with("come in"));
        }
        assert!(begun.elapsed().is_zero(), "somebody was waited for");
    }

    #[tokio::test(start_paused = true)]
    async fn who_comes_in_the_middle_of_a_crowd_is_heard_before_they_are_sent_away() {
        let (served, begun) = (serve(), Instant::now());
        let before: Vec<_> = (0..1000).map(|_| served.connect()).collect();
        let mut honest = served.connect();
        ask(&mut honest, "t").await;
        let after: Vec<_> = (0..1000).map(|_| served.connect()).collect();
        assert!(answer(&mut honest).await.ends_with("come in"));
        // What has shown its token stays, however many come.
        ask(&mut honest, "t").await;
        assert!(answer(&mut honest).await.ends_with("come in"));
        assert!(begun.elapsed().is_zero(), "somebody was waited for");
        drop((before, after));
    }

    #[tokio::test(start_paused = true)]
    async fn a_wrong_token_keeps_a_connection_among_the_strangers() {
        let served = serve();
        let mut first = served.connect();
        ask(&mut first, "wrong").await;
        assert!(answer(&mut first).await.starts_with("HTTP/1.1 401"));
        let crowd: Vec<_> = (0..MOST).map(|_| served.connect()).collect();
        let begun = Instant::now();
        assert_eq!(answer(&mut first).await, "");
        assert!(
            begun.elapsed().is_zero(),
            "it was kept until its time was over"
        );
        drop(crowd);
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_without_a_token_is_not_waited_for() {
        let served = serve();
        let (begun, mut stream) = (Instant::now(), served.connect());
        let text = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf";
        stream.write_all(text.as_bytes()).await.unwrap();
        let answered = answer(&mut stream).await;
        assert!(answered.starts_with("HTTP/1.1 4"), "{answered}");
        assert_eq!(answer(&mut stream).await, "");
        assert!(begun.elapsed().is_zero(), "the rest was waited for");
    }

    #[tokio::test(start_paused = true)]
    async fn strangers_do_not_keep_a_host_from_ending() {
        let (served, begun) = (serve(), Instant::now());
        let mut silent = served.connect();
        silent.write_all(b"GET / HT").await.unwrap();
        yield_now().await;
        served.ending.send_replace(true);
        served.task.await.unwrap();
        assert!(begun.elapsed().is_zero(), "somebody was waited for");
        drop(silent);
    }
}
