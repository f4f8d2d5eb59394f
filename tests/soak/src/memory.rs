//! How much memory the host takes while the siege goes on. Linux tells; others do not.

use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinHandle;

/// How often is looked.
const LOOK: Duration = Duration::from_secs(2);

/// Looks at the memory of one process.
pub struct Memory {
    ending: watch::Sender<bool>,
    task: JoinHandle<Samples>,
}

/// Resident memory, in MiB, oldest first; nothing where the system does not tell.
#[derive(Debug, Default)]
pub struct Samples(Vec<u64>);

impl Memory {
    /// Begins to look.
    pub fn watch(pid: Option<u32>) -> Self {
        let (ending, mut ended) = watch::channel(false);
        let task = tokio::spawn(async move {
            let mut samples = Samples::default();
            while !*ended.borrow() {
                samples.0.extend(pid.and_then(resident));
                tokio::select! {
                    () = tokio::time::sleep(LOOK) => {}
                    _ = ended.changed() => {}
                }
            }
            samples
        });
        Self { ending, task }
    }

    /// What was seen.
    pub async fn end(self) -> Samples {
        self.ending.send_replace(true);
        self.task.await.unwrap_or_default()
    }
}

fn resident(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib / 1024)
}

impl Samples {
    /// Whether anything was seen.
    pub fn is_known(&self) -> bool {
        !self.0.is_empty()
    }

    /// The most, in MiB.
    pub fn most(&self) -> u64 {
        self.0.iter().copied().max().unwrap_or_default()
    }

    /// The means of the second and of the last third, in MiB: in the first one what is kept may
    /// fill up to its bounds.
    pub fn later_thirds(&self) -> (u64, u64) {
        let third = self.0.len() / 3;
        let mean = |part: &[u64]| part.iter().sum::<u64>() / (part.len().max(1) as u64);
        (mean(&self.0[third..2 * third]), mean(&self.0[2 * third..]))
    }

    /// One after the other, in MiB.
    pub fn all(&self) -> &[u64] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fills_up_in_the_first_third_does_not_count_as_growth() {
        let samples = Samples(vec![10, 90, 100, 100, 100, 100, 110, 110, 110]);
        assert_eq!(samples.later_thirds(), (100, 110));
        assert_eq!(samples.most(), 110);
        assert!(!Samples::default().is_known());
        assert_eq!(Samples(vec![7]).later_thirds(), (0, 7));
    }
}
