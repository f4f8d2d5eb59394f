//! Which system calls a confined server can make.
//!
//! Always true here:
//! - system calls of other architectures end the process; those that are newer than this file, and
//!   those of x32, are answered as by a kernel that does not know them;
//! - what has to do with other processes, other namespaces, mounts, keys, modules, tracing or
//!   `io_uring` is refused;
//! - no program is made that makes whoever starts it the server's user.

use super::landlock;
use crate::profile::{Network, Profile, Tier};
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen as Length, SeccompCmpOp as Op,
    SeccompCondition as Condition, SeccompFilter, SeccompRule as Rule, sock_filter,
};
use std::collections::BTreeMap;
use std::io;

/// The filters of one server, made before it is started, and put into force in its own process.
pub(crate) struct Filters(Vec<BpfProgram>);

/// `fchmodat2`, which has this number on every architecture, and which the C library does not know on
/// all of them.
const FCHMODAT2: libc::c_long = 452;

/// Refused with `EPERM`, whatever they are given.
const REFUSED: &[libc::c_long] = &[
    libc::SYS_acct,
    libc::SYS_add_key,
    libc::SYS_adjtimex,
    libc::SYS_bpf,
    libc::SYS_chroot,
    libc::SYS_clock_adjtime,
    libc::SYS_clock_settime,
    libc::SYS_delete_module,
    libc::SYS_fanotify_init,
    libc::SYS_finit_module,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_init_module,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_io_uring_setup,
    libc::SYS_kcmp,
    libc::SYS_kexec_file_load,
    libc::SYS_kexec_load,
    libc::SYS_keyctl,
    libc::SYS_lookup_dcookie,
    libc::SYS_mount,
    libc::SYS_mount_setattr,
    libc::SYS_move_mount,
    libc::SYS_name_to_handle_at,
    libc::SYS_nfsservctl,
    libc::SYS_open_by_handle_at,
    libc::SYS_open_tree,
    libc::SYS_perf_event_open,
    libc::SYS_pidfd_getfd,
    libc::SYS_pivot_root,
    libc::SYS_process_madvise,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_ptrace,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_reboot,
    libc::SYS_request_key,
    libc::SYS_setdomainname,
    libc::SYS_sethostname,
    libc::SYS_setns,
    libc::SYS_settimeofday,
    libc::SYS_swapoff,
    libc::SYS_swapon,
    libc::SYS_syslog,
    libc::SYS_umount2,
    libc::SYS_unshare,
    libc::SYS_userfaultfd,
    libc::SYS_vhangup,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ioperm,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_iopl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_modify_ldt,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_uselib,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_ustat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS__sysctl,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_sysfs,
];

/// What Landlock does not look at: refused where there is no other wall around the files.
const CHANGE_ATTRIBUTES: &[libc::c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_fremovexattr,
    libc::SYS_fsetxattr,
    libc::SYS_lremovexattr,
    libc::SYS_lsetxattr,
    libc::SYS_memfd_create,
    libc::SYS_removexattr,
    libc::SYS_setxattr,
    libc::SYS_utimensat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chmod,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_chown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_futimesat,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_lchown,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utime,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_utimes,
];

/// What other programs of the same user share with it by a number or a name that is no path:
/// refused where those are not its own.
const SHARED: &[libc::c_long] = &[
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_msgctl,
    libc::SYS_msgget,
    libc::SYS_msgrcv,
    libc::SYS_msgsnd,
    libc::SYS_semctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_shmget,
];

/// How fast a process runs, and where: its first argument is the process, 0 for itself.
const PACE: &[libc::c_long] = &[
    libc::SYS_sched_setaffinity,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
];

/// Likewise, with a kind before it, and the number of the kind "a process".
const PACE_OF_KIND: [(libc::c_long, u64); 2] =
    [(libc::SYS_setpriority, 0), (libc::SYS_ioprio_set, 1)];

/// Answered as by an old kernel: libraries then take an older call that can be looked into. What
/// these are given lies in memory.
const UNKNOWN: &[libc::c_long] = &[libc::SYS_clone3, libc::SYS_openat2];

/// The newest system call that this file knows: `mseal`. Those that follow change attributes of
/// files and copy mounts.
const NEWEST: u32 = 462;

/// Bits of a mode that make whoever starts a program its user, or a member of its group.
const SET_ID: [libc::mode_t; 2] = [libc::S_ISUID, libc::S_ISGID];

/// Which argument is the mode of a file.
const MODES: &[(libc::c_long, u8)] = &[
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    (FCHMODAT2, 2),
    (libc::SYS_mknodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
];

/// Likewise, if the argument before it says that a file is made.
const MODES_OF_NEW: &[(libc::c_long, u8)] = &[
    (libc::SYS_openat, 3),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 2),
];

