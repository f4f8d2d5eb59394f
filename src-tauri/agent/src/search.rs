//! Which tools a model is shown: all of them; or, where these would take too much of what it can
//! read, those that a person wants it always shown and those that it has looked for, with a tool of
//! ours that finds them.
//!
//! Always true here:
//! - only what may be shown is found, and that it is found allows nothing;
//! - what was found is known from the journal alone, so that the same requests are made again.

use crate::calculate;
use crate::helper::{self, Helpers};
use crate::request::ToolDefinition;
use crate::{
    Call, Conversation, ModelCall, OfferedTool, Outcome, OwnAnswer, Setting, ToolRef, ToolTable,
};
use protocol::ServerId;
use retrieval::{Tools, one_line};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The tool that finds tools.
pub(crate) const SEARCH: &str = "search_tools";

/// More tools than these are looked for.
const MOST_SHOWN: usize = 40;
/// So are tools the definitions of which take more than this part of what a model can read, but never
/// fewer tokens than these: to look for a few small ones would take more than to show them.
const SHARE: u64 = 20;
const LEAST_TOKENS: u64 = 1_000;
/// Those that are always shown, and those that were found, are shown as far as either take no more
/// than this part of what a model can read.
const SHARE_SHOWN: u64 = 4;
/// Most tools of which it is known that they were found. The oldest are forgotten, and can be looked
/// for again.
const MOST_FOUND: usize = 64;
/// Most queries of one search, and so much of each is said again, in characters.
const MOST_QUERIES: usize = 5;
const LONGEST_QUERY: usize = 100;
/// So many servers are named where nothing is found.
const MOST_SERVERS: usize = 50;

/// Whether tools are looked for, and not all shown.
pub(crate) fn is_needed(setting: &Setting) -> bool {
    let most = (setting.context / SHARE).max(LEAST_TOKENS);
    setting.tools.len() > MOST_SHOWN || setting.tools.tokens() > most
}

/// The tools that were found in a conversation, or called, those found first first.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct FoundTools(Vec<ToolRef>);

impl FoundTools {
    /// Takes in what a call tells. What fits best counts as found last.
    pub(crate) fn take_in(&mut self, call: &Call) {
        let found = match &call.outcome {
            Some(Outcome::Own { answer }) => answer.found.as_slice(),
            _ => call.tool.as_slice(),
        };
        for tool in found.iter().rev() {
            if !self.0.contains(tool) {
                self.0.push(tool.clone());
            }
        }
        let too_many = self.0.len().saturating_sub(MOST_FOUND);
        self.0.drain(..too_many);
    }
}

/// What a request shows of the tools.
#[derive(Debug)]
pub(crate) struct ShownTools {
    /// The definitions, in their order.
    pub(crate) definitions: Vec<ToolDefinition>,
    /// Of which tool each is; none of one of ours.
    pub(crate) of: Vec<Option<ToolRef>>,
    /// The tools that can be found and were not.
    pub(crate) left_out: Vec<ToolRef>,
}

impl ShownTools {
    /// What the next request shows.
    pub(crate) fn of(conversation: &Conversation, setting: &Setting) -> Self {
        let tools = &setting.tools;
        let shown =
            |(name, tool): (&str, &OfferedTool)| (tool.shown_as(name), Some(tool.tool_ref()));
        let helpers = Helpers::of(setting, conversation);
        let own = helpers.definitions();
        let own = own.chain(setting.calculates.then(calculate::definition));
        let is_kept_back = |(_, answer): (_, &_)| helper::is_kept_back(answer, setting);
        let has_reader = conversation.results().any(is_kept_back);
        let own = own.chain(has_reader.then(helper::reader_definition));
        let own = own.map(|definition| (definition, None));
        if !is_needed(setting) {
            let (definitions, of) = own.chain(tools.iter().map(shown)).unzip();
            return Self {
                definitions,
                of,
                left_out: Vec::new(),
            };
        }
        let always = tools.iter().filter(|(_, tool)| tool.always_shown);
        let always = with_room(setting, always.map(shown));
        let is_there = |tool: &ToolRef| always.iter().any(|(_, of)| of.as_ref() == Some(tool));
        // Of more than there is room for, those found last are shown.
        let found = conversation.found().0.iter().rev();
        let found = found.filter(|tool| !is_there(tool));
        let found = found.filter_map(|tool| tools.named(tool).map(shown));
        // What stood in a request before stands there in the next one.
        let found = with_room(setting, found).into_iter().rev();
        let own = std::iter::once((definition(tools), None)).chain(own);
        let shown = own.chain(always).chain(found);
        let (definitions, of): (Vec<_>, Vec<Option<ToolRef>>) = shown.unzip();
        let there: HashSet<&ToolRef> = of.iter().flatten().collect();
        let all = tools.iter().map(|(_, tool)| tool.tool_ref());
        let left_out = all.filter(|tool| !there.contains(tool)).collect();
        Self {
            definitions,
            of,
            left_out,
        }
    }
}

