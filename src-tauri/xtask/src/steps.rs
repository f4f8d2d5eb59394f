//! One check or test run: announced, shown while it runs, and remembered by its closing lines.

use crate::program::shown;
use crate::say;
use crate::summary::{Ending, closing_lines, last_lines};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// One check or test run.
#[derive(Debug)]
pub struct Step {
    /// By which `--only` knows it.
    pub name: &'static str,
    /// What is run, one after the other until one fails; or why nothing is.
    pub work: Result<Vec<Command>, String>,
}

/// What became of a step.
#[derive(Debug)]
pub struct Done {
    /// The step's name.
    pub name: &'static str,
    /// How it ended.
    pub ending: Ending,
    /// The lines in which its programs sum up, as they print them.
    pub closing: Vec<String>,
    /// How long it took.
    pub took: Duration,
}

impl Step {
    /// A step of one program.
    pub fn of(name: &'static str, command: Command) -> Self {
        Self {
            name,
            work: Ok(vec![command]),
        }
    }

    /// A step that cannot be taken here.
    pub fn left_out(name: &'static str, why: &str) -> Self {
        Self {
            name,
            work: Err(why.to_owned()),
        }
    }

    /// Runs it with its output on this terminal.
    pub fn take(self) -> Done {
        let begun = Instant::now();
        let mut done = Done {
            name: self.name,
            ending: Ending::Passed,
            closing: Vec::new(),
            took: Duration::ZERO,
        };
        match self.work {
            Err(why) => {
                say::heading(&format!("{}: left out", self.name));
                say::note(&why);
                done.ending = Ending::LeftOut;
                done.closing.push(why);
            }
            Ok(commands) => {
                for command in commands {
                    say::heading(&format!("{}: {}", self.name, shown(&command)));
                    let (succeeded, lines) = watch(command);
                    done.closing.extend(closing_lines(&lines));
                    if !succeeded {
                        done.ending = Ending::Failed;
                        if done.closing.is_empty() {
                            done.closing = last_lines(&lines);
                        }
                        break;
                    }
                }
            }
        }
        done.took = begun.elapsed();
        done
    }
}

/// Runs a program, passing on what it prints as it comes. Returns whether it succeeded, and its
/// lines.
fn watch(mut command: Command) -> (bool, Vec<String>) {
    let child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            let line = format!("could not be started: {error}");
            say::note(&line);
            return (false, vec![line]);
        }
    };
    let lines = Mutex::new(Vec::new());
    let (out, err) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(|| pass_on(out, &lines));
        scope.spawn(|| pass_on(err, &lines));
    });
    let succeeded = child.wait().is_ok_and(|status| status.success());
    (
        succeeded,
        lines
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner),
    )
}

fn pass_on(from: Option<impl Read>, lines: &Mutex<Vec<String>>) {
    let Some(from) = from else { return };
    let mut reader = BufReader::new(from);
    let mut line = Vec::new();
    // Bytes, not text: a runner may print what is not UTF-8, and nothing of it may be lost.
    while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
        let _ = io::stdout().write_all(&line);
        let _ = io::stdout().flush();
        if let Ok(mut lines) = lines.lock() {
            lines.push(String::from_utf8_lossy(&line).trim_end().to_owned());
        }
        line.clear();
    }
}
