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
    if let Some(plain) = plain_ascii(text) {
        return plain;
    }
    let visible = unescape(text);
    let composed = ComposingNormalizerBorrowed::new_nfkc().normalize(&visible);
    let mut plain = String::with_capacity(composed.len() + 2);
    plain.push(' ');
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

/// What each character of ASCII is in the form for comparing: itself in lower case, a space, or, where
/// more than it has to be looked at, nothing.
const ASCII: [u8; 256] = {
    let mut forms = [0; 256];
    let mut byte = 0;
    while byte < 128 {
        forms[byte as usize] = match byte {
            b'\\' | b'%' | b'&' => 0,
            _ if byte.is_ascii_alphanumeric() => byte.to_ascii_lowercase(),
            _ => b' ',
        };
        byte += 1;
    }
    forms
};

/// The same for a text of ASCII alone that escapes nothing, which most are; nothing for others.
fn plain_ascii(text: &str) -> Option<String> {
    let mut plain = vec![b' '; text.len() + 2];
    // The form ends before here, with a space or the last letter.
    let mut end = 1;
    let mut last = b' ';
    for byte in text.bytes() {
        let form = ASCII[usize::from(byte)];
        if form == 0 {
            return None;
        }
        plain[end] = form;
        end += usize::from(form != b' ' || last != b' ');
        last = form;
    }
    plain[end] = b' ';
    plain.truncate(end + usize::from(last != b' '));
    String::from_utf8(plain).ok()
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

/// The words of an identifier: `sendMoney`, `send_money` and `SEND-MONEY` are all `send`, `money`.
pub(crate) fn name_words(name: &str) -> Vec<String> {
    let mut spaced = String::with_capacity(name.len() + 8);
    let mut before: Option<char> = None;
    let mut rest = head(name, 256).chars().peekable();
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
    words(&plain(&spaced)).map(str::to_owned).collect()
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
            let name = text
                .get(1..)?
                .split(';')
                .next()
                .filter(|name| (2..=8).contains(&name.len()) && name.is_ascii())?;
            let c = match name {
                "amp" | "lt" | "gt" | "quot" | "apos" | "nbsp" | "commat" | "period" | "sol"
                | "colon" => ' ',
                _ => match name.strip_prefix('#')?.strip_prefix(['x', 'X']) {
                    Some(digits) => number(digits, 16)?,
                    None => number(name.strip_prefix('#')?, 10)?,
                },
            };
            (text.as_bytes().get(name.len() + 1) == Some(&b';')).then_some((c, name.len() + 2))
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

    proptest! {
        #[test]
        fn a_text_of_ascii_has_the_same_form_beside_one_that_is_not(text in "[ -~\\n\\t]{0,80}") {
            let beside = plain(&format!("{text} é"));
            let alone = plain(&text);
            prop_assert_eq!(format!("{}é ", if alone == " " { " " } else { &alone }), beside);
        }
    }
}
