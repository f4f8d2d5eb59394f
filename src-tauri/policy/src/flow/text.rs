//! Texts in the one form in which they are compared.
//!
//! Always true here: two texts that differ in case, spacing, punctuation, width or invisible
//! characters have the same form.

use icu_normalizer::ComposingNormalizerBorrowed;

/// Longest text that is looked at, in bytes. What lies beyond counts as unknown, never as harmless.
pub(crate) const MAX_TEXT: usize = 1 << 20;

/// The head of a text that is looked at, cut between characters.
pub(crate) fn head(text: &str, limit: usize) -> &str {
    if text.len() <= limit {
        return text;
    }
    let end = (0..=limit)
        .rev()
        .find(|end| text.is_char_boundary(*end))
        .unwrap_or(0);
    &text[..end]
}

/// The form for comparing: lower case, letters and digits only, one space between words and one at
/// each end.
///
/// `" "` for a text without letters and digits.
pub(crate) fn plain(text: &str) -> String {
    let text = head(text, MAX_TEXT);
    let (mut plain, mut at) = (Plain::for_length(text.len()), 0);
    while at < text.len() {
        at = plain.ordinary(text, at);
        at = plain.odd(text, at);
    }
    plain.end()
}

/// What each byte is in the form for comparing: itself in lower case, a space, or, where more than
/// it has to be looked at, [`ODD`].
const FORMS: [u8; 256] = {
    let mut forms = [ODD; 256];
    let mut byte = 0;
    while byte < 128 {
        forms[byte as usize] = match byte {
            b'\\' | b'%' | b'&' => ODD,
            _ if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => b' ',
        };
        byte += 1;
    }
    forms
};
const ODD: u8 = 0;

/// A text in the form for comparing, as far as it was read.
struct Plain {
    /// As much room as the text has itself, and more where its form is longer.
    room: Vec<u8>,
    written: usize,
    /// What escapes and letters beyond ASCII stand for, up to where they can change no more.
    composing: String,
}

impl Plain {
    fn for_length(length: usize) -> Self {
        Self {
            room: vec![b' '; length + 2],
            written: 1,
            composing: String::new(),
        }
    }

    /// Takes ASCII that escapes nothing, from a place on. Says how far that goes.
    fn ordinary(&mut self, text: &str, from: usize) -> usize {
        let rest = &text.as_bytes()[from..];
        self.make_room(rest.len());
        let (mut last, mut read) = (self.room[self.written - 1], 0);
        let (room, mut written) = (&mut self.room[self.written..], 0);
        for byte in rest {
            let form = FORMS[usize::from(*byte)];
            if form == ODD {
                break;
            }
            room[written] = form;
            written += usize::from(form != b' ' || last != b' ');
            last = form;
            read += 1;
        }
        self.written += written;
        from + read
    }

    /// Takes escapes and letters beyond ASCII, from a place on. Says how far they go.
    fn odd(&mut self, text: &str, from: usize) -> usize {
        let before = text.as_bytes()[..from].last();
        // An accent may follow that belongs to the letter before.
        if let Some(letter) = before.filter(|letter| letter.is_ascii_alphanumeric())
            && from < text.len()
        {
            self.written -= 1;
            self.composing.push(char::from(*letter));
        }
        let mut at = from;
        while let Some(c) = text[at..].chars().next() {
            if c.is_ascii() && FORMS[c as usize] != ODD {
                break;
            }
            if is_alone(c) {
                self.compose();
                self.push(c);
                at += c.len_utf8();
            } else {
                let (c, length) = escaped(&text[at..]).unwrap_or((c, c.len_utf8()));
                self.composing.push(c);
                at += length;
            }
        }
        self.compose();
        at
    }

    /// Takes what was left to be composed.
    fn compose(&mut self) {
        if self.composing.is_empty() {
            return;
        }
        let composing = std::mem::take(&mut self.composing);
        let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(&composing);
        let visible = composed.chars().filter(|c| !invisible(*c));
        for c in visible.flat_map(char::to_lowercase) {
            if c.is_alphanumeric() {
                self.push(c);
            } else if self.room[self.written - 1] != b' ' {
                self.push(' ');
            }
        }
        self.composing = composing;
        self.composing.clear();
    }

