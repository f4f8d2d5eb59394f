//! Figures as a person reads them, in Markdown.

use crate::figure::{Figure, Goal};
use crate::surroundings::Surroundings;
use std::fmt::Write as _;

/// The table, and under what it came to be.
pub fn of(surroundings: &Surroundings, figures: &[Figure]) -> String {
    let mut text = format!("{surroundings}\n\n| what | figure | goal | |\n|---|---:|---:|---|\n");
    for figure in figures {
        let goal = match figure.goal {
            Some(Goal::AtMost(most)) => format!("≤ {most}"),
            Some(Goal::AtLeast(least)) => format!("≥ {least}"),
            None => String::new(),
        };
        let met = match figure.is_met() {
            Some(true) => "met",
            Some(false) => "missed",
            None => "",
        };
        let Figure {
            name, value, unit, ..
        } = figure;
        let digits = if *value < 10.0 { 2 } else { 0 };
        // Writing to a text cannot fail.
        let _ = writeln!(
            text,
            "| {name} | {value:.digits$} {unit} | {goal} | {met} |"
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_says_what_was_measured_and_what_it_shall_be() {
        let figures = [
            Figure::new("a", 81.4, "ms").at_most(80.0),
            Figure::new("b", 1.25, "frames/s").at_least(1.0),
            Figure::new("c", 3.0, "MiB"),
        ];
        let table = of(&Surroundings::now(), &figures);
        for row in [
            "| a | 81 ms | ≤ 80 | missed |",
            "| b | 1.25 frames/s | ≥ 1 | met |",
            "| c | 3.00 MiB |  |  |",
        ] {
            assert!(table.contains(row), "{table}");
        }
    }
}
