//! A text as its reader takes it: escapes resolved, small letters, nothing hidden. Whoever looks
//! for a secret in it finds every notation at once, however they are mixed.
//!
//! Always true here:
//! - every letter knows where it came from;
//! - the work grows with the length of the text only: each escape that is resolved makes the text
//!   shorter;
//! - an escape that begins at the end of one text can end in the next.

/// One letter as it is read, and where it was written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Letter {
    pub(super) c: char,
    /// Where its writing begins and ends, in bytes; nowhere for one of an earlier text.
    pub(super) start: usize,
    pub(super) end: usize,
}

/// The longest escape, in letters.
pub(super) const LONGEST_ESCAPE: usize = 14;

/// Bytes of which several make a letter, and halves of UTF-16 pairs, stand in the stack as letters
/// of a plane where nobody writes.
const BYTES: u32 = 0x10_FE00;
const HALVES: u32 = 0x10_F000;

/// Letters of a text, read one after the other.
#[derive(Debug, Default)]
pub(super) struct Letters {
    read: Vec<Letter>,
    /// Where the last escape may have begun.
    open: Option<usize>,
}

impl Letters {
    /// Goes on after letters that were read before.
    pub(super) fn after(read: Vec<Letter>) -> Self {
        let mut letters = Self { read, open: None };
        letters.open = letters.opening();
        letters
    }

    /// All that was read.
    pub(super) fn read(self) -> Vec<Letter> {
        self.read
    }

    /// Reads a text that lies at `at`.
    pub(super) fn text(&mut self, text: &str, at: usize) {
        self.read.reserve(text.len());
        let mut here = 0;
        while let Some(byte) = text.as_bytes().get(here) {
            let start = at + here;
            let (c, length) = if byte.is_ascii() {
                (char::from(byte.to_ascii_lowercase()), 1)
            } else {
                let Some(c) = text[here..].chars().next() else {
                    return;
                };
                (small(c), c.len_utf8())
            };
            here += length;
            if !is_hidden(c) {
                let end = start + length;
                self.push(Letter { c, start, end });
            }
        }
    }

    #[inline]
    fn push(&mut self, letter: Letter) {
        self.read.push(letter);
        if matches!(letter.c, '%' | '\\' | '&') && self.open.is_none() {
            self.open = Some(self.read.len() - 1);
        } else if self.open.is_some() {
            self.resolve();
        }
    }

    /// Puts what an escape means in its place, as long as the end of what was read is one.
    fn resolve(&mut self) {
        while let Some(open) = self.open {
            if self.read.len() - open > LONGEST_ESCAPE {
                self.open = self.opening();
                continue;
            }
            let Some((from, meant)) = self.escape() else {
                return;
            };
            let (start, end) = (self.read[from].start, self.read[self.read.len() - 1].end);
            self.read.truncate(from);
            self.mean(meant, start, end);
            self.open = self.opening();
        }
    }

    /// The earliest beginning of an escape that may still end.
    fn opening(&self) -> Option<usize> {
        let from = self.read.len().saturating_sub(LONGEST_ESCAPE);
        let opening = |letter: &Letter| matches!(letter.c, '%' | '\\' | '&');
        self.read[from..]
            .iter()
            .position(opening)
            .map(|at| from + at)
    }

    /// The escape with which what was read ends: where it begins, and what it means.
    fn escape(&self) -> Option<(usize, Meant)> {
        let last = self.read.last()?.c;
        if !last.is_ascii_hexdigit() && !";}\"'/\\nrt".contains(last) {
            return None;
        }
        let from = self.read.len().saturating_sub(LONGEST_ESCAPE);
        let mut tail = [' '; LONGEST_ESCAPE];
        let tail = &mut tail[..self.read.len() - from];
        for (to, letter) in tail.iter_mut().zip(&self.read[from..]) {
            *to = letter.c;
        }
        // The shortest first: it is the innermost.
        (0..tail.len())
            .rev()
            .find_map(|at| Some((from + at, meant(&tail[at..])?)))
    }

