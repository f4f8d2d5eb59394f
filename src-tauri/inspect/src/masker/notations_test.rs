//! Whatever notation a secret is written in, it is covered; what is no secret is left alone.

use crate::{MASK, Masker, StreamMask};
use proptest::prelude::*;
use std::collections::BTreeSet;

const SECRET: &str = "Pl4nted/s3cret+Välue\"1";

fn percent(c: char) -> String {
    let mut bytes = [0; 4];
    let bytes = c.encode_utf8(&mut bytes).bytes();
    bytes.map(|byte| format!("%{byte:02X}")).collect()
}

fn units(c: char) -> String {
    let mut units = [0; 2];
    let units = c.encode_utf16(&mut units).iter();
    units.map(|unit| format!("\\u{unit:04x}")).collect()
}

/// One letter in one of the notations.
fn written(c: char, how: u8) -> String {
    match how % 12 {
        0 => c.to_string(),
        1 => c.to_uppercase().collect(),
        2 => c.to_lowercase().collect(),
        3 => percent(c),
        4 => percent(c).to_lowercase(),
        5 => format!("&#{};", u32::from(c)),
        6 => format!("&#x{:x};", u32::from(c)),
        7 => format!("&#X{:04X};", u32::from(c)),
        8 => units(c),
        9 => format!("\\u{{{:x}}}", u32::from(c)),
        10 => percent(c).replace('%', "\\x"),
        _ => percent(c).replace('%', "%25"),
    }
}

const BETWEEN: [&str; 10] = [
    "", " ", "-", "\u{200B}", "\n", "  ", "\u{AD}", " - ", "%20", "&nbsp;",
];

fn masked(secret: &str, text: &str) -> Option<String> {
    Masker::new([secret]).mask(text)
}

#[test]
fn a_secret_is_covered_in_each_notation() {
    for how in 0..12 {
        let form: String = SECRET.chars().map(|c| written(c, how)).collect();
        assert_eq!(
            masked(SECRET, &format!("before {form} after")).as_deref(),
            Some("before ••• after"),
            "{form}"
        );
    }
}

#[test]
fn a_secret_is_covered_with_other_characters_between() {
    for between in BETWEEN {
        let form: Vec<String> = SECRET.chars().map(String::from).collect();
        let text = format!("before {} after", form.join(between));
        assert_eq!(
            masked(SECRET, &text).as_deref(),
            Some("before ••• after"),
            "{text}"
        );
    }
    use base64::Engine as _;
    let encoded = base64::engine::general_purpose::STANDARD.encode(SECRET);
    let wrapped = format!("{}\r\n{}", &encoded[..11], &encoded[11..]);
    assert!(masked(SECRET, &wrapped).is_some(), "{wrapped}");
}

#[test]
fn what_is_short_or_a_word_is_not_seen_through_other_characters() {
    for (secret, honest) in [
        ("abc123", "abc 123, abc-123"),
        ("letmeinplease", "let me in, please"),
        ("12345678", "1, 2, 3, 4, 5, 6, 7, 8"),
        ("aaaa1111", "aaaa 1111"),
        ("test", "TEST Test %74%45st"),
    ] {
        assert_eq!(masked(secret, honest), None, "{secret}");
        assert_eq!(masked(secret, secret).as_deref(), Some(MASK));
    }
    assert_eq!(masked("abc123", "ABC123").as_deref(), Some(MASK));
}

#[test]
fn a_form_that_is_spread_over_two_texts_is_never_readable_as_a_whole() {
    let masker = Masker::new([SECRET]);
    for (how, between) in (0..12).zip(BETWEEN.iter().cycle()) {
        let forms: Vec<String> = SECRET.chars().map(|c| written(c, how)).collect();
        let form = forms.join(between);
        for at in (1..form.len()).filter(|at| form.is_char_boundary(*at)) {
            let mut stream_mask = StreamMask::default();
            let (mut first, mut second) = (
                format!("it is {}", &form[..at]),
                format!("{}, done", &form[at..]),
            );
            masker.mask_next(&mut first, &mut stream_mask);
            masker.mask_next(&mut second, &mut stream_mask);
            assert!(
                !first.ends_with(&form[..at]) || !second.starts_with(&form[at..]),
                "{first} | {second}"
            );
        }
    }
}

#[test]
fn a_form_at_the_border_of_what_is_read_at_a_time_is_covered() {
    let masker = Masker::new([SECRET]);
    let form: String = SECRET.chars().map(percent).collect();
    for lead in (64 * 1024 - 80)..(64 * 1024 + 2) {
        let text = format!("{}{form} after", "x".repeat(lead));
        let masked = masker.mask(&text).unwrap_or_default();
        assert_eq!(masked.len(), lead + MASK.len() + " after".len());
    }
}

proptest! {
    #[test]
    fn any_secret_is_covered_in_any_mixture_anywhere(
        secret in "[a-zA-Z]{4,12}[!-~]{0,12}[0-9]{2,4}[a-z]{2}",
        how in proptest::collection::vec((0_u8..12, 0_usize..BETWEEN.len()), 32),
        before in "\\PC{0,40} ",
        after in " \\PC{0,40}",
        spread in any::<bool>(),
    ) {
        let small = secret.to_lowercase();
        let different: BTreeSet<char> = small.chars().filter(|c| c.is_alphanumeric()).collect();
        prop_assume!(different.len() >= 5);
        // A secret that is itself written with escapes means something else when it is escaped.
        prop_assume!(!secret.contains(['%', '&', '\\']));
        let mut form = String::new();
        for (c, (how, between)) in secret.chars().zip(how.iter().cycle()) {
            if spread && !form.is_empty() {
                form.push_str(BETWEEN[*between]);
            }
            form.push_str(&written(c, *how));
        }
        let text = format!("{before}{form}{after}");
        let found = Masker::new([secret.as_str()]).find(&text, None);
        let place = before.len()..before.len() + form.len();
        prop_assert!(
            found.iter().any(|range| range.start <= place.start && range.end >= place.end),
            "{text:?}: {found:?}"
        );
    }

    #[test]
    fn a_text_without_the_secret_is_left_alone(text in "\\PC{0,400}") {
        prop_assert_eq!(masked("zq7Xv9-Kw3Jp5-Rm8", &text), None);
    }
}
