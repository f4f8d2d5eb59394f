//! Which files a confined server can open, to whom it can send signals, and which sockets without a
//! path it can reach. What it starts is bound in the same way, and none of it can be taken back.

use super::base;
use super::mounts::is_folder;
use super::paths::{Destination, Links, follow, follow_without_links, hold};
use crate::profile::{Profile, Tier};
use landlock::{
    ABI, Access, AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, Ruleset, RulesetAttr,
    RulesetCreated, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
};
use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

/// The newest rights that are asked for. A kernel that does not know the newer ones of them refuses
/// less, and nothing that a tier promises.
const NEWEST: ABI = ABI::V6;

/// The rules of one server, with the files that they are about held open.
pub(crate) struct Rules {
    rules: RulesetCreated,
    tier: Tier,
}

/// Something that is held open, and what may be done with it and everything below it.
type Given = (OwnedFd, BitFlags<AccessFs>);

impl Rules {
    /// Those for a profile. What is named and not there is left out: it cannot be opened either.
    /// Fails where the system does not know what the tier needs, and where something is to be
    /// hidden that the tier cannot hide.
    pub(crate) fn of(profile: &Profile) -> io::Result<Self> {
        let all = AccessFs::from_all(NEWEST);
        let needed = match profile.tier {
            Tier::Namespaces => ABI::V1,
            Tier::Landlock => ABI::V3,
            Tier::Seatbelt | Tier::AppContainer => return Err(ErrorKind::Unsupported.into()),
        };
        let rules = Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(needed))
            .map_err(io::Error::other)?
            .set_compatibility(CompatLevel::BestEffort)
            .handle_access(all)
            .and_then(|rules| rules.scope(Scope::from_all(NEWEST)))
            .and_then(Ruleset::create)
            .map_err(io::Error::other)?;
        let rules = given(profile)?
            .into_iter()
            .try_fold(rules, |rules, (held, rights)| {
                rules.add_rule(PathBeneath::new(held, rights))
            })
            .map_err(io::Error::other)?;
        Ok(Self {
            rules,
            tier: profile.tier,
        })
    }

    /// Puts them into force, for this thread and all that it starts.
    pub(crate) fn apply(self) -> io::Result<()> {
        let rules = match self.tier {
            // Only now it is known who that is.
            Tier::Landlock => self.rules.add_rules(path_beneath_rules(
                [base::ABOUT_ITSELF],
                rights(base::Access::Read),
            )),
            Tier::Namespaces | Tier::Seatbelt | Tier::AppContainer => Ok(self.rules),
        };
        let status = rules
            .and_then(RulesetCreated::restrict_self)
            .map_err(io::Error::other)?;
        // What a tier needs was asked for as a must; less than all of the rest is as promised.
        if status.ruleset == RulesetStatus::NotEnforced || !status.no_new_privs {
            return Err(ErrorKind::Unsupported.into());
        }
        Ok(())
    }
}

fn rights(access: base::Access) -> BitFlags<AccessFs> {
    let read = AccessFs::ReadFile | AccessFs::ReadDir;
    match access {
        base::Access::Read => read,
        base::Access::Execute => read | AccessFs::Execute,
        base::Access::Device => AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::IoctlDev,
        // Neither devices nor sockets of the kernel's own are made in a folder.
        base::Access::Change => {
            let special = AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev;
            AccessFs::from_all(NEWEST) ^ special
        }
    }
}

/// What every program needs, and what the profile gives. Where something would be hidden that is not
/// there, nothing is made: neither there nor, as Landlock cannot say less below than above, in the
/// folders around it.
fn given(profile: &Profile) -> io::Result<Vec<Given>> {
    let places = places(profile)?;
    let mut closed = BTreeSet::new();
    for path in &profile.hidden {
        match follow(path, &mut Links::new())? {
            Destination::Missing(folder) => {
                closed.extend(folder.ancestors().map(Path::to_owned));
            }
            Destination::Found(path) if profile.tier == Tier::Landlock => refuse(&places, &path)?,
            // Something lies over it.
            Destination::Found(_) => {}
        }
    }
    let mut given = Vec::new();
    for (path, access) in places {
        match access {
            base::Access::Change => give(path, &closed, &mut given)?,
            // What cannot be held cannot be opened either.
            _ => given.extend(hold(&path).and_then(|held| with(held, rights(access)))),
        }
    }
    Ok(given)
}

/// Where all of it really lies, as far as it is there.
fn places(profile: &Profile) -> io::Result<Vec<(PathBuf, base::Access)>> {
    let mut places = Vec::new();
    let read = profile.read.iter().cloned();
    let read = read.map(|path| (path, base::Access::Execute));
    for (path, access) in base::folders(profile.tier).into_iter().chain(read) {
        // What cannot be found cannot be opened either.
        if let Ok(Destination::Found(path)) = follow(&path, &mut Links::new()) {
            places.push((path, access));
        }
    }
    for path in profile.write.iter().chain([&profile.home]) {
        match follow_without_links(path) {
            Ok(Destination::Found(path)) => places.push((path, base::Access::Change)),
            Err(error) if error.kind() == ErrorKind::InvalidInput => return Err(error),
            Ok(Destination::Missing(_)) | Err(_) => {}
        }
    }
    Ok(places)
}

/// Lets a folder be changed, but for what is closed in it. Fails if a link lies where it was.
fn give(path: PathBuf, closed: &BTreeSet<PathBuf>, given: &mut Vec<Given>) -> io::Result<()> {
    let change = rights(base::Access::Change);
    let held = match hold(&path) {
        // It has gone.
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        held => held?,
    };
    if !closed.contains(&path) {
        given.push(with(held, change)?);
        return Ok(());
    }
    for below in fs::read_dir(&path)? {
        let below = below?;
        if below.file_type()?.is_dir() {
            give(below.path(), closed, given)?;
        }
    }
    let makes = AccessFs::MakeReg
        | AccessFs::MakeDir
        | AccessFs::MakeSym
        | AccessFs::MakeFifo
        | AccessFs::MakeSock;
    given.push(with(held, change ^ makes)?);
    Ok(())
}

/// What is no folder has no rights about what lies in it.
fn with(held: OwnedFd, rights: BitFlags<AccessFs>) -> io::Result<Given> {
    let rights = if is_folder(&held)? {
        rights
    } else {
        rights & AccessFs::from_file(NEWEST)
    };
    Ok((held, rights))
}

/// Fails if something that is to be hidden lies in what is given, the system's own included, or
/// around it: it cannot be taken out again.
fn refuse(places: &[(PathBuf, base::Access)], hidden: &Path) -> io::Result<()> {
    let overlaps =
        |place: &(PathBuf, _)| hidden.starts_with(&place.0) || place.0.starts_with(hidden);
    if places.iter().any(overlaps) {
        let problem = format!("{} cannot be hidden", hidden.display());
        return Err(io::Error::new(ErrorKind::Unsupported, problem));
    }
    Ok(())
}

/// Whether signals and sockets without a path end at the border, too: since Linux 6.12.
pub(crate) fn has_scopes() -> bool {
    Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::from_all(NEWEST))
        .and_then(Ruleset::create)
        .is_ok()
}
