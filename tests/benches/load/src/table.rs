//! A run as a person reads it, in Markdown.

use crate::budgets::BUDGETS;
use crate::ratios::{MEASURES, ratio};
use crate::rounds::{Round, Run};
use crate::route::Route;
use load::figures::{Figures, median};
use load::phase::Phase;

/// Its tables: ratios, what stands behind them, and what has a budget.
pub fn of(run: &Run) -> String {
    let mut text = ratios(&run.rounds);
    text += &absolute(&run.rounds);
    text += &budgets(run);
    text
}

fn ratios(rounds: &[Round]) -> String {
    let mut rows = String::new();
    for measure in MEASURES {
        let pairs = measure.pairs(rounds);
        let Some(ratio) = ratio(&pairs) else {
            continue;
        };
        let (ours, beside): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
        row(
            &mut rows,
            &[
                measure.name.to_owned(),
                format!("{ratio:.2}"),
                at_most(measure.goal),
                micros(median(ours)),
                micros(median(beside)),
            ],
        );
    }
    titled(
        &rows,
        &["ratio (median over rounds)", "", "goal", "this", "beside"],
    )
}

fn absolute(rounds: &[Round]) -> String {
    let mut rows = String::new();
    for phase in Phase::ALL {
        for route in Route::ALL {
            let measured: Vec<&Figures> = rounds
                .iter()
                .filter_map(|round| round.get(&route)?.get(&phase))
                .collect();
            if measured.is_empty() {
                continue;
            }
            let middle = |figure: fn(&Figures) -> Option<f64>| {
                median(measured.iter().filter_map(|figures| figure(figures)))
            };
            row(
                &mut rows,
                &[
                    format!("{} {}", phase.name(), route.name()),
                    micros(middle(|figures| Some(figures.p50_us))),
                    micros(middle(|figures| Some(figures.p99_us))),
                    plain(middle(|figures| Some(figures.per_second))),
                    micros(middle(|figures| figures.cpu_us)),
                    of_carrier(middle(|figures| figures.carrier_cpu_us)),
                    plain(middle(|figures| figures.peak_mib)),
                ],
            );
        }
    }
    let head = [
        "medians over rounds",
        "p50",
        "p99",
        "calls/s",
        "CPU per call",
        "the bridge's",
        "peak MiB",
    ];
    titled(&rows, &head)
}

fn budgets(run: &Run) -> String {
    let mut rows = String::new();
    for budget in BUDGETS {
        let figures = run
            .budgets
            .iter()
            .filter_map(|round| round.get(budget.name));
        if let Some(figure) = median(figures.copied()) {
            let figure = format!("{figure:.1} {}", budget.unit);
            row(
                &mut rows,
                &[budget.name.to_owned(), figure, at_most(budget.most)],
            );
        }
    }
    titled(&rows, &["median over rounds", "", "goal"])
}

/// The rows under a head; nothing where there are none.
fn titled(rows: &str, head: &[&str]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut text = String::new();
    row(&mut text, head);
    let mut line = vec!["---"];
    line.resize(head.len(), "---:");
    row(&mut text, &line);
    text + rows + "\n"
}

fn row<S: AsRef<str>>(text: &mut String, cells: &[S]) {
    text.push('|');
    for cell in cells {
        text.push(' ');
        text.push_str(cell.as_ref());
        text.push_str(" |");
    }
    text.push('\n');
}

fn at_most(most: Option<f64>) -> String {
    most.map_or_else(String::new, |most| format!("≤ {most}"))
}

fn plain(figure: Option<f64>) -> String {
    figure.map_or_else(|| NOT_MEASURED.to_owned(), |figure| format!("{figure:.0}"))
}

/// Where nothing is between but what is measured, there is nothing to tell.
fn of_carrier(time: Option<f64>) -> String {
    time.map_or_else(String::new, |time| micros(Some(time)))
}

const NOT_MEASURED: &str = "not measured here";

/// A time, in the unit in which it is read best.
fn micros(time: Option<f64>) -> String {
    match time {
        None => NOT_MEASURED.to_owned(),
        Some(time) if time < 1e3 => format!("{time:.1} µs"),
        Some(time) if time < 1e6 => format!("{:.2} ms", time / 1e3),
        Some(time) => format!("{:.2} s", time / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn a_time_is_told_in_the_unit_in_which_it_is_read_best() {
        let told = [Some(5.54), Some(5_540.0), Some(5_540_000.0), None].map(micros);
        assert_eq!(told, ["5.5 µs", "5.54 ms", "5.54 s", "not measured here"]);
    }

    #[test]
    fn a_run_is_told_with_ratios_goals_and_what_stands_behind_them() {
        let of = |p50_us| {
            let figures = Figures {
                p50_us,
                ..Figures::default()
            };
            BTreeMap::from([(Phase::One, figures)])
        };
        let round = Round::from([(Route::Inside, of(300.0)), (Route::Stdio, of(100.0))]);
        let run = Run {
            rounds: vec![round],
            budgets: vec![BTreeMap::from([(BUDGETS[0].name, 7.0)])],
        };
        let table = super::of(&run);
        assert!(
            table.contains("| c1 inside/stdio | 3.00 | ≤ 0.6 | 300.0 µs | 100.0 µs |"),
            "{table}"
        );
        assert!(
            table.contains("| 1,000 tools listed | 7.0 ms | ≤ 10 |"),
            "{table}"
        );
        assert!(!table.contains("door"), "what was not measured is not told");
    }
}
