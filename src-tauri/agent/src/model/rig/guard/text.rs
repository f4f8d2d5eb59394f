//! What is known of a text that comes in pieces, without keeping it.

/// Which call of a reply a piece belongs to, as its service says.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Call {
    At(u64),
    Id(String),
    Unnamed,
}

/// A text, or the arguments of a call.
#[derive(Debug, Default)]
pub(super) struct Text {
    /// In bytes.
    pub(super) length: usize,
    /// How many bytes at its end are blank.
    pub(super) blank: usize,
    /// The id that its service has given it last.
    pub(super) id: Option<String>,
    /// Its last character that is not blank.
    last: Option<char>,
}

impl Text {
    pub(super) fn add(&mut self, piece: &str) {
        let trimmed = piece.trim_end();
        self.length += piece.len();
        let blank = piece.len() - trimmed.len();
        match trimmed.chars().next_back() {
            Some(last) => {
                self.last = Some(last);
                self.blank = blank;
            }
            None => self.blank += blank,
        }
    }

    /// Whether it could be a whole JSON object; nothing at all counts as one.
    pub(super) fn may_be_whole(&self) -> bool {
        matches!(self.last, None | Some('}'))
    }
}
