//! The difference between two texts, in lines, as a person is shown it. Pure.

use api::{DifferenceLine, LineKind};
use inspect::{MASK, Masker, credentials, looks_secret, reveal};
use serde_json::Value;
use std::ops::Range;

/// Lines that stay the same around those that do not.
const AROUND: usize = 3;
/// Most lines that are shown.
const MOST: usize = 400;
/// Longest line that is shown, in characters.
const LONGEST: usize = 300;
/// How many pairs of lines are compared before a part counts as exchanged.
const PAIRS: usize = 1_000_000;

/// The difference, and how many more lines it has than are shown. Values of `secrets`, and what
/// looks like a credential, are covered.
pub(super) fn difference(
    before: &str,
    after: &str,
    secrets: &Masker,
) -> (Vec<DifferenceLine>, u32) {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(before), lines(after));
    let steps = steps(&old, &new);
    let near = |at: usize| {
        let from = at.saturating_sub(AROUND);
        let until = (at + AROUND + 1).min(steps.len());
        steps[from..until]
            .iter()
            .any(|step| !matches!(step, Step::Both(..)))
    };
    let shown: Vec<usize> = (0..steps.len()).filter(|at| near(*at)).collect();
    let more = shown.len().saturating_sub(MOST);
    let lines = shown.into_iter().take(MOST).map(|at| {
        let (kind, before, after, text) = match steps[at] {
            Step::Both(one, other) => (LineKind::Same, Some(one), Some(other), new[other]),
            Step::Old(one) => (LineKind::Removed, Some(one), None, old[one]),
            Step::New(other) => (LineKind::Added, None, Some(other), new[other]),
        };
        DifferenceLine {
            kind,
            before: before.map(number),
            after: after.map(number),
            text: covered(text, secrets),
        }
    });
    (lines.collect(), u32::try_from(more).unwrap_or(u32::MAX))
}

/// The values of a document that look secret by the names they have.
pub(super) fn secrets(document: &Value) -> Masker {
    let mut found = Vec::new();
    collect("", document, &mut found);
    Masker::new(found)
}

fn collect<'a>(name: &str, value: &'a Value, found: &mut Vec<&'a str>) {
    match value {
        Value::String(text) if looks_secret(name, text) && text.len() >= Masker::SHORTEST => {
            found.push(text);
        }
        Value::Array(items) => items.iter().for_each(|item| collect(name, item, found)),
        Value::Object(map) => map
            .iter()
            .for_each(|(name, value)| collect(name, value, found)),
        _ => {}
    }
}

/// A line as it can be shown: nothing secret, nothing hidden, not endless.
pub(super) fn covered(line: &str, secrets: &Masker) -> String {
    let mut text = secrets.mask(line).unwrap_or_else(|| line.to_owned());
    if let Some(masked) = Masker::new(of_words(&text)).mask(&text) {
        text = masked;
    }
    let mut found: Vec<Range<usize>> = credentials(&text)
        .into_iter()
        .map(|finding| finding.span)
        .collect();
    found.sort_by_key(|range| range.start);
    let mut limit = text.len();
    for range in found.into_iter().rev() {
        // Those that overlap one that is covered are covered with it.
        if range.end <= limit && text.get(range.clone()).is_some() {
            text.replace_range(range.clone(), MASK);
            limit = range.start;
        }
    }
    let visible = reveal(&text).map_or(text, |(shown, _)| shown);
    if visible.chars().count() <= LONGEST {
        return visible;
    }
    visible.chars().take(LONGEST).chain(['…']).collect()
}

/// Words of a line that look secret by themselves or by the option before them.
fn of_words(line: &str) -> Vec<&str> {
    let words = line.split(|c: char| c.is_whitespace() || "\"',;".contains(c));
    let mut name = "";
    let mut found = Vec::new();
    for word in words.filter(|word| !word.is_empty()) {
        let (of, value) = word.split_once('=').unwrap_or((name, word));
        if looks_secret(of, value) && value.len() >= Masker::SHORTEST {
            found.push(value);
        }
        let is_option = word.starts_with('-') && !word.contains('=');
        name = if is_option { word } else { "" };
    }
    found
}

#[derive(Debug, Clone, Copy)]
enum Step {
    Both(usize, usize),
    Old(usize),
    New(usize),
}

fn number(place: usize) -> u32 {
    u32::try_from(place + 1).unwrap_or(u32::MAX)
}

