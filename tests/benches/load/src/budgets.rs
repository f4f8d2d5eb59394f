//! What has no floor but a budget: lists, the log after a burst, the start, doing nothing, a call
//! where there is much beside one where there is little, and what an application waits for that
//! comes in.

mod activity;
mod clients;
mod flat;
mod idle;
mod lists;
mod start;

use load::Failure;
use std::collections::BTreeMap;

/// What is measured for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// Thousands of tools of one server.
    Lists,
    /// The log after a burst of records.
    Activity,
    /// From nothing to the first answer.
    Start,
    /// Memory and wake-ups of a host of which nobody wants anything.
    Idle,
    /// A call where there is much of what is kept.
    Flat,
    /// Another application that comes in and lists what it may use.
    Clients,
}

/// A figure, and what it shall be at most.
#[derive(Debug, Clone, Copy)]
pub struct Budget {
    /// What it is called.
    pub name: &'static str,
    /// In what it is told.
    pub unit: &'static str,
    /// At most, if that is said anywhere.
    pub most: Option<f64>,
}

const fn budget(name: &'static str, unit: &'static str, most: Option<f64>) -> Budget {
    Budget { name, unit, most }
}

/// All of them, as they stand in the table.
pub const BUDGETS: [Budget; 17] = [
    budget(lists::THOUSAND.listed, "ms", Some(10.0)),
    budget(lists::THOUSAND.reviewed, "ms", Some(100.0)),
    budget(lists::THOUSAND.approved, "ms", Some(300.0)),
    budget(lists::TEN_THOUSAND.listed, "ms", None),
    budget(lists::TEN_THOUSAND.reviewed, "ms", None),
    budget(lists::TEN_THOUSAND.approved, "ms", None),
    budget(activity::FIRST_PAGE, "ms", Some(50.0)),
    budget(start::FIRST_ANSWER, "ms", Some(50.0)),
    budget(idle::PSS, "MiB", Some(25.0)),
    budget(idle::WAKE_UPS, "per second", Some(1.0)),
    budget(flat::Much::Tools.name(), "×", Some(1.1)),
    budget(flat::Much::Rules.name(), "×", Some(1.1)),
    budget(flat::Much::Servers.name(), "×", Some(1.1)),
    budget(clients::LISTED, "ms", Some(10.0)),
    budget(clients::COMES, "ms", Some(50.0)),
    budget(clients::BRINGS, "ms", Some(50.0)),
    budget(clients::PSS, "MiB", Some(25.0)),
];

impl Part {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Lists,
        Self::Activity,
        Self::Start,
        Self::Idle,
        Self::Flat,
        Self::Clients,
    ];

    /// By which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lists => "lists",
            Self::Activity => "activity",
            Self::Start => "start",
            Self::Idle => "idle",
            Self::Flat => "flat",
            Self::Clients => "clients",
        }
    }
}

/// Its figures, by the names in [`BUDGETS`]. What the system does not tell is left out.
pub async fn measure(part: Part, records: u64) -> Result<BTreeMap<&'static str, f64>, Failure> {
    match part {
        Part::Lists => lists::measure().await,
        Part::Activity => activity::measure(records).await,
        Part::Start => start::measure().await,
        Part::Idle => idle::measure().await,
        Part::Flat => flat::measure().await,
        Part::Clients => clients::measure().await,
    }
}

/// So long it took, in milliseconds.
fn millis_since(begun: std::time::Instant) -> f64 {
    begun.elapsed().as_secs_f64() * 1e3
}
