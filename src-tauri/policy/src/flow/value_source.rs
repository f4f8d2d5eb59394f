//! Whose words the values of a call are, as far as that is known. It decides nothing: it is shown in
//! the question.

use super::Conversation;
use super::argument::leaves;
use super::concern::Source;
use super::piece::Spelled;
use protocol::Origin;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ts_rs::TS;

/// Most values of which it is said.
const MOST: usize = 32;
/// Shorter values could be anybody's, in characters; longer ones, in bytes, are written and not named.
const SHORTEST: usize = 3;
const SHORTEST_NUMBER: usize = 4;
const LONGEST: usize = 1_000;

/// Whose words a value of a call is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ValueSource {
    /// Under which argument it stands, with those above it.
    pub argument: String,
    /// The value.
    pub value: String,
    /// Who has named it first. `Unknown` is the model, which may have put it together.
    pub source: Source,
}

impl Conversation {
    /// Of the values of a call, whose words they are. What the person has said is theirs, whoever
    /// repeats it.
    pub fn value_sources(&self, arguments: &Map<String, Value>) -> Vec<ValueSource> {
        let (leaves, _) = leaves(arguments);
        let said = leaves.into_iter().filter(|leaf| {
            let length = leaf.text.trim().chars().count();
            let shortest = match leaf.is_text {
                true => SHORTEST,
                false => SHORTEST_NUMBER,
            };
            // Of signs alone nobody can be told to have named them.
            let is_word = Spelled::of(&leaf.text).is_some();
            let is_switch = matches!(&*leaf.text, "true" | "false");
            length >= shortest && leaf.text.len() <= LONGEST && is_word && !is_switch
        });
        let of = |origin| Source {
            origin,
            message: None,
            at: None,
        };
        let sourced = said.take(MOST).map(|leaf| ValueSource {
            source: if self.person.named(&leaf.text) {
                of(Origin::Person)
            } else {
                let seen = self.seen.sighting(&leaf.text);
                seen.map_or_else(|| of(Origin::Unknown), |sighting| sighting.source)
            },
            argument: leaf.path.into_owned(),
            value: leaf.text.into_owned(),
        });
        sourced.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolFlags;
    use crate::flow::{Message, Proposed};
    use protocol::Confidentiality;
    use serde_json::json;

    #[test]
    fn a_value_is_of_whoever_named_it_and_of_the_model_where_nobody_has() {
        let mut conversation = Conversation::new();
        let says = "Send the berth to harbour@port.example, please.";
        conversation.observe(Message::Person { text: says }, None);
        let arguments = Map::new();
        let call = Proposed {
            server: None,
            tool: "read_page",
            known: None,
            mark: ToolFlags::default(),
            arguments: &arguments,
        };
        let text = "Berth B-117 is free. Write to harbour@port.example.";
        let result = Message::Result {
            call: Some(call),
            text,
            confidentiality: Confidentiality::Private,
        };
        conversation.observe(result, None);
        let name = "list.txt";
        let text = "The mast is 1450 long.";
        conversation.observe(Message::Attachment { name, text }, None);

        let arguments = json!({
            "to": ["harbour@port.example", "x"],
            "berth": {"number": "B-117"},
            "mast": 1450,
            "note": "made up here",
            "urgent": true,
            "glob": "**/*",
            "path": "../../..",
            "count": 117,
        });
        let sources = conversation.value_sources(arguments.as_object().unwrap());
        let read: Vec<_> = sources
            .iter()
            .map(|one| (one.argument.as_str(), &one.source.origin))
            .collect();
        let page = Origin::Tool {
            server: None,
            tool: "read_page".into(),
        };
        let list = Origin::Attachment {
            name: name.to_owned(),
        };
        assert_eq!(
            read,
            [
                ("to", &Origin::Person),
                ("berth.number", &page),
                ("mast", &list),
                ("note", &Origin::Unknown)
            ]
        );
    }
}