    fn push(&mut self, c: char) {
        let mut bytes = [0; 4];
        let bytes = c.encode_utf8(&mut bytes).as_bytes();
        self.make_room(bytes.len());
        self.room[self.written..self.written + bytes.len()].copy_from_slice(bytes);
        self.written += bytes.len();
    }

    /// Room for so many bytes, and one more for the space at the end.
    fn make_room(&mut self, length: usize) {
        if self.room.len() < self.written + length + 1 {
            self.room.resize(2 * (self.written + length + 1), b' ');
        }
    }

    fn end(mut self) -> String {
        if self.room[self.written - 1] != b' ' {
            self.push(' ');
        }
        self.room.truncate(self.written);
        String::from_utf8(self.room).unwrap_or_else(|_| " ".to_owned())
    }
}

/// Whether a letter is the same in the form for comparing, and nothing around it joins it: Chinese
/// ideographs.
fn is_alone(c: char) -> bool {
    matches!(c, '\u{4E00}'..='\u{9FFF}')
}

/// A plain text without its spaces, for numbers and addresses that are written in groups.
pub(crate) fn squeezed(plain: &str) -> String {
    let mut squeezed = String::with_capacity(plain.len());
    squeezed.extend(words(plain));
    squeezed
}

/// The words of a plain text.
pub(crate) fn words(plain: &str) -> impl Iterator<Item = &str> {
    plain.split(' ').filter(|word| !word.is_empty())
}

/// How much of a name is read, in bytes.
const LONGEST_NAME: usize = 256;

/// The words of an identifier: `sendMoney`, `send_money` and `SEND-MONEY` are all `send`, `money`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut all = Vec::new();
    each_name_word(name, |word| all.push(word.to_owned()));
    all
}

/// The same, one after the other.
pub(crate) fn each_name_word(name: &str, mut visit: impl FnMut(&str)) {
    let is_plain = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b' ');
    // Most names of tools and arguments need no other form.
    if name.len() <= LONGEST_NAME && name.bytes().all(is_plain) {
        let all = name.split(['_', '-', '.', ' ']);
        return all.filter(|word| !word.is_empty()).for_each(visit);
    }
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before: Option<char> = None;
    let mut rest = head(name, LONGEST_NAME).chars().peekable();
    while let Some(c) = rest.next() {
        let starts = match before {
            Some(b) if c.is_uppercase() => {
                b.is_lowercase()
                    || b.is_numeric()
                    || rest.peek().is_some_and(|next| next.is_lowercase())
            }
            _ => false,
        };
        if starts {
            spaced.push(' ');
        }
        spaced.push(c);
        before = Some(c);
    }
    words(&plain(&spaced)).for_each(&mut visit);
}

/// What is written as `\n` or `\u00e9` in JSON and YAML, as `%40` in an address and as `&#64;` or
/// `&amp;` in a page, as what it stands for.
pub(crate) fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '%', '&']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = escaped(rest)
            .or_else(|| Some((rest.chars().next()?, 1)))
            .unwrap_or((' ', rest.len()));
        out.push(c);
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// The character that a text which begins with `\`, `%` or `&` stands for at its beginning, and how
/// long that is in bytes.
fn escaped(text: &str) -> Option<(char, usize)> {
    let number = |digits: &str, radix| {
        u32::from_str_radix(digits, radix)
            .ok()
            .and_then(char::from_u32)
    };
    match text.as_bytes() {
        [b'\\', b'n' | b'r' | b't', ..] => Some((' ', 2)),
        [b'\\', b'u', ..] => Some((number(text.get(2..6)?, 16)?, 6)),
        [b'\\', b'x', ..] => Some((number(text.get(2..4)?, 16)?, 4)),
        // Of what is beyond ASCII, the bytes would have to be put together; nobody's address needs
        // it.
        [b'%', ..] => Some((number(text.get(1..3)?, 16).filter(char::is_ascii)?, 3)),
        [b'&', ..] => {
            let end = text.bytes().take(1 + 8 + 1).position(|byte| byte == b';')?;
            let name = text
                .get(1..end)
                .filter(|name| name.is_ascii() && name.len() >= 2)?;
            let c = match name {
                "amp" | "lt" | "gt" | "quot" | "apos" | "nbsp" | "commat" | "period" | "sol"
                | "colon" => ' ',
                _ => match name.strip_prefix('#')?.strip_prefix(['x', 'X']) {
                    Some(digits) => number(digits, 16)?,
                    None => number(name.strip_prefix('#')?, 10)?,
                },
            };
            Some((c, end + 1))
        }
        _ => None,
    }
}

