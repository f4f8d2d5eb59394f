//! On which processor cores this thread runs, and every process that it starts.

use std::io;

/// The cores that there were at the beginning.
#[cfg(target_os = "linux")]
pub struct Cores(rustix::thread::CpuSet);

#[cfg(target_os = "linux")]
impl Cores {
    /// Those of this thread.
    pub fn of_this_thread() -> io::Result<Self> {
        Ok(Self(rustix::thread::sched_getaffinity(None)?))
    }

    /// Keeps this thread on one core, or lets it have all of them again.
    pub fn keep(&self, core: Option<usize>) -> io::Result<()> {
        let mut cores = self.0;
        if let Some(core) = core {
            cores.clear();
            if core < rustix::thread::CpuSet::MAX_CPU {
                cores.set(core);
            }
        }
        Ok(rustix::thread::sched_setaffinity(None, &cores)?)
    }
}

/// Cannot be chosen here.
#[cfg(not(target_os = "linux"))]
pub struct Cores;

#[cfg(not(target_os = "linux"))]
impl Cores {
    /// All of them.
    pub fn of_this_thread() -> io::Result<Self> {
        Ok(Self)
    }

    /// Fails where one is to be chosen.
    pub fn keep(&self, core: Option<usize>) -> io::Result<()> {
        match core {
            Some(_) => Err(io::ErrorKind::Unsupported.into()),
            None => Ok(()),
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::sched_getaffinity;

    #[test]
    fn a_thread_that_is_let_go_has_the_cores_that_it_had() {
        let cores = Cores::of_this_thread().unwrap();
        let first = (0..).find(|core| cores.0.is_set(*core));
        cores.keep(first).unwrap();
        assert_eq!(sched_getaffinity(None).unwrap().count(), 1);
        cores.keep(None).unwrap();
        assert_eq!(sched_getaffinity(None).unwrap(), cores.0);
        assert!(cores.keep(Some(usize::MAX)).is_err());
    }
}
