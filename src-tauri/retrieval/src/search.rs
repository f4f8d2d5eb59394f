//! Ranks tools by a query: BM25 over the words of their definitions, an exact name first.
//!
//! Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009.

use crate::document::Document;
use crate::lexicon::others;
use crate::words::{bare, words};
use protocol::{ServerId, ToolSpec};
use std::collections::HashMap;

/// Most tools that are found for a query.
pub const MOST_FOUND: usize = 5;
/// Most of these that are of one server, while tools of others fit, too.
pub const MOST_OF_ONE_SERVER: usize = 3;

/// So much of a query counts, in bytes, and so many of its words.
const QUERY: usize = 2 * 1024;
const WORDS: usize = 64;
/// How soon a word that comes again counts for less, and how much a long definition loses.
const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.4;
/// How much a word counts that stands for the one that was looked for.
const ALIKE: f64 = 0.5;

/// Tools that can be found.
pub struct Tools {
    all: Vec<Document>,
    /// In how many of them each word is.
    holding: HashMap<String, usize>,
    /// How much their words count on average.
    length: f64,
}

impl Tools {
    /// These, each with its server.
    pub fn of<'a>(tools: impl IntoIterator<Item = (&'a ServerId, &'a ToolSpec)>) -> Self {
        let documents = tools.into_iter();
        let all: Vec<_> = documents
            .map(|(server, tool)| Document::of(server, tool))
            .collect();
        let mut holding = HashMap::new();
        for word in all.iter().flat_map(|document| document.words.keys()) {
            *holding.entry(word.clone()).or_default() += 1;
        }
        let whole: f64 = all.iter().map(|document| document.length).sum();
        Self {
            length: (whole / all.len().max(1) as f64).max(1.0),
            holding,
            all,
        }
    }

    /// The places of those that fit a query, best first.
    pub fn find(&self, query: &str) -> Vec<usize> {
        let query = &query[..query.floor_char_boundary(QUERY)];
        let names = named(query);
        let sought = sought(query);
        let fitting = self.all.iter().enumerate().filter_map(|(place, document)| {
            let is_named = names.iter().any(|name| document.names.contains(name));
            let score = self.score(document, &sought);
            (is_named || score > 0.0).then_some((is_named, score, place))
        });
        let mut ranked: Vec<_> = fitting.collect();
        ranked.sort_by(|one, other| {
            let first = other.0.cmp(&one.0).then(other.1.total_cmp(&one.1));
            first.then(one.2.cmp(&other.2))
        });
        self.spread(ranked.into_iter().map(|(_, _, place)| place))
    }

    fn score(&self, document: &Document, sought: &[String]) -> f64 {
        let best = |word: &String| {
            let itself = self.weight(document, word);
            let others = others(word).iter();
            let alike = others.map(|other| ALIKE * self.weight(document, other));
            alike.fold(itself, f64::max)
        };
        sought.iter().map(best).sum()
    }

    /// How much one word speaks for a tool.
    fn weight(&self, document: &Document, word: &str) -> f64 {
        let Some(count) = document.words.get(word) else {
            return 0.0;
        };
        let (all, holding) = (self.all.len() as f64, self.holding[word] as f64);
        let rare = (1.0 + (all - holding + 0.5) / (holding + 0.5)).ln();
        let long = 1.0 - LENGTH + LENGTH * document.length / self.length;
        rare * count * (SATURATION + 1.0) / (count + SATURATION * long)
    }

    /// The first few, of no server too many as long as there are others.
    fn spread(&self, ranked: impl Iterator<Item = usize>) -> Vec<usize> {
        let mut of_server = HashMap::<&str, usize>::new();
        let (mut found, mut left) = (Vec::new(), Vec::new());
        for (rank, place) in ranked.enumerate() {
            let there_are = of_server.entry(&self.all[place].server).or_default();
            *there_are += 1;
            if *there_are > MOST_OF_ONE_SERVER {
                left.push((rank, place));
            } else if found.len() < MOST_FOUND {
                found.push((rank, place));
            }
        }
        let room = MOST_FOUND - found.len();
        found.extend(left.into_iter().take(room));
        found.sort_unstable();
        found.into_iter().map(|(_, place)| place).collect()
    }
}

