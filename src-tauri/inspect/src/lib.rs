//! What a text holds: invisible characters, instructions to a model, secrets, personal numbers,
//! names that look alike, too much of it. Pure and fast.
//!
//! Always true here:
//! - no disk, network or clock, and nothing is remembered between two calls but what the caller
//!   hands back ([`StreamMask`]);
//! - a text that comes out holds no value of a held secret, in none of the forms of [`Masker`];
//! - a finding informs people and policy; it never grants anything, and its span lies between
//!   characters of the text.

mod asked;
mod bounds;
mod catalogue;
mod clean;
mod credentials;
mod definition;
mod finding;
mod grams;
mod inspect;
mod instructions;
mod looks_secret;
mod markup;
mod masker;
mod names;
mod personal;
mod pieces;
mod plain;
mod purpose;
mod redact;
#[cfg(test)]
mod reference;
mod sanitize;
mod spots;
mod targets;
mod texts;

pub use asked::{SecretKind, secret_asked};
pub use catalogue::Catalogue;
pub use clean::{clean, clean_parts};
pub use credentials::credentials;
pub use definition::{DefinitionError, definition};
pub use finding::{Finding, FindingKind, Inspection, Severity};
pub use inspect::{inspect_text, inspect_tool};
pub use looks_secret::{has_password, looks_secret};
pub use markup::active_content;
pub use masker::{MASK, Masker, StreamMask};
pub use names::{Likeness, is_disguised, likeness};
pub use personal::personal_numbers;
pub use protocol::{has_hidden, hidden_places, reveal};
pub use purpose::{NEAR_DUPLICATE, Purposes};
pub use sanitize::{SanitizedResult, sanitize};
pub use targets::sensitive_targets;
