//! The sets of scenarios that are run, and how many of each have to pass.

/// What is tested.
pub enum Tested {
    /// The rooms that talk to servers, as a client of the servers of the suite.
    Client,
    /// The gateway before the conforming server of this era, as a server for the suite.
    Gateway {
        /// `handshake` or `modern`.
        era: &'static str,
    },
}

/// One run of the suite.
pub struct Set {
    /// What it is called in the line that sums it up.
    pub name: &'static str,
    /// What is tested.
    pub tested: Tested,
    /// What the suite is told.
    pub words: &'static [&'static str],
    /// How many scenarios have to pass. With `--requirements` these are the ones that the revision
    /// requires, but for those that are expected to fail.
    pub scenarios: usize,
    /// Whether what is listed as an expected failure must fail, and nothing else may.
    pub exceptions: bool,
}

/// The frozen requirements of the two newest revisions, what an older one had, and then everything
/// there is: extensions and ways back to older servers included, each in the revision that it is
/// about. Then what the two newest revisions require of servers, of the gateway.
pub const SETS: [Set; 6] = [
    Set {
        name: "2025-06-18",
        tested: Tested::Client,
        words: &["--suite", "all", "--spec-version", "2025-06-18"],
        scenarios: 5,
        exceptions: false,
    },
    Set {
        name: "2025-11-25",
        tested: Tested::Client,
        words: &["--requirements", "2025-11-25"],
        scenarios: 18,
        exceptions: false,
    },
    Set {
        name: "2026-07-28",
        tested: Tested::Client,
        words: &["--requirements", "2026-07-28"],
        scenarios: 32,
        exceptions: false,
    },
    Set {
        name: "everything",
        tested: Tested::Client,
        words: &["--suite", "all"],
        scenarios: 41,
        exceptions: true,
    },
    Set {
        name: "gateway 2025-11-25",
        tested: Tested::Gateway { era: "handshake" },
        words: &["--requirements", "2025-11-25"],
        scenarios: 30,
        exceptions: false,
    },
    Set {
        name: "gateway 2026-07-28",
        tested: Tested::Gateway { era: "modern" },
        words: &["--requirements", "2026-07-28"],
        scenarios: 37,
        exceptions: false,
    },
];
