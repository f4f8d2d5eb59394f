//! A tool as it is compared with what is looked for: which words its definition has, and how much
//! each counts.

use crate::words::{bare, words};
use protocol::{ServerId, ToolSpec};
use serde_json::Value;
use std::collections::HashMap;

/// So much of a definition counts, in bytes: who says more is found no better.
const COUNTS: usize = 2 * 1024;
/// How much a word counts by where it stands.
const IN_NAME: f64 = 3.0;
const IN_TITLE: f64 = 2.0;
const OF_SERVER: f64 = 2.0;
const IN_DESCRIPTION: f64 = 1.0;
const IN_ARGUMENTS: f64 = 0.5;

/// A tool as it is compared.
pub(crate) struct Document {
    /// How much each of its words counts.
    pub words: HashMap<String, f64>,
    /// How much all of them count.
    pub length: f64,
    /// Its server, as names are compared.
    pub server: String,
    /// Its name, and the same behind that of its server, as names are compared.
    pub names: [String; 2],
}

impl Document {
    pub(crate) fn of(server: &ServerId, tool: &ToolSpec) -> Self {
        let (name, own) = (tool.name.as_str(), bare(tool.name.as_str()));
        let joint = format!("{}{own}", bare(server.as_str()));
        let mut document = Self {
            words: HashMap::new(),
            length: 0.0,
            server: server.key(),
            names: [own, joint],
        };
        let mut room = COUNTS;
        document.add(server.as_str(), OF_SERVER, &mut room);
        document.add(name, IN_NAME, &mut room);
        document.add(
            tool.title.as_deref().unwrap_or_default(),
            IN_TITLE,
            &mut room,
        );
        let says = tool.description.as_deref().unwrap_or_default();
        document.add(says, IN_DESCRIPTION, &mut room);
        let arguments = tool
            .input_schema
            .get("properties")
            .and_then(Value::as_object);
        for (name, schema) in arguments.into_iter().flatten() {
            document.add(name, IN_ARGUMENTS, &mut room);
            let says = schema.get("description").and_then(Value::as_str);
            document.add(says.unwrap_or_default(), IN_ARGUMENTS, &mut room);
        }
        document
    }

    /// Takes in as much of a text as there is room for.
    fn add(&mut self, text: &str, weight: f64, room: &mut usize) {
        let text = &text[..text.floor_char_boundary(*room)];
        *room -= text.len();
        for word in words(text) {
            *self.words.entry(word).or_default() += weight;
            self.length += weight;
        }
    }
}
