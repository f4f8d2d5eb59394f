//! A console as Windows has it.
//!
//! Always true here: a console gives one line at a time, so that nothing of the next one lies in a
//! buffer of ours.

use super::{Turn, stdin};
use std::io::{self, IsTerminal as _};
use std::os::windows::io::AsRawHandle as _;
use windows_sys::Win32::System::Console::FlushConsoleInputBuffer;

/// Drops what was typed and not yet read. What is no console has nothing to drop.
pub(super) fn forget_typed() -> io::Result<()> {
    let stdin = stdin();
    if !stdin.is_terminal() {
        return Ok(());
    }
    #[expect(unsafe_code, reason = "the standard library has no other door")]
    // SAFETY: the handle is the standard input of this process, which stays open.
    let is_done = unsafe { FlushConsoleInputBuffer(stdin.as_raw_handle()) } != 0;
    if is_done {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}

/// Waits for a line, and takes off its end. `None` when there is no more, or it is another one's
/// turn.
pub(super) fn read_line(turn: &Turn) -> io::Result<Option<String>> {
    let mut line = String::new();
    if stdin().read_line(&mut line)? == 0 {
        return Ok(None);
    }
    // Begun before the question that is asked by now, it is no answer to that.
    Ok(turn.during(|| line.trim_end_matches(['\n', '\r']).to_owned()))
}
