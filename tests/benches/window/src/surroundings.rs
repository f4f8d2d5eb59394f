//! Under what it was measured: a figure without that says little.

use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::Path;

/// What a figure depends on beside the program.
#[derive(Debug, Serialize)]
pub struct Surroundings {
    /// Whether the program is optimised.
    is_optimised: bool,
    /// Processor cores.
    cores: usize,
    /// Whether the window is drawn without a graphics card.
    draws_in_software: bool,
    /// How many processes wanted to run, over the minute before.
    load_before: f64,
    /// The same over the last minute of the measuring: what is measured is in it.
    load_after: Option<f64>,
}

impl Surroundings {
    /// Those of now.
    pub fn now() -> Self {
        Self {
            is_optimised: !cfg!(debug_assertions),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            draws_in_software: !Path::new("/dev/dri").exists(),
            load_before: load(),
            load_after: None,
        }
    }

    /// All is measured.
    pub fn ended(&mut self) {
        self.load_after = Some(load());
    }
}

impl fmt::Display for Surroundings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let build = match self.is_optimised {
            true => "release",
            false => "debug",
        };
        let drawn = match self.draws_in_software {
            true => "in software",
            false => "by a graphics card",
        };
        let (cores, before) = (self.cores, self.load_before);
        write!(
            f,
            "A {build} build on {cores} cores, drawn {drawn}; load {before:.2} before"
        )?;
        match self.load_after {
            Some(after) => write!(f, " and {after:.2} at the end."),
            None => write!(f, "."),
        }
    }
}

fn load() -> f64 {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let first = text.split(' ').next();
    first.and_then(|load| load.parse().ok()).unwrap_or_default()
}
