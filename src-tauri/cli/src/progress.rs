//! What is waited for, on a terminal: since when, and what the server wrote last. Nothing is shown
//! where nobody sits, and nothing is left on the line.

use crate::link::{Heard, Link};
use crate::print;
use api::HostEvent;
use protocol::ServerId;
use std::io::{IsTerminal as _, Write as _};
use std::pin::pin;
use std::time::{Duration, Instant};

/// How often the line is drawn anew.
const DRAWN: Duration = Duration::from_millis(200);
/// What is over by then was not waited for.
const AT_ONCE: Duration = Duration::from_millis(600);

/// Waits for something that starts a server, and shows that on a terminal.
pub(crate) async fn starting<T>(
    link: &Link,
    server: &ServerId,
    what: impl Future<Output = T>,
) -> T {
    if !std::io::stderr().is_terminal() {
        return what.await;
    }
    let mut heard = link.events().await.ok();
    let (mut what, begun) = (pin!(what), Instant::now());
    let (mut newest, mut drawn) = (String::new(), false);
    let mut tick = tokio::time::interval(DRAWN);
    loop {
        tokio::select! {
            biased;
            done = &mut what => {
                if drawn {
                    draw("");
                }
                return done;
            }
            event = next(&mut heard) => match event {
                Some(HostEvent::ServerWrote { server: of, lines }) if of == *server => {
                    newest = lines.last().cloned().unwrap_or(newest);
                }
                Some(_) => {}
                None => heard = None,
            },
            _ = tick.tick() => {
                if begun.elapsed() >= AT_ONCE {
                    draw(&line(server, begun.elapsed(), &newest));
                    drawn = true;
                }
            }
        }
    }
}

/// The next event; never, once nothing is heard any more.
async fn next(heard: &mut Option<Heard>) -> Option<HostEvent> {
    match heard {
        Some(heard) => heard.next().await,
        None => std::future::pending().await,
    }
}

fn line(server: &ServerId, since: Duration, newest: &str) -> String {
    let begun = format!("Starting {server}… {} s", since.as_secs());
    match newest {
        "" => begun,
        newest => print::beside(&begun, newest),
    }
}

/// Writes over the line.
fn draw(line: &str) {
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r\x1b[2K{line}");
    let _ = out.flush();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_short_and_draws_nothing_by_itself() {
        let server = ServerId::parse("files").unwrap();
        let since = Duration::from_secs(12);
        assert_eq!(line(&server, since, ""), "Starting files… 12 s");
        let theirs = line(&server, since, "\x1b[2JPassword:");
        assert_eq!(theirs, "Starting files… 12 s  | ⟨U+001B⟩[2JPassword:");
    }
}
