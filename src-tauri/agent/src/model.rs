//! The door to models: a request becomes the bytes of a service, and its bytes become a reply.
//!
//! Always true here:
//! - nothing is sent and nothing is awaited: whoever has the connection hands bytes in and out;
//! - no credential is in what goes out ([`Outgoing`]): who sends it adds one;
//! - only the service's own mark ends a reply; the end of the connection never does;
//! - what comes in is bounded: an event and a reply in bytes, how many parts it has, how many calls
//!   it wants, what it takes to read it, and what it takes to write it down and read it again;
//! - it does not matter where the pieces end in which a reply comes.
//!
//! What is demanded of whoever has the connection: a service may say the key back that it was shown,
//! in a failure or in a reply, and nothing in here knows it. Its bytes are covered before they come
//! to [`Incoming::push`] and [`Failure::of_status`].

mod failure;
mod frames;
mod rig;

use crate::{Reply, Request};

pub use failure::{Failure, RetryAfter};
pub use frames::{Frames, Framing};

/// The most that one event of a reply may hold, in bytes.
pub const LONGEST_EVENT: usize = 1024 * 1024;
/// The most that a reply may hold, in bytes as they come.
pub const LONGEST_REPLY: usize = 16 * 1024 * 1024;
/// The most calls that one reply may want.
pub const MOST_CALLS: usize = 128;
/// The most parts that a reply may have, and the most that one event may bring of anything.
pub const MOST_PARTS: usize = 512;
/// The most that a reply may hold as it is written, in bytes. What its service wants back unchanged
/// stands beside what is read of it, so that this may be more than came.
pub const LARGEST_WRITTEN: usize = 12 * 1024 * 1024;
/// The most that is read of what a service says instead of a reply, in bytes.
pub const LONGEST_PROBLEM: usize = 64 * 1024;

/// A request in the words of its service, to be sent by POST.
#[derive(Debug, Clone, PartialEq)]
pub struct Outgoing {
    /// Path and query, below the address of the service. It begins with `/`.
    pub path: String,
    /// Headers without a credential.
    pub headers: Vec<(String, String)>,
    /// JSON.
    pub body: Vec<u8>,
}

/// A step of a reply that is coming in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamEvent {
    /// Words for the person.
    Text(String),
    /// What the model thinks.
    Reasoning(String),
    /// A call begins.
    CallBegan {
        /// The name that the model says.
        name: String,
    },
}

/// A reply that is coming in.
pub struct Incoming {
    frames: Frames,
    reader: rig::Reader,
    /// How many bytes have come.
    bytes: usize,
    /// What has come while there was no event: a service that fails may say so in plain words.
    plain: Vec<u8>,
    is_plain: bool,
}

/// Writes a request in the words of its service.
///
/// # Errors
/// [`Failure::Request`], where it cannot be written in them.
pub fn ask(request: &Request) -> Result<(Outgoing, Incoming), Failure> {
    let (outgoing, framing, reader) = rig::open(request)?;
    let incoming = Incoming {
        frames: Frames::new(framing, LONGEST_EVENT),
        reader,
        bytes: 0,
        plain: Vec::new(),
        is_plain: true,
    };
    Ok((outgoing, incoming))
}

impl Incoming {
    /// Takes in what has come, in pieces of any size, and adds what is in it to `events`.
    ///
    /// What comes behind the end of a reply is not looked at.
    ///
    /// # Errors
    /// As soon as it is clear that there will be no reply: [`Failure::TooLong`],
    /// [`Failure::TooManyCalls`], [`Failure::TooManyParts`], [`Failure::TooCostly`],
    /// [`Failure::Service`], [`Failure::Unreadable`]. What came before is added all the same.
    pub fn push(&mut self, piece: &[u8], events: &mut Vec<StreamEvent>) -> Result<(), Failure> {
        if self.is_whole() {
            return Ok(());
        }
        let limit = LONGEST_REPLY;
        let room = limit.saturating_sub(self.bytes);
        let within = piece.get(..room).unwrap_or(piece);
        self.bytes += within.len();
        let mut frames = Vec::new();
        let pushed = self.frames.push(within, &mut frames);
        if self.is_plain && frames.is_empty() {
            let room = LONGEST_PROBLEM.saturating_sub(self.plain.len());
            self.plain.extend(within.iter().take(room));
        } else {
            self.is_plain = false;
        }
        self.reader.push(frames, events)?;
        if self.is_whole() {
            return Ok(());
        }
        pushed?;
        if within.len() < piece.len() {
            return Err(Failure::TooLong { limit });
        }
        Ok(())
    }

    /// Whether the service has ended the reply: the rest of the connection does not matter.
    pub fn is_whole(&self) -> bool {
        self.reader.is_whole()
    }

    /// The connection has ended, or the reply is whole.
    ///
    /// # Errors
    /// [`Failure::CutOff`], where the service has not ended it; [`Failure::Service`], where it says
    /// that it failed; [`Failure::UnknownStopReason`], where it ended it for a reason that nobody knows;
    /// [`Failure::TooLong`] and [`Failure::TooCostly`], where the reply could not be kept.
    pub fn finish(mut self) -> Result<Reply, Failure> {
        if let Some(message) = self
            .is_plain
            .then(|| failure::message_of(&self.plain))
            .flatten()
        {
            return Err(Failure::Service { message });
        }
        if let Some(rest) = self.frames.finish() {
            let pushed = self.reader.push([rest], &mut Vec::new());
            // Half a line that cannot be read was cut; it is not what the service meant.
            pushed.map_err(|failure| match failure {
                Failure::Unreadable { .. } => Failure::CutOff,
                other => other,
            })?;
        }
        keepable(self.reader.finish()?)
    }
}

/// A reply that can be written down, and read again.
fn keepable(reply: Reply) -> Result<Reply, Failure> {
    let limit = LARGEST_WRITTEN;
    if reply.is_too_deep() {
        return Err(Failure::TooCostly);
    }
    match serde_json::to_vec(&reply) {
        Ok(written) if written.len() <= limit => Ok(reply),
        _ => Err(Failure::TooLong { limit }),
    }
}
