//! What a tool does, told by general evidence: the words of its name, its description and its
//! arguments.
//!
//! Always true here: what is not clearly a look or a preparation changes the world, and a server's
//! own hints only raise.

use super::lexicon::{
    Act, LOOKING, PREPARING, PUBLIC, READABLE, THINGS, WEB, acts_in, acts_of, any_form, is_form,
};
use super::text::{head, name_words, plain, words};
use crate::ToolFlags;
use protocol::ToolSpec;

/// How much of a description is read, in bytes and in words.
const MAX_DESCRIPTION: usize = 400;
const DESCRIBING_WORDS: usize = 8;
/// Words of a name that is about versions of files.
const VERSIONED: &[&str] = &["git", "branch", "commit", "repo", "repository", "ref"];

/// How far a tool reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Reach {
    /// It looks at something. It may still carry something out in an address.
    Looks,
    /// It stays here, or proves who somebody is.
    Prepares,
    /// It changes something that matters.
    Changes,
}

/// What is known about a tool when it is called.
#[derive(Debug, Clone)]
pub(crate) struct Sink {
    /// How far it reaches.
    pub reach: Reach,
    /// What it does, gravest first.
    pub acts: Vec<Act>,
    /// Whether it looks for something in the web.
    pub searches_web: bool,
}

impl Sink {
    /// Classifies the tool `name`, with its definition if it is known.
    pub fn of(name: &str, spec: Option<&ToolSpec>) -> Self {
        let names = name_words(name);
        let mut acts = acts_in(names.iter().map(String::as_str));
        if names.iter().any(|word| VERSIONED.contains(&word.as_str())) {
            // To check out a branch is no purchase.
            acts.retain(|act| *act != Act::Pay);
        }
        let described = Described::of(spec);
        let mut reach = match (verb(&names), &described) {
            (Some(_), _) if signs_in(&names) => Reach::Prepares,
            _ if opens_to_read(&names) => Reach::Looks,
            (Some(verb), _) => reach_of(verb),
            // The name holds no verb that we know: the beginning of the description may.
            (None, Some(described)) => {
                acts.extend(described.acts.iter().copied());
                described.reach
            }
            (None, None) => Reach::Changes,
        };
        let is_described = |so: fn(&Described) -> bool| described.as_ref().is_some_and(so);
        // A description that begins with an act outweighs a name that speaks of looking.
        if reach == Reach::Looks && is_described(|it| it.begins_with_act) {
            reach = Reach::Changes;
        }
        // Before the hints of the server: they only raise.
        let searches_web =
            reach == Reach::Looks && (is_of_web(&names) || is_described(|it| it.is_of_web));
        let hint = |key: &str| {
            spec.and_then(|spec| spec.annotations.as_ref())
                .and_then(|map| map.get(key))
                .and_then(serde_json::Value::as_bool)
        };
        if hint("destructiveHint") == Some(true) || hint("readOnlyHint") == Some(false) {
            reach = Reach::Changes;
        }
        if hint("destructiveHint") == Some(true) && acts.is_empty() {
            acts.push(Act::Remove);
        }
        acts.sort_by_key(|act| !act.grave());
        acts.dedup();
        Self {
            reach,
            acts,
            searches_web,
        }
    }

    /// The same, with what the person says about it. That only raises.
    pub fn marked(mut self, mark: ToolFlags) -> Self {
        if mark.consequential {
            self.reach = Reach::Changes;
        }
        self
    }

    /// Whether any of it cannot be taken back.
    pub fn grave(&self) -> Option<Act> {
        self.acts.iter().copied().find(|act| act.grave())
    }

    /// Whether it does `act`.
    pub fn does(&self, act: Act) -> bool {
        self.acts.contains(&act)
    }
}

/// What the beginning of a description says.
struct Described {
    reach: Reach,
    acts: Vec<Act>,
    begins_with_act: bool,
    is_of_web: bool,
}

impl Described {
    fn of(spec: Option<&ToolSpec>) -> Option<Self> {
        let plain = plain(head(spec?.description.as_deref()?, MAX_DESCRIPTION));
        let first: Vec<String> = words(&plain)
            .take(DESCRIBING_WORDS)
            .map(str::to_owned)
            .collect();
        // "Returns the weather" gives it, it does not give it back.
        let looks = |word: &String| {
            any_form(word, LOOKING) || is_form(word, "return") || is_form(word, "provid")
        };
        let at = first.iter().position(|word| looks(word) || is_verb(word))?;
        let (verb, looks) = (&first[at], looks(&first[at]));
        let acts = if looks {
            Vec::new()
        } else {
            acts_in([verb.as_str()])
        };
        // To download something may well be all that a look is.
        let begins_with_act = at == 0 && !looks && acts.iter().any(|act| *act != Act::Bring);
        Some(Self {
            reach: if looks { Reach::Looks } else { reach_of(verb) },
            acts,
            begins_with_act,
            is_of_web: is_of_web(&first),
        })
    }
}

