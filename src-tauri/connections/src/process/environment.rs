//! The environment of a server: an allow-list of the host's own, and what the person gave it.
//! Nothing else. One that is confined has a home of its own, and a folder of its own for what it
//! does not keep.
//!
//! Not on the list, on purpose: what leads to other programs of the session (`XDG_RUNTIME_DIR`,
//! `DBUS_SESSION_BUS_ADDRESS`, `SSH_AUTH_SOCK`, `DISPLAY`), what changes how programs are loaded
//! (`LD_PRELOAD`, `NODE_OPTIONS`), and what may hold secrets.

use crate::Confinement;
use protocol::Secret;
use std::ffi::OsString;

#[cfg(unix)]
const INHERITED: &[&str] = &[
    "HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ",
    "USER",
];
#[cfg(windows)]
const INHERITED: &[&str] = &[
    "APPDATA",
    "COMSPEC",
    "HOMEDRIVE",
    "HOMEPATH",
    "LOCALAPPDATA",
    "PATH",
    "PATHEXT",
    "PROCESSOR_ARCHITECTURE",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SYSTEMDRIVE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "WINDIR",
];

/// What leads to a home, and to what is not kept.
#[cfg(unix)]
const FOLDERS: (&[&str], &[&str]) = (&["HOME"], &["TMPDIR"]);
#[cfg(windows)]
const FOLDERS: (&[&str], &[&str]) = (
    &["APPDATA", "HOME", "LOCALAPPDATA", "USERPROFILE"],
    &["TEMP", "TMP"],
);

/// The names of the variables that every server gets from the host's own environment, if they are
/// set.
pub fn inherited() -> Vec<&'static str> {
    INHERITED.to_vec()
}

/// The whole environment of a server. What was given to it wins over all else.
pub(super) fn of(
    given: &[(String, Secret)],
    confinement: Option<&Confinement>,
) -> Vec<(OsString, OsString)> {
    let folders = confinement.into_iter().flat_map(|confinement| {
        let (home, passing) = (confinement.home(), confinement.temporary_folder());
        let (to_home, to_passing) = FOLDERS;
        let homes = to_home.iter().map(move |name| (name, home.clone()));
        homes.chain(to_passing.iter().map(move |name| (name, passing.clone())))
    });
    let own = INHERITED.iter().filter_map(|name| {
        let value = if *name == "PATH" {
            super::login_path()
        } else {
            std::env::var_os(name)
        }?;
        // A shell function in disguise is code, not a value.
        (!value.as_encoded_bytes().starts_with(b"()")).then(|| (OsString::from(name), value))
    });
    own.chain(folders.map(|(name, folder)| (name.into(), folder.into())))
        .chain(
            given
                .iter()
                .map(|(name, value)| (name.into(), value.expose().into())),
        )
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_other_programs_of_the_session_is_not_handed_on() {
        for name in [
            "XDG_RUNTIME_DIR",
            "DBUS_SESSION_BUS_ADDRESS",
            "SSH_AUTH_SOCK",
            "DISPLAY",
            "LD_PRELOAD",
        ] {
            assert!(!inherited().contains(&name), "{name}");
        }
    }

    #[test]
    fn a_server_does_not_learn_where_our_traces_go_or_who_we_are_there() {
        // Any of them: `OTEL_EXPORTER_OTLP_HEADERS` holds keys, `OTEL_SERVICE_NAME` would let a
        // server speak in our name.
        assert!(inherited().iter().all(|name| !name.starts_with("OTEL_")));
    }

    #[test]
    fn what_was_given_comes_last_and_so_wins() {
        let all = of(&[("PATH".into(), Secret::new("/mine".into()))], None);
        assert_eq!(
            all.iter()
                .rfind(|(name, _)| name == "PATH")
                .map(|(_, value)| value.to_str()),
            Some(Some("/mine"))
        );
    }
}
