//! What lies hidden in a folder that the program was given.

use super::files::read;
use super::targets::Targets;
use super::{Attempt, Hidden};
use std::fs;
use std::io;

const fn attempt(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Attempt {
    with(Hidden::There, name, act)
}

const fn missing(name: &'static str, act: fn(&Targets) -> io::Result<String>) -> Attempt {
    with(Hidden::Missing, name, act)
}

pub(super) const fn with(
    hidden: Hidden,
    name: &'static str,
    act: fn(&Targets) -> io::Result<String>,
) -> Attempt {
    Attempt {
        hidden,
        ..Attempt::anyone(name, act)
    }
}

pub(super) const ATTEMPTS: &[Attempt] = &[
    attempt("reads_in_a_hidden_folder", |to| {
        read(&to.root.join("hidden/secret"))
    }),
    attempt("lists_a_hidden_folder", |to| {
        let found = fs::read_dir(to.root.join("hidden"))?.count();
        Ok(format!("{found} names"))
    }),
    attempt("makes_a_file_in_a_hidden_folder", |to| {
        fs::write(to.root.join("hidden/new"), "").map(|()| "made".to_owned())
    }),
    attempt("reads_a_hidden_file", |to| read(&to.root.join(".secret"))),
    attempt("replaces_a_hidden_file", |to| {
        let here = to.root.join("mine");
        fs::write(&here, "mine")?;
        fs::rename(here, to.root.join(".secret")).map(|()| "replaced".to_owned())
    }),
    attempt("makes_a_hard_link_to_a_hidden_file", |to| {
        let here = to.root.join("new");
        fs::hard_link(to.root.join(".secret"), &here)?;
        read(&here)
    }),
    attempt("makes_a_hard_link_to_a_file_in_a_hidden_folder", |to| {
        let here = to.root.join("new");
        fs::hard_link(to.root.join("hidden/secret"), &here)?;
        read(&here)
    }),
    attempt("renames_a_hidden_folder", |to| {
        fs::rename(to.root.join("hidden"), to.root.join("new"))?;
        read(&to.root.join("new/secret"))
    }),
    // What is hidden by its path is hidden no more when it is started the next time.
    attempt("renames_the_folder_around_a_hidden_one", |to| {
        fs::rename(to.root.join("around"), to.root.join("new")).map(|()| "renamed".to_owned())
    }),
    attempt(
        "renames_such_a_folder_in_one_that_it_was_given_twice",
        |to| {
            let folder = to.root.join("twice");
            fs::rename(folder.join("around"), folder.join("new")).map(|()| "renamed".to_owned())
        },
    ),
    attempt("reads_what_was_hidden_by_another_path", |to| {
        read(&to.root.join("aliased/secret"))
    }),
    // Such as what runs when the person signs in.
    missing("makes_a_file_that_would_be_hidden", |to| {
        fs::write(to.root.join(".profile"), "").map(|()| "made".to_owned())
    }),
    missing("moves_a_file_to_where_one_would_be_hidden", |to| {
        let mine = to.root.join("free/mine");
        fs::write(&mine, "mine")?;
        fs::rename(mine, to.root.join(".profile")).map(|()| "moved".to_owned())
    }),
    missing("makes_a_link_where_a_file_would_be_hidden", |to| {
        let path = to.root.join(".profile");
        std::os::unix::fs::symlink("free", path).map(|()| "made".to_owned())
    }),
    missing("makes_a_file_in_a_folder_that_would_be_hidden", |to| {
        let folder = to.root.join("around/autostart");
        fs::create_dir(&folder)?;
        fs::write(folder.join("program"), "").map(|()| "made".to_owned())
    }),
    missing("makes_what_would_be_hidden_by_another_path", |to| {
        fs::write(to.root.join("free/aliased"), "").map(|()| "made".to_owned())
    }),
    missing("puts_a_folder_where_one_around_would_be", |to| {
        fs::create_dir(to.root.join("free/other"))?;
        fs::rename(to.root.join("around"), to.root.join("free/away"))?;
        fs::rename(to.root.join("free/other"), to.root.join("around"))
            .map(|()| "replaced".to_owned())
    }),
];
