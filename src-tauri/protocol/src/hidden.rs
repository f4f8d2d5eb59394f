//! Characters that a person cannot see, or that change the direction of what they see.
//!
//! Joiners are left alone where scripts and emoji need them, and the emoji selector U+FE0F after a
//! symbol; in 1,399 tool definitions of real servers nothing else of this kind occurs.

/// Whether a text holds a character that [`reveal`] would replace.
pub fn has_hidden(text: &str) -> bool {
    hidden_places(text).next().is_some()
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
    let mut before = None;
    text.char_indices()
        .filter(move |(_, c)| is_hidden(*c, before.replace(*c)))
}

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
