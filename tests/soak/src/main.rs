//! `soak [--minutes N] [--only KIND]`: a host with four honest servers that are called all the time, first alone,
//! then with twelve hostile ones beside them, then alone again. Says what that cost, and leaves with
//! 0 only if it was bearable.
//!
//! Always true here:
//! - the host is the program that is shipped, in a process and a data folder of its own, reached as
//!   every other program reaches it;
//! - each promise is checked and shown, also those that hold; where the system does not tell what
//!   one needs, that is shown too.

mod callers;
mod hostile;
mod latency;
mod leftovers;
mod log;
mod memory;
mod person;
mod program;
mod report;

use callers::Callers;
use memory::Memory;
use program::Program;
use report::Report;
use std::process::ExitCode;
use std::time::Duration;

/// What went wrong where nothing could be measured, in words for whoever started this.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// How long, where nobody says.
const MINUTES: u64 = 30;
/// So much of the time the honest servers are alone, before and after, and at most so long: by
/// then thousands of calls were made.
const QUIET_SHARE: u32 = 6;
const LONGEST_QUIET: Duration = Duration::from_secs(120);

fn main() -> ExitCode {
    let Some(wanted) = Wanted::read(std::env::args().skip(1)) else {
        report::complain(&format!(
            "usage: soak [--minutes N] [--only KIND]; N is at least 1, KIND one of {}",
            hostile::KINDS.join(" ")
        ));
        return ExitCode::from(2);
    };
    let run = || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(soak(wanted))
    };
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(problem) => {
            report::complain(&format!("the soak could not be made: {problem}"));
            ExitCode::FAILURE
        }
    }
}

/// What was asked for.
struct Wanted {
    /// How long the siege is.
    siege: Duration,
    /// Which hostile servers take part.
    kinds: Vec<&'static str>,
}

impl Wanted {
    fn read(words: impl Iterator<Item = String>) -> Option<Self> {
        let (mut minutes, mut kinds) = (MINUTES, Vec::new());
        let words: Vec<String> = words.collect();
        for pair in words.chunks(2) {
            match pair {
                [name, number] if name == "--minutes" => {
                    minutes = number.parse().ok().filter(|minutes| *minutes > 0)?;
                }
                [name, kind] if name == "--only" => {
                    kinds.push(*hostile::KINDS.iter().find(|known| *known == kind)?);
                }
                _ => return None,
            }
        }
        if kinds.is_empty() {
            kinds.extend(hostile::KINDS);
        }
        Some(Self {
            siege: Duration::from_secs(60 * minutes),
            kinds,
        })
    }
}

/// Makes it, and says whether every promise was kept.
async fn soak(Wanted { siege, kinds }: Wanted) -> Result<bool, Failure> {
    let mut report = Report::default();
    let program = Program::start().await?;
    let person = person::sits_down(&program);
    let callers = Callers::ready(&program).await?;
    let quiet = (siege / QUIET_SHARE).min(LONGEST_QUIET);
    // What the hostile processes and the disk take from everybody on this computer is no fault of
    // the host: another one, which nobody besieges, says at the same time how much that is.
    let beside = Program::start().await?;
    let beside_person = person::sits_down(&beside);
    let beside_callers = Callers::ready(&beside).await?;

    report.says(&format!("alone for {} s", quiet.as_secs()));
    let before = callers.call_for(&program, quiet).await;

    report.says(&format!("besieged for {} s", siege.as_secs()));
    let besiegers = hostile::besiege(&program, &kinds).await?;
    let memory = Memory::watch(program.pid());
    let (besieged, spared) = tokio::join!(
        callers.call_for(&program, siege),
        beside_callers.call_for(&beside, siege)
    );
    let memory = memory.end().await;
    let poked = besiegers.end(&program).await?;

    report.says(&format!("alone again for {} s", quiet.as_secs()));
    let after = callers.call_for(&program, quiet).await;

    drop((person, beside_person));
    let data = program.data_dir().to_owned();
    let mark = program.mark().to_owned();
    let ended = program.end().await?;
    report.memory(&memory);
    report.latency(&before, &besieged, &spared, &after);
    report.poked(&poked);
    report.log(&log::read(&data)?, &[&before, &besieged, &after]);
    report.ended(ended.exit_code, &leftovers::of(&mark));
    let kept = report.verdict();
    // What it was there for is told by now.
    beside.end().await?;
    Ok(kept)
}
