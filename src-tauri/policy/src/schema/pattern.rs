//! Patterns of strangers, each with what it costs to look for it.
//!
//! Always true here:
//! - a pattern that runs in linear time does; one that looks around or back is given up after a
//!   bounded number of steps back, and then does not match;
//! - the cost of a match is known before, from the pattern and the length of the text.

use jsonschema::{Keyword, ValidationError};
use serde_json::Value;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// The longest text of one pattern, in bytes.
const LONGEST: usize = 2 * 1024;
/// Sizes of compiled patterns, in bytes. The smallest into which one fits says what it costs.
const SIZES: [usize; 4] = [4 * 1024, 16 * 1024, 64 * 1024, MAX_SIZE];
/// The largest compiled pattern, in bytes.
pub(super) const MAX_SIZE: usize = 256 * 1024;
/// The most steps back of a pattern that is not linear.
pub(super) const MAX_BACKTRACKS: usize = 500;
/// So many bytes of a compiled pattern cost one step with each byte of a text: with the slowest
/// engine, a state of it is some 32 bytes and takes a part of a step.
const BYTES_PER_STEP: usize = 128;

/// How many bytes are read to translate a pattern of ECMA 262, about: all of it once more for each
/// escape, which becomes a class of up to 150 bytes.
pub(super) fn translation(text: &str) -> usize {
    let escapes = text.matches('\\').count();
    escapes * (text.len() + 150 * escapes)
}

/// A pattern that was compiled once.
#[derive(Debug)]
pub(super) struct Pattern {
    text: String,
    engine: Engine,
    /// The size into which it fits, in bytes.
    size: usize,
}

#[derive(Debug)]
enum Engine {
    Linear(regex::Regex),
    /// With steps back; `nested` if a group of it is repeated.
    Backtracking {
        regex: fancy_regex::Regex,
        nested: bool,
    },
}

impl Pattern {
    /// Compiles a pattern as JSON Schema writes it (ECMA 262). None if it cannot be used.
    pub(super) fn compile(text: &str) -> Option<Self> {
        if text.len() > LONGEST {
            return None;
        }
        let translated = jsonschema_regex::to_rust_regex(text).ok()?;
        for size in SIZES {
            let built = regex::RegexBuilder::new(&translated)
                .size_limit(size)
                .dfa_size_limit(size.max(SIZES[1]))
                .build();
            match built {
                Ok(regex) => {
                    return Some(Self {
                        text: text.to_owned(),
                        engine: Engine::Linear(regex),
                        size,
                    });
                }
                Err(regex::Error::CompiledTooBig(_)) => {}
                Err(_) => return Self::backtracking(text, &translated),
            }
        }
        None
    }

    fn backtracking(text: &str, translated: &str) -> Option<Self> {
        let size = SIZES[2];
        let regex = fancy_regex::RegexBuilder::new(translated)
            .backtrack_limit(MAX_BACKTRACKS)
            .delegate_size_limit(size)
            .delegate_dfa_size_limit(size)
            .build()
            .ok()?;
        let nested = [")*", ")+", "){"].iter().any(|end| text.contains(end));
        Some(Self {
            text: text.to_owned(),
            engine: Engine::Backtracking { regex, nested },
            size,
        })
    }

    /// What it takes of memory, in bytes, at most.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// The steps of looking for it in a text of so many bytes, at most.
    pub(super) fn price(&self, length: usize) -> u64 {
        let (length, size) = (length as u64, (self.size / BYTES_PER_STEP) as u64);
        match self.engine {
            Engine::Linear(_) => length.saturating_mul(size).saturating_add(1),
            // After each step back it may look at all of the text; where a group is repeated, at
            // all of it from each place.
            Engine::Backtracking { nested, .. } => {
                let looks = if nested {
                    length.saturating_mul(length) / 16
                } else {
                    length / 2
                };
                looks
                    .saturating_add(2)
                    .saturating_mul(MAX_BACKTRACKS as u64)
            }
        }
    }

    /// Whether a match of it can be given up.
    pub(super) fn may_be_given_up(&self) -> bool {
        matches!(self.engine, Engine::Backtracking { .. })
    }

    fn is_match(&self, text: &str) -> bool {
        // The engines panic on a few patterns (rust-lang/regex#1344): those match nothing.
        let found = catch_unwind(AssertUnwindSafe(|| match &self.engine {
            Engine::Linear(regex) => regex.is_match(text),
            Engine::Backtracking { regex, .. } => regex.is_match(text).unwrap_or(false),
        }));
        found.unwrap_or(false)
    }
}

/// The keyword `pattern`. The validator's own would check everything up to 64 times when a pattern
/// is given up.
pub(super) struct PatternKeyword(pub(super) Arc<Pattern>);

impl<'i> Keyword<'i> for PatternKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        if Keyword::is_valid(self, instance) {
            Ok(())
        } else {
            let problem = format!("{instance} does not match \"{}\"", self.0.text);
            Err(ValidationError::custom(problem))
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        instance.as_str().is_none_or(|text| self.0.is_match(text))
    }
}
