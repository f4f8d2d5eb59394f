//! What the jail does not start, because it could not keep a promise about it.

use libtest_mimic::Failed;
use rustix::io::{FdFlags, fcntl_setfd};
use sandbox::lifeline::{Report, SOCKETS};
use sandbox::profile::{Network, Profile, Tier};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::os::fd::AsRawFd;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TIERS: [Tier; 2] = [Tier::Namespaces, Tier::Landlock];

/// A folder that is given, its home, and a link to each.
struct Scene {
    jail: PathBuf,
    base: PathBuf,
}

impl Scene {
    fn set(jail: &Path) -> io::Result<Self> {
        let folder = jail.with_file_name("scene");
        fs::create_dir(&folder)?;
        let base = folder.canonicalize()?;
        for folder in ["root/inner", "home"] {
            fs::create_dir_all(base.join(folder))?;
        }
        symlink("root", base.join("link"))?;
        symlink("home", base.join("home-link"))?;
        Ok(Self {
            jail: jail.to_owned(),
            base,
        })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    fn profile(&self, tier: Tier) -> Profile {
        Profile {
            write: vec![self.at("root")],
            home: self.at("home"),
            ..Profile::nothing(tier)
        }
    }

    /// What the jail says of the start of a program.
    fn report(&self, profile: &Profile) -> io::Result<Option<Report>> {
        let path = self.at("profile");
        let mut written = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)?;
        serde_json::to_writer(&mut written, profile)?;
        written.flush()?;
        let (ours, theirs) = UnixStream::pair()?;
        fcntl_setfd(&theirs, FdFlags::empty())?;
        fcntl_setfd(&written, FdFlags::empty())?;
        let mut jail = Command::new(&self.jail)
            .args(["--lifeline", &theirs.as_raw_fd().to_string()])
            .args(["--profile", &written.as_raw_fd().to_string()])
            .args(["--", "/bin/true"])
            .stdin(Stdio::null())
            .spawn()?;
        drop(theirs);
        let (mut lines, mut line) = (BufReader::new(ours), String::new());
        lines.read_line(&mut line)?;
        if line == SOCKETS {
            line.clear();
            lines.read_line(&mut line)?;
        }
        drop(lines);
        jail.wait()?;
        Ok(Report::from_line(&line))
    }

    /// Fails if a program starts with this profile, or cannot start for another reason than that
    /// it cannot be confined. A tier that this computer does not have refuses all of them.
    fn refuses(&self, profile: &Profile) -> Result<(), Failed> {
        match self.report(profile)? {
            Some(Report::NotConfined { .. }) => Ok(()),
            other => Err(format!("{other:?} with {profile:?}").into()),
        }
    }

    fn starts(&self, profile: &Profile) -> io::Result<bool> {
        let report = self.report(profile)?;
        Ok(matches!(report, Some(Report::Started(_))))
    }
}

pub(crate) fn nothing_is_changed_through_a_link(jail: &Path) -> Result<(), Failed> {
    let scene = Scene::set(jail)?;
    for tier in TIERS {
        let plain = scene.profile(tier);
        if !scene.starts(&plain)? {
            println!("{} is not to be had", tier.word());
            continue;
        }
        for link in ["link", "link/inner", "link/new"] {
            let write = vec![scene.at(link)];
            scene.refuses(&Profile {
                write,
                ..plain.clone()
            })?;
        }
        let home = scene.at("home-link");
        scene.refuses(&Profile {
            home,
            ..plain.clone()
        })?;
        // What is only read may lie behind one.
        let read = vec![scene.at("link/inner")];
        if !scene.starts(&Profile { read, ..plain })? {
            return Err("what is read does not lie behind a link".into());
        }
    }
    Ok(())
}

pub(crate) fn hosts_are_listed_on_a_network_of_its_own_only(jail: &Path) -> Result<(), Failed> {
    let scene = Scene::set(jail)?;
    let listed = |tier| Profile {
        network: Network::Listed {
            ports: [443].into(),
            addresses: [].into(),
        },
        ..scene.profile(tier)
    };
    scene.refuses(&listed(Tier::Landlock))?;
    if scene.starts(&scene.profile(Tier::Namespaces))?
        && !scene.starts(&listed(Tier::Namespaces))?
    {
        return Err("it does not start on a network of its own".into());
    }
    Ok(())
}

pub(crate) fn what_landlock_cannot_hide_is_not_given(jail: &Path) -> Result<(), Failed> {
    let scene = Scene::set(jail)?;
    let hiding = |path: PathBuf| Profile {
        hidden: vec![path],
        ..scene.profile(Tier::Landlock)
    };
    let around = scene.base.clone();
    for hidden in [scene.at("root/inner"), around, "/usr/lib".into()] {
        scene.refuses(&hiding(hidden))?;
    }
    let plain = scene.profile(Tier::Landlock);
    fs::create_dir(scene.at("beside"))?;
    if scene.starts(&plain)? && !scene.starts(&hiding(scene.at("beside")))? {
        return Err("what lies beside all that is given is hidden already".into());
    }
    Ok(())
}
