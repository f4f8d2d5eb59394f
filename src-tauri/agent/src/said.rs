//! What a person says to a model.

use serde::{Deserialize, Serialize};

/// One part of what a person says: their own words, or a picture that they put in.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Said {
    /// Words.
    Text {
        /// As they were typed.
        text: String,
    },
    /// A picture.
    Image {
        /// Base64.
        data: String,
        /// Its media type, such as `image/png`.
        mime_type: String,
    },
}

impl Said {
    /// Words, and nothing else.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text { text: text.into() }
    }
}
