//! Purposes: a likeness lies between 0 and 1, points to a tool that is there, and the most alike
//! come first.
#![no_main]

use inspect::{NEAR_DUPLICATE, Purposes};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|tools: Vec<(String, String)>| {
    let purposes = Purposes::of(
        tools
            .iter()
            .map(|(name, words)| (name.as_str(), words.as_str())),
    );
    for (name, words) in &tools {
        let like = purposes.like(name, words);
        assert!(
            like.iter().all(
                |(index, like)| *index < tools.len() && (NEAR_DUPLICATE..=1.001).contains(like)
            )
        );
        assert!(like.is_sorted_by(|a, b| a.1 >= b.1));
    }
});
