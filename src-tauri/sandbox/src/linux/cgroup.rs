//! A group of processes ("cgroup") of a server's own, by which the kernel bounds what all of them
//! take together.
//!
//! Always true here:
//! - a group is made only where this user may make one, and no setting of another group is changed;
//! - where none can be made, all is as it was: it is for [`Group::bounds`] to say so;
//! - a group is removed with its end; what a jail that was killed has left, the next one removes.
//!
//! In the newer hierarchy processes live in leaves only, so that the group is made beside the host's
//! own, in what `systemd --user` has left to the user. In the older ones it is made below it.

use crate::profile::Limits;
use crate::strength::Bounds;
use rustix::fs::{AtFlags, unlinkat};
use rustix::io::Errno;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// What the names of groups begin with; the number of the jail follows.
const PREFIX: &str = "majordomo-server-";
/// Which processes are in a group.
const PROCESSES: &str = "cgroup.procs";
/// Processes and threads of the jails themselves.
const JAILS: u64 = 4;
/// How long the kernel may take to see that a group is empty.
const REMOVE_TIMEOUT: Duration = Duration::from_secs(1);
/// How often it is asked.
const PACE: Duration = Duration::from_millis(2);

/// The group that this process is in, and all that it starts from now on.
pub(crate) struct Group {
    parts: Vec<Part>,
    bounds: Bounds,
}

impl Group {
    /// Makes one, as far as that can be done, and enters it.
    pub(crate) fn enter(limits: &Limits) -> Self {
        let mut group = Self {
            parts: Vec::new(),
            bounds: Bounds::default(),
        };
        for hierarchy in hierarchies() {
            if let Ok((part, bounds)) = Part::enter(&hierarchy, limits) {
                group.parts.push(part);
                group.bounds.memory |= bounds.memory;
                group.bounds.processes |= bounds.processes;
            }
        }
        group
    }

    /// What it bounds.
    pub(crate) fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// The group in one hierarchy. With its end, this process goes back to where it was.
struct Part {
    /// The group where this process was before, to be written to.
    before: File,
    /// The folder in which the group lies: it can be removed where no path leads to it.
    parent: File,
    name: String,
}

impl Part {
    fn enter(hierarchy: &Hierarchy, limits: &Limits) -> io::Result<(Self, Bounds)> {
        let parent = hierarchy.parent();
        remove_left_over(parent);
        let part = Self {
            before: File::options()
                .write(true)
                .open(hierarchy.own.join(PROCESSES))?,
            parent: File::open(parent)?,
            name: format!("{PREFIX}{}", std::process::id()),
        };
        let path = parent.join(&part.name);
        // From here on, whatever fails removes it.
        fs::create_dir(&path)?;
        let bounds = hierarchy.bound(&path, limits);
        if bounds == Bounds::default() {
            return Err(ErrorKind::Unsupported.into());
        }
        fs::write(path.join(PROCESSES), "0")?;
        Ok((part, bounds))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // Where it never left, this changes nothing.
        let _ = self.before.write_all(b"0");
        let end = Instant::now() + REMOVE_TIMEOUT;
        while unlinkat(&self.parent, &self.name, AtFlags::REMOVEDIR) == Err(Errno::BUSY)
            && Instant::now() < end
        {
            thread::sleep(PACE);
        }
    }
}

/// Where this process is in one hierarchy of groups.
#[derive(Debug, PartialEq, Eq)]
struct Hierarchy {
    /// The folder of its group.
    own: PathBuf,
    /// The folder of all of them.
    root: PathBuf,
    /// Whether it is the newer one, of which there is one for everything.
    is_unified: bool,
}

impl Hierarchy {
    /// Where a group can be made.
    fn parent(&self) -> &Path {
        match self.own.parent() {
            Some(parent) if self.is_unified && self.own != self.root => parent,
            _ => &self.own,
        }
    }

    /// Bounds a group, as far as this hierarchy can, and says what is bounded then.
    fn bound(&self, group: &Path, limits: &Limits) -> Bounds {
        let set = |file, most: u64| set(&group.join(file), most);
        let memory = limits.memory_bytes;
        // What does not fit would go to the disk otherwise: the newer hierarchy counts that by
        // itself, the older one together with the memory.
        let (memory_file, swap_file, swap) = match self.is_unified {
            true => ("memory.max", "memory.swap.max", 0),
            false => (
                "memory.limit_in_bytes",
                "memory.memsw.limit_in_bytes",
                memory,
            ),
        };
        let is_memory_bounded = set(memory_file, memory).is_ok();
        let is_swap_bounded = match set(swap_file, swap) {
            Ok(()) => true,
            Err(error) => error.kind() == ErrorKind::NotFound && !has_swap(),
        };
        Bounds {
            memory: is_memory_bounded && is_swap_bounded,
            processes: set("pids.max", limits.processes + JAILS).is_ok(),
        }
    }
}

/// Sets a bound, and looks whether it is set: the kernel rounds it down to whole pages.
///
/// # Errors
/// `NotFound` if this group has no such bound, `Unsupported` if another one is in force than asked.
fn set(path: &Path, most: u64) -> io::Result<()> {
    let mut file = File::options().write(true).open(path)?;
    file.write_all(most.to_string().as_bytes())?;
    let set = fs::read_to_string(path)?;
    match set.trim().parse::<u64>() {
        Ok(set) if set <= most => Ok(()),
        _ => Err(ErrorKind::Unsupported.into()),
    }
}

/// Whether memory can go to a disk on this computer; in doubt, it can.
fn has_swap() -> bool {
    // One line of headings, and one for each.
    fs::read_to_string("/proc/swaps").map_or(true, |swaps| swaps.lines().count() > 1)
}

/// Removes groups of jails that are no more. One that is used cannot be removed.
fn remove_left_over(parent: &Path) {
    let found = fs::read_dir(parent).into_iter().flatten().flatten();
    for group in found {
        let name = group.file_name();
        let jail = name.to_str().and_then(|name| name.strip_prefix(PREFIX));
        if jail.is_some_and(|jail| !Path::new("/proc").join(jail).exists()) {
            let _ = fs::remove_dir(group.path());
        }
    }
}

/// Those by which something can be bounded.
fn hierarchies() -> Vec<Hierarchy> {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    found_in(&read("/proc/self/mountinfo"), &read("/proc/self/cgroup"))
}

fn found_in(mounts: &str, groups: &str) -> Vec<Hierarchy> {
    let mut found = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(group)) = (fields.next(), fields.next()) else {
            continue;
        };
        let is_unified = controllers.is_empty();
        let bounds_something = controllers
            .split(',')
            .any(|controller| matches!(controller, "" | "memory" | "pids"));
        if !bounds_something {
            continue;
        }
        let mounted = mounts.lines().find_map(|line| mounted(line, controllers));
        if let Some((mounted, root)) = mounted {
            let below = Path::new(group)
                .strip_prefix(mounted)
                .unwrap_or(Path::new(""));
            found.push(Hierarchy {
                own: root.join(below),
                root: root.to_owned(),
                is_unified,
            });
        }
    }
    found
}

