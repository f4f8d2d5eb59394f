//! Characters that a person cannot see, or that change the direction of what they see.
//!
//! Joiners are left alone where scripts and emoji need them, and the emoji selector U+FE0F after a
//! symbol; in 1,399 tool definitions of real servers nothing else of this kind occurs.

/// Whether a text holds a character that [`reveal`] would replace.
pub fn has_hidden(text: &str) -> bool {
    hidden_places(text).next().is_some()
}

/// Whether a text is one line that can be seen whole, of 1 to `longest` characters: what a person may
/// call something.
pub fn is_one_line(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.chars().count())
        && !text.chars().any(char::is_control)
        && !has_hidden(text)
}

/// Replaces hidden characters by visible marks such as `⟨U+200B⟩`. `None` when there are none.
pub fn reveal(text: &str) -> Option<(String, u32)> {
    let (mut shown, mut count, mut end) = (String::new(), 0, 0);
    for (at, c) in hidden_places(text) {
        shown.push_str(&text[end..at]);
        shown.push_str(&visible_mark(c));
        end = at + c.len_utf8();
        count += 1;
    }
    shown.push_str(&text[end..]);
    (count > 0).then_some((shown, count))
}

/// Every character that [`reveal`] would replace, with where it stands.
pub fn hidden_places(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        loop {
            let at = next_suspect(text.as_bytes(), from)?;
            let c = text[at..].chars().next()?;
            from = at + c.len_utf8();
            if is_hidden(c, text[..at].chars().next_back()) {
                return Some((at, c));
            }
        }
    })
}

/// So many bytes are looked at together where nothing but ordinary ASCII stands.
const BLOCK: usize = 32;

/// The first place from there on where a hidden character may begin.
fn next_suspect(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while at < bytes.len() {
        let end = (at + BLOCK).min(bytes.len());
        if !is_ordinary(&bytes[at..end]) {
            let begins =
                |at: &usize| SUSPECT[usize::from(bytes[*at])] && begins_hidden(&bytes[*at..]);
            if let Some(found) = (at..end).find(begins) {
                return Some(found);
            }
        }
        at = end;
    }
    None
}

/// Whether all of it is ASCII that is drawn, ends of lines and tabulators.
fn is_ordinary(block: &[u8]) -> bool {
    let odd = |byte: u8| {
        !(0x20..0x7F).contains(&byte) & (byte != b'\n') & (byte != b'\r') & (byte != b'\t')
    };
    !block.iter().fold(false, |any, byte| any | odd(*byte))
}

/// Whether a hidden character can begin with the first two of these bytes. The first is one of
/// [`SUSPECT`].
fn begins_hidden(bytes: &[u8]) -> bool {
    match bytes {
        [0xC2, second, ..] => matches!(second, 0x80..=0x9F | 0xAD),
        [0xE1, second, ..] => matches!(second, 0x85 | 0x9E | 0xA0),
        [0xE2, second, ..] => matches!(second, 0x80 | 0x81),
        [0xE3, second, ..] => *second == 0x85,
        [0xEF, second, ..] => matches!(second, 0xB8 | 0xBB | 0xBE | 0xBF),
        [0xF0, second, ..] => *second == 0x9D,
        [0xF3, second, ..] => *second == 0xA0,
        _ => true,
    }
}

/// The bytes with which hidden characters begin.
static SUSPECT: [bool; 256] = {
    let mut suspect = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        suspect[byte] = matches!(
            byte,
            0..=8 | 11..=12 | 14..=31 | 0x7F | 0xC2 | 0xCD | 0xD8 | 0xE1..=0xE3 | 0xEF | 0xF0 | 0xF3
        );
        byte += 1;
    }
    suspect
};

/// What is shown in the place of a character that nobody sees.
pub fn visible_mark(c: char) -> String {
    format!("⟨U+{:04X}⟩", u32::from(c))
}

fn is_hidden(c: char, before: Option<char>) -> bool {
    match c {
        '\n' | '\r' | '\t' => false,
        // Between letters of a joining script, or inside an emoji, a joiner has a meaning.
        '\u{200C}' | '\u{200D}' => !before.is_some_and(|b| u32::from(b) >= 0x300 && !is_mark(b)),
        '\u{FE0E}' | '\u{FE0F}' => !before.is_some_and(|b| {
            u32::from(b) >= 0x2000 || matches!(b, '#' | '*' | '0'..='9' | '©' | '®')
        }),
        c => c.is_control() || is_mark(c),
    }
}

/// Format characters, fillers, tags and variation selectors: nothing of them is ever drawn.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c),
        0xAD | 0x34F | 0x61C | 0x115F..=0x1160 | 0x17B4..=0x17B5 | 0x180B..=0x180F
        | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0x3164 | 0xFE00..=0xFE0F
        | 0xFEFF | 0xFFA0 | 0xFFF9..=0xFFFB | 0x1D173..=0x1D17A | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_and_direction_characters_become_visible() {
        assert_eq!(reveal("a\u{200B}b"), Some(("a⟨U+200B⟩b".into(), 1)));
        assert_eq!(
            reveal("\u{202E}evil\u{202C}"),
            Some(("⟨U+202E⟩evil⟨U+202C⟩".into(), 2))
        );
        assert_eq!(reveal("\u{1b}[31mred"), Some(("⟨U+001B⟩[31mred".into(), 1)));
        assert_eq!(reveal("\u{E0041}").map(|r| r.1), Some(1));
        assert_eq!(reveal("a\u{200D}b").map(|r| r.1), Some(1));
    }

    #[test]
    fn no_hidden_character_is_passed_over_wherever_it_stands() {
        for c in (0..=u32::from(char::MAX)).filter_map(char::from_u32) {
            for lead in ["", "a", "中"] {
                let text = format!("{lead}{c}b");
                let hidden = is_hidden(c, lead.chars().next());
                assert_eq!(
                    has_hidden(&text),
                    hidden,
                    "{:04X} behind {lead:?}",
                    u32::from(c)
                );
            }
        }
        for lead in 0..2 * BLOCK {
            let text = format!("{}\u{200B}é\u{7}", "x".repeat(lead));
            let places: Vec<_> = hidden_places(&text).collect();
            assert_eq!(places, [(lead, '\u{200B}'), (lead + 5, '\u{7}')]);
        }
    }

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        for text in [
            "plain\n\ttext\r\n",
            "❤️ 👩‍👩‍👧 1️⃣",
            "می‌خواهم",
            "中文，标点。",
            "क्‍ष",
            "Ünïcödé",
        ] {
            assert_eq!(reveal(text), None, "{text:?}");
        }
    }
}
