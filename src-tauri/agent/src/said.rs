//! What a person says to a model, and what they attach to it; or what another model gives it to do.

use protocol::{Boundary, Content, Label, Origin, Timestamp, Trust};
use serde::{Deserialize, Serialize};

/// One part of what a model is told: the person's own words, what they put in, or a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Said {
    /// Words of the person alone: what is out of a file or a clipboard does not stand here.
    Text {
        /// As they were typed.
        text: String,
    },
    /// What another model gives it to do. It is nobody's word.
    Task {
        /// The task.
        text: String,
        /// Of what it may be made: all that the other model had heard.
        label: Label,
    },
    /// A file, a picture, or a long piece of a clipboard. The person has chosen it; it is not their
    /// word.
    Attached {
        /// The attachment.
        attachment: Box<Attachment>,
    },
}

/// What a person attaches to what they say.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// Its name.
    pub name: String,
    /// What is in it, cleaned, bounded and covered as the result of a tool.
    pub content: Vec<Content>,
    /// From whom it is, how far it may be believed, and who may read it.
    pub label: Label,
    /// When it was attached.
    pub at: Timestamp,
    /// Between which marks a model gets it; drawn after it was read, so that nothing in it can know
    /// them.
    pub boundary: Boundary,
}

impl Said {
    /// Words, and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }

    /// The words in what was said, without what is attached.
    pub fn words(said: &[Self]) -> String {
        let words = said.iter().filter_map(|said| match said {
            Self::Text { text } => Some(text.as_str()),
            Self::Task { .. } | Self::Attached { .. } => None,
        });
        words.collect::<Vec<_>>().join("\n")
    }

    /// What is attached to what was said, in its order.
    pub fn attachments(said: &[Self]) -> impl Iterator<Item = &Attachment> {
        said.iter().filter_map(|said| match said {
            Self::Attached { attachment } => Some(attachment.as_ref()),
            Self::Text { .. } | Self::Task { .. } => None,
        })
    }

    /// The task in it, if it is one, with its label.
    pub fn task(said: &[Self]) -> Option<(&str, &Label)> {
        said.iter().find_map(|said| match said {
            Self::Task { text, label } => Some((text.as_str(), label)),
            Self::Text { .. } | Self::Attached { .. } => None,
        })
    }

    /// From whom it is. What is attached is a stranger's word, whatever is said of it.
    pub(crate) fn label(&self) -> Label {
        match self {
            Self::Text { .. } => Label::of(Origin::Person),
            Self::Task { label, .. } => label.clone(),
            Self::Attached { attachment } => {
                let label = attachment.label.clone();
                label.at_least_as_doubtful(Trust::Untrusted)
            }
        }
    }
}
