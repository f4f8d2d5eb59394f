//! Whether a text speaks of a secret, and whether it wants it given.
//!
//! Always true here: what is only counted, named or described with such a word, or not to be given, is
//! not spoken of; and only words of the same sentence say so.

use super::SecretKind;
use super::lexicon::{
    CHINESE, CHINESE_ABOUT, CHINESE_BEFORE, CHINESE_GIVE, COMMON, FOLLOWED_BY, GIVE, LED_BY,
    LED_BY_TOKEN, NAMES, NEVER, SOLID, SOLID_ABOUT, TAKE, THINGS, WHOLE,
};
use super::phrase::{Phrase, Place, phrase_at};
use super::words::{Gap, One, Word, solid, words_of};
use std::sync::LazyLock;

/// How many words before a phrase what is to be done with it stands.
const NEAR: usize = 6;

/// What a text says of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Wish {
    pub kind: SecretKind,
    /// Whether it wants the secret itself, or speaks of it beside what it wants.
    pub is_demand: bool,
}

/// The secret that a text speaks of; one that it demands before any other.
pub(super) fn wish(said: &str) -> Option<Wish> {
    let found = worded(said, One::L).or_else(|| {
        // Between letters a one may be either.
        said.contains('1').then(|| worded(said, One::I)).flatten()
    });
    match (found, unspaced(said)) {
        (Some(found), Some(other)) if !found.is_demand && other.is_demand => Some(other),
        (found, other) => found.or(other),
    }
}

fn worded(said: &str, one: One) -> Option<Wish> {
    let words = words_of(said, one);
    // A whole text that is one of these stands for the thing itself, also letter by letter.
    let whole: String = words.iter().map(|word| word.text.as_str()).collect();
    let is_word = words.len() == 1 || words.iter().all(|word| word.text.chars().nth(1).is_none());
    if is_word && let Some((_, kind)) = WHOLE.iter().find(|(word, _)| *word == whole) {
        return Some(Wish {
            kind: *kind,
            is_demand: true,
        });
    }
    let mut first = None;
    for at in 0..words.len() {
        let Some((phrase, place)) = phrase_at(&words, at, one) else {
            continue;
        };
        if is_about(&words, at, phrase, place) || is_refused(&words, at) {
            continue;
        }
        let wish = Wish {
            kind: phrase.kind,
            is_demand: is_demand(&words, at, phrase, place),
        };
        if wish.is_demand {
            return Some(wish);
        }
        first.get_or_insert(wish);
    }
    first
}

/// The words of the same clause before a place, the nearest first, as far as any of them matters.
fn before(words: &[Word], at: usize, up_to: Gap) -> impl Iterator<Item = &str> {
    let far = at.saturating_sub(2 * NEAR);
    let parted = words[far..=at]
        .iter()
        .rposition(|word| word.gap > up_to)
        .map_or(far, |parted| far + parted);
    words[parted..at]
        .iter()
        .rev()
        .map(|word| word.text.as_str())
}

/// The words of the same clause from a place on.
fn after(words: &[Word], from: usize, up_to: Gap) -> Vec<&str> {
    words[from..]
        .iter()
        .take(NEAR)
        .take_while(|word| word.gap <= up_to)
        .map(|word| word.text.as_str())
        .collect()
}

/// Whether a phrase names a property of such things, or something else.
fn is_about(words: &[Word], at: usize, phrase: &Phrase, place: Place) -> bool {
    let is_followed = match after(words, place.end, Gap::Space).as_slice() {
        [only] if matches!(*only, "type" | "format" | "name" | "id") => true,
        [first, ..] => FOLLOWED_BY.contains(first),
        [] => false,
    };
    let mut led = before(words, at, Gap::Space);
    let led: [Option<&str>; 3] = [led.next(), led.next(), led.next()];
    let is_named = |noun: Option<&str>| {
        noun.is_some_and(|noun| {
            NAMES.contains(&noun)
                // A number of several is a count; the number of one is the thing itself.
                || place.is_plural && matches!(noun, "number" | "count" | "amount")
        })
    };
    let is_led = match led {
        [Some("of"), noun, _] => is_named(noun),
        [Some("a" | "an" | "the" | "your" | "each"), Some("of"), noun] => is_named(noun),
        [Some(word), _, _] => {
            LED_BY.contains(&word) || phrase.is_token() && LED_BY_TOKEN.contains(&word)
        }
        _ => false,
    };
    is_followed || is_led
}

