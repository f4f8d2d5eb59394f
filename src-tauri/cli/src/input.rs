//! What is read from standard input: answers that a person types, and texts that are piped in.
//!
//! Always true here:
//! - what was typed before the last word of a question stood on the terminal answers no question:
//!   it is dropped, wherever it lies;
//! - nothing else in this program reads standard input, so that no answer comes by another way;
//! - one question at a time is answered: with the next one, whoever read for the last one reads no
//!   more;
//! - the colon behind a question is written last: what is typed once it is there counts.

#[cfg_attr(unix, path = "input/terminal_unix.rs")]
#[cfg_attr(windows, path = "input/terminal_windows.rs")]
mod terminal;

use protocol::Secret;
use std::io::{self, BufRead, IsTerminal as _, Write as _};
use std::sync::{Mutex, PoisonError};
use tokio::sync::mpsc;

/// A line that a person typed behind a question. Only this module makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Typed(String);

impl Typed {
    /// The line without the blanks around it.
    pub(crate) fn word(&self) -> &str {
        self.0.trim()
    }

    /// The line with the blanks before it.
    pub(crate) fn text(&self) -> &str {
        self.0.trim_end()
    }

    /// Whether it is a yes; everything else is a no.
    pub(crate) fn is_yes(&self) -> bool {
        matches!(self.word(), "y" | "Y" | "yes")
    }
}

/// Whose turn it is to read: counted, so that a question takes it from the one before.
static TURN: Mutex<u64> = Mutex::new(0);

/// The right to read what is typed, until the next question.
struct Turn(u64);

impl Turn {
    /// Begins with nothing typed.
    fn begin() -> io::Result<Self> {
        let mut turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        *turn += 1;
        terminal::forget_typed()?;
        Ok(Self(*turn))
    }

    /// Does something unless another turn has begun, which cannot begin meanwhile.
    fn during<T>(&self, what: impl FnOnce() -> T) -> Option<T> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        (*turn == self.0).then(what)
    }
}

/// Whether a person can be asked here.
pub(crate) fn interactive() -> bool {
    stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks on standard error for one line, and waits for it. `question` comes without its colon. `None`
/// when the terminal has gone, another question was asked since, or what was typed before cannot be
/// dropped.
pub(crate) fn ask(question: &str) -> Option<Typed> {
    let turn = after(question).ok()?;
    terminal::read_line(&turn).ok().flatten().map(Typed)
}

/// Asks, and says whether the answer is a yes.
pub(crate) fn is_yes(question: &str) -> bool {
    ask(question).is_some_and(|typed| typed.is_yes())
}

/// Asks for a secret, which is not shown while it is typed.
///
/// # Errors
/// The terminal cannot be read.
#[expect(
    clippy::disallowed_methods,
    reason = "what was typed before is dropped here"
)]
pub(crate) fn ask_secret(question: &str) -> io::Result<Secret> {
    after(question)?;
    rpassword::read_password().map(Secret::new)
}

/// Hands on every line that is typed from now on, until a question is asked, standard input ends or
/// nobody takes them. They answer no question.
pub(crate) fn lines() -> mpsc::UnboundedReceiver<String> {
    let (line, lines) = mpsc::unbounded_channel();
    let Ok(turn) = Turn::begin() else {
        return lines;
    };
    // A thread of its own: the program does not wait for it.
    std::thread::spawn(move || {
        while let Ok(Some(typed)) = terminal::read_line(&turn) {
            if line.send(typed).is_err() {
                return;
            }
        }
    });
    lines
}

/// A text that is piped in. It is nobody's answer.
pub(crate) fn piped() -> impl BufRead {
    stdin().lock()
}

/// Shows a question; its turn begins behind its last word.
fn after(question: &str) -> io::Result<Turn> {
    write(question)?;
    let turn = Turn::begin()?;
    write(": ")?;
    Ok(turn)
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stderr().lock();
    write!(out, "{text}")?;
    out.flush()
}

#[expect(
    clippy::disallowed_methods,
    reason = "here it is decided who may read it"
)]
fn stdin() -> io::Stdin {
    io::stdin()
}
