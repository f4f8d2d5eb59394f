//! What is shown of a run: one figure beside another one of the same round.

use crate::rounds::Round;
use crate::route::Route;
use load::figures::{Figures, median};
use load::phase::Phase;
use std::collections::BTreeMap;

/// Medians over rounds, by name.
pub type Ratios = BTreeMap<&'static str, f64>;

/// A figure of a phase, in microseconds; less is better.
type Figure = fn(&Figures) -> Option<f64>;

/// One figure beside another.
#[derive(Debug, Clone, Copy)]
pub struct Measure {
    /// What it is called, in the table and where it is recorded.
    pub name: &'static str,
    /// What it shall be at most, if that is said anywhere.
    pub goal: Option<f64>,
    /// Of which phase.
    pub phase: Phase,
    /// What is measured.
    pub of: (Route, Figure),
    /// Beside what.
    pub beside: (Route, Figure),
    /// Whether it is recorded. The slowest calls of a busy machine say nothing of ours.
    pub is_recorded: bool,
}

const P50: Figure = |figures| Some(figures.p50_us);
const P99: Figure = |figures| Some(figures.p99_us);
const CPU: Figure = |figures| figures.cpu_us;
/// How long a call takes where many are under way: the inverse of calls per second.
const EACH: Figure = |figures| Some(1e6 / figures.per_second);
const FIRST: Figure = |figures| Some(figures.growth?.first_us);
const LAST: Figure = |figures| Some(figures.growth?.last_us);

/// Beside the floor of a way.
const fn floor(
    name: &'static str,
    goal: Option<f64>,
    phase: Phase,
    route: Route,
    figure: Figure,
) -> Measure {
    let floor = match route {
        Route::Inside => Route::Stdio,
        Route::Door => Route::Http,
        Route::Direct | Route::Stdio | Route::Http => Route::Direct,
    };
    Measure {
        name,
        goal,
        phase,
        of: (route, figure),
        beside: (floor, figure),
        is_recorded: true,
    }
}

/// Beside another figure of the same way.
const fn own(
    name: &'static str,
    goal: f64,
    phase: Phase,
    route: Route,
    figures: (Figure, Figure),
    is_recorded: bool,
) -> Measure {
    Measure {
        name,
        goal: Some(goal),
        phase,
        of: (route, figures.0),
        beside: (route, figures.1),
        is_recorded,
    }
}

/// All of them, as they stand in the table.
pub const MEASURES: [Measure; 18] = {
    use Phase::{Eight, Growth, One, OneMib, SixteenMib, SixtyFour};
    use Route::{Door, Inside};
    [
        floor("c1 inside/stdio", Some(0.6), One, Inside, P50),
        floor("c1 door/http", Some(0.8), One, Door, P50),
        floor("c1 cpu inside/stdio", Some(1.0), One, Inside, CPU),
        floor("c1 cpu door/http", Some(1.0), One, Door, CPU),
        floor("c8 inside/stdio", None, Eight, Inside, EACH),
        floor("c8 door/http", None, Eight, Door, EACH),
        floor("c64 inside/stdio", Some(0.5), SixtyFour, Inside, EACH),
        floor("c64 door/http", Some(0.5), SixtyFour, Door, EACH),
        floor("c64 cpu inside/stdio", Some(1.0), SixtyFour, Inside, CPU),
        floor("c64 cpu door/http", Some(1.0), SixtyFour, Door, CPU),
        own(
            "c64 p99/p50 inside",
            4.0,
            SixtyFour,
            Inside,
            (P99, P50),
            false,
        ),
        own("c64 p99/p50 door", 4.0, SixtyFour, Door, (P99, P50), false),
        floor("1mib inside/stdio", Some(2.0), OneMib, Inside, P50),
        floor("1mib door/http", Some(2.0), OneMib, Door, P50),
        floor("16mib inside/stdio", None, SixteenMib, Inside, P50),
        floor("16mib door/http", None, SixteenMib, Door, P50),
        own("growth inside", 1.1, Growth, Inside, (LAST, FIRST), true),
        own("growth door", 1.1, Growth, Door, (LAST, FIRST), true),
    ]
};

impl Measure {
    /// Both figures of each round that has them.
    pub fn pairs(&self, rounds: &[Round]) -> Vec<(f64, f64)> {
        let figure = |round: &Round, (route, figure): (Route, Figure)| {
            figure(round.get(&route)?.get(&self.phase)?)
        };
        let pair = |round| figure(round, self.of).zip(figure(round, self.beside));
        rounds.iter().filter_map(pair).collect()
    }
}

/// The median of ratios that were taken inside a round; none where no round has both figures.
pub fn ratio(pairs: &[(f64, f64)]) -> Option<f64> {
    let ratios = pairs.iter().map(|(of, beside)| of / beside);
    median(ratios.filter(|ratio| ratio.is_finite()))
}

/// Those of a run that are recorded.
pub fn medians(rounds: &[Round]) -> Ratios {
    let recorded = MEASURES.iter().filter(|measure| measure.is_recorded);
    recorded
        .filter_map(|measure| Some((measure.name, ratio(&measure.pairs(rounds))?)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(inside: f64, stdio: f64) -> Round {
        let of = |p50_us| {
            let figures = Figures {
                p50_us,
                ..Figures::default()
            };
            BTreeMap::from([(Phase::One, figures)])
        };
        Round::from([(Route::Inside, of(inside)), (Route::Stdio, of(stdio))])
    }

    #[test]
    fn a_ratio_is_taken_inside_a_round_and_a_disturbed_one_does_not_count() {
        // The machine was twice as slow in the second, and disturbed in the third.
        let rounds = [
            round(300.0, 100.0),
            round(600.0, 200.0),
            round(9000.0, 100.0),
        ];
        assert_eq!(medians(&rounds)["c1 inside/stdio"], 3.0);
    }

    #[test]
    fn what_was_not_measured_has_no_ratio() {
        let ratios = medians(&[round(300.0, 100.0)]);
        assert_eq!(ratios.keys().collect::<Vec<_>>(), [&"c1 inside/stdio"]);
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
        assert!(medians(&[]).is_empty());
    }

    #[test]
    fn no_two_measures_have_the_same_name() {
        let names: std::collections::BTreeSet<_> = MEASURES.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), MEASURES.len());
    }
}
