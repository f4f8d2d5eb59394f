//! A conversation as it is written out for a file: what was said in it, answered, called and
//! attached, all of it.
//!
//! Always true here: what is written is read by every later version; nothing in it is of use to one
//! service or one run of the application alone, as ids, signatures and what a request held.

use crate::{Attachment, Broke, Call, Item, Outcome, ReplyPart, Said};
use protocol::{CallId, Content, Label, ServerId, Timestamp, ToolName, ToolResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// One thing of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TranscriptItem {
    /// What the person said.
    Said {
        /// Their words.
        text: String,
        /// What they attached.
        attached: Vec<TranscriptAttachment>,
        /// Whether a turn begins with it.
        begins_turn: bool,
    },
    /// What another model gave it to do.
    Task {
        /// The task.
        text: String,
        /// What it was to read for it.
        attached: Vec<TranscriptAttachment>,
        /// Of what the words of the task may be made.
        label: Label,
    },
    /// The person has let a turn go on.
    LetGoOn,
    /// What a model answered.
    Reply {
        /// The model, as its service calls it.
        model: String,
        /// What it answered, in its order.
        parts: Vec<TranscriptPart>,
        /// Why it did not come to its end, if it did not.
        broke: Option<TranscriptBreak>,
        /// Tokens that it has read, where its service says so.
        read: Option<u64>,
        /// Tokens that it has written, where its service says so.
        written: Option<u64>,
        /// About how many tokens it was sent.
        sent: u64,
        /// Whether its service has taken in less than that.
        was_truncated: bool,
    },
}

/// What was attached, whole.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TranscriptAttachment {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub content: Vec<Content>,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
}

/// One part of a reply. What the model thought is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TranscriptPart {
    /// Words for the person.
    Text {
        /// The words.
        text: String,
    },
    /// A picture that the model made.
    Image {
        /// Base64.
        data: String,
        /// Its media type, as the service says.
        mime_type: String,
    },
    /// A call that the model wants.
    Call {
        /// Its number where it was made.
        call: CallId,
        /// The tool as the model names it.
        name: String,
        /// Which server, if there was such a tool.
        server: Option<ServerId>,
        /// Which of its tools.
        tool: Option<ToolName>,
        /// With what.
        arguments: Map<String, Value>,
        /// How it has ended, if it had.
        outcome: Option<TranscriptOutcome>,
    },
}

/// How a call has ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TranscriptOutcome {
    /// It was carried out, and answered.
    Answered {
        /// What came back.
        result: Box<ToolResult>,
        /// From whom it is, how far it may be believed, and who may read it.
        label: Label,
        /// When it came.
        at: Timestamp,
    },
    /// A person has said no.
    Denied {
        /// Why, in their words.
        reason: Option<String>,
    },
    /// It was not carried out for another reason.
    NotRun {
        /// What the model was told of it.
        told: String,
    },
    /// Nobody knows whether it was carried out.
    Unknown {
        /// What the model was told of it.
        told: String,
    },
    /// It gave a task away, which had ended.
    Helped {
        /// What the model was told of it.
        told: String,
        /// Whether there was no answer.
        is_error: bool,
        /// From whom all was that was read for it.
        label: Label,
        /// When it ended.
        at: Timestamp,
    },
    /// It was of a tool of the application itself.
    Own {
        /// What the model was told of it.
        told: String,
    },
}

/// Why a reply did not come to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum TranscriptBreak {
    /// The person has stopped it.
    Stopped,
    /// The application ended.
    ApplicationEnded,
    /// The service failed, or the connection to it.
    Failed {
        /// What happened, in one sentence.
        message: String,
    },
}

impl TranscriptItem {
    /// One thing of a conversation, written out. `begins_turn` says whether a turn begins with it.
    pub fn of(item: &Item, begins_turn: bool) -> Self {
        match item {
            Item::Said(said) => {
                let attached = Said::attachments(said).map(TranscriptAttachment::of);
                let attached = attached.collect();
                match Said::task(said) {
                    Some((text, label)) => Self::Task {
                        text: text.to_owned(),
                        attached,
                        label: label.clone(),
                    },
                    None => Self::Said {
                        text: Said::words(said),
                        attached,
                        begins_turn,
                    },
                }
            }
            Item::LetGoOn => Self::LetGoOn,
            Item::Imported(imported) => imported.item.clone(),
            Item::Reply {
                model,
                sent,
                reply,
                calls,
                broke,
                ..
            } => Self::Reply {
                model: model.name.clone(),
                parts: parts(&reply.parts, calls),
                broke: broke.as_ref().map(TranscriptBreak::of),
                read: reply.usage.input,
                written: reply.usage.output,
                sent: *sent,
                was_truncated: item.was_truncated(),
            },
        }
    }
}

