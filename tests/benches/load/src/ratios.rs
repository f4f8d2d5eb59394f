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
    /// Whether it is recorded. What else a machine does meanwhile moves the middle of the calls and
    /// the slowest ones; it moves processor time, and the quickest ones, much less.
    pub is_recorded: bool,
}

const P10: Figure = |figures| Some(figures.p10_us);
const P50: Figure = |figures| Some(figures.p50_us);
const P99: Figure = |figures| Some(figures.p99_us);
const CPU: Figure = |figures| figures.cpu_us;
/// How long a call takes where many are under way: the inverse of calls per second.
const EACH: Figure = |figures| Some(1e6 / figures.per_second);
/// The hundredth call, and the last one; first the middle of those around it, then the quick ones.
const FIRST: [Figure; 2] = [
    |figures| Some(figures.growth?.first.p50_us),
    |figures| Some(figures.growth?.first.p10_us),
];
const LAST: [Figure; 2] = [
    |figures| Some(figures.growth?.last.p50_us),
    |figures| Some(figures.growth?.last.p10_us),
];

/// Beside the floor of a way.
const fn floor(
    name: &'static str,
    goal: Option<f64>,
    (phase, route): (Phase, Route),
    figure: Figure,
) -> Measure {
    let floor = match route {
        Route::Inside | Route::Bridge => Route::Stdio,
        Route::Door | Route::Session | Route::Modern => Route::Http,
        Route::Direct | Route::Hand | Route::Stdio | Route::HandHttp | Route::Http => Route::Direct,
    };
    Measure {
        name,
        goal,
        phase,
        of: (route, figure),
        beside: (floor, figure),
        is_recorded: false,
    }
}

/// Beside another figure of the same way.
const fn own(
    name: &'static str,
    goal: f64,
    (phase, route): (Phase, Route),
    (figure, beside): (Figure, Figure),
) -> Measure {
    Measure {
        name,
        goal: Some(goal),
        phase,
        of: (route, figure),
        beside: (route, beside),
        is_recorded: false,
    }
}

/// One of those that are compared with what they were.
const fn recorded(measure: Measure) -> Measure {
    Measure {
        is_recorded: true,
        ..measure
    }
}

/// All of them, as they stand in the table.
pub const MEASURES: [Measure; 38] = {
    use Phase::{Eight, Growth, One, OneMib, SixteenMib, SixtyFour};
    use Route::{Bridge, Door, Inside, Modern, Session};
    let c64 = [(SixtyFour, Inside), (SixtyFour, Door)];
    let c1 = [(One, Inside), (One, Door)];
    let grown = [(Growth, Inside), (Growth, Door)];
    let mib = [(OneMib, Inside), (OneMib, Door)];
    [
        floor("c1 inside/stdio", Some(0.6), c1[0], P50),
        floor("c1 door/http", Some(0.8), c1[1], P50),
        recorded(floor("c1 p10 inside/stdio", None, c1[0], P10)),
        recorded(floor("c1 p10 door/http", None, c1[1], P10)),
        recorded(floor("c1 cpu inside/stdio", Some(1.0), c1[0], CPU)),
        recorded(floor("c1 cpu door/http", Some(1.0), c1[1], CPU)),
        floor("c8 inside/stdio", None, (Eight, Inside), EACH),
        floor("c8 door/http", None, (Eight, Door), EACH),
        recorded(floor("c64 inside/stdio", Some(0.5), c64[0], EACH)),
        recorded(floor("c64 door/http", Some(0.5), c64[1], EACH)),
        recorded(floor("c64 cpu inside/stdio", Some(1.0), c64[0], CPU)),
        recorded(floor("c64 cpu door/http", Some(1.0), c64[1], CPU)),
        own("c64 p99/p50 inside", 4.0, c64[0], (P99, P50)),
        own("c64 p99/p50 door", 4.0, c64[1], (P99, P50)),
        floor("1mib inside/stdio", Some(2.0), mib[0], P50),
        floor("1mib door/http", Some(2.0), mib[1], P50),
        recorded(floor("1mib cpu inside/stdio", None, mib[0], CPU)),
        recorded(floor("1mib cpu door/http", None, mib[1], CPU)),
        floor("16mib inside/stdio", None, (SixteenMib, Inside), P50),
        floor("16mib door/http", None, (SixteenMib, Door), P50),
        own("growth inside", 1.1, grown[0], (LAST[0], FIRST[0])),
        own("growth door", 1.1, grown[1], (LAST[0], FIRST[0])),
        recorded(own("growth p10 inside", 1.1, grown[0], (LAST[1], FIRST[1]))),
        floor("c1 bridge/stdio", Some(0.7), (One, Bridge), P50),
        floor("c1 session/http", Some(0.7), (One, Session), P50),
        floor("c1 modern/http", Some(0.7), (One, Modern), P50),
        recorded(floor("c1 p10 bridge/stdio", None, (One, Bridge), P10)),
        recorded(floor("c1 p10 session/http", None, (One, Session), P10)),
        recorded(floor("c1 cpu bridge/stdio", None, (One, Bridge), CPU)),
        recorded(floor("c1 cpu session/http", None, (One, Session), CPU)),
        floor("c64 bridge/stdio", Some(0.5), (SixtyFour, Bridge), EACH),
        floor("c64 session/http", Some(0.5), (SixtyFour, Session), EACH),
        floor("c64 modern/http", Some(0.5), (SixtyFour, Modern), EACH),
        recorded(floor(
            "c64 cpu bridge/stdio",
            None,
            (SixtyFour, Bridge),
            CPU,
        )),
        recorded(floor(
            "c64 cpu session/http",
            None,
            (SixtyFour, Session),
            CPU,
        )),
        floor("1mib bridge/stdio", Some(1.5), (OneMib, Bridge), P50),
        floor("1mib session/http", Some(1.5), (OneMib, Session), P50),
        floor("1mib modern/http", Some(1.5), (OneMib, Modern), P50),
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

/// Whether a run of these phases on these ways must have this ratio. One that nobody knows any more
/// is missed, too, so that it does not stay where it was recorded.
pub fn is_wanted(name: &str, phases: &[Phase], routes: &[Route]) -> bool {
    let known = MEASURES.iter().find(|measure| measure.name == name);
    known.is_none_or(|measure| {
        let has = |route| routes.contains(&route);
        phases.contains(&measure.phase) && has(measure.of.0) && has(measure.beside.0)
    })
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
        let of = |p10_us| {
            let figures = Figures {
                p10_us,
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
        assert_eq!(medians(&rounds)["c1 p10 inside/stdio"], 3.0);
    }

    #[test]
    fn what_was_not_measured_has_no_ratio() {
        let ratios = medians(&[round(300.0, 100.0)]);
        assert_eq!(ratios.keys().collect::<Vec<_>>(), [&"c1 p10 inside/stdio"]);
        assert_eq!(ratio(&[(1.0, 0.0)]), None);
        assert!(medians(&[]).is_empty());
    }

    #[test]
    fn what_was_not_asked_for_is_not_missed() {
        let wanted =
            |phase, route| is_wanted("c1 p10 inside/stdio", &[phase], &[Route::Stdio, route]);
        assert!(wanted(Phase::One, Route::Inside));
        assert!(!wanted(Phase::Eight, Route::Inside) && !wanted(Phase::One, Route::Door));
        assert!(is_wanted("as it was called once", &[], &[]));
    }

    #[test]
    fn no_two_measures_have_the_same_name() {
        let names: std::collections::BTreeSet<_> = MEASURES.iter().map(|it| it.name).collect();
        assert_eq!(names.len(), MEASURES.len());
    }
}
