//! What a value addresses, by its form: mail addresses, hosts, accounts, paths.

use super::text::{head, plain, squeezed, unescape};
use std::borrow::Cow;

/// Longest argument text whose parts are taken out, in bytes.
const MAX_VALUE: usize = 64 * 1024;
/// Most parts of one value.
const MAX_PARTS: usize = 64;
/// Fewest digits of an account, and shortest wallet, in letters and digits.
const FEWEST_DIGITS: usize = 6;
const SHORTEST_WALLET: usize = 26;
/// Shortest code, in letters and digits, and fewest digits of one.
const SHORTEST_CODE: usize = 5;
const FEWEST_DIGITS_OF_CODE: usize = 4;

/// A part of a value that addresses something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A mail address.
    Mail(String),
    /// An address in the web, as written.
    Site {
        /// The address as written.
        url: String,
        /// Its host, lower case, without `www.`.
        host: String,
    },
    /// A name, a handle, a channel: whatever has no form of its own.
    Name(String),
    /// An account: IBAN or the like, a telephone number, a wallet.
    Account(String),
}

/// The addresses within a text. A text with more than a screenful of them is cut; the caller treats
/// the whole value as well.
pub(crate) fn parts(value: &str) -> Vec<Part> {
    if addresses_nothing(value) {
        return Vec::new();
    }
    words(head(value, MAX_VALUE))
        .filter_map(part)
        .take(MAX_PARTS)
        .collect()
}

/// What within a text stands for one thing and no other: mail addresses, accounts, codes. All of it,
/// however long the text is.
pub(crate) fn identifiers(value: &str) -> impl Iterator<Item = &str> {
    words(value).filter(|word| is_mail(word) || is_account(word) || is_code(word))
}

/// The words of a text, without what stands around them.
fn words(value: &str) -> impl Iterator<Item = &str> {
    value
        .split(|c: char| {
            c.is_whitespace()
                || matches!(
                    c,
                    '<' | '>'
                        | '"'
                        | '\''
                        | '('
                        | ')'
                        | '['
                        | ']'
                        | '{'
                        | '}'
                        | ','
                        | ';'
                        | '|'
                        | '`'
                )
        })
        .map(|word| word.trim_matches(|c: char| matches!(c, '.' | ':' | '!' | '?' | '*')))
}

/// The addresses in the web within an argument that is for one: also such as would not be told from
/// other words elsewhere.
pub(crate) fn sites(value: &str) -> Vec<(String, String)> {
    let found: Vec<_> = parts(value)
        .into_iter()
        .filter_map(|part| match part {
            Part::Site { url, host } => Some((url, host)),
            _ => None,
        })
        .collect();
    let whole = value.trim();
    if !found.is_empty()
        || whole.contains(char::is_whitespace)
        || whole.len() > MAX_VALUE
        || is_mail(whole)
    {
        return found;
    }
    host_of(&format!("https://{}", bare(whole)))
        .filter(|host| host.contains('.'))
        .map(|host| (whole.to_owned(), host))
        .into_iter()
        .collect()
}

/// What one word addresses.
pub(crate) fn part(word: &str) -> Option<Part> {
    if let Some(host) = host_of(word) {
        return Some(Part::Site {
            url: word.to_owned(),
            host,
        });
    }
    let mail = word.strip_prefix("mailto:").unwrap_or(word);
    if is_mail(mail) {
        return Some(Part::Mail(mail.to_owned()));
    }
    is_account(word).then(|| Part::Account(word.to_owned()))
}

/// Whom a text names, one by one: the addresses in it, and what stands between commas without one.
pub(crate) fn addressees(text: &str) -> Vec<Part> {
    let text = head(text, MAX_VALUE);
    // What is escaped in an address in the web is part of it; elsewhere it is another spelling.
    let text = if text.contains("://") {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(unescape(text))
    };
    let pieces = text
        .split([',', ';', '\n'])
        .map(str::trim)
        .filter(|piece| !piece.is_empty());
    pieces
        .flat_map(|piece| {
            let found = parts(piece);
            if found.is_empty() {
                vec![Part::Name(piece.to_owned())]
            } else {
                found
            }
        })
        .take(MAX_PARTS)
        .collect()
}