    /// Reads what an escape means.
    fn mean(&mut self, meant: Meant, start: usize, end: usize) {
        let c = match meant {
            Meant::Letter(c) => Some(c),
            Meant::Byte(byte) if byte < 0x80 => Some(char::from(byte)),
            Meant::Byte(byte) => return self.byte(byte, start, end),
            Meant::Unit(unit) => return self.unit(unit, start, end),
        };
        let Some(c) = c.filter(|c| !is_hidden(*c)) else {
            return;
        };
        self.read.push(Letter {
            c: small(c),
            start,
            end,
        });
    }

    /// A byte of UTF-8; the last one of a letter makes it whole.
    fn byte(&mut self, byte: u8, start: usize, end: usize) {
        let of = |letter: &Letter| u8::try_from(u32::from(letter.c).wrapping_sub(BYTES)).ok();
        let mut bytes = [0, 0, 0, byte];
        for length in 2..=4_usize {
            let Some(at) = (self.read.len() + 1).checked_sub(length) else {
                break;
            };
            let Some(first) = self.read.get(at).and_then(of) else {
                break;
            };
            bytes[4 - length] = first;
            if let Ok(whole) = std::str::from_utf8(&bytes[4 - length..])
                && let Some(c) = whole.chars().next()
            {
                let start = self.read[at].start;
                self.read.truncate(at);
                return self.mean(Meant::Letter(c), start, end);
            }
        }
        if let Some(c) = char::from_u32(BYTES + u32::from(byte)) {
            self.read.push(Letter { c, start, end });
        }
    }

    /// A unit of UTF-16; the second half of a pair makes it whole.
    fn unit(&mut self, unit: u16, start: usize, end: usize) {
        if let Some(c) = char::from_u32(u32::from(unit)) {
            return self.mean(Meant::Letter(c), start, end);
        }
        let half = self
            .read
            .last()
            .and_then(|letter| u16::try_from(u32::from(letter.c).wrapping_sub(HALVES)).ok())
            .filter(|half| *half < 0x400);
        if let Some(half) = half
            && let Some(Ok(c)) = char::decode_utf16([0xD800 + half, unit]).next()
        {
            let start = self.read.pop().map_or(start, |letter| letter.start);
            return self.mean(Meant::Letter(c), start, end);
        }
        if let Some(c) = char::from_u32(HALVES + u32::from(unit & 0x3FF)) {
            self.read.push(Letter { c, start, end });
        }
    }
}

/// What an escape means.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Meant {
    Letter(char),
    Byte(u8),
    Unit(u16),
}

/// What these letters mean, if they are one escape. They are small.
fn meant(escape: &[char]) -> Option<Meant> {
    match escape {
        ['%', a, b] => Some(Meant::Byte(byte(*a, *b)?)),
        ['\\', 'u', '{', digits @ .., '}'] => {
            char::from_u32(number(digits, 16)?).map(Meant::Letter)
        }
        ['%' | '\\', 'u', digits @ ..] if digits.len() == 4 => {
            Some(Meant::Unit(u16::try_from(number(digits, 16)?).ok()?))
        }
        ['\\', 'x', a, b] => Some(Meant::Byte(byte(*a, *b)?)),
        ['\\', c @ ('"' | '\'' | '/' | '\\')] => Some(Meant::Letter(*c)),
        ['\\', 'n' | 'r'] => Some(Meant::Letter('\n')),
        ['\\', 't'] => Some(Meant::Letter('\t')),
        ['&', '#', 'x', digits @ .., ';'] => char::from_u32(number(digits, 16)?).map(Meant::Letter),
        ['&', '#', digits @ .., ';'] => char::from_u32(number(digits, 10)?).map(Meant::Letter),
        ['&', name @ .., ';'] => named(name).map(Meant::Letter),
        _ => None,
    }
}

fn byte(a: char, b: char) -> Option<u8> {
    u8::try_from(a.to_digit(16)? * 16 + b.to_digit(16)?).ok()
}

fn number(digits: &[char], radix: u32) -> Option<u32> {
    if digits.is_empty() {
        return None;
    }
    digits.iter().try_fold(0_u32, |number, digit| {
        number
            .checked_mul(radix)?
            .checked_add(digit.to_digit(radix)?)
    })
}