impl TranscriptAttachment {
    fn of(attachment: &Attachment) -> Self {
        Self {
            name: attachment.name.clone(),
            content: attachment.content.clone(),
            label: attachment.label.clone(),
        }
    }
}

impl TranscriptBreak {
    fn of(broke: &Broke) -> Self {
        match broke {
            Broke::Stopped => Self::Stopped,
            Broke::ApplicationEnded => Self::ApplicationEnded,
            Broke::Failed { failure } => Self::Failed {
                message: failure.to_string(),
            },
        }
    }
}

impl TranscriptOutcome {
    fn of(outcome: &Outcome) -> Self {
        let told = outcome.words().unwrap_or_default();
        match outcome {
            Outcome::Answered { answer } => Self::Answered {
                result: Box::new(answer.result.clone()),
                label: answer.label.clone(),
                at: answer.at,
            },
            Outcome::Denied { reason } => Self::Denied {
                reason: reason.clone(),
            },
            Outcome::Refused { .. } | Outcome::NotRun { .. } => Self::NotRun { told },
            Outcome::Unknown { .. } => Self::Unknown { told },
            Outcome::Own { .. } => Self::Own { told },
            Outcome::Helped { report } => Self::Helped {
                told: report.told(),
                is_error: outcome.is_error(),
                label: report.label.clone(),
                at: report.at,
            },
        }
    }
}

fn parts(parts: &[ReplyPart], calls: &[Call]) -> Vec<TranscriptPart> {
    let mut calls = calls.iter();
    let written = parts.iter().filter_map(|part| match part {
        ReplyPart::Text { text, .. } => Some(TranscriptPart::Text { text: text.clone() }),
        ReplyPart::Image {
            data, mime_type, ..
        } => Some(TranscriptPart::Image {
            data: data.clone(),
            mime_type: mime_type.clone(),
        }),
        ReplyPart::Call(wanted) => calls.next().map(|call| TranscriptPart::Call {
            call: call.id.clone(),
            name: wanted.name.clone(),
            server: call.tool.as_ref().map(|tool| tool.server.clone()),
            tool: call.tool.as_ref().map(|tool| tool.tool.clone()),
            arguments: wanted.arguments.clone(),
            outcome: call.outcome.as_ref().map(TranscriptOutcome::of),
        }),
        ReplyPart::Reasoning { .. } | ReplyPart::Opaque { .. } => None,
    });
    written.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_transcript_is_read_as_it_was_first_written() {
        let label = json!({"origins": [{"kind": "unknown"}], "trust": "untrusted", "confidentiality": "private"});
        let result = json!({"content": [{"kind": "text", "text": "x"}], "structured": null, "is_error": false, "notes": []});
        let call = |outcome: Value| {
            json!({"kind": "call", "call": "call-1", "name": "a__b", "server": "a", "tool": "b",
                "arguments": {"x": 1}, "outcome": outcome})
        };
        let written = [
            json!({"kind": "said", "text": "hi", "begins_turn": true, "attached": [
                {"name": "a.txt", "content": [{"kind": "text", "text": "x"}], "label": label}]}),
            json!({"kind": "task", "text": "do it", "attached": [], "label": label}),
            json!({"kind": "let_go_on"}),
            json!({"kind": "reply", "model": "m", "read": 1, "written": null, "sent": 2, "was_truncated": false,
            "broke": null, "parts": [
                {"kind": "text", "text": "yes"},
                {"kind": "image", "data": "AA==", "mime_type": "image/png"},
                call(Value::Null),
                call(json!({"kind": "answered", "result": result, "label": label, "at": 1})),
                call(json!({"kind": "denied", "reason": null})),
                call(json!({"kind": "not_run", "told": "no"})),
                call(json!({"kind": "unknown", "told": "who knows"})),
                call(json!({"kind": "own", "told": "found"})),
                call(json!({"kind": "helped", "told": "7", "is_error": false, "label": label, "at": 1})),
            ]}),
            json!({"kind": "reply", "model": "m", "read": null, "written": null, "sent": 0, "was_truncated": true,
                "broke": {"kind": "failed", "message": "gone"}, "parts": []}),
        ];
        for item in written {
            let read: TranscriptItem = serde_json::from_value(item.clone()).unwrap();
            assert_eq!(serde_json::to_value(&read).unwrap(), item);
        }
    }
}
