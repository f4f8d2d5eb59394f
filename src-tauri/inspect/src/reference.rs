//! What is found and covered is the same as without any short cut: each finder beside a slow one
//! that looks at everything, with texts made of the pieces that matter.

mod pieces;

use crate::credentials::Credentials;
use crate::instructions::{Context, instructions, reference};
use crate::personal::PersonalNumbers;
use crate::redact::{Redactor, ToCover};
use crate::spots::Spots;
use crate::{Finding, FindingKind, Inspection, Masker, Severity, StreamMask};
use crate::{has_hidden, inspect_text, markup, reveal, targets};
use pieces::{long_text, text};
use proptest::prelude::*;
use std::sync::LazyLock;

/// Secrets that are held; see `HELD` of the pieces.
const SECRETS: [&str; 6] = [
    "hunter22",
    "pl4nted/s3cret+value\"1",
    "geheim-Ä-wört",
    "abc123",
    "correct horse battery staple",
    "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0\n-----END KEY-----",
];

/// Maskers of the first of them, and of each alone.
static MASKERS: LazyLock<Vec<Masker>> = LazyLock::new(|| {
    let first = (1..=SECRETS.len()).map(|count| Masker::new(SECRETS[..count].iter().copied()));
    first.chain(SECRETS.map(|one| Masker::new([one]))).collect()
});

/// So much is read at a time by the masker, in bytes.
const WINDOW: usize = 64 * 1024;

/// The same is found in texts one after the other.
fn masks_the_same(masker: &Masker, texts: &[String]) -> Result<(), TestCaseError> {
    let (mut fast, mut slow) = (StreamMask::default(), StreamMask::default());
    for text in texts {
        let found = masker.find(text, Some(&mut fast));
        prop_assert_eq!(found, masker.reference(text, &mut slow), "{:?}", text);
        prop_assert!(fast == slow, "something else is remembered of {:?}", text);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_same_secrets_are_masked_where_windows_end(
        lead in (WINDOW - 200)..(WINDOW + 20),
        filler in proptest::sample::select(&["a", "x y", "é", "\u{200B}", " ", "%25", "25", "&amp;"][..]),
        texts in proptest::collection::vec(text(), 1..4),
        masker in 0..2 * SECRETS.len(),
    ) {
        let mut lead: String = filler.repeat(lead / filler.len());
        lead.push_str(&texts[0]);
        let mut texts = texts;
        texts[0] = lead;
        masks_the_same(&MASKERS[masker], &texts)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn the_same_credentials_are_found(text in text()) {
        let (fast, slow) = (Credentials::of(&text, &Spots::of(&text)), Credentials::reference(&text));
        prop_assert_eq!(fast.findings(&text), slow.findings(&text));
        prop_assert_eq!(fast.places(&text), slow.places(&text));
    }

    #[test]
    fn the_same_personal_numbers_are_found(text in text()) {
        let (fast, slow) = (PersonalNumbers::of(&text), PersonalNumbers::reference(&text));
        prop_assert_eq!(fast.findings(&text), slow.findings(&text));
    }

    #[test]
    fn the_same_secrets_are_masked(
        texts in proptest::collection::vec(text(), 1..5),
        masker in 0..2 * SECRETS.len(),
    ) {
        masks_the_same(&MASKERS[masker], &texts)?;
    }

    #[test]
    fn the_same_instructions_are_found(text in long_text(), short in text()) {
        let arguments = ["send_mail".to_owned()];
        let alone = Context { alone: true, ..Context::default() };
        let of_tool = Context { own: "x_y", arguments: &arguments, alone: false };
        for text in [text, short] {
            for context in [alone, of_tool, Context::default()] {
                prop_assert_eq!(instructions(&text, context), reference(&text, context));
            }
        }
    }

    #[test]
    fn the_same_is_found_and_covered(texts in proptest::collection::vec(text(), 1..3)) {
        let (mut fast, mut slow) = (Redactor::default(), Redactor::default());
        for text in &texts {
            let known = ToCover {
                credentials: Credentials::reference(text),
                numbers: PersonalNumbers::reference(text),
                spots: Spots { has_target: true, has_active: true, ..Spots::default() },
            };
            prop_assert_eq!(inspect_text(text), inspected(text, &known));
            let (covered, all) = (fast.cover(text, &ToCover::of(text)), slow.cover(text, &known));
            prop_assert_eq!(
                covered.map(|covered| (covered.text, covered.hidden)),
                all.map(|covered| (covered.text, covered.hidden))
            );
        }
    }
}

/// What is found in a text, everything looked at.
fn inspected(text: &str, known: &ToCover) -> Inspection {
    let alone = Context {
        alone: true,
        ..Context::default()
    };
    let mut findings: Vec<Finding> = Vec::new();
    if let Some((_, count)) = reveal(text) {
        let is_hidden = |c: &char| has_hidden(c.encode_utf8(&mut [0; 4]));
        let first = text.chars().find(is_hidden).unwrap();
        let at = text.find(first).unwrap();
        let words = format!("{first} ({count})");
        let place = at..at + first.len_utf8();
        findings.push(
            Finding::of(FindingKind::HiddenCharacters, Severity::High, text, place).showing(&words),
        );
    }
    findings.extend(reference(text, alone));
    findings.extend(known.credentials.findings(text));
    findings.extend(known.numbers.findings(text));
    let places = targets::in_spots(text, &known.spots);
    for mut finding in places
        .into_iter()
        .chain(markup::in_spots(text, &known.spots))
    {
        if finding.severity == Severity::Low {
            finding.severity = Severity::Info;
        }
        findings.push(finding);
    }
    Inspection::of(findings)
}
