//! What resources, prompts and results go through: nothing hidden, held or recognised stays, and a
//! clean answer is not changed again.
#![no_main]

use inspect::{Masker, StreamMask, clean, credentials, has_hidden, personal_numbers, reveal, sanitize};
use libfuzzer_sys::fuzz_target;
use protocol::{Content, ToolResult};

fuzz_target!(|texts: Vec<String>| {
    let masker = Masker::new(["hunter22-and-more", "s3cr3t s3cr3t"]);
    let answer = ToolResult {
        content: texts.iter().map(Content::text).collect(),
        ..ToolResult::default()
    };
    let sanitized = sanitize(answer.clone(), &masker, &mut StreamMask::default());
    for part in &sanitized.answer.content {
        if let Content::Text { text, .. } = part {
            assert!(!has_hidden(text) && masker.mask(text).is_none(), "{text:?}");
            assert!(
                credentials(text).is_empty() && personal_numbers(text).is_empty(),
                "{text:?}"
            );
        }
    }
    let cleaned = clean(answer, &masker);
    for part in &cleaned.content {
        if let Content::Text { text, .. } = part {
            assert!(!has_hidden(text) && masker.mask(text).is_none(), "{text:?}");
        }
    }
    let again = clean(
        ToolResult {
            notes: vec![],
            ..cleaned.clone()
        },
        &masker,
    );
    assert_eq!(again.content, cleaned.content);
    for text in &texts {
        assert!(reveal(text).is_none_or(|(shown, count)| count > 0 && !has_hidden(&shown)));
    }
});