/// Whether a text is one mail address.
pub(crate) fn is_mail(text: &str) -> bool {
    let Some((local, domain)) = text.split_once('@') else {
        return false;
    };
    !local.is_empty()
        && !local.contains('/')
        && domain.contains('.')
        && !domain.contains('@')
        && !domain.contains('/')
        && !domain.starts_with('.')
        && !domain.ends_with('.')
}

/// The host of an address in the web, without `www.`; nothing if the text is none.
pub(crate) fn host_of(text: &str) -> Option<String> {
    let (explicit, rest) = match text.split_once("://") {
        Some((scheme, rest))
            if !scheme.is_empty()
                && scheme.len() < 12
                && scheme
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || c == '+') =>
        {
            (true, rest)
        }
        Some(_) => return None,
        None => (false, text),
    };
    let end = rest.find(['/', '?', '#', '\\']).unwrap_or(rest.len());
    let authority = &rest[..end];
    // Everything before the last `@` is a user name, whatever it looks like.
    let (user, host) = authority
        .rsplit_once('@')
        .map_or((None, authority), |(user, host)| (Some(user), host));
    let host = host.split(':').next().unwrap_or(host).trim_end_matches('.');
    // Most words are none: without a scheme, a host has a dot in it.
    if !explicit && !host.contains('.') {
        return None;
    }
    let host = host.to_lowercase();
    let bare = host.strip_prefix("www.").map(str::to_owned);
    let known = explicit || bare.is_some();
    if !known && (user.is_some() || !looks_like_host(&host, end < rest.len())) {
        return None;
    }
    let host = bare.unwrap_or(host);
    (!host.is_empty()
        && host
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_')))
    .then_some(host)
}

