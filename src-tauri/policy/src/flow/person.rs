//! What the person said, and what follows from it: values they named, people they spoke of, acts
//! they asked for.

use super::lexicon::{
    Act, DELEGATING, LOOKING, PAGES, ROLES, THINGS, acts_in, acts_of, any_form, are_akin, is_form,
};
use super::piece::Spelled;
use super::text::{head, plain, squeezed, words};
use super::value::{Part, parts, within};
use super::values::value_size;
use std::collections::{BTreeSet, VecDeque};

/// How much of the person's words is kept, in bytes of their form for comparing.
const MAX_KEPT: usize = 1 << 20;
/// How many words of theirs are kept one by one; of more, the last ones.
const MAX_SPOKEN: usize = 2048;
/// Shortest and longest word that tells what is to be done, in bytes.
const SHORTEST_SPOKEN: usize = 3;
const LONGEST_SPOKEN: usize = 32;

/// The person's words so far, with the host's own, which name nobody that the person would not
/// know.
#[derive(Debug, Clone, Default)]
pub(crate) struct Person {
    plain: String,
    squeezed: String,
    hosts: BTreeSet<String>,
    paths: BTreeSet<String>,
    /// Words written like names.
    names: BTreeSet<String>,
    /// Names that the host gave: the person's own.
    own: BTreeSet<String>,
    acts: BTreeSet<Act>,
    /// Words of theirs that tell what is to be done, in order, without those that a look was for.
    spoken: VecDeque<String>,
    /// Some of it is in the language that names of tools are in.
    speaks_as_names_do: bool,
    /// They asked to do what somebody else wants.
    delegates: bool,
    /// They spoke of pages in the web without naming them.
    follows: bool,
}

impl Person {
    /// About how many bytes it takes: the words in two forms, and what was read out of them.
    pub fn size(&self) -> usize {
        2 * (self.plain.len() + self.squeezed.len())
            + self
                .spoken
                .iter()
                .map(|word| value_size(word))
                .sum::<usize>()
    }

    /// Takes the person's words in.
    pub fn says(&mut self, text: &str) {
        let text = self.take(text);
        let plain = plain(text);
        let all: Vec<&str> = words(&plain).collect();
        let said: BTreeSet<&str> = all.iter().copied().collect();
        self.delegates |= said.iter().any(|word| any_form(word, DELEGATING));
        let tells = |at: &usize| {
            let (word, next) = (all[*at], all.get(at + 1).copied());
            (SHORTEST_SPOKEN..=LONGEST_SPOKEN).contains(&word.len())
                && !is_opener(word)
                && !is_told_to_them(word, next)
        };
        let telling = (0..all.len()).filter(tells).map(|at| all[at].to_owned());
        self.spoken.extend(telling);
        let too_many = self.spoken.len().saturating_sub(MAX_SPOKEN);
        self.spoken.drain(..too_many);
        self.speaks_as_names_do |= said
            .iter()
            .any(|word| is_opener(word) || any_form(word, LOOKING));
        self.acts.extend(acts_in(said));
        self.follows |= speaks_of_pages(text);
        self.names.extend(names(text));
    }

    /// Takes the host's words in: they name things, but ask for nothing.
    pub fn is_described(&mut self, text: &str) {
        let text = self.take(text);
        self.own.extend(names(text));
    }

    /// Keeps what they wrote, as far as there is room. What is not kept is not theirs: that can
    /// only make more questions.
    fn take<'a>(&mut self, text: &'a str) -> &'a str {
        let text = head(text, MAX_KEPT.saturating_sub(self.plain.len()));
        let plain = plain(text);
        self.squeezed.push_str(&squeezed(&plain));
        self.squeezed.push(' ');
        self.plain.push_str(&plain);
        for part in text.split_whitespace().flat_map(parts) {
            if let Part::Site { host, .. } = part {
                self.hosts.insert(host);
            }
        }
        for word in text.split_whitespace() {
            let word = word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '~'));
            if (word.contains('/') && !word.contains("://")) || is_file_name(word) {
                self.paths.insert(word.trim_end_matches('/').to_lowercase());
            }
        }
        text
    }

    /// Whether they wrote the value, in whatever spelling.
    pub fn named(&self, value: &str) -> bool {
        // Nothing to be told from anything else was chosen by nobody.
        Spelled::of(value).is_none_or(|value| value.is_in(&self.plain, &self.squeezed))
    }

    /// Whether they named this host, or one that it lies under.
    pub fn named_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|named| within(host, named))
    }

    /// Whether they asked to do what somebody else wants, so that ordinary acts may be anything.
    pub fn delegates(&self) -> bool {
        self.delegates
    }

    /// Whether they asked for pages that they did not name, so that links to such may be followed.
    pub fn follows_links(&self) -> bool {
        self.follows || self.delegates
    }

    /// Whether they named just this file.
    pub fn named_file(&self, path: &str) -> bool {
        let path = path.trim().trim_end_matches('/').to_lowercase();
        let name = path.rsplit('/').next().unwrap_or_default();
        self.paths.contains(&path) || (is_file_name(name) && self.paths.contains(name))
    }

    /// Whether they named this file, or a folder that it lies in.
    pub fn named_path(&self, path: &str) -> bool {
        let path = path.trim().trim_end_matches('/').to_lowercase();
        !path.split('/').any(|step| step == "..")
            && self.paths.iter().any(|named| {
                named.len() > 1
                    && (path == *named
                        || path
                            .strip_prefix(named.as_str())
                            .is_some_and(|rest| rest.starts_with('/')))
            })
    }

    /// The name that they spoke of and that this address or handle carries.
    pub fn spoke_of(&self, address: &str) -> Option<String> {
        carried(&self.names, address).or_else(|| carried(&self.own, address))
    }

    /// Whether this address or handle carries the person's own name.
    pub fn is_own(&self, address: &str) -> bool {
        carried(&self.own, address).is_some()
    }

    /// Whether they said a word, in any of its forms.
    pub fn said(&self, word: &str) -> bool {
        self.spoken.iter().any(|spoken| are_akin(spoken, word))
    }

    /// Notes the words in the name of a tool that only looked: what they said for that asks for
    /// nothing else. Each counts once, since they may have said it of something else again; but all
    /// that they called the same kind of thing, such as "event" and "appointment", was for that.
    pub fn was_understood(&mut self, name: &[String]) {
        for word in name {
            let said = self.spoken.iter().position(|spoken| are_akin(spoken, word));
            said.and_then(|at| self.spoken.remove(at));
        }
        let is_thing = |word: &&str| any_form(word, THINGS);
        let things = acts_in(name.iter().map(String::as_str).filter(is_thing));
        self.spoken.retain(|spoken| {
            let mut acts = acts_of(spoken).peekable();
            let is_named = acts.peek().is_some() && acts.all(|act| things.contains(&act));
            !(is_named && is_thing(&spoken.as_str()))
        });
    }

    /// Whether any of it can be compared with the names of tools: whoever speaks another language
    /// names no tool.
    pub fn speaks_as_names_do(&self) -> bool {
        self.speaks_as_names_do
    }

    /// The acts for which they asked with words that no look was for.
    pub fn acts_left(&self) -> Vec<Act> {
        acts_in(self.spoken.iter().map(String::as_str))
    }

    /// Whether they asked for such an act.
    pub fn asked_for(&self, act: Act) -> bool {
        self.acts.contains(&act)
    }
}

