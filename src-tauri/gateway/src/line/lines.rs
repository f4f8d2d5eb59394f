//! What a client says, line by line.
//!
//! Always true here: a line that cannot be taken is passed over, and what comes after it is read.
//! Reading fails only where nothing more can come.

use std::io;
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{Decoder, LinesCodec, LinesCodecError};

/// What a client has said.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// A line.
    Line(String),
    /// One that is longer than is read.
    TooLong,
    /// One that is no UTF-8.
    NoText,
}

/// Reads lines of so many bytes at most.
pub(super) struct Lines(LinesCodec);

impl Lines {
    pub(super) fn up_to(bytes: usize) -> Self {
        Self(LinesCodec::new_with_max_length(bytes))
    }
}

impl Decoder for Lines {
    type Item = Said;
    type Error = io::Error;

    fn decode(&mut self, bytes: &mut BytesMut) -> io::Result<Option<Said>> {
        said(self.0.decode(bytes))
    }

    fn decode_eof(&mut self, bytes: &mut BytesMut) -> io::Result<Option<Said>> {
        said(self.0.decode_eof(bytes))
    }
}

/// An error of a decoder would be the end of the stream for who reads it.
fn said(read: Result<Option<String>, LinesCodecError>) -> io::Result<Option<Said>> {
    match read {
        Ok(line) => Ok(line.map(Said::Line)),
        Err(LinesCodecError::MaxLineLengthExceeded) => Ok(Some(Said::TooLong)),
        Err(LinesCodecError::Io(problem)) if problem.kind() == io::ErrorKind::InvalidData => {
            Ok(Some(Said::NoText))
        }
        Err(LinesCodecError::Io(problem)) => Err(problem),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::TryStreamExt as _;
    use tokio_util::codec::FramedRead;

    #[tokio::test]
    async fn what_cannot_be_taken_is_passed_over_and_the_rest_is_read() {
        let bytes = [
            &b"one\n\xff\xfe\ntwo\n"[..],
            &[b'x'; 5_000],
            b"\nthree\n",
            &[b'x'; 20],
            b"\nfour",
        ]
        .concat();
        let lines = FramedRead::new(bytes.as_slice(), Lines::up_to(8));
        let said: Vec<Said> = lines.try_collect().await.unwrap();
        let line = |text: &str| Said::Line(text.to_owned());
        let expected = [
            line("one"),
            Said::NoText,
            line("two"),
            Said::TooLong,
            line("three"),
            Said::TooLong,
            line("four"),
        ];
        assert_eq!(said, expected);
    }
}