/// An address without what people leave out when they write it: the scheme, `www.`, the slash
/// behind it.
pub(crate) fn bare(address: &str) -> &str {
    const SCHEMES: [&str; 5] = ["https://", "http://", "mailto:", "tel:", "www."];
    let mut rest = address;
    // Of a scheme and `www.`, at most one each.
    for scheme in SCHEMES {
        if rest
            .get(..scheme.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        {
            rest = &rest[scheme.len()..];
        }
    }
    let rest = rest.trim_end_matches('/');
    if rest.is_empty() { address } else { rest }
}

/// `example.com` and `example.com/x`, but neither `report.pdf` nor `1.5`.
fn looks_like_host(host: &str, has_path: bool) -> bool {
    const TOP: &[&str] = &[
        "com", "org", "net", "edu", "gov", "io", "dev", "app", "ai", "co", "info", "biz", "me",
        "xyz", "site", "online", "cloud", "de", "uk", "fr", "cn", "eu", "us", "ru", "ch", "nl",
        "in", "jp",
    ];
    let labels: Vec<&str> = host.split('.').collect();
    let Some(top) = labels.last() else {
        return false;
    };
    labels.len() >= 2
        && labels.iter().all(|label| !label.is_empty())
        && (TOP.contains(top)
            || (has_path
                && labels.len() >= 3
                && top.len() >= 2
                && top.chars().all(|c| c.is_ascii_alphabetic())))
}

/// IBANs, card, account and telephone numbers, wallets: long, with at least six digits, hardly
/// anything else.
pub(crate) fn is_account(text: &str) -> bool {
    if is_too_plain_for_account(text) {
        return false;
    }
    let squeezed = squeezed(&plain(text));
    let digits = squeezed.chars().filter(char::is_ascii_digit).count();
    let dated = text.len() >= 8 && text.matches(['-', '/', ':']).count() >= 2;
    (8..=64).contains(&squeezed.len())
        && digits >= FEWEST_DIGITS
        && digits * 2 >= squeezed.len()
        && !dated
        && !text.contains('.')
        && squeezed.is_ascii()
        || (squeezed.len() >= SHORTEST_WALLET
            && squeezed.starts_with("0x")
            && squeezed[2..].chars().all(|c| c.is_ascii_hexdigit()))
}

/// Whether a word is a number of something, such as `77-413-XB`: at least half of it digits, and
/// neither a date nor a year with something beside it.
fn is_code(word: &str) -> bool {
    let letters = word.bytes().filter(u8::is_ascii_alphanumeric).count();
    let digits = word.bytes().filter(u8::is_ascii_digit).count();
    let is_year = |run: &str| run.len() == 4 && (run.starts_with("19") || run.starts_with("20"));
    let mut runs = word
        .split(|c: char| !c.is_ascii_digit())
        .filter(|run| !run.is_empty());
    letters >= SHORTEST_CODE
        && digits >= FEWEST_DIGITS_OF_CODE
        && digits * 2 >= letters
        && !word.contains('.')
        && !is_dated(word)
        && !(runs.next().is_some_and(is_year) && runs.next().is_none())
}

/// Whether a word is a date, with or without a time: short numbers only, in three parts or more.
fn is_dated(word: &str) -> bool {
    let parts = || word.split(['-', '/', ':', 'T', 'Z']);
    let is_short = |part: &str| part.len() <= 4 && part.bytes().all(|byte| byte.is_ascii_digit());
    parts().count() >= 3 && parts().all(is_short)
}

/// Whether a text says without a closer look that it is no account: too few digits, and too short
/// for a wallet. Of what may stand for other letters, nothing is said.
fn is_too_plain_for_account(text: &str) -> bool {
    let stands_for_itself = |byte: &u8| byte.is_ascii() && !matches!(byte, b'\\' | b'%' | b'&');
    text.len() < SHORTEST_WALLET
        && text.bytes().filter(u8::is_ascii_digit).count() < FEWEST_DIGITS
        && text.as_bytes().iter().all(stands_for_itself)
}

/// Whether a text says without a closer look that no part of it addresses anything: most words have
/// neither a sign of an address within them nor the digits or the length of an account.
fn addresses_nothing(text: &str) -> bool {
    let bytes = text.as_bytes();
    let (mut word, mut digits) = (0, 0);
    for (at, byte) in bytes.iter().enumerate() {
        word += 1;
        match byte {
            b' ' | b'\n' => (word, digits) = (0, 0),
            b'0'..=b'9' => digits += 1,
            // At the end of a word it ends a sentence.
            b'.' | b':' if matches!(bytes.get(at + 1), None | Some(b' ' | b'\n')) => {}
            b'.' | b':' | b'@' | b'\\' | b'%' | b'&' | 0x80.. => return false,
            _ => {}
        }
        if digits >= FEWEST_DIGITS || word >= SHORTEST_WALLET {
            return false;
        }
    }
    true
}

/// Whether a host is `named` or lies under it.
pub(crate) fn within(host: &str, named: &str) -> bool {
    host == named
        || (named.contains('.')
            && host
                .strip_suffix(named)
                .is_some_and(|rest| rest.ends_with('.')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4000))]

        /// Against the same question without the short way out.
        #[test]
        fn what_is_too_plain_for_an_account_is_none(text in "[0-9a-fxA-F%&\\\\ .:/-]{0,30}|\\PC{0,12}") {
            if is_too_plain_for_account(&text) {
                let squeezed = squeezed(&plain(&text));
                let digits = squeezed.chars().filter(char::is_ascii_digit).count();
                prop_assert!(digits < FEWEST_DIGITS && squeezed.len() < SHORTEST_WALLET);
            }
        }

        /// Against the same question without the short way out.
        #[test]
        fn what_addresses_nothing_has_no_parts(text in "[0-9ax%&\\\\ .:/@!\n'-]{0,40}|(0x)?[0-9a-f]{0,60}\\.?|\\PC{0,12}") {
            if addresses_nothing(&text) {
                prop_assert_eq!(words(&text).find_map(part), None);
            }
        }
    }

    #[test]
    fn words_of_a_sentence_address_nothing_and_every_kind_of_address_something() {
        assert!(addresses_nothing(
            "The 12345. harbour, \"lamp\": quiet (paper)\nriver."
        ));
        for part in [
            "a@b.example",
            "http://localhost/",
            "shop.example/x.y",
            "example.com.",
            "DE02120300000000202051",
            "0123456",
            "0xabcdefabcdefabcdefabcdef",
            "\\u0031\\u0032\\u0033\\u0034\\u0035\\u0036\\u0037",
        ] {
            assert!(!addresses_nothing(&format!("to {part} now")), "{part}");
        }
    }
}
