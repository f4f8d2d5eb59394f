//! The same finder as it was first written: slow, and obviously right.

use super::{LONGEST, PersonalNumbers, name};
use std::ops::Range;

impl PersonalNumbers {
    /// All of them.
    pub(crate) fn reference(text: &str) -> Self {
        let named = |range: Range<usize>| {
            let run = &text[range.clone()];
            let plain: String = run.chars().filter(char::is_ascii_alphanumeric).collect();
            Some((range, name(run, &plain)?))
        };
        Self(all_runs(text).into_iter().filter_map(named).collect())
    }
}

/// Groups of capital letters and digits that single spaces or hyphens hold together, and that
/// nothing adjoins.
fn all_runs(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let part = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    let joins = |byte: u8| byte == b' ' || byte == b'-';
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        while at < bytes.len()
            && (part(bytes[at])
                || joins(bytes[at])
                    && at > start
                    && bytes.get(at + 1).is_some_and(|next| part(*next)))
        {
            at += 1;
        }
        let adjoins = |byte: Option<&u8>| {
            byte.is_some_and(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'=' | b'#')
            })
        };
        let after = bytes.get(at).filter(|byte| {
            **byte != b'.' || bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        });
        let before = start.checked_sub(1).and_then(|index| bytes.get(index));
        if at - start >= 9 && !adjoins(before) && !adjoins(after) {
            pieces(&bytes[start..at])
                .into_iter()
                .for_each(|piece| runs.push(start + piece.start..start + piece.end));
        }
        at = at.max(start + 1);
    }
    runs
}

/// The whole run if it is short, and every part between spaces: words in capitals may stand around
/// a number.
fn pieces(run: &[u8]) -> Vec<Range<usize>> {
    let mut starts = vec![0];
    let mut ends = Vec::new();
    for (index, byte) in run.iter().enumerate() {
        if *byte == b' ' {
            ends.push(index);
            starts.push(index + 1);
        }
    }
    ends.push(run.len());
    let digits = |range: &Range<usize>| {
        run[range.clone()]
            .iter()
            .filter(|byte| byte.is_ascii_digit())
            .count()
    };
    let mut pieces: Vec<Range<usize>> = Vec::new();
    let mut done = 0;
    for (index, start) in starts.iter().enumerate() {
        if *start < done {
            continue;
        }
        // The longest first: a number in groups is one number.
        let found = ends[index..]
            .iter()
            .take(12)
            .rev()
            .map(|end| *start..*end)
            .find(|range| {
                let text = std::str::from_utf8(&run[range.clone()]).unwrap_or_default();
                let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
                range.len() <= LONGEST && digits(range) >= 9 && name(text, &plain).is_some()
            });
        if let Some(range) = found {
            done = range.end;
            pieces.push(range);
        }
    }
    pieces
}
