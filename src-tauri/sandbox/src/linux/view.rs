//! The files that a confined server sees: a root of its own, made of what it was given.
//!
//! Always true here:
//! - everything lies where it lies outside, and links lead where they lead there;
//! - what was not given does not exist; what is hidden cannot be opened by anybody in there;
//! - nothing in there is a device but those that hold nothing, and no program in there makes anybody
//!   somebody else.

use super::base::{self, Access};
use super::mounts::{Lets, copy, is_folder, lay, place, seal};
use super::paths::{Destination, Links, follow, follow_without_links, hold};
use crate::profile::{Network, Profile, Tier};
use rustix::mount::{
    MountFlags, MountPropagationFlags, UnmountFlags, mount, mount_change, unmount,
};
use rustix::process::{getegid, geteuid, pivot_root};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, CString};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// Where the files of the system hang until the server starts.
const OLD_ROOT: &str = "/.outside";
/// Where what vanishes with the server is made.
const PASSING: &str = "/.passing";
/// What is laid over files that are hidden.
const NO_FILE: &str = "/.hidden-file";
/// What is laid over folders that are hidden.
const NO_FOLDER: &str = "/.hidden-folder";
/// Where the new root is made.
const BASE: &str = "/tmp";
/// For the root itself, which holds folders and a few settings.
const ROOT: &CStr = c"size=1m,nr_inodes=16k,mode=0755";
/// As many bytes as a file takes at least, even if it is empty.
const SMALLEST_FILE: u64 = 4096;

/// Nothing is changed there.
const READ: Lets = Lets {
    change: false,
    devices: false,
};
/// Everything but devices.
const CHANGE: Lets = Lets {
    change: true,
    devices: false,
};

/// What is where, found out before anything is changed.
#[derive(Debug, Default)]
struct Plan {
    places: BTreeMap<PathBuf, Place>,
    links: Links,
    /// What is hidden, where it really lies.
    hidden: Vec<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// What lies there outside.
    Given(Access),
    /// An empty folder that vanishes with the server.
    Passing,
}

/// A view that is made, and that the server does not have yet.
#[derive(Debug)]
pub(crate) struct View {
    /// Where the server begins.
    cwd: PathBuf,
}

impl View {
    /// Makes it, in a mount namespace of this process alone, which sees what is in it from now on.
    /// Fails if something that was given cannot be given.
    pub(crate) fn make(profile: &Profile) -> io::Result<Self> {
        let cwd = std::env::current_dir().unwrap_or_else(|_| profile.home.clone());
        let plan = Plan::of(profile)?;
        let resolver = resolver(&profile.network);
        mount_change(
            "/",
            MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
        )?;
        let quiet = MountFlags::NOSUID | MountFlags::NODEV;
        mount(c"tmpfs", BASE, c"tmpfs", quiet, ROOT)?;
        let put_old = format!("{BASE}{OLD_ROOT}");
        make_folder(Path::new(&put_old))?;
        pivot_root(BASE, put_old.as_str())?;
        std::env::set_current_dir("/")?;

        plan.make(profile.limits.passing_bytes)?;
        plan.hide()?;
        write_settings(&resolver)?;
        make_folder(Path::new("/proc"))?;
        for (name, target) in [
            ("fd", "/proc/self/fd"),
            ("stdin", "/proc/self/fd/0"),
            ("stdout", "/proc/self/fd/1"),
            ("stderr", "/proc/self/fd/2"),
        ] {
            symlink(target, Path::new("/dev").join(name))?;
        }
        Ok(Self { cwd })
    }

    /// Closes it, in the first process of the new PID namespace: only there its processes can be
    /// seen. From now on nothing leads out.
    pub(crate) fn close(&self) -> io::Result<()> {
        let quiet = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
        mount(c"proc", c"/proc", c"proc", quiet, None)?;
        unmount(OLD_ROOT, UnmountFlags::DETACH)?;
        fs::remove_dir(OLD_ROOT)?;
        seal(Path::new("/"))
    }

    /// Lets no setting of the kernel be changed from now on, and goes where the server begins.
    pub(crate) fn seal(&self) -> io::Result<()> {
        // To root, its settings would be open without any power.
        seal(Path::new("/proc"))?;
        std::env::set_current_dir(&self.cwd).or_else(|_| std::env::set_current_dir("/"))
    }
}

