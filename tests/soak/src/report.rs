//! What was seen, line by line, and whether it was bearable.

use crate::hostile::Poked;
use crate::latency::Calls;
use crate::log::Log;
use crate::memory::Samples;
use std::time::Duration;

/// Resident memory of the host, in MiB, whatever the servers do.
const MOST_MEMORY: u64 = 600;
/// The last third may take so many hundredths more than the one before.
const FLAT: u64 = 10;
/// So many times as long as alone, or as at the same time elsewhere, may a call of an honest server
/// take.
const TIMES: u32 = 3;

/// What was seen so far.
#[derive(Debug, Default)]
pub struct Report {
    broken: u32,
}

/// Writes on standard error.
#[expect(clippy::print_stderr, reason = "a program that people start by hand")]
pub fn complain(words: &str) {
    eprintln!("{words}");
}

#[expect(clippy::print_stdout, reason = "a program that people start by hand")]
fn line(words: &str) {
    println!("{words}");
}

impl Report {
    /// What is going on.
    pub fn says(&self, words: &str) {
        line(&format!("soak: {words}"));
    }

    fn promise(&mut self, kept: bool, words: &str) {
        self.broken += u32::from(!kept);
        line(&format!(
            "{} {words}",
            if kept { "  kept " } else { "BROKEN " }
        ));
    }

    fn unknown(&self, words: &str) {
        line(&format!("  ?     {words}: this system does not tell"));
    }

    /// Memory while the siege went on.
    pub fn memory(&mut self, samples: &Samples) {
        if !samples.is_known() {
            return self.unknown("resident memory of the host");
        }
        let most = samples.most();
        self.promise(
            most < MOST_MEMORY,
            &format!("resident memory of the host: at most {most} MiB, of {MOST_MEMORY}"),
        );
        let row: Vec<String> = samples.all().iter().map(u64::to_string).collect();
        line(&format!("        in MiB: {}", row.join(" ")));
        let (second, last) = samples.later_thirds();
        self.promise(
            last * 100 <= second * (100 + FLAT),
            &format!("it is flat: {second} MiB in the second third, {last} MiB in the last"),
        );
    }

    /// Calls of honest servers, before, during and after the siege, and during it at a host that
    /// is not besieged.
    pub fn latency(&mut self, before: &Calls, besieged: &Calls, spared: &Calls, after: &Calls) {
        for (when, calls) in [
            ("alone", before),
            ("besieged", besieged),
            ("not besieged, at the same time", spared),
            ("alone again", after),
        ] {
            line(&format!(
                "        {when}: {} calls, {} wrong; p50 {}, p99 {}, longest {}",
                calls.count(),
                calls.wrong.len(),
                millis(calls.percentile(50)),
                millis(calls.percentile(99)),
                millis(calls.percentile(100)),
            ));
            for wrong in &calls.wrong {
                line(&format!("            {wrong}"));
            }
        }
        let wrong = [before, besieged, spared, after]
            .iter()
            .any(|calls| !calls.wrong.is_empty());
        self.promise(
            !wrong,
            "every call of an honest server was answered as it should be",
        );
        let alone = before.percentile(99).max(after.percentile(99));
        let (spared, loud) = (spared.percentile(99), besieged.percentile(99));
        self.promise(
            loud <= alone.max(spared) * TIMES,
            &format!(
                "p99 of them: {} alone, {} not besieged at the same time, {} besieged, of {TIMES} times as long",
                millis(alone),
                millis(spared),
                millis(loud),
            ),
        );
    }

    /// What came of calls of the hostile servers.
    pub fn poked(&self, poked: &Poked) {
        for (server, outcomes) in poked {
            let outcomes: Vec<String> = outcomes
                .iter()
                .map(|(outcome, times)| format!("{times} {outcome}"))
                .collect();
            line(&format!("        {server}: {}", outcomes.join(", ")));
        }
    }

    /// The log against the calls that were answered.
    pub fn log(&mut self, log: &Log, phases: &[&Calls]) {
        self.promise(log.intact, "the log is intact");
        // One more each, with which the callers have begun.
        let answered: usize = phases.iter().map(|calls| calls.count()).sum();
        self.promise(
            log.honest_done >= answered,
            &format!(
                "every call that was answered is in the log: {answered} of {}",
                log.honest_done
            ),
        );
        line(&format!(
            "        {} records, {} MiB in the data folder",
            log.records,
            log.bytes / (1024 * 1024)
        ));
    }

    /// How the host ended, and what is left.
    pub fn ended(&mut self, exit_code: Option<i32>, left: &Option<Vec<u32>>) {
        if cfg!(unix) {
            self.promise(
                exit_code == Some(0),
                &format!("the host ended when it was asked to: {exit_code:?}"),
            );
        }
        match left {
            Some(left) => self.promise(left.is_empty(), &format!("no process is left: {left:?}")),
            None => self.unknown("processes that are left"),
        }
    }

    /// Whether every promise was kept.
    pub fn verdict(&self) -> bool {
        line(&format!("soak: {} promises broken", self.broken));
        self.broken == 0
    }
}

fn millis(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1000.0)
}
