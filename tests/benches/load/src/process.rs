//! What the system tells of a process. Linux tells; elsewhere there is nothing but the own
//! processor time.

use std::time::Duration;

/// Processor time of this process, its threads that have ended included.
pub fn own_cpu() -> Option<Duration> {
    #[cfg(unix)]
    {
        let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        Duration::try_from(time).ok()
    }
    #[cfg(not(unix))]
    None
}

#[cfg(target_os = "linux")]
mod told {
    use std::fs;
    use std::time::Duration;

    /// Processor time of the threads that a process has, in nanoseconds as the scheduler counts
    /// them.
    pub fn cpu(pid: u32) -> Option<Duration> {
        let spent = of_threads(pid, "schedstat", |text| {
            text.split(' ').next()?.parse().ok()
        })?;
        Some(Duration::from_nanos(spent))
    }

    /// How often the threads of a process were begun and left, so far.
    pub fn switches(pid: u32) -> Option<u64> {
        of_threads(pid, "status", |text| {
            let counts = text.lines().filter_map(|line| {
                let (name, count) = line.split_once(':')?;
                let counts = name.ends_with("voluntary_ctxt_switches");
                counts.then(|| count.trim().parse::<u64>().ok())?
            });
            Some(counts.sum())
        })
    }

    /// The most memory that a process had, in MiB.
    pub fn peak_mib(pid: u32) -> Option<f64> {
        in_mib(&format!("/proc/{pid}/status"), "VmHWM:")
    }

    /// The memory that a process has for itself and its share of the rest, in MiB.
    pub fn pss_mib(pid: u32) -> Option<f64> {
        in_mib(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
    }

    fn in_mib(file: &str, name: &str) -> Option<f64> {
        let text = fs::read_to_string(file).ok()?;
        let line = text.lines().find(|line| line.starts_with(name))?;
        let kib: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kib / 1024.0)
    }

    fn of_threads(pid: u32, file: &str, count: impl Fn(&str) -> Option<u64>) -> Option<u64> {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).ok()?;
        // One that ends meanwhile is counted no more.
        let texts =
            threads.filter_map(|thread| fs::read_to_string(thread.ok()?.path().join(file)).ok());
        Some(texts.filter_map(|text| count(&text)).sum())
    }
}

#[cfg(not(target_os = "linux"))]
mod told {
    use std::time::Duration;

    /// Not told here.
    pub fn cpu(_pid: u32) -> Option<Duration> {
        None
    }

    /// Not told here.
    pub fn switches(_pid: u32) -> Option<u64> {
        None
    }

    /// Not told here.
    pub fn peak_mib(_pid: u32) -> Option<f64> {
        None
    }

    /// Not told here.
    pub fn pss_mib(_pid: u32) -> Option<f64> {
        None
    }
}

pub use told::{cpu, peak_mib, pss_mib, switches};

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_process_that_works_is_seen_to_have_worked() {
        let own = std::process::id();
        let (before, before_own) = (cpu(own).unwrap(), own_cpu().unwrap());
        let mut text = String::new();
        while own_cpu().unwrap() - before_own < Duration::from_millis(20) {
            text.push('x');
        }
        assert!(text.len() > 1 && cpu(own).unwrap() > before);
        assert!(switches(own).unwrap() > 0);
        assert!(peak_mib(own).unwrap() > 0.0 && pss_mib(own).unwrap() > 0.0);
    }

    #[test]
    fn of_a_process_that_is_not_there_nothing_is_told() {
        assert_eq!(cpu(u32::MAX), None);
        assert_eq!(pss_mib(u32::MAX), None);
    }
}
