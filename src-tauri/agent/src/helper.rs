//! Who a model may give a task to: helpers, which a person has made, and the reader, which looks at
//! what the model itself is better not shown.
//!
//! Always true here:
//! - a task is done in a conversation of its own, from the purse of the turn that gives it;
//! - whoever does one has no helpers itself;
//! - what comes back has the label of all that was read for it.

mod reader;
mod report;
#[cfg(test)]
mod tests;

pub(crate) use reader::{READER, definition as reader_definition, is_kept_back, withheld};
pub use report::{HelperEnd, HelperReport, Progress, progress};

use crate::request::ToolDefinition;
use crate::{Attachment, Conversation, ModelCall, Purse, Setting};
use protocol::{AnswerType, AssistantId, CallId, Content, Label};
use reader::Reader;
use serde::{Deserialize, Serialize};
use serde_json::{Map, json};
use std::collections::HashSet;

/// The longest task, in characters.
const LONGEST_TASK: usize = 20_000;
/// Of the name of a helper, so many letters stand in the name of its tool.
const LONGEST_NAME: usize = 40;

/// A helper as a model may be shown it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Helper {
    /// Which assistant it is.
    pub assistant: AssistantId,
    /// What it is called.
    pub name: String,
    /// What it is for.
    pub description: String,
    /// What it answers.
    pub answer: AnswerType,
}

/// A task that a model gives away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Who is to do it.
    pub worker: Worker,
    /// What is to be done, in the words of the model.
    pub text: String,
    /// What is to be answered.
    pub answer: AnswerType,
}

/// Who does a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Worker {
    /// A helper.
    Helper {
        /// Which assistant it is.
        assistant: AssistantId,
        /// What it is called.
        name: String,
    },
    /// The reader.
    Reader {
        /// The results of these calls are read.
        of: Vec<CallId>,
    },
}

impl Worker {
    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Self::Helper { name, .. } => name,
            Self::Reader { .. } => "reader",
        }
    }
}

/// A task to be begun now.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskOrder {
    /// Our number of the call that gives it.
    pub id: CallId,
    /// The task.
    pub task: Task,
    /// What is read for it.
    pub materials: Vec<Attachment>,
    /// All that the words of the task may be made of.
    pub label: Label,
    /// What it may take.
    pub purse: Purse,
}

impl TaskOrder {
    /// What whoever does it is told first.
    pub fn said(&self) -> Vec<crate::Said> {
        let text = match &self.task.answer {
            AnswerType::Text => self.task.text.clone(),
            kind => format!("{}\n\nYour answer is {kind}.", self.task.text),
        };
        let label = self.label.clone();
        let words = crate::Said::Task { text, label };
        let materials = self.materials.iter().cloned();
        let materials = materials.map(|attachment| crate::Said::Attached {
            attachment: Box::new(attachment),
        });
        std::iter::once(words).chain(materials).collect()
    }
}

impl Conversation {
    /// What is read for a task.
    pub(crate) fn materials(&self, task: &Task) -> Vec<Attachment> {
        let Worker::Reader { of } = &task.worker else {
            return Vec::new();
        };
        let results = self.results().zip(1..);
        let read = results.filter(|((call, _), _)| of.contains(&call.id));
        let read = read.map(|((call, answer), number)| {
            let tool = call.tool.as_ref();
            let tool = tool.map(|tool| format!(" of {} of {}", tool.tool.as_str(), tool.server));
            let structured = answer.result.structured.as_ref();
            let structured = structured.map(|value| Content::text(format!("{value:#}")));
            let content = answer.result.content.iter().cloned().chain(structured);
            Attachment {
                name: format!("result {number}{}", tool.unwrap_or_default()),
                content: content.collect(),
                label: answer.label.clone(),
                at: answer.at,
                boundary: answer.boundary.clone(),
            }
        });
        read.collect()
    }
}

