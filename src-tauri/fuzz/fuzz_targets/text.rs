//! A text that stands alone: every finding lies between characters of it, shows nothing hidden, and
//! is found again.
#![no_main]

use inspect::{Finding, has_hidden, inspect_text};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let inspection = inspect_text(text);
    for finding in &inspection.findings {
        assert!(text.get(finding.span.clone()).is_some(), "{finding:?}");
        assert!(
            !has_hidden(&finding.evidence) && !finding.evidence.contains('\n'),
            "{finding:?}"
        );
        assert!(
            finding.evidence.chars().count() <= Finding::EVIDENCE + 1,
            "{finding:?}"
        );
    }
    assert!(
        inspection
            .findings
            .is_sorted_by_key(|finding| std::cmp::Reverse(finding.severity))
    );
    assert_eq!(inspection, inspect_text(text));
});
