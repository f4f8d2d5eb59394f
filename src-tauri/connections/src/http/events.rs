//! A stream of server-sent events (WHATWG HTML §9.2), piece by piece. Never more of one event in
//! memory than is wanted.

use crate::ConnectionError;
use std::time::Duration;

/// The longest a server may have us wait before we come back.
const LONGEST_RETRY: Duration = Duration::from_secs(60);
/// Longest name, number or other short field, in bytes.
const SHORT: usize = 1_024;

/// One event.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) id: Option<String>,
    pub(super) data: String,
    pub(super) retry: Option<Duration>,
}

/// What has come of a stream so far.
pub(super) struct Events {
    limit: usize,
    line: Vec<u8>,
    event: Event,
    any: bool,
    after_return: bool,
    begun: bool,
}

impl Events {
    /// `limit` is the most that one event may hold, in bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            line: Vec::new(),
            event: Event::default(),
            any: false,
            after_return: false,
            begun: false,
        }
    }

    /// The events that this piece completes.
    pub(super) fn push(&mut self, piece: &[u8]) -> Result<Vec<Event>, ConnectionError> {
        let mut done = Vec::new();
        for &byte in piece {
            let after_return = std::mem::take(&mut self.after_return);
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => {
                    self.after_return = byte == b'\r';
                    done.extend(self.end_line()?);
                }
                _ if self.line.len() >= self.limit => {
                    return Err(ConnectionError::MessageTooLong { limit: self.limit });
                }
                _ => self.line.push(byte),
            }
        }
        Ok(done)
    }

    fn end_line(&mut self) -> Result<Option<Event>, ConnectionError> {
        let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
        let line = if std::mem::replace(&mut self.begun, true) {
            &*line
        } else {
            line.trim_start_matches('\u{feff}')
        };
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return Ok(std::mem::take(&mut self.any).then(|| finished(event)));
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "data" => {
                if self.event.data.len() + value.len() > self.limit {
                    return Err(ConnectionError::MessageTooLong { limit: self.limit });
                }
                self.event.data.push_str(value);
                self.event.data.push('\n');
            }
            "event" if value.len() <= SHORT => value.clone_into(&mut self.event.name),
            "id" if value.len() <= SHORT && !value.contains('\0') => {
                self.event.id = Some(value.to_owned())
            }
            "retry" => {
                self.event.retry = value
                    .parse()
                    .ok()
                    .map(|time| Duration::from_millis(time).min(LONGEST_RETRY))
            }
            // A comment, or something that nobody knows.
            _ => return Ok(None),
        }
        self.any = true;
        Ok(None)
    }
}

fn finished(mut event: Event) -> Event {
    event.data.pop();
    event
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(text: &str) -> Vec<Event> {
        Events::new(1_000).push(text.as_bytes()).unwrap()
    }

    #[test]
    fn events_are_told_apart_whatever_ends_their_lines() {
        for end in ["\n", "\r\n", "\r"] {
            let text = [
                ": hello",
                "event: message",
                "id: 7",
                "data: {\"a\":",
                "data: 1}",
                "",
                "retry: 500",
                "id: 8",
                "",
                "",
                "data: x",
            ]
            .join(end);
            let events = all(&text);
            assert_eq!(events.len(), 2, "{events:?}");
            assert_eq!(
                (events[0].name.as_str(), events[0].data.as_str()),
                ("message", "{\"a\":\n1}")
            );
            assert_eq!(
                (events[1].id.as_deref(), events[1].retry),
                (Some("8"), Some(Duration::from_millis(500)))
            );
        }
    }

    #[test]
    fn an_event_that_is_too_long_ends_the_stream() {
        let mut events = Events::new(10);
        assert!(events.push(b"data: 01234567890123456789").is_err());
        let mut events = Events::new(20);
        assert!(
            events
                .push(b"data: 0123456789\ndata: 0123456789\ndata: 1\n")
                .is_err()
        );
    }

    proptest! {
        #[test]
        fn no_bytes_bring_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let _ = Events::new(100).push(&bytes);
        }

        #[test]
        fn it_does_not_matter_where_the_pieces_end(text in "(data|id|event|retry|x|:|\n|\r| |[0-9a-z]){0,60}", cut in 0_usize..200) {
            let bytes = text.as_bytes();
            let cut = cut.min(bytes.len());
            let mut pieces = Events::new(1_000);
            let mut split = pieces.push(&bytes[..cut]).unwrap();
            split.extend(pieces.push(&bytes[cut..]).unwrap());
            prop_assert_eq!(split, Events::new(1_000).push(bytes).unwrap());
        }
    }
}
