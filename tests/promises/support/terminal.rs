//! `majordomoctl` as another program starts it: with arguments, pipes and an exit code.

use super::{WAIT_TIMEOUT, programs};
use serde_json::Value;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A data folder that is worked on with `majordomoctl` only. No host runs on it unless a test
/// starts one.
pub struct Terminal {
    folder: TempDir,
    dir: PathBuf,
    program: PathBuf,
    /// What every command begins with.
    inside: Vec<String>,
}

/// What came of one command.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// `majordomoctl serve`, or another command that goes on. It is killed when it is dropped, as by a
/// power cut.
pub struct Running {
    child: Child,
}

impl Terminal {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("data");
        Self {
            folder,
            dir,
            program: programs().own,
            inside: Vec::new(),
        }
    }

    /// With another copy of the program, and what lies beside it.
    #[cfg(target_os = "linux")]
    pub fn of(program: PathBuf) -> Self {
        Self {
            program,
            ..Self::new()
        }
    }

    /// On a disk with little room, which is beside it at `disk`.
    #[cfg(target_os = "linux")]
    pub fn on_small_disk() -> (Self, super::small_disk::SmallDisk) {
        let mut terminal = Self::new();
        let disk = super::small_disk::SmallDisk::at(&terminal.beside("disk"));
        terminal.dir = terminal.beside("disk").join("data");
        terminal.inside = disk.inside();
        (terminal, disk)
    }

    /// On a data folder that is there already.
    pub fn on(dir: &Path) -> Self {
        Self {
            dir: dir.to_owned(),
            ..Self::new()
        }
    }

    /// The data folder.
    pub fn dir(&self) -> PathBuf {
        self.dir.clone()
    }

    /// A place for files beside the data.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command, with nobody at its standard input.
    pub fn command(&self, words: &[&str]) -> Command {
        let mut command = match self.inside.split_first() {
            None => Command::new(&self.program),
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&self.program);
                command
            }
        };
        command
            .arg("--data-dir")
            .arg(self.dir())
            .args(words)
            .stdin(Stdio::null())
            .env_remove("MAJORDOMO_LOG");
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, words: &[&str]) -> Ran {
        Ran::of(&mut self.command(words))
    }

    /// Runs a command that must succeed, and reads the JSON that it writes.
    pub fn json(&self, words: &[&str]) -> Value {
        let ran = self.run(&[&["--json"], words].concat());
        assert_eq!(ran.code, 0, "{words:?}: {ran:?}");
        ran.json()
    }

    /// Starts a host without a window and waits until it can be reached.
    pub fn serve(&self, words: &[&str]) -> (Running, Value) {
        self.serve_with(words, &[])
    }

    /// As [`Terminal::serve`], with more in its environment.
    pub fn serve_with(&self, words: &[&str], env: &[(&str, &str)]) -> (Running, Value) {
        let mut command = self.command(&[&["--json", "serve"], words].concat());
        command.envs(env.iter().copied());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut text = String::new();
        while serde_json::from_str::<Value>(&text).is_err() {
            assert!(
                out.read_line(&mut text).unwrap() > 0,
                "it ended before it served: {text}"
            );
        }
        (Running { child }, serde_json::from_str(&text).unwrap())
    }

    /// Starts a command and does not wait for it.
    pub fn start(&self, words: &[&str]) -> Running {
        let child = self
            .command(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        Running { child }
    }

    /// Starts a command with somebody at its standard input, who types later. No browser opens.
    pub fn start_typing(&self, words: &[&str]) -> Running {
        let mut command = self.command(words);
        command
            .env("PATH", "")
            .env_remove("BROWSER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        Running {
            child: command.spawn().unwrap(),
        }
    }

    /// Runs a command on a terminal of its own. What it shows is all in `out`. Each line is typed once
    /// the words before it stand at the end of what is shown.
    #[cfg(target_os = "linux")]
    pub fn typed(&self, words: &[&str], typed: &[(&str, &str)]) -> Ran {
        let mut shown = Shown::new(self.on_terminal(words));
        for (question, line) in typed {
            shown.until(&format!("{question}: "));
            shown.type_in(&format!("{line}\n"));
        }
        shown.ended()
    }

    /// As [`Terminal::typed`], with something typed before the command begins.
    #[cfg(target_os = "linux")]
    pub fn typed_ahead(&self, ahead: &str, words: &[&str], typed: &[(&str, &str)]) -> Ran {
        let begins = tempfile::tempdir().unwrap();
        let begins = begins.path().join("begins");
        let command = format!(
            "until [ -e '{}' ]; do sleep 0.01; done; {}",
            begins.display(),
            self.on_terminal(words)
        );
        let mut shown = Shown::new(command);
        shown.type_in(ahead);
        // The terminal has it, and shows it.
        shown.until(&ahead.replace('\n', "\r\n"));
        std::fs::write(begins, "").unwrap();
        for (question, line) in typed {
            shown.until(&format!("{question}: "));
            shown.type_in(&format!("{line}\n"));
        }
        shown.ended()
    }

    #[cfg(target_os = "linux")]
    fn on_terminal(&self, words: &[&str]) -> String {
        let command = self.command(words);
        let words = std::iter::once(command.get_program()).chain(command.get_args());
        let line: Vec<_> = words
            .map(|word| format!("'{}'", word.to_str().unwrap()))
            .collect();
        line.join(" ")
    }

    /// The question that waits; waits for it.
    pub fn question(&self) -> Value {
        eventually("no question came", || {
            self.json(&["questions", "list"]).get(0).cloned()
        })
    }
}

