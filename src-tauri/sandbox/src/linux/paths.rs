//! Where paths lead, and how what lies there is opened.
//!
//! Always true here: [`hold`] goes through no link. Whoever could put one there after the path was
//! looked at makes the start fail, and gains nothing.

use rustix::fs::{CWD, FileType, Mode, OFlags, ResolveFlags, fstat, open, openat, openat2};
use rustix::io::Errno;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};

/// How many links a path may lead through.
const MOST_LINKS: usize = 40;

/// The links on the way, with what stands in them.
pub(super) type Links = BTreeMap<PathBuf, PathBuf>;

/// Where a path leads: no part of it is a link.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// There.
    Found(PathBuf),
    /// Nowhere yet: it ends in this folder, in which the rest could be made.
    Missing(PathBuf),
}

/// Follows a path, and notes the links on the way. Fails if it cannot be said where it leads.
pub(super) fn follow(path: &Path, noted: &mut Links) -> io::Result<Destination> {
    let mut rest = components(path);
    let (mut real, mut links) = (PathBuf::from("/"), 0);
    while let Some(name) = rest.pop_front() {
        if name == Path::new("..") {
            real.pop();
            continue;
        }
        let next = real.join(&name);
        match fs::symlink_metadata(&next) {
            Ok(found) if found.is_symlink() => {}
            Ok(_) => {
                real = next;
                continue;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return Ok(Destination::Missing(real));
            }
            Err(error) if error.kind() == ErrorKind::NotADirectory => {
                // A file could be removed, and a folder made in its place.
                real.pop();
                return Ok(Destination::Missing(real));
            }
            Err(error) => return Err(error),
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(Errno::LOOP.into());
        }
        let target = fs::read_link(&next)?;
        for name in components(&target).into_iter().rev() {
            rest.push_front(name);
        }
        if target.is_absolute() {
            real = PathBuf::from("/");
        }
        noted.insert(next, target);
    }
    Ok(Destination::Found(real))
}

/// Follows a path that may lead through no link: whoever can change a folder on its way could
/// otherwise lead it elsewhere after it was allowed.
///
/// # Errors
/// `InvalidInput` if a link is on the way, and as [`follow`].
pub(super) fn follow_without_links(path: &Path) -> io::Result<Destination> {
    let mut links = Links::new();
    let found = follow(path, &mut links)?;
    match links.keys().next() {
        None => Ok(found),
        Some(link) => {
            let problem = format!("{} is a symbolic link", link.display());
            Err(io::Error::new(ErrorKind::InvalidInput, problem))
        }
    }
}

/// Holds on to what lies at an absolute path, to which no link leads.
///
/// # Errors
/// `ELOOP`, or `ENOTDIR` on an old system, if one does.
pub(super) fn hold(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let links = ResolveFlags::NO_SYMLINKS;
    match openat2(CWD, path, flags, Mode::empty(), links) {
        // Some containers refuse what they do not know.
        Err(Errno::NOSYS | Errno::PERM) => hold_step_by_step(path),
        held => is_no_link(held?),
    }
}

/// As [`hold`], for a system without `openat2`.
fn hold_step_by_step(path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut held = open("/", flags | OFlags::DIRECTORY, Mode::empty())?;
    let mut rest = path.components().peekable();
    while let Some(part) = rest.next() {
        let name = match part {
            Component::RootDir => continue,
            Component::Normal(name) => name,
            Component::CurDir | Component::ParentDir | Component::Prefix(_) => {
                return Err(ErrorKind::InvalidInput.into());
            }
        };
        let is_last = rest.peek().is_none();
        let folder = if is_last {
            OFlags::empty()
        } else {
            OFlags::DIRECTORY
        };
        held = openat(&held, name, flags | folder, Mode::empty())?;
    }
    is_no_link(held)
}

/// With these flags a link itself can be opened.
fn is_no_link(held: OwnedFd) -> io::Result<OwnedFd> {
    match FileType::from_raw_mode(fstat(&held)?.st_mode) {
        FileType::Symlink => Err(Errno::LOOP.into()),
        _ => Ok(held),
    }
}

fn components(path: &Path) -> VecDeque<PathBuf> {
    path.components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| PathBuf::from(part.as_os_str()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder with `real/file`, and links to both.
    struct Scratch(PathBuf);

    impl Scratch {
        fn make(name: &str) -> Self {
            let folder = format!("majordomo-paths-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().canonicalize().unwrap().join(folder);
            fs::create_dir_all(folder.join("real")).unwrap();
            fs::write(folder.join("real/file"), "").unwrap();
            symlink("real", folder.join("link")).unwrap();
            symlink("file", folder.join("real/link")).unwrap();
            Self(folder)
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_a_link_leads_to_is_not_held() {
        let scratch = Scratch::make("hold");
        for hold in [hold, hold_step_by_step] {
            for (path, is_held) in [
                ("real", true),
                ("real/file", true),
                ("link", false),
                ("link/file", false),
                ("real/link", false),
                ("missing", false),
            ] {
                assert_eq!(hold(&scratch.0.join(path)).is_ok(), is_held, "{path}");
            }
        }
        assert!(hold_step_by_step(&scratch.0.join("link/../real")).is_err());
    }

    #[test]
    fn a_path_without_links_leads_where_it_says() {
        let scratch = Scratch::make("follow");
        let at = |path: &str| scratch.0.join(path);
        let follow = |path: &str| follow_without_links(&at(path)).ok();
        assert_eq!(
            follow("real/file"),
            Some(Destination::Found(at("real/file")))
        );
        assert_eq!(follow("real/new"), Some(Destination::Missing(at("real"))));
        for path in ["link", "link/file", "link/new", "real/link"] {
            assert_eq!(follow(path), None, "{path}");
        }
    }
}
