//! A disk with little room, on which one data folder lies: a small file system of its own where one
//! can be mounted, and a limit on the size of the host's files where not.

use super::terminal::Running;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Goes away with the test. What lies on it can be reached with [`SmallDisk::inside`] only.
pub struct SmallDisk {
    folder: PathBuf,
    /// Holds the file system as long as its input is open; none if there is only a limit.
    holder: Option<Child>,
}

impl SmallDisk {
    /// A disk at a folder, which is made.
    pub fn at(folder: &Path) -> Self {
        std::fs::create_dir_all(folder).unwrap();
        let holder = Command::new("unshare")
            .args(["--user", "--map-current-user", "--keep-caps", "--mount"])
            .args(["sh", "-c"])
            .arg("mount -t tmpfs -o size=16m,mode=700 majordomo \"$0\" && echo ready && exec cat")
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let ready = |holder: &mut Child| {
            let mut line = String::new();
            let out = holder.stdout.as_mut().map(BufReader::new);
            let read = out.map(|mut out| out.read_line(&mut line));
            matches!(read, Some(Ok(_))) && line == "ready\n"
        };
        Self {
            folder: folder.to_owned(),
            holder: holder.ok().and_then(|mut holder| {
                if ready(&mut holder) {
                    return Some(holder);
                }
                // It has ended, or is about to.
                let _ = holder.kill();
                let _ = holder.wait();
                None
            }),
        }
    }

    /// One that is only a limit, and none until that is set.
    pub fn of_a_limit(folder: &Path) -> Self {
        Self {
            folder: folder.to_owned(),
            holder: None,
        }
    }

    /// Whether it is a file system, and not only a limit.
    pub fn is_mounted(&self) -> bool {
        self.holder.is_some()
    }

    /// What a command begins with that is to see it.
    pub fn inside(&self) -> Vec<String> {
        let words: Vec<String> = match &self.holder {
            Some(holder) => [
                "nsenter",
                "--target",
                &holder.id().to_string(),
                "--user",
                "--preserve-credentials",
                "--mount",
            ]
            .map(str::to_owned)
            .into(),
            // What is over the limit is an error then, and no signal.
            None => ["sh", "-c", "trap '' XFSZ; exec \"$0\" \"$@\""]
                .map(str::to_owned)
                .into(),
        };
        words
    }

    /// Leaves room for so many bytes only. `host` is the one that is limited where there is only a
    /// limit.
    pub fn leave(&self, bytes: u64, host: &Running) {
        self.free(host);
        if self.is_mounted() {
            self.fill_but(bytes);
        } else {
            limit(host, &format!("{}:", bytes + 1));
        }
    }

    /// Leaves room for so many bytes only, on a disk that is mounted.
    pub fn fill_but(&self, bytes: u64) {
        let script = format!(
            "cat /dev/zero > \"$0/filler\" 2>/dev/null; truncate -s -{bytes} \"$0/filler\""
        );
        self.run(&script);
    }

    /// Makes room again.
    pub fn free(&self, host: &Running) {
        if self.is_mounted() {
            self.make_room();
        } else {
            limit(host, "unlimited:");
        }
    }

    /// Makes room again on a disk that is mounted.
    pub fn make_room(&self) {
        self.run("rm -f \"$0/filler\"");
    }

    fn run(&self, script: &str) {
        let inside = self.inside();
        let done = Command::new(&inside[0])
            .args(&inside[1..])
            .args(["sh", "-c", script])
            .arg(&self.folder)
            .status()
            .unwrap();
        assert!(done.success(), "{script}");
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        if let Some(holder) = &mut self.holder {
            // Gone already is as good.
            let _ = holder.kill();
            let _ = holder.wait();
        }
    }
}

fn limit(host: &Running, size: &str) {
    let done = Command::new("prlimit")
        .args(["--pid", &host.pid().to_string(), &format!("--fsize={size}")])
        .status()
        .unwrap();
    assert!(done.success(), "{size}");
}
