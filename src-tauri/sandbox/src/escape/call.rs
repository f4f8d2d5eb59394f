//! System calls that no library offers, or that it offers in a form that does not let one do wrong.

use rustix::process::Pid;
use std::ffi::CStr;
use std::io;

/// What a system call is given.
pub(super) enum Argument<'a> {
    Number(i64),
    Text(&'a CStr),
    In(&'a [u8]),
    Out(&'a mut [u8]),
}

impl Argument<'_> {
    fn word(&mut self) -> libc::c_long {
        match self {
            Self::Number(number) => *number as libc::c_long,
            Self::Text(text) => text.as_ptr() as libc::c_long,
            Self::In(bytes) => bytes.as_ptr() as libc::c_long,
            Self::Out(bytes) => bytes.as_mut_ptr() as libc::c_long,
        }
    }
}

impl<T: Into<i64>> From<T> for Argument<'_> {
    fn from(number: T) -> Self {
        Self::Number(number.into())
    }
}

/// Makes a system call.
pub(super) fn call<const N: usize>(
    number: libc::c_long,
    mut arguments: [Argument<'_>; N],
) -> io::Result<i64> {
    let mut words = [0; 6];
    for (word, argument) in words.iter_mut().zip(&mut arguments) {
        *word = argument.word();
    }
    let [a, b, c, d, e, f] = words;
    #[expect(
        unsafe_code,
        reason = "what is tried here is what libraries keep one from"
    )]
    // SAFETY: what is pointed to is borrowed for as long as the call takes, and the callers say no
    // greater size than it has.
    let result = unsafe { libc::syscall(number, a, b, c, d, e, f) };
    if result < 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(result as i64)
    }
}

/// Starts a child that does something and ends.
pub(super) fn fork(child: impl FnOnce()) -> io::Result<Pid> {
    #[expect(unsafe_code, reason = "a copy of this process, which no library makes")]
    // SAFETY: this process has one thread, so that the copy is whole.
    let pid = unsafe { libc::fork() };
    if pid == 0 {
        child();
        end()
    }
    if pid < 0 {
        return Err(io::Error::last_os_error());
    }
    Pid::from_raw(pid).ok_or_else(|| io::Error::other("a process without a number"))
}

/// Ends this process, and says nothing to anybody.
pub(super) fn end() -> ! {
    #[expect(
        unsafe_code,
        reason = "the end of a copy, which must not do what is left to the original"
    )]
    // SAFETY: nothing comes after it.
    unsafe {
        libc::_exit(0)
    }
}
