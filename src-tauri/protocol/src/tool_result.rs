//! What came back from a server, and what a server may ask a person. A stranger's text, all of it.

use crate::{CodexApproval, Weigh, weight_of, weight_of_map};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::borrow::Cow;
use ts_rs::TS;

/// A tool's result (MCP `CallToolResult`), validated, bounded and masked.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
pub struct ToolResult {
    /// The parts, in the server's order.
    pub content: Vec<Content>,
    /// Structured content, if there is any.
    #[ts(type = "unknown")]
    pub structured: Option<Value>,
    /// The tool says that it failed. (A protocol failure is an error of the call, not an answer.)
    pub is_error: bool,
    /// What this host did to the answer or found in it.
    pub notes: Vec<ResultNote>,
    /// Every other field, as it came: `_meta`, and what a later revision may add. For programs that
    /// pass the result on; no page and no model is shown it.
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    #[ts(skip)]
    pub extra: Map<String, Value>,
}

/// One part of a result. `extra` is every other field of it, as it came (`_meta`, `annotations`):
/// for programs that pass the part on; no page and no model is shown it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Content {
    /// Text, to be shown as text.
    Text {
        /// The text.
        text: String,
        /// Every other field.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        extra: Map<String, Value>,
    },
    /// A picture.
    Image {
        /// Base64.
        data: String,
        /// Media type as the server says.
        mime_type: String,
        /// Every other field.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        extra: Map<String, Value>,
    },
    /// A sound.
    Audio {
        /// Base64.
        data: String,
        /// Media type as the server says.
        mime_type: String,
        /// Every other field.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        extra: Map<String, Value>,
    },
    /// A link to a resource; nothing is fetched by showing it.
    ResourceLink {
        /// Where.
        uri: String,
        /// The server's name for it.
        name: String,
        /// A name for people.
        title: Option<String>,
        /// What it is.
        description: Option<String>,
        /// Media type as the server says.
        mime_type: Option<String>,
        /// Every other field.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        extra: Map<String, Value>,
    },
    /// A resource that came along: exactly one of `text` and `blob` is there.
    Resource {
        /// Where it is from.
        uri: String,
        /// Media type as the server says.
        mime_type: Option<String>,
        /// Its text.
        text: Option<String>,
        /// Its bytes, Base64.
        blob: Option<String>,
        /// Every other field of the part that holds it.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        extra: Map<String, Value>,
        /// Every other field of the resource itself.
        #[serde(default, skip_serializing_if = "Map::is_empty")]
        #[ts(skip)]
        resource_extra: Map<String, Value>,
    },
    /// A kind that this version does not know, kept as it came.
    Unknown {
        /// The part as JSON.
        #[ts(type = "unknown")]
        value: Value,
    },
}

impl ToolResult {
    /// All that can be read in it, as one text: parts in order, structured content as JSON. Of data
    /// it says that they were there.
    pub fn as_text(&self) -> Cow<'_, str> {
        let structured = self.structured.as_ref().map(|value| format!("{value:#}"));
        if let ([Content::Text { text, .. }], None) = (self.content.as_slice(), &structured) {
            return Cow::Borrowed(text);
        }
        let parts = self.content.iter().map(Content::as_text);
        let parts: Vec<_> = parts.chain(structured.map(Cow::Owned)).collect();
        Cow::Owned(parts.join("\n\n"))
    }

    /// The same with every other field, which is handed to programs beside it.
    pub fn as_whole_text(&self) -> Cow<'_, str> {
        let parts = self.content.iter().flat_map(Content::extras);
        let extras = parts.chain([&self.extra]).filter(|map| !map.is_empty());
        let extras: Vec<_> = extras.flat_map(readable).collect();
        if extras.is_empty() {
            return self.as_text();
        }
        Cow::Owned(format!("{}\n\n{}", self.as_text(), extras.join("\n")))
    }
}

/// The fields of a map, one a line.
fn readable(map: &Map<String, Value>) -> impl Iterator<Item = String> {
    map.iter().map(|(name, value)| format!("{name}: {value:#}"))
}

impl Weigh for ToolResult {
    fn weigh(&self) -> usize {
        let Self {
            content,
            structured,
            is_error: _,
            notes,
            extra,
        } = self;
        size_of::<Self>()
            + content.iter().map(Weigh::weigh).sum::<usize>()
            + structured.as_ref().map_or(0, weight_of)
            + notes.iter().map(note_bytes).sum::<usize>()
            + weight_of_map(extra)
    }
}

fn note_bytes(note: &ResultNote) -> usize {
    let inside = match note {
        ResultNote::StructuredInvalid { problem } => problem.len(),
        _ => 0,
    };
    size_of::<ResultNote>() + inside
}