/// The words that are looked for, each once.
fn sought(query: &str) -> Vec<String> {
    let mut sought = Vec::new();
    for word in words(query) {
        if sought.len() < WORDS && !sought.contains(&word) {
            sought.push(word);
        }
    }
    sought
}

/// The names that a query may hold: itself, and each of its words that is written as only a name is.
fn named(query: &str) -> Vec<String> {
    let is_name = |word: &&str| {
        let inside = word.get(1..).unwrap_or_default();
        inside.contains(['_', '-', '.', '/', ':']) || inside.contains(char::is_uppercase)
    };
    let parts = query.split_whitespace().take(WORDS).filter(is_name);
    let names = std::iter::once(query).chain(parts).map(bare);
    names.filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tool(name: &str, says: &str) -> ToolSpec {
        ToolSpec {
            description: Some(says.to_owned()),
            ..ToolSpec::named(name)
        }
    }

    /// The names that are found.
    fn found(tools: &[(&str, &str, &str)], query: &str) -> Vec<String> {
        let tools: Vec<_> = tools
            .iter()
            .map(|(server, name, says)| (ServerId::parse(server).unwrap(), tool(name, says)))
            .collect();
        let all = Tools::of(tools.iter().map(|(server, tool)| (server, tool)));
        let places = all.find(query).into_iter();
        places
            .map(|place| tools[place].1.name.to_string())
            .collect()
    }

    #[test]
    fn a_tool_that_is_named_comes_first() {
        let tools = [
            ("a", "read_all", "read read read file file"),
            ("b", "readFile", "opens"),
            ("c", "get", "read a file, read a file"),
        ];
        for query in [
            "readFile",
            "read_file",
            "b__readFile",
            "b:readFile",
            "use read_file to read",
        ] {
            assert_eq!(found(&tools, query)[0], "readFile", "{query}");
        }
        assert_eq!(found(&tools, "get")[0], "get");
    }

    #[test]
    fn a_server_that_stuffs_its_definitions_takes_three_places_and_no_more() {
        let stuffed = "send mail ".repeat(400);
        let names = ["s0", "s1", "s2", "s3", "s4", "s5"];
        let mut tools: Vec<_> = names.map(|name| ("stuffed", name, stuffed.as_str())).into();
        assert_eq!(found(&tools, "send mail").len(), MOST_FOUND, "it is alone");
        tools.push(("mail", "send_mail", "Sends a mail"));
        tools.push(("other", "note", "May be sent as mail"));
        let found = found(&tools, "send mail");
        assert_eq!(found[0], "send_mail");
        assert!(found.contains(&"note".to_owned()), "{found:?}");
        assert_eq!(found.len(), MOST_FOUND);
    }

    #[test]
    fn only_the_beginning_of_a_long_definition_counts() {
        let hidden = format!("{}zebra", "word ".repeat(500));
        assert_eq!(found(&[("a", "t", &hidden)], "zebra"), [""; 0]);
    }

    #[test]
    fn words_that_are_in_no_definition_find_nothing() {
        let tools = [("a", "read", "Reads"), ("b", "write", "Writes")];
        for query in ["", "zebra", "of the", "!?", "天气"] {
            assert_eq!(found(&tools, query), [""; 0], "{query}");
        }
    }

    proptest! {
        #[test]
        fn whatever_servers_and_queries_say_no_more_than_five_are_found_and_none_twice(
            says in prop::collection::vec("\\PC{0,80}", 0..12), query in "\\PC{0,80}",
        ) {
            let tools: Vec<_> = says.iter().map(|says| ("a", says.as_str(), says.as_str())).collect();
            let places = {
                let specs: Vec<_> = tools
                    .iter()
                    .map(|(server, name, says)| (ServerId::parse(server).unwrap(), tool(name, says)))
                    .collect();
                Tools::of(specs.iter().map(|(server, tool)| (server, tool))).find(&query)
            };
            let mut once = places.clone();
            once.sort_unstable();
            once.dedup();
            prop_assert!(places.len() <= MOST_FOUND && once.len() == places.len());
        }
    }
}
