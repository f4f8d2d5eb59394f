//! A model at the table: what it is sent, what it answers, and what becomes of the calls that it
//! wants.
//!
//! Always true here:
//! - decisions are pure: no clock, disk, network or surface; what is to be done comes out as
//!   [`Effect`]s;
//! - what is to outlive the application is written before anything depends on it, and what is
//!   written is enough to go on from ([`Conversation::apply`], [`recover`]);
//! - a call that a model wants is settled once, and the model is told what is known of it and no
//!   more ([`Outcome`]);
//! - a request holds the result of every call that it holds, and no other result;
//! - no key of a model is ever in here, and nothing in here opens a connection.

mod calculate;
mod calls;
mod context;
mod conversation;
mod depth;
mod entry;
mod helper;
mod imported;
pub mod model;
mod outcome;
mod purse;
mod reply;
mod request;
mod said;
mod search;
mod tools;
mod transcript;
mod turn;

pub use calls::{Call, CallOrder, Plan, Planned};
pub use conversation::{Conversation, DamagedJournal, Item, Open, Stage, TurnStart};
pub use entry::{Broke, Closing, Entry};
pub use helper::{Helper, HelperEnd, HelperReport, Progress, Task, TaskOrder, Worker, progress};
pub use imported::Imported;
pub use outcome::{LabelledResult, NotRun, Outcome, OwnAnswer, Unknown};
pub use protocol::TurnEnd;
pub use purse::{Purse, Spent};
pub use reply::{ModelCall, Reply, ReplyPart, StopReason, Usage};
pub use request::{CallResult, Message, ModelRef, Request, ResultPart, ToolDefinition};
pub use said::{Attachment, Said};
pub use tools::{OfferedTool, ToolRef, ToolTable};
pub use transcript::{
    TranscriptAttachment, TranscriptBreak, TranscriptItem, TranscriptOutcome, TranscriptPart,
};
pub use turn::{CallState, Effect, Event, PartialReply, Setting, Turn, recover};