/// Flags by which a file is made; of the second, only what it has alone.
const MAKES: [libc::c_int; 2] = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY];

/// Flags of `clone` that make namespaces.
const NAMESPACES: [libc::c_int; 7] = [
    libc::CLONE_NEWUSER,
    libc::CLONE_NEWNS,
    libc::CLONE_NEWPID,
    libc::CLONE_NEWNET,
    libc::CLONE_NEWIPC,
    libc::CLONE_NEWUTS,
    libc::CLONE_NEWCGROUP,
];

/// Requests of `ioctl` that put words into somebody's terminal.
const TYPE_AHEAD: [libc::c_ulong; 2] = [0x5412, 0x541c];

/// Protocols that programs use; the kernel has others that nobody has looked at for long.
const PROTOCOLS: [libc::c_int; 6] = [
    0,
    libc::IPPROTO_ICMP,
    libc::IPPROTO_ICMPV6,
    libc::IPPROTO_MPTCP,
    libc::IPPROTO_TCP,
    libc::IPPROTO_UDP,
];

/// Families of sockets that are known to be harmless where there is a network namespace.
const FAMILIES: [libc::c_int; 4] = [
    libc::AF_UNIX,
    libc::AF_INET,
    libc::AF_INET6,
    libc::AF_NETLINK,
];

impl Filters {
    /// Those for a profile. Fails if a rule cannot be written for this machine.
    pub(crate) fn of(profile: &Profile) -> io::Result<Self> {
        let unknown = filter(
            UNKNOWN.iter().map(|number| (*number, Vec::new())).collect(),
            libc::ENOSYS,
        )?;
        Ok(Self(vec![
            newer(),
            unknown,
            filter(refused(profile)?, libc::EPERM)?,
        ]))
    }

    /// Puts them into force, for this thread and all that it starts.
    pub(crate) fn apply(&self) -> io::Result<()> {
        // The last one speaks first.
        self.0
            .iter()
            .try_for_each(|program| seccompiler::apply_filter(program))
            .map_err(io::Error::other)
    }
}

/// Each refused system call with the conditions of which one must hold, or none.
type Rules = BTreeMap<i64, Vec<Rule>>;

fn refused(profile: &Profile) -> io::Result<Rules> {
    let mut rules: Rules = REFUSED.iter().map(|number| (*number, Vec::new())).collect();
    let clone = NAMESPACES.iter().map(|flag| when(&[bit(0, *flag)]));
    rules.insert(libc::SYS_clone, clone.collect::<io::Result<_>>()?);
    let ioctl = TYPE_AHEAD
        .iter()
        .map(|request| when(&[(1, Op::Eq, *request)]));
    rules.insert(libc::SYS_ioctl, ioctl.collect::<io::Result<_>>()?);
    // The limits of others: it must not even end whoever has started it.
    rules.insert(libc::SYS_prlimit64, vec![when(&[(0, Op::Ne, 0)])?]);
    // A program that is in memory only, and that no rule about files sees. By itself such memory
    // is none only where the first process could say so.
    const EXEC: u64 = libc::MFD_EXEC as u64;
    let in_memory = match is_memory_no_program() {
        true => vec![when(&[(1, Op::MaskedEq(EXEC), EXEC)])?],
        false => Vec::new(),
    };
    rules.insert(libc::SYS_memfd_create, in_memory);
    rules.extend(set_id()?);
    match profile.tier {
        Tier::Namespaces => {
            // Sockets without a path are found by everybody who shares the network.
            let has_unix = profile.network != Network::Open || landlock::has_scopes();
            rules.extend(sockets(&FAMILIES, has_unix)?);
        }
        Tier::Landlock => {
            rules.extend(CHANGE_ATTRIBUTES.iter().map(|number| (*number, Vec::new())));
            rules.extend(SHARED.iter().map(|number| (*number, Vec::new())));
            rules.extend(pace_of_others()?);
            // Sockets of other programs have paths, which Landlock does not look at.
            rules.extend(sockets(&[libc::AF_INET, libc::AF_INET6], false)?);
            if profile.network != Network::Open {
                rules.insert(libc::SYS_socket, Vec::new());
            }
        }
        Tier::Seatbelt | Tier::AppContainer => return Err(io::ErrorKind::Unsupported.into()),
    }
    Ok(rules)
}

