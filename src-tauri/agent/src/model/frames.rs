//! The events of a reply, out of bytes that end anywhere: server-sent events (WHATWG HTML §9.2), of
//! which models need the data only, or one JSON document a line.
//!
//! Always true here: each byte is looked at a fixed number of times, and no more of an event is kept
//! than it may hold.

use super::Failure;
use memchr::memchr2;

/// How the events of a reply are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Framing {
    /// `text/event-stream`.
    Events,
    /// `application/x-ndjson`.
    Lines,
}

/// What has come of a stream so far.
#[derive(Debug)]
pub struct Frames {
    framing: Framing,
    limit: usize,
    line: Vec<u8>,
    data: Option<Vec<u8>>,
    after_return: bool,
    has_begun: bool,
}

impl Frames {
    /// `limit` is the most that one event may hold, in bytes.
    pub fn new(framing: Framing, limit: usize) -> Self {
        Self {
            framing,
            limit,
            line: Vec::new(),
            data: None,
            after_return: false,
            has_begun: false,
        }
    }

    /// Adds the events that this piece completes to `frames`.
    ///
    /// # Errors
    /// [`Failure::TooLong`], for an event that is longer than one may be. Those before it are added
    /// all the same: it does not matter where the pieces end.
    pub fn push(&mut self, mut piece: &[u8], frames: &mut Vec<String>) -> Result<(), Failure> {
        while let Some(first) = piece.first() {
            if std::mem::take(&mut self.after_return) && *first == b'\n' {
                piece = piece.get(1..).unwrap_or_default();
                continue;
            }
            let Some(end) = memchr2(b'\n', b'\r', piece) else {
                self.take(piece)?;
                break;
            };
            let (line, rest) = piece.split_at(end);
            self.take(line)?;
            self.after_return = rest.first() == Some(&b'\r');
            piece = rest.get(1..).unwrap_or_default();
            frames.extend(self.end_line());
        }
        Ok(())
    }

    /// The stream has ended. A last line of JSON may lack its end; an event may not.
    pub fn finish(&mut self) -> Option<String> {
        match self.framing {
            Framing::Events => None,
            Framing::Lines => self.end_line(),
        }
    }

    fn take(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let length = self.line.len() + self.data.as_ref().map_or(0, Vec::len);
        if length + bytes.len() > self.limit {
            return Err(Failure::TooLong { limit: self.limit });
        }
        self.line.extend_from_slice(bytes);
        Ok(())
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.has_begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        match self.framing {
            Framing::Lines => frame(line),
            Framing::Events if line.is_empty() => self.data.take().and_then(|data| frame(&data)),
            Framing::Events => {
                let value = match line.strip_prefix(b"data") {
                    Some([]) => Some(&[][..]),
                    Some([b':', b' ', value @ ..] | [b':', value @ ..]) => Some(value),
                    // A comment, another field, or something that nobody knows.
                    _ => None,
                };
                if let Some(value) = value {
                    match &mut self.data {
                        Some(data) => {
                            data.push(b'\n');
                            data.extend_from_slice(value);
                        }
                        None => self.data = Some(value.to_vec()),
                    }
                }
                None
            }
        }
    }
}

/// An event, unless there is nothing in it: some services send such to keep a connection open.
fn frame(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    (!text.trim().is_empty()).then(|| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::time::Instant;

    fn pushed(frames: &mut Frames, piece: &[u8]) -> Vec<String> {
        let mut found = Vec::new();
        frames.push(piece, &mut found).unwrap();
        found
    }

    fn events(text: &[u8]) -> Vec<String> {
        pushed(&mut Frames::new(Framing::Events, 1_000), text)
    }

    #[test]
    fn events_are_told_apart_whatever_ends_their_lines_and_stands_between() {
        for end in ["\n", "\r\n", "\r"] {
            let lines = [
                ": hello",
                "event: message",
                "id: 7",
                "data: {\"a\":",
                "data:1}",
                "retry: 500",
                "",
                "data:  ",
                "",
                "data",
                "",
                "data: x",
                "",
                "data: half",
            ];
            let text = format!("\u{feff}{}", lines.join(end));
            assert_eq!(events(text.as_bytes()), ["{\"a\":\n1}", "x"]);
        }
        assert_eq!(events("\u{feff}data: first\n\n".as_bytes()), ["first"]);
        assert_eq!(events(b"datax: no\n\ndata: \xff\n\n"), ["\u{fffd}"]);
    }

    #[test]
    fn lines_are_told_apart_and_the_last_may_lack_its_end() {
        let mut frames = Frames::new(Framing::Lines, 1_000);
        let first = pushed(&mut frames, b"{\"a\":1}\r\n\n{\"b\"");
        assert_eq!(first, ["{\"a\":1}"]);
        assert_eq!(pushed(&mut frames, b":2}"), Vec::<String>::new());
        assert_eq!(frames.finish().as_deref(), Some("{\"b\":2}"));
        assert_eq!(frames.finish(), None);
    }

    #[test]
    fn an_event_that_is_too_long_is_refused_at_once() {
        for begin in ["data: ", "", "data: x\ndata: "] {
            let mut frames = Frames::new(Framing::Events, super::super::LONGEST_EVENT);
            let begun = Instant::now();
            pushed(&mut frames, begin.as_bytes());
            let piece = vec![b'x'; 4_096];
            let pieces = (0..)
                .find(|_| frames.push(&piece, &mut Vec::new()).is_err())
                .unwrap();
            assert!(pieces <= super::super::LONGEST_EVENT / 4_096, "{pieces}");
            assert!(begun.elapsed().as_secs() < 5, "{:?}", begun.elapsed());
        }
    }

    #[test]
    fn what_comes_before_an_event_that_is_too_long_is_not_lost_with_it() {
        let mut found = Vec::new();
        let bytes = format!("data: x\n\ndata: {}", "y".repeat(2_000));
        let pushed = Frames::new(Framing::Events, 1_000).push(bytes.as_bytes(), &mut found);
        assert!(pushed.is_err() && found == ["x"], "{pushed:?} {found:?}");
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_pieces_end(
            text in "(data|id|:|\n|\r| |[0-9a-z]|é|\u{feff}){0,60}", cut in 0_usize..200, lines in any::<bool>(),
        ) {
            let framing = if lines { Framing::Lines } else { Framing::Events };
            let bytes = text.as_bytes();
            let (one, other) = bytes.split_at(cut.min(bytes.len()));
            let mut pieces = Frames::new(framing, 1_000);
            let mut split = pushed(&mut pieces, one);
            split.extend(pushed(&mut pieces, other));
            split.extend(pieces.finish());
            let mut whole = Frames::new(framing, 1_000);
            let mut at_once = pushed(&mut whole, bytes);
            at_once.extend(whole.finish());
            prop_assert_eq!(split, at_once);
        }

        #[test]
        fn no_bytes_bring_it_down(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
            let mut frames = Frames::new(Framing::Events, 100);
            let mut found = Vec::new();
            let _may_be_too_long = frames.push(&bytes, &mut found);
            prop_assert!(found.iter().all(|frame| frame.len() <= 300));
        }
    }
}