/// The name among `names` that the first part of an address or of a handle is, or begins with.
fn carried(names: &BTreeSet<String>, address: &str) -> Option<String> {
    let first = address.split(['@', '/']).next().unwrap_or(address);
    let local = plain(first);
    let parts: Vec<&str> = words(&local).collect();
    let whole = parts
        .iter()
        .find(|part| names.contains(**part) && part.chars().count() >= 3 && !is_role(part))
        .map(|part| (*part).to_owned());
    whole.or_else(|| {
        // One word for the whole name: `emmajohnson`, with a name of at least four letters in
        // front.
        let [only] = parts.as_slice() else {
            return None;
        };
        names
            .iter()
            .find(|name| {
                name.chars().count() >= 4 && !is_role(name) && only.starts_with(name.as_str())
            })
            .cloned()
    })
}

/// How many words behind that of a page may stand before its address: "the page of Dora
/// (www.dora.example)".
const WORDS_TO_ADDRESS: usize = 5;

/// Whether a text speaks of a page without an address: "the article in the mail", but not "the page
/// www.news.example".
fn speaks_of_pages(text: &str) -> bool {
    let spoken: Vec<&str> = text.split_whitespace().collect();
    let is_page = |word: &str| words(&plain(word)).any(|word| any_form(word, PAGES));
    let is_address = |word: &&str| {
        parts(word)
            .iter()
            .any(|part| matches!(part, Part::Site { .. }))
    };
    (0..spoken.len()).any(|at| {
        let around = spoken
            .get(at.saturating_sub(2)..(at + WORDS_TO_ADDRESS + 1).min(spoken.len()))
            .unwrap_or_default();
        is_page(spoken[at]) && !around.iter().any(is_address)
    })
}

/// Whether a word, with the one behind it, asks that something be told to the person: "give me",
/// "tell us".
fn is_told_to_them(word: &str, next: Option<&str>) -> bool {
    let tells = || {
        let mut acts = acts_of(word).peekable();
        acts.peek().is_some() && acts.all(|act| act == Act::Send)
    };
    matches!(next, Some("me" | "us"))
        && (is_form(word, "give") || any_form(word, LOOKING) || tells())
}

/// `bill.txt`, but neither `1.5` nor `e.g`.
fn is_file_name(word: &str) -> bool {
    let Some((stem, ending)) = word.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty()
        && (2..=5).contains(&ending.len())
        && ending.chars().all(char::is_alphanumeric)
        && ending.chars().any(char::is_alphabetic)
        && !word.contains('@')
}

fn is_role(word: &str) -> bool {
    ROLES.split_ascii_whitespace().any(|role| role == word)
}

/// Words that are written like names: a capital letter first, and no word with which a request
/// begins.
fn names(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_alphabetic())
        .filter(|word| {
            (3..=24).contains(&word.chars().count())
                && word.chars().next().is_some_and(char::is_uppercase)
                && word.chars().nth(1).is_some_and(char::is_lowercase)
        })
        .map(str::to_lowercase)
        .filter(|word| {
            !is_opener(word) && acts_of(word).next().is_none() && !any_form(word, LOOKING)
        })
        .collect()
}

/// Whether requests begin with the word, whatever they are about.
fn is_opener(word: &str) -> bool {
    const OPENERS: &str = "please the this that you your can could would what when where which who how why and but for from hello dear also \
        then after before all any our their his her they she don use try finally first next make let with follow given \
        specific instructions complete finish it its are was there now january february march april may june july august \
        september october november december monday tuesday wednesday thursday friday saturday sunday today tomorrow";
    OPENERS
        .split_ascii_whitespace()
        .any(|opener| opener == word)
}
