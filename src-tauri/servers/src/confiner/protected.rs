//! What no server is given by the way: what holds the person's keys, what runs when they sign in, and
//! what decides about servers.

use crate::applications::Folders;
use std::path::{Path, PathBuf};

/// Files and folders below a home that hold keys, or sign somebody in.
const KEYS: &[&str] = &[
    ".ssh",
    ".gnupg",
    ".pki",
    ".password-store",
    ".local/share/keyrings",
    ".local/share/kwalletd",
    ".local/share/pass",
    ".aws",
    ".azure",
    ".config/gcloud",
    ".config/gh",
    ".config/hub",
    ".config/git/credentials",
    ".config/op",
    ".config/sops",
    ".config/rclone",
    ".docker",
    ".config/containers/auth.json",
    ".git-credentials",
    ".kube",
    ".netrc",
    ".npmrc",
    ".pgpass",
    ".pypirc",
    ".cargo/credentials.toml",
    ".terraform.d",
    ".vault-token",
    ".bitcoin",
    ".electrum",
    "Library/Keychains",
    "Library/Cookies",
];

/// Those of browsers and mail programs, which are signed in everywhere.
const PROFILES: &[&str] = &[
    ".mozilla",
    ".thunderbird",
    ".config/google-chrome",
    ".config/google-chrome-beta",
    ".config/chromium",
    ".config/BraveSoftware",
    ".config/microsoft-edge",
    ".config/opera",
    ".config/vivaldi",
    ".config/Signal",
    ".config/Slack",
    ".config/discord",
    ".local/share/TelegramDesktop",
    "snap/chromium",
    "snap/firefox",
    ".var/app",
    "Library/Application Support/Firefox",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/BraveSoftware",
    "Library/Application Support/Microsoft Edge",
    "Library/Safari",
    "Library/Messages",
    "Library/Mail",
    "AppData/Local/Google/Chrome",
    "AppData/Local/Microsoft/Edge",
    "AppData/Roaming/Mozilla",
];

/// What runs by itself: when a shell or a session begins, or instead of a program.
const START_UP: &[&str] = &[
    ".bashrc",
    ".bash_login",
    ".bash_logout",
    ".bash_profile",
    ".profile",
    ".zlogin",
    ".zlogout",
    ".zprofile",
    ".zshenv",
    ".zshrc",
    ".config/fish",
    ".config/zsh",
    ".config/autostart",
    ".config/environment.d",
    ".config/plasma-workspace",
    ".config/systemd",
    ".local/share/applications",
    ".local/share/dbus-1",
    ".local/share/systemd",
    ".pam_environment",
    ".xinitrc",
    ".xprofile",
    ".xsession",
    ".xsessionrc",
    ".gitconfig",
    ".config/git",
    "Library/LaunchAgents",
    "AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup",
];

/// What is the kernel's, or belongs to programs that run: their sockets lie there.
const OF_THE_COMPUTER: &[&str] = &["/boot", "/dev", "/proc", "/run", "/sys", "/var/run"];

/// All of it, for one person.
#[derive(Debug, Clone)]
pub struct Protected {
    places: Vec<PathBuf>,
    /// Those of them that run by themselves as soon as somebody makes them.
    start_up: Vec<PathBuf>,
    /// The folder in which Majordomo keeps everything.
    own: PathBuf,
}

impl Protected {
    /// Below a home; with the folder `own`, in which Majordomo keeps everything, and where other
    /// applications keep which servers they start.
    pub(crate) fn of(home: &Path, own: &Path, applications: Option<&Folders>) -> Self {
        let below_home = [KEYS, PROFILES, START_UP].concat();
        let start_up = START_UP.iter().map(|name| home.join(name)).collect();
        let applications = applications
            .map(Folders::configurations)
            .unwrap_or_default();
        let places = below_home
            .into_iter()
            .map(|name| home.join(name))
            .chain([own.to_owned()])
            .chain(applications)
            .chain(OF_THE_COMPUTER.iter().map(PathBuf::from))
            .collect();
        Self {
            places,
            start_up,
            own: own.to_owned(),
        }
    }

    /// The first protected place in which a path lies, or which lies in it, as they really lie.
    pub fn at(&self, path: &Path) -> Option<&Path> {
        let path = real(path);
        self.places.iter().map(PathBuf::as_path).find(|place| {
            let place = real(place);
            path.starts_with(&place) || place.starts_with(&path) && place.exists()
        })
    }

    /// Whether a path lies in what Majordomo keeps.
    pub(crate) fn is_own(&self, path: &Path) -> bool {
        real(path).starts_with(real(&self.own))
    }

    /// All of them that are there, as they really lie.
    pub(crate) fn places(&self) -> impl Iterator<Item = PathBuf> {
        let there = self.places.iter().filter(|place| place.exists());
        there.map(|place| real(place))
    }

    /// What lies in a folder that a server is given, as it really lies, and what must not be made in
    /// it.
    pub(crate) fn within(&self, path: &Path) -> Vec<PathBuf> {
        let path = real(path);
        self.places
            .iter()
            .filter(|place| place.exists() || self.start_up.contains(place))
            .map(|place| real(place))
            .filter(|place| place.starts_with(&path) && *place != path)
            .collect()
    }
}

/// Where a path really lies; of what is not there, as far as it is.
fn real(path: &Path) -> PathBuf {
    path.ancestors()
        .find_map(|there| {
            let mut real = there.canonicalize().ok()?;
            real.extend(path.strip_prefix(there).ok()?);
            Some(real)
        })
        .unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_around_something_protected_is_protected_too() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join(".ssh")).unwrap();
        std::fs::create_dir_all(home.join("work")).unwrap();
        let protected = Protected::of(&home, &home.join("own"), None);
        let at = |path: &str| protected.at(&home.join(path)).map(Path::to_owned);
        assert_eq!(at(""), Some(home.join(".ssh")));
        assert_eq!(at(".ssh/id_ed25519"), Some(home.join(".ssh")));
        assert_eq!(at("work"), None);
        // What is not there yet cannot be taken by name either.
        assert_eq!(at(".bashrc"), Some(home.join(".bashrc")));
        let within = protected.within(&home);
        for (name, is_in) in [(".ssh", true), (".bashrc", true), (".gnupg", false)] {
            assert_eq!(within.contains(&home.join(name)), is_in, "{name}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_something_protected_is_protected() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join(".ssh")).unwrap();
        std::os::unix::fs::symlink(home.join(".ssh"), home.join("keys")).unwrap();
        let protected = Protected::of(&home, &home.join("own"), None);
        assert!(protected.at(&home.join("keys")).is_some());
    }

    #[cfg(unix)]
    #[test]
    fn what_leads_elsewhere_by_a_link_is_protected_there() {
        let home = tempfile::tempdir().unwrap();
        let home = home.path().canonicalize().unwrap();
        std::fs::create_dir_all(home.join("letters/keys")).unwrap();
        std::os::unix::fs::symlink(home.join("letters/keys"), home.join(".ssh")).unwrap();
        let protected = Protected::of(&home, &home.join("own"), None);
        assert!(protected.at(&home.join("letters")).is_some());
        assert!(protected.at(&home.join("letters/keys/one")).is_some());
        assert_eq!(
            protected.within(&home.join("letters")),
            [home.join("letters/keys")]
        );
    }
}
