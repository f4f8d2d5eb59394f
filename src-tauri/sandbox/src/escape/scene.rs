//! The scene of one attempt: what the program was given, what lies outside, and who is there. It is
//! set anew for each, and looked at afterwards.

use super::bystander::Watched;
use super::call::Argument::{Number, Text};
use super::call::call;
use super::computer;
use super::listeners::Listeners;
use super::network::LISTED_PORT;
use super::processes::{LEFT_BEHIND, is_held};
use super::run::Runner;
use super::targets::{SECRET, Targets};
use super::{Attempt, Contacts, Hidden};
use crate::profile::{Limits, Network, Profile, Tier};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, lchown, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Little, so that it is soon more.
const LIMITS: Limits = Limits {
    processes: 48,
    open_files: 64,
    passing_bytes: 8 << 20,
    memory_bytes: 128 << 20,
};

/// What is hidden in the folder that may be changed; the last is named by another path.
const HIDDEN: [&str; 5] = [
    "root/hidden",
    "root/.secret",
    "root/around/hidden",
    "root/twice/around/hidden",
    "alias/aliased",
];

/// Those of them that are folders.
const HIDDEN_FOLDERS: [&str; 4] = [
    "root/hidden",
    "root/around/hidden",
    "root/twice/around/hidden",
    "root/aliased",
];

/// What would be; the last is a link that leads nowhere yet.
const MISSING: [&str; 3] = ["root/.profile", "alias/around/autostart", "root/dangling"];

/// What lies in a folder, by its path: everything about it but when it was read.
type Picture = BTreeMap<PathBuf, String>;

/// One scene. With its end, everything in it is gone.
pub(super) struct Scene {
    pub(super) targets: Targets,
    /// What the program has as its standard error.
    pub(super) terminal: OwnedFd,
    /// Open, and not meant for the program.
    pub(super) descriptor: File,
    base: Base,
    before: Picture,
    bystander: Watched,
    listeners: Listeners,
    /// Without its other end there is no terminal.
    _terminal: OwnedFd,
}

impl Scene {
    /// Sets it. Fails if something of it cannot be had.
    pub(super) fn set(runner: &Runner<'_>, hidden: Hidden) -> io::Result<Self> {
        let base = Base::make()?;
        base.furnish(hidden)?;
        let listeners = Listeners::open(&base.at("outside"), &base.at("given"), &base.unnamed())?;
        let (outer, terminal) = computer::terminal()?;
        if let Some((user, group)) = runner.user {
            give_away(&base.path, user, group)?;
            if let Some(path) = computer::terminal_path(&outer) {
                lchown(path, Some(user), Some(group))?;
            }
        }
        let descriptor = File::open(base.at("outside/secret"))?;
        let bystander = Watched::start(runner, &base.at("outside"))?;
        let targets = Targets {
            outside: base.at("outside"),
            given: base.at("given"),
            root: base.at("root"),
            home: base.at("home"),
            limits: LIMITS,
            handle: computer::handle(&base.at("outside/secret")).ok(),
            bystander: bystander.itself,
            queue: base.name.clone(),
            port: listeners.port()?,
            datagram_port: listeners.datagram_port()?,
            resolver: computer::resolver(),
            stream: base.at("outside/stream"),
            datagram: base.at("outside/datagram"),
            unnamed: base.unnamed(),
            terminal: computer::terminal_path(&outer),
            disk: computer::disk(),
            groups: computer::groups(),
            descriptor: descriptor.as_raw_fd(),
            launchers: Vec::new(),
        };
        Ok(Self {
            targets,
            terminal,
            descriptor,
            before: base.picture()?,
            base,
            bystander,
            listeners,
            _terminal: outer,
        })
    }

    /// What a jail is told of it.
    pub(super) fn profile(&self, runner: &Runner<'_>, tier: Tier, attempt: &Attempt) -> Profile {
        let programs = runner.jail.parent().map(Path::to_owned);
        let hidden = match attempt.hidden {
            Hidden::Nothing => &[][..],
            Hidden::There => &HIDDEN,
            Hidden::Missing => &MISSING,
        };
        Profile {
            read: ["given", "root/twice"]
                .map(|path| self.base.at(path))
                .into_iter()
                .chain(programs)
                .collect(),
            write: vec![self.base.at("root")],
            hidden: hidden.iter().map(|path| self.base.at(path)).collect(),
            home: self.base.at("home"),
            network: match attempt.contacts {
                Contacts::Everybody => Network::Open,
                // No other tier can do that.
                Contacts::Listed if tier == Tier::Namespaces => Network::Listed {
                    ports: [LISTED_PORT].into(),
                    addresses: BTreeSet::new(),
                },
                Contacts::Listed | Contacts::Nobody => Network::None,
            },
            limits: LIMITS,
            ..Profile::nothing(tier)
        }
    }

