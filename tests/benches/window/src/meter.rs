//! What the page does while something comes in.

use load::process::cpu;
use serde::Deserialize;
use std::time::{Duration, Instant};
use window_driver::{Majordomo, Page};

const METER: &str = include_str!("meter.js");

/// Notes what the page of an open conversation does, from now on.
pub async fn start(page: &Page) {
    page.evaluate(METER, Vec::new()).await;
}

/// What was noted since then.
pub async fn stop(page: &Page) -> Reading {
    let noted = page.evaluate("return window.stopMeter()", Vec::new()).await;
    serde_json::from_value(noted).unwrap()
}

/// What was noted. Times are milliseconds since 1970.
#[derive(Debug, Deserialize)]
pub struct Reading {
    frames: Vec<f64>,
    changes: Vec<f64>,
    /// How old the words were when they were drawn, in milliseconds.
    pub ages: Vec<f64>,
}

/// Frames in a stretch of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Frames {
    /// How many a second.
    pub per_second: f64,
    /// The longest time between two of them, in milliseconds.
    pub longest_gap: f64,
}

impl Reading {
    /// The frames while words came, of which the last one was sent at this time since 1970, but for a
    /// share of that at its beginning.
    pub fn frames(&self, but: f64, sent: Duration) -> Frames {
        let first = *self.changes.first().expect("no words came");
        let last = millis(sent);
        let from = first + (last - first) * but;
        let gaps = self.gaps().filter(|(at, _)| (from..=last).contains(at));
        let gaps: Vec<f64> = gaps.map(|(_, gap)| gap).collect();
        Frames {
            per_second: gaps.len() as f64 / gaps.iter().sum::<f64>() * 1e3,
            longest_gap: gaps.into_iter().fold(0.0, f64::max),
        }
    }

    /// The longest time between two frames behind this time, in milliseconds.
    pub fn longest_gap_behind(&self, sent: Duration) -> f64 {
        let behind = self.gaps().filter(|(at, _)| *at > millis(sent));
        behind.map(|(_, gap)| gap).fold(0.0, f64::max)
    }

    /// The time of each frame, and how long it is behind the one before.
    fn gaps(&self) -> impl Iterator<Item = (f64, f64)> {
        let pairs = self.frames.windows(2);
        pairs.map(|pair| (pair[1], pair[1] - pair[0]))
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Processor time of the processes that draw the pages.
pub struct WebCpu {
    processes: Vec<u32>,
    before: Duration,
    begun: Instant,
}

impl WebCpu {
    /// From now on.
    pub fn of(majordomo: &Majordomo) -> Self {
        Self::of_processes(majordomo.web_processes())
    }

    /// Of any processes, from now on.
    pub fn of_processes(processes: Vec<u32>) -> Self {
        Self {
            before: spent(&processes),
            begun: Instant::now(),
            processes,
        }
    }

    /// What they took since then, in hundredths of a core.
    pub fn percent(&self) -> f64 {
        let spent = spent(&self.processes).saturating_sub(self.before);
        spent.as_secs_f64() / self.begun.elapsed().as_secs_f64() * 100.0
    }
}

fn spent(processes: &[u32]) -> Duration {
    processes.iter().filter_map(|process| cpu(*process)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_counted_while_words_come_and_not_around_that() {
        let reading = Reading {
            frames: vec![0.0, 500.0, 510.0, 520.0, 560.0, 570.0, 2_000.0],
            changes: vec![505.0, 570.0],
            ages: Vec::new(),
        };
        let sent = Duration::from_millis(575);
        let frames = reading.frames(0.0, sent);
        assert_eq!(frames.longest_gap, 40.0);
        assert!((frames.per_second - 4e3 / 70.0).abs() < 1e-9);
        assert_eq!(reading.frames(0.9, sent).longest_gap, 10.0);
        assert_eq!(reading.longest_gap_behind(sent), 1_430.0);
    }
}
