//! `majordomoctl inspect …`: what the detectors find in definitions and texts, for anyone to
//! measure.
//!
//! Always true here: no host is needed, each line is answered with one line, and a line that cannot
//! be read is answered with an error.

use crate::args::Inspect;
use crate::exit::Exit;
use crate::{input, print};
use ::inspect::{Catalogue, Inspection, definition, inspect_text, inspect_tool};
use api::{ErrorCode, HostError};
use protocol::ToolSpec;
use serde_json::{Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};

/// The longest line that is read, in bytes.
const LONGEST: u64 = 16 * 1024 * 1024;
/// The most tools that are kept, for finding names of one server's tools in the words of another.
const MOST: usize = 100_000;

/// Inspects a file of tools or of texts. Ends with an error code if a line could not be read.
pub(crate) fn run(command: &Inspect) -> Result<Exit, HostError> {
    match command {
        Inspect::Tools { file } => tools(Lines::of(file)?),
        Inspect::Text { file } => texts(Lines::of(file)?),
    }
}

fn tools(mut lines: Lines<'_>) -> Result<Exit, HostError> {
    // All of them first: a description can name a tool that is listed behind it.
    let mut read = Vec::new();
    while let Some((number, line)) = lines.next()? {
        if read.len() == MOST {
            return Err(unreadable(
                lines.file,
                format!("it holds more than {MOST} tools"),
            ));
        }
        read.push((number, line.and_then(|mut value| tool(&mut value))));
    }
    let names = read
        .iter()
        .filter_map(|(_, line)| line.as_ref().ok())
        .map(|(server, tool)| (server.as_str(), tool.name.as_str()));
    let catalogue = Catalogue::of(names);
    Ok(read.into_iter().fold(Exit::Done, |exit, (number, line)| {
        answer(
            number,
            line.map(|(server, tool)| inspect_tool(&server, &tool, &catalogue)),
            exit,
        )
    }))
}

fn texts(mut lines: Lines<'_>) -> Result<Exit, HostError> {
    let mut exit = Exit::Done;
    while let Some((number, line)) = lines.next()? {
        let inspection = line.and_then(|value| match &value["text"] {
            Value::String(text) => Ok(inspect_text(text)),
            _ => Err("it needs a text".to_owned()),
        });
        exit = answer(number, inspection, exit);
    }
    Ok(exit)
}

fn tool(line: &mut Value) -> Result<(String, ToolSpec), String> {
    let Some(Value::String(server)) = line.get("server").cloned() else {
        return Err("it needs a server".to_owned());
    };
    let tool = line.get_mut("tool").map(Value::take).unwrap_or_default();
    Ok((
        server,
        definition(tool).map_err(|problem| problem.to_string())?,
    ))
}

fn answer(number: u64, inspection: Result<Inspection, String>, exit: Exit) -> Exit {
    match inspection {
        Ok(inspection) => {
            print::json_line(&inspection);
            exit
        }
        Err(problem) => {
            print::json_line(&json!({"error": {"line": number, "message": problem}}));
            Exit::Other
        }
    }
}

/// A line's number and value, or what is wrong with it.
type Line = (u64, Result<Value, String>);

/// A file of JSON values, one a line. Lines of nothing but space are passed over.
struct Lines<'a> {
    file: &'a str,
    reader: Box<dyn BufRead>,
    number: u64,
}

impl<'a> Lines<'a> {
    fn of(file: &'a str) -> Result<Self, HostError> {
        Ok(Self {
            file,
            reader: open(file)?,
            number: 0,
        })
    }

    /// The next line; none at the end of the file.
    fn next(&mut self) -> Result<Option<Line>, HostError> {
        loop {
            let mut bytes = Vec::new();
            let unread = |problem: std::io::Error| unreadable(self.file, problem.to_string());
            if self
                .reader
                .by_ref()
                .take(LONGEST)
                .read_until(b'\n', &mut bytes)
                .map_err(unread)?
                == 0
            {
                return Ok(None);
            }
            self.number += 1;
            if bytes.len() as u64 == LONGEST && !bytes.ends_with(b"\n") {
                // The rest of it is passed over, so that the next line is answered as the next
                // line.
                self.reader.skip_until(b'\n').map_err(unread)?;
                return Ok(Some((
                    self.number,
                    Err(format!("it is longer than {LONGEST} bytes")),
                )));
            }
            if !bytes.trim_ascii().is_empty() {
                return Ok(Some((
                    self.number,
                    serde_json::from_slice(&bytes).map_err(|problem| problem.to_string()),
                )));
            }
        }
    }
}

fn open(file: &str) -> Result<Box<dyn BufRead>, HostError> {
    if file == "-" {
        return Ok(Box::new(input::piped()));
    }
    let file_read = File::open(file).map_err(|problem| unreadable(file, problem.to_string()))?;
    Ok(Box::new(BufReader::new(file_read)))
}

fn unreadable(file: &str, problem: String) -> HostError {
    HostError::of(
        ErrorCode::BadPath,
        format!("{file} cannot be read: {problem}"),
    )
}
