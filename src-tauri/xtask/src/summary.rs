//! What is left to read when everything has run: each step, how it ended, and the closing lines of
//! its runners.

use crate::say;
use crate::steps::Done;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Everything in it succeeded.
    Passed,
    /// Something in it did not.
    Failed,
    /// It could not be taken here.
    LeftOut,
}

/// Prints the summary. Returns the names of the steps that failed.
pub fn print(all: &[Done]) -> Vec<&'static str> {
    say::line("\nSummary");
    for done in all {
        let word = match done.ending {
            Ending::Passed => "passed",
            Ending::Failed => "FAILED",
            Ending::LeftOut => "left out",
        };
        say::line(&format!(
            "  {word:<9} {:<11} {:>5}s",
            done.name,
            done.took.as_secs()
        ));
        for line in &done.closing {
            say::line(&format!("              {line}"));
        }
    }
    let count = |ending| all.iter().filter(|done| done.ending == ending).count();
    let (passed, left_out) = (count(Ending::Passed), count(Ending::LeftOut));
    let failed = all.iter().filter(|done| done.ending == Ending::Failed);
    let failed: Vec<_> = failed.map(|done| done.name).collect();
    say::line(&format!(
        "Steps: {passed} passed, {} failed, {left_out} left out",
        failed.len()
    ));
    failed
}

/// The lines in which a runner sums up or names a test or promise that failed, as it prints them but without
/// colours, each once. Runs of no tests at all are not told.
pub fn closing_lines(lines: &[String]) -> Vec<String> {
    let mut closing: Vec<String> = Vec::new();
    for line in lines
        .iter()
        .map(|line| without_colours(line).trim().to_owned())
    {
        // Summaries of two runs can be the same; a failed test that is told twice is still one.
        if sums_up(&line) || names_a_failed_test(&line) && !closing.contains(&line) {
            closing.push(line);
        }
    }
    closing
}

fn names_a_failed_test(line: &str) -> bool {
    line.starts_with("test ") && line.ends_with("... FAILED")
        || line.starts_with("FAIL [")
        || line.starts_with("TIMEOUT [")
        || line.starts_with("BROKEN ")
}

/// The end of what a program printed, for one that failed without summing up.
pub fn last_lines(lines: &[String]) -> Vec<String> {
    let told: Vec<String> = lines
        .iter()
        .map(|line| without_colours(line).trim().to_owned())
        .filter(|line| !line.is_empty())
        .collect();
    told[told.len().saturating_sub(3)..].to_vec()
}

fn sums_up(line: &str) -> bool {
    if line.contains(" 0 passed; 0 failed; 0 ignored") {
        return false;
    }
    let begins = [
        "Summary [",
        "Finished `",
        "svelte-check found",
        "advisories ",
        "bans ",
        "licenses ",
        "could not be started",
        "inspection: ",
        "questions: ",
    ];
    begins.iter().any(|begin| line.starts_with(begin))
        || counts(line, "passed")
        || counts(line, "failed")
        || counts_node(line)
}

/// `12 passed`, as in `test result: ok. 12 passed; 0 failed` and `Tests  12 passed (12)`.
fn counts(line: &str, word: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    let is_number = |text: &str| !text.is_empty() && text.chars().all(|c| c.is_ascii_digit());
    words
        .windows(2)
        .any(|pair| is_number(pair[0]) && pair[1].trim_end_matches([',', ';', ')', '.']) == word)
}

/// `ℹ pass 12` or `# pass 12`, as Node's own runner prints.
fn counts_node(line: &str) -> bool {
    let mut words = line.split_whitespace();
    matches!(words.next(), Some("ℹ" | "#"))
        && matches!(words.next(), Some("pass" | "fail"))
        && words.next().is_some()
}

/// The text without escape sequences such as `ESC [ 1 m`.
fn without_colours(line: &str) -> String {
    let mut text = String::new();
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\x1b' {
            // A sequence ends with its first letter.
            let _ = chars.find(char::is_ascii_alphabetic);
        } else {
            text.push(c);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closing(line: &str) -> Option<String> {
        closing_lines(&[line.to_owned()]).pop()
    }

    #[test]
    fn the_closing_lines_of_every_runner_are_known() {
        for line in [
            "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s",
            "Summary [   0.015s] 2 tests run: 2 passed, 0 skipped",
            "Test Files  3 passed (3)",
            "Tests  1 failed | 12 passed (13)",
            "svelte-check found 0 errors and 0 warnings",
            "advisories ok, bans ok, licenses ok, sources ok",
            "conformance 2026-07-28: 32 passed, 0 failed, 7 not required",
            "ℹ pass 5",
            "Finished `dev` profile [unoptimized] target(s) in 0.17s",
            "test a_no_stays_a_no ... FAILED",
            "FAIL [   3.017s] ( 64/334) policy a_no_stays_a_no",
            "BROKEN it is flat: 100 MiB in the second third, 120 MiB in the last",
        ] {
            assert_eq!(closing(line).as_deref(), Some(line));
        }
    }

    #[test]
    fn figures_of_the_inspection_are_told() {
        for line in [
            "inspection: at most 1 % of harmless tools high: 0.4 %, holds",
            "questions: all: attacks 10",
        ] {
            assert_eq!(closing(line).as_deref(), Some(line));
        }
    }

    #[test]
    fn ordinary_lines_and_runs_of_no_tests_are_left_out() {
        for line in [
            "test a_call_that_passed_is_logged ... ok",
            "   Compiling failed v1.0.0",
            "the check passed",
            "test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out; finished in 0.00s",
        ] {
            assert_eq!(closing(line), None);
        }
    }

    #[test]
    fn colours_do_not_hide_a_closing_line() {
        assert_eq!(
            closing("\x1b[2m Tests \x1b[22m \x1b[1m\x1b[32m3 passed\x1b[39m (3)").as_deref(),
            Some("Tests  3 passed (3)")
        );
    }
}
