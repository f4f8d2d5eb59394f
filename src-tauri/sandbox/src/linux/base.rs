//! What any program needs in order to run: the system's programs and libraries, a few settings, and
//! devices that hold nothing.

use crate::profile::Tier;
use std::path::PathBuf;

/// What may be done with something of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read it.
    Read,
    /// Read it, and run programs in it.
    Execute,
    /// Read and write what is there.
    Device,
    /// Everything.
    Change,
}

/// Programs and libraries of the system. Those that are links are made again as such.
pub(crate) const PROGRAMS: &[&str] = &[
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/gnu/store",
];

/// Settings that say nothing about the person.
pub(crate) const SETTINGS: &[&str] = &[
    "/etc/alternatives",
    "/etc/ca-certificates",
    "/etc/ca-certificates.conf",
    "/etc/crypto-policies",
    "/etc/fonts",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/magic",
    "/etc/mime.types",
    "/etc/os-release",
    "/etc/pki/ca-trust",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/protocols",
    "/etc/python3",
    "/etc/services",
    "/etc/ssl/certs",
    "/etc/ssl/openssl.cnf",
    "/etc/timezone",
];

/// Settings that are written for each server where it has its own view of the files.
pub(crate) const WRITTEN: &[&str] = &[
    "/etc/group",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/etc/resolv.conf",
];

/// Devices.
pub(crate) const DEVICES: &[&str] = &[
    "/dev/full",
    "/dev/null",
    "/dev/random",
    "/dev/urandom",
    "/dev/zero",
];

/// Folders that vanish with the server, where it has its own view of the files.
pub(crate) const PASSING: &[&str] = &["/tmp", "/var/tmp", "/dev/shm", "/run"];

/// What the kernel says about whoever asks.
pub(crate) const ABOUT_ITSELF: &str = "/proc/self";

/// What of the kernel's own folder says nothing about other processes.
const ABOUT_THE_SYSTEM: &[&str] = &[
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/loadavg",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/sys/kernel/osrelease",
    "/proc/sys/kernel/random",
    "/proc/sys/vm/max_map_count",
    "/proc/sys/vm/overcommit_memory",
    "/proc/uptime",
    "/proc/version",
];

/// All of it, and what may be done with it.
pub(crate) fn folders(tier: Tier) -> Vec<(PathBuf, Access)> {
    let as_is = |paths: &[&str], access| -> Vec<(PathBuf, Access)> {
        paths.iter().map(|path| (path.into(), access)).collect()
    };
    let own = match tier {
        Tier::Namespaces => [
            as_is(&["/proc", "/etc", "/dev"], Access::Read),
            as_is(PASSING, Access::Change),
        ],
        // The same names, and only what the whole system has in common.
        Tier::Landlock | Tier::Seatbelt | Tier::AppContainer => [
            as_is(ABOUT_THE_SYSTEM, Access::Read),
            as_is(WRITTEN, Access::Read),
        ],
    };
    [
        as_is(PROGRAMS, Access::Execute),
        as_is(SETTINGS, Access::Read),
        as_is(DEVICES, Access::Device),
    ]
    .into_iter()
    .chain(own)
    .flatten()
    .collect()
}