/// The names that HTML has for what stands on a keyboard, and for what nobody sees.
const NAMED: [(&str, char); 41] = [
    ("tab", '\t'),
    ("newline", '\n'),
    ("nbsp", ' '),
    ("ensp", ' '),
    ("emsp", ' '),
    ("thinsp", ' '),
    ("shy", '\u{AD}'),
    ("zwnj", '\u{200C}'),
    ("zwj", '\u{200D}'),
    ("ndash", '–'),
    ("mdash", '—'),
    ("excl", '!'),
    ("quot", '"'),
    ("num", '#'),
    ("dollar", '$'),
    ("percnt", '%'),
    ("amp", '&'),
    ("apos", '\''),
    ("lpar", '('),
    ("rpar", ')'),
    ("ast", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("lt", '<'),
    ("equals", '='),
    ("gt", '>'),
    ("quest", '?'),
    ("commat", '@'),
    ("lsqb", '['),
    ("bsol", '\\'),
    ("rsqb", ']'),
    ("hat", '^'),
    ("lowbar", '_'),
    ("grave", '`'),
    ("lcub", '{'),
    ("verbar", '|'),
    ("rcub", '}'),
];

/// The longest of them.
const LONGEST_NAME: usize = 7;

fn named(name: &[char]) -> Option<char> {
    if name.len() > LONGEST_NAME || !name.iter().all(char::is_ascii_alphabetic) {
        return None;
    }
    NAMED
        .iter()
        .find(|(known, _)| known.chars().eq(name.iter().copied()))
        .map(|(_, c)| *c)
}

/// Whether nobody sees a character that stands alone.
fn is_hidden(c: char) -> bool {
    match c {
        '\t' | '\n' | '\r' | ' '..='~' => false,
        // Most of what is written in other scripts, without a closer look.
        '\u{C0}'..='\u{34E}' | '\u{370}'..='\u{61B}' | '\u{3165}'..='\u{FDFF}' => false,
        c => crate::has_hidden(c.encode_utf8(&mut [0; 4])),
    }
}

/// The small letter. One that is written with several is left as it is.
fn small(c: char) -> char {
    // There are no capitals here.
    if matches!(c, '\u{2E80}'..='\u{A63F}' | '\u{AC00}'..='\u{FDFF}') {
        return c;
    }
    let mut letters = c.to_lowercase();
    match (letters.next(), letters.next()) {
        (Some(one), None) => one,
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        let mut letters = Letters::default();
        letters.text(text, 0);
        letters.read().iter().map(|letter| letter.c).collect()
    }

    #[test]
    fn every_notation_is_read_however_it_is_mixed() {
        for text in [
            "aé😀\"/z",
            "AÉ😀\"/Z",
            "%61%C3%A9%f0%9F%98%80%22%2f%7A",
            "&#97;&#233;&#128512;&quot;&sol;&#x7a;",
            "&#X61;&#xE9;&#x1F600;&#34;&#47;z",
            "\\u0061\\u00e9\\ud83d\\uDE00\\\"\\/\\x7a",
            "\\u{61}\\u{e9}\\u{1f600}\\x22\\x2F\\x7A",
            "\\\\u0061%25C3%25a9&amp;#128512;%2522&#37;2f&#x5c;x7a",
            "%5Cu0061é\\xf0\\x9f\\x98\\x80%&#50;2/z",
            "a\u{200B}é\u{AD}😀\"&shy;/z\u{FEFF}",
        ] {
            assert_eq!(read(text), "aé😀\"/z", "{text}");
        }
    }

    #[test]
    fn what_is_no_escape_is_read_as_it_stands() {
        for text in [
            "100% & more",
            "%zz",
            "\\q",
            "&nothing;",
            "&;",
            "&#;",
            "%",
            "\\u12",
            "a&b&c",
        ] {
            assert_eq!(read(text), text);
        }
    }

    #[test]
    fn every_letter_knows_where_it_came_from() {
        let text = "x%2561&amp;lt;é";
        let mut letters = Letters::default();
        letters.text(text, 0);
        let read = letters.read();
        let written: Vec<&str> = read
            .iter()
            .map(|letter| &text[letter.start..letter.end])
            .collect();
        assert_eq!(written, ["x", "%2561", "&amp;lt;", "é"]);
    }
}