    /// An empty file that the program does not know of.
    pub(super) fn new_file(&self, name: &str) -> io::Result<File> {
        let mut options = File::options();
        options.read(true).write(true).create_new(true);
        options.open(self.base.at(name))
    }

    /// What is to be seen of an attempt that succeeded, whatever it said itself.
    pub(super) fn harm(&self) -> io::Result<Option<String>> {
        let after = self.base.picture()?;
        let changed = |path: &&PathBuf| self.before.get(*path) != after.get(*path);
        if let Some(path) = self.before.keys().chain(after.keys()).find(changed) {
            return Ok(Some(format!("{} has changed", path.display())));
        }
        if let Some(path) = self.base.program_for_others()? {
            return Ok(Some(format!("{} makes others its user", path.display())));
        }
        if let Some(path) = MISSING.iter().find(|path| self.base.at(path).exists()) {
            return Ok(Some(format!("{path} is there")));
        }
        if is_held(&self.base.at("root").join(LEFT_BEHIND)) {
            return Ok(Some("a process was left behind".to_owned()));
        }
        Ok(self.listeners.reached().or_else(|| self.bystander.harm()))
    }
}

/// The folder of a scene.
struct Base {
    path: PathBuf,
    name: String,
}

impl Base {
    fn make() -> io::Result<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let next = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("majordomo-escape-{}-{next}", std::process::id());
        let path = std::env::temp_dir().canonicalize()?.join(&name);
        // Nobody has put anything there before.
        DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Self { path, name })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.path.join(path)
    }

    fn furnish(&self, hidden: Hidden) -> io::Result<()> {
        for folder in ["outside", "given/.git/hooks", "root", "home"] {
            fs::create_dir_all(self.at(folder))?;
        }
        fs::write(self.at("outside/secret"), SECRET)?;
        fs::write(self.at("given/file"), "given")?;
        symlink("secret", self.at("outside/link"))?;
        symlink("root", self.at("alias"))?;
        match hidden {
            Hidden::Nothing => {}
            Hidden::There => {
                for folder in HIDDEN_FOLDERS {
                    fs::create_dir_all(self.at(folder))?;
                    fs::write(self.at(folder).join("secret"), SECRET)?;
                }
                fs::write(self.at("root/.secret"), SECRET)?;
            }
            Hidden::Missing => {
                fs::create_dir_all(self.at("root/around/free"))?;
                fs::create_dir(self.at("root/free"))?;
                fs::write(self.at("root/file"), "")?;
                symlink("free/aliased", self.at("root/dangling"))?;
            }
        }
        let name = CString::new(self.name.as_str())?;
        let flags = libc::O_CREAT | libc::O_EXCL;
        // A kernel without queues has none.
        let queue = call(
            libc::SYS_mq_open,
            [Text(&name), flags.into(), Number(0o644), Number(0)],
        );
        queue.map_or(Ok(()), |queue| {
            call(libc::SYS_close, [queue.into()]).map(drop)
        })
    }

    fn unnamed(&self) -> [String; 2] {
        ["stream", "datagram"].map(|kind| format!("{}-{kind}", self.name))
    }

    /// Everything that the program must leave as it is.
    fn picture(&self) -> io::Result<Picture> {
        let mut picture = Picture::new();
        for path in [
            "outside",
            "given",
            "root/hidden",
            "root/around",
            "root/twice",
            "root/.secret",
        ] {
            look(&self.at(path), &mut picture)?;
        }
        Ok(picture)
    }

    fn program_for_others(&self) -> io::Result<Option<PathBuf>> {
        for found in fs::read_dir(self.at("root"))? {
            let found = found?;
            if found.metadata()?.mode() & 0o6000 != 0 {
                return Ok(Some(found.path()));
            }
        }
        Ok(None)
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        if let Ok(name) = CString::new(self.name.as_str()) {
            let _ = call(libc::SYS_mq_unlink, [Text(&name)]);
        }
    }
}

fn look(path: &Path, picture: &mut Picture) -> io::Result<()> {
    let Ok(found) = fs::symlink_metadata(path) else {
        return Ok(());
    };
    let content = if found.is_file() {
        fs::read(path)?
    } else {
        Vec::new()
    };
    // Every change of a file, and of what is said about it, sets its `ctime`.
    let (seconds, nanoseconds) = (found.ctime(), found.ctime_nsec());
    let about = format!(
        "{} {:o} {} {seconds}.{nanoseconds} {content:?}",
        found.ino(),
        found.mode(),
        found.nlink()
    );
    picture.insert(path.to_owned(), about);
    if found.is_dir() {
        for below in fs::read_dir(path)? {
            look(&below?.path(), picture)?;
        }
    }
    Ok(())
}

fn give_away(path: &Path, user: u32, group: u32) -> io::Result<()> {
    lchown(path, Some(user), Some(group))?;
    if fs::symlink_metadata(path)?.is_dir() {
        for below in fs::read_dir(path)? {
            give_away(&below?.path(), user, group)?;
        }
    }
    Ok(())
}
