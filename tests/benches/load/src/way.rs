//! A way to the tools, and what its calls cost: a closed loop, in which each answer brings the next
//! call.

use crate::Failure;
use crate::call::Call;
use crate::figures::{Figures, Growth};
use crate::line::Line;
use crate::phase::Phase;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How many calls come before those that count, where a phase has no count of its own.
const WARM: u64 = 50;

/// How much is done in a phase.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Effort {
    /// How long one takes, in seconds.
    pub seconds: f64,
    /// How many calls [`Phase::Growth`] has.
    pub growth: u64,
}

/// A way to the tools.
pub trait Way {
    /// Where its calls travel.
    type Line: Line;

    /// Lines for so many calls at a time: either as many, or one for all of them.
    fn lines(
        &mut self,
        in_flight: usize,
    ) -> impl Future<Output = Result<Vec<Self::Line>, Failure>> + Send;

    /// Takes them back, for the next phase.
    fn keep(&mut self, _lines: Vec<Self::Line>) {}

    /// Processor time of what is measured, so far.
    fn cpu(&self) -> Option<Duration>;

    /// Of that, what a program took that only carries messages, where there is one.
    fn carrier_cpu(&self) -> Option<Duration> {
        None
    }

    /// The most memory that it had so far, in MiB.
    fn peak_mib(&self) -> Option<f64>;
}

/// Measures phases, one after the other.
pub async fn measure<W: Way>(
    way: &mut W,
    phases: &[Phase],
    effort: Effort,
) -> Result<BTreeMap<Phase, Figures>, Failure> {
    let numbers = Arc::new(AtomicU64::new(1));
    if !phases.contains(&Phase::Growth) {
        run(way, Phase::One, Until::Count(WARM), &numbers).await?;
    }
    let mut all = BTreeMap::new();
    for phase in phases {
        let until = match phase {
            Phase::Growth => Until::Count(effort.growth),
            _ => Until::Time(Duration::from_secs_f64(effort.seconds)),
        };
        let (cpu, carrier, begun) = (way.cpu(), way.carrier_cpu(), Instant::now());
        let taken = run(way, *phase, until, &numbers).await?;
        let elapsed = begun.elapsed();
        let since = |now: Option<Duration>, then| Some(now?.saturating_sub(then?));
        let mut figures = Figures::of(&taken, elapsed, since(way.cpu(), cpu));
        figures.carrier_cpu_us = since(way.carrier_cpu(), carrier).map(|spent| figures.each(spent));
        figures.peak_mib = way.peak_mib();
        if *phase == Phase::Growth {
            figures.growth = Growth::of(&taken);
        }
        all.insert(*phase, figures);
    }
    Ok(all)
}

/// When a phase is over.
#[derive(Debug, Clone, Copy)]
enum Until {
    Time(Duration),
    Count(u64),
}

/// The calls of one phase, for all its lines.
struct Calls {
    phase: Phase,
    numbers: Arc<AtomicU64>,
    made: AtomicU64,
    until: Until,
    begun: Instant,
}

impl Calls {
    /// The next one; none when the phase is over.
    fn next(&self) -> Option<Call> {
        let made = self.made.fetch_add(1, Ordering::Relaxed);
        let goes_on = match self.until {
            Until::Count(count) => made < count,
            Until::Time(long) => made < self.phase.fewest() || self.begun.elapsed() < long,
        };
        goes_on.then(|| {
            self.phase
                .call(self.numbers.fetch_add(1, Ordering::Relaxed))
        })
    }
}

/// Makes the calls of one phase. How long each took, in the order in which they ended on each line.
async fn run<W: Way>(
    way: &mut W,
    phase: Phase,
    until: Until,
    numbers: &Arc<AtomicU64>,
) -> Result<Vec<Duration>, Failure> {
    let lines = way.lines(phase.in_flight()).await?;
    let at_a_time = phase.in_flight() / lines.len().max(1);
    let calls = Arc::new(Calls {
        phase,
        numbers: numbers.clone(),
        made: AtomicU64::new(0),
        until,
        begun: Instant::now(),
    });
    let mut talks = JoinSet::new();
    for line in lines {
        talks.spawn(talk(line, at_a_time, calls.clone()));
    }
    let (mut back, mut taken) = (Vec::new(), Vec::new());
    while let Some(talked) = talks.join_next().await {
        let (line, times) = talked??;
        back.push(line);
        taken.extend(times);
    }
    way.keep(back);
    Ok(taken)
}

