//! What an inspection found. Findings inform people and policy; they never grant anything.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;
use ts_rs::TS;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Odd, and usually harmless.
    Low,
    /// A person should look at it.
    Medium,
    /// Very probably meant to steer the model.
    High,
    /// Beyond doubt.
    Critical,
}

/// What kind of thing was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Characters that nobody sees, or that turn the direction of what is seen.
    HiddenCharacters,
    /// It tells the model to keep something from the person.
    Secrecy,
    /// It tells the model to disregard what it was told before.
    Override,
    /// It wants to be called before, instead of or after everything else.
    ToolOrder,
    /// It changes what is given to other tools, or what they answer.
    Tampering,
    /// It has private data read or sent somewhere.
    Exfiltration,
    /// It has something destroyed, opened up or run.
    DangerousAction,
    /// It speaks to the model and not to a reader.
    AddressesModel,
    /// It says that it is the system, the person or an administrator.
    RoleImitation,
    /// Instructions stand inside markup that people do not look at.
    HiddenMarkup,
    /// Instructions are written in an encoding.
    EncodedInstructions,
    /// It praises itself over the tools of others.
    Preference,
    /// It names a tool of another server.
    ForeignTool,
    /// Its name can be taken for another tool's.
    LookAlikeName,
    /// It does what a trusted tool already does.
    NearDuplicate,
    /// A place where credentials or private files lie.
    SensitiveTarget,
    /// Markup that a viewer would run or load.
    ActiveContent,
    /// A link or picture that carries data away when it is shown.
    DataInLink,
    /// A value of a secret that this host holds.
    HeldSecret,
    /// Something that has the form of a credential.
    Credential,
    /// A number of a payment card, account or person.
    PersonalNumber,
    /// More than anyone reads.
    TooLarge,
}

impl FindingKind {
    /// Whether such a text speaks to the model and not to a reader.
    pub fn speaks_to_model(self) -> bool {
        matches!(
            self,
            Self::Secrecy
                | Self::Override
                | Self::ToolOrder
                | Self::Tampering
                | Self::Exfiltration
                | Self::DangerousAction
                | Self::AddressesModel
                | Self::RoleImitation
                | Self::HiddenMarkup
                | Self::EncodedInstructions
                | Self::Preference
        )
    }
}

impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HiddenCharacters => "It holds characters that nobody can see.",
            Self::Secrecy => "It tells the model to keep something from you.",
            Self::Override => "It tells the model to disregard its other instructions.",
            Self::ToolOrder => "It wants to be called before or instead of other tools.",
            Self::Tampering => "It tells the model to change what other tools are given.",
            Self::Exfiltration => "It has private data read or sent somewhere.",
            Self::DangerousAction => "It has something destroyed, opened up or run.",
            Self::AddressesModel => "It gives orders to the model.",
            Self::RoleImitation => "It speaks as if it were the system or an administrator.",
            Self::HiddenMarkup => "It puts instructions into markup that people do not look at.",
            Self::EncodedInstructions => "It holds encoded text that gives orders to the model.",
            Self::Preference => "It asks to be preferred over the tools of others.",
            Self::ForeignTool => "It names a tool of another server.",
            Self::LookAlikeName => "Its name can be taken for the name of another tool.",
            Self::NearDuplicate => "It describes the same purpose as a tool that you trust.",
            Self::SensitiveTarget => {
                "It names a place where credentials or private files are kept."
            }
            Self::ActiveContent => "It holds markup that a viewer would run or load.",
            Self::DataInLink => "It holds a link or picture that would carry data away.",
            Self::HeldSecret => "It holds one of your secrets.",
            Self::Credential => "It holds something that looks like a credential.",
            Self::PersonalNumber => "It holds a card, account or identity number.",
            Self::TooLarge => "It is longer than anyone reads.",
        })
    }
}

/// One thing that was found in a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Finding {
    /// What it is.
    pub kind: FindingKind,
    /// How much it matters.
    pub severity: Severity,
    /// Which text of a definition, as a JSON pointer (RFC 6901); empty for a text that stands
    /// alone.
    pub at: String,
    /// Where in that text, in bytes, always between characters.
    #[ts(type = "{ start: number, end: number }")]
    pub span: Range<usize>,
    /// The words in question: cleaned, one line, short. Never a secret.
    pub evidence: String,
}

