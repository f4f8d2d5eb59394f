//! System packages: which are missing, and how this system gets them.
//!
//! Always true here: what will be run is printed in full before anybody is asked.

use crate::arguments::{Arguments, Task};
use crate::consent::{self, Consent};
use crate::needs::Need;
use crate::program::{find, must, other, output, succeeds};
use crate::stop::Stop;
use crate::{needs, say};
use std::fs;

/// Sees to it that everything in `wanted` is there, or ends with a message that says what to do.
pub fn provide(wanted: &[Need], arguments: &Arguments) -> Result<(), Stop> {
    if cfg!(target_os = "macos") {
        return mac_tools();
    }
    if cfg!(windows) {
        return windows_webview();
    }
    let missing: Vec<&Need> = wanted.iter().filter(|need| !need.is_met()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    say::heading("Some system packages are missing");
    for need in &missing {
        say::note(&format!("  - {}", need.what));
    }
    let Some(manager) = Manager::of_this_system() else {
        return Err(Stop::Missing(format!(
            "None of apt-get, dnf, pacman and zypper is here, so these must be installed by hand. On Debian they are called: {}",
            Manager::AptGet.packages(&missing).join(" ")
        )));
    };
    let rights = Rights::of_this_process();
    let commands = manager.commands(&missing, rights);
    say::note("They would be installed with:");
    for command in &commands {
        say::note(&format!("  {}", command.join(" ")));
    }
    if rights == Rights::None {
        let text = "Nothing was installed: only root can do that, and sudo is not here. Run the commands above as root, then try again.";
        return Err(Stop::Missing(
            text.to_owned() + way_without_window(&missing, arguments.task),
        ));
    }
    match consent::ask(arguments.yes) {
        Consent::Given => {}
        Consent::Withheld => {
            return Err(Stop::Missing(
                "Nothing was installed.".to_owned() + way_without_window(&missing, arguments.task),
            ));
        }
        Consent::NobodyThere => {
            return Err(Stop::Missing(
                "Nothing was installed: there is no terminal to ask on. Run the commands above, or add --yes.".to_owned()
                    + way_without_window(&missing, arguments.task),
            ));
        }
    }
    for command in commands {
        must(other(&command[0], &command[1..])).map_err(|stop| {
            Stop::Failed(stop.to_string() + way_without_window(&missing, arguments.task))
        })?;
    }
    match missing.into_iter().find(|need| !need.is_met()) {
        None => Ok(()),
        Some(need) => Err(Stop::Missing(format!(
            "The packages were installed, but {} is still not there.{}",
            need.what,
            way_without_window(&[need], arguments.task)
        ))),
    }
}

/// What to add to a message where only the window is in the way.
fn way_without_window(missing: &[&Need], task: Task) -> &'static str {
    if task == Task::Run
        && missing
            .iter()
            .all(|need| needs::TERMINAL.iter().all(|other| other.what != need.what))
    {
        "\nThe same host runs without a window, and without these packages: `cargo xtask run --terminal`."
    } else {
        ""
    }
}

/// Whether this process may change the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rights {
    Root,
    Sudo,
    None,
}

