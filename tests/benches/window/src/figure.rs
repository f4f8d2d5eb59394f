//! What was measured, and what it shall be.

use serde::Serialize;

/// One figure.
#[derive(Debug, Serialize)]
pub struct Figure {
    /// Of what it is.
    pub name: String,
    /// How much it is.
    pub value: f64,
    /// In what that is told.
    pub unit: &'static str,
    /// What it shall be, if that is said anywhere.
    pub goal: Option<Goal>,
}

/// What a figure shall be.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Goal {
    /// So much at most.
    AtMost(f64),
    /// So much at least.
    AtLeast(f64),
}

impl Figure {
    /// A figure that has no goal.
    pub fn new(name: impl Into<String>, value: f64, unit: &'static str) -> Self {
        Self {
            name: name.into(),
            value,
            unit,
            goal: None,
        }
    }

    /// It shall be so much at most.
    pub fn at_most(mut self, most: f64) -> Self {
        self.goal = Some(Goal::AtMost(most));
        self
    }

    /// It shall be so much at least.
    pub fn at_least(mut self, least: f64) -> Self {
        self.goal = Some(Goal::AtLeast(least));
        self
    }

    /// Whether it is as it shall be.
    pub fn is_met(&self) -> Option<bool> {
        Some(match self.goal? {
            Goal::AtMost(most) => self.value <= most,
            Goal::AtLeast(least) => self.value >= least,
        })
    }
}

/// So much of the values are at most this: `share` is 0.5 for the median.
pub fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1) as f64;
    let at = (last * share).round() as usize;
    *sorted.get(at).expect("nothing was measured")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_figure_is_compared_with_its_goal() {
        let figure = |value| Figure::new("x", value, "ms");
        assert_eq!(figure(2.0).at_most(2.0).is_met(), Some(true));
        assert_eq!(figure(1.0).at_least(2.0).is_met(), Some(false));
        assert_eq!(figure(1.0).is_met(), None);
    }

    #[test]
    fn a_percentile_is_one_of_the_values() {
        let values = [5.0, 1.0, 4.0, 2.0, 3.0];
        let all = [0.0, 0.5, 0.95].map(|share| percentile(&values, share));
        assert_eq!(all, [1.0, 3.0, 5.0]);
    }
}
