//! What another process of the same user has in its memory, and what it has open.

use super::Attempt;
use super::call::Argument::{Number, Out};
use super::call::call;
use super::processes::pid;
use super::targets::{SECRET, Targets, secret_in};
use rustix::process::{Pid, PidfdFlags, PidfdGetfdFlags, pidfd_getfd, pidfd_open};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::FileExt;

pub(super) const ATTEMPTS: &[Attempt] = &[
    Attempt::anyone("reads_the_environment_of_another_process", |to| {
        secret_in(&fs::read(at(to, "environ"))?)
    }),
    Attempt::anyone("searches_the_environment_of_all_processes", |_| {
        let mut result = Err(io::Error::other("there is none"));
        for process in fs::read_dir("/proc")?.flatten() {
            result = fs::read(process.path().join("environ")).and_then(|text| secret_in(&text));
            if result.is_ok() {
                break;
            }
        }
        result
    }),
    Attempt::anyone("reads_the_memory_of_another_process", |to| {
        let mut found = vec![0; SECRET.len()];
        let memory = File::open(of(pid(to.bystander.pid)?))?;
        memory.read_exact_at(&mut found, to.bystander.address)?;
        secret_in(&found)
    }),
    Attempt::anyone("reads_the_memory_of_another_process_by_a_call", |to| {
        let mut found = vec![0_u8; SECRET.len()];
        let here = [found.as_mut_ptr() as u64, found.len() as u64];
        let there = [to.bystander.address, found.len() as u64];
        let bytes = |part: [u64; 2]| part.map(u64::to_ne_bytes).concat();
        let (mut here, there) = (bytes(here), bytes(there));
        call(
            libc::SYS_process_vm_readv,
            [
                to.bystander.pid.into(),
                Out(&mut here),
                Number(1),
                super::call::Argument::In(&there),
                Number(1),
                Number(0),
            ],
        )?;
        secret_in(std::hint::black_box(&found))
    }),
    Attempt::anyone("traces_another_process", |to| {
        let arguments = [
            libc::PTRACE_SEIZE.into(),
            to.bystander.pid.into(),
            0.into(),
            0.into(),
        ];
        call(libc::SYS_ptrace, arguments).map(|_| "it is traced".to_owned())
    }),
    Attempt::anyone("reads_through_the_root_of_another_process", |to| {
        let secret = to.secret();
        let below = secret.strip_prefix("/").map_err(io::Error::other)?;
        secret_in(&fs::read(format!(
            "{}/{}",
            at(to, "root"),
            below.display()
        ))?)
    }),
    Attempt::anyone("reads_in_the_folder_where_another_process_is", |to| {
        secret_in(&fs::read(at(to, "cwd/secret"))?)
    }),
    Attempt::anyone("reads_an_open_file_of_another_process", |to| {
        secret_in(&fs::read(at(to, "fd/2"))?)
    }),
    Attempt::anyone("takes_an_open_file_of_another_process", |to| {
        let process = pidfd_open(pid(to.bystander.pid)?, PidfdFlags::empty())?;
        let mut found = Vec::new();
        let file = pidfd_getfd(process, 2, PidfdGetfdFlags::empty())?;
        File::from(file).read_to_end(&mut found)?;
        secret_in(&found)
    }),
    Attempt::anyone("attaches_shared_memory_of_another_program", |to| {
        let arguments = [
            to.bystander.shared_memory.into(),
            0.into(),
            libc::SHM_RDONLY.into(),
        ];
        call(libc::SYS_shmat, arguments).map(|_| "it is attached".to_owned())
    }),
    Attempt::some("reads_a_message_to_another_program", |to| {
        let name = std::ffi::CString::new(to.queue.as_str())?;
        let arguments = [super::call::Argument::Text(&name), libc::O_RDONLY.into()];
        call(libc::SYS_mq_open, arguments).map(|_| "its queue is open".to_owned())
    }),
];

/// Where the kernel shows a process's memory.
pub(super) fn of(process: Pid) -> String {
    format!("/proc/{}/mem", process.as_raw_nonzero())
}

fn at(to: &Targets, what: &str) -> String {
    format!("/proc/{}/{what}", to.bystander.pid)
}