impl Finding {
    /// The most characters of evidence.
    pub const EVIDENCE: usize = 160;

    /// A finding in `text` whose evidence is the text at `span`.
    pub(crate) fn of(
        kind: FindingKind,
        severity: Severity,
        text: &str,
        span: Range<usize>,
    ) -> Self {
        let start = text.floor_char_boundary(span.start);
        let end = text.ceil_char_boundary(span.end.max(start));
        Self {
            kind,
            severity,
            at: String::new(),
            evidence: evidence(&text[start..end]),
            span: start..end,
        }
    }

    /// The same finding with other words shown: for what must not be repeated.
    pub(crate) fn showing(mut self, words: &str) -> Self {
        self.evidence = evidence(words);
        self
    }
}

/// One short line without anything hidden in it.
fn evidence(text: &str) -> String {
    let mut line = String::new();
    let mut words = text.split_whitespace();
    // More than is shown need not be read; a character that is made visible takes the room of
    // several.
    while line.len() <= Finding::EVIDENCE * 4 {
        let Some(word) = words.next() else { break };
        if !line.is_empty() {
            line.push(' ');
        }
        line.extend(word.chars().take(Finding::EVIDENCE + 1));
    }
    let mut line = crate::reveal(&line).map_or(line, |(shown, _)| shown);
    if let Some((cut, _)) = line.char_indices().nth(Finding::EVIDENCE) {
        line.truncate(cut);
        line.push('…');
    }
    line
}

/// All that was found, and whether it is certain enough to be held back until a person has decided.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Inspection {
    /// The worst first.
    pub findings: Vec<Finding>,
    /// The evidence is certain: no model sees the text before a person has looked at it.
    pub held_back: bool,
}

impl Inspection {
    /// The most findings that are kept; the worst are kept.
    pub const MOST: usize = 64;

    /// Orders the findings and decides whether the text is held back.
    pub(crate) fn of(mut findings: Vec<Finding>) -> Self {
        findings.sort_by(|a, b| {
            b.severity
                .cmp(&a.severity)
                .then_with(|| (&a.at, a.span.start).cmp(&(&b.at, b.span.start)))
        });
        findings.truncate(Self::MOST);
        let held_back = findings
            .iter()
            .any(|finding| finding.severity == Severity::Critical);
        Self {
            findings,
            held_back,
        }
    }

    /// The worst severity, if anything was found.
    pub fn worst(&self) -> Option<Severity> {
        self.findings.first().map(|finding| finding.severity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evidence_is_one_short_line_with_everything_in_it_visible() {
        let finding = Finding::of(
            FindingKind::Secrecy,
            Severity::High,
            "a\n\u{200B}b  c",
            0..9,
        );
        assert_eq!(finding.evidence, "a ⟨U+200B⟩b c");
        let long = "é".repeat(500);
        assert_eq!(
            Finding::of(FindingKind::Secrecy, Severity::High, &long, 1..999)
                .evidence
                .chars()
                .count(),
            Finding::EVIDENCE + 1
        );
    }

    #[test]
    fn evidence_stays_short_when_hidden_characters_are_made_visible() {
        let text = "\u{200B}".repeat(400);
        let finding = Finding::of(
            FindingKind::HiddenCharacters,
            Severity::High,
            &text,
            0..text.len(),
        );
        assert_eq!(finding.evidence.chars().count(), Finding::EVIDENCE + 1);
    }

    #[test]
    fn the_worst_comes_first_and_the_certain_is_held_back() {
        let of = |severity| Finding::of(FindingKind::Secrecy, severity, "text", 0..4);
        let inspection = Inspection::of(vec![of(Severity::Low), of(Severity::Critical)]);
        assert_eq!(inspection.worst(), Some(Severity::Critical));
        assert!(inspection.held_back);
        assert!(!Inspection::of(vec![of(Severity::High)]).held_back);
    }
}
