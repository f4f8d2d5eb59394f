//! Everything that is measured in one run.

use crate::arguments::Arguments;
use crate::budgets::{self, Part};
use crate::route::Route;
use load::Failure;
use load::cores::Cores;
use load::figures::Figures;
use load::phase::{Phase, Sitting};
use serde::Serialize;
use std::collections::BTreeMap;
use std::hash::{BuildHasher as _, RandomState};

/// What came of one round, by way and phase.
pub type Round = BTreeMap<Route, BTreeMap<Phase, Figures>>;

/// A run.
#[derive(Debug, Default, Serialize)]
pub struct Run {
    /// What has a floor, round by round.
    pub rounds: Vec<Round>,
    /// What has a budget, round by round: the figure of each name.
    pub budgets: Vec<BTreeMap<&'static str, f64>>,
}

/// What is done at one time.
#[derive(Debug, Clone, Copy, Hash)]
enum Turn {
    Route(Route, usize),
    Part(Part),
}

impl Run {
    /// Makes it.
    pub async fn make(arguments: &Arguments) -> Result<Self, Failure> {
        let cores = Cores::of_this_thread()?;
        let mut run = Self::default();
        for number in 1..=arguments.rounds {
            crate::complain(&format!("round {number} of {}", arguments.rounds));
            let (round, budgets) = one(arguments, &cores).await?;
            run.rounds.push(round);
            run.budgets.push(budgets);
        }
        Ok(run)
    }
}

async fn one(
    arguments: &Arguments,
    cores: &Cores,
) -> Result<(Round, BTreeMap<&'static str, f64>), Failure> {
    let (mut round, mut budgets) = (Round::new(), BTreeMap::new());
    for turn in turns(arguments) {
        match turn {
            Turn::Route(route, sitting) => {
                let phases = phases(arguments, route, sitting);
                let told = |problem| -> Failure {
                    format!("{} {phases:?}: {problem}", route.name()).into()
                };
                let is_pinned = Sitting::ALL[sitting] != Sitting::Throughput;
                cores.keep(arguments.pin.filter(|_| is_pinned))?;
                let measured = route
                    .measure(&phases, arguments.effort)
                    .await
                    .map_err(told)?;
                round.entry(route).or_default().extend(measured);
            }
            Turn::Part(part) => {
                cores.keep(None)?;
                let told = |problem| -> Failure { format!("{}: {problem}", part.name()).into() };
                budgets.extend(
                    budgets::measure(part, arguments.records)
                        .await
                        .map_err(told)?,
                );
            }
        }
    }
    Ok((round, budgets))
}

/// All that a round has, in an order of its own.
fn turns(arguments: &Arguments) -> Vec<Turn> {
    let of_route = |route: &Route| {
        let route = *route;
        (0..Sitting::ALL.len())
            .filter(move |sitting| !phases(arguments, route, *sitting).is_empty())
            .map(move |sitting| Turn::Route(route, sitting))
    };
    let routes = arguments.routes.iter().flat_map(of_route);
    let parts = arguments.parts.iter().copied().map(Turn::Part);
    let mut turns: Vec<Turn> = routes.chain(parts).collect();
    let thrown = RandomState::new();
    turns.sort_by_key(|turn| thrown.hash_one(turn));
    turns
}

fn phases(arguments: &Arguments, route: Route, sitting: usize) -> Vec<Phase> {
    let of_it = |phase: &Phase| route.takes(*phase) && phase.sitting() == Sitting::ALL[sitting];
    arguments.phases.iter().copied().filter(of_it).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_has_its_turn_in_each_sitting_whatever_the_order() {
        let words = ["--only", "c1,c64,growth,idle"].map(str::to_owned);
        let arguments = Arguments::read(words.into_iter()).unwrap();
        for _ in 0..10 {
            // Two sittings on each way, growth on two of them, and one part.
            assert_eq!(turns(&arguments).len(), 2 * Route::ALL.len() + 2 + 1);
        }
    }
}
