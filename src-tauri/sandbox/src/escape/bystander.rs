//! A process of the same user that has nothing to do with the program, and has secrets.

use super::BYSTANDER;
use super::call::Argument::Number;
use super::call::call;
use super::processes::state;
use super::run::Runner;
use super::targets::{Bystander, SECRET};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ExitCode, Stdio};

/// Is that process, until its standard input ends.
pub(super) fn stand_by() -> ExitCode {
    let secret = SECRET.to_owned();
    let said = share().and_then(|shared_memory| {
        let own = Bystander {
            pid: std::process::id().cast_signed(),
            address: secret.as_ptr() as u64,
            shared_memory,
        };
        let mut answer = io::stdout();
        serde_json::to_writer(&mut answer, &own).map_err(io::Error::other)?;
        writeln!(answer)
    });
    let _ = super::input().and_then(|mut input| input.read_to_end(&mut Vec::new()));
    // What was said to be there was there until now.
    drop(secret);
    said.map_or(ExitCode::FAILURE, |()| ExitCode::SUCCESS)
}

/// A piece of shared memory that vanishes with this process.
fn share() -> io::Result<i64> {
    let arguments = [libc::IPC_PRIVATE.into(), Number(4096), Number(0o600)];
    let piece = call(libc::SYS_shmget, arguments)?;
    call(libc::SYS_shmat, [Number(piece), Number(0), Number(0)])?;
    call(
        libc::SYS_shmctl,
        [Number(piece), libc::IPC_RMID.into(), Number(0)],
    )?;
    Ok(piece)
}

/// That process as it is seen outside, and how it was.
pub(super) struct Watched {
    pub(super) itself: Bystander,
    before: String,
    process: Child,
    /// It stays as long as this is open.
    _stays: Option<ChildStdin>,
}

impl Watched {
    /// Starts it in a folder where the secret is.
    pub(super) fn start(runner: &Runner<'_>, folder: &Path) -> io::Result<Self> {
        let mut command = runner.command(runner.jail);
        command.arg(BYSTANDER).env("ESCAPE_SECRET", SECRET);
        command.current_dir(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(File::open(folder.join("secret"))?);
        let mut process = command.spawn()?;
        let mut line = String::new();
        if let Some(said) = process.stdout.take() {
            BufReader::new(said).read_line(&mut line)?;
        }
        let stays = process.stdin.take();
        let watched = Self {
            itself: serde_json::from_str(&line).map_err(io::Error::other)?,
            before: about(process.id()),
            process,
            _stays: stays,
        };
        Ok(watched)
    }

    /// What was done to it.
    pub(super) fn harm(&self) -> Option<String> {
        match state(self.itself.pid) {
            Some('Z' | 'X') | None => Some("another process was ended".to_owned()),
            Some('T' | 't') => Some("another process was stopped".to_owned()),
            Some(_) if about(self.process.id()) != self.before => {
                Some("what another process may do was changed".to_owned())
            }
            Some(_) => None,
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What others can set of a process.
fn about(process: u32) -> String {
    let file = |name| fs::read_to_string(format!("/proc/{process}/{name}")).unwrap_or_default();
    let status = file("status");
    let allowed = status.lines().find(|line| line.starts_with("Cpus_allowed"));
    let stat = file("stat");
    let after_name = stat.rsplit_once(") ").map(|(_, rest)| rest);
    // Its priority, and how nice it is.
    let nice: Vec<&str> = after_name
        .into_iter()
        .flat_map(|rest| rest.split(' ').skip(15).take(2))
        .collect();
    format!(
        "{}{}{allowed:?}{nice:?}",
        file("limits"),
        file("oom_score_adj")
    )
}
