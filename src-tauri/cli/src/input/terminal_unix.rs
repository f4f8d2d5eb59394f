//! A terminal as Unix has it.
//!
//! Always true here: nothing is read before it is asked for, so that all that was typed ahead lies
//! in the terminal, where it can be dropped.

use super::Turn;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, read, retry_on_intr};
use rustix::stdio::stdin;
use rustix::termios::{QueueSelector, tcflush};
use std::io;

/// The longest line, in bytes; a longer one is no answer.
const LONGEST: usize = 64 * 1024;

/// Drops what was typed and not yet read. What is no terminal has nothing to drop.
pub(super) fn forget_typed() -> io::Result<()> {
    match retry_on_intr(|| tcflush(stdin(), QueueSelector::IFlush)) {
        // Linux and macOS differ in how they say that it is a pipe, a file or a socket.
        Ok(()) | Err(Errno::NOTTY | Errno::NODEV | Errno::OPNOTSUPP) => Ok(()),
        Err(problem) => Err(problem.into()),
    }
}

/// Waits for a line, and takes off its end. `None` when there is no more, it is too long, or it is
/// another one's turn.
pub(super) fn read_line(turn: &Turn) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let mut byte = [0];
    while line.len() < LONGEST {
        is_typed(None)?;
        let taken = turn.during(|| {
            // What woke this up may be dropped by now.
            if !is_typed(Some(&Timespec::default()))? {
                return Ok(None);
            }
            // One at a time: what comes behind the line stays in the terminal.
            retry_on_intr(|| read(stdin(), &mut byte)).map(Some)
        });
        match taken.transpose()? {
            None => return Ok(None),
            Some(None) => {}
            Some(Some(0)) if line.is_empty() => return Ok(None),
            Some(Some(0)) => break,
            Some(Some(_)) if byte == *b"\n" => break,
            Some(Some(_)) => line.extend(byte),
        }
    }
    Ok((line.len() < LONGEST).then(|| String::from_utf8_lossy(&line).into_owned()))
}

/// Whether something can be read within `time`; without one it waits until it can.
fn is_typed(time: Option<&Timespec>) -> Result<bool, Errno> {
    let stdin = stdin();
    let mut wanted = [PollFd::new(&stdin, PollFlags::IN)];
    retry_on_intr(|| poll(&mut wanted, time)).map(|ready| ready > 0)
}