/// A definition, and of which tool it is.
type Shown = (ToolDefinition, Option<ToolRef>);

/// Those of these for which there is room, in their order.
fn with_room(setting: &Setting, all: impl Iterator<Item = Shown>) -> Vec<Shown> {
    let mut room = (setting.context / SHARE_SHOWN).max(LEAST_TOKENS);
    let fits = |(definition, _): &Shown| {
        let left = room.checked_sub(definition.tokens());
        room = left.unwrap_or(room);
        left.is_some()
    };
    all.filter(fits).collect()
}

fn definition(tools: &ToolTable) -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "queries": {
                "type": "array",
                "items": {"type": "string"},
                "minItems": 1,
                "maxItems": MOST_QUERIES,
                "description": "What tools are to do, in a few words each, or their names."
            }
        },
        "required": ["queries"]
    });
    ToolDefinition {
        name: SEARCH.to_owned(),
        description: format!(
            "Finds tools. There are {} tools, too many to show all of them; look here before you say \
             that there is none for something. What is found can be called from then on. They are of \
             these servers: {}.",
            tools.len(),
            servers(tools)
        ),
        schema: schema.as_object().cloned().unwrap_or_else(Map::new),
    }
}

/// The servers of which there are tools.
fn servers(tools: &ToolTable) -> String {
    let mut servers: Vec<&ServerId> = tools.iter().map(|(_, tool)| &tool.server).collect();
    servers.sort_unstable();
    servers.dedup();
    let more = servers.len().saturating_sub(MOST_SERVERS);
    let names: Vec<&str> = servers
        .iter()
        .take(MOST_SERVERS)
        .map(|one| one.as_str())
        .collect();
    let names = names.join(", ");
    match more {
        0 => names,
        more => format!("{names}, and {more} more"),
    }
}

/// What the tool that finds tools is called with.
#[derive(Deserialize)]
struct Queries {
    queries: Vec<String>,
}

/// All tools, ready to be searched.
pub(crate) struct Finder<'a> {
    tools: &'a ToolTable,
    all: Vec<(&'a str, &'a OfferedTool)>,
    index: Tools,
}

impl<'a> Finder<'a> {
    pub(crate) fn of(tools: &'a ToolTable) -> Self {
        let all: Vec<_> = tools.iter().collect();
        let index = Tools::of(all.iter().map(|(_, tool)| (&tool.server, &tool.spec)));
        Self { tools, all, index }
    }

