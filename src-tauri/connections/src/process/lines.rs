//! Lines of a stream, never more of one in memory than is wanted.

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// A whole line is in the buffer, without its end.
    Line,
    /// The line is longer than the limit. What came of it so far is in the buffer.
    TooLong,
    /// The stream has ended. A last line without an end is in the buffer.
    End,
}

/// Reads on until a line is whole. A future that is dropped loses nothing: what was read is in
/// `line`, and the next call continues there. Clear it after each line.
pub(super) async fn read_line(
    stream: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    limit: usize,
) -> std::io::Result<Read> {
    loop {
        let part = stream.fill_buf().await?;
        if part.is_empty() {
            return Ok(Read::End);
        }
        let end = memchr::memchr(b'\n', part);
        let wanted = end.unwrap_or(part.len());
        let taken = wanted.min(limit - line.len().min(limit));
        line.extend_from_slice(&part[..taken]);
        if taken < wanted {
            stream.consume(taken);
            return Ok(Read::TooLong);
        }
        stream.consume(wanted + usize::from(end.is_some()));
        if end.is_some() {
            return Ok(Read::Line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tokio::io::BufReader;

    proptest! {
        #[test]
        fn it_does_not_matter_in_which_pieces_a_stream_comes(bytes in r"([a-c]|\n|\r|\x00|\xff){0,60}", piece in 1_usize..20, limit in 0_usize..12) {
            let all: Vec<&[u8]> = bytes.as_bytes().split(|byte| *byte == b'\n').collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let mut stream = BufReader::with_capacity(piece, bytes.as_bytes());
            for (index, expected) in all.iter().enumerate() {
                let mut line = Vec::new();
                let read = runtime.block_on(read_line(&mut stream, &mut line, limit)).unwrap();
                prop_assert!(line.len() <= limit);
                if expected.len() > limit {
                    prop_assert_eq!(read, Read::TooLong);
                    return Ok(());
                }
                prop_assert_eq!(read, if index + 1 == all.len() { Read::End } else { Read::Line });
                prop_assert_eq!(&line.as_slice(), expected);
            }
        }
    }

    #[tokio::test]
    async fn a_line_is_whole_or_too_long_and_never_more_than_the_limit() {
        let mut stream = BufReader::with_capacity(3, &b"abc\n\nabcd\nabcdef\nxy"[..]);
        let mut seen = Vec::new();
        loop {
            let mut line = Vec::new();
            let read = read_line(&mut stream, &mut line, 4).await.unwrap();
            seen.push((String::from_utf8(line).unwrap(), format!("{read:?}")));
            if read == Read::End {
                break;
            }
        }
        let expected = [
            ("abc", "Line"),
            ("", "Line"),
            ("abcd", "Line"),
            ("abcd", "TooLong"),
            ("ef", "Line"),
            ("xy", "End"),
        ];
        assert_eq!(
            seen,
            expected.map(|(line, read)| (line.to_owned(), read.to_owned()))
        );
    }
}
