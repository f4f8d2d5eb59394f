//! Runs one attempt, with or without a jail around it, and finds out what became of it.

use super::folder::MUST_WORK;
use super::host::Host;
use super::processes::state;
use super::scene::Scene;
use super::{ATTEMPT, Attempt, Hidden, Outcome, READY};
use crate::lifeline::Report;
use crate::profile::{Profile, Tier};
use crate::strength::Strength;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, kill_process};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How long an attempt may take, its jail included.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(60);
/// How often it is looked whether a process has ended.
const PACE: Duration = Duration::from_millis(1);

/// By what, and as whom, attempts are run.
pub(super) struct Runner<'a> {
    /// The program of the jail, which is the program inside, too.
    pub(super) jail: &'a Path,
    /// The number of a user, and of their group, if it is not whoever calls.
    pub(super) user: Option<(u32, u32)>,
}

impl Runner<'_> {
    /// What can be had of a tier.
    pub(super) fn strength(&self, tier: Tier) -> Strength {
        Strength::said_by(self.command(self.jail), Some(tier))
    }

    /// Fails if a program on this tier cannot do what it must be able to do.
    pub(super) fn works(&self, tier: Tier) -> io::Result<()> {
        for attempt in MUST_WORK {
            if let Outcome::Denied { word } = self.try_once(attempt, Some(tier))? {
                let name = attempt.name;
                return Err(io::Error::other(format!("{name} is denied: {word}")));
            }
        }
        Ok(())
    }

    /// Sets the scene, tries, and looks what has happened.
    pub(super) fn try_once(&self, attempt: &Attempt, tier: Option<Tier>) -> io::Result<Outcome> {
        let about =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", attempt.name));
        let scene = Scene::set(self, attempt.hidden).map_err(about)?;
        let running = match tier {
            Some(tier) => self.start_jailed(attempt, &scene, tier),
            None => self.start(attempt, &scene),
        };
        match running {
            Ok(running) => running.outcome(&scene).map_err(about),
            // What this tier cannot hide is not given at all.
            Err(error)
                if attempt.hidden == Hidden::There
                    && tier == Some(Tier::Landlock)
                    && error.kind() == ErrorKind::Unsupported =>
            {
                Ok(Outcome::of(Err(error)))
            }
            // The tier is there: it was asked for before.
            Err(error) => Err(io::Error::other(about(error))),
        }
    }

    /// A command with the surroundings of a server.
    pub(super) fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        let path = std::env::var_os("PATH");
        command.env_clear().envs(path.map(|path| ("PATH", path)));
        if let Some((user, group)) = self.user {
            command.uid(user).gid(group);
        }
        command
    }

    fn start(&self, attempt: &Attempt, scene: &Scene) -> io::Result<Running> {
        let mut command = self.command(self.jail);
        command.args(inside(attempt, scene)?);
        let process = spawn(command, scene, &[scene.descriptor.as_fd()])?;
        let launchers = vec![scene.targets.bystander.pid];
        Running::tell(process, &launchers, None)
    }

    fn start_jailed(&self, attempt: &Attempt, scene: &Scene, tier: Tier) -> io::Result<Running> {
        let profile = written(&scene.profile(self, tier, attempt), scene)?;
        let (ours, theirs) = UnixStream::pair()?;
        let mut command = self.command(self.jail);
        command
            .args(["--lifeline", &theirs.as_raw_fd().to_string()])
            .args(["--profile", &profile.as_raw_fd().to_string(), "--"])
            .arg(self.jail)
            .args(inside(attempt, scene)?);
        let inherited = [theirs.as_fd(), profile.as_fd(), scene.descriptor.as_fd()];
        let process = spawn(command, scene, &inherited)?;
        drop(theirs);
        // The far one, and whichever is near.
        let launchers = vec![process.id().cast_signed(), 0];
        let mut running = Running::tell(process, &launchers, Some(ours))?;
        running.started()?;
        Ok(running)
    }
}

/// The program inside, as the jail's own hidden words.
fn inside(attempt: &Attempt, scene: &Scene) -> io::Result<[String; 3]> {
    let targets = serde_json::to_string(&scene.targets)?;
    Ok([ATTEMPT.to_owned(), attempt.name.to_owned(), targets])
}

fn written(profile: &Profile, scene: &Scene) -> io::Result<File> {
    let mut file = scene.new_file("profile")?;
    serde_json::to_writer(&mut file, profile)?;
    file.flush()?;
    Ok(file)
}

