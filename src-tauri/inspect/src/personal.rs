//! Numbers of payment cards, accounts and persons that are right by their own check digits.
//!
//! Always true here: one pass over the text, and a number without a check digit is only taken in
//! its usual notation.

#[cfg(test)]
mod reference;

use crate::{Finding, FindingKind, Severity};
use std::ops::Range;

/// The most digits and marks between them that one number has.
const LONGEST: usize = 42;
/// The fewest digits of one, and the most parts between spaces.
const DIGITS: usize = 9;
const PARTS: usize = 12;
/// The most findings in one text.
const MOST: usize = 256;

/// Finds personal numbers in a text. The evidence names the kind of number and its last digits.
pub fn personal_numbers(text: &str) -> Vec<Finding> {
    PersonalNumbers::of(text).findings(text)
}

/// The personal numbers of one text with the names of their kinds, in order and apart.
#[derive(Debug, Default)]
pub(crate) struct PersonalNumbers(Vec<(Range<usize>, &'static str)>);

impl PersonalNumbers {
    /// All of them.
    pub fn of(text: &str) -> Self {
        Self(runs(text))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is said of them; of so many only the first.
    pub fn findings(&self, text: &str) -> Vec<Finding> {
        let finding = |(range, name): &(Range<usize>, &'static str)| {
            let plain: String = plain(&text[range.clone()]);
            let words = format!("{name} …{}", &plain[plain.len().saturating_sub(4)..]);
            Finding::of(
                FindingKind::PersonalNumber,
                Severity::Medium,
                text,
                range.clone(),
            )
            .showing(&words)
        };
        self.0.iter().take(MOST).map(finding).collect()
    }

    /// Where they stand.
    pub fn places(&self) -> impl Iterator<Item = Range<usize>> {
        self.0.iter().map(|(range, _)| range.clone())
    }
}

/// A number without what stands between its letters and digits.
fn plain(run: &str) -> String {
    run.chars().filter(char::is_ascii_alphanumeric).collect()
}

/// Groups of capital letters and digits that single spaces or hyphens hold together, and that
/// nothing adjoins.
fn runs(text: &str) -> Vec<(Range<usize>, &'static str)> {
    let bytes = text.as_bytes();
    let part = |byte: u8| byte.is_ascii_digit() || byte.is_ascii_uppercase();
    let joins = |byte: u8| byte == b' ' || byte == b'-';
    let mut runs = Vec::new();
    let mut at = 0;
    while let Some(window) = bytes.get(at..at + DIGITS) {
        // From its end on, most of a window that is too short for a number need not be read.
        if let Some(other) = window
            .iter()
            .rposition(|byte| !IN_NUMBER[usize::from(*byte)])
        {
            at += other + 1;
            continue;
        }
        if joins(bytes[at]) {
            at += 1;
            continue;
        }
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
        if at - start >= DIGITS && !adjoins(before) && !adjoins(after) {
            pieces(&text[start..at])
                .into_iter()
                .for_each(|(piece, name)| {
                    runs.push((start + piece.start..start + piece.end, name))
                });
        }
        at = at.max(start + 1);
    }
    runs
}

/// What numbers, and words in capitals, are made of, and what may join their groups.
static IN_NUMBER: [bool; 256] = {
    let mut known = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        known[byte] = matches!(byte as u8, b'0'..=b'9' | b'A'..=b'Z' | b' ' | b'-');
        byte += 1;
    }
    known
};

/// The numbers of a run: it may be one as a whole, or in parts between spaces, since words in
/// capitals may stand around a number.
fn pieces(run: &str) -> Vec<(Range<usize>, &'static str)> {
    let bytes = run.as_bytes();
    if bytes.iter().filter(|byte| byte.is_ascii_digit()).count() < DIGITS {
        return Vec::new();
    }
    let mut starts = vec![0];
    let mut ends = Vec::new();
    for (index, byte) in bytes.iter().enumerate() {
        if *byte == b' ' {
            ends.push(index);
            starts.push(index + 1);
        }
    }
    ends.push(run.len());
    let mut pieces: Vec<(Range<usize>, &'static str)> = Vec::new();
    let mut done = 0;
    for (index, start) in starts.iter().enumerate() {
        if *start < done {
            continue;
        }
        // The longest first: a number in groups is one number.
        let found = ends[index..]
            .iter()
            .take(PARTS)
            .rev()
            .filter(|end| **end - *start <= LONGEST)
            .find_map(|end| Some((*start..*end, number(&run[*start..*end])?)));
        if let Some((range, name)) = found {
            done = range.end;
            pieces.push((range, name));
        }
    }
    pieces
}

/// What kind of number a piece is.
fn number(piece: &str) -> Option<&'static str> {
    let digits = piece.bytes().filter(u8::is_ascii_digit).count();
    (digits >= DIGITS).then(|| name(piece, &plain(piece)))?
}

fn name(run: &str, plain: &str) -> Option<&'static str> {
    if is_iban(plain) {
        Some("account number")
    } else if is_resident_id(run) {
        Some("resident identity number")
    } else if is_card(run, plain) {
        Some("card number")
    } else if is_social_security(run) {
        Some("social security number")
    } else {
        None
    }
}

/// ISO/IEC 7812: the issuer's first digits, the length that belongs to them, and the check digit of
/// Luhn.
fn is_card(run: &str, plain: &str) -> bool {
    if !plain.bytes().all(|byte| byte.is_ascii_digit())
        || run.contains(' ') && run.contains('-')
        || plain.len() < 14
    {
        return false;
    }
    let first = |count: usize| {
        plain
            .get(..count)
            .and_then(|digits| digits.parse::<u32>().ok())
            .unwrap_or_default()
    };
    let right_length = match (first(1), first(2), first(4)) {
        (4, ..)
        | (_, 51..=55, _)
        | (_, _, 2221..=2720)
        | (_, _, 6011)
        | (_, 65, _)
        | (_, _, 3528..=3589) => plain.len() == 16,
        (_, 34 | 37, _) => plain.len() == 15,
        (_, 36 | 38, _) => plain.len() == 14,
        (_, 62, _) => (16..=19).contains(&plain.len()),
        _ => false,
    };
    let varied = plain
        .bytes()
        .any(|byte| byte != plain.as_bytes()[plain.len() - 2])
        && plain.matches("0000000").count() == 0;
    right_length && varied && luhn(plain) && is_grouped(run)
}

/// Written together, or in groups of more than two digits.
fn is_grouped(run: &str) -> bool {
    run.split([' ', '-']).all(|group| group.len() > 2)
}

fn luhn(digits: &str) -> bool {
    let sum: u32 = digits
        .bytes()
        .rev()
        .enumerate()
        .map(|(index, byte)| {
            let digit = u32::from(byte - b'0') * (1 + index as u32 % 2);
            digit / 10 + digit % 10
        })
        .sum();
    sum.is_multiple_of(10)
}

/// ISO 13616: country, check digits, and the remainder 1 of 97.
fn is_iban(plain: &str) -> bool {
    let bytes = plain.as_bytes();
    let shaped = (15..=34).contains(&bytes.len())
        && bytes[..2].iter().all(u8::is_ascii_uppercase)
        && bytes[2..4].iter().all(u8::is_ascii_digit)
        && bytes
            .iter()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
        && bytes.iter().filter(|byte| byte.is_ascii_digit()).count() >= 10
        && IBAN
            .iter()
            .any(|(country, length)| country.as_bytes() == &bytes[..2] && *length == bytes.len());
    let digit = |rest: u32, byte: &u8| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    };
    shaped && bytes[4..].iter().chain(&bytes[..4]).fold(0, digit) == 1
}