/// Which sockets cannot be made.
fn sockets(families: &[libc::c_int], has_unix: bool) -> io::Result<Rules> {
    let is = |argument, value: libc::c_int| (argument, Op::Eq, u64::from(value.cast_unsigned()));
    let is_not =
        |argument, value: libc::c_int| (argument, Op::Ne, u64::from(value.cast_unsigned()));
    let is_kind = |kind: libc::c_int| (1, Op::MaskedEq(0xf), u64::from(kind.cast_unsigned()));
    let others: Vec<_> = families.iter().map(|family| is_not(0, *family)).collect();
    let mut socket = vec![
        when(&others)?,
        // Of what the kernel tells by sockets, only how the network is set up.
        when(&[is(0, libc::AF_NETLINK), is_not(2, libc::NETLINK_ROUTE)])?,
    ];
    for family in [libc::AF_INET, libc::AF_INET6] {
        socket.push(when(&[is(0, family), is_kind(libc::SOCK_RAW)])?);
        let rare = PROTOCOLS.map(|protocol| is_not(2, protocol));
        socket.push(when(&[&[is(0, family)], &rare[..]].concat())?);
    }
    let mut pair = vec![when(&[is_not(0, libc::AF_UNIX)])?];
    if !has_unix {
        socket.push(when(&[is(0, libc::AF_UNIX)])?);
        // A socket of a pair speaks with others, too, if it is for datagrams; a raw one is.
        pair.push(when(&[is_kind(libc::SOCK_DGRAM)])?);
        pair.push(when(&[is_kind(libc::SOCK_RAW)])?);
    }
    Ok([(libc::SYS_socket, socket), (libc::SYS_socketpair, pair)].into())
}

/// Programs that make whoever starts them somebody else cannot be made.
fn set_id() -> io::Result<Rules> {
    let mode = |argument, set_id: libc::mode_t| {
        let set_id = u64::from(set_id);
        (argument, Op::MaskedEq(set_id), set_id)
    };
    let mut rules = Rules::new();
    for (number, argument) in MODES {
        let each = SET_ID.map(|set_id| when(&[mode(*argument, set_id)]));
        rules.insert(*number, each.into_iter().collect::<io::Result<_>>()?);
    }
    for (number, argument) in MODES_OF_NEW {
        let each = SET_ID.into_iter().flat_map(|set_id| {
            MAKES.map(|makes| when(&[bit(argument - 1, makes), mode(*argument, set_id)]))
        });
        rules.insert(*number, each.collect::<io::Result<_>>()?);
    }
    Ok(rules)
}

/// Other processes cannot be made slower; nor can its own, one by one, which is the price.
fn pace_of_others() -> io::Result<Rules> {
    let mut rules = Rules::new();
    for number in PACE {
        rules.insert(*number, vec![when(&[(0, Op::Ne, 0)])?]);
    }
    for (number, process) in PACE_OF_KIND {
        let others = [when(&[(0, Op::Ne, process)])?, when(&[(1, Op::Ne, 0)])?];
        rules.insert(number, others.into());
    }
    Ok(rules)
}

fn is_memory_no_program() -> bool {
    std::fs::read_to_string("/proc/sys/vm/memfd_noexec")
        .is_ok_and(|value| matches!(value.trim(), "1" | "2"))
}

/// That a flag is set.
fn bit(argument: u8, flag: libc::c_int) -> (u8, Op, u64) {
    let flag = u64::from(flag.cast_unsigned());
    (argument, Op::MaskedEq(flag), flag)
}

fn when(conditions: &[(u8, Op, u64)]) -> io::Result<Rule> {
    conditions
        .iter()
        .map(|(argument, op, value)| Condition::new(*argument, Length::Dword, op.clone(), *value))
        .collect::<Result<Vec<_>, BackendError>>()
        .and_then(Rule::new)
        .map_err(io::Error::other)
}

fn filter(rules: Rules, error: libc::c_int) -> io::Result<BpfProgram> {
    SeccompFilter::new(
        rules,
        SeccompAction::Allow,
        SeccompAction::Errno(error.cast_unsigned()),
        std::env::consts::ARCH
            .try_into()
            .map_err(io::Error::other)?,
    )
    .and_then(TryInto::try_into)
    .map_err(io::Error::other)
}

/// Refuses what is newer than [`NEWEST`]. The numbers of x32 are all larger.
fn newer() -> BpfProgram {
    const LOAD_NUMBER: u16 = 0x20;
    const JUMP_IF_GREATER: u16 = 0x25;
    const RETURN: u16 = 0x06;
    let line = |code, jt, k| sock_filter { code, jt, jf: 0, k };
    vec![
        line(LOAD_NUMBER, 0, 0),
        line(JUMP_IF_GREATER, 1, NEWEST),
        line(RETURN, 0, libc::SECCOMP_RET_ALLOW),
        line(
            RETURN,
            0,
            libc::SECCOMP_RET_ERRNO | libc::ENOSYS.cast_unsigned(),
        ),
    ]
}
