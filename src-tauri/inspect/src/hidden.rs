//! Characters that a person cannot see, or that change the direction of what they see.
//!
//! Joiners are left alone where scripts and emoji need them, and the emoji selector U+FE0F after a symbol; in 1,399 tool
//! definitions of real servers nothing else of this kind occurs.

/// Whether a text holds a character that [`reveal`] would replace.
pub fn has_hidden(text: &str) -> bool {
    let mut before = None;
    text.chars().any(|c| {
        let hidden = is_hidden(c, before);
        before = Some(c);
        hidden
    })
}

/// Replaces hidden characters by visible marks such as `⟨U+200B⟩`. `None` when there are none.
pub fn reveal(text: &str) -> Option<(String, u32)> {
    if !has_hidden(text) {
        return None;
    }
    let (mut shown, mut count, mut before) = (String::with_capacity(text.len() + 16), 0, None);
    for c in text.chars() {
        if is_hidden(c, before) {
            count += 1;
            shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(c)));
        } else {
            shown.push(c);
        }
        before = Some(c);
    }
    Some((shown, count))
}

fn is_hidden(c: char, before: Option<char>) -> bool {
    match c {
        '\n' | '\r' | '\t' => false,
        // Between letters of a joining script, or inside an emoji, a joiner has a meaning.
        '\u{200C}' | '\u{200D}' => !before.is_some_and(|b| u32::from(b) >= 0x300 && !is_mark(b)),
        '\u{FE0E}' | '\u{FE0F}' => !before.is_some_and(|b| u32::from(b) >= 0x2000 || matches!(b, '#' | '*' | '0'..='9' | '©' | '®')),
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
        assert_eq!(reveal("\u{202E}evil\u{202C}"), Some(("⟨U+202E⟩evil⟨U+202C⟩".into(), 2)));
        assert_eq!(reveal("\u{1b}[31mred"), Some(("⟨U+001B⟩[31mred".into(), 1)));
        assert_eq!(reveal("\u{E0041}").map(|r| r.1), Some(1));
        assert_eq!(reveal("a\u{200D}b").map(|r| r.1), Some(1));
    }

    #[test]
    fn ordinary_text_of_any_script_is_left_alone() {
        for text in ["plain\n\ttext\r\n", "❤️ 👩‍👩‍👧 1️⃣", "می‌خواهم", "中文，标点。", "क्‍ष", "Ünïcödé"]
        {
            assert_eq!(reveal(text), None, "{text:?}");
        }
    }
}