fn lines(text: &str) -> Vec<&str> {
    text.lines().collect()
}

/// The steps from one list of lines to another.
fn steps(old: &[&str], new: &[&str]) -> Vec<Step> {
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let head = old.iter().zip(new).take_while(same).count();
    let (old_rest, new_rest) = (&old[head..], &new[head..]);
    let tail = old_rest
        .iter()
        .rev()
        .zip(new_rest.iter().rev())
        .take_while(same)
        .count();
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let mut steps: Vec<Step> = (0..head).map(|at| Step::Both(at, at)).collect();
    steps.extend(
        middle(&old[head..old_end], &new[head..new_end])
            .into_iter()
            .map(|step| match step {
                Step::Both(one, other) => Step::Both(one + head, other + head),
                Step::Old(one) => Step::Old(one + head),
                Step::New(other) => Step::New(other + head),
            }),
    );
    steps.extend((0..tail).map(|at| Step::Both(old_end + at, new_end + at)));
    steps
}

/// The steps by the longest common subsequence; where that would take long, everything is
/// exchanged.
fn middle(old: &[&str], new: &[&str]) -> Vec<Step> {
    let exchanged = || {
        let gone = (0..old.len()).map(Step::Old);
        gone.chain((0..new.len()).map(Step::New)).collect()
    };
    if old.len().saturating_mul(new.len()) > PAIRS {
        return exchanged();
    }
    // How long the longest common subsequence of what is left is, at each pair.
    let width = new.len() + 1;
    let mut left = vec![0_u32; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            left[one * width + other] = if old[one] == new[other] {
                left[(one + 1) * width + other + 1] + 1
            } else {
                left[(one + 1) * width + other].max(left[one * width + other + 1])
            };
        }
    }
    let (mut one, mut other, mut steps) = (0, 0, Vec::new());
    while one < old.len() && other < new.len() {
        if old[one] == new[other] {
            steps.push(Step::Both(one, other));
            (one, other) = (one + 1, other + 1);
        } else if left[(one + 1) * width + other] >= left[one * width + other + 1] {
            steps.push(Step::Old(one));
            one += 1;
        } else {
            steps.push(Step::New(other));
            other += 1;
        }
    }
    steps.extend((one..old.len()).map(Step::Old));
    steps.extend((other..new.len()).map(Step::New));
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn shown(before: &str, after: &str) -> Vec<String> {
        let (lines, more) = difference(before, after, &Masker::new([]));
        assert_eq!(more, 0);
        let mark = |kind| match kind {
            LineKind::Same => ' ',
            LineKind::Removed => '-',
            LineKind::Added => '+',
        };
        lines
            .iter()
            .map(|line| format!("{}{}", mark(line.kind), line.text))
            .collect()
    }

    #[test]
    fn lines_that_come_and_go_are_shown_with_three_around_them() {
        assert_eq!(
            shown("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n"),
            [" 2", " 3", " 4", "-5", "+five", " 6", " 7", " 8"]
        );
        assert_eq!(shown("", "one\n"), ["+one"]);
        assert_eq!(shown("same\n", "same\n"), Vec::<String>::new());
    }

    #[test]
    fn what_is_shown_is_bounded() {
        let many: String = (0..5_000).map(|line| format!("{line}\n")).collect();
        let (lines, more) = difference(&many, "", &Masker::new([]));
        assert_eq!((lines.len(), more), (MOST, 4_600));
        let (lines, _) = difference("", &"x".repeat(100_000), &Masker::new([]));
        assert_eq!(lines[0].text.chars().count(), LONGEST + 1);
    }

    #[test]
    fn values_that_look_secret_and_what_is_hidden_cannot_be_read_there() {
        let document = json!({"env": {"API_TOKEN": "hunter2-hunter2", "LEVEL": "debug"}});
        let line = r#"{"API_TOKEN": "hunter2-hunter2", "LEVEL": "debug"}"#;
        let shown = covered(line, &secrets(&document));
        assert!(
            !shown.contains("hunter2") && shown.contains("debug"),
            "{shown}"
        );
        let line = "x ghp_0123456789abcdefghij --api-key hunter2 -y --token=hunter3 y\u{202e}";
        let shown = covered(line, &Masker::new([]));
        assert!(!shown.contains("hunter"), "{shown}");
        assert!(
            !shown.contains("ghp_") && shown.starts_with("x "),
            "{shown}"
        );
        assert!(shown.contains("U+202E"), "{shown}");
    }
}
