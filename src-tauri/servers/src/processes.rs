//! The processes of servers: each that one started, and all that are below it.

use api::ServerUsage;
use protocol::ServerId;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System, UpdateKind};

/// Of a command line only its beginning can name the program and its script.
const WORDS: usize = 16;
/// The most processes below one that are looked at.
const MOST: usize = 4096;

/// The first words of the command line of `root` and of every process below it, those nearest to it
/// first.
pub(crate) fn below(root: u32) -> Vec<Vec<PathBuf>> {
    // Where processes cannot be listed, none is found; the caller says what that means.
    let Ok(mut system) = System::new() else {
        return Vec::new();
    };
    let what = ProcessRefreshKind::nothing()
        .with_cmd(UpdateKind::Always)
        .without_tasks();
    system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
    let words = |cmd: &[OsString]| cmd.iter().take(WORDS).map(PathBuf::from).collect();
    Tree::of(&system)
        .below(root)
        .into_iter()
        .filter_map(|pid| system.process(pid))
        .map(|process| words(process.cmd()))
        .collect()
}

/// Measures what servers use of this computer.
#[derive(Default)]
pub(crate) struct Meter(Mutex<Option<System>>);

impl Meter {
    /// What each server uses, whose topmost process is given; none of those that have ended. It
    /// looks at every process of this computer.
    pub(crate) fn read(&self, roots: Vec<(ServerId, u32)>) -> Vec<ServerUsage> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A share of time lies between two looks.
        let is_first = kept.is_none();
        let system = match &mut *kept {
            Some(system) => system,
            None => match System::new() {
                Ok(system) => kept.insert(system),
                Err(problem) => {
                    tracing::warn!(%problem, "what servers use cannot be measured");
                    return Vec::new();
                }
            },
        };
        let what = ProcessRefreshKind::nothing()
            .with_cpu()
            .with_memory()
            .without_tasks();
        system.refresh_processes_specifics(ProcessesToUpdate::All, true, what);
        let tree = Tree::of(system);
        let usage = |(server, root)| {
            let all = tree.below(root).into_iter();
            let processes: Vec<_> = all.filter_map(|pid| system.process(pid)).collect();
            let cpu = processes.iter().map(|one| one.cpu_usage()).sum();
            (!processes.is_empty()).then(|| ServerUsage {
                server,
                processes: u32::try_from(processes.len()).unwrap_or(u32::MAX),
                memory: processes.iter().map(|one| one.memory()).sum(),
                cpu: (!is_first).then_some(cpu),
            })
        };
        roots.into_iter().filter_map(usage).collect()
    }
}

/// Which processes another one has started.
struct Tree(HashMap<Pid, Vec<Pid>>);

impl Tree {
    fn of(system: &System) -> Self {
        let mut children: HashMap<Pid, Vec<Pid>> = HashMap::new();
        for (pid, process) in system.processes() {
            if let Some(parent) = process.parent() {
                children.entry(parent).or_default().push(*pid);
            }
        }
        children.values_mut().for_each(|pids| pids.sort());
        Self(children)
    }

    /// A process and all below it, those nearest to it first.
    fn below(&self, root: u32) -> Vec<Pid> {
        let root = Pid::from_u32(root);
        let (mut family, mut seen) = (vec![root], HashSet::from([root]));
        let mut next = 0;
        while next < family.len() && family.len() < MOST {
            let children = self.0.get(&family[next]).into_iter().flatten();
            family.extend(children.filter(|child| seen.insert(**child)));
            next += 1;
        }
        family
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_process_and_all_below_it_use_is_added_up() {
        let meter = Meter::default();
        let server = ServerId::parse("own").unwrap();
        let own = || vec![(server.clone(), std::process::id())];
        let first = meter.read(own());
        assert_eq!(first.len(), 1);
        assert!(first[0].memory > 0 && first[0].processes >= 1);
        assert_eq!(first[0].cpu, None, "a share needs two looks");
        let second = meter.read(own());
        assert!(second[0].cpu.is_some_and(|cpu| cpu >= 0.0));
        let gone = vec![(server, u32::MAX / 2)];
        assert_eq!(meter.read(gone), []);
    }
}
