//! A profile in the language of macOS's sandbox.
//!
//! Always true here:
//! - everything is denied that is not allowed by name; what is denied by name comes last, and wins;
//! - a path cannot say more than a path: it is quoted, and one with a control character is refused.
//!
//! Not verified: nobody has run the escape suite on macOS yet.

use crate::profile::{Network, Profile};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::io::{self, ErrorKind};
use std::path::Path;

/// What any program needs. Neither opening documents (`lsopen`) nor messages to other programs
/// (`appleevent-send`) are among it: they start programs outside. Nor is `trustd`, which speaks with
/// the network for whoever asks.
const BASE: &str = r#"(version 1)
(deny default)
(allow process-fork)
(allow process-exec (subpath "/usr/bin") (subpath "/bin") (subpath "/usr/libexec"))
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow file-read-metadata)
(allow file-read* (literal "/") (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/System")
  (subpath "/Library/Apple") (subpath "/private/etc/ssl") (literal "/private/etc/localtime")
  (literal "/private/etc/resolv.conf") (literal "/private/etc/hosts") (subpath "/private/var/db/timezone")
  (subpath "/private/var/db/dyld"))
(allow file-read* file-write-data (literal "/dev/null") (literal "/dev/zero"))
(allow file-read* (literal "/dev/random") (literal "/dev/urandom"))
(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.notification_center"))
"#;

/// The text for `sandbox-exec -p`. Fails if a path cannot be written in it.
pub(crate) fn text(profile: &Profile) -> io::Result<String> {
    let mut text = BASE.to_owned();
    let mut line = |what: &str, path: &Path| add(&mut text, what, "subpath", path);
    for path in &profile.read {
        line("allow file-read* process-exec", path)?;
    }
    for path in profile.write.iter().chain([&profile.home]) {
        line("allow file-read* file-write* process-exec", path)?;
    }
    for path in &profile.hidden {
        line("deny file-read* file-write* process-exec", path)?;
    }
    // What is hidden by its path would not be hidden any more by another one.
    for path in around_hidden(profile) {
        add(&mut text, "deny file-write-unlink", "literal", path)?;
    }
    match &profile.network {
        Network::None => {}
        Network::Listed { .. } => return Err(ErrorKind::Unsupported.into()),
        Network::Open => {
            text.push_str("(allow network* (remote ip) (local ip))\n(allow system-socket)\n");
            text.push_str("(allow mach-lookup (global-name \"com.apple.dnssd.service\"))\n");
        }
    }
    Ok(text)
}

/// One line about a path.
fn add(text: &mut String, what: &str, reach: &str, path: &Path) -> io::Result<()> {
    let path = quoted(path)?;
    writeln!(text, "({what} ({reach} {path}))").map_err(io::Error::other)
}

/// The folders that the server could rename, and with them what is hidden in them.
fn around_hidden(profile: &Profile) -> BTreeSet<&Path> {
    let changed = || profile.write.iter().chain([&profile.home]);
    let folders = profile
        .hidden
        .iter()
        .flat_map(|path| path.ancestors().skip(1));
    folders
        .filter(|folder| changed().any(|given| folder.starts_with(given)))
        .collect()
}

fn quoted(path: &Path) -> io::Result<String> {
    let path = path
        .to_str()
        .filter(|path| !path.contains(char::is_control));
    let path = path.ok_or(ErrorKind::InvalidInput)?;
    Ok(format!(
        "\"{}\"",
        path.replace('\\', r"\\").replace('"', "\\\"")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profile::Tier;

    fn given(read: &str, write: &str, hidden: &str) -> io::Result<String> {
        let text = text(&Profile {
            read: vec![read.into()],
            write: vec![write.into()],
            hidden: vec![hidden.into()],
            home: "/homes/one".into(),
            ..Profile::nothing(Tier::Seatbelt)
        })?;
        Ok(text.trim_start_matches(BASE).to_owned())
    }

    #[test]
    fn what_is_hidden_comes_last_and_so_wins() {
        assert_eq!(
            given("/opt/node", "/data/letters", "/data/letters/.ssh").unwrap(),
            "(allow file-read* process-exec (subpath \"/opt/node\"))\n\
             (allow file-read* file-write* process-exec (subpath \"/data/letters\"))\n\
             (allow file-read* file-write* process-exec (subpath \"/homes/one\"))\n\
             (deny file-read* file-write* process-exec (subpath \"/data/letters/.ssh\"))\n\
             (deny file-write-unlink (literal \"/data/letters\"))\n"
        );
    }

    #[test]
    fn a_folder_around_something_hidden_stays_where_it_is() {
        let text = given("/data", "/data/letters", "/data/letters/old/keys/.ssh").unwrap();
        let stay: Vec<&str> = text
            .lines()
            .filter(|line| line.contains("file-write-unlink"))
            .collect();
        assert_eq!(
            stay,
            [
                "(deny file-write-unlink (literal \"/data/letters\"))",
                "(deny file-write-unlink (literal \"/data/letters/old\"))",
                "(deny file-write-unlink (literal \"/data/letters/old/keys\"))",
            ]
        );
    }

    #[test]
    fn a_path_says_no_more_than_a_path() {
        let sly = "/a\")) (allow default) ((subpath \"\\";
        let text = given(sly, "/b", "/c").unwrap();
        assert!(
            text.starts_with(
                r#"(allow file-read* process-exec (subpath "/a\")) (allow default) ((subpath \"\\"))"#
            ),
            "{text}"
        );
        assert!(given("/a\n(allow default)", "/b", "/c").is_err());
    }

    #[test]
    fn nothing_in_it_starts_programs_outside() {
        for outside in ["appleevent", "lsopen", "trustd", "launchd", "allow default"] {
            assert!(!BASE.contains(outside), "{outside}");
        }
    }

    #[test]
    fn what_the_system_cannot_enforce_is_not_written() {
        let profile = Profile {
            network: Network::Listed {
                ports: [443].into(),
                addresses: [].into(),
            },
            ..Profile::nothing(Tier::Seatbelt)
        };
        assert!(super::text(&profile).is_err());
    }
}
