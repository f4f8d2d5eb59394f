//! Where a credential may stand: the word of its rule, and beside it as many characters of the kind
//! that credentials are made of as the shortest one has.
//!
//! Always true here: what is said not to be one would not be found by the rule's expression.

use super::rules::{RULES, Rule};
use super::{BEFORE, BEHIND};
use crate::grams::rarest;

/// So many bytes of a credential stand together at least.
const TOGETHER: usize = 16;
/// How many bytes the name and the password in an address have at most.
const IN_ADDRESS: usize = 4 * (64 + 1 + 128) + 1;

/// The rule that a gram leads to, and where the gram begins, counted from its word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Led {
    rule: usize,
    from_word: isize,
}

impl Led {
    /// The rule, and where a credential or the word that leads to it stands, if it may there.
    pub fn place(self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let start = at.checked_add_signed(-self.from_word)?;
        may_stand(text, start, &RULES[self.rule]).then_some((self.rule, start))
    }
}

/// The grams one of which stands in each credential.
pub(crate) fn grams() -> impl Iterator<Item = ([u8; 3], Led)> {
    RULES.iter().enumerate().flat_map(|(rule, of)| {
        let grams = grams_of(of.word).into_iter();
        grams.map(move |(from_word, gram)| (gram, Led { rule, from_word }))
    })
}

/// What stands directly behind the words of two letters.
const BEHIND_SHORT: [(&str, &str); 6] = [
    ("NR", "AIJ"),
    ("hv", "bs"),
    ("sq", "apu"),
    ("EZ", "AT"),
    ("pn", "bu"),
    ("SK", "0123456789abcdef"),
];

/// The grams one of which stands in each credential of the rule with this word, and where they
/// begin, counted from the word.
fn grams_of(word: &str) -> Vec<(isize, [u8; 3])> {
    // Of these two, the expression knows other digits than the word.
    if word == "/1" {
        let digits = |before: u8| (b'0'..=b'9').map(move |digit| (-1, [before, b'/', digit]));
        return (b'0'..=b'2').flat_map(digits).collect();
    }
    if word == "8Q~" {
        return (b'0'..=b'9')
            .map(|digit| (0, [digit, b'Q', b'~']))
            .collect();
    }
    if let Some((at, gram)) = rarest(word.as_bytes()) {
        return vec![(at.cast_signed(), gram)];
    }
    let short = BEHIND_SHORT.iter().find(|(short, _)| *short == word);
    let behind = short.into_iter().flat_map(|(_, behind)| behind.bytes());
    let [first, second] = [word.as_bytes()[0], word.as_bytes()[1]];
    behind.map(|behind| (0, [first, second, behind])).collect()
}

/// Whether a credential of this rule may have its word there, or near.
fn may_stand(text: &[u8], start: usize, rule: &Rule) -> bool {
    let (before, from) = text.split_at(start);
    match rule.word {
        "/1" => {
            return from.len() > TOGETHER
                && from[1..].iter().take(TOGETHER).all(u8::is_ascii_digit);
        }
        "8Q~" => return from.len() > 2 && from[1..].starts_with(b"Q~") && is_together(&from[3..]),
        _ => {}
    }
    let Some(behind) = from.strip_prefix(rule.word.as_bytes()) else {
        return false;
    };
    if rule.leads() {
        return !before.last().is_some_and(super::in_word) && is_together(from);
    }
    match rule.word {
        "PRIVATE KEY-----"
        | "aws_secret"
        | "SecretAccessKey"
        | "hooks.slack.com"
        | "/api/webhooks/"
        | "access_token$production$"
        | "_authToken" => true,
        // Their expressions read capitals and small letters alike: with one such word the credential
        // of another may be found.
        "discord" | "okta" | "Bearer " | "Basic " => {
            let around =
                start.saturating_sub(BEFORE)..(start + rule.word.len() + BEHIND).min(text.len());
            text[around]
                .split(|byte| !is_sign(byte))
                .any(|signs| signs.len() >= TOGETHER)
        }
        "://" => is_address(&behind[..behind.len().min(IN_ADDRESS)]),
        "-us" => before
            .last_chunk::<TOGETHER>()
            .is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
        _ => is_together(behind),
    }
}

/// Whether these bytes begin with as many as a credential has together.
fn is_together(bytes: &[u8]) -> bool {
    let begin = bytes.first_chunk::<TOGETHER>();
    begin.is_some_and(|begin| begin.iter().all(is_sign))
}

/// What credentials are made of.
fn is_sign(byte: &u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.~+/=:".contains(byte)
}

/// Whether a name and a password follow, and not a path.
fn is_address(behind: &[u8]) -> bool {
    let ends = |byte: &u8| byte.is_ascii_whitespace() || b"/\"'<>{}$[]".contains(byte);
    let Some(colon) = behind
        .iter()
        .position(|byte| *byte == b':' || *byte == b'@' || ends(byte))
    else {
        return false;
    };
    let password = &behind[colon..];
    password[0] == b':'
        && password
            .iter()
            .position(|byte| *byte == b'@' || ends(byte))
            .is_some_and(|end| password[end] == b'@')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spots::Spots;
    use proptest::strategy::Strategy as _;
    use proptest::strategy::ValueTree as _;
    use proptest::string::string_regex;
    use proptest::test_runner::TestRunner;

    #[test]
    fn whatever_a_rule_can_find_is_plausible() {
        let mut runner = TestRunner::deterministic();
        for (index, rule) in RULES.iter().enumerate() {
            let strategy = string_regex(&rule.written().replace(r"\b", "")).unwrap();
            for case in 0..200 {
                let credential = strategy.new_tree(&mut runner).unwrap().current();
                let text = format!("{} {credential} and more", "é x".repeat(case % 3));
                if !rule.regex().unwrap().is_match(&credential) || !text.contains(rule.word) {
                    continue;
                }
                let found = Spots::of(&text).credentials;
                let is_found = found.iter().any(|(rule, _)| *rule == index);
                assert!(is_found, "{} {}: {text}", rule.name, rule.word);
            }
        }
    }

    #[test]
    fn no_two_rules_have_the_same_word_and_each_word_has_a_gram() {
        for (index, rule) in RULES.iter().enumerate() {
            assert!(RULES[..index].iter().all(|other| other.word != rule.word));
            assert!(!grams_of(rule.word).is_empty(), "{}", rule.word);
        }
    }

    /// Or one that is not plausible would hide the next, and nothing here sees it.
    #[test]
    fn a_word_that_leads_does_not_begin_inside_of_itself_but_in_a_word() {
        for rule in RULES.iter().filter(|rule| rule.leads()) {
            let word = rule.word;
            for at in (1..word.len()).filter(|at| word.starts_with(&word[*at..])) {
                assert!(super::super::in_word(&word.as_bytes()[at - 1]), "{word}");
            }
        }
    }
}
