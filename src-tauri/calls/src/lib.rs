//! One call, from whoever wants it to the closed trace, and everything that waits for a person.
//!
//! Always true here:
//! - every call of a tool, from whatever surface, goes through `call_tool`;
//! - everything else that somebody wishes to have sent to a server goes through `gate`;
//! - no surface is known, and nothing of signing in but whether a server refused;
//! - no lock is held while waiting;
//! - what cannot be recorded does not happen.

pub mod affected_resources;
pub mod agent_results;
mod alike;
mod ask_back;
mod ask_request;
mod attendant;
pub mod call_history;
pub mod call_tool;
pub mod call_trace;
mod calls;
pub mod catch_up;
mod client_route;
mod clients;
pub mod conversations;
mod floods;
pub mod found;
pub mod gate;
pub mod grants;
pub mod judge;
pub mod leftovers;
mod model;
pub mod offers;
mod pass_on;
pub mod pending_calls;
pub mod permit;
pub mod places;
pub mod recovery;
pub mod redacted_results;
pub mod remembered;
mod repeats;
mod resumed_rounds;
mod resumed_tasks;
pub mod rules;
pub mod running;
pub mod sampling;
mod server_messages;
mod spans;
pub mod tasks;
mod took;
pub mod traced;
pub mod unknown_outcomes;
mod unwritten;
pub mod waiting;

pub use attendant::attend;
pub use calls::{Calls, WeakCalls};
pub use client_route::{ClientAbilities, ClientAsk, ClientRoute, NotAnswered, RouteGuard};
pub use clients::{Admitted, ClientNow, Clients};
pub use model::{Model, ModelAsk, ModelFailure, ModelReply};
pub use repeats::{REPEATS, WHILE as REPEATS_WITHIN};
