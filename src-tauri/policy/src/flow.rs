//! Flow control: what came from strangers must not silently steer what is done.
//!
//! A host keeps one [`Conversation`], tells it every [`Message`] ([`Conversation::observe`]) and
//! asks before every call ([`Conversation::check`]). What comes back are [`Concern`]s: each names a
//! value, where it came from and why it matters. No concern means that nothing here speaks against
//! the call; it never means that the call is allowed. When a person said yes,
//! [`Conversation::settle`] notes it, so that the same value is asked about once; when a call runs,
//! [`Conversation::runs`] notes which files are the conversation's own.
//!
//! Always true here:
//! - labels are joined over the conversation and never lowered; an answered question settles a
//!   value, not a label;
//! - what the person wrote is never asked about; what only a stranger wrote always has that origin,
//!   in whatever spelling;
//! - which tool is a sink follows from its name, its definition and what its arguments address; a
//!   server's own hints only raise;
//! - where strangers have spoken, a tool that does more than look is asked about unless it or what it
//!   is given can be traced to the person's words, whatever its name says that it does; what they
//!   said of what was looked at traces nothing else;
//! - what was read because a passage that speaks to the model asked for it is as doubtful as the
//!   passage;
//! - no clock, disk or network, and bounded: what is too long to be looked at, or too old to be
//!   kept, counts as unknown, never as harmless.

mod argument;
mod concern;
mod conversation;
mod deed;
mod filter;
mod indexed_result;
mod item;
mod lexicon;
mod mails;
mod person;
mod piece;
mod prompt_injection;
mod record;
mod replay;
mod results;
mod review;
mod seen;
mod sink;
mod slot;
mod text;
mod value;
mod value_source;
mod values;

pub use concern::{Concern, Source, Why};
pub use conversation::{Conversation, Message, Proposed};
pub use lexicon::Act;
pub use replay::{Asked, ReplayError, replay};
pub(crate) use sink::Sink;
pub(crate) use slot::Described;
pub use value_source::ValueSource;
