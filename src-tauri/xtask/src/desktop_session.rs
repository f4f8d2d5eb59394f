//! A desktop for the tests alone: a D-Bus session, an unlocked keyring and a display.
//!
//! Always true here:
//! - nothing of the person's own desktop is used: neither keyring, nor display, nor settings, nor
//!   login shell;
//! - everything that was started is ended by its own id, and its folder removed, when the session
//!   is dropped;
//! - it exists on Linux only. Elsewhere the tests use what the system has, and window tests do not
//!   run.

use crate::program::{other, output};
use crate::say;
use crate::stop::Stop;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const SESSION_TIMEOUT: Duration = Duration::from_secs(30);
const KEYRING: &str = "org.freedesktop.secrets";
/// Starts the keyring with its password, in place of one that the bus has started, and again
/// whenever it ends; ends it when it is told to end.
const KEYRING_LOOP: &str = r#"
trap 'kill "$daemon"; exit' TERM
while :; do
    echo 'only for tests' | gnome-keyring-daemon --unlock --replace --components=secrets --foreground &
    daemon=$!
    wait "$daemon"
    sleep 1
done
"#;

/// A desktop that lasts as long as this value.
#[derive(Debug)]
pub struct DesktopSession {
    // Ended from the last to the first: who uses the bus before the bus.
    started: Vec<Child>,
    folder: PathBuf,
    environment: Vec<(&'static str, String)>,
}

impl DesktopSession {
    /// A new one on Linux, none elsewhere.
    pub fn start_where_needed() -> Result<Option<Self>, Stop> {
        if cfg!(target_os = "linux") {
            Self::start().map(Some)
        } else {
            Ok(None)
        }
    }

    fn start() -> Result<Self, Stop> {
        say::heading("Starting a D-Bus session, a keyring and a display for the tests");
        // Short, because the path of a socket has at most 107 bytes.
        let folder = std::env::temp_dir().join(format!("majordomo-test-{}", std::process::id()));
        let mut session = Self {
            started: Vec::new(),
            folder: folder.clone(),
            environment: Vec::new(),
        };
        make_private(&folder)?;
        for (variable, name) in [
            ("XDG_DATA_HOME", "data"),
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_RUNTIME_DIR", "runtime"),
        ] {
            make_private(&folder.join(name))?;
            session
                .environment
                .push((variable, folder.join(name).display().to_string()));
        }
        session.environment.push(("LC_ALL", "C.UTF-8".to_owned()));
        // Programs are looked up by the login shell's PATH: the plainest one answers at once and
        // the same everywhere.
        session.environment.push(("SHELL", "/bin/sh".to_owned()));
        session.start_display()?;
        session.start_bus()?;
        session.start_keyring()?;
        Ok(session)
    }

    /// Puts a command into this session.
    pub fn surround(&self, command: &mut Command) {
        for name in [
            "WAYLAND_DISPLAY",
            "XAUTHORITY",
            "DESKTOP_SESSION",
            "XDG_CURRENT_DESKTOP",
            "GNOME_KEYRING_CONTROL",
        ] {
            command.env_remove(name);
        }
        command.envs(
            self.environment
                .iter()
                .map(|(name, value)| (*name, value.as_str())),
        );
    }

    /// The display chooses its number itself and tells it, so that two test runs do not meet.
    fn start_display(&mut self) -> Result<(), Stop> {
        let command = self.prepare(
            "Xvfb",
            &[
                "-displayfd",
                "1",
                "-screen",
                "0",
                "1280x800x24",
                "-nolisten",
                "tcp",
            ],
        )?;
        let number = self.start_and_read_line(command)?;
        self.environment.push(("DISPLAY", format!(":{number}")));
        self.environment.push(("GDK_BACKEND", "x11".to_owned()));
        Ok(())
    }

    fn start_bus(&mut self) -> Result<(), Stop> {
        let address = format!(
            "--address=unix:path={}",
            self.folder.join("runtime/bus").display()
        );
        let command = self.prepare(
            "dbus-daemon",
            &[
                "--session",
                "--nofork",
                "--nopidfile",
                "--print-address=1",
                &address,
            ],
        )?;
        let address = self.start_and_read_line(command)?;
        self.environment.push(("DBUS_SESSION_BUS_ADDRESS", address));
        Ok(())
    }

    /// A daemon that ends itself is started again: the one that the bus would start asks for a
    /// password that nobody types.
    fn start_keyring(&mut self) -> Result<(), Stop> {
        let mut command = self.prepare("sh", &["-c", KEYRING_LOOP])?;
        let keyring = command
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| not_started(&command, &error))?;
        self.started.push(keyring);
        let begun = Instant::now();
        while !self.keyring_is_there() {
            if begun.elapsed() > SESSION_TIMEOUT {
                return Err(self.broken("gnome-keyring-daemon did not become ready."));
            }
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Asked of the bus, because asking the keyring itself would start another one.
    fn keyring_is_there(&self) -> bool {
        let name = format!("string:{KEYRING}");
        let method = [
            "/org/freedesktop/DBus",
            "org.freedesktop.DBus.NameHasOwner",
            &name,
        ];
        let mut ask = other(
            "dbus-send",
            [
                "--session",
                "--print-reply=literal",
                "--dest=org.freedesktop.DBus",
            ],
        );
        self.surround(ask.args(method));
        output(ask).is_some_and(|answer| answer.contains("true"))
    }

    /// What it complains about goes to a file, which is shown if the session cannot be started.
    fn prepare(&self, program: &str, args: &[&str]) -> Result<Command, Stop> {
        let complaints = fs::File::options()
            .create(true)
            .append(true)
            .open(self.complaints());
        let complaints = complaints.map_err(|error| {
            Stop::Failed(format!(
                "{} cannot be written: {error}.",
                self.complaints().display()
            ))
        })?;
        let mut command = other(program, args);
        self.surround(command.stdin(Stdio::null()).stderr(complaints));
        Ok(command)
    }

    fn start_and_read_line(&mut self, mut command: Command) -> Result<String, Stop> {
        let mut child = command
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| not_started(&command, &error))?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            // An end without a line leaves it empty.
            let _ = BufReader::new(out).read_line(&mut line);
        }
        self.started.push(child);
        match line.trim() {
            "" => Err(self.broken(&format!(
                "`{}` ended before it was ready.",
                crate::program::shown(&command)
            ))),
            line => Ok(line.to_owned()),
        }
    }

    fn complaints(&self) -> PathBuf {
        self.folder.join("complaints.txt")
    }

    fn broken(&self, what: &str) -> Stop {
        let complaints = fs::read_to_string(self.complaints()).unwrap_or_default();
        Stop::Failed(format!("{what}\n{complaints}"))
    }
}

impl Drop for DesktopSession {
    fn drop(&mut self) {
        while let Some(child) = self.started.pop() {
            end(child);
        }
        // What is left of it is in the system's folder for temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Asks a process to end, and ends it where it does not.
fn end(mut child: Child) {
    // Killed at once, a display would leave its lock behind.
    let _ = other("sh", ["-c", &format!("kill -TERM {}", child.id())]).status();
    for _ in 0..100 {
        if matches!(child.try_wait(), Ok(Some(_))) {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let _ = child.kill();
    let _ = child.wait();
}

fn not_started(command: &Command, error: &std::io::Error) -> Stop {
    Stop::Failed(format!(
        "`{}` could not be started: {error}.",
        crate::program::shown(command)
    ))
}

fn make_private(folder: &Path) -> Result<(), Stop> {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
        .create(folder)
        .map_err(|error| Stop::Failed(format!("{} cannot be made: {error}.", folder.display())))
}
