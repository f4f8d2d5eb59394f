//! The functions of the C library that write, each with what is done after it.

#![expect(
    unsafe_code,
    reason = "these are functions of the C library, in its place"
)]

use crate::plan;
use libc::{c_char, c_int, c_void, iovec, off_t, off64_t, size_t, ssize_t};
use std::sync::atomic::{AtomicPtr, Ordering};

/// The function of this name that would have been called without this library.
fn next(name: &'static core::ffi::CStr, known: &AtomicPtr<c_void>) -> *mut c_void {
    let found = known.load(Ordering::Relaxed);
    if !found.is_null() {
        return found;
    }
    // SAFETY: the name ends with a zero, and the handle is one that dlsym knows.
    let found = unsafe { libc::dlsym(libc::RTLD_NEXT, name.as_ptr()) };
    if found.is_null() {
        // A C library without it could not have started a program that needs it.
        // SAFETY: it has no conditions.
        unsafe { libc::abort() };
    }
    known.store(found, Ordering::Relaxed);
    found
}

/// Stands for a function of the C library: calls it, and tells what it was about unless it failed.
macro_rules! interpose {
    ($name:ident($($argument:ident: $kind:ty),*) -> $result:ty, $told:expr) => {
        /// The function of this name in the C library.
        ///
        /// # Safety
        /// As that one's.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> $result {
            static KNOWN: AtomicPtr<c_void> = AtomicPtr::new(core::ptr::null_mut());
            const NAME: &core::ffi::CStr = match core::ffi::CStr::from_bytes_with_nul(
                concat!(stringify!($name), "\0").as_bytes(),
            ) {
                Ok(name) => name,
                Err(_) => c"",
            };
            let found = next(NAME, &KNOWN);
            // SAFETY: the C library has this function with these parameters.
            let real = unsafe {
                core::mem::transmute::<*mut c_void, unsafe extern "C" fn($($kind),*) -> $result>(found)
            };
            // SAFETY: whoever calls keeps its conditions.
            let result = unsafe { real($($argument),*) };
            if result >= 0 {
                ($told)(stringify!($name));
            }
            result
        }
    };
}

interpose!(write(file: c_int, from: *const c_void, length: size_t) -> ssize_t,
    |name| plan::written(name, file));
interpose!(writev(file: c_int, from: *const iovec, count: c_int) -> ssize_t,
    |name| plan::written(name, file));
interpose!(pwrite(file: c_int, from: *const c_void, length: size_t, at: off_t) -> ssize_t,
    |name| plan::written(name, file));
interpose!(pwrite64(file: c_int, from: *const c_void, length: size_t, at: off64_t) -> ssize_t,
    |name| plan::written(name, file));
interpose!(fsync(file: c_int) -> c_int, |name| plan::written(name, file));
interpose!(fdatasync(file: c_int) -> c_int, |name| plan::written(name, file));
interpose!(ftruncate(file: c_int, length: off_t) -> c_int, |name| plan::written(name, file));
interpose!(ftruncate64(file: c_int, length: off64_t) -> c_int, |name| plan::written(name, file));
interpose!(rename(from: *const c_char, to: *const c_char) -> c_int, |name| at(name, to));
interpose!(unlink(path: *const c_char) -> c_int, |name| at(name, path));

/// A function of this name has succeeded with a path.
fn at(name: &str, path: *const c_char) {
    // SAFETY: what succeeded was given a path that ends with a zero.
    plan::named(name, unsafe { core::ffi::CStr::from_ptr(path) });
}
