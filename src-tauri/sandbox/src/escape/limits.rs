//! More than the program may use. What it is denied ends for it as an error, and for nobody else.

use super::Attempt;
use super::call::fork;
use super::targets::Targets;
use rustix::process::{Signal, WaitOptions, kill_process, waitpid};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

const PIECE: usize = 1 << 20;
/// More processes than it may start: those of its jail may come on top of what it may.
const MORE: u64 = 8;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("writes_more_into_its_tmp_than_it_may", |to| {
        let scratch = Scratch::make("/tmp")?;
        let pieces = to.limits.passing_bytes as usize / PIECE + 1;
        let mut file = File::create(scratch.0.join("large"))?;
        for _ in 0..pieces {
            file.write_all(&[1; PIECE])?;
        }
        Ok(format!("{pieces} MiB"))
    }),
    Attempt::anyone("writes_more_into_all_such_folders_than_it_may", |to| {
        let pieces = to.limits.passing_bytes as usize / PIECE * 3 / 4;
        let folders = ["/tmp", "/var/tmp"].map(Scratch::make);
        for folder in &folders {
            let folder = folder
                .as_ref()
                .map_err(|error| io::Error::from(error.kind()))?;
            let mut file = File::create(folder.0.join("large"))?;
            for _ in 0..pieces {
                file.write_all(&[1; PIECE])?;
            }
        }
        Ok(format!("{} MiB", 2 * pieces))
    }),
    Attempt::anyone("fills_its_tmp_with_empty_files", |to| {
        let scratch = Scratch::make("/tmp")?;
        // As many as would fit if each had a page.
        let most = to.limits.passing_bytes / 4096 + 1;
        for number in 0..most {
            File::create(scratch.0.join(number.to_string()))?;
        }
        Ok(format!("{most} files"))
    }),
    Attempt::anyone("opens_more_files_than_it_may", |to| {
        let most = to.limits.open_files + 1;
        let files = (0..most).map(|_| File::open("/dev/null"));
        let files = files.collect::<io::Result<Vec<File>>>()?;
        Ok(format!("{} files", files.len()))
    }),
    Attempt::anyone("starts_more_processes_than_it_may", starts_processes),
    Attempt::anyone("takes_more_memory_than_it_may", |to| {
        let most = to.limits.memory_bytes as usize + to.limits.memory_bytes as usize / 2;
        let memory = vec![1_u8; most];
        let touched = std::hint::black_box(&memory).iter().step_by(4096).count();
        Ok(format!("{touched} pages"))
    }),
];

/// A folder for a moment.
struct Scratch(PathBuf);

impl Scratch {
    fn make(at: &str) -> io::Result<Self> {
        let path = PathBuf::from(format!("{at}/majordomo-escape-{}", std::process::id()));
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn starts_processes(to: &Targets) -> io::Result<String> {
    let started: Vec<_> = (0..to.limits.processes + MORE)
        .map(|_| fork(|| thread::sleep(Duration::from_secs(60))))
        .collect();
    for child in started.iter().flatten() {
        let _ = kill_process(*child, Signal::KILL);
        let _ = waitpid(Some(*child), WaitOptions::empty());
    }
    let started = started.into_iter().collect::<io::Result<Vec<_>>>()?;
    Ok(format!("{} processes", started.len()))
}
