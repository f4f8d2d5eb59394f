//! A person talks to a model, which uses the tools of servers.
//!
//! Always true here:
//! - what is done is decided by `agent::Turn` alone; here it is done, in its order, and nothing after
//!   what fails;
//! - of one conversation there is one driver, and whatever is wanted of it goes through that; a task
//!   that it gives away is a conversation of its own;
//! - a tool is called as everybody's are, through `calls::call_tool`, in the name of the agent, on
//!   nobody's word;
//! - what a model or a server says is covered and made visible before it is written, told or sent.

mod ask;
mod attached;
mod call;
mod chats;
mod covered;
mod driver;
mod export;
mod import;
mod journal;
mod last_read;
mod left;
mod manage;
mod outcome;
mod picture;
mod reasons;
mod sampling;
mod setting;
mod tasks;
mod view;

pub(crate) use chats::{Chats, Order};
pub(crate) use export::export;
pub(crate) use import::import;
pub(crate) use left::{check_link, remember, take_up};
pub(crate) use manage::{
    attachment, branch, delete, ledger, list, pin, read, rename, set_reader, start,
};
pub(crate) use sampling::answer_servers;
pub(crate) use view::view_of;

use protocol::{Caller, CallerError, CallerKind};

/// In whose name models call tools. What a person allows it, it is allowed in every conversation,
/// unless they say it for one. Helpers and assistants are the same for the policy, so that none of
/// them may do more; who of them it is, its name says.
fn caller(name: Option<&str>) -> Result<Caller, CallerError> {
    let name = name.map(|name| format!("{NAME}: {name}"));
    let name = name.as_deref().unwrap_or(NAME);
    Ok(Caller::new(CallerKind::Agent, "chat".parse()?, name))
}

/// What the caller is called where nobody of a name of their own asks.
const NAME: &str = "Chat";
