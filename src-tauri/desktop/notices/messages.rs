//! The words of notices, as the main window's pages give them in the person's language. This side
//! has none of its own.

use serde::Deserialize;

/// The longest text that is taken, in characters.
const LONGEST: usize = 200;
/// Where the number of questions stands.
const COUNT: &str = "{count}";

/// What the person wants to be told, and in which words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NoticeMessages {
    /// Whether they want to be told of questions while they look elsewhere.
    pub on: bool,
    /// Whether Majordomo is to go on in the tray when its window is closed.
    pub keep: bool,
    /// That one question waits.
    pub one: String,
    /// That several wait.
    pub many: String,
    /// What can be done about it.
    pub text: String,
    /// That none waits.
    pub none: String,
    /// Open the window.
    pub open: String,
    /// Show the question.
    pub next: String,
    /// End the application.
    pub quit: String,
}

impl NoticeMessages {
    /// The words, if all of them are there and short.
    pub(crate) fn checked(self) -> Option<Self> {
        let all = [
            &self.one, &self.many, &self.text, &self.none, &self.open, &self.next, &self.quit,
        ];
        all.iter()
            .all(|text| !text.is_empty() && text.chars().count() <= LONGEST)
            .then_some(self)
    }

    /// That so many questions wait.
    pub(crate) fn title(&self, questions: usize) -> String {
        match questions {
            0 => self.none.clone(),
            1 => self.one.clone(),
            more => self.many.replace(COUNT, &more.to_string()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> NoticeMessages {
        let [one, many, text, none, open, next, quit] = [
            "one",
            "{count} wait",
            "text",
            "none",
            "open",
            "next",
            "quit",
        ]
        .map(str::to_owned);
        NoticeMessages {
            on: true,
            keep: false,
            one,
            many,
            text,
            none,
            open,
            next,
            quit,
        }
    }

    #[test]
    fn a_title_says_how_many_wait() {
        let titles = [0, 1, 2, 30].map(|questions| words().title(questions));
        assert_eq!(titles, ["none", "one", "2 wait", "30 wait"]);
    }

    #[test]
    fn words_that_are_missing_or_have_no_end_are_not_taken() {
        assert_eq!(words().checked(), Some(words()));
        assert_eq!(
            NoticeMessages {
                text: String::new(),
                ..words()
            }
            .checked(),
            None
        );
        assert_eq!(
            NoticeMessages {
                quit: "x".repeat(201),
                ..words()
            }
            .checked(),
            None
        );
    }
}
