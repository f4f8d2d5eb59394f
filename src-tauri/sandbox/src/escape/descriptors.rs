//! What whoever started the program had open.

use super::Attempt;
use super::call::Argument::{Number, Out};
use super::call::call;
use super::targets::{SECRET, secret_in};
use std::fs;
use std::io;

/// As far as it looks.
const MOST: i32 = 1024;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("reads_an_inherited_file", |to| {
        let mut found = vec![0; SECRET.len()];
        let arguments = [
            to.descriptor.into(),
            Out(&mut found),
            Number(SECRET.len() as i64),
        ];
        call(libc::SYS_read, arguments)?;
        secret_in(&found)
    }),
    Attempt::anyone("finds_an_inherited_descriptor", |_| {
        let is_open =
            |number: &i32| call(libc::SYS_fcntl, [(*number).into(), libc::F_GETFD.into()]).is_ok();
        let found: Vec<i32> = (3..MOST).filter(is_open).collect();
        if found.is_empty() {
            return Err(io::Error::other("there is none"));
        }
        Ok(format!("{found:?} are open"))
    }),
    Attempt::anyone("opens_an_inherited_file_anew", |to| {
        secret_in(&fs::read(format!("/proc/self/fd/{}", to.descriptor))?)
    }),
];