/// Makes calls on one line, until there are no more.
async fn talk<L: Line>(
    mut line: L,
    at_a_time: usize,
    calls: Arc<Calls>,
) -> Result<(L, Vec<Duration>), Failure> {
    let mut open = HashMap::with_capacity(at_a_time);
    let mut taken = Vec::new();
    let mut next = Vec::from_iter((0..at_a_time).map_while(|_| calls.next()));
    loop {
        for call in next.drain(..) {
            line.prepare(call)?;
            open.insert(call.number, (call, Instant::now()));
            line.send().await?;
        }
        if open.is_empty() {
            return Ok((line, taken));
        }
        line.receive().await?;
        let now = Instant::now();
        let reply = line.reply()?;
        let (call, begun) = open
            .remove(&reply.number)
            .ok_or_else(|| format!("call {} was not asked for", reply.number))?;
        call.check(&reply)?;
        taken.push(now - begun);
        next.extend(calls.next());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::call::Reply;
    use std::collections::VecDeque;

    /// Answers at once, the call that came last first; or for another call than it should.
    struct Memory {
        open: VecDeque<Call>,
        last: Option<Call>,
        is_wrong: bool,
    }

    impl Line for Memory {
        fn prepare(&mut self, call: Call) -> Result<(), Failure> {
            self.open.push_back(call);
            Ok(())
        }

        async fn send(&mut self) -> Result<(), Failure> {
            Ok(())
        }

        async fn receive(&mut self) -> Result<(), Failure> {
            self.last = self.open.pop_back();
            Ok(())
        }

        fn reply(&self) -> Result<Reply<'_>, Failure> {
            let call = self.last.ok_or("nothing was asked")?;
            let said = call.number + u64::from(self.is_wrong);
            Ok(Reply {
                number: call.number,
                text: crate::prose::sentence(said).into(),
                is_part: false,
            })
        }
    }

    struct InMemory {
        one_for_all: bool,
        is_wrong: bool,
    }

    impl Way for InMemory {
        type Line = Memory;

        async fn lines(&mut self, in_flight: usize) -> Result<Vec<Memory>, Failure> {
            let line = || Memory {
                open: VecDeque::new(),
                last: None,
                is_wrong: self.is_wrong,
            };
            let many = if self.one_for_all { 1 } else { in_flight };
            Ok((0..many).map(|_| line()).collect())
        }

        fn cpu(&self) -> Option<Duration> {
            None
        }

        fn peak_mib(&self) -> Option<f64> {
            None
        }
    }

    const LITTLE: Effort = Effort {
        seconds: 0.0,
        growth: 300,
    };

    #[tokio::test]
    async fn every_call_of_a_phase_is_made_and_answered_on_one_line_as_on_many() {
        for one_for_all in [true, false] {
            let mut way = InMemory {
                one_for_all,
                is_wrong: false,
            };
            let phases = [Phase::SixtyFour, Phase::Eight];
            let figures = measure(&mut way, &phases, LITTLE).await.unwrap();
            for phase in phases {
                assert_eq!(figures[&phase].calls, phase.fewest(), "{phase:?}");
            }
            let grown = measure(&mut way, &[Phase::Growth], LITTLE).await.unwrap();
            assert_eq!(grown[&Phase::Growth].calls, 300);
            assert!(grown[&Phase::Growth].growth.is_some());
        }
    }

    #[tokio::test]
    async fn a_wrong_answer_ends_it() {
        let mut way = InMemory {
            one_for_all: true,
            is_wrong: true,
        };
        let ended = measure(&mut way, &[Phase::One], LITTLE).await;
        assert!(ended.unwrap_err().to_string().contains("was answered with"));
    }
}
