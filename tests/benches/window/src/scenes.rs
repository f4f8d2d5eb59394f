//! What is measured, one stretch of use each.

mod age;
mod bytes;
mod calls;
mod cold;
mod idle;
mod lists;
mod long_replies;
mod opening;
mod start;
mod stopping;
mod streaming;

use crate::figure::Figure;

/// A stretch of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scene {
    /// How old words are when they are on the screen.
    Age,
    /// A reply that comes for a minute.
    Streaming,
    /// Replies that are as long as books.
    LongReplies,
    /// A long conversation is opened.
    Opening,
    /// Nothing is done in an open conversation.
    Idle,
    /// A reply is stopped.
    Stopping,
    /// A model calls an allowed tool.
    Calls,
    /// The program is started while a question waits.
    Start,
    /// What the host tells its pages of a reply.
    Bytes,
    /// The program is started, and nothing waits.
    Cold,
    /// Lists of thousands.
    Lists,
}

impl Scene {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Age,
        Self::Streaming,
        Self::LongReplies,
        Self::Opening,
        Self::Idle,
        Self::Stopping,
        Self::Calls,
        Self::Start,
        Self::Bytes,
        Self::Cold,
        Self::Lists,
    ];

    /// By which it is chosen.
    pub fn name(self) -> &'static str {
        match self {
            Self::Age => "age",
            Self::Streaming => "streaming",
            Self::LongReplies => "long-replies",
            Self::Opening => "opening",
            Self::Idle => "idle",
            Self::Stopping => "stopping",
            Self::Calls => "calls",
            Self::Start => "start",
            Self::Bytes => "bytes",
            Self::Cold => "cold",
            Self::Lists => "lists",
        }
    }

    /// Its figures.
    pub async fn measure(self) -> Vec<Figure> {
        match self {
            Self::Age => age::measure().await,
            Self::Streaming => streaming::measure().await,
            Self::LongReplies => long_replies::measure().await,
            Self::Opening => opening::measure().await,
            Self::Idle => idle::measure().await,
            Self::Stopping => stopping::measure().await,
            Self::Calls => calls::measure().await,
            Self::Start => start::measure().await,
            Self::Bytes => bytes::measure().await,
            Self::Cold => cold::measure().await,
            Self::Lists => lists::measure().await,
        }
    }
}