impl Weigh for Content {
    fn weigh(&self) -> usize {
        let length = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let inside = match self {
            Self::Text { text, .. } => text.len(),
            Self::Image {
                data, mime_type, ..
            }
            | Self::Audio {
                data, mime_type, ..
            } => data.len() + mime_type.len(),
            Self::ResourceLink {
                uri,
                name,
                title,
                description,
                mime_type,
                ..
            } => {
                uri.len()
                    + name.len()
                    + [title, description, mime_type]
                        .map(length)
                        .iter()
                        .sum::<usize>()
            }
            Self::Resource {
                uri,
                mime_type,
                text,
                blob,
                ..
            } => uri.len() + [mime_type, text, blob].map(length).iter().sum::<usize>(),
            Self::Unknown { value } => weight_of(value),
        };
        size_of::<Self>() + inside + self.extras().map(weight_of_map).sum::<usize>()
    }
}

impl Content {
    /// A text, and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text {
            text: text.into(),
            extra: Map::new(),
        }
    }

    /// Its fields that have no word here.
    pub fn extras(&self) -> impl Iterator<Item = &Map<String, Value>> {
        let [part, resource] = match self {
            Self::Text { extra, .. }
            | Self::Image { extra, .. }
            | Self::Audio { extra, .. }
            | Self::ResourceLink { extra, .. } => [Some(extra), None],
            Self::Resource {
                extra,
                resource_extra,
                ..
            } => [Some(extra), Some(resource_extra)],
            Self::Unknown { .. } => [None, None],
        };
        part.into_iter().chain(resource)
    }

    /// The same to be changed, each with its name here.
    pub fn extras_mut(&mut self) -> impl Iterator<Item = (&'static str, &mut Map<String, Value>)> {
        let [part, resource] = match self {
            Self::Text { extra, .. }
            | Self::Image { extra, .. }
            | Self::Audio { extra, .. }
            | Self::ResourceLink { extra, .. } => [Some(("extra", extra)), None],
            Self::Resource {
                extra,
                resource_extra,
                ..
            } => [
                Some(("extra", extra)),
                Some(("resource_extra", resource_extra)),
            ],
            Self::Unknown { .. } => [None, None],
        };
        part.into_iter().chain(resource)
    }

    /// What can be read in it.
    pub fn as_text(&self) -> Cow<'_, str> {
        Cow::Owned(match self {
            Self::Text { text, .. } => return Cow::Borrowed(text),
            Self::Image {
                data, mime_type, ..
            } => {
                format!("[picture {mime_type}, {} characters of Base64]", data.len())
            }
            Self::Audio {
                data, mime_type, ..
            } => {
                format!("[sound {mime_type}, {} characters of Base64]", data.len())
            }
            Self::ResourceLink {
                uri,
                name,
                title,
                description,
                mime_type,
                ..
            } => {
                let about = [
                    Some(name),
                    title.as_ref(),
                    mime_type.as_ref(),
                    description.as_ref(),
                ];
                about
                    .into_iter()
                    .flatten()
                    .fold(format!("[link {uri}]"), |text, more| {
                        format!("{text}\n{more}")
                    })
            }
            Self::Resource {
                uri,
                text: Some(text),
                ..
            } => format!("[resource {uri}]\n{text}"),
            Self::Resource {
                uri,
                mime_type,
                blob,
                ..
            } => {
                let length = blob.as_ref().map_or(0, String::len);
                format!(
                    "[resource {uri} {}, {length} characters of Base64]",
                    mime_type.as_deref().unwrap_or_default()
                )
            }
            Self::Unknown { value } => format!("{value:#}"),
        })
    }
}

/// What this host did to an answer or found in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum ResultNote {
    /// Values of held secrets were covered.
    SecretsMasked,
    /// Invisible or text-direction characters were replaced by visible marks.
    HiddenCharacters {
        /// How many.
        count: u32,
    },
    /// What has the form of a credential or of a personal number was covered by numbered marks. The
    /// person may see it.
    Covered {
        /// How many different credentials.
        credentials: u32,
        /// How many different personal numbers.
        numbers: u32,
    },
    /// The answer was longer than the limit and was cut.
    Cut {
        /// Bytes that came.
        bytes: u32,
        /// Bytes that were kept.
        kept: u32,
    },
    /// The structured content does not fit the tool's own output schema.
    StructuredInvalid {
        /// Where and why.
        problem: String,
    },
    /// Comparing the structured content with the tool's own output schema would take too long.
    StructuredUnchecked,
    /// The tool has an output schema but sent no structured content.
    StructuredMissing,
}

/// A form that a server wants a person to fill in (MCP elicitation, form mode).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Form {
    /// The server's words.
    pub message: String,
    /// A flat JSON Schema: strings, numbers, booleans and choices.
    #[ts(type = "Record<string, unknown>")]
    pub schema: Map<String, Value>,
    /// What it is about, if Codex wants to be allowed something.
    #[serde(default)]
    pub codex: Option<CodexApproval>,
}

/// What a person did with a form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum FormResult {
    /// Sent with these values.
    Accept {
        /// By field.
        #[ts(type = "Record<string, unknown>")]
        content: Map<String, Value>,
    },
    /// Said no.
    Decline,
    /// Went away without an answer.
    Cancel,
}
