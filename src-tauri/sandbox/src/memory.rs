//! What a process has in its memory is its own, and no more than it needs.

/// From now on no other program of this user can read this process's memory, and a crash writes
/// none of it to the disk. To be called before the first secret is read.
///
/// Programs that are started from here can be traced again, as usual, but leave no core file
/// either: what a server was given is in its memory, too.
pub fn keep_private() {
    // Where the system refuses, all is as in any other program.
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        let none = Rlimit {
            current: Some(0),
            maximum: Some(0),
        };
        let _ = setrlimit(Resource::Core, none);
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{DumpableBehavior, set_dumpable_behavior};
        let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    }
}

/// From now on large pieces of memory go back to the system as soon as they are not needed. To be
/// called before other threads are there.
pub fn give_back() {
    // By itself this library keeps pieces of ever larger sizes for later, many times over: once
    // for each thread.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// In bytes.
        const LARGE: libc::c_int = 256 * 1024;
        #[expect(unsafe_code, reason = "the C library has no other door")]
        // SAFETY: it changes a number of the allocator, which has a lock for that.
        let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