/// The countries of the registry with the length of their numbers.
const IBAN: [(&str, usize); 46] = [
    ("AD", 24),
    ("AE", 23),
    ("AL", 28),
    ("AT", 20),
    ("AZ", 28),
    ("BA", 20),
    ("BE", 16),
    ("BG", 22),
    ("BH", 22),
    ("BR", 29),
    ("CH", 21),
    ("CY", 28),
    ("CZ", 24),
    ("DE", 22),
    ("DK", 18),
    ("EE", 20),
    ("ES", 24),
    ("FI", 18),
    ("FR", 27),
    ("GB", 22),
    ("GE", 22),
    ("GR", 27),
    ("HR", 21),
    ("HU", 28),
    ("IE", 22),
    ("IL", 23),
    ("IS", 26),
    ("IT", 27),
    ("KZ", 20),
    ("LI", 21),
    ("LT", 20),
    ("LU", 20),
    ("LV", 21),
    ("MC", 27),
    ("MT", 31),
    ("NL", 18),
    ("NO", 15),
    ("PL", 28),
    ("PT", 25),
    ("RO", 24),
    ("RS", 22),
    ("SA", 24),
    ("SE", 24),
    ("SI", 19),
    ("SK", 24),
    ("TR", 26),
];

/// GB 11643: region, day of birth, order, and a check digit that can be X.
fn is_resident_id(run: &str) -> bool {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let bytes = run.as_bytes();
    if bytes.len() != 18 || !bytes[..17].iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number = |range: Range<usize>| run[range].parse::<u32>().unwrap_or_default();
    let born = (1900..=2100).contains(&number(6..10))
        && (1..=12).contains(&number(10..12))
        && (1..=31).contains(&number(12..14));
    let sum: u32 = bytes
        .iter()
        .zip(WEIGHTS)
        .map(|(byte, weight)| u32::from(byte - b'0') * weight)
        .sum();
    born && (11..=82).contains(&number(0..2)) && b"10X98765432"[sum as usize % 11] == bytes[17]
}

/// The United States' number has no check digit: only in its notation, and with numbers that are
/// given out.
fn is_social_security(run: &str) -> bool {
    let groups: Vec<&str> = run.split('-').collect();
    let [area, group, serial] = groups[..] else {
        return false;
    };
    let digits = |text: &str, count: usize| {
        text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    digits(area, 3)
        && digits(group, 2)
        && digits(serial, 4)
        && !matches!(area, "000" | "666" | "123")
        && !area.starts_with('9')
        && group != "00"
        && serial != "0000"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_right_check_digits_are_found() {
        for (text, name) in [
            ("card 4539 1488 0343 6467 please", "card number …6467"),
            ("card 4539148803436467.", "card number …6467"),
            ("IBAN DE89 3704 0044 0532 0130 00", "account number …3000"),
            ("GB82WEST12345698765432", "account number …5432"),
            (
                "身份证 11010519491231002X",
                "resident identity number …002X",
            ),
            ("ssn: 219-09-9999", "social security number …9999"),
        ] {
            let findings = personal_numbers(text);
            assert_eq!(
                findings
                    .iter()
                    .map(|finding| finding.evidence.as_str())
                    .collect::<Vec<_>>(),
                [name],
                "{text}"
            );
        }
    }

    #[test]
    fn other_numbers_are_left_alone() {
        for text in [
            "4539148803436468",
            "id 1234567890123456",
            "DE89370400440532013001",
            "2026-07-28",
            "110105194912310021",
            "tel +49 30 901820",
            "0x4539148803436467",
            "sha 4539148803436467ab",
            "000-12-3456",
            "v4.5391488.0343646",
        ] {
            assert!(
                personal_numbers(text).is_empty(),
                "{text}: {:?}",
                personal_numbers(text)
            );
        }
    }
}
