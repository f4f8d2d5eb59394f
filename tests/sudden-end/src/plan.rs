//! What counts as a write, and after which one the program ends.

#![expect(
    unsafe_code,
    reason = "the C library is asked without the standard library, which would write by way of it"
)]

use std::ffi::{CStr, CString, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

static PLAN: OnceLock<Option<Plan>> = OnceLock::new();
static COUNT: AtomicU64 = AtomicU64::new(0);

struct Plan {
    folder: OsString,
    after: u64,
    /// The open file of the notes.
    notes: libc::c_int,
}

impl Plan {
    fn read() -> Option<Self> {
        let given = |name| std::env::var_os(format!("SUDDEN_END_{name}"));
        let program = given("PROGRAM")?;
        if std::fs::read_link("/proc/self/exe").ok()? != Path::new(&program) {
            return None;
        }
        let after = given("AFTER")?.to_str()?.parse().ok()?;
        let notes = CString::new(given("NOTES")?.as_bytes()).ok()?;
        let flags = libc::O_WRONLY | libc::O_CREAT | libc::O_APPEND | libc::O_CLOEXEC;
        // SAFETY: the path ends with a zero.
        let notes = unsafe { libc::open(notes.as_ptr(), flags, 0o600) };
        (notes >= 0).then_some(Self {
            folder: given("FOLDER")?,
            after,
            notes,
        })
    }

    /// A write succeeded.
    fn counts(&self, what: &str, path: &[u8]) {
        let number = COUNT.fetch_add(1, Ordering::SeqCst) + 1;
        let path = String::from_utf8_lossy(path);
        let line = format!("{number} {what} {path}\n");
        // SAFETY: the bytes are there, as many as is said. Not by `write`, which is counted.
        unsafe {
            libc::syscall(libc::SYS_write, self.notes, line.as_ptr(), line.len());
        }
        if number == self.after {
            // SAFETY: it takes two numbers. This thread does not come back from it.
            unsafe {
                libc::kill(libc::getpid(), libc::SIGKILL);
            }
        }
    }

    /// The path below the folder, if it lies there.
    fn below<'a>(&self, path: &'a [u8]) -> Option<&'a [u8]> {
        path.strip_prefix(self.folder.as_bytes())?
            .strip_prefix(b"/")
    }
}

/// A function of this name has succeeded with an open file.
pub(crate) fn written(what: &str, file: libc::c_int) {
    keeping_errno(|plan| {
        let link = format!("/proc/self/fd/{file}\0");
        let mut path = [0_u8; 4096];
        // SAFETY: the text ends with a zero, and there is room for as many bytes as is said.
        let length =
            unsafe { libc::readlink(link.as_ptr().cast(), path.as_mut_ptr().cast(), path.len()) };
        let path = usize::try_from(length)
            .ok()
            .and_then(|length| path.get(..length));
        if let Some(below) = path.and_then(|path| plan.below(path)) {
            plan.counts(what, below);
        }
    });
}

/// A function of this name has succeeded with a path.
pub(crate) fn named(what: &str, path: &CStr) {
    keeping_errno(|plan| {
        if let Some(below) = plan.below(path.to_bytes()) {
            plan.counts(what, below);
        }
    });
}

fn keeping_errno(work: impl FnOnce(&Plan)) {
    // SAFETY: it is this thread's own.
    let errno = unsafe { *libc::__errno_location() };
    if let Some(plan) = PLAN.get_or_init(Plan::read) {
        work(plan);
    }
    // SAFETY: as above.
    unsafe { *libc::__errno_location() = errno };
}