/// Characters that a reader does not see: they never part a word.
fn invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The same form, letter by letter of all of the text.
    fn reference(text: &str) -> String {
        let visible = unescape(text);
        let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(&visible);
        let mut plain = String::from(' ');
        for c in composed
            .chars()
            .filter(|c| !invisible(*c))
            .flat_map(char::to_lowercase)
        {
            if c.is_alphanumeric() {
                plain.push(c);
            } else if !plain.ends_with(' ') {
                plain.push(' ');
            }
        }
        if !plain.ends_with(' ') {
            plain.push(' ');
        }
        plain
    }

    /// Letters, accents that join them, what escapes either, and what looks like an escape.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            "[ -~\\n\\t]{0,12}",
            "\\PC{0,3}",
            prop::sample::select(vec![
                "e",
                "E",
                "I",
                "=",
                "\u{301}",
                "\u{307}",
                "\u{338}",
                "\u{345}",
                "\u{323}",
                "\\u0301",
                "\\u00e9",
                "\\n",
                "\\\"",
                "\\",
                "\\u",
                "\\x41",
                "%41",
                "%4",
                "%",
                "%cc%81",
                "&#769;",
                "&#x301;",
                "&amp;",
                "&",
                "&&",
                "&#1114112;",
                "&verylongname;",
                "&é;",
                "中",
                "国。",
                "，",
                "が",
                "か\u{3099}",
                "가",
                "\u{1100}\u{1161}\u{11a8}",
                "ﬁ",
                "İ",
                "\u{212A}",
                "\u{200B}",
                "\u{FEFF}",
                "ﷺ",
                "Ａ",
                "①",
                "\u{F900}",
                "ß",
                "Σ",
            ])
            .prop_map(str::to_owned),
        ];
        prop::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        #[test]
        fn a_text_has_the_same_form_read_in_parts_and_letter_by_letter(text in pieces()) {
            prop_assert_eq!(plain(&text), reference(&text));
        }
    }

    proptest! {
        #[test]
        fn a_plain_name_has_the_words_that_its_form_has(name in "[a-z0-9_. -]{0,40}") {
            let plain = plain(&name);
            let words: Vec<&str> = words(&plain).collect();
            prop_assert_eq!(name_words(&name), words);
        }
    }

    #[test]
    fn an_ideograph_is_the_same_beside_anything() {
        for c in ('\u{4E00}'..='\u{9FFF}').filter(|c| c.is_alphanumeric()) {
            let text = format!("e{c}\u{301}{c}{c}a");
            assert_eq!(plain(&text), reference(&text), "{:04X}", u32::from(c));
        }
        let others = ('\u{4E00}'..='\u{9FFF}').filter(|c| !c.is_alphanumeric());
        assert_eq!(others.count(), 0);
    }

    /// Or a text of nothing else would be read once for each of them.
    #[test]
    fn no_more_is_read_of_an_escape_than_an_escape_is_long() {
        let long = format!("&#65{}", "x".repeat(100));
        assert_eq!(plain(&long), reference(&long));
        assert_eq!(plain(&"&".repeat(MAX_TEXT)), " ");
        assert_eq!(escaped("&amp;"), Some((' ', 5)));
        assert_eq!(escaped("&#00065;"), Some(('A', 8)));
        assert_eq!(escaped("&#0000065;"), Some(('A', 10)));
        assert_eq!(escaped("&#00000065;"), None);
    }
}
