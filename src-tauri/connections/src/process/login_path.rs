//! Where programs are looked up: the PATH of the login shell. A program that was started by a click
//! has a much shorter one.

use std::ffi::OsString;
use std::sync::OnceLock;

/// The PATH of the login shell, followed by what this process's own has besides. It is asked for
/// once; a shell that does not answer within three seconds is ended, and this process's own PATH is
/// used.
///
/// While the shell answers it is the same from wherever this process was started: what was reviewed in
/// the window is found again from a terminal, whatever is put before everything else there.
pub fn login_path() -> Option<OsString> {
    static PATH: OnceLock<Option<OsString>> = OnceLock::new();
    PATH.get_or_init(|| {
        let own = std::env::var_os("PATH");
        match asked() {
            Some(login) => Some(joined(login, own)),
            None => {
                tracing::debug!("the login shell has not told where it looks for programs");
                own
            }
        }
    })
    .clone()
}

#[cfg(not(unix))]
fn asked() -> Option<OsString> {
    None
}

#[cfg(unix)]
fn asked() -> Option<OsString> {
    let shell =
        std::env::var_os("SHELL").filter(|shell| std::path::Path::new(shell).is_absolute())?;
    unix::ask(&shell)
}

fn joined(login: OsString, own: Option<OsString>) -> OsString {
    let mut folders: Vec<_> = std::env::split_paths(&login).collect();
    for folder in own.iter().flat_map(std::env::split_paths) {
        if !folders.contains(&folder) {
            folders.push(folder);
        }
    }
    std::env::join_paths(folders).unwrap_or(login)
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process_group};
    use std::ffi::{OsStr, OsString};
    use std::io::Read;
    use std::os::unix::ffi::OsStringExt;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    const LOGIN_SHELL_TIMEOUT: Duration = Duration::from_secs(3);
    /// How often, and after what time each, it is looked whether a shell that was asked to end has
    /// ended.
    const TRIES: u32 = 20;
    const TRY: Duration = Duration::from_millis(10);
    /// Profiles greet and complain on standard output; what is between the marks is the answer.
    const MARK: &[u8] = b"<majordomo:path>";
    const QUESTION: &str = r#"printf '<majordomo:path>%s<majordomo:path>' "$PATH""#;

    pub(super) fn ask(shell: &OsStr) -> Option<OsString> {
        // A group of its own, so that whatever a profile starts can be ended with it.
        let mut child = Command::new(shell)
            .args(["-l", "-c", QUESTION])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()
            .ok()?;
        let group = Pid::from_raw(child.id().cast_signed())?;
        let mut stdout = child.stdout.take()?;
        let (sender, answer) = mpsc::channel();
        thread::spawn(move || {
            let (mut text, mut part) = (Vec::new(), [0; 4096]);
            while let Ok(read @ 1..) = stdout.read(&mut part) {
                text.extend_from_slice(&part[..read]);
                if let Some(path) = between_marks(&text) {
                    // A reader that has gone away waited long enough.
                    let _ = sender.send(path);
                    return;
                }
            }
        });
        let path = answer.recv_timeout(LOGIN_SHELL_TIMEOUT).ok();
        // A profile may hold a lock; asked first, it can give that back.
        let _ = kill_process_group(group, Signal::TERM);
        for _ in 0..TRIES {
            if !matches!(child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(TRY);
        }
        let _ = kill_process_group(group, Signal::KILL);
        let _ = child.wait();
        path
    }

    fn between_marks(text: &[u8]) -> Option<OsString> {
        let find = |text: &[u8]| text.windows(MARK.len()).position(|window| window == MARK);
        let from = find(text)? + MARK.len();
        let length = find(&text[from..])?;
        (length > 0).then(|| OsString::from_vec(text[from..from + length].to_vec()))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn the_answer_is_found_in_whatever_a_profile_prints() {
            let text = b"Welcome!\n<majordomo:path>/a:/b<majordomo:path>bye";
            assert_eq!(between_marks(text), Some(OsString::from("/a:/b")));
            assert_eq!(between_marks(b"<majordomo:path>/a"), None);
            assert_eq!(between_marks(b"Welcome!"), None);
        }

        #[test]
        fn a_shell_tells_its_path_and_a_missing_one_tells_nothing() {
            assert!(ask(OsStr::new("/bin/sh")).is_some());
            assert_eq!(ask(OsStr::new("/no/such/shell")), None);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_shell_comes_first_and_nothing_of_our_own_is_lost() {
        assert_eq!(
            joined("/a:/b".into(), Some("/b:/c".into())),
            OsString::from("/a:/b:/c")
        );
    }
}
