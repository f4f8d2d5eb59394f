//! What was measured, in few numbers.

use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What came of one phase.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// Calls that were answered as they should be; there are no others.
    pub calls: u64,
    /// A tenth of the calls took at most so long, in microseconds: what a call takes where nothing
    /// comes between.
    pub p10_us: f64,
    /// Half of the calls took at most so long.
    pub p50_us: f64,
    /// So long at most took 99 of a hundred.
    pub p99_us: f64,
    /// Calls per second.
    pub per_second: f64,
    /// Processor time of what is measured for one call, in microseconds; none where the system does
    /// not tell.
    pub cpu_us: Option<f64>,
    /// Of that, what a program took that only carries messages, where there is one.
    pub carrier_cpu_us: Option<f64>,
    /// The most memory that it had since it began, in MiB; none where the system does not tell.
    pub peak_mib: Option<f64>,
    /// How the last calls compare with the first ones, where that is what is measured.
    pub growth: Option<Growth>,
}

/// Two windows of one long row of calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Growth {
    /// The calls around the hundredth.
    pub first: Window,
    /// The last hundred.
    pub last: Window,
}

/// A hundred calls.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// A tenth of them took at most so long, in microseconds.
    pub p10_us: f64,
    /// Half of them.
    pub p50_us: f64,
}

/// How many calls a window of [`Growth`] has, and around which call the first one lies.
const WINDOW: usize = 100;

impl Figures {
    /// Of calls that took so long, in the order in which they ended.
    pub fn of(taken: &[Duration], elapsed: Duration, cpu: Option<Duration>) -> Self {
        let mut sorted: Vec<f64> = taken.iter().copied().map(micros).collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let calls = taken.len() as f64;
        Self {
            calls: taken.len() as u64,
            p10_us: percentile(&sorted, 10),
            p50_us: percentile(&sorted, 50),
            p99_us: percentile(&sorted, 99),
            per_second: calls / elapsed.as_secs_f64().max(f64::MIN_POSITIVE),
            cpu_us: cpu.map(|cpu| micros(cpu) / calls.max(1.0)),
            carrier_cpu_us: None,
            peak_mib: None,
            growth: None,
        }
    }

    /// What each call took of this, in microseconds.
    pub fn each(&self, spent: Duration) -> f64 {
        micros(spent) / (self.calls as f64).max(1.0)
    }
}

impl Growth {
    /// Of a row of calls in their order; none of a row that is too short for two windows.
    pub fn of(taken: &[Duration]) -> Option<Self> {
        let first = taken.get(WINDOW / 2..WINDOW / 2 + WINDOW)?;
        let last = taken.get(WINDOW / 2 + WINDOW..)?;
        let last = &last[last.len().checked_sub(WINDOW)?..];
        Some(Self {
            first: Window::of(first),
            last: Window::of(last),
        })
    }
}

impl Window {
    fn of(taken: &[Duration]) -> Self {
        let figures = Figures::of(taken, Duration::ZERO, None);
        Self {
            p10_us: figures.p10_us,
            p50_us: figures.p50_us,
        }
    }
}

/// The middle one; of two the mean. None of nothing.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_unstable_by(f64::total_cmp);
    let half = values.len() / 2;
    let upper = *values.get(half)?;
    if values.len() % 2 == 1 {
        Some(upper)
    } else {
        Some((values[half - 1] + upper) / 2.0)
    }
}

fn percentile(sorted: &[f64], of_a_hundred: usize) -> f64 {
    let last = sorted.len().saturating_sub(1);
    sorted
        .get(last * of_a_hundred / 100)
        .copied()
        .unwrap_or_default()
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn times(micros: impl IntoIterator<Item = u64>) -> Vec<Duration> {
        micros.into_iter().map(Duration::from_micros).collect()
    }

    #[test]
    fn a_median_is_not_moved_by_one_that_is_far_off() {
        assert_eq!(median([3.0, 1.0, 900.0]), Some(3.0));
        assert_eq!(median([1.0, 2.0]), Some(1.5));
        assert_eq!(median([]), None);
    }

    #[test]
    fn percentiles_rates_and_processor_time_are_of_all_calls() {
        let (elapsed, cpu) = (Duration::from_secs(2), Duration::from_millis(1));
        let figures = Figures::of(&times((1..=100).rev()), elapsed, Some(cpu));
        let percentiles = (figures.p10_us, figures.p50_us, figures.p99_us);
        assert_eq!(percentiles, (10.0, 50.0, 99.0));
        assert_eq!((figures.calls, figures.per_second), (100, 50.0));
        assert_eq!(figures.cpu_us, Some(10.0));
        assert_eq!(Figures::of(&[], elapsed, None).p99_us, 0.0);
    }

    #[test]
    fn growth_is_the_last_hundred_beside_those_around_the_hundredth() {
        let row = (0..1000).map(|call| if call < 900 { 10 } else { 30 });
        let growth = Growth::of(&times(row)).unwrap();
        assert_eq!((growth.first.p50_us, growth.last.p50_us), (10.0, 30.0));
        assert_eq!((growth.first.p10_us, growth.last.p10_us), (10.0, 30.0));
        assert_eq!(Growth::of(&times([1; 249])), None);
    }
}
