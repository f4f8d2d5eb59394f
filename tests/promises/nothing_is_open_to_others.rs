//! What the program keeps, on the disk and in its memory, is for nobody but the person.

use crate::support::misbehave;
use crate::support::processes::{mark, marked};
use crate::support::terminal::{Ran, Terminal, eventually};
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What others than the owner may do with each file and folder, as far as they may do anything.
/// A host may run meanwhile: what it has taken away when it is looked at is open to nobody.
fn open_to_others(folder: &Path) -> Vec<(PathBuf, u32)> {
    let mut paths = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(path) = paths.pop() {
        let about = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            about => about.unwrap(),
        };
        if about.is_dir() {
            let entries = fs::read_dir(&path).unwrap();
            paths.extend(entries.map(|entry| entry.unwrap().path()));
        }
        let mode = about.permissions().mode() & 0o077;
        if mode != 0 && !about.is_symlink() {
            found.push((path, mode));
        }
    }
    found
}

/// Opens everything in a folder to everybody.
fn loosen(folder: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            loosen(&path);
        } else {
            fs::set_permissions(&path, Permissions::from_mode(0o666)).unwrap();
        }
    }
    fs::set_permissions(folder, Permissions::from_mode(0o777)).unwrap();
}

/// A data folder that was worked with.
fn used() -> Terminal {
    let terminal = Terminal::new();
    let misbehave = misbehave();
    for words in [
        &["servers", "add", "ok", "--", &misbehave, "ok"][..],
        &["servers", "review", "ok", "--accept", "--yes"],
        &["servers", "enable", "ok", "--yes"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    terminal
}

#[test]
fn a_folder_that_was_open_to_others_is_closed_by_the_next_start() {
    let terminal = used();
    let kept = terminal.dir();
    fs::create_dir(kept.join("answers")).unwrap();
    fs::write(kept.join("answers/call-1.txt"), "").unwrap();
    fs::create_dir(kept.join("sign-in")).unwrap();
    fs::write(kept.join("sign-in/0.lock"), "").unwrap();
    loosen(&kept);
    // Not ours, and not below us.
    let elsewhere = terminal.beside("elsewhere");
    fs::write(&elsewhere, "").unwrap();
    fs::set_permissions(&elsewhere, Permissions::from_mode(0o644)).unwrap();
    symlink(&elsewhere, kept.join("answers/link")).unwrap();

    let (running, _) = terminal.serve(&[]);
    assert_eq!(open_to_others(&kept), []);
    assert_eq!(running.end(), 0);
    assert_eq!(open_to_others(&kept), []);
    let untouched = fs::metadata(&elsewhere).unwrap().permissions().mode();
    assert_eq!(untouched & 0o777, 0o644);
}

#[test]
fn whatever_the_umask_says_nothing_is_made_open_to_others() {
    let terminal = used();
    fs::remove_dir_all(terminal.dir()).unwrap();
    let own = terminal.command(&["servers", "list"]);
    let words: Vec<_> = std::iter::once(own.get_program())
        .chain(own.get_args())
        .collect();
    let mut loose = Command::new("sh");
    loose
        .args(["-c", "umask 0; exec \"$0\" \"$@\""])
        .args(words);
    assert_eq!(Ran::of(&mut loose).code, 0);
    assert_eq!(open_to_others(&terminal.dir()), []);
}

#[test]
fn what_cannot_be_closed_is_named_and_nothing_starts() {
    // A file system that keeps no rights, or somebody else's file: neither can be had without root.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let terminal = used();
    let database = terminal.dir().join("majordomo.db");
    fs::set_permissions(&database, Permissions::from_mode(0o644)).unwrap();
    let ran = Ran::of(&mut without_rights(&terminal.command(&["servers", "list"])));
    assert_eq!(ran.code, 0, "its own file: {ran:?}");

    fs::set_permissions(&database, Permissions::from_mode(0o644)).unwrap();
    std::os::unix::fs::chown(&database, Some(65_534), None).unwrap();
    let ran = Ran::of(&mut without_rights(&terminal.command(&["servers", "list"])));
    assert!(
        ran.code == 1 && ran.err.contains("majordomo.db") && ran.err.contains("others can open"),
        "{ran:?}"
    );
}

/// How large a core file of a process may be, at first and at most.
fn core_file(process: u32) -> Vec<String> {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).unwrap();
    let line = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let words = line.unwrap().split_whitespace().skip(4).take(2);
    words.map(str::to_owned).collect()
}

#[test]
fn a_server_leaves_no_core_file() {
    let (terminal, mark, misbehave) = (Terminal::new(), mark(), misbehave());
    let env = format!("MARK={mark}");
    for words in [
        &[
            "servers", "add", "ok", "--env", &env, "--", &misbehave, "ok",
        ][..],
        &["servers", "review", "ok", "--accept", "--yes"],
        &["servers", "enable", "ok", "--yes"],
        &["servers", "runs", "ok", "always"],
    ] {
        assert_eq!(terminal.run(words).code, 0, "{words:?}");
    }
    let (_running, _) = terminal.serve(&[]);
    let server = eventually("it does not run", || {
        let mut all = marked(&mark).into_iter();
        all.find(|pid| {
            let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            words.starts_with(misbehave.as_bytes())
        })
    });
    assert_eq!(core_file(server), ["0", "0"]);
}

/// The same command without anything that root may do and others may not.
fn without_rights(command: &Command) -> Command {
    let mut words: Vec<&str> = Vec::new();
    if rustix::process::geteuid().is_root() {
        words.extend(["setpriv", "--bounding-set=-all", "--inh-caps=-all"]);
    }
    words.push(command.get_program().to_str().unwrap());
    words.extend(command.get_args().map(|word| word.to_str().unwrap()));
    let mut same = Command::new(words[0]);
    same.args(&words[1..]);
    same
}

fn reads(file: &str) -> bool {
    let mut reader = Command::new("head");
    reader.args(["-c", "16", file]);
    Ran::of(without_rights(&reader).stdin(std::process::Stdio::null())).code == 0
}

#[test]
fn no_other_program_of_the_person_reads_the_hosts_memory_and_no_crash_writes_it_down() {
    let terminal = used();
    let plain = terminal.command(&["--json", "serve"]);
    let mut host = without_rights(&plain)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let note = terminal.dir().join("host.json");
    eventually("it does not serve", || note.exists().then_some(()));
    let of = |process: u32, file: &str| format!("/proc/{process}/{file}");
    let readable: Vec<_> = ["environ", "maps", "auxv"]
        .into_iter()
        .filter(|file| reads(&of(host.id(), file)))
        .collect();
    let core = core_file(host.id());
    // The same reader reads a program that does not keep to itself.
    let mut other = without_rights(Command::new("sleep").arg("1000"))
        .spawn()
        .unwrap();
    let reads_another = eventually("it has not begun", || {
        let words = fs::read_to_string(of(other.id(), "cmdline")).unwrap_or_default();
        words
            .starts_with("sleep")
            .then(|| reads(&of(other.id(), "environ")))
    });
    for child in [&mut host, &mut other] {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(reads_another);
    assert_eq!(readable, Vec::<&str>::new());
    assert_eq!(core, ["0", "0"]);
}