/// Of a line about a mount: which group is mounted, and where, if it is of these controllers.
fn mounted<'a>(line: &'a str, controllers: &str) -> Option<(&'a Path, &'a Path)> {
    let (place, kind) = line.split_once(" - ")?;
    let mut place = place.split(' ').skip(3);
    let (group, path) = (place.next()?, place.next()?);
    let mut kind = kind.split(' ');
    let (name, options) = (kind.next()?, kind.nth(1)?);
    let is_it = match controllers {
        "" => name == "cgroup2",
        _ => {
            let mut wanted = controllers.split(',');
            name == "cgroup" && wanted.all(|one| options.split(',').any(|option| option == one))
        }
    };
    is_it.then_some((Path::new(group), Path::new(path)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn on_a_desktop_the_group_is_made_beside_the_hosts_own() {
        let mounts =
            "29 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";
        let apps = "/user.slice/user-1000.slice/user@1000.service/app.slice";
        let found = found_in(mounts, &format!("0::{apps}/app-majordomo.scope\n"));
        let [hierarchy] = &found[..] else {
            panic!("{found:?}")
        };
        assert!(hierarchy.is_unified);
        let expected = format!("/sys/fs/cgroup{apps}");
        assert_eq!(hierarchy.parent(), Path::new(&expected));
    }

    #[test]
    fn in_a_container_nothing_is_made_outside_of_it() {
        let mounts = "29 23 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup2 rw";
        for groups in ["0::/docker/1\n", "0::/\n"] {
            let found = found_in(mounts, groups);
            let parents: Vec<&Path> = found.iter().map(Hierarchy::parent).collect();
            assert_eq!(parents, [Path::new("/sys/fs/cgroup")], "{groups}");
        }
    }

    #[test]
    fn on_an_older_system_the_group_is_made_below() {
        let mounts = "30 29 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                      31 29 0:28 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
                      32 29 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n";
        let found = found_in(mounts, "8:pids:/\n4:memory:/one/two\n1:cpu:/one\n");
        let parents: Vec<&Path> = found.iter().map(Hierarchy::parent).collect();
        let expected = ["/sys/fs/cgroup/pids", "/sys/fs/cgroup/memory/one/two"];
        assert_eq!(parents, expected.map(Path::new));
    }

    /// The folder of a group, with these files in it.
    struct TestGroup(PathBuf);

    impl TestGroup {
        fn with(name: &str, files: &[&str]) -> Self {
            let folder = format!("majordomo-cgroup-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            fs::create_dir(&folder).unwrap();
            for file in files {
                fs::write(folder.join(file), "").unwrap();
            }
            Self(folder)
        }

        fn bound(&self, is_unified: bool) -> Bounds {
            let hierarchy = Hierarchy {
                own: self.0.clone(),
                root: self.0.clone(),
                is_unified,
            };
            let limits = Limits {
                memory_bytes: 4096,
                processes: 5,
                ..Limits::default()
            };
            hierarchy.bound(&self.0, &limits)
        }

        fn value(&self, file: &str) -> String {
            fs::read_to_string(self.0.join(file)).unwrap()
        }
    }

    impl Drop for TestGroup {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_does_not_fit_into_memory_goes_nowhere_else() {
        let files = ["memory.max", "memory.swap.max", "pids.max"];
        let group = TestGroup::with("unified", &files);
        let all = Bounds {
            memory: true,
            processes: true,
        };
        assert_eq!(group.bound(true), all);
        assert_eq!(files.map(|file| group.value(file)), ["4096", "0", "9"]);
        let files = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"];
        let group = TestGroup::with("older", &files);
        assert!(group.bound(false).memory);
        assert_eq!(files.map(|file| group.value(file)), ["4096", "4096"]);
    }

    #[test]
    fn a_bound_that_is_not_in_force_is_not_said_to_be() {
        let group = TestGroup::with("not-in-force", &["memory.swap.max"]);
        // What is written there is nowhere to be read.
        for file in ["memory.max", "pids.max"] {
            std::os::unix::fs::symlink("/dev/null", group.0.join(file)).unwrap();
        }
        assert_eq!(group.bound(true), Bounds::default());
        let group = TestGroup::with("swapping", &["memory.max"]);
        std::os::unix::fs::symlink("/dev/null", group.0.join("memory.swap.max")).unwrap();
        assert_eq!(group.bound(true), Bounds::default());
    }
}
