//! Words that a stranger wrote and a person may see.

use serde::Serialize;

/// Text of a server: at most 300 characters on one line, hidden characters made visible. Show it as
/// a quotation, never as ours.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ServerText(String);

impl ServerText {
    /// Longest text, in characters.
    pub const MAX: usize = 300;

    /// Cleans and cuts a text.
    pub fn new(raw: &str) -> Self {
        let line: String = raw
            .chars()
            .take(Self::MAX)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let shown = inspect::reveal(&line).map_or(line, |(shown, _)| shown);
        // Marks are longer than what they stand for, so the bound is taken again.
        Self(shown.trim().chars().take(Self::MAX).collect())
    }

    /// The cleaned text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl std::fmt::Display for ServerText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::ServerText;

    #[test]
    fn a_text_of_a_server_is_one_short_line_without_hidden_characters() {
        assert_eq!(
            ServerText::new(" a\r\nb\u{202E}c ").as_str(),
            "a  b⟨U+202E⟩c"
        );
        assert_eq!(
            ServerText::new(&"\u{200B}".repeat(9_000))
                .as_str()
                .chars()
                .count(),
            ServerText::MAX
        );
    }
}
