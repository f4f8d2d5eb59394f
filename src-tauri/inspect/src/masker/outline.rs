//! Whether a text can hold any secret in any notation: what it is read as, with nothing but letters
//! and digits of ASCII left of it, holds what is left of a secret.
//!
//! Always true here: where this says no, nothing that is read letter by letter finds anything.

use super::any_of::AnyOf;
use super::letters::{Letter, Letters};
use std::collections::BTreeSet;

/// What is left of a secret is at least so long, or it says too little.
const SHORTEST: usize = 4;
/// So much of what is left of a text is looked through at a time, in bytes.
const CHUNK: usize = 32 * 1024;

/// What is left of secrets.
#[derive(Debug)]
pub(super) struct Outlines {
    outlines: AnyOf,
    longest: usize,
    /// Of some secret too little is left: nothing can be said without reading.
    is_blind: bool,
}

impl Outlines {
    /// Of these, as they are read.
    pub(super) fn of<'a>(forms: impl Iterator<Item = &'a String>) -> Self {
        let outlines: BTreeSet<Vec<u8>> = forms.map(|form| outline(form.chars())).collect();
        Self {
            longest: outlines.iter().map(Vec::len).max().unwrap_or_default(),
            is_blind: outlines.iter().any(|outline| outline.len() < SHORTEST),
            outlines: AnyOf::of(outlines),
        }
    }

    /// Whether a secret may stand in a text, behind what was read of the texts before it.
    pub(super) fn may_stand(&self, before: &[Letter], text: &str) -> bool {
        if self.is_blind {
            return true;
        }
        let mut left = Left::default();
        let mut at = left.begin(before, text);
        loop {
            at = left.add(text, at);
            if self.outlines.is_in(left.bytes()) {
                return true;
            }
            if at == text.len() {
                return false;
            }
            left.keep(self.longest);
        }
    }

    /// Whether a secret may stand in what was read.
    pub(super) fn may_be_read(&self, read: &[Letter]) -> bool {
        let left = || outline(read.iter().map(|letter| letter.c));
        self.is_blind || self.outlines.is_in(&left())
    }
}

/// What is left of letters that were read.
fn outline(letters: impl Iterator<Item = char>) -> Vec<u8> {
    letters
        .filter_map(|c| u8::try_from(c).ok())
        .filter(u8::is_ascii_alphanumeric)
        .collect()
}

/// What is left of the part of a text that is looked through.
#[derive(Default)]
struct Left {
    room: Vec<u8>,
    written: usize,
}

impl Left {
    fn bytes(&self) -> &[u8] {
        &self.room[..self.written]
    }

    /// Leaves only the end.
    fn keep(&mut self, length: usize) {
        let from = self.written.saturating_sub(length);
        self.room.copy_within(from..self.written, 0);
        self.written -= from;
    }

    fn push(&mut self, letters: impl Iterator<Item = char>) {
        for byte in outline(letters) {
            match self.room.get_mut(self.written) {
                Some(room) => *room = byte,
                None => self.room.push(byte),
            }
            self.written += 1;
        }
    }

    /// Begins with what was read before, and with as much of the text as an escape may take that
    /// began there. Says how much that is.
    fn begin(&mut self, before: &[Letter], text: &str) -> usize {
        let is_end = |letter: &Letter| u8::try_from(letter.c).is_ok_and(ends_escape);
        let last = before.rsplit(is_end).next().unwrap_or_default();
        let mut end = 0;
        if last
            .iter()
            .any(|letter| matches!(letter.c, '%' | '\\' | '&'))
        {
            let behind = text.bytes().position(ends_escape);
            end = behind.unwrap_or(text.len());
        }
        let mut letters = Letters::after(before.to_vec());
        letters.text(&text[..end], 0);
        self.push(letters.read().into_iter().map(|letter| letter.c));
        end
    }

