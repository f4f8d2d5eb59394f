//! One row of the table.

use crate::Entry;
use connections::Connection;
use std::fmt;
use std::time::Duration;

/// What was found of one server.
#[derive(Debug)]
pub struct Row {
    name: String,
    transport: &'static str,
    era: String,
    revision: String,
    tools: usize,
    pub prompts: usize,
    pub resources: usize,
    pub templates: usize,
    start: Duration,
    pub stop: Duration,
    pub lines: u64,
    expect: String,
}

impl Row {
    pub fn new(entry: &Entry, connection: &Connection, tools: usize, start: Duration) -> Self {
        Self {
            name: entry.name.clone(),
            transport: if entry.path.is_some() {
                "http"
            } else {
                "stdio"
            },
            era: format!("{:?}", connection.era()).to_lowercase(),
            revision: connection.server_info().protocol,
            tools,
            prompts: 0,
            resources: 0,
            templates: 0,
            start,
            stop: Duration::ZERO,
            lines: 0,
            expect: entry.expect.clone(),
        }
    }

    /// The names of the columns.
    pub fn head() -> String {
        let (name, expect) = ("server", "expected");
        format!(
            "{name:<36} transport era    revision    tools prompts resources templates  start   stop stderr  {expect}"
        )
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:<36} {:<9} {:<6} {:<11}",
            self.name, self.transport, self.era, self.revision
        )?;
        write!(
            f,
            " {:>5} {:>7} {:>9} {:>9}",
            self.tools, self.prompts, self.resources, self.templates
        )?;
        write!(
            f,
            " {:>6} {:>6} {:>6}  {}",
            self.start.as_millis(),
            self.stop.as_millis(),
            self.lines,
            self.expect
        )
    }
}
