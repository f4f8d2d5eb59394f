//! `majordomoctl flow …`: what flow control would have asked in a recorded conversation. Needs no
//! host.

use crate::args::Flow;
use crate::exit::Exit;
use crate::{input, print};
use api::{ErrorCode, HostError};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _};

/// Longest line, in bytes. A longer one is an error of its own.
const MAX_LINE: u64 = 64 * 1024 * 1024;

/// Does what the command line says.
pub(crate) fn run(command: &Flow) -> Result<Exit, HostError> {
    let Flow::Replay { file } = command;
    let unread = |problem: std::io::Error| {
        HostError::of(
            ErrorCode::BadPath,
            format!("{file} cannot be read: {problem}"),
        )
    };
    if file == "-" {
        replay(&mut input::piped(), &mut |line| print::json_line(&line)).map_err(unread)?;
    } else {
        replay(
            &mut BufReader::new(std::fs::File::open(file).map_err(unread)?),
            &mut |line| print::json_line(&line),
        )
        .map_err(unread)?;
    }
    Ok(Exit::Done)
}

/// Plays a conversation a line. A line that cannot be played gives its reason, and the next one is
/// played.
fn replay(lines: &mut dyn BufRead, tell: &mut dyn FnMut(Value)) -> std::io::Result<()> {
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = lines.take(MAX_LINE + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            break;
        }
        if read as u64 > MAX_LINE {
            skip_line(lines)?;
            tell(problem(
                number,
                &format!("it is longer than {MAX_LINE} bytes"),
            ));
        } else if !line.trim_ascii().is_empty() {
            tell(played(number, &line));
        }
    }
    Ok(())
}

fn played(number: u64, line: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(line) {
        Err(unread) => problem(number, &format!("it is no JSON: {unread}")),
        Ok(record) => match policy::flow::replay(&record) {
            Ok(asked) => json!({"asked": asked}),
            Err(unplayed) => problem(number, &unplayed.to_string()),
        },
    }
}

fn problem(line: u64, message: &str) -> Value {
    json!({"error": {"line": line, "message": message}})
}

fn skip_line(lines: &mut dyn BufRead) -> std::io::Result<()> {
    loop {
        let held = lines.fill_buf()?;
        let end = held.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(held.len(), |at| at + 1);
        lines.consume(used);
        if end.is_some() || used == 0 {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_line_gives_its_reason_and_the_next_one_is_played() {
        let lines = b"{\"messages\": []}\n\nnonsense\n{\"messages\": 1}\n\xff\n{\"messages\": []}";
        let mut told = Vec::new();
        replay(&mut lines.as_slice(), &mut |line| told.push(line)).unwrap();
        let kinds: Vec<_> = told
            .iter()
            .map(|line| line["error"]["line"].as_u64())
            .collect();
        assert_eq!(kinds, [None, Some(3), Some(4), Some(5), None]);
        assert_eq!(told[0], json!({"asked": []}));
    }
}