    /// Looks for tools. Fails with what is wrong with the call.
    pub(crate) fn search(&self, wanted: &ModelCall) -> Result<OwnAnswer, String> {
        let arguments = Value::Object(wanted.arguments.clone());
        let Queries { queries } =
            serde_json::from_value(arguments).map_err(|why| why.to_string())?;
        if !(1..=MOST_QUERIES).contains(&queries.len()) {
            return Err(format!("there are 1 to {MOST_QUERIES} queries"));
        }
        let (mut text, mut found) = (String::new(), Vec::new());
        for query in queries {
            let line: String = query.chars().take(LONGEST_QUERY).collect();
            // Writing to a String cannot fail.
            _ = writeln!(text, "{line}:");
            let fitting = self.index.find(&query);
            if fitting.is_empty() {
                let servers = servers(self.tools);
                _ = writeln!(
                    text,
                    "- no tool fits. There are tools of these servers: {servers}."
                );
            }
            let fitting = fitting.into_iter().filter_map(|place| self.all.get(place));
            for (name, tool) in fitting {
                let says = one_line(tool.spec.description.as_deref().unwrap_or_default());
                _ = writeln!(text, "- {name} (of {}): {says}", tool.server);
                let tool = tool.tool_ref();
                if !found.contains(&tool) {
                    found.push(tool);
                }
            }
        }
        Ok(OwnAnswer { text, found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::turn::world::{answered, orders, request, said, says, setting, tool, wants};
    use crate::{Effect, Entry, Event, Turn, recover};

    /// Sixty tools of one server, and one of another one.
    fn many() -> Setting {
        let all = (0..60).map(|n| tool("many", &format!("tool_{n}")));
        setting(all.chain([tool("files", "read_text")]))
    }

    fn names(effects: &[Effect]) -> Vec<String> {
        let (_, request) = request(effects).expect("a model is asked");
        request.tools.iter().map(|tool| tool.name.clone()).collect()
    }

    fn entries(effects: &[Effect]) -> Vec<Entry> {
        let written = effects.iter().filter_map(|effect| match effect {
            Effect::Write(entries) => Some(entries.clone()),
            _ => None,
        });
        written.flatten().collect()
    }

    fn looks_for(query: &str) -> Event {
        let queries = json!({"queries": [query]});
        let reply = wants(&[(SEARCH, queries)]);
        Event::Replied { step: 1, reply }
    }

    #[test]
    fn all_are_shown_while_they_are_few_and_small() {
        let few = setting((0..MOST_SHOWN).map(|n| tool("many", &format!("tool_{n}"))));
        assert!(!is_needed(&few));
        assert!(is_needed(&many()));
        let mut large = tool("many", "large");
        large.spec.description = Some("word ".repeat(5_000));
        assert!(is_needed(&setting([large.clone()])));
        let wide = Setting {
            context: 1_000_000,
            ..setting([large])
        };
        assert!(!is_needed(&wide), "it is a small part of what is read");
    }

    #[test]
    fn what_was_found_is_shown_from_the_next_request_on_and_the_journal_tells_it_again() {
        let mut turn = Turn::new(many());
        let mut journal = Vec::new();
        let asked = turn.handle(said("turn-1", "Read it.")).unwrap();
        assert_eq!(names(&asked), [SEARCH]);
        journal.extend(entries(&asked));
        let found = turn.handle(looks_for("read a text")).unwrap();
        let shown = names(&found);
        assert_eq!(shown[0], SEARCH);
        assert_eq!(shown.last().unwrap(), "files__read_text");
        journal.extend(entries(&found));
        let reply = wants(&[("files__read_text", json!({}))]);
        let called = turn.handle(Event::Replied { step: 2, reply }).unwrap();
        let call = orders(&called)[0].id.clone();
        journal.extend(entries(&called));
        let outcome = answered("text");
        let told = turn.handle(Event::CallEnded { call, outcome }).unwrap();
        journal.extend(entries(&told));
        let digest = request(&told).unwrap().1.digest();

        // The last request is the same, made from the journal alone.
        let written = journal.pop();
        let (_, again) = recover(many(), &journal, None, |_| unreachable!()).unwrap();
        assert_eq!(entries(&again), [written.unwrap()]);
        assert_eq!(request(&again).unwrap().1.digest(), digest);
    }

    #[test]
    fn a_tool_that_is_gone_is_shown_no_longer_though_it_was_found() {
        let mut turn = Turn::new(many());
        turn.handle(said("turn-1", "Read it.")).unwrap();
        turn.handle(looks_for("read a text")).unwrap();
        let reply = says("Done.");
        turn.handle(Event::Replied { step: 2, reply }).unwrap();
        let without = setting((0..60).map(|n| tool("many", &format!("tool_{n}"))));
        assert!(turn.set(without));
        let asked = turn.handle(said("turn-2", "Again.")).unwrap();
        assert!(!names(&asked).contains(&"files__read_text".to_owned()));
    }

    #[test]
    fn what_was_found_takes_a_part_of_what_a_model_reads_and_no_more() {
        let large = |n: usize| OfferedTool {
            spec: protocol::ToolSpec {
                description: Some(format!("Reads a text. {}", "word ".repeat(1_000))),
                ..protocol::ToolSpec::named(format!("read_text_{n}").as_str())
            },
            ..tool("files", "x")
        };
        let small = Setting {
            context: 16_000,
            ..setting((0..60).map(large))
        };
        let mut turn = Turn::new(small);
        turn.handle(said("turn-1", "Read it.")).unwrap();
        let found = turn.handle(looks_for("read a text")).unwrap();
        let (_, request) = request(&found).expect("there is room for what was said");
        let tokens: u64 = request
            .tools
            .iter()
            .skip(1)
            .map(ToolDefinition::tokens)
            .sum();
        assert!((1..=4_000).contains(&tokens), "{tokens}");
    }

    #[test]
    fn a_tool_that_a_person_wants_shown_always_is_shown_once_and_before_what_was_found() {
        let all = (0..60).map(|n| tool("many", &format!("tool_{n}")));
        let always = OfferedTool {
            always_shown: true,
            ..tool("files", "read_text")
        };
        let mut turn = Turn::new(setting(all.chain([always])));
        let asked = turn.handle(said("turn-1", "Read it.")).unwrap();
        assert_eq!(names(&asked), [SEARCH, "files__read_text"]);
        let found = names(&turn.handle(looks_for("read a text, tool 7")).unwrap());
        assert_eq!(found[..2], [SEARCH, "files__read_text"]);
        assert!(found.len() > 2, "{found:?}");
        let count = found.iter().filter(|name| *name == "files__read_text");
        assert_eq!(count.count(), 1);
    }

    #[test]
    fn what_is_always_shown_takes_a_part_of_what_a_model_reads_and_leaves_as_much_to_what_is_found()
    {
        let always = (0..60).map(|n| OfferedTool {
            spec: protocol::ToolSpec {
                description: Some("word ".repeat(1_000)),
                ..protocol::ToolSpec::named(format!("word_{n}").as_str())
            },
            always_shown: true,
            ..tool("words", "x")
        });
        let narrow = Setting {
            context: 16_000,
            ..setting(always.chain([tool("files", "read_text")]))
        };
        let mut turn = Turn::new(narrow);
        let asked = turn.handle(said("turn-1", "Read it.")).unwrap();
        let (_, shown) = request(&asked).unwrap();
        let tokens = shown.tools.iter().skip(1).map(ToolDefinition::tokens);
        assert!((1..=4_000).contains(&tokens.sum::<u64>()));
        let found = names(&turn.handle(looks_for("read_text")).unwrap());
        assert_eq!(found.last().unwrap(), "files__read_text");
    }

    #[test]
    fn of_tools_found_long_ago_the_oldest_are_forgotten() {
        let mut found = FoundTools::default();
        for n in 0..100 {
            let tool = tool("many", &format!("tool_{n}")).tool_ref();
            let answer = OwnAnswer {
                text: String::new(),
                found: vec![tool.clone(), tool],
            };
            found.take_in(&Call {
                id: protocol::CallId::from(format!("call-{n}")),
                wanted: ModelCall {
                    provider_id: None,
                    name: SEARCH.to_owned(),
                    arguments: Map::new(),
                    invalid: None,
                    native: None,
                },
                tool: None,
                task: None,
                outcome: Some(Outcome::Own { answer }),
            });
        }
        assert_eq!(found.0.len(), MOST_FOUND);
        assert_eq!(found.0[0].tool.as_str(), "tool_36");
    }
}