impl Plan {
    fn of(profile: &Profile) -> io::Result<Self> {
        let mut plan = Self::default();
        for (path, access) in base::folders(Tier::Namespaces) {
            // What is made anew there needs no place outside.
            if !["/proc", "/etc", "/dev"]
                .map(Path::new)
                .contains(&path.as_path())
                && access != Access::Change
            {
                plan.add(&path, access);
            }
        }
        for path in base::PASSING {
            plan.places.insert(path.into(), Place::Passing);
        }
        for path in &profile.read {
            plan.add(path, Access::Execute);
        }
        for path in profile.write.iter().chain([&profile.home]) {
            match follow_without_links(path) {
                Ok(Destination::Found(real)) => plan.place(real, Access::Change),
                Err(error) if error.kind() == ErrorKind::InvalidInput => return Err(error),
                // What is not there, or out of reach, is left out.
                Ok(Destination::Missing(_)) | Err(_) => {}
            }
        }
        for path in &profile.hidden {
            // The links are noted, so that it is found by the same path in there. What may be there,
            // and cannot be found, could not be hidden.
            match follow(path, &mut plan.links).map_err(|error| about(path, &error))? {
                Destination::Found(real) => plan.hidden.push(real),
                // That it stays so is for `landlock`.
                Destination::Missing(_) => {}
            }
        }
        Ok(plan)
    }

    /// What is not there is left out: nobody could give it.
    fn add(&mut self, path: &Path, access: Access) {
        if let Ok(Destination::Found(real)) = follow(path, &mut self.links) {
            self.place(real, access);
        }
    }

    fn place(&mut self, real: PathBuf, access: Access) {
        let place = self.places.entry(real).or_insert(Place::Given(access));
        match place {
            Place::Given(Access::Read | Access::Execute) | Place::Passing => {
                *place = Place::Given(access);
            }
            Place::Given(Access::Device | Access::Change) => {}
        }
    }