/// Starts a program in the folder that it was given, with some files that stay open.
fn spawn(mut command: Command, scene: &Scene, inherited: &[BorrowedFd<'_>]) -> io::Result<Child> {
    let numbers: Vec<i32> = inherited.iter().map(AsRawFd::as_raw_fd).collect();
    command.current_dir(&scene.targets.root);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    command.stderr(scene.terminal.try_clone()?);
    #[expect(
        unsafe_code,
        reason = "what one child inherits and others do not is said between fork and exec only"
    )]
    // SAFETY: the closure makes system calls, and takes no lock; the files are borrowed until this
    // function ends, and in the child they are open until it becomes the program.
    unsafe {
        command.pre_exec(move || {
            for number in &numbers {
                fcntl_setfd(BorrowedFd::borrow_raw(*number), FdFlags::empty())?;
            }
            Ok(())
        });
    }
    command.spawn()
}

/// A program that runs, and what is heard of it.
struct Running {
    process: Child,
    lifeline: Option<UnixStream>,
    /// Who answers it, once it runs.
    host: Option<Host>,
}

impl Running {
    /// Tells the program by whom it was started.
    fn tell(
        mut process: Child,
        launchers: &[i32],
        lifeline: Option<UnixStream>,
    ) -> io::Result<Self> {
        if let Some(mut input) = process.stdin.take() {
            let line = serde_json::to_string(launchers)?;
            // A program that has ended already is not told any more.
            let _ = writeln!(input, "{line}");
        }
        Ok(Self {
            process,
            lifeline,
            host: None,
        })
    }

    /// Waits until the jail says that the program runs.
    ///
    /// # Errors
    /// `Unsupported` if it says that the program cannot be confined.
    fn started(&mut self) -> io::Result<()> {
        let Some(lifeline) = &self.lifeline else {
            return Ok(());
        };
        lifeline.set_read_timeout(Some(ATTEMPT_TIMEOUT))?;
        let (host, report) = Host::hear(lifeline)?;
        self.host = Some(host);
        match report {
            Some(Report::Started(_)) => Ok(()),
            Some(Report::NotConfined { problem }) => {
                Err(io::Error::new(ErrorKind::Unsupported, problem))
            }
            other => Err(io::Error::other(format!("the jail says {other:?}"))),
        }
    }

    /// What became of it.
    fn outcome(mut self, scene: &Scene) -> io::Result<Outcome> {
        let end = Instant::now() + ATTEMPT_TIMEOUT;
        let said = self.hear(end)?;
        let was_stopped = self.lifeline.is_some() && self.state() == Some('T');
        if was_stopped {
            self.signal(Signal::CONT);
        }
        let status = self.ended(end)?;
        let harm = scene.harm()?;
        let harm = harm.or_else(|| was_stopped.then(|| "its launcher was stopped".to_owned()));
        match harm {
            Some(seen) => Ok(Outcome::Escaped { seen }),
            None => answer(&said, status),
        }
    }

    /// Everything that it says until nobody can say anything any more.
    fn hear(&mut self, end: Instant) -> io::Result<String> {
        let mut said = Vec::new();
        let Some(mut output) = self.process.stdout.take() else {
            return Ok(String::new());
        };
        let mut piece = [0; 4096];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let left = Timespec::try_from(left).map_err(io::Error::other)?;
            let mut wanted = [PollFd::new(&output, PollFlags::IN)];
            if poll(&mut wanted, Some(&left))? == 0 {
                return Err(ErrorKind::TimedOut.into());
            }
            match output.read(&mut piece)? {
                0 => return Ok(String::from_utf8_lossy(&said).into_owned()),
                length => said.extend_from_slice(&piece[..length]),
            }
        }
    }

    fn ended(&mut self, end: Instant) -> io::Result<ExitStatus> {
        loop {
            if let Some(status) = self.process.try_wait()? {
                return Ok(status);
            }
            if Instant::now() > end {
                return Err(ErrorKind::TimedOut.into());
            }
            thread::sleep(PACE);
        }
    }

    fn state(&self) -> Option<char> {
        state(self.process.id().cast_signed())
    }

    fn signal(&self, signal: Signal) {
        if let Some(pid) = Pid::from_raw(self.process.id().cast_signed()) {
            let _ = kill_process(pid, signal);
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What the program said itself. One that was ended by the system has got nowhere.
fn answer(said: &str, status: ExitStatus) -> io::Result<Outcome> {
    let answer = said.strip_prefix(READY).map(str::trim);
    let signal = || {
        let code = status.code().filter(|code| *code > 128);
        status.signal().or(code.map(|code| code - 128))
    };
    match (answer, signal()) {
        (Some(""), Some(signal)) => Ok(Outcome::Denied {
            word: format!("ended by signal {signal}"),
        }),
        (Some(answer), _) => serde_json::from_str(answer).map_err(io::Error::other),
        (None, _) => Err(io::Error::other(format!(
            "the program inside did not start ({status}): {said:?}"
        ))),
    }
}
