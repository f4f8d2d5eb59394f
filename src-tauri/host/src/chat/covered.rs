//! What must not be seen is covered, and what cannot be seen is shown, in what a person and a model
//! say.

use agent::model::Failure;
use agent::{Reply, ReplyPart};
use inspect::{MASK, Masker, reveal};
use protocol::Secret;

/// A text without values of held secrets, with everything in it visible.
pub(super) fn text(masker: &Masker, text: &str) -> String {
    let covered = masker.mask(text);
    let text = covered.as_deref().unwrap_or(text);
    reveal(text).map_or_else(|| text.to_owned(), |(shown, _)| shown)
}

/// The same of a whole reply. What is to be sent of its calls is covered only: a question shows
/// what cannot be seen in it.
pub(super) fn reply(masker: &Masker, reply: &mut Reply) {
    for part in &mut reply.parts {
        let native = match part {
            ReplyPart::Text { text: said, native }
            | ReplyPart::Reasoning { text: said, native } => {
                *said = text(masker, said);
                native
            }
            ReplyPart::Call(call) => {
                call.name = text(masker, &call.name);
                masker.mask_map(&mut call.arguments);
                if let Some(invalid) = &mut call.invalid {
                    masker.mask_text(invalid);
                }
                &mut call.native
            }
            ReplyPart::Image { native, .. } => native,
            ReplyPart::Opaque { native } => {
                masker.mask_value(native);
                continue;
            }
        };
        if let Some(native) = native {
            masker.mask_value(native);
        }
    }
    if let Some(origin) = &mut reply.origin {
        masker.mask_value(origin);
    }
}

/// The same of what went wrong.
pub(super) fn failure(masker: &Masker, failure: Failure) -> Failure {
    let shown = |words: String| text(masker, &words);
    match failure {
        Failure::Request { problem } => Failure::Request {
            problem: shown(problem),
        },
        Failure::Connection { problem, code } => Failure::Connection {
            problem: shown(problem),
            code,
        },
        Failure::Status {
            status,
            message,
            retry_after,
        } => Failure::Status {
            status,
            message: shown(message),
            retry_after,
        },
        Failure::Service { message } => Failure::Service {
            message: shown(message),
        },
        Failure::UnknownStopReason { reason } => Failure::UnknownStopReason {
            reason: shown(reason),
        },
        Failure::Unreadable { problem } => Failure::Unreadable {
            problem: shown(problem),
        },
        other => other,
    }
}

/// Covers a key in the bytes of a service that was shown it, wherever these are cut into pieces.
pub(super) struct KeyCover {
    key: Option<Secret>,
    /// What came last and may be the beginning of the key.
    held: Vec<u8>,
}

impl KeyCover {
    pub(super) fn of(key: Option<Secret>) -> Self {
        Self {
            key,
            held: Vec::new(),
        }
    }

    /// What can be read of the bytes so far.
    pub(super) fn push(&mut self, piece: &[u8]) -> Vec<u8> {
        let Some(key) = &self.key else {
            return piece.to_vec();
        };
        let key = key.expose().as_bytes();
        self.held.extend_from_slice(piece);
        let mut shown = Vec::with_capacity(self.held.len());
        let mut at = 0;
        while let Some(rest) = self.held.get(at..).filter(|rest| !rest.is_empty()) {
            if rest.starts_with(key) {
                shown.extend_from_slice(MASK.as_bytes());
                at += key.len();
            } else if key.starts_with(rest) {
                break;
            } else {
                shown.extend(rest.first());
                at += 1;
            }
        }
        self.held.drain(..at);
        shown
    }

    /// What was held back: nothing follows that could make it the key.
    pub(super) fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.held)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_covered_wherever_the_bytes_are_cut() {
        let text = "a sk-0123456789 b sk-012 sk-sk-0123456789 c sk-0";
        let expected = format!("a {MASK} b sk-012 sk-{MASK} c sk-0");
        for at in 0..=text.len() {
            let mut cover = KeyCover::of(Some(Secret::new("sk-0123456789".to_owned())));
            let (one, other) = text.as_bytes().split_at(at);
            let mut shown = cover.push(one);
            shown.extend(cover.push(other));
            shown.extend(cover.finish());
            assert_eq!(String::from_utf8(shown).unwrap(), expected, "cut at {at}");
        }
    }
}
