//! Work that takes long, beside the other tasks of the runtime.

use tokio::runtime::{Handle, RuntimeFlavor};

/// So many bytes take long to read.
const MANY: usize = 128 * 1024;

/// Does what takes long where `bytes` are many, so that other tasks go on meanwhile.
pub(crate) fn beside_others<T>(bytes: usize, work: impl FnOnce() -> T) -> T {
    // Where there is one thread, as in small tests, there is nobody to take over.
    let many_threads = Handle::try_current()
        .is_ok_and(|runtime| runtime.runtime_flavor() == RuntimeFlavor::MultiThread);
    if bytes > MANY && many_threads {
        tokio::task::block_in_place(work)
    } else {
        work()
    }
}
