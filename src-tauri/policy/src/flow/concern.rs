//! What speaks against a call, in words that a person can judge.

use super::lexicon::Act;
use protocol::{Origin, Timestamp};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct Source {
    /// Whose words.
    #[serde(flatten)]
    pub origin: Origin,
    /// In which message of the conversation, counted from 0.
    pub message: Option<usize>,
    /// When that message came.
    pub at: Option<Timestamp>,
}

/// Why a value matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum Why {
    /// It says who gets something, and the person did not name them.
    Recipient,
    /// It says to which address in the web something goes, and the person did not name it.
    Site,
    /// It says in which shared place something is done, and the person did not name it.
    Place,
    /// It is a way in that somebody else chose.
    Credential,
    /// It stands in a text that speaks to the model.
    Steered,
    /// It stands in a result that was read because a text that speaks to the model asked for
    /// something.
    Led,
    /// The call does what a text that speaks to the model asks for.
    SteeredAct,
    /// The call does something that the person did not speak of.
    UnaskedAct,
    /// The call is of a tool of which the person did not speak, and what it is given is not theirs
    /// either.
    UnaskedTool,
    /// It leads to a page of which the person did not speak.
    Link,
    /// It is secret, and who gets it was not named by the person.
    Secret,
    /// The address was put together here and may carry something out.
    CarriesOut,
    /// The web is searched for it, it was read elsewhere, and the person did not speak of it.
    SearchedFor,
    /// There is more in the call than can be looked at.
    TooMuch,
    /// What strangers have said in the conversation is not known any more.
    Forgotten,
}

impl Why {
    /// Whether it is about where one value came from, and about nothing else.
    pub(super) fn is_about_a_value(self) -> bool {
        matches!(
            self,
            Self::Recipient | Self::Site | Self::Place | Self::Credential | Self::Link
        )
    }
}

/// One thing that speaks against a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct Concern {
    /// Under which argument the value stands; nothing where it is about the act.
    pub argument: Option<String>,
    /// The value; where it is about the act, what is acted upon, if anything; where it is about the
    /// tool, its name, and then what it acts upon.
    pub value: String,
    /// The act in words, where it is about that: "delete or remove something".
    pub act: Option<Act>,
    /// Where it came from.
    pub source: Source,
    /// Why it matters.
    pub why: Why,
}

impl Concern {
    /// The whole reason as one sentence.
    pub fn sentence(&self) -> String {
        let (value, source, act) = (
            &self.value,
            &self.source,
            self.act.map_or("do this", Act::phrase),
        );
        let came = match source.origin {
            Origin::Unknown => "which neither you nor any result has named".to_owned(),
            _ => format!("which came from {source}, not from you"),
        };
        let upon = if value.is_empty() {
            String::new()
        } else {
            format!(" with {value}")
        };
        match self.why {
            Why::Recipient | Why::Site => format!("this goes to {value}, {came}"),
            Why::Link => format!("this opens {value}, {came}"),
            Why::Place => format!("this is done in {value}, {came}"),
            Why::Credential => format!("this sets a key or password, {came}"),
            Why::Steered => {
                format!("{value} came from {source}, out of a passage that speaks to the model")
            }
            Why::Led => format!(
                "{value} came from {source}, which was read because a passage that speaks to the model asked for it"
            ),
            Why::SteeredAct => format!(
                "{source} holds a passage that wants the model to {act}; this does it{upon}"
            ),
            Why::UnaskedAct => {
                format!("you did not ask to {act}; this does it{upon}, after {source} was read")
            }
            Why::UnaskedTool => {
                format!("you did not ask for {value}; this calls it after {source} was read")
            }
            Why::Secret => {
                format!("this hands on a secret from {source} to somebody whom you did not name")
            }
            Why::CarriesOut => {
                format!("{value} was put together here and may carry out what was read")
            }
            Why::SearchedFor => {
                format!("this searches the web for {value}, {came}")
            }
            Why::TooMuch => "there is more in this call than can be looked at".to_owned(),
            Why::Forgotten => {
                "what was read earlier in this conversation is not known any more".to_owned()
            }
        }
    }
}

impl std::fmt::Display for Source {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.origin {
            Origin::Person => f.write_str("you")?,
            Origin::Host => f.write_str("this program")?,
            Origin::Attachment { name } => write!(f, "\u{201c}{name}\u{201d}, which you attached")?,
            Origin::Unknown => f.write_str("an unknown source")?,
            Origin::Tool {
                server: Some(server),
                tool,
            } => write!(f, "the result of {} on {}", tool.as_str(), server.as_str())?,
            Origin::Tool { server: None, tool } => write!(f, "the result of {}", tool.as_str())?,
        }
        match (self.message, self.at) {
            (_, Some(at)) => write!(f, " at {at}"),
            (Some(message), None) => write!(f, " in message {message}"),
            (None, None) => Ok(()),
        }
    }
}
