//! What a process is called among all that ever ran. A server may live in a PID namespace: its
//! number there says nothing outside, and the next server has the same.
//!
//! On Linux a name is the namespace, the number in it, and when the process began; elsewhere it is
//! the number.

/// The name of this process.
pub fn own() -> String {
    of(std::process::id())
}

/// The name of a process in the namespace of this one, by its number there.
#[cfg(target_os = "linux")]
pub fn of(number: u32) -> String {
    let namespace = linux::namespace("self").unwrap_or_default();
    let began = linux::began(&number.to_string()).unwrap_or_default();
    format!("{namespace}:{number}:{began}")
}

/// The name of a process, by its number.
#[cfg(not(target_os = "linux"))]
pub fn of(number: u32) -> String {
    number.to_string()
}

/// The number by which this process knows the one with a name, if it is still there.
#[cfg(target_os = "linux")]
pub fn number_of(name: &str) -> Option<u32> {
    let mut words = name.split(':');
    let wanted = (words.next()?, words.next()?, words.next()?);
    let found = |process: &str| {
        Some(
            linux::namespace(process)? == wanted.0
                && linux::innermost(process)? == wanted.1
                && linux::began(process)? == wanted.2,
        )
    };
    std::fs::read_dir("/proc")
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .find(|process| found(process) == Some(true))?
        .parse()
        .ok()
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::{read_link, read_to_string};

    pub(super) fn namespace(process: &str) -> Option<String> {
        let link = read_link(format!("/proc/{process}/ns/pid")).ok()?;
        let digits = link.to_str()?.strip_prefix("pid:[")?.strip_suffix(']')?;
        Some(digits.to_owned())
    }

    /// Its number in its own namespace.
    pub(super) fn innermost(process: &str) -> Option<String> {
        let status = read_to_string(format!("/proc/{process}/status")).ok()?;
        let numbers = status.lines().find(|line| line.starts_with("NSpid:"))?;
        Some(numbers.split_whitespace().next_back()?.to_owned())
    }

    pub(super) fn began(process: &str) -> Option<String> {
        let stat = read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may hold anything; the beginning is the twentieth word behind it.
        Some(
            stat.rsplit_once(')')?
                .1
                .split_whitespace()
                .nth(19)?
                .to_owned(),
        )
    }
}