    fn make(&self, passing_bytes: u64) -> io::Result<()> {
        let mut passing = passing(passing_bytes)?;
        for (path, what) in &self.places {
            let made = match what {
                Place::Given(access) if self.is_given_already(path, *access) => Ok(()),
                Place::Given(access) => give(path, *access),
                Place::Passing => passing.remove(path).map_or(Ok(()), |folder| {
                    make_folder(path)?;
                    place(&folder, &hold(path)?)
                }),
            };
            made.map_err(|error| about(path, &error))?;
        }
        for (path, target) in &self.links {
            if self.around(path).is_some() {
                // It came with what is around it.
                continue;
            }
            path.parent().map_or(Ok(()), make_folder)?;
            match symlink(target, path) {
                Err(error) if error.kind() != ErrorKind::AlreadyExists => {
                    return Err(about(path, &error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Lays nothing over what is hidden, as far as it is there.
    fn hide(&self) -> io::Result<()> {
        make_file(Path::new(NO_FILE), 0o000, "")?;
        make_folder(Path::new(NO_FOLDER))?;
        fs::set_permissions(NO_FOLDER, fs::Permissions::from_mode(0o000))?;
        let (no_file, no_folder) = (hold(Path::new(NO_FILE))?, hold(Path::new(NO_FOLDER))?);
        for path in self.around_hidden() {
            pin(&path).map_err(|error| about(&path, &error))?;
        }
        for path in &self.hidden {
            let covered = match hold(path) {
                Ok(found) if is_folder(&found)? => lay(&no_folder, &found, READ),
                Ok(found) => lay(&no_file, &found, READ),
                // Nothing around it was given.
                Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                Err(error) => Err(error),
            };
            covered.map_err(|error| about(path, &error))?;
        }
        Ok(())
    }

    /// The folders that the server could rename, and with them what is hidden in them. When it
    /// starts the next time, that would not be where it is looked for.
    fn around_hidden(&self) -> BTreeSet<PathBuf> {
        let can_change = |path: &&Path| {
            let mut around = path.ancestors().skip(1);
            around.any(|path| self.places.get(path) == Some(&Place::Given(Access::Change)))
        };
        let folders = self.hidden.iter().flat_map(|path| path.ancestors().skip(1));
        folders.filter(can_change).map(Path::to_owned).collect()
    }

    /// The nearest place around a path.
    fn around(&self, path: &Path) -> Option<Place> {
        path.ancestors()
            .skip(1)
            .find_map(|folder| self.places.get(folder))
            .copied()
            .filter(|place| *place != Place::Passing)
    }

    fn is_given_already(&self, path: &Path, access: Access) -> bool {
        matches!(
            (self.around(path), access),
            (Some(Place::Given(Access::Change)), _)
                | (
                    Some(Place::Given(Access::Execute)),
                    Access::Read | Access::Execute
                )
        )
    }
}

/// Where something lies until the view is closed.
fn outside(path: &Path) -> PathBuf {
    Path::new(OLD_ROOT).join(path.strip_prefix("/").unwrap_or(path))
}

fn give(path: &Path, access: Access) -> io::Result<()> {
    let source = hold(&outside(path))?;
    if is_folder(&source)? {
        make_folder(path)?;
    } else {
        path.parent().map_or(Ok(()), make_folder)?;
        make_file(path, 0o444, "")?;
    }
    let lets = Lets {
        change: access == Access::Change,
        devices: access == Access::Device,
    };
    lay(&source, &hold(path)?, lets)
}

/// Keeps a folder where it is: what something is laid over cannot be renamed or removed. The price
/// is that files are copied, not moved, across its border.
fn pin(path: &Path) -> io::Result<()> {
    let folder = hold(path)?;
    lay(&folder, &folder, CHANGE)
}

/// The folders that vanish with the server, which hold so many bytes together.
fn passing(most_bytes: u64) -> io::Result<BTreeMap<PathBuf, OwnedFd>> {
    let most_files = most_bytes / SMALLEST_FILE;
    let options = CString::new(format!(
        "size={most_bytes},nr_inodes={most_files},mode=0755"
    ))?;
    let quiet = MountFlags::NOSUID | MountFlags::NODEV;
    make_folder(Path::new(PASSING))?;
    mount(c"tmpfs", PASSING, c"tmpfs", quiet, options.as_c_str())?;
    let folders = base::PASSING.iter().map(|path| {
        let here = Path::new(PASSING).join(path.replace('/', "-"));
        make_folder(&here)?;
        fs::set_permissions(&here, fs::Permissions::from_mode(0o1777))?;
        Ok((PathBuf::from(path), copy(&hold(&here)?, CHANGE)?))
    });
    let folders = folders.collect::<io::Result<_>>()?;
    unmount(PASSING, UnmountFlags::DETACH)?;
    fs::remove_dir(PASSING)?;
    Ok(folders)
}

/// Whom the server asks for the addresses of names.
fn resolver(network: &Network) -> String {
    match network {
        Network::None => String::new(),
        Network::Listed { .. } => "nameserver 127.0.0.1\n".to_owned(),
        Network::Open => fs::read_to_string("/etc/resolv.conf").unwrap_or_default(),
    }
}

/// Settings in which the person is alone with the system, and names are looked up in files first.
fn write_settings(resolver: &str) -> io::Result<()> {
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    let name = std::env::var("USER").unwrap_or_else(|_| "user".to_owned());
    let name: String = name
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || "-_".contains(*letter))
        .collect();
    let home = std::env::var("HOME").unwrap_or_else(|_| "/".to_owned());
    let home = home.replace([':', '\n'], "");
    let root = if user == 0 {
        ""
    } else {
        "root:x:0:0::/:/bin/sh\n"
    };
    let groups = if group == 0 { "" } else { "root:x:0:\n" };
    for (path, text) in base::WRITTEN.iter().zip([
        format!("{groups}{name}:x:{group}:\n"),
        "127.0.0.1 localhost\n::1 localhost\n".to_owned(),
        "passwd: files\ngroup: files\nhosts: files dns\nservices: files\n".to_owned(),
        format!("{root}{name}:x:{user}:{group}::{home}:/bin/sh\n"),
        resolver.to_owned(),
    ]) {
        make_file(Path::new(path), 0o444, &text)?;
    }
    Ok(())
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o755)
        .create(path)
}

fn make_file(path: &Path, mode: u32, text: &str) -> io::Result<()> {
    if !path.exists() {
        fs::write(path, text)?;
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    Ok(())
}

fn about(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}