impl Ran {
    /// Runs a command to its end.
    pub fn of(command: &mut Command) -> Self {
        Self::ended(
            command
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap(),
        )
    }

    /// Runs a command with something on its standard input.
    pub fn with_input(command: &mut Command, input: &str) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read its input has its reasons.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        Self::ended(child)
    }

    fn ended(child: Child) -> Self {
        let output = child.wait_with_output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code().unwrap_or(-1),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }

    /// Standard output as one JSON value.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|problem| panic!("{problem}: {self:?}"))
    }
}

/// A command of a shell on a terminal of its own, and what it has shown there.
#[cfg(target_os = "linux")]
struct Shown {
    child: Child,
    input: std::process::ChildStdin,
    output: std::sync::mpsc::Receiver<u8>,
    text: Vec<u8>,
    /// Up to where it was looked for words.
    seen: usize,
}

#[cfg(target_os = "linux")]
impl Shown {
    fn new(command: String) -> Self {
        let mut child = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--echo",
                "always",
                "--command",
                &command,
                "/dev/null",
            ])
            .env_remove("MAJORDOMO_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let out = child.stdout.take().unwrap();
        let (byte, output) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            for one in BufReader::new(out).bytes().map_while(Result::ok) {
                if byte.send(one).is_err() {
                    return;
                }
            }
        });
        Self {
            child,
            input,
            output,
            text: Vec::new(),
            seen: 0,
        }
    }

    /// Waits until some words stand at the end of what is shown.
    fn until(&mut self, words: &str) {
        while !self.text[self.seen..].ends_with(words.as_bytes()) {
            match self.output.recv_timeout(WAIT_TIMEOUT) {
                Ok(byte) => self.text.push(byte),
                Err(problem) => panic!("no {words:?}: {problem}: {}", self.text()),
            }
        }
        self.seen = self.text.len();
    }

    fn type_in(&mut self, words: &str) {
        self.input.write_all(words.as_bytes()).unwrap();
    }

    /// Waits until it ends by itself.
    fn ended(mut self) -> Ran {
        loop {
            match self.output.recv_timeout(WAIT_TIMEOUT) {
                Ok(byte) => self.text.push(byte),
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
                Err(problem) => panic!("it goes on: {problem}: {}", self.text()),
            }
        }
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        Ran {
            code,
            out: self.text(),
            err: String::new(),
        }
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.text).into_owned()
    }
}

#[cfg(target_os = "linux")]
impl Drop for Shown {
    fn drop(&mut self) {
        // Gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Running {
    /// Its process number.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Whether it has ended by itself.
    #[cfg(target_os = "linux")]
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// Kills it, without a chance to tidy up.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Asks it to end, as a system does that shuts down, and waits until it has.
    #[cfg(target_os = "linux")]
    pub fn end(mut self) -> i32 {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        self.child.wait().unwrap().code().unwrap_or(-1)
    }

    /// Reads what it says on standard error, up to the line that holds some words.
    pub fn until_it_says(&mut self, words: &str) -> String {
        let mut said = Vec::new();
        let stream = self.child.stderr.as_mut().unwrap();
        // Byte by byte: what comes behind is for whoever reads next.
        let mut byte = [0];
        while !(said.ends_with(b"\n") && String::from_utf8_lossy(&said).contains(words)) {
            stream
                .read_exact(&mut byte)
                .unwrap_or_else(|_| panic!("it ended: {}", String::from_utf8_lossy(&said)));
            said.push(byte[0]);
        }
        String::from_utf8(said).unwrap()
    }

    /// Reads the next line of its standard output.
    pub fn line(&mut self) -> String {
        let (mut line, mut byte) = (Vec::new(), [0]);
        let stream = self.child.stdout.as_mut().unwrap();
        while !line.ends_with(b"\n") {
            stream.read_exact(&mut byte).unwrap();
            line.push(byte[0]);
        }
        String::from_utf8(line).unwrap()
    }

    /// Types something.
    pub fn type_in(&mut self, words: &str) {
        self.child
            .stdin
            .as_mut()
            .unwrap()
            .write_all(words.as_bytes())
            .unwrap();
    }

    /// Says that nothing more is typed.
    pub fn close_input(&mut self) {
        self.child.stdin = None;
    }

    /// Reads nothing more of its standard output.
    #[cfg(unix)]
    pub fn close_output(&mut self) {
        self.child.stdout = None;
    }

    /// Waits until it ends by itself.
    pub fn ended(mut self) -> Ran {
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let streams = (self.child.stdout.take(), self.child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                streams
                    .1
                    .map(|mut stream| std::io::copy(&mut stream, &mut err))
            });
            streams
                .0
                .map(|mut stream| std::io::copy(&mut stream, &mut out))
        });
        let code = self.child.wait().unwrap().code().unwrap_or(-1);
        Ran {
            code,
            out: String::from_utf8(out).unwrap(),
            err: String::from_utf8(err).unwrap(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // Gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Looks until something is there. For what other processes do, which tell no events.
pub fn eventually<T>(else_say: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let begun = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(begun.elapsed() < WAIT_TIMEOUT, "{else_say}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Every file below a folder, with what is in it. A socket holds nothing.
pub fn files(folder: &Path) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.is_file() {
            found.push((path.clone(), std::fs::read(&path).unwrap()));
        }
    }
    found
}
