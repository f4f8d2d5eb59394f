//! What a program may not do in folders that it was given.

use super::call::Argument::Text;
use super::call::call;
use super::files::text;
use super::{Attempt, Hidden, hidden};
use rustix::fs::{
    AtFlags, CWD, FileType, Mode, OFlags, RenameFlags, chmodat, mknodat, openat, renameat_with,
};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;

/// What must be possible on every tier: where nothing works, everything is denied.
pub(super) const MUST_WORK: &[Attempt] = &[
    Attempt::anyone("uses_what_it_was_given", |to| {
        fs::read(to.given.join("file"))?;
        fs::read("/proc/self/maps")?;
        for folder in [&to.root, &to.home] {
            let (one, other) = (folder.join("one"), folder.join("other"));
            fs::write(&one, "mine")?;
            fs::rename(one, &other)?;
            fs::remove_file(other)?;
        }
        let status = std::process::Command::new("/bin/true").status()?;
        Ok(format!("it works: {status}"))
    }),
    hidden::with(
        Hidden::Missing,
        "uses_what_lies_around_something_hidden",
        |to| {
            fs::write(to.root.join("file"), "changed")?;
            fs::write(to.root.join("around/free/new"), "mine")?;
            fs::create_dir(to.root.join("free/new"))?;
            Ok("it works".to_owned())
        },
    ),
];

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("writes_to_a_file_that_it_may_only_read", |to| {
        let mut file = File::options().append(true).open(to.given.join("file"))?;
        file.write_all(b"changed").map(|()| "written".to_owned())
    }),
    Attempt::anyone("makes_a_file_where_it_may_only_read", |to| {
        File::create_new(to.given.join("new")).map(|_| "made".to_owned())
    }),
    Attempt::anyone("deletes_a_file_that_it_may_only_read", |to| {
        fs::remove_file(to.given.join("file")).map(|()| "deleted".to_owned())
    }),
    Attempt::anyone("changes_the_mode_of_a_file_that_it_may_only_read", |to| {
        chmodat(CWD, to.given.join("file"), Mode::RWXU, AtFlags::empty())?;
        Ok("changed".to_owned())
    }),
    Attempt::anyone(
        "changes_a_file_that_it_may_only_read_by_a_hard_link",
        |to| {
            let here = to.root.join("new");
            fs::hard_link(to.given.join("file"), &here)?;
            fs::write(here, "changed").map(|()| "written".to_owned())
        },
    ),
    Attempt::anyone("makes_a_hard_link_to_a_file_that_it_may_only_read", |to| {
        fs::hard_link(to.given.join("file"), to.root.join("new")).map(|()| "made".to_owned())
    }),
    Attempt::anyone("makes_a_hard_link_where_it_may_only_read", |to| {
        let mine = to.root.join("mine");
        fs::write(&mine, "mine")?;
        fs::hard_link(mine, to.given.join("new")).map(|()| "made".to_owned())
    }),
    // It runs as soon as somebody commits something there.
    Attempt::anyone(
        "leaves_a_hook_in_a_repository_that_it_may_only_read",
        |to| {
            let hook = to.given.join(".git/hooks/pre-commit");
            fs::write(hook, "#!/bin/sh\n").map(|()| "left".to_owned())
        },
    ),
    Attempt::anyone("replaces_the_hooks_of_such_a_repository", |to| {
        let (hooks, own) = (to.given.join(".git/hooks"), to.root.join("hooks"));
        fs::create_dir(&own)?;
        fs::write(own.join("pre-commit"), "#!/bin/sh\n")?;
        renameat_with(CWD, own, CWD, hooks, RenameFlags::EXCHANGE)?;
        Ok("replaced".to_owned())
    }),
    Attempt::anyone("leads_the_hooks_of_such_a_repository_to_its_own", |to| {
        let hooks = to.given.join(".git/hooks");
        fs::remove_dir(&hooks)?;
        symlink(&to.root, hooks).map(|()| "led there".to_owned())
    }),
    Attempt::anyone("leaves_a_program_that_makes_others_its_user", |to| {
        let path = to.root.join("program");
        fs::write(&path, "")?;
        chmodat(CWD, path, Mode::SUID | Mode::RWXU, AtFlags::empty())?;
        Ok("left".to_owned())
    }),
    Attempt::anyone("leaves_such_a_program_by_the_way_it_is_made", |to| {
        let flags = OFlags::CREATE | OFlags::WRONLY;
        openat(CWD, to.root.join("program"), flags, Mode::SUID | Mode::RWXU)?;
        Ok("left".to_owned())
    }),
    Attempt::anyone("leaves_such_a_program_by_the_newer_call", |to| {
        let path = text(&to.root.join("program"))?;
        let how = [
            u64::from((libc::O_CREAT | libc::O_WRONLY).cast_unsigned()).to_ne_bytes(),
            0o4700_u64.to_ne_bytes(),
            [0; 8],
        ]
        .concat();
        call(
            libc::SYS_openat2,
            [
                libc::AT_FDCWD.into(),
                Text(&path),
                super::call::Argument::In(&how),
                24.into(),
            ],
        )
        .map(|_| "left".to_owned())
    }),
    Attempt::root("makes_a_device_in_its_folder", |to| {
        let null = rustix::fs::makedev(1, 3);
        let path = to.root.join("device");
        mknodat(CWD, path, FileType::CharacterDevice, Mode::RWXU, null)?;
        Ok("made".to_owned())
    }),
];
