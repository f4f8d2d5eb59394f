//! How strongly servers can be confined on this computer. The jail tries it: what a system says of
//! itself is not always so.

use crate::launch::SAY_STRENGTH;
use crate::profile::Tier;
use serde::Serialize;
use std::path::Path;
use std::process::{Command, Stdio};

/// What can be had.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Strength {
    /// The strongest tier; none if servers cannot be confined at all.
    pub tier: Option<Tier>,
    /// What of a server's [`Limits`] that tier enforces here.
    ///
    /// [`Limits`]: crate::profile::Limits
    pub bounds: Bounds,
}

/// Limits that not every system lets us enforce. The others hold on each tier.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Bounds {
    /// How much memory one server takes.
    pub memory: bool,
    /// How many processes one server starts.
    pub processes: bool,
}

impl Strength {
    /// Asks the jail, which takes some ten milliseconds. A jail that gives no answer can confine
    /// nothing.
    pub fn ask(jail: &Path) -> Self {
        Self::said_by(Command::new(jail), None)
    }

    /// Lets a jail say it, of one tier or of the strongest.
    pub(crate) fn said_by(mut jail: Command, tier: Option<Tier>) -> Self {
        let answer = jail
            .arg(SAY_STRENGTH)
            .args(tier.map(Tier::word))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output();
        let answer = answer.map(|output| output.stdout).unwrap_or_default();
        Self::from_line(&String::from_utf8_lossy(&answer))
    }

    /// The strength as a line, with its end.
    pub(crate) fn to_line(self) -> String {
        let words = [
            self.tier.map(Tier::word),
            self.bounds.memory.then_some(MEMORY),
            self.bounds.processes.then_some(PROCESSES),
        ];
        words.into_iter().flatten().collect::<Vec<_>>().join(" ") + "\n"
    }

    fn from_line(line: &str) -> Self {
        let says = |word| line.split_whitespace().any(|said| said == word);
        Self {
            tier: Tier::ALL.into_iter().find(|tier| says(tier.word())),
            bounds: Bounds {
                memory: says(MEMORY),
                processes: says(PROCESSES),
            },
        }
    }
}

const MEMORY: &str = "memory";
const PROCESSES: &str = "processes";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_strength_arrives_as_it_was_said() {
        for tier in Tier::ALL.map(Some).into_iter().chain([None]) {
            for (memory, processes) in [(false, false), (true, false), (false, true), (true, true)]
            {
                let bounds = Bounds { memory, processes };
                let strength = Strength { tier, bounds };
                assert_eq!(Strength::from_line(&strength.to_line()), strength);
            }
        }
    }
}