impl Rights {
    fn of_this_process() -> Self {
        if output(other("id", ["-u"])).as_deref() == Some("0") {
            Self::Root
        } else if find("sudo").is_some() {
            Self::Sudo
        } else {
            Self::None
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Manager {
    AptGet,
    Dnf,
    Pacman,
    Zypper,
}

impl Manager {
    const ALL: [Self; 4] = [Self::AptGet, Self::Dnf, Self::Pacman, Self::Zypper];

    fn program(self) -> &'static str {
        match self {
            Self::AptGet => "apt-get",
            Self::Dnf => "dnf",
            Self::Pacman => "pacman",
            Self::Zypper => "zypper",
        }
    }

    fn of_this_system() -> Option<Self> {
        let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
        let by_name =
            Self::of_release(&release).filter(|manager| find(manager.program()).is_some());
        by_name.or_else(|| {
            Self::ALL
                .into_iter()
                .find(|manager| find(manager.program()).is_some())
        })
    }

    /// By what the system calls itself and what it says it is like, in `/etc/os-release`.
    fn of_release(release: &str) -> Option<Self> {
        let value = |key: &str| {
            release
                .lines()
                .find_map(|line| line.strip_prefix(key))
                .unwrap_or_default()
                .replace('"', "")
        };
        let names = format!("{} {}", value("ID="), value("ID_LIKE="));
        names.split_whitespace().find_map(|name| match name {
            "debian" | "ubuntu" => Some(Self::AptGet),
            "fedora" | "rhel" => Some(Self::Dnf),
            "arch" => Some(Self::Pacman),
            name if name.contains("suse") => Some(Self::Zypper),
            _ => None,
        })
    }

    /// Names of the packages, each once.
    fn packages(self, missing: &[&Need]) -> Vec<String> {
        let column = self as usize;
        let mut names: Vec<String> = missing
            .iter()
            .map(|need| need.packages[column].to_owned())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// The commands, word by word. They do not ask again: the person has been asked.
    fn commands(self, missing: &[&Need], rights: Rights) -> Vec<Vec<String>> {
        let installs: &[&[&str]] = match self {
            Self::AptGet => &[
                &["apt-get", "update"],
                &[
                    "env",
                    "DEBIAN_FRONTEND=noninteractive",
                    "apt-get",
                    "install",
                    "-y",
                    "--no-install-recommends",
                ],
            ],
            Self::Dnf => &[&["dnf", "install", "-y"]],
            Self::Pacman => &[&["pacman", "-S", "--needed", "--noconfirm"]],
            Self::Zypper => &[&["zypper", "--non-interactive", "install"]],
        };
        let last = installs.len() - 1;
        let words = |(place, words): (usize, &&[&str])| {
            let packages = if place == last {
                self.packages(missing)
            } else {
                Vec::new()
            };
            let before = (rights == Rights::Sudo).then(|| "sudo".to_owned());
            before
                .into_iter()
                .chain(words.iter().map(|word| (*word).to_owned()))
                .chain(packages)
                .collect()
        };
        installs.iter().enumerate().map(words).collect()
    }
}

/// macOS brings WebKit; the compiler is a download that only a person can agree to.
fn mac_tools() -> Result<(), Stop> {
    if succeeds(other("xcode-select", ["-p"])) {
        return Ok(());
    }
    Err(Stop::Missing("Apple's command line tools are missing. Install them with `xcode-select --install`, then try again.".to_owned()))
}

/// Windows 11 brings WebView2; where it is missing, say how to get it.
fn windows_webview() -> Result<(), Stop> {
    const CLIENT: &str = r"Microsoft\EdgeUpdate\Clients\{F3017226-FE2A-4295-8BDF-00C3A9A7E4C5}";
    let keys = [
        format!(r"HKLM\SOFTWARE\WOW6432Node\{CLIENT}"),
        format!(r"HKLM\SOFTWARE\{CLIENT}"),
        format!(r"HKCU\Software\{CLIENT}"),
    ];
    if keys
        .iter()
        .any(|key| succeeds(other("reg", ["query", key, "/v", "pv"])))
    {
        return Ok(());
    }
    Err(Stop::Missing(
        "WebView2, which draws the window, is missing. Install it with `winget install Microsoft.EdgeWebView2Runtime`, then try again.\n\
         The same host runs without a window: `cargo xtask run --terminal`."
            .to_owned(),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_known_by_its_own_name_or_by_what_it_is_like() {
        assert_eq!(
            Manager::of_release("NAME=x\nID=debian\n"),
            Some(Manager::AptGet)
        );
        assert_eq!(
            Manager::of_release("ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"),
            Some(Manager::AptGet)
        );
        assert_eq!(Manager::of_release("ID=fedora\n"), Some(Manager::Dnf));
        assert_eq!(
            Manager::of_release("ID=manjaro\nID_LIKE=arch\n"),
            Some(Manager::Pacman)
        );
        assert_eq!(
            Manager::of_release("ID=\"opensuse-tumbleweed\"\nID_LIKE=\"opensuse suse\"\n"),
            Some(Manager::Zypper)
        );
        assert_eq!(Manager::of_release("ID=nixos\n"), None);
    }

    #[test]
    fn packages_are_named_once_and_only_the_last_command_has_them() {
        let missing: Vec<&Need> = needs::TESTS.iter().collect();
        let commands = Manager::AptGet.commands(&missing, Rights::Sudo);
        assert_eq!(commands[0], ["sudo", "apt-get", "update"]);
        assert_eq!(commands[1].iter().filter(|word| *word == "dbus").count(), 1);
        assert!(commands[1].contains(&"libwebkit2gtk-4.1-dev".to_owned()));
    }

    #[test]
    fn the_way_without_a_window_is_offered_only_where_it_helps() {
        let [compiler, webkit] = [&needs::WINDOW[0], &needs::WINDOW[1]];
        assert!(way_without_window(&[webkit], Task::Run).contains("--terminal"));
        assert_eq!(way_without_window(&[webkit, compiler], Task::Run), "");
        assert_eq!(way_without_window(&[webkit], Task::Test), "");
    }
}