impl Purse {
    /// What of it a task may take: what is left, but for the request with which its answer is used.
    /// `None` if that is not enough for one request.
    pub(crate) fn for_task(self) -> Option<Self> {
        let requests = self.requests.saturating_sub(1);
        (requests > 0 && self.tokens > 0).then_some(Self { requests, ..self })
    }
}

/// The tools with which a model gives tasks away, by their names.
pub(crate) struct Helpers<'a> {
    named: Vec<(String, &'a Helper)>,
    reader: Option<Reader<'a>>,
}

impl<'a> Helpers<'a> {
    pub(crate) fn of(setting: &'a Setting, conversation: &'a Conversation) -> Self {
        let mut taken = HashSet::new();
        let named = setting.helpers.iter().map(|helper| {
            let name = tool_name(&helper.name, |name| taken.insert(name.to_owned()));
            (name, helper)
        });
        Self {
            named: named.collect(),
            reader: setting.has_reader.then(|| Reader::of(conversation)),
        }
    }

    /// Their definitions.
    pub(crate) fn definitions(&self) -> impl Iterator<Item = ToolDefinition> {
        let defined = |(name, helper): &(String, &Helper)| definition(name, helper);
        self.named.iter().map(defined)
    }

    /// The task that a call gives, if it gives one. Fails with what is wrong with it.
    pub(crate) fn task(&self, wanted: &ModelCall) -> Option<Result<Task, String>> {
        if let Some(reader) = self.reader.as_ref().filter(|_| wanted.name == READER) {
            return Some(reader.task(wanted));
        }
        let (_, helper) = self.named.iter().find(|(name, _)| *name == wanted.name)?;
        Some(task_of(helper, wanted))
    }
}

fn task_of(helper: &Helper, wanted: &ModelCall) -> Result<Task, String> {
    let text = wanted.arguments.get("task").and_then(|task| task.as_str());
    let text = text.map(str::trim).unwrap_or_default();
    if text.is_empty() || text.chars().count() > LONGEST_TASK {
        return Err(format!(
            "`task` is a text of 1 to {LONGEST_TASK} characters"
        ));
    }
    Ok(Task {
        worker: Worker::Helper {
            assistant: helper.assistant.clone(),
            name: helper.name.clone(),
        },
        text: text.to_owned(),
        answer: helper.answer.clone(),
    })
}

/// The name of a helper's tool: no name of a server's tool is like it, and no other helper's, as
/// `is_free` says.
fn tool_name(name: &str, mut is_free: impl FnMut(&str) -> bool) -> String {
    let mut plain = String::from("ask");
    for c in name.chars() {
        match c {
            c if c.is_ascii_alphanumeric() => {
                // Two of them would stand between a server and its tool.
                if !plain.contains('_') {
                    plain.push('_');
                }
                plain.push(c.to_ascii_lowercase());
            }
            _ if plain.contains('_') && !plain.ends_with('_') => plain.push('_'),
            _ => {}
        }
        if plain.len() >= LONGEST_NAME {
            break;
        }
    }
    let plain = match plain.trim_end_matches('_') {
        "ask" => "ask_helper",
        plain => plain,
    };
    let numbered = (2..).map(|number| format!("{plain}_{number}"));
    let mut names = std::iter::once(plain.to_owned()).chain(numbered);
    names.find(|name| is_free(name)).unwrap_or_default()
}

fn definition(name: &str, helper: &Helper) -> ToolDefinition {
    let schema = json!({
        "type": "object",
        "properties": {
            "task": {
                "type": "string",
                "maxLength": LONGEST_TASK,
                "description": "What it is to do, with everything that it has to know: it has heard \
                    nothing of this conversation."
            }
        },
        "required": ["task"]
    });
    let mut description = format!("Gives a task to the helper {}.", helper.name);
    if !helper.description.is_empty() {
        description = format!("{description} {}", helper.description);
    }
    if helper.answer != AnswerType::Text {
        description = format!("{description} Its answer is {}.", helper.answer);
    }
    ToolDefinition {
        name: name.to_owned(),
        description,
        schema: schema.as_object().cloned().unwrap_or_else(Map::new),
    }
}
