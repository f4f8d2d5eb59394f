//! The AppContainer of a server: an identity that only what names it lets in.
//!
//! Always true here:
//! - the identity follows from the whole profile: what was given to a server under another profile
//!   is not given under this one, though Windows still has it written down;
//! - what cannot be given, or cannot be kept back, is an error.

use super::one_line;
use crate::profile::{Network, Profile, Tier};
use rappct::AppContainerProfile;
use rappct::acl::{AccessMask, ResourcePath, grant_to_package};
use rappct::sid::AppContainerSid;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Read a file, look into a folder, run a program.
const READ: AccessMask = AccessMask(0x0012_00A9);

/// That, and write, make, rename and remove; neither say who may do so, nor become the owner.
const CHANGE: AccessMask = AccessMask(0x0013_01BF);

/// The same of a folder, but for making something in it.
const MAKE_NOTHING: AccessMask = AccessMask(CHANGE.0 & !0x0000_0006);

/// `internetClient`, `internetClientServer`, `privateNetworkClientServer`. Programs on this
/// computer are not reached by any of them.
const ALL_NETWORKS: [&str; 3] = ["S-1-15-3-1", "S-1-15-3-2", "S-1-15-3-3"];

/// One that has been given what its profile names.
pub(super) struct Container {
    made: AppContainerProfile,
    /// What it may do besides, as such.
    pub(super) capabilities: &'static [&'static str],
}

impl Container {
    /// Makes the one for a profile. Fails where Windows cannot enforce it.
    pub(super) fn of(profile: &Profile) -> io::Result<Self> {
        let capabilities: &[_] = match (&profile.network, profile.tier) {
            (Network::None, Tier::AppContainer) => &[],
            (Network::Open, Tier::AppContainer) => &ALL_NETWORKS,
            _ => return Err(ErrorKind::Unsupported.into()),
        };
        let name = name_of(profile)?;
        let made = AppContainerProfile::ensure(&name, "Majordomo", Some("A server of Majordomo"))
            .map_err(problem)?;
        let read = real(profile.read.iter())?;
        for path in profile.write.iter().chain([&profile.home]) {
            refuse_links(path)?;
        }
        let changed = real(profile.write.iter().chain([&profile.home]))?;
        let closed = closed(&profile.hidden, || read.iter().chain(&changed))?;
        for path in read.iter().filter(|path| !is_open_to_all(path)) {
            give(path, &made.sid, READ)?;
        }
        for path in &changed {
            give_to_change(path, &closed, &made.sid)?;
        }
        Ok(Self { made, capabilities })
    }

    /// Who it is, as a security identifier in text.
    pub(super) fn identity(&self) -> &str {
        self.made.sid.as_string()
    }

    /// Lets Windows forget it. Nothing runs in it any more.
    pub(super) fn forget(self) -> io::Result<()> {
        self.made.delete().map_err(problem)
    }
}

/// Its name, which follows from all that the profile says.
fn name_of(profile: &Profile) -> io::Result<String> {
    let digest = Sha256::digest(serde_json::to_vec(profile)?);
    let digits: String = digest[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    Ok(format!("majordomo-{digits}"))
}

/// Where paths really lie. What is not there cannot be opened either.
fn real<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> io::Result<Vec<PathBuf>> {
    paths
        .map(dunce::canonicalize)
        .filter(|found| !matches!(found, Err(error) if error.kind() == ErrorKind::NotFound))
        .collect()
}

/// Folders in which nothing is made, because something that is to be hidden would lie there; and as
/// what is given to a folder goes on to all in it, the folders around them. Fails if something that
/// is there lies in what is given, or around it: it cannot be taken out again.
fn closed<'a, Given: Iterator<Item = &'a PathBuf>>(
    hidden: &[PathBuf],
    given: impl Fn() -> Given,
) -> io::Result<BTreeSet<PathBuf>> {
    let mut closed = BTreeSet::new();
    for path in hidden {
        match dunce::canonicalize(path) {
            Ok(path) => {
                if given().any(|given| path.starts_with(given) || given.starts_with(&path)) {
                    let problem = format!("{} cannot be hidden", path.display());
                    return Err(io::Error::new(ErrorKind::Unsupported, problem));
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let around = path.ancestors().find(|folder| folder.is_dir());
                let around = around.map(dunce::canonicalize).transpose()?;
                let around = around.iter().flat_map(|folder| folder.ancestors());
                closed.extend(around.map(Path::to_owned));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(closed)
}

/// Lets a file, or a folder with all in it, be used.
fn give(path: &Path, to: &AppContainerSid, access: AccessMask) -> io::Result<()> {
    let place = match path.is_dir() {
        true => ResourcePath::Directory(path.to_owned()),
        false => ResourcePath::File(path.to_owned()),
    };
    grant_to_package(place, to, access).map_err(problem)
}

/// Lets a folder be changed, but for what is closed in it.
fn give_to_change(path: &Path, closed: &BTreeSet<PathBuf>, to: &AppContainerSid) -> io::Result<()> {
    if !closed.contains(path) {
        return give(path, to, CHANGE);
    }
    for below in fs::read_dir(path)? {
        let below = below?;
        // What a link leads to was not given.
        if !below.file_type()?.is_symlink() {
            give_to_change(&below.path(), closed, to)?;
        }
    }
    let alone = ResourcePath::File(path.to_owned());
    grant_to_package(alone, to, MAKE_NOTHING).map_err(problem)
}

/// Fails if a part of a path is a link: who may change where it leads would choose what is given.
fn refuse_links(path: &Path) -> io::Result<()> {
    for part in path.ancestors() {
        match fs::symlink_metadata(part) {
            Ok(found) if found.file_type().is_symlink() => {
                let problem = format!("{} is a link", part.display());
                return Err(io::Error::new(ErrorKind::InvalidInput, problem));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
            Ok(_) | Err(_) => {}
        }
    }
    Ok(())
}

/// Whether Windows lets every AppContainer read it already: the system's own folders, whose rights
/// only an administrator changes.
fn is_open_to_all(path: &Path) -> bool {
    ["SystemRoot", "ProgramFiles", "ProgramFiles(x86)"]
        .iter()
        .filter_map(|name| dunce::canonicalize(std::env::var_os(name)?).ok())
        .any(|folder| path.starts_with(folder))
}

fn problem(error: rappct::AcError) -> io::Error {
    io::Error::other(one_line(&error.to_string()))
}
