//! How a trial went, as a table with what a model said where it did not do what is expected.

use std::fmt;
use std::time::Duration;

/// The most that is shown of what a model said, in characters.
const LONGEST: usize = 400;

/// How a trial went.
#[derive(Default)]
pub struct Report {
    pub rows: Vec<Row>,
}

/// How a workflow went once.
pub struct Row {
    workflow: &'static str,
    run: usize,
    pub tasks: usize,
    pub missed: Vec<Missed>,
    /// Tokens that the model has read and written.
    pub read: u64,
    pub written: u64,
    pub took: Duration,
    /// What the host has done wrong.
    pub faults: Vec<String>,
}

/// A task of which not everything came that is expected.
pub struct Missed {
    pub task: String,
    pub missing: Vec<String>,
    pub said: String,
}

impl Row {
    pub fn of(workflow: &'static str, run: usize) -> Self {
        Self {
            workflow,
            run,
            tasks: 0,
            missed: Vec::new(),
            read: 0,
            written: 0,
            took: Duration::ZERO,
            faults: Vec::new(),
        }
    }
}

impl Report {
    /// Tasks of which everything came that is expected, of how many.
    pub fn met(&self) -> (usize, usize) {
        let tasks = self.rows.iter().map(|row| row.tasks).sum();
        let missed: usize = self.rows.iter().map(|row| row.missed.len()).sum();
        (tasks - missed, tasks)
    }

    /// What the host has done wrong.
    pub fn faults(&self) -> Vec<&String> {
        self.rows.iter().flat_map(|row| &row.faults).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "workflow  run  as expected  tokens read  written  seconds"
        )?;
        for row in &self.rows {
            let (met, took) = (row.tasks - row.missed.len(), row.took.as_secs_f64());
            writeln!(
                f,
                "{:<8} {:>4} {:>12} {:>12} {:>8} {took:>8.1}",
                row.workflow,
                row.run,
                format!("{met} of {}", row.tasks),
                row.read,
                row.written,
            )?;
        }
        let (met, tasks) = self.met();
        writeln!(f, "{met} of {tasks} tasks came out as expected.")?;
        for row in &self.rows {
            for missed in &row.missed {
                let task = missed.task.lines().last().unwrap_or_default();
                writeln!(f, "\n{} {}: {task}", row.workflow, row.run)?;
                writeln!(f, "  missing: {}", missed.missing.join("; "))?;
                writeln!(f, "  it said: {}", shown(&missed.said))?;
            }
        }
        Ok(())
    }
}

/// The beginning of what a model said, on one line, without anything that a terminal obeys.
fn shown(said: &str) -> String {
    let line = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut plain: String = line
        .chars()
        .filter(|c| !c.is_control())
        .take(LONGEST)
        .collect();
    if plain.is_empty() {
        plain.push_str("nothing");
    } else if line.chars().count() > LONGEST {
        plain.push('…');
    }
    plain
}
