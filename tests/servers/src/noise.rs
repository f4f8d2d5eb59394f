//! `exits`, `junk`, `only-junk`, `silent`, `stderr-flood`: too little on the right stream, or too
//! much on the wrong one.

use crate::echo::Echo;
use crate::rpc::{complain, serve, write_line};
use std::io::{Read, stdin};
use std::process::ExitCode;
use std::thread;

/// Lines of a flood.
const FLOOD: usize = 300_000;

/// Complains and leaves at once.
pub(crate) fn exits() -> ExitCode {
    complain("fatal: the configuration is missing");
    ExitCode::from(3)
}

/// Greets on standard output, then behaves.
pub(crate) fn junk() {
    for line in ["Starting up…", "", "{not json", "[1, 2]", "Listening."] {
        write_line(line);
    }
    serve(Echo);
}

/// Is something else than a server.
pub(crate) fn only_junk() {
    write_line("Usage: misbehave [OPTIONS]");
    silent();
}

/// Reads, and never answers.
#[expect(clippy::disallowed_methods, reason = "a server's messages come there")]
pub(crate) fn silent() {
    let mut sink = Vec::new();
    // The end of the input is the end of the program.
    let _ = stdin().lock().read_to_end(&mut sink);
}

/// Behaves, while its standard error is full of the same.
pub(crate) fn flood() {
    thread::spawn(|| {
        for line in 0..FLOOD {
            complain(&format!(
                "debug: nothing happened for the {line}th time, and this line is here to say so at some length"
            ));
        }
        complain("the flood is over");
    });
    serve(Echo);
}
