//! What the person typed after `load`.

use crate::budgets::Part;
use crate::route::Route;
use load::phase::Phase;
use load::way::Effort;
use std::path::PathBuf;

/// What is printed where the arguments are not understood.
pub const USAGE: &str = "\
usage: load [OPTIONS]
  --rounds N       so many rounds (5)
  --seconds S      so long a phase takes (1)
  --only NAMES     only these, with commas between: c1 c8 c64 1mib 16mib growth,
                   lists activity start idle flat clients
  --routes NAMES   only these ways: direct hand stdio hand-http http, and by
                   Majordomo inside door bridge session modern
  --growth N       calls of `growth` (20000)
  --records N      records of `activity` (100000)
  --pin [CORE]     what takes long is measured on one processor core (Linux)
  --json FILE      writes all figures
  --table FILE     writes the table
  --check FILE     fails where a ratio is more than twice the recorded one
  --record FILE    records the ratios";

/// What was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Arguments {
    /// How often everything is measured.
    pub rounds: u32,
    /// How much is done in a phase.
    pub effort: Effort,
    /// What is measured beside floors.
    pub phases: Vec<Phase>,
    /// On which ways.
    pub routes: Vec<Route>,
    /// What has a budget.
    pub parts: Vec<Part>,
    /// How many records [`Part::Activity`] makes.
    pub records: u64,
    /// On which core latencies are measured.
    pub pin: Option<usize>,
    /// Where all figures are written.
    pub json: Option<PathBuf>,
    /// Where the table is written.
    pub table: Option<PathBuf>,
    /// What to compare with.
    pub check: Option<PathBuf>,
    /// Where the ratios are recorded.
    pub record: Option<PathBuf>,
}

impl Arguments {
    /// Reads them. Fails with what is not understood.
    pub fn read(words: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut words = words.peekable();
        let mut read = Self {
            rounds: 5,
            effort: Effort {
                seconds: 1.0,
                growth: 20_000,
            },
            phases: Phase::ALL.to_vec(),
            routes: Route::ALL.to_vec(),
            parts: Part::ALL.to_vec(),
            records: 100_000,
            pin: None,
            json: None,
            table: None,
            check: None,
            record: None,
        };
        while let Some(name) = words.next() {
            if name == "--pin" {
                let core = words.next_if(|word| !word.starts_with('-'));
                let core = core.unwrap_or_else(|| "0".to_owned());
                read.pin = Some(number(&name, &core)?);
                continue;
            }
            let value = words.next().ok_or(format!("{name} needs a value"))?;
            match name.as_str() {
                "--rounds" => read.rounds = number(&name, &value)?,
                "--seconds" => read.effort.seconds = number(&name, &value)?,
                "--growth" => read.effort.growth = number(&name, &value)?,
                "--records" => read.records = number(&name, &value)?,
                "--only" => {
                    read.phases = Phase::ALL
                        .into_iter()
                        .filter(named(&value, Phase::name))
                        .collect();
                    read.parts = Part::ALL
                        .into_iter()
                        .filter(named(&value, Part::name))
                        .collect();
                    let known = read.phases.len() + read.parts.len();
                    all_known(&name, &value, known)?;
                }
                "--routes" => {
                    read.routes = Route::ALL
                        .into_iter()
                        .filter(named(&value, Route::name))
                        .collect();
                    all_known(&name, &value, read.routes.len())?;
                }
                "--json" => read.json = Some(value.into()),
                "--table" => read.table = Some(value.into()),
                "--check" => read.check = Some(value.into()),
                "--record" => read.record = Some(value.into()),
                _ => return Err(format!("{name} is not understood")),
            }
        }
        let seconds = read.effort.seconds;
        if read.rounds == 0 || !(0.0..=3600.0).contains(&seconds) {
            return Err(
                "there is at least one round, and a phase takes at most an hour".to_owned(),
            );
        }
        Ok(read)
    }
}

fn number<N: std::str::FromStr>(name: &str, value: &str) -> Result<N, String> {
    value
        .parse()
        .map_err(|_| format!("{name} needs a number, not {value:?}"))
}

fn named<T: Copy>(value: &str, name: fn(T) -> &'static str) -> impl Fn(&T) -> bool {
    move |item| value.split(',').any(|wanted| wanted == name(*item))
}

fn all_known(name: &str, value: &str, known: usize) -> Result<(), String> {
    if value.split(',').count() == known {
        Ok(())
    } else {
        Err(format!("{name}: not all of {value:?} is known"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Arguments, String> {
        Arguments::read(line.split_whitespace().map(str::to_owned))
    }

    #[test]
    fn only_names_phases_and_parts_alike() {
        let read = read("--only c1,lists --rounds 3 --pin --seconds 0.5").unwrap();
        assert_eq!(
            (read.phases, read.parts),
            (vec![Phase::One], vec![Part::Lists])
        );
        assert_eq!(
            (read.rounds, read.pin, read.effort.seconds),
            (3, Some(0), 0.5)
        );
    }

    #[test]
    fn what_is_not_understood_is_refused() {
        for line in [
            "--only c1,c2",
            "--routes nowhere",
            "--rounds",
            "--rounds x",
            "--rounds 0",
            "--seconds -1",
            "--pin x",
            "fly high",
        ] {
            assert!(read(line).is_err(), "{line}");
        }
        assert_eq!(read("").unwrap().phases, Phase::ALL);
    }
}
