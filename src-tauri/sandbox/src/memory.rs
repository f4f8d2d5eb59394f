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
        /// So many heaps, which threads share. Each keeps what it does not need between what it
        /// does; most small pieces need none of their locks.
        const HEAPS: libc::c_int = 4;
        for (number, value) in [(libc::M_MMAP_THRESHOLD, LARGE), (libc::M_ARENA_MAX, HEAPS)] {
            #[expect(unsafe_code, reason = "the C library has no other door")]
            // SAFETY: it changes a number of the allocator, which has a lock for that.
            let _ = unsafe { libc::mallopt(number, value) };
        }
    }
}

/// Gives the many small pieces of memory back to the system that were freed and are kept for later.
/// It takes milliseconds, in which other threads may wait for memory.
pub fn trim() {
    // By itself this library gives back only what lies at the end of its heaps, which one small
    // piece that is still needed keeps where they are.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        #[expect(unsafe_code, reason = "the C library has no other door")]
        // SAFETY: it takes the locks of the allocator, and touches only what was freed.
        let _ = unsafe { libc::malloc_trim(0) };
    }
}

/// Memory of this process that is in the computer's, in bytes; none where the system does not tell,
/// or where [`trim`] does nothing.
pub fn resident() -> Option<u64> {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
        let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
        Some(pages * rustix::param::page_size() as u64)
    }
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    None
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    #[test]
    fn what_was_freed_between_what_is_needed_goes_back() {
        const PIECES: usize = 64 * 1024;
        let mut pieces: Vec<Option<Vec<u8>>> = (0..PIECES).map(|_| Some(vec![1; 1024])).collect();
        for (number, piece) in pieces.iter_mut().enumerate() {
            if number % 64 != 0 {
                *piece = None;
            }
        }
        let before = resident().unwrap();
        trim();
        let after = resident().unwrap();
        assert!(after + 32 * 1024 * 1024 < before, "{before}, then {after}");
        assert_eq!(pieces.iter().flatten().count(), PIECES / 64);
    }
}