/// Whether people are told not to give it: "never" stands at the verb, or at the thing itself.
fn is_refused(words: &[Word], at: usize) -> bool {
    let clause: Vec<&str> = before(words, at, Gap::Space).take(NEAR + 2).collect();
    let is_never = |words: &[&str]| words.iter().take(2).any(|word| NEVER.contains(word));
    match clause
        .iter()
        .take(NEAR)
        .position(|word| GIVE.contains(word))
    {
        Some(verb) => is_never(&clause[verb + 1..]),
        None => is_never(&clause),
    }
}

/// Whether the thing itself is wanted. In languages of which only the names of secrets are known here,
/// that cannot be told from speaking of it.
fn is_demand(words: &[Word], at: usize, phrase: &Phrase, place: Place) -> bool {
    if !phrase.is_english {
        return true;
    }
    let sentence: Vec<&str> = before(words, at, Gap::Mark).collect();
    // "the path to your key": the path is wanted.
    let of_it = sentence
        .iter()
        .skip_while(|word| ARTICLES.contains(word))
        .take(2)
        .collect::<Vec<_>>();
    if let [of, thing] = of_it.as_slice()
        && matches!(
            **of,
            "of" | "to" | "for" | "in" | "on" | "from" | "with" | "by"
        )
        && THINGS.contains(thing)
    {
        return false;
    }
    let near = sentence
        .iter()
        .take(NEAR)
        .find(|word| GIVE.contains(word) || TAKE.contains(word));
    if near.is_some_and(|word| GIVE.contains(word)) {
        return true;
    }
    let after = after(words, place.end, Gap::Mark);
    // Many languages have taken such a word over; their sentences are not understood here.
    let mut around = sentence.iter().chain(&after);
    if near.is_none() && !around.any(|word| COMMON.contains(word)) {
        return true;
    }
    let is_alone = after.is_empty() && sentence.len() < 4 && near.is_none();
    let is_asked_behind = after
        .iter()
        .take(4)
        .any(|word| matches!(*word, "please" | "below" | "here" | "needed" | "required"))
        || after
            .windows(2)
            .take(4)
            .any(|two| GIVE.contains(&two[0]) && matches!(two[1], "it" | "this" | "that" | "them"));
    is_alone || is_asked_behind
}

const ARTICLES: &[&str] = &[
    "a", "an", "the", "your", "my", "our", "its", "this", "that", "each", "new", "old", "current",
];

/// The phrases as they are compared.
static UNSPACED: LazyLock<Vec<(String, SecretKind)>> = LazyLock::new(|| {
    let of = |(kind, phrases): &(SecretKind, &'static str)| -> Vec<_> {
        phrases.split('|').map(|one| (solid(one), *kind)).collect()
    };
    SOLID.iter().flat_map(of).collect()
});

static UNSPACED_ABOUT: LazyLock<Vec<String>> =
    LazyLock::new(|| SOLID_ABOUT.iter().map(|one| solid(one)).collect());

/// What is said in scripts that put no space between words, or put much before and behind one.
fn unspaced(said: &str) -> Option<Wish> {
    let said = solid(said);
    let chinese = CHINESE.iter().find(|(phrase, _)| {
        said.match_indices(phrase).any(|(at, _)| {
            let (before, after) = (&said[..at], &said[at + phrase.len()..]);
            !CHINESE_ABOUT.iter().any(|about| after.starts_with(about))
                && !CHINESE_BEFORE.iter().any(|about| before.ends_with(about))
        })
    });
    if let Some((_, kind)) = chinese {
        let is_short = said.chars().nth(8).is_none();
        return Some(Wish {
            kind: *kind,
            is_demand: is_short || CHINESE_GIVE.iter().any(|give| said.contains(give)),
        });
    }
    UNSPACED.iter().find_map(|(phrase, kind)| {
        let mut places = said.match_indices(phrase.as_str());
        let is_wanted = places.any(|(at, _)| {
            let after = &said[at + phrase.len()..];
            !UNSPACED_ABOUT.iter().any(|about| after.starts_with(about))
        });
        is_wanted.then_some(Wish {
            kind: *kind,
            is_demand: true,
        })
    })
}