    /// Adds a text from a place on, as much as there is room for. Says how far it came.
    fn add(&mut self, text: &str, from: usize) -> usize {
        let bytes = text.as_bytes();
        let end = bytes.len().min(from + CHUNK);
        let mut at = from;
        while at < end {
            // Room for all that may come, made once for a chunk.
            if self.room.len() < self.written + (end - at) {
                self.room.resize(self.written + (end - at), NOTHING);
            }
            let room = &mut self.room[self.written..];
            let mut written = 0;
            for (byte, _) in bytes[at..end].iter().zip(0..room.len()) {
                let meant = LEFT[usize::from(*byte)];
                if meant == LOOK {
                    break;
                }
                room[written] = meant;
                written += usize::from(meant != NOTHING);
                at += 1;
            }
            self.written += written;
            if at < end {
                at = self.look(text, at);
            }
        }
        at
    }

    /// Adds an escape, or what looks like one. Says where it ends.
    fn look(&mut self, text: &str, at: usize) -> usize {
        let bytes = text.as_bytes();
        match bytes[at..] {
            // The only letter of another script whose small letter is one of ASCII is among them: the
            // sign of Kelvin.
            [0xE2, second, third, ..] => {
                self.push([second, third].eq(&[0x84, 0xAA]).then_some('k').into_iter());
                at + 3
            }
            [b'\\', b'"' | b'\'' | b'/' | b'n' | b'r' | b't', ..] => at + 2,
            [_, next, ..] if ends_escape(next) => at + 2,
            _ => {
                let behind = bytes[at..].iter().position(|byte| ends_escape(*byte));
                let end = behind.map_or(bytes.len(), |behind| at + behind);
                let mut letters = Letters::default();
                letters.text(&text[at..end], 0);
                self.push(letters.read().into_iter().map(|letter| letter.c));
                end
            }
        }
    }
}

/// Whether a byte is read as it is and no escape goes on behind it.
pub(super) fn ends_escape(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~')
        && !byte.is_ascii_alphanumeric()
        && !b"%\\&{}#;\"'/".contains(&byte)
}

/// What is left of a byte: a small letter or digit, nothing, or something to be looked at.
static LEFT: [u8; 256] = {
    let mut left = [NOTHING; 256];
    let mut byte = 0_u8;
    loop {
        left[byte as usize] = match byte {
            b'%' | b'\\' | b'&' | 0xE2 => LOOK,
            byte if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => NOTHING,
        };
        if byte == u8::MAX {
            break left;
        }
        byte += 1;
    }
};
const NOTHING: u8 = 0;
const LOOK: u8 = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn left_of(text: &str) -> String {
        let (mut left, mut at) = (Left::default(), 0);
        while at < text.len() {
            at = left.add(text, at);
        }
        String::from_utf8(left.bytes().to_vec()).unwrap_or_default()
    }

    fn left_of_what_is_read(text: &str) -> String {
        let mut letters = Letters::default();
        letters.text(text, 0);
        let left = outline(letters.read().into_iter().map(|letter| letter.c));
        String::from_utf8(left).unwrap_or_default()
    }

    #[test]
    fn the_only_letter_that_becomes_ascii_is_the_sign_of_kelvin() {
        for c in (0x80..=u32::from(char::MAX)).filter_map(char::from_u32) {
            let text = format!("a{c}b");
            assert_eq!(
                left_of(&text),
                left_of_what_is_read(&text),
                "{:04X}",
                u32::from(c)
            );
            assert_eq!(left_of(&text).len() == 3, c == '\u{212A}');
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn what_is_left_is_what_is_left_of_what_is_read(
            pieces in proptest::collection::vec(prop_oneof![
                "[%&#xu{};\\\\0-9a-fA-F25 ]{0,12}",
                "\\PC{0,4}",
                proptest::sample::select(&["&amp;", "\\\\", "%25", "%41", "\\n", "\\\"", "\u{200B}", "\u{212A}", "\\u{41}", "&#65;", "\u{1}", "\n", " "][..]).prop_map(String::from),
            ], 0..12),
        ) {
            let text = pieces.concat();
            prop_assert_eq!(left_of(&text), left_of_what_is_read(&text));
        }
    }
}
