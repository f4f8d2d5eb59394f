//! What a person reads in the terminal: results on standard output, headings and troubles on
//! standard error.

use std::io::{self, IsTerminal, Write};

/// A line of a result.
pub fn line(text: &str) {
    // A closed pipe (`cargo xtask help | head`) is no failure of ours.
    let _ = writeln!(io::stdout(), "{text}");
}

/// What begins now.
pub fn heading(text: &str) {
    let _ = if io::stderr().is_terminal() {
        writeln!(io::stderr(), "\n\x1b[1m== {text}\x1b[0m")
    } else {
        writeln!(io::stderr(), "\n== {text}")
    };
}

/// Something worth knowing.
pub fn note(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Why it stops.
pub fn trouble(text: &str) {
    let _ = writeln!(io::stderr(), "\n{text}");
}

/// A question without a line's end, for the answer to follow it.
pub fn ask(text: &str) {
    let _ = write!(io::stderr(), "{text}");
    let _ = io::stderr().flush();
}