/// The word of a name that says what is done: a clear verb, else a word that may be one.
fn verb(names: &[String]) -> Option<&String> {
    let clear =
        |word: &&String| any_form(word, LOOKING) || (is_verb(word) && !any_form(word, THINGS));
    names
        .iter()
        .find(clear)
        .or_else(|| names.iter().find(|word| is_verb(word)))
}

fn signs_in(names: &[String]) -> bool {
    names.windows(2).any(|pair| {
        matches!(pair[0].as_str(), "sign" | "log")
            && matches!(pair[1].as_str(), "in" | "on" | "into" | "out")
    })
}

/// Whether words name the web.
fn is_of_web(words: &[String]) -> bool {
    words.iter().any(|word| any_form(word, WEB))
}

/// Whether a tool of these words gives what anybody may read: pages, and nothing that somebody has.
pub(crate) fn is_public(words: &[String]) -> bool {
    let says = |list: &str| words.iter().any(|word| any_form(word, list));
    says(PUBLIC) && !says(THINGS) || matches!(words, [word] if word == "fetch")
}

/// To open a page is to read it; to open an issue or an account is not.
fn opens_to_read(names: &[String]) -> bool {
    names
        .windows(2)
        .any(|pair| is_form(&pair[0], "open") && any_form(&pair[1], READABLE))
}

fn is_verb(word: &str) -> bool {
    any_form(word, LOOKING) || any_form(word, PREPARING) || acts_of(word).next().is_some()
}

fn reach_of(verb: &str) -> Reach {
    if any_form(verb, LOOKING) {
        Reach::Looks
    } else if any_form(verb, PREPARING) {
        Reach::Prepares
    } else {
        Reach::Changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn reach(name: &str, description: &str, annotations: Value) -> Reach {
        let spec = ToolSpec {
            description: Some(description.to_owned()),
            annotations: annotations.as_object().cloned(),
            ..ToolSpec::named(name)
        };
        Sink::of(name, Some(&spec)).reach
    }

    #[test]
    fn what_a_tool_does_follows_from_its_words_in_whatever_order_and_case() {
        for name in [
            "get_events",
            "calendarGetEvents",
            "issue_read",
            "SEARCH-mail",
            "listOrders",
            "weather_lookup",
            "open_webpage",
        ] {
            assert_eq!(Sink::of(name, None).reach, Reach::Looks, "{name}");
        }
        for name in [
            "send_mail",
            "mailSend",
            "issue_write",
            "star_repo",
            "frobnicate",
            "",
            "deleteAll",
            "open_issue",
            "open",
            "调用",
            "set_status",
            "ManageTrafficLightState",
        ] {
            assert_eq!(Sink::of(name, None).reach, Reach::Changes, "{name}");
        }
        for name in ["git_clone", "signIn", "login_account"] {
            assert_eq!(Sink::of(name, None).reach, Reach::Prepares, "{name}");
        }
    }

    #[test]
    fn a_description_decides_where_the_name_says_nothing_and_raises_where_it_says_little() {
        assert_eq!(
            reach("weather", "Returns the weather of a place.", json!({})),
            Reach::Looks
        );
        assert_eq!(
            reach("weather", "Deletes the weather of a place.", json!({})),
            Reach::Changes
        );
        assert_eq!(
            reach("get_weather", "Sends the weather to somebody.", json!({})),
            Reach::Changes
        );
        assert_eq!(
            reach("send_weather", "Returns the weather of a place.", json!({})),
            Reach::Changes
        );
    }

    #[test]
    fn hints_of_the_server_raise_and_never_lower() {
        assert_eq!(
            reach(
                "send_mail",
                "Sends",
                json!({"readOnlyHint": true, "destructiveHint": false})
            ),
            Reach::Changes
        );
        assert_eq!(
            reach("get_mail", "Gets", json!({"readOnlyHint": false})),
            Reach::Changes
        );
        assert_eq!(
            reach("get_mail", "Gets", json!({"readOnlyHint": "false"})),
            Reach::Looks
        );
        assert_eq!(Sink::of("frobnicate", None).grave(), None);
    }

    #[test]
    fn a_branch_is_not_bought() {
        assert_eq!(Sink::of("git_checkout", None).grave(), None);
        assert_eq!(Sink::of("checkout_cart", None).grave(), Some(Act::Pay));
    }
}
