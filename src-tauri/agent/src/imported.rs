//! What stands in a conversation because it was read from a file.
//!
//! Always true here: whoever wrote the file has said all of it; nothing in it is the word of the
//! person, of a model or of a tool, whatever it says of itself.

use crate::depth::is_too_deep;
use crate::{TranscriptAttachment, TranscriptItem, TranscriptOutcome, TranscriptPart};
use protocol::{Boundary, Content, Label, Timestamp, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Write as _;

/// One thing of a conversation, out of a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Imported {
    /// What the file is called.
    pub file: String,
    /// The thing, cleaned, bounded and covered as the result of a tool.
    pub item: TranscriptItem,
    /// How far it may be believed, and who may read it.
    pub label: Label,
    /// When it was read.
    pub at: Timestamp,
    /// Between which marks a model gets it; drawn after it was read, so that nothing in it can know
    /// them.
    pub boundary: Boundary,
}

impl Imported {
    /// Whether it can be written so that it can be read again: it is not nested too deeply.
    pub fn can_be_kept(&self) -> bool {
        let written = serde_json::to_value(&self.item);
        written.is_ok_and(|item| !is_too_deep(&item))
    }

    /// The words in it by which it is found.
    pub fn words(&self) -> String {
        match &self.item {
            TranscriptItem::Said { text, .. } | TranscriptItem::Task { text, .. } => text.clone(),
            TranscriptItem::LetGoOn => String::new(),
            TranscriptItem::Reply { parts, .. } => {
                let words = parts.iter().filter_map(|part| match part {
                    TranscriptPart::Text { text } => Some(text.as_str()),
                    _ => None,
                });
                words.collect::<Vec<_>>().join("\n")
            }
        }
    }

    /// All of its texts: also those that stand beside what a model gets.
    pub fn whole_text(&self) -> String {
        let mut text = self.as_result().as_text().into_owned();
        let mut add = |result: &ToolResult| {
            text.push('\n');
            text.push_str(&result.as_whole_text());
        };
        match &self.item {
            TranscriptItem::Said { attached, .. } | TranscriptItem::Task { attached, .. } => {
                attached.iter().for_each(|one| {
                    add(&ToolResult {
                        content: one.content.clone(),
                        ..ToolResult::default()
                    });
                })
            }
            TranscriptItem::LetGoOn => {}
            TranscriptItem::Reply { parts, .. } => parts.iter().for_each(|part| {
                if let TranscriptPart::Call {
                    outcome: Some(TranscriptOutcome::Answered { result, .. }),
                    ..
                } = part
                {
                    add(result);
                }
            }),
        }
        text
    }

    /// What a model gets of it: who is said to have said what, and what is said to have come of it.
    pub(crate) fn as_result(&self) -> ToolResult {
        let mut parts = Parts::default();
        match &self.item {
            TranscriptItem::Said { text, attached, .. } => {
                parts.line("Out of an imported conversation. The person there:");
                parts.line(text);
                attached.iter().for_each(|one| parts.attached(one));
            }
            TranscriptItem::Task { text, attached, .. } => {
                parts.line("Out of an imported conversation. The task there:");
                parts.line(text);
                attached.iter().for_each(|one| parts.attached(one));
            }
            TranscriptItem::LetGoOn => {
                parts.line("Out of an imported conversation. The person there let it go on.");
            }
            TranscriptItem::Reply {
                model,
                parts: replied,
                broke,
                ..
            } => {
                parts.line(&format!(
                    "Out of an imported conversation. The model {model}:"
                ));
                replied.iter().for_each(|part| parts.replied(part));
                if broke.is_some() {
                    parts.line("(This answer was broken off.)");
                }
            }
        }
        ToolResult {
            content: parts.finish(),
            ..ToolResult::default()
        }
    }
}

/// Texts, and pictures between them.
#[derive(Default)]
struct Parts {
    done: Vec<Content>,
    text: String,
}

impl Parts {
    fn line(&mut self, words: &str) {
        // Writing to a String cannot fail.
        _ = writeln!(self.text, "{words}");
    }

    fn attached(&mut self, attached: &TranscriptAttachment) {
        self.line(&format!("Attached, called {}:", attached.name));
        for part in &attached.content {
            match part {
                Content::Image { .. } => {
                    let text = std::mem::take(&mut self.text);
                    self.done.push(Content::text(text));
                    self.done.push(part.clone());
                }
                Content::Text { text, .. } => self.line(text),
                _ => {}
            }
        }
    }

    fn replied(&mut self, part: &TranscriptPart) {
        match part {
            TranscriptPart::Text { text } => self.line(text),
            TranscriptPart::Image { mime_type, .. } => {
                self.line(&format!(
                    "(A picture, {mime_type}, that only the person can see.)"
                ));
            }
            TranscriptPart::Call {
                name,
                arguments,
                outcome,
                ..
            } => {
                let arguments = Value::Object(arguments.clone());
                self.line(&format!("It called {name} with {arguments}."));
                match outcome {
                    None => self.line("What came of it is not known."),
                    Some(TranscriptOutcome::Answered { result, .. }) => {
                        self.line(match result.is_error {
                            true => "It failed, and answered:",
                            false => "It answered:",
                        });
                        self.line(&result.as_text());
                    }
                    Some(TranscriptOutcome::Denied { reason }) => {
                        self.line("The person there did not allow it.");
                        if let Some(reason) = reason {
                            self.line(&format!("Reason: {reason}"));
                        }
                    }
                    Some(
                        TranscriptOutcome::NotRun { told }
                        | TranscriptOutcome::Unknown { told }
                        | TranscriptOutcome::Helped { told, .. }
                        | TranscriptOutcome::Own { told },
                    ) => self.line(told),
                }
            }
        }
    }

    fn finish(mut self) -> Vec<Content> {
        if !self.text.is_empty() {
            self.done.push(Content::text(self.text));
        }
        self.done
    }
}
