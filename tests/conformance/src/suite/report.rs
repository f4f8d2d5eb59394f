//! What the suite prints at the end of a run → how many scenarios passed.

use std::fmt;

/// How one run went, in scenarios.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Every check in it succeeded, and there was at least one.
    pub passed: usize,
    /// Some check in it did not succeed; its name.
    pub failing: Vec<String>,
    /// It failed, and was expected to.
    pub expected: usize,
    /// Nothing was checked in it: it is about something that is not offered here.
    pub unchecked: usize,
    /// Run, but not required of the revision.
    pub unscored: usize,
}

impl Report {
    /// Reads what was printed. Lines of scenarios look like `✓ NAME: 2 passed, 0 failed`; those
    /// that the revision does not require are listed once more, as `  ✓ NAME (REASON)`, and
    /// expected failures as `  ~ NAME`.
    pub fn read(printed: &str) -> Self {
        let plain = without_colours(printed);
        let unscored: Vec<&str> = plain
            .lines()
            .filter_map(|line| name(line.strip_prefix("  ✓ ").or(line.strip_prefix("  ✗ "))?))
            .collect();
        let expected: Vec<&str> = plain
            .lines()
            .filter_map(|line| name(line.strip_prefix("  ~ ")?))
            .collect();
        let mut report = Self {
            unscored: unscored.len(),
            ..Self::default()
        };
        for (name, good, checks) in plain.lines().filter_map(scenario) {
            match (good, checks) {
                _ if unscored.contains(&name) => {}
                (false, _) if expected.contains(&name) => report.expected += 1,
                (false, _) => report.failing.push(name.to_owned()),
                (true, 0) => report.unchecked += 1,
                (true, _) => report.passed += 1,
            }
        }
        report
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed", self.passed, self.failing.len())?;
        let more = [
            (self.expected, "failing as expected"),
            (self.unchecked, "not offered here"),
            (self.unscored, "not required"),
        ];
        more.iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}

/// The name, whether all is well, and how many checks succeeded.
fn scenario(line: &str) -> Option<(&str, bool, usize)> {
    let (good, rest) = match (line.strip_prefix("✓ "), line.strip_prefix("✗ ")) {
        (Some(rest), _) => (true, rest),
        (_, Some(rest)) => (false, rest),
        _ => return None,
    };
    let (name, counts) = rest.split_once(": ")?;
    Some((name, good, counts.split_once(" passed")?.0.parse().ok()?))
}

fn name(rest: &str) -> Option<&str> {
    // An expected failure may also be one check of a scenario.
    rest.split([' ', ':'])
        .next()
        .filter(|name| !name.is_empty())
}

/// The text without escape sequences such as `ESC [ 1 m`.
fn without_colours(text: &str) -> String {
    let mut parts = text.split('\x1b');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| {
        plain
            + part
                .split_once(|c: char| c.is_ascii_alphabetic())
                .map_or("", |(_, rest)| rest)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
=== SUITE SUMMARY ===

✓ initialize: 1 passed, 0 failed
✗ sse-retry: 1 passed, 1 failed, 1 warnings
✗ auth/dpop: 9 passed, 3 failed
✓ sep-2640-client-no-prefetch: 0 passed, 0 failed
✗ auth/wif-jwt-bearer: 8 passed, 1 failed

Total: 20 passed, 5 failed, 1 warnings

Not scored for 2025-11-25: 1 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ auth/wif-jwt-bearer (extension)

\x1b[33mExpected failures (in baseline):\x1b[0m
  ~ auth/dpop
";

    #[test]
    fn every_scenario_is_counted_once() {
        let report = Report::read(PRINTED);
        assert_eq!(
            report,
            Report {
                passed: 1,
                failing: vec!["sse-retry".to_owned()],
                expected: 1,
                unchecked: 1,
                unscored: 1
            }
        );
        assert_eq!(
            report.to_string(),
            "1 passed, 1 failed, 1 failing as expected, 1 not offered here, 1 not required"
        );
    }

    #[test]
    fn a_suite_that_did_not_run_passed_nothing() {
        assert_eq!(
            Report::read("Error: fs.globSync is not a function"),
            Report::default()
        );
    }
}
